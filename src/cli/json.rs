//! The JSON documents of the contract.

use serde::Serialize;
use serde_json::{Value, json};

use crate::analysis::{Outcome, QueryReport};
use crate::board::Square;
use crate::games::{Answer, Status};
use crate::syntax::{LineIndex, Position, Span};

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
    pub files: Vec<CheckFile>,
    pub summary: Summary,
}

/// A file of it.
#[derive(Serialize)]
pub struct CheckFile {
    pub path: String,
    pub diagnostics: Vec<Diagnostic>,
}

/// A finding of it.
#[derive(Serialize)]
pub struct Diagnostic {
    pub code: &'static str,
    pub severity: &'static str,
    pub message: String,
    pub range: Range,
    pub puzzle: Option<String>,
}

/// How much was checked, and how much found.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Summary {
    pub files: usize,
    pub puzzles: usize,
    pub queries: usize,
    pub errors: usize,
    pub warnings: usize,
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
    pub answer: Value,
}

/// The answer to a query; squares count from `origin`.
pub fn answer(query: &QueryReport, origin: u8) -> Value {
    let square = |s: Square| json!([s.x + origin, s.y + origin]);
    match &query.outcome {
        Outcome::Undecided(why) => json!({ "undecided": why }),
        Outcome::Error(why) => json!({ "error": why }),
        Outcome::Answer(Answer::Solve(None)) => json!({ "solvable": false, "moves": null }),
        Outcome::Answer(Answer::Solve(Some(captures))) => {
            let moves: Vec<Value> = captures.iter().map(|c| json!([square(c.from), square(c.to)])).collect();
            json!({ "solvable": true, "moves": moves })
        }
        Outcome::Answer(Answer::Count { count, distinct }) => {
            let number = |n: &Option<u128>| n.map(|n| n.to_string());
            json!({ "count": number(count), "distinct": number(distinct) })
        }
        Outcome::Answer(Answer::Move(reason)) => json!({ "legal": reason.is_none(), "reason": reason }),
        Outcome::Answer(Answer::Mate { status, side, .. }) => {
            let status: Status = *status;
            json!({ "status": status.word(), "side": side.name() })
        }
        Outcome::Answer(Answer::Capture { lines, pieces }) => {
            let squares = |all: &[Square]| -> Vec<Value> { all.iter().map(|&s| square(s)).collect() };
            let captures: Vec<Value> = lines
                .iter()
                .map(|l| json!({ "path": squares(&l.path), "taken": squares(&l.taken) }))
                .collect();
            let pieces: Vec<Value> =
                pieces.iter().map(|(s, v)| json!({ "square": square(*s), "verdict": v.word() })).collect();
            json!({ "captures": captures, "pieces": pieces })
        }
    }
}
