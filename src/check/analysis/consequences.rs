//! One slip is one finding: what follows from a syntax error in a puzzle is not reported beside it.

use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::{Node, NodeKind, Puzzle, TokenKind};

/// Removes the findings that follow from a syntax error of a puzzle:
///
/// - what cannot be read directly behind an item that lacks something;
/// - what is wrong in the contents of a board, a question or an answer in which a bracket or a quote is wrong, or behind which a
///   part is torn off: what is read of it is not what was meant;
/// - that there is no board, where a part of the puzzle cannot be read.
pub(super) fn drop_consequences(findings: &mut Vec<Finding>, puzzle: Puzzle<'_>) {
    ask_in_prose(findings, puzzle);
    let text = puzzle.node().tree().text();
    let is_error = |f: &Finding| matches!(f.code, Code::Syntax | Code::UnknownKeyword);
    let mut errors: Vec<(Span, Code)> =
        findings.iter().filter(|f| is_error(f)).map(|f| (f.span, f.code)).collect();
    errors.sort_by_key(|(span, _)| span.start);
    let errors_in = |start: u32, end: u32| {
        let first = errors.partition_point(|(at, _)| at.start < start);
        errors[first..].iter().take_while(move |(at, _)| at.start < end)
    };
    let is_mark = |at: Span| text[at.range()].starts_with(['[', ']', '(', ')', '{', '}', '"', '\'']);
    // Items whose contents are not what was meant, and the starts of what is torn off behind them.
    let (mut torn, mut behind) = (Vec::new(), Vec::new());
    let mut lacks_parts = false;
    let mut nodes = puzzle.node().children().peekable();
    while let Some(node) = nodes.next() {
        let span = node.span();
        let next = nodes.peek().map(|next| next.span().start);
        let end = next.unwrap_or(puzzle.span().end);
        let has_mark = errors_in(span.start, end).any(|(at, _)| is_mark(*at));
        lacks_parts |= has_mark || node.kind() == NodeKind::Error;
        if node.kind() == NodeKind::Error {
            continue;
        }
        let is_torn_off = |other: &Node<'_>| other.kind() == NodeKind::Error;
        let stray = next.filter(|_| nodes.peek().is_some_and(is_torn_off));
        let of_keyword = errors_in(span.start, span.start + 1).next();
        behind.extend(stray.filter(|_| of_keyword.is_some_and(|(_, code)| *code == Code::Syntax)));
        // Where a bracket is missing in an answer, the place in the answer says more than the last bracket, which closes nothing.
        let at_bracket = stray.filter(|at| text[*at as usize..].starts_with(']'));
        let inside = |f: &Finding| span.start <= f.span.start && f.span.end <= span.end;
        let is_form = |f: &Finding| f.code == Code::InvalidValue && inside(f);
        if node.kind() == NodeKind::Query && at_bracket.is_some() && findings.iter().any(is_form) {
            behind.extend(at_bracket);
            continue;
        }
        let has_stray = stray.is_some_and(|at| errors_in(at, at + 1).next().is_some());
        if has_mark || has_stray {
            torn.push(span);
        }
    }
    findings.retain(|f| {
        let next = torn.partition_point(|span| span.start <= f.span.start);
        let is_inside = next.checked_sub(1).is_some_and(|i| f.span.end <= torn[i].end);
        let is_behind = is_error(f) && behind.binary_search(&f.span.start).is_ok();
        !(is_inside && is_about_contents(f.code) || lacks_parts && f.code == Code::MissingBoard || is_behind)
    });
}

/// Whether a code is about what a board, a question or an answer holds.
fn is_about_contents(code: Code) -> bool {
    matches!(
        code,
        Code::BoardShape
            | Code::InvalidValue
            | Code::UnknownPiece
            | Code::MixedEmpty
            | Code::OffBoard
            | Code::OccupiedSquare
            | Code::WrongSolution
            | Code::WrongAnswer
    )
}

/// The bytes before a finding in which the line above it is looked for.
const MAX_LOOK: usize = 1_000;

/// Makes the fixes ask that may change a text of the author: in the line below a comment and behind a remark that is not closed,
/// which may go on there, and behind a text that a quote within it has closed.
fn ask_in_prose(findings: &mut [Finding], puzzle: Puzzle<'_>) {
    if !findings.iter().any(|finding| finding.fixes.iter().any(|fix| fix.safe)) {
        return;
    }
    let (tree, span) = (puzzle.node().tree(), puzzle.span());
    let text = tree.text();
    let tokens = || tree.tokens_in(span);
    let remark = tokens().find(|token| token.kind() == TokenKind::UnclosedRemark);
    let remark = remark.map_or(u32::MAX, |token| token.span().end);
    let begins_word = |at: u32| text[at as usize..].starts_with(char::is_alphanumeric);
    let torn = tokens().find(|token| token.kind() == TokenKind::String && begins_word(token.span().end));
    let torn = torn.map(|token| token.span().end as usize);
    let torn = torn.map(|at| at..text[at..].find('\n').map_or(text.len(), |length| at + length));
    for finding in findings {
        let at = finding.span.start as usize;
        let from = at.saturating_sub(MAX_LOOK).max(span.start as usize);
        let mut lines = text.as_bytes()[from..at.max(from)].rsplit(|&byte| byte == b'\n');
        let above = lines.nth(1).unwrap_or_default();
        let is_below_comment =
            above.windows(2).any(|sign| sign == b"//") || above.trim_ascii_start().starts_with(b"#");
        let is_torn = torn.as_ref().is_some_and(|line| line.contains(&at));
        if is_below_comment || is_torn || remark as usize <= at {
            finding.fixes.iter_mut().for_each(|fix| fix.safe = false);
        }
    }
}
