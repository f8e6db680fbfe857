//! Inlay hints: answers shown behind the queries that have none written. An error says by itself what is wrong.

use crate::answer_text::{AnswerStyle, answer_in_words};
use crate::code_actions::insert_answer::{insert_answer, insert_set_play};
use crate::puzzle_status::shortened;
use cpz_check::analysis::{Outcome, PuzzleReport, QueryReport};
use cpz_rules::board::Board;
use cpz_rules::games::Answer;
use cpz_text::diagnostic::{Edit, Span};

/// The longest label in characters; the tooltip has the full text.
const MAX_LABEL_CHARS: usize = 28;

/// An answer that an editor shows in the text without adding it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The end of the query.
    pub offset: u32,
    /// What is shown: `⇒ d1xb2 a2xb2 b2xb3`. Long answers are cut off between words.
    pub label: String,
    /// The full answer.
    pub tooltip: String,
    /// Writes the answer into the text; `None` if the answer is undecided or the puzzle has syntax errors.
    pub insert: Option<Edit>,
}

/// The hints of a puzzle's queries without a written answer. `board` is the puzzle's board.
pub fn inlay_hints(text: &str, report: &PuzzleReport, board: Option<&Board>) -> Vec<InlayHint> {
    let unanswered = report.queries.iter().filter(|q| !q.answered);
    let inside = |query: &QueryReport, at: Span| query.span.start <= at.start && at.end <= query.span.end;
    let has_finding = |query: &QueryReport| report.findings.iter().any(|f| inside(query, f.span));
    let hint = |query: &QueryReport| {
        let (short, long) = match &query.outcome {
            Outcome::Answer(Answer::Line) => return None,
            // An error, unless it is allowed.
            Outcome::Answer(Answer::Solve(None) | Answer::Move(Some(_))) if has_finding(query) => {
                return None;
            }
            outcome => in_words(outcome, board)?,
        };
        let insert = if report.broken { None } else { insert_answer(text, query, report) };
        let label = shortened(format!("⇒ {short}"), MAX_LABEL_CHARS);
        Some(InlayHint { offset: query.asked.end, label, tooltip: long, insert })
    };
    unanswered.filter_map(hint).chain(set_plays(text, report)).collect()
}

/// What came of a query in short and in full; `None` where it was not evaluated.
fn in_words(outcome: &Outcome, board: Option<&Board>) -> Option<(String, String)> {
    match outcome {
        Outcome::Answer(answer) => Some((
            answer_in_words(answer, AnswerStyle::Short(board)),
            answer_in_words(answer, AnswerStyle::Long(board)),
        )),
        Outcome::Undecided(why) => Some(("undecided".to_string(), format!("undecided: {why}"))),
        Outcome::Error(_) | Outcome::NotAsked(_) => None,
    }
}

/// The set play that a star asks for, behind the whole query.
fn set_plays(text: &str, report: &PuzzleReport) -> impl Iterator<Item = InlayHint> {
    report.queries.iter().filter_map(move |query| {
        let (short, long) = match query.set_play.as_deref()? {
            Outcome::Answer(Answer::Sequences { solutions, .. }) if solutions.is_empty() => {
                ("none".to_string(), "there is no set play".to_string())
            }
            outcome => in_words(outcome, None)?,
        };
        let insert = if report.broken { None } else { insert_set_play(text, query, report) };
        let label = shortened(format!("set play ⇒ {short}"), MAX_LABEL_CHARS);
        Some(InlayHint { offset: query.span.end, label, tooltip: format!("set play: {long}"), insert })
    })
}
