//! Analyses the segments that changed.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use crate::analysis::cache::{Cache, QuickReport};
use crate::analysis::defaults::Defaults;
use crate::analysis::file::{FileParts, read_file};
use crate::analysis::file_report::{Options, PuzzleIdentity, PuzzleReport};
use crate::analysis::segments::{
    CleanPuzzle, Pending, Segment, SegmentIndex, SegmentReport, SegmentState, SegmentedText, Source,
};
use crate::parallel::*;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Puzzle, parse};

/// A segment to analyse.
struct StaleSegment {
    index: SegmentIndex,
    span: Span,
    defaults: Defaults,
}

impl SegmentedText {
    /// Marks segments with a pending puzzle of this key: they are analysed again.
    pub fn forget_pending(&mut self, key: u128) {
        for chunk in self.chunks.iter_mut().filter(|c| c.reported > 0) {
            let has_it =
                |s: &Segment| s.report.as_ref().is_some_and(|r| r.pending.iter().any(|p| p.key == key));
            if chunk.segments.iter().any(has_it) {
                let chunk = Arc::make_mut(chunk);
                let analysed = |s: &&mut Segment| s.state == SegmentState::Analysed && has_it(s);
                chunk.segments.iter_mut().filter(analysed).for_each(|s| s.state = SegmentState::Stale);
                chunk.update_counts();
            }
        }
    }

    /// Analyses stale segments, at most `max_segments`: those after the offset `from` first, then from the start of the
    /// text. `quick_nodes` limits each search; a puzzle that needs more is pending.
    pub fn analyse(
        &mut self,
        source: &(impl Source + ?Sized),
        cache: &Cache,
        options: &Options,
        quick_nodes: u64,
        from: u32,
        max_segments: usize,
    ) {
        let mut stale = Vec::new();
        // A segment belongs to the range that its end is in, so each is found once.
        self.find_stale(Span::new(from, u32::MAX), max_segments, &mut stale);
        self.find_stale(Span::new(0, from), max_segments, &mut stale);
        stale.truncate(max_segments);
        stale.sort_unstable_by_key(|s| s.index);
        let needing_more = AtomicU32::new(0);
        let one = |segment: &StaleSegment| {
            let report = |puzzle: Puzzle<'_>, defaults: Defaults| {
                cache.report_quick_among(puzzle, defaults, options, quick_nodes, &needing_more)
            };
            analyse(source.read(segment.span), segment.defaults, report)
        };
        let analysed: Vec<(CleanPuzzle, Option<Arc<SegmentReport>>)> = match stale.len() {
            0..16 => stale.iter().map(one).collect(),
            _ => stale.par_iter().map(one).collect(),
        };
        for (&StaleSegment { index: (c, s), .. }, (clean, report)) in stale.iter().zip(analysed) {
            let segment = &mut Arc::make_mut(&mut self.chunks[c]).segments[s];
            (segment.clean, segment.report, segment.state) = (clean, report, SegmentState::Analysed);
        }
        for of_chunk in stale.chunk_by(|a, b| a.index.0 == b.index.0) {
            Arc::make_mut(&mut self.chunks[of_chunk[0].index.0]).update_counts();
        }
    }

    /// Adds the stale segments that end in a range, until there are `max` at least.
    fn find_stale(&self, range: Span, max: usize, found: &mut Vec<StaleSegment>) {
        let mut start = 0;
        for (c, chunk) in self.chunks.iter().enumerate() {
            if found.len() >= max {
                break;
            }
            let touches = start < range.end && start + chunk.bytes > range.start;
            if chunk.stale > 0 && touches {
                let mut start = start;
                for (s, segment) in chunk.segments.iter().enumerate() {
                    let end = start + segment.len;
                    if segment.state == SegmentState::Stale && range.start < end && end <= range.end {
                        let defaults = self.defaults[segment.defaults as usize];
                        found.push(StaleSegment { index: (c, s), span: Span::new(start, end), defaults });
                    }
                    start = end;
                }
            }
            start += chunk.bytes;
        }
    }
}

/// Analyses the text of a segment. There is no report where it has one puzzle at most and nothing to report.
fn analyse(
    text: String,
    defaults: Defaults,
    report: impl Fn(Puzzle<'_>, Defaults) -> QuickReport,
) -> (CleanPuzzle, Option<Arc<SegmentReport>>) {
    let tree = parse(text);
    let pending = RefCell::new(Vec::new());
    // Positions among the `allow` words of a file count from the segment's start.
    let defaults = Defaults { allows: 0, ..defaults };
    let FileParts { mut puzzles, top, allows } = read_file(&tree, defaults, |puzzles, defaults| {
        let one = |&(puzzle, at): &(Puzzle<'_>, usize)| {
            let QuickReport { report, key, is_complete } = report(puzzle, defaults[at]);
            if !is_complete {
                pending.borrow_mut().push(Pending { key, offset: puzzle.span().start });
            }
            report
        };
        puzzles.iter().map(one).collect()
    });
    let pending = pending.into_inner();
    if puzzles.is_empty() && top.is_empty() && allows.is_empty() {
        return (CleanPuzzle::default(), None);
    }
    let name_hashes: Vec<u64> = puzzles.iter().map(|p| name_hash(p, tree.text())).collect();
    if let ([puzzle], [name_hash]) = (&puzzles[..], &name_hashes[..])
        && top.is_empty()
        && allows.is_empty()
        && pending.is_empty()
        && puzzle.is_clean()
    {
        return (CleanPuzzle::new(puzzle, *name_hash), None);
    }
    puzzles.iter_mut().for_each(|p| p.queries = Vec::new());
    let report = SegmentReport { puzzles, name_hashes, top, allows, pending };
    (CleanPuzzle::default(), Some(Arc::new(report)))
}

/// A hash of a puzzle's name; 0 where it has none.
fn name_hash(puzzle: &PuzzleReport, text: &str) -> u64 {
    match puzzle.name_in(text).filter(|n| !n.is_empty()) {
        Some(name) => {
            let mut h = DefaultHasher::new();
            name.hash(&mut h);
            h.finish().max(1)
        }
        None => 0,
    }
}

impl CleanPuzzle {
    fn new(puzzle: &PuzzleReport, name_hash: u64) -> CleanPuzzle {
        let none = PuzzleIdentity { canonical_hash: 0, exact_hash: 0 };
        let PuzzleIdentity { canonical_hash, exact_hash } = puzzle.identity.unwrap_or(none);
        let name = puzzle.name.map_or(puzzle.head.end, |n| n.start);
        let (id, id_hash) = (puzzle.id.unwrap_or_default(), puzzle.id_hash);
        CleanPuzzle { head: puzzle.head, name, name_hash, id, id_hash, canonical_hash, exact_hash }
    }
}
