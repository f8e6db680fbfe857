//! What is known of the parts: found out, put together, and compared.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use rayon::prelude::*;

use crate::analysis::cache::{Begun, Cache};
use crate::analysis::segments::{
    Chunk, CleanPuzzle, Pending, PuzzleEntry, Segment, SegmentReport, SegmentedText, Source, State,
};
use crate::analysis::{Defaults, FileReport, Options, PuzzleIdentity, PuzzleReport, Severities, read_file};
use crate::diagnostic::{Code, Finding, Severity, Span};
use crate::syntax::{Puzzle, parse};

impl SegmentedText {
    /// Has the parts analysed anew that have a puzzle whose searches wanted more.
    pub fn forget_pending(&mut self, key: u128) {
        for chunk in self.chunks.iter_mut().filter(|c| c.told > 0) {
            let waits = |p: &Segment| p.unit.as_ref().is_some_and(|u| u.pending.iter().any(|w| w.key == key));
            if chunk.parts.iter().any(waits) {
                let chunk = Arc::make_mut(chunk);
                let known = |p: &&mut Segment| p.state == State::Known && waits(p);
                chunk.parts.iter_mut().filter(known).for_each(|p| p.state = State::Stale);
                chunk.count();
            }
        }
    }

    /// Analyses parts that were edited since, so many at most: those from an offset on, then from the top.
    pub fn analyse(
        &mut self,
        source: &(impl Source + ?Sized),
        cache: &Cache,
        options: &Options,
        quick: u64,
        (first, most): (u32, usize),
    ) {
        let mut wanted = Vec::new();
        let mut add = |range: Span| {
            let mut start = 0;
            for (c, chunk) in self.chunks.iter().enumerate() {
                if wanted.len() >= most {
                    break;
                }
                let touches = start < range.end && start + chunk.bytes > range.start;
                if chunk.stale > 0 && touches {
                    let mut start = start;
                    for (p, part) in chunk.parts.iter().enumerate() {
                        let end = start + part.len;
                        if part.state == State::Stale && range.start < end && end <= range.end {
                            let defaults = self.defaults[part.defaults as usize];
                            wanted.push((c, p, Span::new(start, end), defaults));
                        }
                        start = end;
                    }
                }
                start += chunk.bytes;
            }
        };
        // A part belongs to where it ends, so each to one of these.
        add(Span::new(first, u32::MAX));
        add(Span::new(0, first));
        wanted.truncate(most);
        wanted.sort_unstable_by_key(|w| (w.0, w.1));
        let slow = AtomicU32::new(0);
        let one = |&(_, _, span, defaults): &(usize, usize, Span, Defaults)| {
            let begin = |puzzle: Puzzle<'_>, settings: Defaults| {
                cache.begin_among(puzzle, settings, options, quick, &slow)
            };
            analyse(source.read(span), defaults, begin)
        };
        let found: Vec<(CleanPuzzle, Option<Arc<SegmentReport>>)> = match wanted.len() {
            0..16 => wanted.iter().map(one).collect(),
            _ => wanted.par_iter().map(one).collect(),
        };
        for (&(c, p, ..), (plain, unit)) in wanted.iter().zip(found) {
            let part = &mut Arc::make_mut(&mut self.chunks[c]).parts[p];
            (part.plain, part.unit, part.state) = (plain, unit, State::Known);
        }
        for of_chunk in wanted.chunk_by(|a, b| a.0 == b.0) {
            Arc::make_mut(&mut self.chunks[of_chunk[0].0]).count();
        }
    }

    /// Its puzzles, in order.
    pub(in crate::analysis) fn marks(&self) -> impl Iterator<Item = PuzzleEntry<'_>> {
        let mut start = 0;
        let parts = self.chunks.iter().flat_map(|c| &c.parts).enumerate();
        parts.flat_map(move |(number, part)| {
            let marks = part.marks(number as u32, start);
            start += part.len;
            marks
        })
    }

    /// Where two copies differ: the puzzles that are gone, and those that came. Where they stand is not told.
    pub(in crate::analysis) fn changes<'a>(
        before: &'a SegmentedText,
        now: &'a SegmentedText,
    ) -> (impl Iterator<Item = PuzzleEntry<'a>>, impl Iterator<Item = PuzzleEntry<'a>>) {
        let (a, b) = (&before.chunks, &now.chunks);
        let same = |(a, b): &(&Arc<Chunk>, &Arc<Chunk>)| Arc::ptr_eq(a, b);
        let ahead = a.iter().zip(b).take_while(same).count();
        let left = a.len().min(b.len()) - ahead;
        let behind = a.iter().rev().zip(b.iter().rev()).take(left).take_while(same).count();
        let parts = |all: &'a [Arc<Chunk>]| -> Vec<&'a Segment> {
            all[ahead..all.len() - behind].iter().flat_map(|c| &c.parts).collect()
        };
        let (a, b) = (parts(a), parts(b));
        let same = |(a, b): &(&&Segment, &&Segment)| a.is(b);
        let ahead = a.iter().zip(&b).take_while(same).count();
        let left = a.len().min(b.len()) - ahead;
        let behind = a.iter().rev().zip(b.iter().rev()).take(left).take_while(same).count();
        let marks = |mut all: Vec<&'a Segment>| {
            all.truncate(all.len() - behind);
            all.into_iter().skip(ahead).flat_map(|part| part.marks(0, 0))
        };
        (marks(a), marks(b))
    }

    /// What is known of the puzzles of which there is something to tell, and of the text around them;
    /// `more` is said of puzzles by their places among the parts, in order.
    pub fn report(&self, severities: &Severities, more: &[((u32, u32), Finding)]) -> FileReport {
        let mut report = FileReport::of(Vec::new());
        report.severities = *severities;
        let (mut number, mut start) = (0u32, 0u32);
        let mut more = more.iter().peekable();
        for chunk in &self.chunks {
            let behind = number + chunk.parts.len() as u32;
            if chunk.told == 0 && more.peek().is_none_or(|m| m.0.0 >= behind) {
                (number, start) = (behind, start + chunk.bytes);
                continue;
            }
            for part in &chunk.parts {
                let first = report.puzzles.len();
                if let Some(unit) = &part.unit {
                    let by = i64::from(start);
                    let mut top = unit.top.clone();
                    top.iter_mut().for_each(|f| f.shift(by));
                    report.top.extend(top);
                    let above = self.defaults[part.defaults as usize].allows;
                    report.allows.extend(unit.allows.iter().map(|a| a.shifted(by)));
                    report.puzzles.extend(unit.puzzles.iter().map(|p| {
                        let mut puzzle = p.clone();
                        puzzle.shift(by);
                        // Those of this part are counted already.
                        puzzle.file_allows += above;
                        puzzle
                    }));
                }
                while let Some(((_, index), finding)) = more.next_if(|m| m.0.0 == number) {
                    if part.unit.is_none() && report.puzzles.len() == first {
                        let above = self.defaults[part.defaults as usize].allows;
                        report.puzzles.push(part.plain.report(start, above));
                    }
                    if let Some(puzzle) = report.puzzles.get_mut(first + *index as usize) {
                        puzzle.findings.push(finding.clone());
                    }
                }
                (number, start) = (number + 1, start + part.len);
            }
        }
        report
    }

    /// Whether something is allowed anywhere.
    pub fn allows_something(&self) -> bool {
        self.chunks.iter().any(|c| c.allows)
    }

    /// The worst findings, so many and some, and how many more there are; nothing where something is allowed,
    /// which only the whole tells. Costs what is found, not what is there.
    pub fn worst(&self, severities: &Severities, most: usize) -> Option<(Vec<Finding>, usize)> {
        if self.allows_something() {
            return None;
        }
        let shown = |code: Code| severities.of(code).is_some();
        let codes = || self.chunks.iter().flat_map(|c| &c.codes).filter(|c| shown(c.0));
        let total: usize = codes().map(|c| c.1 as usize).sum();
        let mut found = Vec::new();
        for wanted in [Severity::Error, Severity::Warning, Severity::Hint] {
            let is_wanted = |code: Code| shown(code) && severities.shown(code) == wanted;
            let mut start = 0;
            for chunk in &self.chunks {
                if found.len() >= most {
                    break;
                }
                if chunk.codes.iter().any(|c| is_wanted(c.0)) {
                    let mut start = start;
                    for part in &chunk.parts {
                        let here = part.unit.iter().flat_map(|u| u.findings());
                        found.extend(here.filter(|f| is_wanted(f.code)).map(|f| {
                            let mut finding = f.clone();
                            finding.shift(start.into());
                            finding
                        }));
                        start += part.len;
                    }
                }
                start += chunk.bytes;
            }
        }
        let more = total - found.len();
        Some((found, more))
    }

    /// The puzzles whose searches want more.
    pub fn pending(&self) -> Vec<Pending> {
        let mut found = Vec::new();
        let mut start = 0;
        for chunk in &self.chunks {
            if chunk.told > 0 {
                let mut start = start;
                for part in &chunk.parts {
                    let here = part.unit.iter().flat_map(|u| &u.pending);
                    found.extend(here.map(|p| Pending { key: p.key, offset: start + p.offset }));
                    start += part.len;
                }
            }
            start += chunk.bytes;
        }
        found
    }
}

impl SegmentReport {
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.puzzles.iter().flat_map(|p| &p.findings).chain(&self.top)
    }
}

/// What is found in the text of one part.
fn analyse(
    text: String,
    defaults: Defaults,
    begin: impl Fn(Puzzle<'_>, Defaults) -> Begun,
) -> (CleanPuzzle, Option<Arc<SegmentReport>>) {
    let tree = parse(text);
    let waiting = RefCell::new(Vec::new());
    let (mut puzzles, top, allows) = read_file(&tree, Defaults { allows: 0, ..defaults }, |puzzles| {
        let one = |&(puzzle, settings): &(Puzzle<'_>, Defaults)| {
            let begun = begin(puzzle, settings);
            if !begun.whole {
                let pending = Pending { key: begun.key, offset: puzzle.span().start };
                waiting.borrow_mut().push(pending);
            }
            begun.report
        };
        puzzles.iter().map(one).collect()
    });
    let pending = waiting.into_inner();
    let hash = |p: &PuzzleReport| match p.name_in(tree.text()).filter(|n| !n.is_empty()) {
        Some(name) => {
            let mut h = DefaultHasher::new();
            name.hash(&mut h);
            h.finish().max(1)
        }
        None => 0,
    };
    let names: Vec<u64> = puzzles.iter().map(hash).collect();
    if puzzles.is_empty() && top.is_empty() && allows.is_empty() {
        return (CleanPuzzle::default(), None);
    }
    if let ([puzzle], [name_hash]) = (&puzzles[..], &names[..])
        && top.is_empty()
        && allows.is_empty()
        && pending.is_empty()
        && puzzle.is_plain()
    {
        let PuzzleIdentity { canonical_hash, exact_hash } =
            puzzle.key.unwrap_or(PuzzleIdentity { canonical_hash: 0, exact_hash: 0 });
        let name = puzzle.name.map_or(puzzle.head.end, |n| n.start);
        return (
            CleanPuzzle { head: puzzle.head, name, name_hash: *name_hash, canonical_hash, exact_hash },
            None,
        );
    }
    puzzles.iter_mut().for_each(PuzzleReport::forget_answers);
    let unit = SegmentReport { puzzles, names, top, allows, pending };
    (CleanPuzzle::default(), Some(Arc::new(unit)))
}
