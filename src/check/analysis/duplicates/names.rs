//! Names that are used twice in a file.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::analysis::duplicates::batch::sort;
use crate::analysis::duplicates::findings::same_name;
use crate::analysis::file_report::PuzzleReport;
use crate::parallel::*;
use cpz_text::diagnostic::Span;

/// Adds a finding to every puzzle whose name an earlier puzzle of the file has.
pub(in crate::analysis) fn report_repeated_names(text: &str, puzzles: &mut [PuzzleReport]) {
    let hashed = |(i, puzzle): (usize, &PuzzleReport)| {
        let name = puzzle.name_in(text).filter(|n| !n.is_empty())?;
        Some((FxBuildHasher.hash_one(name), i))
    };
    let mut named: Vec<(u64, usize)> = match puzzles.len() {
        0..PARALLEL_FROM => puzzles.iter().enumerate().filter_map(hashed).collect(),
        _ => puzzles.par_iter().enumerate().filter_map(hashed).collect(),
    };
    sort(&mut named);
    for same_hash in named.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let mut first: FxHashMap<&str, Span> = FxHashMap::default();
        for &(_, i) in same_hash {
            let (Some(name), Some(span)) = (puzzles[i].name_in(text), puzzles[i].name) else { continue };
            if let Some(&other) = first.get(name) {
                puzzles[i].findings.push(same_name(name, span, other));
            } else {
                first.insert(name, span);
            }
        }
    }
}
