//! Duplicates in all files at once.

use crate::analysis::duplicates::findings::{Difference, same_id, same_puzzle};
use crate::analysis::file_report::{FileReport, PuzzleIdentity, PuzzleReport, id_key};
use crate::analysis::suppress::allow_all;
use crate::parallel::*;
use cpz_text::diagnostic::{Finding, Span};

pub(super) fn sort<T: Ord + Send>(all: &mut [T]) {
    match all.len() {
        0..PARALLEL_FROM => all.sort_unstable(),
        _ => all.par_sort_unstable(),
    }
}

/// Adds duplicates to the reports of all files that are checked together, and then applies `allow`. To be called once.
/// `describe` names a place: the index of a file and the span of a puzzle's head.
pub fn link(files: &mut [&mut FileReport], describe: impl Fn(usize, Span) -> String + Sync) {
    let all: Vec<&FileReport> = files.iter().map(|f| &**f).collect();
    let mut placed = duplicates(&all, describe);
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut rest = placed.as_mut_slice();
    for (i, file) in files.iter_mut().enumerate() {
        let (mut of_file, behind) = rest.split_at_mut(rest.partition_point(|p| p.file <= i));
        rest = behind;
        let (mut puzzles, mut first) = (file.puzzles.as_mut_slice(), 0);
        while of_file.len() > PARALLEL_FROM {
            // All findings of a puzzle are in one part.
            let end = of_file[PARALLEL_FROM].puzzle;
            let (own, others) = puzzles.split_at_mut(end - first);
            let (placed, behind) = of_file.split_at_mut(of_file.partition_point(|p| p.puzzle < end));
            parts.push((own, first, placed));
            (puzzles, first, of_file) = (others, end, behind);
            if parts.last().is_some_and(|part| part.2.is_empty()) {
                break;
            }
        }
        parts.push((puzzles, first, of_file));
    }
    parts.par_iter_mut().for_each(|(puzzles, first, placed)| {
        for Placed { puzzle, finding, .. } in placed.iter_mut() {
            let findings = &mut puzzles[*puzzle - *first].findings;
            // Most puzzles have no other one, and there may be millions of them.
            findings.reserve_exact(1);
            findings.push(std::mem::replace(finding, Finding::new(finding.code, finding.span, "")));
        }
    });
    allow_all(files);
}

/// Puzzles of a file, the index of the first of them, and their findings in order.
type Part<'a> = (&'a mut [PuzzleReport], usize, &'a mut [Placed]);

/// A finding on a puzzle of one of several files.
pub struct Placed {
    /// The index of the file.
    pub file: usize,
    /// The index of the puzzle.
    pub puzzle: usize,
    /// The finding.
    pub finding: Finding,
}

/// A puzzle: the indices of its file and of itself in the file.
type PuzzleIndex = (u32, u32);

/// The puzzles and the ids that occur more than once in files that are checked together, in order; `describe` as for [`link`].
pub fn duplicates(files: &[&FileReport], describe: impl Fn(usize, Span) -> String + Sync) -> Vec<Placed> {
    let pairs = pairs(files);
    let of = |(file, puzzle): PuzzleIndex| &files[file as usize].puzzles[puzzle as usize];
    let placed = |&Pair { puzzle: at, is_id, other: first }: &Pair, other: Other| {
        let puzzle = of(at);
        let place = describe(first.0 as usize, other.head);
        let elsewhere = (first.0 != at.0).then_some(first.0);
        let finding = match is_id {
            true => same_id(puzzle.id?, other.id?, elsewhere, &place),
            false => {
                let difference = Difference::of(puzzle.identity?, other.identity);
                same_puzzle(puzzle.head, other.head, elsewhere, difference, &place)
            }
        };
        Some(Placed { file: at.0 as usize, puzzle: at.1 as usize, finding })
    };
    let of_some = |pairs: &[Pair]| {
        // The other puzzles stand anywhere: read in a row, the memory gives several at a time.
        let others: Vec<Other> = pairs.iter().map(|pair| Other::of(of(pair.other))).collect();
        pairs.iter().zip(others).filter_map(|(pair, other)| placed(pair, other)).collect::<Vec<_>>()
    };
    pairs.par_chunks(128).flat_map_iter(of_some).collect()
}

/// What the finding of a puzzle says of the other one.
struct Other {
    head: Span,
    id: Option<Span>,
    identity: Option<PuzzleIdentity>,
}

impl Other {
    fn of(puzzle: &PuzzleReport) -> Other {
        Other { head: puzzle.head, id: puzzle.id, identity: puzzle.identity }
    }
}

/// A puzzle, and another one that is the same or has the same `id`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    puzzle: PuzzleIndex,
    is_id: bool,
    other: PuzzleIndex,
}

/// The pairs of all puzzles that are the same, in order: each puzzle with the first of them, and the first with the second.
/// Of equal ids the first is right.
fn pairs(files: &[&FileReport]) -> Vec<Pair> {
    let entries = files.par_iter().enumerate().flat_map(|(f, file)| {
        let entries = move |(p, puzzle): (usize, &PuzzleReport)| {
            let keys = [puzzle.identity.map(|i| i.canonical_hash), id_key(puzzle.id_hash)];
            keys.into_iter().flatten().map(move |key| (key, f as u32, p as u32))
        };
        file.puzzles.par_iter().with_min_len(PARALLEL_FROM).enumerate().flat_map_iter(entries)
    });
    let mut entries: Vec<(u128, u32, u32)> = entries.collect();
    sort(&mut entries);
    let mut pairs = Vec::new();
    for group in entries.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let [first, second] = [group[0], group[1]].map(|(_, f, p)| (f, p));
        let is_id = group[0].0 & 1 == 1;
        pairs.extend((!is_id).then_some(Pair { puzzle: first, is_id, other: second }));
        pairs.extend(group[1..].iter().map(|&(_, f, p)| Pair { puzzle: (f, p), is_id, other: first }));
    }
    sort(&mut pairs);
    pairs
}
