//! A text as parts, each up to the brace that closes a puzzle, kept up to date edit by edit: what is typed
//! in a puzzle costs that puzzle, however long the text.
//!
//! What is said of a part is relative to where it begins, so nothing is done when it moves. Parts stand in
//! chunks that copies share: a copy costs a pointer a chunk, and two copies are compared where they differ.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;

use super::bind::{self, Allow};
use super::cache::{Begun, Cache};
use super::{FileReport, Key, Options, PuzzleReport, Settings, Severities, read_file};
use crate::syntax::{Code, Finding, PropertyNode, Puzzle, Severity, Span, Tree, parse, parse_closed};

/// The most parts of a chunk.
const CHUNK: usize = 256;
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
pub struct Parts {
    chunks: Vec<Arc<Chunk>>,
    /// The defaults that are in force somewhere; parts have indices.
    defaults: Arc<Vec<Settings>>,
}

#[derive(Clone, Default)]
struct Chunk {
    parts: Vec<Part>,
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
struct Part {
    len: u32,
    /// The defaults above it.
    defaults: u32,
    state: State,
    /// Whether it has defaults for what follows.
    sets: bool,
    /// The puzzle of a part without a unit; it has one, or has none and no head.
    plain: Plain,
    /// What there is to tell of it, or several puzzles.
    unit: Option<Arc<Unit>>,
}

/// A puzzle with nothing to tell of it.
#[derive(Clone, Copy, Default, PartialEq)]
struct Plain {
    head: Span,
    /// Where its name begins, which ends its head.
    name: u32,
    /// A hash of it; 0 where it has none.
    name_hash: u64,
    shape: u128,
    exact: u64,
}

/// A part with something to tell.
struct Unit {
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
pub struct Seat {
    /// The number of its part, and its own in it.
    pub at: (u32, u32),
    /// Its game and name.
    pub head: Span,
    /// Where its name stands, if it has one.
    pub name: Option<Span>,
    /// Alike for equal names.
    pub name_hash: u64,
    /// What makes it the same as others.
    pub(super) key: Option<Key>,
}

/// A puzzle that is looked at.
pub(super) struct Mark<'a> {
    part: &'a Part,
    number: u32,
    index: u32,
    start: u32,
    /// Alike for puzzles that are the same.
    pub shape: Option<u128>,
    /// Alike for equal names; 0 where it has none.
    pub name_hash: u64,
}

impl Mark<'_> {
    /// The number of its part, and its own in it.
    pub fn at(&self) -> (u32, u32) {
        (self.number, self.index)
    }

    pub fn seat(&self) -> Seat {
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
    pub defaults: Settings,
}

impl Parts {
    /// The parts of a text, none of them read yet; `defaults` are those above it.
    pub fn of(source: &(impl Source + ?Sized), defaults: Settings) -> Parts {
        let mut parts = Parts { chunks: Vec::new(), defaults: Arc::new(vec![elsewhere(defaults)]) };
        if !source.is_empty() {
            parts.chunks = chunks(vec![Part::unread(source.len(), 0)]);
        }
        parts
    }

    /// The same for a text of which nothing is to be said.
    pub fn unknown(source: &(impl Source + ?Sized), defaults: Settings) -> Parts {
        let mut parts = Parts::of(source, defaults);
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
            self.chunks = if bytes == 0 { Vec::new() } else { chunks(vec![Part::unread(bytes, 0)]) };
            return;
        }
        let (first, start) = self.locate(at.start);
        let (last, last_start) = if at.is_empty() { (first, start) } else { self.locate(at.end - 1) };
        let end = last_start + self.part(last).len;
        let len = end - start - (at.end - at.start) + bytes;
        let defaults = self.part(first).defaults;
        if len > 0 {
            self.splice(first, last, vec![Part::unread(len, defaults)]);
            return;
        }
        let next = self.splice(first, last, Vec::new());
        if let Some(chunk) = self.chunks.get_mut(next.0) {
            // What was set in what is gone is no longer in force.
            let chunk = Arc::make_mut(chunk);
            chunk.parts[next.1] = Part::unread(chunk.parts[next.1].len, defaults);
            chunk.count();
        }
    }

    /// Other defaults above the whole text; `true` if that makes a difference.
    pub fn set_defaults(&mut self, source: &(impl Source + ?Sized), defaults: Settings) -> bool {
        let Some(first) = self.chunks.first().and_then(|c| c.parts.first()) else {
            self.defaults = Arc::new(vec![elsewhere(defaults)]);
            return false;
        };
        let changes = self.defaults[first.defaults as usize] != elsewhere(defaults);
        self.pass_on(source, (0, 0), 0, defaults);
        changes
    }

    /// Has all parts analysed anew.
    pub fn forget(&mut self) {
        for chunk in &mut self.chunks {
            let chunk = Arc::make_mut(chunk);
            chunk.parts.iter_mut().filter(|p| p.state == State::Known).for_each(|p| p.state = State::Stale);
            chunk.count();
        }
    }

    /// Has the parts analysed anew that have a puzzle whose searches wanted more.
    pub fn forget_pending(&mut self, key: u128) {
        for chunk in self.chunks.iter_mut().filter(|c| c.told > 0) {
            let waits = |p: &Part| p.unit.as_ref().is_some_and(|u| u.pending.iter().any(|w| w.key == key));
            if chunk.parts.iter().any(waits) {
                let chunk = Arc::make_mut(chunk);
                let known = |p: &&mut Part| p.state == State::Known && waits(p);
                chunk.parts.iter_mut().filter(known).for_each(|p| p.state = State::Stale);
                chunk.count();
            }
        }
    }

    // ---- reading

    /// Finds the parts of what was edited. `source` is the text as it is now.
    pub fn read(&mut self, source: &(impl Source + ?Sized)) {
        while let Some(chunk) = self.chunks.iter().position(|c| c.unread > 0) {
            let part = self.chunks[chunk].parts.iter().position(|p| p.state == State::Unread);
            let Some(part) = part else { break };
            self.read_part(source, (chunk, part));
        }
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
                let mut part = Part::unread(to - begins, self.intern(settings));
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
        let count = new.len();
        let next = self.splice(first, last, new);
        // Behind the new ones others may be in force now.
        debug_assert!(count > 0 || start == end);
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
        settings: Settings,
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

    fn intern(&mut self, settings: Settings) -> u32 {
        let settings = elsewhere(settings);
        // What was in force a moment ago mostly still is.
        if let Some(index) = self.defaults.iter().rev().take(64).position(|&d| d == settings) {
            return (self.defaults.len() - 1 - index) as u32;
        }
        Arc::make_mut(&mut self.defaults).push(settings);
        (self.defaults.len() - 1) as u32
    }

    // ---- analysing

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
        let slow = std::sync::atomic::AtomicU32::new(0);
        let one = |&(_, _, span, defaults): &(usize, usize, Span, Settings)| {
            let begin = |puzzle: Puzzle<'_>, settings: Settings| {
                cache.begin_among(puzzle, settings, options, quick, &slow)
            };
            analyse(source.read(span), defaults, begin)
        };
        let found: Vec<(Plain, Option<Arc<Unit>>)> = match wanted.len() {
            0..16 => wanted.iter().map(one).collect(),
            _ => wanted.par_iter().map(one).collect(),
        };
        for (&(c, p, ..), (plain, unit)) in wanted.iter().zip(found) {
            let part = &mut Arc::make_mut(&mut self.chunks[c]).parts[p];
            (part.plain, part.unit, part.state) = (plain, unit, State::Known);
        }
        let mut last = usize::MAX;
        for &(c, ..) in &wanted {
            if c != last {
                Arc::make_mut(&mut self.chunks[c]).count();
            }
            last = c;
        }
    }

    // ---- looking

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

    /// All puzzles, in order.
    pub fn puzzles(&self) -> impl Iterator<Item = Seat> + '_ {
        let mut start = 0;
        self.chunks.iter().flat_map(|c| &c.parts).enumerate().flat_map(move |(number, part)| {
            let seats = part.seats(number as u32, start);
            start += part.len;
            seats
        })
    }

    /// Looks at the puzzles in order, as long as the answer is yes.
    pub(super) fn visit(&self, mut look: impl FnMut(Mark<'_>) -> bool) {
        let (mut number, mut start) = (0u32, 0u32);
        for part in self.chunks.iter().flat_map(|c| &c.parts) {
            let mark = |index, shape, name_hash| Mark { part, number, index, start, shape, name_hash };
            let plain = &part.plain;
            let goes_on = match &part.unit {
                None if plain.head.is_empty() => true,
                None => look(mark(0, plain.key().map(|k| k.shape), plain.name_hash)),
                Some(unit) => unit
                    .puzzles
                    .iter()
                    .zip(&unit.names)
                    .enumerate()
                    .all(|(i, (puzzle, &name))| look(mark(i as u32, puzzle.key.map(|k| k.shape), name))),
            };
            if !goes_on {
                return;
            }
            (number, start) = (number + 1, start + part.len);
        }
    }

    /// Where two copies differ: the puzzles that are gone, and those that came.
    pub fn changes<'a>(
        before: &'a Parts,
        now: &'a Parts,
    ) -> (impl Iterator<Item = (u64, Option<u128>)> + 'a, impl Iterator<Item = (u64, Option<u128>)> + 'a)
    {
        let (a, b) = (&before.chunks, &now.chunks);
        let same = |(a, b): &(&Arc<Chunk>, &Arc<Chunk>)| Arc::ptr_eq(a, b);
        let ahead = a.iter().zip(b).take_while(same).count();
        let left = a.len().min(b.len()) - ahead;
        let behind = a.iter().rev().zip(b.iter().rev()).take(left).take_while(same).count();
        let parts = |all: &'a [Arc<Chunk>]| -> Vec<&'a Part> {
            all[ahead..all.len() - behind].iter().flat_map(|c| &c.parts).collect()
        };
        let (a, b) = (parts(a), parts(b));
        let same = |(a, b): &(&&Part, &&Part)| a.is(b);
        let ahead = a.iter().zip(&b).take_while(same).count();
        let left = a.len().min(b.len()) - ahead;
        let behind = a.iter().rev().zip(b.iter().rev()).take(left).take_while(same).count();
        let marks = |mut all: Vec<&'a Part>| {
            all.truncate(all.len() - behind);
            all.into_iter()
                .skip(ahead)
                .flat_map(|part| part.seats(0, 0).map(|seat| (seat.name_hash, seat.key.map(|k| k.shape))))
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

    /// The worst findings, so many and some, and how many more there are; nothing where something is allowed,
    /// which only the whole tells. Costs what is found, not what is there.
    pub fn worst(&self, severities: &Severities, most: usize) -> Option<(Vec<Finding>, usize)> {
        let allowed = self.defaults.iter().any(Settings::allows_something);
        if allowed || self.chunks.iter().any(|c| c.allows) {
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

    // ---- places

    fn part(&self, (c, p): (usize, usize)) -> &Part {
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
    fn splice(&mut self, first: (usize, usize), last: (usize, usize), new: Vec<Part>) -> (usize, usize) {
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
        let mut all: Vec<Part> = self.chunks[c].parts[..p].to_vec();
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
fn chunks(parts: Vec<Part>) -> Vec<Arc<Chunk>> {
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

impl Unit {
    fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.puzzles.iter().flat_map(|p| &p.findings).chain(&self.top)
    }
}

impl Part {
    fn unread(len: u32, defaults: u32) -> Part {
        Part { len, defaults, state: State::Unread, sets: false, plain: Plain::default(), unit: None }
    }

    /// Whether another has the same puzzles, wherever it stands.
    fn is(&self, other: &Part) -> bool {
        self.plain == other.plain
            && match (&self.unit, &other.unit) {
                (None, None) => true,
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                _ => false,
            }
    }

    /// One of its puzzles.
    fn seat(&self, number: u32, index: u32, start: u32) -> Seat {
        let moved = |s: Span| Span::new(s.start + start, s.end + start);
        let at = (number, index);
        match &self.unit {
            Some(unit) => {
                let puzzle = &unit.puzzles[index as usize];
                let name_hash = unit.names[index as usize];
                let name = puzzle.name.map(moved);
                Seat { at, head: moved(puzzle.head), name, name_hash, key: puzzle.key }
            }
            None => {
                let Plain { head, name, name_hash, .. } = self.plain;
                let name = (name_hash != 0).then(|| moved(Span::new(name, head.end)));
                Seat { at, head: moved(head), name, name_hash, key: self.plain.key() }
            }
        }
    }

    fn seats(&self, number: u32, start: u32) -> impl Iterator<Item = Seat> + '_ {
        let count = match &self.unit {
            Some(unit) => unit.puzzles.len(),
            None => usize::from(!self.plain.head.is_empty()),
        };
        (0..count as u32).map(move |index| self.seat(number, index, start))
    }
}

impl Plain {
    fn key(&self) -> Option<Key> {
        (self.shape != 0).then_some(Key { shape: self.shape, exact: self.exact })
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

/// What is found in the text of one part.
fn analyse(
    text: String,
    defaults: Settings,
    begin: impl Fn(Puzzle<'_>, Settings) -> Begun,
) -> (Plain, Option<Arc<Unit>>) {
    let tree = parse(text);
    let waiting = std::cell::RefCell::new(Vec::new());
    let (mut puzzles, top, allows) = read_file(&tree, Settings { allows: 0, ..defaults }, |puzzles| {
        let one = |&(puzzle, settings): &(Puzzle<'_>, Settings)| {
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
        return (Plain::default(), None);
    }
    if let ([puzzle], [name_hash]) = (&puzzles[..], &names[..])
        && top.is_empty()
        && allows.is_empty()
        && pending.is_empty()
        && puzzle.is_plain()
    {
        let Key { shape, exact } = puzzle.key.unwrap_or(Key { shape: 0, exact: 0 });
        let name = puzzle.name.map_or(puzzle.head.end, |n| n.start);
        return (Plain { head: puzzle.head, name, name_hash: *name_hash, shape, exact }, None);
    }
    puzzles.iter_mut().for_each(PuzzleReport::forget_answers);
    let unit = Unit { puzzles, names, top, allows, pending };
    (Plain::default(), Some(Arc::new(unit)))
}

/// Settings without their places, which are of no use elsewhere.
fn elsewhere(settings: Settings) -> Settings {
    let nowhere = Span::at(u32::MAX);
    Settings {
        unique: settings.unique.map(|_| nowhere),
        size: settings.size.map(|s| crate::board::SizeValue { span: nowhere, ..s }),
        ..settings
    }
}

/// Whether the same is found under both, but for what is allowed.
fn alike(a: &Settings, b: &Settings) -> bool {
    a.without_allowed() == b.without_allowed()
}

/// Takes in a default of a file.
fn set(property: PropertyNode<'_>, settings: &mut Settings) {
    let mut allows = Vec::new();
    bind::property(property, false, settings, &mut allows, &mut Vec::new());
    settings.allows += allows.len() as u32;
    *settings = elsewhere(*settings);
}
