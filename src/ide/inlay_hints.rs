//! Answers beside the queries that have none, and the state of every puzzle and query.

use crate::analysis::{Outcome, PuzzleReport, QueryReport, Severities, solution_in_names};
use crate::board::{Board, Kind};
use crate::diagnostic::{Code, Edit, Finding, Severity};
use crate::games::{Answer, Line, Reason};
use crate::ide::code_actions::insert_answer::insertion;

/// The longest label before it is cut short; the tooltip has it whole.
const MOST: usize = 72;

/// An answer shown in the text without being in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where it stands: behind the query.
    pub offset: u32,
    /// What is shown: `⇒ d1xb2 a2xb2 b2xb3`.
    pub label: String,
    /// All of it.
    pub tooltip: String,
    /// What writes it into the text; nothing where there is no answer to write.
    pub insert: Option<Edit>,
}

/// The hints of a puzzle's queries without a written answer. `board` is the puzzle's own.
pub fn hints(text: &str, report: &PuzzleReport, board: Option<&Board>) -> Vec<Hint> {
    let unanswered = report.queries.iter().filter(|q| !q.answered);
    let hint = |query: &QueryReport| {
        let (short, long) = match &query.outcome {
            Outcome::Answer(answer) => (summary(answer, board), whole(answer, board)),
            Outcome::Undecided(why) => ("undecided".to_string(), format!("undecided: {why}")),
            Outcome::Error(_) => return None,
        };
        let insert = if report.broken { None } else { insertion(text, query, report) };
        Some(Hint { offset: query.asked.end, label: cut(format!("⇒ {short}")), tooltip: long, insert })
    };
    unanswered.filter_map(hint).collect()
}

fn cut(label: String) -> String {
    match label.char_indices().nth(MOST) {
        None => label,
        Some((end, _)) => format!("{}…", label[..end].trim_end()),
    }
}

/// An answer in a few words.
pub fn summary(answer: &Answer, board: Option<&Board>) -> String {
    match answer {
        Answer::Solve(None) => "no solution".into(),
        Answer::Solve(Some(captures)) if captures.is_empty() => "solved already".into(),
        Answer::Solve(Some(captures)) => solution_in_names(captures),
        Answer::Count { count, distinct } => counts(*count, *distinct),
        Answer::Move(None) => "legal".into(),
        Answer::Move(Some(reason)) => format!("illegal: {reason}"),
        Answer::Mate { status, .. } => status.word().into(),
        Answer::Capture { lines, .. } => match lines.iter().max_by_key(|l| l.taken.len()) {
            None => "none".into(),
            Some(best) => taken(best, board),
        },
    }
}

/// An answer in full, a line for each of its parts.
fn whole(answer: &Answer, board: Option<&Board>) -> String {
    let mut lines = vec![summary(answer, board)];
    match answer {
        Answer::Mate { reasons, side, .. } => {
            lines[0] = format!("{}: {}", side.name(), lines[0]);
            lines.extend(Reason::texts(reasons));
        }
        Answer::Capture { lines: all, .. } => lines.extend(all.iter().map(path)),
        _ => {}
    }
    lines.join("\n")
}

/// A capture by its squares: `a1:d4:h8`.
pub fn path(line: &Line) -> String {
    let squares: Vec<String> = line.path.iter().map(|&s| crate::board::square_name(s, false)).collect();
    squares.join(":")
}

/// `204 solutions, 20 distinct`, as far as it is known.
fn counts(count: Option<u128>, distinct: Option<u128>) -> String {
    let solutions = match count {
        None => "solutions not counted".to_string(),
        Some(0) => return "no solution".into(),
        Some(1) => return "1 solution".into(),
        Some(n) => format!("{n} solutions"),
    };
    match distinct {
        None => solutions,
        Some(d) => format!("{solutions}, {d} distinct"),
    }
}

/// What a capture takes: `2 men`, `1 man and 1 king`.
fn taken(line: &Line, board: Option<&Board>) -> String {
    let kinds = |kind: Kind| {
        let on = |s: &&crate::board::Square| board.and_then(|b| b.at(**s)).is_some_and(|p| p.kind == kind);
        line.taken.iter().filter(on).count()
    };
    let (men, kings) = (kinds(Kind::Man), kinds(Kind::King));
    let words = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    match (men, kings) {
        (0, 0) => words(line.taken.len(), "piece", "pieces"),
        (_, 0) => words(men, "man", "men"),
        (0, _) => words(kings, "king", "too-many-kings"),
        _ => format!("{} and {}", words(men, "man", "men"), words(kings, "king", "too-many-kings")),
    }
}

/// The state of a query in a few words: `✓ verified`, `✗ step 5 is illegal`, `204 solutions, 20 distinct`.
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
        (Some(f), _) if severity(f) == Severity::Error => format!("✗ {}", wrong(f)),
        (_, Outcome::Error(why)) => format!("✗ {why}"),
        (_, Outcome::Undecided(why)) => format!("undecided: {why}"),
        (_, Outcome::Answer(_)) if query.answered => "✓ verified".into(),
        (_, Outcome::Answer(answer)) => cut(summary(answer, board)),
    }
}

/// The state of a puzzle: how much of it is verified, or what is wrong.
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
        0 => "nothing is asked".into(),
        n if n == answered => "✓ verified".into(),
        n if answered == 0 => plural(n, "open question"),
        n => format!("{answered} of {n} verified"),
    }
}

/// A finding on a query in a few words.
fn wrong(finding: &Finding) -> String {
    let step = finding.message.strip_prefix("step ").and_then(|m| m.split_once(' ')).map(|(n, _)| n);
    match (finding.code, step) {
        (Code::WrongSolution, Some(n)) => format!("step {n} is illegal"),
        _ => cut(finding.message.clone()),
    }
}

/// The span of the query round an offset, for those who act on it.
pub fn query_at(report: &PuzzleReport, offset: u32) -> Option<&QueryReport> {
    report.queries.iter().find(|q| q.span.start <= offset && offset <= q.span.end)
}

/// The next move of a query's answer, alone: `d1xb2`.
pub fn next_move(query: &QueryReport) -> Option<String> {
    match &query.outcome {
        Outcome::Answer(Answer::Solve(Some(captures))) => captures.first().map(|c| solution_in_names(&[*c])),
        Outcome::Answer(Answer::Capture { lines, .. }) => lines.first().map(|l| {
            let start = Line { path: l.path[..l.path.len().min(2)].to_vec(), taken: Vec::new() };
            path(&start)
        }),
        _ => None,
    }
}
