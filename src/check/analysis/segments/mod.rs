//! A text in segments, each up to the brace that closes a puzzle, updated edit by edit: the cost of an edit is that of
//! the edited puzzles, however long the text is.
//!
//! Positions in a segment's report count from the segment's start, so a segment may move without any work. Segments are
//! stored in chunks that copies share: a copy costs a pointer for each chunk, and two copies are compared only in
//! chunks that differ.
//!
//! An edit makes segments unread (`edit`), `read` divides them again, and `analyse` reports on those that changed. The
//! other files of this folder are implementations of [`SegmentedText`] for one of these steps each.

mod analyse;
mod diff;
mod reparse;
mod segment_report;

use ropey::Rope;

use std::sync::Arc;

use crate::analysis::allow_word::Allow;
use crate::analysis::defaults::Defaults;
use crate::analysis::file_report::{PuzzleIdentity, PuzzleReport, id_key};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::{Tree, parse};

/// The number of segments of a new chunk; an edited one may have twice as many.
const CHUNK_SIZE: usize = 256;

/// A text that segments are read from, shorter than 4 GiB.
pub trait Source: Sync {
    /// Its length in bytes.
    fn len(&self) -> u32;

    /// Whether it has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a range, up to the last character boundary in it.
    fn read(&self, range: Span) -> String;
}

impl Source for Rope {
    fn len(&self) -> u32 {
        self.len_bytes() as u32
    }

    fn read(&self, range: Span) -> String {
        let end = self.char_to_byte(self.byte_to_char(range.end as usize));
        String::from(self.byte_slice(range.start as usize..end))
    }
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

/// A text in segments.
#[derive(Clone, Default)]
pub struct SegmentedText {
    chunks: Vec<Arc<Chunk>>,
    /// The defaults that are in force somewhere; segments have indices into them.
    defaults: Arc<Vec<Defaults>>,
}

#[derive(Clone, Default)]
struct Chunk {
    segments: Vec<Segment>,
    bytes: u32,
    /// The number of unread segments.
    unread: u32,
    /// The number of segments that are read and not analysed.
    stale: u32,
    /// The number of segments with a report.
    reported: u32,
    /// The number of findings of each code.
    codes: Vec<(Code, u32)>,
    /// Whether there is an `allow`.
    allows: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SegmentState {
    /// Edited: the text may be several segments, or belong to the next one.
    Unread,
    /// Read, but not analysed.
    Stale,
    Analysed,
}

#[derive(Clone)]
struct Segment {
    /// Its length in bytes.
    len: u32,
    /// The index of the defaults in force at its start.
    defaults: u32,
    state: SegmentState,
    /// Whether it has properties outside of puzzles, which are in force for the segments after it.
    has_defaults: bool,
    /// The puzzle of a segment without a report. Its head is empty where the segment has no puzzle.
    clean: CleanPuzzle,
    /// The report of a segment with findings or with several puzzles.
    report: Option<Arc<SegmentReport>>,
}

/// A puzzle without findings: what duplicates need.
#[derive(Clone, Copy, Default, PartialEq)]
struct CleanPuzzle {
    head: Span,
    /// The start of its name, which ends with its head.
    name: u32,
    /// A hash of the name; 0 where it has none.
    name_hash: u64,
    /// The text of its `id`, without quotes.
    id: Span,
    /// A hash of the `id`; 0 where it has none.
    id_hash: u64,
    /// Its identity; 0 where it has none.
    canonical_hash: u128,
    exact_hash: u64,
}

/// The report of a segment.
struct SegmentReport {
    puzzles: Vec<PuzzleReport>,
    /// For each puzzle a hash of its name; 0 where it has none.
    name_hashes: Vec<u64>,
    /// Findings outside of puzzles.
    top: Vec<Finding>,
    /// The `allow` words outside of puzzles.
    allows: Vec<Allow>,
    pending: Vec<Pending>,
}

/// A puzzle whose searches ended at the quick node limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// Its key in the [cache](crate::analysis::Cache).
    pub key: u128,
    /// An offset in it.
    pub offset: u32,
}

/// The place of a puzzle in a segmented text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PuzzlePlace {
    /// The index of its segment.
    pub segment: u32,
    /// Its index among the puzzles of the segment.
    pub puzzle: u32,
}

/// A puzzle of a segmented text.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct PuzzleRef {
    pub place: PuzzlePlace,
    /// Its game and name.
    pub head: Span,
    /// Its name, with quotes.
    pub name: Option<Span>,
    /// Its `id`, without quotes.
    pub id: Option<Span>,
    pub identity: Option<PuzzleIdentity>,
}

/// A puzzle in an iteration: the hashes, and the rest on demand.
pub(in crate::analysis) struct PuzzleEntry<'a> {
    segment: &'a Segment,
    place: PuzzlePlace,
    start: u32,
    /// The identity but for symmetries: its key.
    pub canonical_hash: Option<u128>,
    /// A hash of the name; 0 where it has none.
    pub name_hash: u64,
    /// The key of the `id`.
    pub id_key: Option<u128>,
}

impl PuzzleEntry<'_> {
    pub fn place(&self) -> PuzzlePlace {
        self.place
    }

    pub fn puzzle(&self) -> PuzzleRef {
        self.segment.puzzle(self.place, self.start)
    }
}

/// Some neighbouring segments as a tree.
pub struct Window {
    /// The offset of the tree in the text.
    pub start: u32,
    /// The tree of these segments.
    pub tree: Tree,
    /// The defaults in force at the start.
    pub defaults: Defaults,
}

/// The index of a chunk and of a segment in it.
type SegmentIndex = (usize, usize);

impl SegmentedText {
    /// A text, not read yet; `defaults` are in force at its start.
    pub fn of(source: &(impl Source + ?Sized), defaults: Defaults) -> SegmentedText {
        let mut text =
            SegmentedText { chunks: Vec::new(), defaults: Arc::new(vec![defaults.without_places()]) };
        if !source.is_empty() {
            text.chunks = chunks(vec![Segment::unread(source.len(), 0)]);
        }
        text
    }

    /// A text that counts as analysed and has neither puzzles nor findings.
    pub fn unknown(source: &(impl Source + ?Sized), defaults: Defaults) -> SegmentedText {
        let mut text = SegmentedText::of(source, defaults);
        for chunk in &mut text.chunks {
            let chunk = Arc::make_mut(chunk);
            chunk.segments.iter_mut().for_each(|s| s.state = SegmentState::Analysed);
            chunk.update_counts();
        }
        text
    }

    /// The length of the text in bytes.
    pub fn bytes(&self) -> u32 {
        self.chunks.iter().map(|c| c.bytes).sum()
    }

    /// The number of segments.
    pub fn count(&self) -> usize {
        self.chunks.iter().map(|c| c.segments.len()).sum()
    }

    /// Whether no segment is unread.
    pub fn is_read(&self) -> bool {
        self.chunks.iter().all(|c| c.unread == 0)
    }

    /// The number of segments that are read and not analysed.
    pub fn stale(&self) -> usize {
        self.chunks.iter().map(|c| c.stale as usize).sum()
    }

    /// The number of segments with findings, `allow` words, or several puzzles.
    pub fn segments_with_findings(&self) -> usize {
        self.chunks.iter().map(|c| c.reported as usize).sum()
    }

    /// Replaces a range of the text with a number of bytes.
    pub fn edit(&mut self, at: Span, bytes: u32) {
        let total = self.bytes();
        let at = Span::new(at.start.min(total), at.end.min(total));
        if total == 0 {
            self.chunks = if bytes == 0 { Vec::new() } else { chunks(vec![Segment::unread(bytes, 0)]) };
            return;
        }
        let (first, start) = self.locate(at.start);
        let (last, last_start) = if at.is_empty() { (first, start) } else { self.locate(at.end - 1) };
        let end = last_start + self.segment(last).len;
        let len = end - start - (at.end - at.start) + bytes;
        let defaults = self.segment(first).defaults;
        if len > 0 {
            self.splice(first, last, vec![Segment::unread(len, defaults)]);
            return;
        }
        let next = self.splice(first, last, Vec::new());
        if let Some(chunk) = self.chunks.get_mut(next.0) {
            // The removed segments may have had defaults, which are no longer in force.
            let chunk = Arc::make_mut(chunk);
            chunk.segments[next.1] = Segment::unread(chunk.segments[next.1].len, defaults);
            chunk.update_counts();
        }
    }

    /// The segments that a range touches, and the one before them. Of many segments, about `max_bytes`.
    pub fn window(&self, source: &(impl Source + ?Sized), range: Span, max_bytes: u32) -> Window {
        if self.chunks.is_empty() {
            let defaults = self.defaults.first().copied().unwrap_or_default();
            return Window { start: 0, tree: parse(""), defaults };
        }
        let total = self.bytes();
        let (mut at, mut start) = self.locate(range.start.min(total));
        let mut end = start + self.segment(at).len;
        let first = self.previous(at).unwrap_or(at);
        if first != at {
            start -= self.segment(first).len;
        }
        let defaults = self.defaults[self.segment(first).defaults as usize];
        // Include a segment that begins at the end of the range: an edit there may belong to either.
        while end <= range.end && end - start < max_bytes {
            let Some(next) = self.next(at) else { break };
            at = next;
            end += self.segment(at).len;
        }
        Window { start, tree: parse(source.read(Span::new(start, end))), defaults }
    }

    /// The segments from an offset on at which one begins: as many as fit into `max_bytes`, but at least one.
    /// Nothing at the end of the text.
    pub fn window_from(&self, source: &(impl Source + ?Sized), start: u32, max_bytes: u32) -> Option<Window> {
        if start >= self.bytes() {
            return None;
        }
        let (mut at, start) = self.locate(start);
        let defaults = self.defaults[self.segment(at).defaults as usize];
        let mut end = start + self.segment(at).len;
        while let Some(next) = self.next(at).filter(|&n| end - start + self.segment(n).len <= max_bytes) {
            at = next;
            end += self.segment(at).len;
        }
        Some(Window { start, tree: parse(source.read(Span::new(start, end))), defaults })
    }

    // ---- indices

    fn segment(&self, (c, s): SegmentIndex) -> &Segment {
        &self.chunks[c].segments[s]
    }

    fn next(&self, (c, s): SegmentIndex) -> Option<SegmentIndex> {
        if s + 1 < self.chunks[c].segments.len() {
            return Some((c, s + 1));
        }
        (c + 1 < self.chunks.len()).then_some((c + 1, 0))
    }

    fn previous(&self, (c, s): SegmentIndex) -> Option<SegmentIndex> {
        match (c.checked_sub(1), s.checked_sub(1)) {
            (_, Some(s)) => Some((c, s)),
            (Some(c), None) => Some((c, self.chunks[c].segments.len() - 1)),
            (None, None) => None,
        }
    }

    fn start_of(&self, (c, s): SegmentIndex) -> u32 {
        let before: u32 = self.chunks[..c].iter().map(|c| c.bytes).sum();
        before + self.chunks[c].segments[..s].iter().map(|s| s.len).sum::<u32>()
    }

    /// The segment with a byte, or the last one, and its start. The text is not empty.
    fn locate(&self, offset: u32) -> (SegmentIndex, u32) {
        let (mut c, mut start) = (0, 0);
        while c + 1 < self.chunks.len() && start + self.chunks[c].bytes <= offset {
            start += self.chunks[c].bytes;
            c += 1;
        }
        let segments = &self.chunks[c].segments;
        let mut s = 0;
        while s + 1 < segments.len() && start + segments[s].len <= offset {
            start += segments[s].len;
            s += 1;
        }
        ((c, s), start)
    }

    /// Replaces the segments from `first` to `last`, and returns the index of the one after them.
    fn splice(&mut self, first: SegmentIndex, last: SegmentIndex, new: Vec<Segment>) -> SegmentIndex {
        let ((c, s), (d, t)) = (first, last);
        if c == d && self.chunks[c].segments.len() + new.len() <= 2 * CHUNK_SIZE {
            let chunk = Arc::make_mut(&mut self.chunks[c]);
            let after = s + new.len();
            chunk.segments.splice(s..=t, new);
            chunk.update_counts();
            if !chunk.segments.is_empty() {
                return if after < chunk.segments.len() { (c, after) } else { (c + 1, 0) };
            }
            self.chunks.remove(c);
            return (c, 0);
        }
        let mut all: Vec<Segment> = self.chunks[c].segments[..s].to_vec();
        let before = all.len() + new.len();
        all.extend(new);
        all.extend_from_slice(&self.chunks[d].segments[t + 1..]);
        let made = chunks(all);
        let mut after = (c, before);
        for chunk in &made {
            if after.1 < chunk.segments.len() {
                break;
            }
            after = (after.0 + 1, after.1 - chunk.segments.len());
        }
        self.chunks.splice(c..=d, made);
        after
    }
}

/// Segments in chunks.
fn chunks(segments: Vec<Segment>) -> Vec<Arc<Chunk>> {
    let mut segments = segments.into_iter().peekable();
    let mut chunks = Vec::new();
    while segments.peek().is_some() {
        let mut chunk = Chunk { segments: segments.by_ref().take(CHUNK_SIZE).collect(), ..Chunk::default() };
        chunk.update_counts();
        chunks.push(Arc::new(chunk));
    }
    chunks
}

impl Chunk {
    fn update_counts(&mut self) {
        let count = |state: SegmentState| self.segments.iter().filter(|s| s.state == state).count() as u32;
        (self.unread, self.stale) = (count(SegmentState::Unread), count(SegmentState::Stale));
        self.reported = self.segments.iter().filter(|s| s.report.is_some()).count() as u32;
        self.bytes = self.segments.iter().map(|s| s.len).sum();
        (self.codes, self.allows) = (Vec::new(), false);
        for report in self.segments.iter().filter_map(|s| s.report.as_ref()) {
            self.allows |= !report.allows.is_empty() || report.puzzles.iter().any(|p| !p.allows.is_empty());
            for finding in report.findings() {
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
            state: SegmentState::Unread,
            has_defaults: false,
            clean: CleanPuzzle::default(),
            report: None,
        }
    }

    /// One of its puzzles, if it starts at `start`.
    fn puzzle(&self, place: PuzzlePlace, start: u32) -> PuzzleRef {
        let moved = |s: Span| Span::new(s.start + start, s.end + start);
        match &self.report {
            Some(report) => {
                let puzzle = &report.puzzles[place.puzzle as usize];
                let (name, id) = (puzzle.name.map(moved), puzzle.id.map(moved));
                PuzzleRef { place, head: moved(puzzle.head), name, id, identity: puzzle.identity }
            }
            None => {
                let (name, id) = (self.clean.name().map(moved), self.clean.id().map(moved));
                PuzzleRef { place, head: moved(self.clean.head), name, id, identity: self.clean.identity() }
            }
        }
    }

    /// Its puzzles, if it has this index and starts at `start`.
    fn entries(&self, segment: u32, start: u32) -> impl Iterator<Item = PuzzleEntry<'_>> {
        let entry = move |puzzle, canonical_hash, name_hash, id_hash| {
            let place = PuzzlePlace { segment, puzzle };
            PuzzleEntry { segment: self, place, start, canonical_hash, name_hash, id_key: id_key(id_hash) }
        };
        let is_clean = self.report.is_none() && !self.clean.head.is_empty();
        let hash = |identity: PuzzleIdentity| identity.canonical_hash;
        let clean = &self.clean;
        let one = is_clean.then(|| entry(0, clean.identity().map(hash), clean.name_hash, clean.id_hash));
        let all = self.report.iter().flat_map(|r| r.puzzles.iter().zip(&r.name_hashes)).enumerate();
        let several = all.map(move |(i, (puzzle, &name))| {
            entry(i as u32, puzzle.identity.map(hash), name, puzzle.id_hash)
        });
        one.into_iter().chain(several)
    }
}

impl CleanPuzzle {
    fn name(&self) -> Option<Span> {
        (self.name_hash != 0).then_some(Span::new(self.name, self.head.end))
    }

    fn id(&self) -> Option<Span> {
        (self.id_hash != 0).then_some(self.id)
    }

    fn identity(&self) -> Option<PuzzleIdentity> {
        let identity = PuzzleIdentity { canonical_hash: self.canonical_hash, exact_hash: self.exact_hash };
        (self.canonical_hash != 0).then_some(identity)
    }
}

impl SegmentReport {
    /// All findings, in no particular order.
    fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.puzzles.iter().flat_map(|p| &p.findings).chain(&self.top)
    }
}
