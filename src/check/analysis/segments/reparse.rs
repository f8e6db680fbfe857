//! Edited text → segments, and the defaults in force in each.

use std::sync::Arc;

use crate::analysis::defaults::{Defaults, PropertyScope};
use crate::analysis::segments::{Segment, SegmentIndex, SegmentState, SegmentedText, Source};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{PropertyNode, parse, parse_closed};

/// How much text is parsed at a time, in bytes.
const PARSE_BYTES: u32 = 1 << 20;
/// The number of stored defaults from which on unused ones are removed.
const MIN_DEFAULTS_TO_SWEEP: usize = 256;

impl SegmentedText {
    /// Divides edited text into segments. `source` is the text as it is now.
    pub fn read(&mut self, source: &(impl Source + ?Sized)) {
        while let Some(chunk) = self.chunks.iter().position(|c| c.unread > 0) {
            let is_unread = |s: &Segment| s.state == SegmentState::Unread;
            let Some(segment) = self.chunks[chunk].segments.iter().position(is_unread) else { break };
            self.read_from(source, (chunk, segment));
        }
        self.sweep();
    }

    /// Reads from a segment on until a puzzle is closed where one was closed before: the rest is unchanged.
    fn read_from(&mut self, source: &(impl Source + ?Sized), first: SegmentIndex) {
        let start = self.start_of(first);
        let mut end = start + self.segment(first).len;
        let (mut from, mut last, mut more) = (start, first, 1);
        let mut size = PARSE_BYTES;
        let mut defaults = self.defaults[self.segment(first).defaults as usize];
        let mut new = Vec::new();
        loop {
            let text = source.read(Span::new(from, end.min(from.saturating_add(size))));
            let read = from + text.len() as u32;
            let is_end = read == source.len() || read == end && self.next(last).is_none();
            let used = self.divide(text, is_end, &mut defaults, &mut new);
            from += used;
            if from == end || is_end {
                break;
            }
            if read == end {
                // The last puzzle continues in the segments after.
                for _ in 0..more {
                    let Some(next) = self.next(last) else { break };
                    last = next;
                    end += self.segment(next).len;
                }
                more *= 2;
                size = size.max(end - from);
            } else if used == 0 {
                size = size.saturating_mul(2);
            }
        }
        let next = self.splice(first, last, new);
        if next.0 < self.chunks.len() {
            self.update_defaults(source, next, end, defaults);
        }
    }

    /// Divides a text at the braces that close puzzles, and at its end if it is the end of the whole text. Returns the
    /// number of bytes in the new segments, and updates `defaults` to those in force after them.
    fn divide(&mut self, text: String, is_end: bool, defaults: &mut Defaults, new: &mut Vec<Segment>) -> u32 {
        let len = text.len() as u32;
        let (tree, closed) = parse_closed(text);
        let ends = closed.iter().copied().chain(is_end.then_some(len));
        let mut nodes = tree.root().children().peekable();
        let mut start = 0;
        for end in ends.filter(|&end| end > 0) {
            if end == start {
                // The text ends where a puzzle is closed.
                continue;
            }
            let mut segment = Segment::unread(end - start, self.intern(*defaults));
            segment.state = SegmentState::Stale;
            while let Some(node) = nodes.next_if(|n| n.span().start < end) {
                if let Some(property) = PropertyNode::cast(node) {
                    segment.has_defaults = true;
                    set(property, defaults);
                }
            }
            new.push(segment);
            start = end;
        }
        start
    }

    /// Updates the defaults of a segment at `start` and of those after it, as far as they change.
    fn update_defaults(
        &mut self,
        source: &(impl Source + ?Sized),
        from: SegmentIndex,
        mut start: u32,
        defaults: Defaults,
    ) {
        let mut defaults = defaults.without_places();
        let mut at = Some(from);
        while let Some((c, s)) = at {
            let segment = self.segment((c, s)).clone();
            let old = self.defaults[segment.defaults as usize];
            if old == defaults {
                return;
            }
            let index = self.intern(defaults);
            let chunk = Arc::make_mut(&mut self.chunks[c]);
            chunk.segments[s].defaults = index;
            // `allow` is applied later, and changes no report.
            let is_changed = old.without_allowed() != defaults.without_allowed();
            if chunk.segments[s].state == SegmentState::Analysed && is_changed {
                chunk.segments[s].state = SegmentState::Stale;
                chunk.stale += 1;
            }
            if segment.has_defaults {
                let tree = parse(source.read(Span::new(start, start + segment.len)));
                tree.root().children().filter_map(PropertyNode::cast).for_each(|p| set(p, &mut defaults));
            }
            start += segment.len;
            at = self.next((c, s));
        }
    }

    /// The index of stored defaults.
    fn intern(&mut self, defaults: Defaults) -> u32 {
        let defaults = defaults.without_places();
        // Look among the latest only: neighbouring segments mostly have the same defaults.
        if let Some(index) = self.defaults.iter().rev().take(64).position(|&d| d == defaults) {
            return (self.defaults.len() - 1 - index) as u32;
        }
        Arc::make_mut(&mut self.defaults).push(defaults);
        (self.defaults.len() - 1) as u32
    }

    /// Removes defaults that are no longer in force anywhere, once there may be many of them.
    fn sweep(&mut self) {
        if self.defaults.len() < MIN_DEFAULTS_TO_SWEEP || self.defaults.len() < 2 * self.count() {
            return;
        }
        let old = std::mem::take(&mut self.defaults);
        for c in 0..self.chunks.len() {
            for s in 0..self.chunks[c].segments.len() {
                let defaults = self.intern(old[self.segment((c, s)).defaults as usize]);
                Arc::make_mut(&mut self.chunks[c]).segments[s].defaults = defaults;
            }
        }
    }
}

/// Reads a property of a file.
fn set(property: PropertyNode<'_>, defaults: &mut Defaults) {
    defaults.set(property, PropertyScope::File);
    *defaults = defaults.without_places();
}
