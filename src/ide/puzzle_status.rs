//! The status of puzzles and queries in a few words, for code lenses and the board view.

use crate::analysis::{Outcome, PuzzleReport, QueryReport, Severities, solution_in_names};
use crate::board::Board;
use crate::diagnostic::{Code, Finding, Severity};
use crate::games::Answer;
use crate::ide::answer_text::{AnswerStyle, answer_in_words, shortened, squares_path};

/// The status of a puzzle: `✓ verified`, `2 of 3 verified`, or how many errors or warnings it has.
pub fn puzzle_state(report: &PuzzleReport, severities: &Severities) -> String {
    let count = |s: Severity| report.findings.iter().filter(|f| severities.shown(f.code) == s).count();
    let plural = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => {}
        (0, w) => return format!("⚠ {}", plural(w, "warning")),
        (e, _) => return format!("✗ {}", plural(e, "error")),
    }
    let answered = report.queries.iter().filter(|q| q.answered).count();
    match report.queries.len() {
        0 => "no query".into(),
        n if n == answered => "✓ verified".into(),
        n if answered == 0 => plural(n, "open question"),
        n => format!("{answered} of {n} verified"),
    }
}

/// The status of a query: `✓ verified`, `✗ step 5 is illegal`, or its answer if none is written.
pub fn query_state(
    query: &QueryReport,
    report: &PuzzleReport,
    board: Option<&Board>,
    severities: &Severities,
) -> String {
    let severity = |f: &Finding| severities.shown(f.code);
    let inside = |f: &&Finding| query.span.start <= f.span.start && f.span.end <= query.span.end;
    let worst = report.findings.iter().filter(inside).min_by_key(|f| severity(f));
    match (worst, &query.outcome) {
        (Some(f), _) if severity(f) == Severity::Error => format!("✗ {}", error_label(f)),
        (_, Outcome::Error(why)) => format!("✗ {why}"),
        (_, Outcome::Undecided(why)) => format!("undecided: {why}"),
        (_, Outcome::Answer(_)) if query.answered => "✓ verified".into(),
        (_, Outcome::Answer(answer)) => shortened(answer_in_words(answer, AnswerStyle::Short(board))),
    }
}

/// The message of a finding on a query, shortened.
fn error_label(finding: &Finding) -> String {
    let step = finding.message.strip_prefix("step ").and_then(|m| m.split_once(' ')).map(|(n, _)| n);
    match (finding.code, step) {
        (Code::WrongSolution, Some(n)) => format!("step {n} is illegal"),
        _ => shortened(finding.message.clone()),
    }
}

/// The report of the query at an offset, the query's end included.
pub fn query_at(report: &PuzzleReport, offset: u32) -> Option<&QueryReport> {
    report.queries.iter().find(|q| q.span.start <= offset && offset <= q.span.end)
}

/// The first move of a query's solution or capture: `d1xb2`, `a1:d4`.
pub fn next_move(query: &QueryReport) -> Option<String> {
    match &query.outcome {
        Outcome::Answer(Answer::Solve(Some(captures))) => captures.first().map(|c| solution_in_names(&[*c])),
        Outcome::Answer(Answer::Capture { lines, .. }) => {
            lines.first().map(|l| squares_path(&l.path[..l.path.len().min(2)]))
        }
        _ => None,
    }
}
