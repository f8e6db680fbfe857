//! A whole file: its defaults, its puzzles, and the errors outside of puzzles.

use std::sync::atomic::Ordering;

use crate::analysis::allow_word::Allow;
use crate::analysis::consequences::drop_consequences;
use crate::analysis::defaults::{Defaults, PropertyScope};
use crate::analysis::duplicates;
use crate::analysis::file_report::{FileReport, Options, PuzzleReport};
use crate::analysis::puzzle::analyse_puzzle;
use crate::parallel::*;
use cpz_text::diagnostic::Finding;
use cpz_text::syntax::{PropertyNode, Puzzle, Tree};

/// The puzzles that a thread takes at once at most, so that all threads end at the same time.
const LAST_PUZZLES: usize = 256;

/// Analyses a file by itself. The caller passes all reports to [`crate::analysis::link`] once, which adds
/// duplicates and applies `allow`.
pub fn analyse(tree: &Tree, options: &Options) -> FileReport {
    let mut parts = read_file(tree, options.config.settings, |all, defaults| {
        let one = |&(puzzle, at): &(Puzzle<'_>, usize)| {
            let report = analyse_puzzle(puzzle, defaults[at], options);
            if let Some(done) = &options.progress {
                done.fetch_add(u64::from(report.span.end - report.span.start), Ordering::Relaxed);
            }
            report
        };
        match all.len() {
            0..16 => all.iter().map(one).collect(),
            _ => all.par_iter().with_max_len(LAST_PUZZLES).map(one).collect(),
        }
    });
    duplicates::report_repeated_names(tree.text(), &mut parts.puzzles);
    FileReport {
        puzzles: parts.puzzles,
        top: parts.top,
        severities: options.config.severities,
        allows: parts.allows,
    }
}

/// The parts of a file's report.
pub(super) struct FileParts {
    /// The puzzles' reports with the parser's errors.
    pub puzzles: Vec<PuzzleReport>,
    /// Findings outside of puzzles.
    pub top: Vec<Finding>,
    /// The `allow` words outside of puzzles.
    pub allows: Vec<Allow>,
}

/// Reads the defaults of a file on top of the configured ones, has `analyse_all` report on the puzzles, each given with the
/// index of its defaults, and distributes the parser's errors.
pub(super) fn read_file<'t>(
    tree: &'t Tree,
    configured: Defaults,
    analyse_all: impl FnOnce(&[(Puzzle<'t>, usize)], &[Defaults]) -> Vec<PuzzleReport>,
) -> FileParts {
    let (mut top, mut allows) = (Vec::new(), Vec::new());
    let mut defaults = configured;
    let mut all_defaults = vec![defaults];
    let mut puzzles = Vec::new();
    for node in tree.root().children() {
        if let Some(puzzle) = Puzzle::cast(node) {
            puzzles.push((puzzle, all_defaults.len() - 1));
        } else if let Some(property) = PropertyNode::cast(node) {
            let mut found = defaults.set(property, PropertyScope::File);
            allows.append(&mut found.allows);
            top.append(&mut found.findings);
            all_defaults.push(defaults);
        }
    }
    // Where nothing is wrong, no list of a million puzzles is needed.
    let is_wrong = !tree.errors().is_empty();
    let nodes: Vec<Puzzle<'_>> = puzzles.iter().map(|(puzzle, _)| *puzzle).filter(|_| is_wrong).collect();
    let mut puzzles = analyse_all(&puzzles, &all_defaults);
    // An error belongs to the puzzle that it is in.
    let mut at = 0;
    for error in tree.errors() {
        while at < puzzles.len() && puzzles[at].span.end <= error.span.start {
            at += 1;
        }
        match puzzles.get_mut(at).filter(|p| p.span.start <= error.span.start) {
            Some(puzzle) => puzzle.add_syntax_error(error),
            None => top.push(error.clone()),
        }
    }
    for (report, node) in puzzles.iter_mut().zip(nodes) {
        if report.broken {
            drop_consequences(&mut report.findings, node);
        }
    }
    FileParts { puzzles, top, allows }
}
