//! The status of puzzles and queries in a few words, for code lenses and the board view.

use crate::cursor::span_touches;
use cpz_check::analysis::{Outcome, PuzzleReport, QueryReport, Severities};
use cpz_rules::games::Answer;
use cpz_text::diagnostic::{Code, Finding, Severity, Span};
use cpz_text::syntax::{Puzzle, Token, TokenKind};

/// The longest status in characters.
const MAX_STATUS_CHARS: usize = 72;

/// The status of a puzzle, and the place of its first trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleStatus {
    /// `✓ 3 verified`, `1 verified, 2 open`, `✗ step 5: the pawn on d2 cannot capture on b4`.
    pub text: String,
    /// Where the error or warning is that the text speaks of.
    pub trouble: Option<Span>,
}

/// The status of a puzzle. While its board is typed, which is the `draft`, what is wrong in it is no trouble yet.
pub fn puzzle_status(report: &PuzzleReport, severities: &Severities, draft: Option<Span>) -> PuzzleStatus {
    let severity = |f: &Finding| severities.shown(f);
    let is_trouble = |f: &&Finding| severity(f) <= Severity::Warning;
    let mut troubles: Vec<&Finding> = report.findings.iter().filter(is_trouble).collect();
    let before = troubles.len();
    let is_typed = |f: &&Finding, board: Span| {
        matches!(f.code, Code::BoardShape | Code::MissingBoard)
            || board.start <= f.span.start && f.span.end <= board.end
    };
    troubles.retain(|f| !draft.is_some_and(|board| is_typed(f, board)));
    if let Some(first) = troubles.iter().min_by_key(|f| (severity(f), f.span.start)) {
        let mark = if severity(first) == Severity::Error { '✗' } else { '⚠' };
        let more = match troubles.len() - 1 {
            0 => String::new(),
            n => format!(" (and {n} more)"),
        };
        let text = format!("{mark} {}{more}", shortened(in_short(first), MAX_STATUS_CHARS - more.len()));
        return PuzzleStatus { text, trouble: Some(first.span) };
    }
    let text = match before > troubles.len() {
        true if report.findings.iter().any(|f| f.code == Code::MissingBoard) => "no board yet".into(),
        true => "the board is not finished".into(),
        false => queries_in_words(report),
    };
    PuzzleStatus { text, trouble: None }
}

/// How many queries are verified and how many are open.
fn queries_in_words(report: &PuzzleReport) -> String {
    let asked = || report.queries.iter().filter(|q| !matches!(q.outcome, Outcome::NotAsked(_)));
    let verified = asked().filter(|q| is_verified(q, report)).count();
    let open = asked().filter(|q| !q.answered).count();
    let unchecked = asked().count() - verified - open;
    if unchecked == 0 && open == 0 {
        return match verified {
            0 => "no question yet".into(),
            1 => "✓ verified".into(),
            n => format!("✓ {n} verified"),
        };
    }
    let parts = [(verified, "verified"), (unchecked, "not checked"), (open, "open")];
    let parts = parts.into_iter().filter(|p| p.0 > 0).map(|(n, what)| format!("{n} {what}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// Whether everything that is written behind a query was checked and is right.
pub(crate) fn is_verified(query: &QueryReport, report: &PuzzleReport) -> bool {
    let inside = |s: &Span| query.span.start <= s.start && s.end <= query.span.end;
    query.answered
        && matches!(query.outcome, Outcome::Answer(_))
        && !report.broken
        && !report.silenced.iter().any(|(_, s)| inside(s))
        && !report.findings.iter().any(|f| f.code != Code::UnusedAllow && inside(&f.span))
}

/// A finding in the words of its message: `step 5: the pawn on d2 cannot capture on b4`.
fn in_short(finding: &Finding) -> String {
    let step = finding.message.strip_prefix("step ").and_then(|m| m.split_once(" fails: "));
    match (finding.code, step) {
        (Code::WrongSolution, Some((n, why))) => format!("step {n}: {why}"),
        _ => finding.message.clone(),
    }
}

/// Whether a finding depends on other puzzles, so that the report of its own puzzle does not have it.
pub fn depends_on_others(code: Code) -> bool {
    code.name().starts_with("duplicate-")
}

/// The board of a puzzle that is being typed at an offset, which is in it or in the white space behind it; or the place of the
/// offset, if the puzzle has neither board nor query yet.
pub fn draft_of(puzzle: Puzzle<'_>, offset: u32) -> Option<Span> {
    let Some(board) = puzzle.boards().next() else {
        let is_new = puzzle.queries().next().is_none() && span_touches(puzzle.span(), offset);
        return is_new.then_some(Span::at(offset));
    };
    let last = board.node().last_token().unwrap_or(board.keyword());
    let next = std::iter::successors(last.next(), |t| t.next()).find(|t| t.kind() != TokenKind::Space);
    let (end, is_closed) = next.map_or((u32::MAX, true), |t| (t.span().start, t.kind() == TokenKind::RBrace));
    // The start of another word belongs to that word.
    let is_here = board.span().start <= offset && (offset < end || is_closed && offset == end);
    is_here.then_some(board.span())
}

/// Leaves out of a report what is not written yet while a puzzle is typed: the word before the offset, and the brace that is not
/// closed, if all of the puzzle is before the offset.
pub fn forgive_unfinished(report: &mut PuzzleReport, puzzle: Puzzle<'_>, offset: u32) {
    let text = puzzle.node().tree().text();
    let blanks = |from: u32| {
        text.get(from as usize..offset as usize).is_some_and(|t| t.trim_matches([' ', '\t']).is_empty())
    };
    let is_word = |f: &Finding| matches!(f.code, Code::Syntax | Code::UnknownKeyword) && blanks(f.span.end);
    report.findings.retain(|f| !is_word(f));
    let written = |t: &Token<'_>| !t.kind().is_trivia();
    let Some(last) = puzzle.node().tokens().filter(written).last() else { return };
    let brace = puzzle.node().tokens().find(|t| t.kind() == TokenKind::LBrace);
    let Some(brace) = brace.filter(|_| last.kind() != TokenKind::RBrace && last.span().end <= offset) else {
        return;
    };
    let is_unfinished = |f: &Finding| {
        matches!(f.code, Code::Syntax | Code::UnknownKeyword)
            && (f.span == brace.span() || f.span.end >= last.span().end)
    };
    report.findings.retain(|f| !is_unfinished(f));
}

/// The report of the query at an offset, the query's end included.
pub fn query_at(report: &PuzzleReport, offset: u32) -> Option<&QueryReport> {
    report.queries.iter().find(|q| q.span.start <= offset && offset <= q.span.end)
}

/// Whether a query has a solution or a capture that can be played.
pub fn is_playable(query: &QueryReport) -> bool {
    match &query.outcome {
        Outcome::Answer(Answer::Solve(Some(captures))) => !captures.is_empty(),
        Outcome::Answer(Answer::Capture { lines, .. }) => !lines.is_empty(),
        _ => false,
    }
}

/// Cuts a label off between words so that it has at most `max` characters. A quotation in it is closed.
pub(crate) fn shortened(label: String, max: usize) -> String {
    if label.chars().count() <= max {
        return label;
    }
    let upto = |chars: usize| {
        let end = label.char_indices().nth(chars).map_or(label.len(), |(i, _)| i);
        let cut = label[..end].rfind(' ').filter(|&i| i > end / 2).unwrap_or(end);
        label[..cut].trim_end_matches([' ', ',', ':', ';'])
    };
    let is_open = |text: &str| !text.matches('`').count().is_multiple_of(2);
    match upto(max - 1) {
        text if !is_open(text) => format!("{text}…"),
        _ if is_open(upto(max - 2)) => format!("{}…`", upto(max - 2)),
        _ => format!("{}…", upto(max - 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn labels_are_cut_between_words_and_close_their_quotations() {
        for (label, max, cut) in [
            ("as it is", 8, "as it is"),
            ("a longer label", 10, "a longer…"),
            ("write `mate in 2` now", 15, "write `mate…`"),
            ("write `mate` again now", 16, "write `mate`…"),
        ] {
            let found = shortened(label.into(), max);
            assert!(found == cut && found.chars().count() <= max, "{label}: {found}");
        }
    }
}
