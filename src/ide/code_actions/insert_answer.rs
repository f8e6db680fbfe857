//! Answers put behind the queries that have none.

use crate::analysis::{FileReport, Outcome, PuzzleReport, QueryReport, answer_text};
use crate::diagnostic::{Edit, Span};
use crate::games::Answer;
use crate::syntax::set_apart;

/// The edits that write every known answer; `none` and `illegal`, which silence a finding, only if
/// `all` are wanted.
pub fn insert_answers(text: &str, report: &FileReport, all: bool) -> Vec<Edit> {
    // What a puzzle that cannot be read whole would say is no answer to what was meant.
    let whole = report.puzzles.iter().filter(|p| !p.broken);
    whole.flat_map(|p| wanting(p, all).filter_map(|q| insert_answer(text, q, p))).collect()
}

/// How many answers [`insert_answers`] leaves out because their puzzles have syntax errors.
pub fn answers_not_written(report: &FileReport, all: bool) -> usize {
    report.puzzles.iter().filter(|p| p.broken).map(|p| wanting(p, all).count()).sum()
}

/// The queries that have no answer yet although one is known, and writing it silences no finding unless `all`.
fn wanting(puzzle: &PuzzleReport, all: bool) -> impl Iterator<Item = &QueryReport> {
    puzzle.queries.iter().filter(move |query| match &query.outcome {
        Outcome::Answer(Answer::Solve(None) | Answer::Move(Some(_))) => all && !query.answered,
        Outcome::Answer(_) => !query.answered,
        _ => false,
    })
}

/// The edit that writes the answer of a puzzle's query behind it; nothing where it has one or none is
/// known.
pub fn insert_answer(text: &str, query: &QueryReport, puzzle: &PuzzleReport) -> Option<Edit> {
    let Outcome::Answer(answer) = &query.outcome else { return None };
    let answer = answer_text(answer, puzzle.origin, puzzle.notation, true).filter(|_| !query.answered)?;
    let end = query.asked.end;
    Some(Edit { span: Span::at(end), text: set_apart(text, end, format!(" => {answer}")) })
}
