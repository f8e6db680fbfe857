//! Inserting answers behind queries that have none.

use crate::on_type::indent_of;
use cpz_check::analysis::{
    FileReport, Outcome, PuzzleReport, QueryReport, answer_text, begins_with_set_play,
};
use cpz_rules::games::Answer;
use cpz_text::diagnostic::{Code, Edit, LineEnd, Span};
use cpz_text::syntax::set_apart;

/// The edits that insert every known answer. The answers `none` and `illegal` remove a finding, so they are inserted
/// only if `all`.
pub fn insert_answers(text: &str, report: &FileReport, all: bool) -> Vec<Edit> {
    // Skip puzzles with syntax errors: their answers may not be those intended.
    let readable = report.puzzles.iter().filter(|p| !p.broken);
    readable.flat_map(|p| insert_puzzle_answers(text, p, all)).collect()
}

/// The same for one puzzle without syntax errors, with the set play that a star asks for.
pub fn insert_puzzle_answers(text: &str, puzzle: &PuzzleReport, all: bool) -> Vec<Edit> {
    let answers = unanswered(puzzle, all).filter_map(|q| insert_answer(text, q, puzzle));
    let set_plays = puzzle.queries.iter().filter_map(|q| insert_set_play(text, q, puzzle));
    let mut edits: Vec<Edit> = answers.chain(set_plays).collect();
    edits.sort_by_key(|edit| edit.span.start);
    edits
}

/// The edit that writes the set play that a star asks for, as a query of its own behind the query. `None` if there is none,
/// if it is not known, if a query asks for it, or if the written solution begins with it.
pub fn insert_set_play(text: &str, query: &QueryReport, puzzle: &PuzzleReport) -> Option<Edit> {
    let Some(Outcome::Answer(found)) = query.set_play.as_deref() else { return None };
    let answer =
        answer_text(found, puzzle.origin, puzzle.notation, false).filter(|answer| answer != "none")?;
    let (start, end) = (query.span.start as usize, query.span.end as usize);
    let written = text[start..end].split_once("=>").map_or("", |(_, written)| written);
    if begins_with_set_play(written.trim_start_matches(|c: char| c.is_whitespace() || "\"'[".contains(c))) {
        return None;
    }
    let line = text[..start].rfind(['\n', '\r']).map_or(0, |i| i as u32 + 1);
    // A comment behind the query stays with it.
    let rest = &text[end..];
    let rest = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
    let is_free = rest.trim_start().is_empty() || rest.trim_start().starts_with("//");
    let (at, text) = match is_free && text[line as usize..start].trim().is_empty() {
        true => (
            end + rest.len(),
            format!("{}{}set-play => {answer}", LineEnd::at(text, end).as_str(), indent_of(text, line)),
        ),
        false => (end, set_apart(text, end as u32, format!(" set-play => {answer}"))),
    };
    Some(Edit { span: Span::at(at as u32), text })
}

/// The number of answers that [`insert_answers`] leaves out because their puzzles have syntax errors.
pub fn answers_not_written(report: &FileReport, all: bool) -> usize {
    report.puzzles.iter().filter(|p| p.broken).map(|p| unanswered(p, all).count()).sum()
}

/// The queries without a written answer whose answer is known; without `all` only those whose answer removes no
/// finding.
fn unanswered(puzzle: &PuzzleReport, all: bool) -> impl Iterator<Item = &QueryReport> {
    let is_known = |query: &QueryReport| matches!(query.outcome, Outcome::Answer(_)) && !query.answered;
    puzzle.queries.iter().filter(move |query| is_known(query) && (all || !removes_finding(query, puzzle)))
}

/// Whether writing the answer of a query removes a finding: the answer `none` or `illegal`, or a list of all keys where
/// fewer are intended.
pub fn removes_finding(query: &QueryReport, puzzle: &PuzzleReport) -> bool {
    match &query.outcome {
        Outcome::Answer(Answer::Solve(None) | Answer::Move(Some(_))) => true,
        Outcome::Answer(Answer::Keys { keys, .. }) if keys.is_empty() => true,
        Outcome::Answer(Answer::Sequences { solutions, .. }) if solutions.is_empty() => true,
        Outcome::Answer(Answer::SetPlay { variations, .. }) if variations.is_empty() => true,
        Outcome::Answer(Answer::Keys { .. } | Answer::Sequences { .. }) => {
            let is_found = |code: Code| {
                puzzle.findings.iter().any(|f| f.code == code && query.asked.cover(f.span) == query.asked)
            };
            // Other keys that follow from a short solution are not told.
            is_found(Code::Cook) && !is_found(Code::ShortSolution)
        }
        _ => false,
    }
}

/// The edit that inserts the answer behind a query. `None` if an answer is written or none is known.
pub fn insert_answer(text: &str, query: &QueryReport, puzzle: &PuzzleReport) -> Option<Edit> {
    let Outcome::Answer(answer) = &query.outcome else { return None };
    let answer = answer_text(answer, puzzle.origin, puzzle.notation, true).filter(|_| !query.answered)?;
    let end = query.asked.end;
    Some(Edit { span: Span::at(end), text: set_apart(text, end, format!(" => {answer}")) })
}
