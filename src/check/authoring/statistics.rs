//! Statistics of a collection: how many puzzles of each kind there are.

use std::collections::BTreeMap;

use crate::analysis::{Bound, Defaults, FileReport, Options, PuzzleReport, bind_one, position_of, puzzles};
use crate::authoring::rating::{Estimate, rate};
use crate::parallel::*;
use cpz_rules::board::Kind;
use cpz_text::diagnostic::{Code, Severity};
use cpz_text::syntax::{GameId, Puzzle, Tree};

/// How sound a puzzle is, by the worst that was found in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Soundness {
    /// No error and no warning.
    Sound,
    /// A search ended early.
    Undecided,
    /// A warning.
    Warnings,
    /// An error.
    Errors,
}

impl Soundness {
    /// All variants.
    pub const ALL: [Soundness; 4] =
        [Soundness::Sound, Soundness::Undecided, Soundness::Warnings, Soundness::Errors];

    /// The word in a table.
    pub fn word(self) -> &'static str {
        ["sound", "undecided", "with warnings", "with errors"][self as usize]
    }
}

/// Statistics of some files. Every table is in its natural order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of puzzles.
    pub puzzles: usize,
    /// By game; puzzles of an unknown game are not in it.
    pub games: BTreeMap<GameId, usize>,
    /// By the size of the board, as it is written: `4×4`. Puzzles whose board cannot be read are not in it.
    pub sizes: BTreeMap<(u8, u8, u8), usize>,
    /// By the number of pieces.
    pub pieces: BTreeMap<usize, usize>,
    /// How many pieces of each kind there are in all puzzles.
    pub kinds: BTreeMap<Kind, usize>,
    /// By the estimate of difficulty, in whole numbers: 3 has those from 3.0 to 3.9.
    pub difficulty: BTreeMap<u8, usize>,
    /// By soundness.
    pub soundness: BTreeMap<Soundness, usize>,
    /// How many findings there are of each code.
    pub codes: BTreeMap<Code, usize>,
}

impl Statistics {
    /// Adds a file with its report. Each search for a rating has the node budget of the options.
    pub fn add(&mut self, tree: &Tree, report: &FileReport, options: &Options) {
        let all: Vec<(Puzzle<'_>, Defaults)> = puzzles(tree, options.config.settings).collect();
        let rated: Vec<(Option<Bound<'_>>, Option<Estimate>)> = all
            .par_iter()
            .map(|&(puzzle, defaults)| {
                let bound = bind_one(puzzle, defaults);
                let rating = bound.as_ref().and_then(|bound| rate(bound, options).ok());
                (bound, rating.and_then(|rating| rating.estimate))
            })
            .collect();
        for ((bound, estimate), puzzle) in rated.iter().zip(&report.puzzles) {
            self.add_puzzle(bound.as_ref(), *estimate);
            *self.soundness.entry(soundness(puzzle, report)).or_default() += 1;
        }
        for (finding, _) in report.unordered() {
            *self.codes.entry(finding.code).or_default() += 1;
        }
    }

    fn add_puzzle(&mut self, bound: Option<&Bound<'_>>, estimate: Option<Estimate>) {
        self.puzzles += 1;
        let Some(bound) = bound else { return };
        *self.games.entry(bound.id).or_default() += 1;
        if let Some(estimate) = estimate {
            *self.difficulty.entry(estimate.tenths() / 10).or_default() += 1;
        }
        let Some(position) = position_of(bound) else { return };
        let size = position.board.size;
        *self.sizes.entry((size.w, size.h, size.d)).or_default() += 1;
        *self.pieces.entry(position.board.count()).or_default() += 1;
        for piece in position.board.cells.iter().flatten() {
            *self.kinds.entry(piece.kind).or_default() += 1;
        }
    }
}

fn soundness(puzzle: &PuzzleReport, report: &FileReport) -> Soundness {
    let worst = puzzle.findings.iter().map(|f| report.severities.shown(f)).min();
    match worst {
        Some(Severity::Error) => Soundness::Errors,
        _ if puzzle.hit_budget => Soundness::Undecided,
        Some(Severity::Warning) => Soundness::Warnings,
        _ => Soundness::Sound,
    }
}
