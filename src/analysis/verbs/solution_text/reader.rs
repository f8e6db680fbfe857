//! Reads a solution: text into a tree. Never fails, and knows no position.

use crate::analysis::verbs::solution_text::tree::WrittenSolution;
use crate::analysis::verbs::written_words::WrittenWord;
use crate::board::Colour;
use crate::games::Stipulation;

/// Reads the strings of an answer as one solution. `first` is the side that begins.
pub(crate) fn read_solution<'t>(
    _strings: &[WrittenWord<'t>],
    _stipulation: Stipulation,
    _first: Colour,
) -> WrittenSolution<'t> {
    WrittenSolution::default()
}
