//! Text → parts: what an edit makes of them, and what is in force in each.

use crate::analysis::segments::{MOST_DEFAULTS, SLICE, Segment, SegmentedText, Source, State};
use crate::analysis::{Defaults, binding};
use crate::diagnostic::Span;
use crate::syntax::{PropertyNode, parse, parse_closed};
use std::sync::Arc;

impl SegmentedText {
    /// Finds the parts of what was edited. `source` is the text as it is now.
    pub fn read(&mut self, source: &(impl Source + ?Sized)) {
        while let Some(chunk) = self.chunks.iter().position(|c| c.unread > 0) {
            let part = self.chunks[chunk].parts.iter().position(|p| p.state == State::Unread);
            let Some(part) = part else { break };
            self.read_part(source, (chunk, part));
        }
        self.sweep();
    }

    /// Reads from a part on until a puzzle is closed where one was closed before: what follows is as it was.
    fn read_part(&mut self, source: &(impl Source + ?Sized), first: (usize, usize)) {
        let start = self.start_of(first);
        let mut end = start + self.part(first).len;
        let (mut from, mut last, mut more) = (start, first, 1);
        let mut size = SLICE;
        let mut settings = self.defaults[self.part(first).defaults as usize];
        let mut new = Vec::new();
        loop {
            let text = source.read(Span::new(from, end.min(from.saturating_add(size))));
            let read = from + text.len() as u32;
            let is_end = read == source.len() || read == end && self.next(last).is_none();
            let (tree, closed) = parse_closed(text);
            let ends = closed.iter().copied().chain(is_end.then_some(read - from));
            let mut nodes = tree.root().children().peekable();
            let mut begins = 0;
            for to in ends.filter(|&to| to > 0) {
                if to == begins {
                    // The text ends where a puzzle is closed.
                    continue;
                }
                let mut part = Segment::unread(to - begins, self.intern(settings));
                part.state = State::Stale;
                while let Some(node) = nodes.next_if(|n| n.span().start < to) {
                    if let Some(property) = PropertyNode::cast(node) {
                        part.sets = true;
                        set(property, &mut settings);
                    }
                }
                new.push(part);
                begins = to;
            }
            from += begins;
            if from == end || is_end {
                break;
            }
            if read == end {
                // It goes on in what followed.
                for _ in 0..more {
                    let Some(next) = self.next(last) else { break };
                    last = next;
                    end += self.part(next).len;
                }
                more *= 2;
                size = size.max(end - from);
            } else if begins == 0 {
                size = size.saturating_mul(2);
            }
        }
        let next = self.splice(first, last, new);
        // Behind the new ones others may be in force now.
        if next.0 < self.chunks.len() {
            self.pass_on(source, next, end, settings);
        }
    }

    /// Tells a part and those behind it what is in force there, as far as that is something new.
    fn pass_on(
        &mut self,
        source: &(impl Source + ?Sized),
        from: (usize, usize),
        mut start: u32,
        settings: Defaults,
    ) {
        let mut settings = elsewhere(settings);
        let mut at = Some(from);
        while let Some((c, p)) = at {
            let part = self.part((c, p)).clone();
            let old = self.defaults[part.defaults as usize];
            if old == settings {
                return;
            }
            let index = self.intern(settings);
            let chunk = Arc::make_mut(&mut self.chunks[c]);
            chunk.parts[p].defaults = index;
            if chunk.parts[p].state == State::Known && !alike(&old, &settings) {
                chunk.parts[p].state = State::Stale;
                chunk.stale += 1;
            }
            if part.sets {
                let tree = parse(source.read(Span::new(start, start + part.len)));
                tree.root().children().filter_map(PropertyNode::cast).for_each(|n| set(n, &mut settings));
            }
            start += part.len;
            at = self.next((c, p));
        }
    }

    fn intern(&mut self, settings: Defaults) -> u32 {
        let settings = elsewhere(settings);
        // What was in force a moment ago mostly still is.
        if let Some(index) = self.defaults.iter().rev().take(64).position(|&d| d == settings) {
            return (self.defaults.len() - 1 - index) as u32;
        }
        Arc::make_mut(&mut self.defaults).push(settings);
        (self.defaults.len() - 1) as u32
    }

    /// Forgets the defaults that are in force nowhere any more, once there may be many of them.
    fn sweep(&mut self) {
        if self.defaults.len() < MOST_DEFAULTS || self.defaults.len() < 2 * self.count() {
            return;
        }
        let old = std::mem::take(&mut self.defaults);
        for chunk in 0..self.chunks.len() {
            for part in 0..self.chunks[chunk].parts.len() {
                let defaults = self.intern(old[self.part((chunk, part)).defaults as usize]);
                Arc::make_mut(&mut self.chunks[chunk]).parts[part].defaults = defaults;
            }
        }
    }
}

/// Settings without their places, which are of no use elsewhere.
pub(crate) fn elsewhere(settings: Defaults) -> Defaults {
    let nowhere = Span::at(u32::MAX);
    Defaults {
        unique: settings.unique.map(|_| nowhere),
        size: settings.size.map(|s| crate::board::SizeValue { span: nowhere, ..s }),
        ..settings
    }
}

/// Whether the same is found under both, but for what is allowed.
fn alike(a: &Defaults, b: &Defaults) -> bool {
    a.without_allowed() == b.without_allowed()
}

/// Takes in a default of a file.
fn set(property: PropertyNode<'_>, settings: &mut Defaults) {
    let mut allows = Vec::new();
    binding::property(property, false, settings, &mut allows, &mut Vec::new());
    settings.allows += allows.len() as u32;
    *settings = elsewhere(*settings);
}
