//! Answers put behind the queries that have none.

use crate::analysis::{FileReport, Outcome, PuzzleReport, QueryReport, answer_text};
use crate::games::Answer;
use crate::syntax::{Edit, Span, set_apart};

/// The edits that write every known answer; `none` and `illegal`, which silence a finding, only if
/// `all` are wanted.
pub fn insert_answers(text: &str, report: &FileReport, all: bool) -> Vec<Edit> {
    let mut edits = Vec::new();
    // What a puzzle that cannot be read whole would say is no answer to what was meant.
    for puzzle in report.puzzles.iter().filter(|p| !p.broken) {
        for query in puzzle.queries.iter().filter(|q| !q.answered) {
            let Outcome::Answer(answer) = &query.outcome else { continue };
            let silences = matches!(answer, Answer::Solve(None) | Answer::Move(Some(_)));
            if silences && !all {
                continue;
            }
            edits.extend(insertion(text, query, puzzle));
        }
    }
    edits
}

/// The edit that writes the answer of a puzzle's query behind it; nothing where it has one or none is
/// known.
pub fn insertion(text: &str, query: &QueryReport, puzzle: &PuzzleReport) -> Option<Edit> {
    let Outcome::Answer(answer) = &query.outcome else { return None };
    let answer = answer_text(answer, puzzle.origin, puzzle.notation, true).filter(|_| !query.answered)?;
    let end = query.asked.end;
    Some(Edit { span: Span::at(end), text: set_apart(text, end, format!(" => {answer}")) })
}
