//! Duplicates in all files at once.

use rustc_hash::FxHashMap;

use crate::analysis::duplicates::findings::{Difference, same_id, same_puzzle};
use crate::analysis::file_report::{FileReport, PuzzleReport, id_key};
use crate::analysis::suppress::allow_all;
use crate::parallel::*;
use cpz_text::diagnostic::{Finding, Span};

/// The number of puzzles from which on several threads share the work.
pub(super) const PARALLEL_FROM: usize = 4096;

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
    for Placed { file, puzzle, finding } in duplicates(&all, describe) {
        files[file].puzzles[puzzle].findings.push(finding);
    }
    allow_all(files);
}

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
    let groups = first_two_of_each(files);
    if groups.is_empty() {
        return Vec::new();
    }
    let elsewhere = |f: usize, other: u32| (other as usize != f).then_some(other);
    let same = |f: usize, p: usize, puzzle: &PuzzleReport| {
        let identity = puzzle.identity?;
        let &[first, second] = groups.get(&identity.canonical_hash)?;
        let (other_file, other) = if first == (f as u32, p as u32) { second } else { first };
        let other = &files[other_file as usize].puzzles[other as usize];
        let difference = Difference::of(identity, other.identity);
        let place = describe(other_file as usize, other.head);
        Some(same_puzzle(puzzle.head, other.head, elsewhere(f, other_file), difference, &place))
    };
    let id = |f: usize, p: usize, puzzle: &PuzzleReport| {
        let &[(other_file, other), _] = groups.get(&id_key(puzzle.id_hash)?)?;
        if (other_file, other) == (f as u32, p as u32) {
            return None;
        }
        let other = &files[other_file as usize].puzzles[other as usize];
        let place = describe(other_file as usize, other.head);
        Some(same_id(puzzle.id?, other.id?, elsewhere(f, other_file), &place))
    };
    let placed = |f: usize, p: usize, puzzle: &PuzzleReport| {
        let findings = [same(f, p, puzzle), id(f, p, puzzle)];
        findings.into_iter().flatten().map(move |finding| Placed { file: f, puzzle: p, finding })
    };
    let of_file = |(f, file): (usize, &&FileReport)| {
        let placed = &placed;
        let puzzles: Vec<Placed> = match file.puzzles.len() {
            0..PARALLEL_FROM => {
                let all = file.puzzles.iter().enumerate();
                all.flat_map(|(p, puzzle)| placed(f, p, puzzle)).collect()
            }
            _ => {
                let all = file.puzzles.par_iter().enumerate();
                all.flat_map_iter(|(p, puzzle)| placed(f, p, puzzle)).collect()
            }
        };
        puzzles
    };
    files.par_iter().enumerate().flat_map_iter(of_file).collect()
}

/// The first two puzzles of each identity and of each `id` that several puzzles have.
fn first_two_of_each(files: &[&FileReport]) -> FxHashMap<u128, [PuzzleIndex; 2]> {
    let entries = files.par_iter().enumerate().flat_map(|(f, file)| {
        let entries = move |(p, puzzle): (usize, &PuzzleReport)| {
            let keys = [puzzle.identity.map(|i| i.canonical_hash), id_key(puzzle.id_hash)];
            keys.into_iter().flatten().map(move |key| (key, f as u32, p as u32))
        };
        file.puzzles.par_iter().with_min_len(PARALLEL_FROM).enumerate().flat_map_iter(entries)
    });
    let mut entries: Vec<(u128, u32, u32)> = entries.collect();
    sort(&mut entries);
    let groups = entries.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    groups.map(|group| (group[0].0, [group[0], group[1]].map(|(_, f, p)| (f, p)))).collect()
}
