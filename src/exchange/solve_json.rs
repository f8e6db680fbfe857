//! The document of `cpz solve --format json`. Its schema is `docs/schema/solve.schema.json`.

use serde::Serialize;

use crate::{AnswerDocument, RangeDocument, answer_document, outcome_document};
use cpz_check::analysis::{FileReport, Outcome, ProblemPlay, PuzzleReport, QueryReport};
use cpz_rules::games::Answer;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::Verb;

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
    answer: ProblemAnswer,
}

/// An answer; beside that of a puzzle's first problem stand those of the problems that are made of it.
#[derive(Serialize)]
struct ProblemAnswer {
    #[serde(flatten)]
    answer: SearchedAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    set_play: Option<AnswerDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplex: Option<DuplexDocument>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    twins: Vec<TwinDocument>,
}

/// An answer, and of a chess problem what the search for it took.
#[derive(Serialize)]
struct SearchedAnswer {
    #[serde(flatten)]
    answer: AnswerDocument,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
}

#[derive(Serialize)]
struct DuplexDocument {
    #[serde(flatten)]
    answer: SearchedAnswer,
    #[serde(skip_serializing_if = "Option::is_none")]
    set_play: Option<AnswerDocument>,
}

#[derive(Serialize)]
struct TwinDocument {
    id: String,
    /// As they are written.
    changes: Vec<String>,
    fen: String,
    /// One answer.
    answers: Vec<SearchedAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    set_play: Option<AnswerDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplex: Option<DuplexDocument>,
}

/// The answer to a query of a puzzle, with those that stand beside it.
fn problem_answer<'p>(
    puzzle: &PuzzleReport,
    query: &QueryReport,
    play: &dyn Fn(u32) -> Option<&'p ProblemPlay>,
) -> ProblemAnswer {
    let answer = |query: &QueryReport| answer_document(query, puzzle.origin, play(query.span.start));
    let searched = |query: &QueryReport| SearchedAnswer {
        answer: answer(query),
        nodes: query.is_searched_problem().then_some(query.nodes),
    };
    let starred = |query: &QueryReport| {
        query.set_play.as_deref().map(|outcome| outcome_document(outcome, puzzle.origin, None))
    };
    let is_problem = |query: &&QueryReport| query.verb.problem().is_some();
    // What is made of a query stands behind it; what stands before all problems is made of the first.
    let made_of = |of: Span, verb: Verb, may_be: fn(Verb) -> bool| {
        let base = move |other: &QueryReport| {
            let before = puzzle.queries.iter().take_while(|query| query.span.start < other.span.start);
            let last = before.filter(|query| query.verb.problem().is_some() || may_be(query.verb)).last();
            last.or_else(|| puzzle.queries.iter().find(is_problem)).map(|query| query.span)
        };
        puzzle.queries.iter().filter(move |other| other.verb == verb && base(other) == Some(of))
    };
    // The tree of a problem with keys has its set play already.
    let has_set_play = |of: &QueryReport| {
        matches!(&of.outcome, Outcome::Answer(Answer::Keys { .. })) && play(of.span.start).is_some()
    };
    // The set play of a duplex stands behind that.
    let set_play = |of: &QueryReport| {
        let mut own = made_of(of.span, Verb::SetPlay, |verb| matches!(verb, Verb::Twin | Verb::Duplex));
        own.next().map(answer).or_else(|| starred(of))
    };
    let duplex = |of: &QueryReport| {
        let own = made_of(of.span, Verb::Duplex, |verb| verb == Verb::Twin).next();
        own.map(|own| DuplexDocument {
            answer: searched(own),
            set_play: set_play(own).filter(|_| !has_set_play(own)),
        })
    };
    let twins = made_of(query.span, Verb::Twin, |_| false).filter_map(|other| {
        let twin = other.twin.as_deref()?;
        Some(TwinDocument {
            id: twin.letter.clone(),
            changes: twin.changes.clone(),
            fen: twin.fen.clone(),
            answers: vec![searched(other)],
            set_play: set_play(other),
            duplex: duplex(other),
        })
    });
    ProblemAnswer {
        answer: searched(query),
        set_play: set_play(query).filter(|_| !has_set_play(query)),
        duplex: duplex(query),
        twins: twins.collect(),
    }
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
    let query = |puzzle: &PuzzleReport, q: &QueryReport| SolveQuery {
        verb: q.verb.id(),
        range: range(q.span),
        answer: problem_answer(puzzle, q, play),
    };
    let puzzles = report.puzzles.iter().map(|p| SolvePuzzle {
        id: p.id_in(text).map(String::from),
        name: p.name_in(text).map(String::from),
        game: p.game.map_or_else(|| first_word(p.head), |g| g.word().to_string()),
        range: range(p.span),
        queries: p.queries.iter().map(|q| query(p, q)).collect(),
    });
    SolveFile { path: path.to_string(), puzzles: puzzles.collect() }
}
