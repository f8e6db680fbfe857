//! What is exact about a puzzle.

use crate::authoring::rating::logarithm::bits;
use crate::authoring::rating::problem::ProblemFacts;
use cpz_rules::games::{SolitaireFacts, Status};

/// What is exact about a puzzle.
#[derive(Clone, Debug, PartialEq)]
pub enum Facts {
    /// A board of solitaire, whatever is asked about it.
    Solitaire(SolitaireFacts),
    /// A chess problem: the first of the puzzle.
    Problem(ProblemFacts),
    /// The complete captures of draughts.
    Captures {
        /// How many there are.
        captures: u32,
        /// The pieces that the largest of them takes.
        longest: u32,
    },
    /// Whether a side is mated.
    Status {
        /// The status.
        status: Status,
        /// The moves and checks that the answer has to name.
        reasons: u32,
    },
}

impl Facts {
    /// The chance that random legal play solves the puzzle, 0 to 1; `None` where that has no meaning.
    pub fn chance(&self) -> Option<f64> {
        match self {
            Facts::Solitaire(facts) => Some(facts.chance),
            Facts::Problem(facts) => facts.chance,
            Facts::Captures { .. } | Facts::Status { .. } => None,
        }
    }

    /// The chance as a number of bits, its -log2; `None` for a chance of 0 too.
    pub fn bits(&self) -> Option<f64> {
        self.chance().filter(|&chance| chance > 0.0).map(bits)
    }
}
