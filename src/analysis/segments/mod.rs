//! A text as parts, each up to the brace that closes a puzzle, kept up to date edit by edit: what is typed
//! in a puzzle costs that puzzle, however long the text.
//!
//! What is said of a part is relative to where it begins, so nothing is done when it moves. Parts stand in
//! chunks that copies share: a copy costs a pointer a chunk, and two copies are compared where they differ.

mod reparse;
mod report;

use std::sync::Arc;

use crate::analysis::binding::Allow;
use crate::analysis::{Defaults, PuzzleIdentity, PuzzleReport};
use crate::diagnostic::{Code, Finding, Span};
use crate::syntax::{Tree, parse};
use reparse::elsewhere;

/// The most parts of a chunk.
const CHUNK: usize = 256;
/// How many defaults are kept whether they are in force or not.
const MOST_DEFAULTS: usize = 256;
/// How much text is parsed at a time, in bytes.
const SLICE: u32 = 1 << 20;

/// A text that parts are read from. Its length in bytes is below 4 GiB.
pub trait Source: Sync {
    /// Its length.
    fn len(&self) -> u32;

    /// Whether there is nothing.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As much of a range as ends between two characters.
    fn read(&self, range: Span) -> String;
}

impl Source for str {
    fn len(&self) -> u32 {
        str::len(self) as u32
    }

    fn read(&self, range: Span) -> String {
        let mut end = range.end as usize;
        while !self.is_char_boundary(end) {
            end -= 1;
        }
        self[range.start as usize..end].to_string()
    }
}

/// A text's parts.
#[derive(Clone, Default)]
pub struct SegmentedText {
    chunks: Vec<Arc<Chunk>>,
    /// The defaults that are in force somewhere; parts have indices.
    defaults: Arc<Vec<Defaults>>,
}

#[derive(Clone, Default)]
struct Chunk {
    parts: Vec<Segment>,
    bytes: u32,
    /// How many of them are to be read, and how many to be analysed.
    unread: u32,
    stale: u32,
    /// How many of them have something to be told.
    told: u32,
    /// How often each code was found, and whether something is allowed.
    codes: Vec<(Code, u32)>,
    allows: bool,
}

/// What is known of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Its text was edited: it may be many parts, or belong to the next one.
    Unread,
    /// It is to be analysed.
    Stale,
    Known,
}

#[derive(Clone)]
struct Segment {
    len: u32,
    /// The defaults above it.
    defaults: u32,
    state: State,
    /// Whether it has defaults for what follows.
    sets: bool,
    /// The puzzle of a part without a unit; it has one, or has none and no head.
    plain: CleanPuzzle,
    /// What there is to tell of it, or several puzzles.
    unit: Option<Arc<SegmentReport>>,
}

/// A puzzle with nothing to tell of it.
#[derive(Clone, Copy, Default, PartialEq)]
struct CleanPuzzle {
    head: Span,
    /// Where its name begins, which ends its head.
    name: u32,
    /// A hash of it; 0 where it has none.
    name_hash: u64,
    canonical_hash: u128,
    exact_hash: u64,
}

/// A part with something to tell.
struct SegmentReport {
    puzzles: Vec<PuzzleReport>,
    names: Vec<u64>,
    top: Vec<Finding>,
    /// What the file allows from here on.
    allows: Vec<Allow>,
    /// The puzzles whose searches want more.
    pending: Vec<Pending>,
}

/// A puzzle whose searches want more than they were allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// What it is known by.
    pub key: u128,
    /// An offset in it.
    pub offset: u32,
}

/// A puzzle of some parts.
#[derive(Clone, Copy)]
pub struct PuzzleRef {
    /// The number of its part, and its own in it.
    pub at: (u32, u32),
    /// Its game and name.
    pub head: Span,
    /// Where its name stands, if it has one.
    pub name: Option<Span>,
    /// Alike for equal names.
    pub name_hash: u64,
    /// What makes it the same as others.
    pub(crate) key: Option<PuzzleIdentity>,
}

/// A puzzle that is looked at.
pub(crate) struct PuzzleEntry<'a> {
    part: &'a Segment,
    number: u32,
    index: u32,
    start: u32,
    /// Alike for puzzles that are the same.
    pub canonical_hash: Option<u128>,
    /// Alike for equal names; 0 where it has none.
    pub name_hash: u64,
}

impl PuzzleEntry<'_> {
    /// The number of its part, and its own in it.
    pub fn at(&self) -> (u32, u32) {
        (self.number, self.index)
    }

    pub fn seat(&self) -> PuzzleRef {
        self.part.seat(self.number, self.index, self.start)
    }
}

/// A part of a text, to be looked into.
pub struct Window {
    /// Where it begins.
    pub start: u32,
    /// The tree of it alone.
    pub tree: Tree,
    /// What is in force above it.
    pub defaults: Defaults,
}

impl SegmentedText {
    /// The parts of a text, none of them read yet; `defaults` are those above it.
    pub fn of(source: &(impl Source + ?Sized), defaults: Defaults) -> SegmentedText {
        let mut parts = SegmentedText { chunks: Vec::new(), defaults: Arc::new(vec![elsewhere(defaults)]) };
        if !source.is_empty() {
            parts.chunks = chunks(vec![Segment::unread(source.len(), 0)]);
        }
        parts
    }

    /// The same for a text of which nothing is to be said.
    pub fn unknown(source: &(impl Source + ?Sized), defaults: Defaults) -> SegmentedText {
        let mut parts = SegmentedText::of(source, defaults);
        for chunk in &mut parts.chunks {
            let chunk = Arc::make_mut(chunk);
            chunk.parts.iter_mut().for_each(|p| p.state = State::Known);
            chunk.count();
        }
        parts
    }

    /// The length of the text in bytes.
    pub fn bytes(&self) -> u32 {
        self.chunks.iter().map(|c| c.bytes).sum()
    }

    /// The number of parts.
    pub fn count(&self) -> usize {
        self.chunks.iter().map(|c| c.parts.len()).sum()
    }

    /// Whether all of it was read.
    pub fn is_read(&self) -> bool {
        self.chunks.iter().all(|c| c.unread == 0)
    }

    /// How many parts are to be analysed.
    pub fn stale(&self) -> usize {
        self.chunks.iter().map(|c| c.stale as usize).sum()
    }

    /// How many parts have something to be told.
    pub fn told(&self) -> usize {
        self.chunks.iter().map(|c| c.told as usize).sum()
    }

    /// A range of the text gives way to so many bytes of another one.
    pub fn edit(&mut self, at: Span, bytes: u32) {
        let total = self.bytes();
        let at = Span::new(at.start.min(total), at.end.min(total));
        if total == 0 {
            self.chunks = if bytes == 0 { Vec::new() } else { chunks(vec![Segment::unread(bytes, 0)]) };
            return;
        }
        let (first, start) = self.locate(at.start);
        let (last, last_start) = if at.is_empty() { (first, start) } else { self.locate(at.end - 1) };
        let end = last_start + self.part(last).len;
        let len = end - start - (at.end - at.start) + bytes;
        let defaults = self.part(first).defaults;
        if len > 0 {
            self.splice(first, last, vec![Segment::unread(len, defaults)]);
            return;
        }
        let next = self.splice(first, last, Vec::new());
        if let Some(chunk) = self.chunks.get_mut(next.0) {
            // What was set in what is gone is no longer in force.
            let chunk = Arc::make_mut(chunk);
            chunk.parts[next.1] = Segment::unread(chunk.parts[next.1].len, defaults);
            chunk.count();
        }
    }

    /// The parts that a range touches, and the one before them, in one tree; of many parts `most` bytes.
    pub fn window(&self, source: &(impl Source + ?Sized), range: Span, most: u32) -> Window {
        if self.chunks.is_empty() {
            let defaults = self.defaults.first().copied().unwrap_or_default();
            return Window { start: 0, tree: parse(""), defaults };
        }
        let total = self.bytes();
        let (mut at, mut start) = self.locate(range.start.min(total));
        let mut end = start + self.part(at).len;
        let first = self.previous(at).unwrap_or(at);
        if first != at {
            start -= self.part(first).len;
        }
        let defaults = self.defaults[self.part(first).defaults as usize];
        // What touches the end of the range is part of it: an edit there may belong to either.
        while end <= range.end && end - start < most {
            let Some(next) = self.next(at) else { break };
            at = next;
            end += self.part(at).len;
        }
        Window { start, tree: parse(source.read(Span::new(start, end))), defaults }
    }

    /// The parts from a place on where one begins, in one tree: as many as `most` bytes hold, but one at
    /// least. Nothing at the end of the text.
    pub fn stretch(&self, source: &(impl Source + ?Sized), start: u32, most: u32) -> Option<Window> {
        if start >= self.bytes() {
            return None;
        }
        let (mut at, start) = self.locate(start);
        let defaults = self.defaults[self.part(at).defaults as usize];
        let mut end = start + self.part(at).len;
        while let Some(next) = self.next(at).filter(|&next| end - start + self.part(next).len <= most) {
            at = next;
            end += self.part(at).len;
        }
        Some(Window { start, tree: parse(source.read(Span::new(start, end))), defaults })
    }

    // ---- places

    fn part(&self, (c, p): (usize, usize)) -> &Segment {
        &self.chunks[c].parts[p]
    }

    fn next(&self, (c, p): (usize, usize)) -> Option<(usize, usize)> {
        if p + 1 < self.chunks[c].parts.len() {
            return Some((c, p + 1));
        }
        (c + 1 < self.chunks.len()).then_some((c + 1, 0))
    }

    fn previous(&self, (c, p): (usize, usize)) -> Option<(usize, usize)> {
        match (c.checked_sub(1), p.checked_sub(1)) {
            (_, Some(p)) => Some((c, p)),
            (Some(c), None) => Some((c, self.chunks[c].parts.len() - 1)),
            (None, None) => None,
        }
    }

    fn start_of(&self, (c, p): (usize, usize)) -> u32 {
        let ahead: u32 = self.chunks[..c].iter().map(|c| c.bytes).sum();
        ahead + self.chunks[c].parts[..p].iter().map(|p| p.len).sum::<u32>()
    }

    /// The part that holds a byte, or the last one, and where it begins. There is one at least.
    fn locate(&self, offset: u32) -> ((usize, usize), u32) {
        let (mut c, mut start) = (0, 0);
        while c + 1 < self.chunks.len() && start + self.chunks[c].bytes <= offset {
            start += self.chunks[c].bytes;
            c += 1;
        }
        let parts = &self.chunks[c].parts;
        let mut p = 0;
        while p + 1 < parts.len() && start + parts[p].len <= offset {
            start += parts[p].len;
            p += 1;
        }
        ((c, p), start)
    }

    /// Puts parts in the place of others, and returns the place of the one behind them.
    fn splice(&mut self, first: (usize, usize), last: (usize, usize), new: Vec<Segment>) -> (usize, usize) {
        let ((c, p), (d, q)) = (first, last);
        if c == d && self.chunks[c].parts.len() + new.len() <= 2 * CHUNK {
            let chunk = Arc::make_mut(&mut self.chunks[c]);
            let behind = p + new.len();
            chunk.parts.splice(p..=q, new);
            chunk.count();
            if !chunk.parts.is_empty() {
                return if behind < chunk.parts.len() { (c, behind) } else { (c + 1, 0) };
            }
            self.chunks.remove(c);
            return (c, 0);
        }
        let mut all: Vec<Segment> = self.chunks[c].parts[..p].to_vec();
        let kept = all.len() + new.len();
        all.extend(new);
        all.extend_from_slice(&self.chunks[d].parts[q + 1..]);
        let made = chunks(all);
        let mut behind = (c, kept);
        for chunk in &made {
            if behind.1 < chunk.parts.len() {
                break;
            }
            behind = (behind.0 + 1, behind.1 - chunk.parts.len());
        }
        self.chunks.splice(c..=d, made);
        behind
    }
}

/// Parts in chunks.
fn chunks(parts: Vec<Segment>) -> Vec<Arc<Chunk>> {
    let mut parts = parts.into_iter().peekable();
    let mut chunks = Vec::new();
    while parts.peek().is_some() {
        let mut chunk = Chunk { parts: parts.by_ref().take(CHUNK).collect(), ..Chunk::default() };
        chunk.count();
        chunks.push(Arc::new(chunk));
    }
    chunks
}

impl Chunk {
    fn count(&mut self) {
        let of = |state: State| self.parts.iter().filter(|p| p.state == state).count() as u32;
        (self.unread, self.stale) = (of(State::Unread), of(State::Stale));
        self.told = self.parts.iter().filter(|p| p.unit.is_some()).count() as u32;
        self.bytes = self.parts.iter().map(|p| p.len).sum();
        (self.codes, self.allows) = (Vec::new(), false);
        for unit in self.parts.iter().filter_map(|p| p.unit.as_ref()) {
            self.allows |= !unit.allows.is_empty() || unit.puzzles.iter().any(|p| !p.allows.is_empty());
            for finding in unit.findings() {
                match self.codes.iter_mut().find(|(code, _)| *code == finding.code) {
                    Some((_, count)) => *count += 1,
                    None => self.codes.push((finding.code, 1)),
                }
            }
        }
    }
}

impl Segment {
    fn unread(len: u32, defaults: u32) -> Segment {
        Segment {
            len,
            defaults,
            state: State::Unread,
            sets: false,
            plain: CleanPuzzle::default(),
            unit: None,
        }
    }

    /// Whether another has the same puzzles, wherever it stands.
    fn is(&self, other: &Segment) -> bool {
        self.plain == other.plain
            && match (&self.unit, &other.unit) {
                (None, None) => true,
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                _ => false,
            }
    }

    /// One of its puzzles.
    fn seat(&self, number: u32, index: u32, start: u32) -> PuzzleRef {
        let moved = |s: Span| Span::new(s.start + start, s.end + start);
        let at = (number, index);
        match &self.unit {
            Some(unit) => {
                let puzzle = &unit.puzzles[index as usize];
                let name_hash = unit.names[index as usize];
                let name = puzzle.name.map(moved);
                PuzzleRef { at, head: moved(puzzle.head), name, name_hash, key: puzzle.key }
            }
            None => {
                let CleanPuzzle { head, name, name_hash, .. } = self.plain;
                let name = (name_hash != 0).then(|| moved(Span::new(name, head.end)));
                PuzzleRef { at, head: moved(head), name, name_hash, key: self.plain.key() }
            }
        }
    }

    /// Its puzzles, where it is the part of this number and begins there.
    fn marks(&self, number: u32, start: u32) -> impl Iterator<Item = PuzzleEntry<'_>> {
        let mark = move |index, canonical_hash, name_hash| PuzzleEntry {
            part: self,
            number,
            index,
            start,
            canonical_hash,
            name_hash,
        };
        let CleanPuzzle { head, name_hash, .. } = self.plain;
        let plain = self.unit.is_none() && !head.is_empty();
        let one = plain.then(|| mark(0, self.plain.key().map(|k| k.canonical_hash), name_hash));
        let all = self.unit.iter().flat_map(|u| u.puzzles.iter().zip(&u.names)).enumerate();
        let several =
            all.map(move |(i, (puzzle, &name))| mark(i as u32, puzzle.key.map(|k| k.canonical_hash), name));
        one.into_iter().chain(several)
    }
}

impl CleanPuzzle {
    fn key(&self) -> Option<PuzzleIdentity> {
        (self.canonical_hash != 0)
            .then_some(PuzzleIdentity { canonical_hash: self.canonical_hash, exact_hash: self.exact_hash })
    }

    /// As much of its report as findings of others need.
    fn report(&self, start: u32, allows: u32) -> PuzzleReport {
        let mut report = PuzzleReport::bare(self.head, self.head);
        report.name = (self.name_hash != 0).then_some(Span::new(self.name, self.head.end));
        report.key = self.key();
        report.file_allows = allows;
        report.shift(start.into());
        report
    }
}
