//! The document of `cpz solve --format json`. Its schema is `docs/schema/solve.schema.json`.

use serde::Serialize;

use crate::{AnswerDocument, RangeDocument, answer_document};
use cpz_check::analysis::{FileReport, ProblemPlay, QueryReport};
use cpz_text::diagnostic::Span;

/// The document.
#[derive(Serialize)]
pub struct SolveDocument {
    /// The version of the document.
    pub version: u32,
    /// The files in order.
    pub files: Vec<SolveFile>,
}

/// The answers of a file.
#[derive(Serialize)]
pub struct SolveFile {
    path: String,
    puzzles: Vec<SolvePuzzle>,
}

#[derive(Serialize)]
struct SolvePuzzle {
    id: Option<String>,
    name: Option<String>,
    game: String,
    range: RangeDocument,
    queries: Vec<SolveQuery>,
}

#[derive(Serialize)]
struct SolveQuery {
    verb: &'static str,
    range: RangeDocument,
    answer: AnswerDocument,
}

/// The answers of the report of a text. `range` is the place that is shown of a span, `play` the play of the query that
/// begins at an offset.
pub fn solve_file<'p>(
    path: &str,
    text: &str,
    report: &FileReport,
    range: &dyn Fn(Span) -> RangeDocument,
    play: &dyn Fn(u32) -> Option<&'p ProblemPlay>,
) -> SolveFile {
    // A game that cpz does not know is named as the file names it.
    let first_word = |head: Span| {
        let ends = |c: char| c.is_whitespace() || c == '{' || c == '"';
        text[head.range()].split(ends).next().unwrap_or("").to_string()
    };
    let query = |q: &QueryReport, origin| SolveQuery {
        verb: q.verb.id(),
        range: range(q.span),
        answer: answer_document(q, origin, play(q.span.start)),
    };
    let puzzles = report.puzzles.iter().map(|p| SolvePuzzle {
        id: p.id_in(text).map(String::from),
        name: p.name_in(text).map(String::from),
        game: p.game.map_or_else(|| first_word(p.head), |g| g.word().to_string()),
        range: range(p.span),
        queries: p.queries.iter().map(|q| query(q, p.origin)).collect(),
    });
    SolveFile { path: path.to_string(), puzzles: puzzles.collect() }
}
