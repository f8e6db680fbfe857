//! Written answers, read into plain data.

use cpz_rules::board::{Board, Colour, Square};
use cpz_rules::games::{Status, Step, Verdict};
use cpz_text::diagnostic::{Finding, Span};
use cpz_text::syntax::Element;

/// A written answer.
pub(crate) enum ParsedAnswer {
    /// There is no solution, or no capture.
    Nothing,
    /// The steps of a sequence, each with its place, up to the first that cannot be read; and what is wrong with
    /// that one.
    Steps(Vec<(Step, Span)>, Option<Finding>),
    /// The boards of a solution, from the first to the last, each with its place.
    Boards(Vec<(Board, Span)>),
    /// A number of solutions, nothing for one beyond 128 bits; and the number of distinct ones, if it is written.
    Number(Option<u128>, Option<u128>),
    /// For `move`, whether it is legal; for `mate`, whether it is mate.
    Truth(bool),
    /// The state of the side to move, and the side, if it is written.
    Status(Status, Option<Colour>),
    /// Complete captures of draughts, each as its steps with its place; and the number of others, if it is written.
    Captures(Vec<(Vec<Step>, Span)>, Option<usize>),
    /// What a capture of draughts takes at most: men, kings, and pieces whose kind is not written.
    Taken([usize; 3]),
    /// A solution of a chess problem, whose text is read with the position.
    Solution,
    /// The moves of a line as they are written, without their numbers, each with its place.
    Moves(Vec<(String, Span)>),
    /// How each enemy piece can be captured, with the place of each entry.
    Pieces(Vec<(Square, Verdict, Span)>),
}

/// A part of a written answer.
pub enum AnswerPart<'t> {
    /// A square: the elements that it is written with.
    Square(Vec<Element<'t>>),
    /// A move in chess notation, or squares with marks between them: `Nxb2`, `c3:e5:g7`.
    Move(&'t str, Span),
    /// A board of a solution.
    Board(Element<'t>),
}
