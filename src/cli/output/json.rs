//! The JSON documents of the contract.

use serde::Serialize;

use crate::analysis::{Outcome, QueryReport};
use crate::board::Square;
use crate::diagnostic::{LineIndex, Position, Span};
use crate::games::Answer;

/// A position: both numbers 0-based, `character` in UTF-16 units.
#[derive(Serialize)]
pub struct Place {
    line: u32,
    character: u32,
}

/// A range, its end exclusive.
#[derive(Serialize)]
pub struct Range {
    start: Place,
    end: Place,
}

/// The range of a span.
pub fn range(text: &str, index: &LineIndex, span: Span) -> Range {
    let place = |offset| {
        let Position { line, character } = index.position(text, offset);
        Place { line, character }
    };
    Range { start: place(span.start), end: place(span.end) }
}

/// The document of `check`.
#[derive(Serialize)]
pub struct CheckDocument {
    pub version: u32,
    /// Each with its path and its diagnostics; there may be millions, so they are written one by one.
    pub files: [(); 0],
    pub summary: Summary,
}

/// A finding of it.
#[derive(Serialize)]
pub struct Diagnostic<'a> {
    pub code: &'static str,
    pub severity: &'static str,
    pub message: &'a str,
    pub range: Range,
    pub puzzle: Option<&'a str>,
}

/// How much was checked, and how much found.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Summary {
    pub files: usize,
    pub puzzles: usize,
    pub queries: usize,
    pub errors: usize,
    pub warnings: usize,
    /// How many findings a baseline accepts, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<usize>,
}

/// The document of `solve`.
#[derive(Serialize)]
pub struct SolveDocument {
    pub version: u32,
    pub files: Vec<SolveFile>,
}

/// A file of it.
#[derive(Serialize)]
pub struct SolveFile {
    pub path: String,
    pub puzzles: Vec<SolvePuzzle>,
}

/// A puzzle of it.
#[derive(Serialize)]
pub struct SolvePuzzle {
    pub name: Option<String>,
    pub game: String,
    pub range: Range,
    pub queries: Vec<SolveQuery>,
}

/// A query of it.
#[derive(Serialize)]
pub struct SolveQuery {
    pub verb: &'static str,
    pub range: Range,
    pub answer: AnswerDocument,
}

/// A square in numbers.
type Numbers = [u8; 2];

/// An answer, its keys in the order of the contract.
#[derive(Serialize)]
#[serde(untagged)]
pub enum AnswerDocument {
    Undecided { undecided: String },
    Error { error: String },
    Solve { solvable: bool, moves: Option<Vec<[Numbers; 2]>> },
    Count { count: Option<String>, distinct: Option<String> },
    Move { legal: bool, reason: Option<String> },
    Mate { status: &'static str, side: &'static str },
    Capture { captures: Vec<CaptureDocument>, pieces: Vec<PieceDocument> },
}

/// A complete capture.
#[derive(Serialize)]
pub struct CaptureDocument {
    path: Vec<Numbers>,
    taken: Vec<Numbers>,
}

/// What becomes of an enemy piece.
#[derive(Serialize)]
pub struct PieceDocument {
    square: Numbers,
    verdict: &'static str,
}

/// The answer to a query; squares count from `origin`.
pub fn answer(query: &QueryReport, origin: u8) -> AnswerDocument {
    let square = |s: &Square| [s.x + origin, s.y + origin];
    let squares = |all: &[Square]| all.iter().map(square).collect();
    match &query.outcome {
        Outcome::Undecided(why) => AnswerDocument::Undecided { undecided: why.clone() },
        Outcome::Error(why) => AnswerDocument::Error { error: why.clone() },
        Outcome::Answer(Answer::Solve(solution)) => AnswerDocument::Solve {
            solvable: solution.is_some(),
            moves: solution.as_ref().map(|s| s.iter().map(|c| [square(&c.from), square(&c.to)]).collect()),
        },
        Outcome::Answer(Answer::Count { count, distinct }) => AnswerDocument::Count {
            count: count.map(|n| n.to_string()),
            distinct: distinct.map(|n| n.to_string()),
        },
        Outcome::Answer(Answer::Move(reason)) => {
            AnswerDocument::Move { legal: reason.is_none(), reason: reason.clone() }
        }
        Outcome::Answer(Answer::Mate { status, side, .. }) => {
            AnswerDocument::Mate { status: status.word(), side: side.name() }
        }
        Outcome::Answer(Answer::Capture { lines, pieces }) => AnswerDocument::Capture {
            captures: lines
                .iter()
                .map(|l| CaptureDocument { path: squares(&l.path), taken: squares(&l.taken) })
                .collect(),
            pieces: pieces
                .iter()
                .map(|(s, v)| PieceDocument { square: square(s), verdict: v.word() })
                .collect(),
        },
    }
}
