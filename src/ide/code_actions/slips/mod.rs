//! Fixes of one slip: edits of a sign or a word after which nothing is wrong.
//!
//! A rule for each mistake would never end. Instead the edits that undo what a hand does are tried near a finding: a sign too
//! many or too few, its neighbour on the keyboard, two in the wrong order, a word twice or in another language. Offered are
//! those after which the finding is gone and no other has come. Cells, brackets, moves and written answers must all fit, so
//! few edits pass; of many, the first few are offered.

mod candidates;
#[cfg(test)]
mod tests;
mod unit;

use std::sync::Arc;

use cpz_check::analysis::{Config, Defaults, Options, analyse};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, LineEnd, Severity, Span};
use cpz_text::syntax::{NodeKind, TokenKind, Tree, parse};

use candidates::{COMMENT, Candidate, candidates, empty_cells};
use unit::Unit;

/// The most fixes of a finding. Where more edits pass, the first ones are offered.
const MAX_FIXES: usize = 4;

/// The bytes that are parsed for one finding: some ten milliseconds.
const MAX_PARSED: usize = 4_000_000;

/// The edits that are analysed for one finding, after the parser has found no fault with them.
const MAX_ANALYSED: usize = 300;

/// The node budget of a search in such an analysis.
const NODES: u64 = 1000;

/// The edits that are analysed again with more nodes, since what they make is undecided, and these nodes.
const MAX_UNDECIDED: usize = 5;
const MORE_NODES: u64 = 60_000;

/// What is wrong with a text, and what is in it.
struct Verdict {
    findings: Vec<Finding>,
    /// Whether a search gave no answer.
    is_undecided: bool,
    parts: Parts,
}

/// What no fix may take away.
struct Parts {
    puzzles: usize,
    boards: usize,
    queries: usize,
    answers: usize,
    /// The texts in quotes, each of which may be a solution.
    strings: usize,
    /// The letters of the boards, and the digits of those in rows but zero: each may be a man.
    letters: usize,
}

impl Parts {
    fn of(tree: &Tree) -> Parts {
        let mut parts = Parts { puzzles: 0, boards: 0, queries: 0, answers: 0, strings: 0, letters: 0 };
        parts.strings = tree.tokens().filter(|t| t.kind() == TokenKind::String).count();
        let mut nodes = vec![tree.root()];
        while let Some(node) = nodes.pop() {
            match node.kind() {
                NodeKind::Puzzle => parts.puzzles += 1,
                NodeKind::Board => {
                    parts.boards += 1;
                    let words = node.tokens().filter(|t| !t.kind().is_trivia());
                    let in_rows = !node.text().contains(['/', '[', ':']);
                    let is_man = |c: &char| c.is_alphabetic() || in_rows && matches!(c, '1'..='9');
                    let letters = |word: &str| word.chars().filter(is_man).count();
                    parts.letters += words.map(|t| letters(t.text())).sum::<usize>();
                }
                NodeKind::Query => parts.queries += 1,
                NodeKind::Answer => parts.answers += 1,
                _ => {}
            }
            nodes.extend(node.children());
        }
        parts
    }

    fn has_all_of(&self, other: &Parts) -> bool {
        self.puzzles >= other.puzzles
            && self.boards >= other.boards
            && self.queries >= other.queries
            && self.answers >= other.answers
            && self.strings >= other.strings
    }
}

/// Whether findings of a code come of what is written, so that one sign can cause them. The others are about what is asked.
pub fn can_be_slip(code: Code) -> bool {
    (code as usize) <= Code::TooManyKings as usize
        || matches!(code, Code::InvalidValue | Code::IllegalMove | Code::WrongSolution)
}

/// The fixes of a finding that undo one slip, the most evident first. None of them is safe: each is a guess, and its title says
/// so. `defaults` are those in force at the start of the text.
pub fn slip_fixes(text: &str, defaults: Defaults, finding: &Finding) -> Vec<Fix> {
    // A comment in the signs of other languages has its own fix; its parts are no words of a puzzle.
    if ["/*", "*/"].iter().any(|sign| text[finding.span.range()].starts_with(sign)) {
        return Vec::new();
    }
    let Some(unit) = can_be_slip(finding.code).then(|| Unit::around(text, finding.span)).flatten() else {
        return Vec::new();
    };
    let config = Arc::new(Config { settings: defaults, ..Config::default() });
    let judge_within = |tree: &Tree, nodes: u64| {
        let report = analyse(tree, &Options { nodes, ..Options::new(config.clone()) });
        let found = report.findings().into_iter().map(|(finding, _)| finding);
        let found = found.filter(|f| report.severities.shown(f) != Severity::Hint);
        let (undecided, findings): (Vec<Finding>, Vec<Finding>) =
            found.cloned().partition(|f| f.code == Code::Undecided);
        Verdict { findings, is_undecided: !undecided.is_empty(), parts: Parts::of(tree) }
    };
    let judge = |tree: &Tree| judge_within(tree, NODES);
    let tree = parse(unit.text.as_str());
    let (before, comments) = (judge(&tree), comments(&tree));
    let is_it = |f: &Finding| f.code == finding.code && f.message == finding.message;
    if !before.findings.iter().any(is_it) {
        return Vec::new();
    }
    let board = tree.puzzles().next().and_then(|puzzle| puzzle.boards().next());
    let board = board.map(|board| board.span().start as usize..board.span().end as usize);
    // There a question may be what is misspelt.
    let begins_line = unit.text[..unit.at].trim_end_matches([' ', '\t']).ends_with('\n');
    let syntax = tree.errors().len();
    let is_syntax = finding.code == Code::Syntax || finding.code == Code::UnknownKeyword;
    let (mut unparsed, mut analysed, mut undecided) = (MAX_PARSED, 0, 0);
    let mut fixes: Vec<(Fix, String)> = Vec::new();
    let cells = if finding.code == Code::BoardShape { empty_cells(&unit) } else { Vec::new() };
    // Where blanks part the cells, a sign more in the row makes two cells of one.
    let is_spaced = !cells.is_empty() && unit.text[unit.at..unit.end].contains(' ');
    let is_glued = |c: &Candidate| is_spaced && c.from == c.to && (unit.at..=unit.end).contains(&c.from);
    let others = candidates(&unit, &tree, syntax > 0).into_iter().filter(|c| !is_glued(c));
    let all = cells.into_iter().chain(others);
    for candidate in all.filter(|c| c.new != COMMENT || !is_inside_item(&tree, c.from)) {
        let new = candidate.applied(&unit.text);
        if has_result_at(&new, candidate.from) && !has_result_at(&unit.text, candidate.from) {
            continue;
        }
        let Some(left) = unparsed.checked_sub(new.len()).filter(|_| analysed <= MAX_ANALYSED) else { break };
        unparsed = left;
        let tree = parse(new);
        let is_better = if is_syntax { tree.errors().len() < syntax } else { tree.errors().len() <= syntax };
        let is_kept = candidate.makes_or_ends_comment() || self::comments(&tree) == comments;
        if !is_better || !is_kept {
            continue;
        }
        analysed += before.parts.queries.max(1);
        let after = judge(&tree);
        // Another position is no guess where more than the finding depends on it.
        let is_elsewhere = board.as_ref().is_some_and(|board| {
            board.contains(&candidate.from) && !board.contains(&unit.at) && !after.findings.is_empty()
        });
        // What cannot be read has no finding of another code: the edit would only hide this one.
        let hides = |f: &Finding| {
            f.code == Code::Syntax && (f.span.start..=f.span.end).contains(&(candidate.from as u32))
        };
        let is_known =
            |f: &Finding| before.findings.iter().any(|b| b.code == f.code && b.message == f.message);
        if after.findings.len() >= before.findings.len()
            || after.findings.iter().any(is_it)
            || !is_syntax && after.findings.iter().any(hides)
            || !after.findings.iter().all(is_known)
            || is_elsewhere
            || !candidate.removes_copy(&unit.text)
                && (!after.parts.has_all_of(&before.parts)
                    || candidate.from < candidate.to && after.parts.letters < before.parts.letters)
        {
            continue;
        }
        // What is undecided may be wrong: then the edit is one of the marked text, which leaves the board and what is asked, and
        // more of the search is tried.
        if after.is_undecided {
            let is_in_board = board.as_ref().is_some_and(|board| board.contains(&candidate.from));
            let is_marked = candidate.from <= unit.end && candidate.to >= unit.at;
            let asks_more = after.parts.queries > before.parts.queries + usize::from(begins_line);
            if is_in_board || !is_marked || asks_more || undecided == MAX_UNDECIDED {
                continue;
            }
            undecided += 1;
            if !judge_within(&tree, MORE_NODES).findings.iter().all(is_known) {
                continue;
            }
        }
        let meaning = meaning(&tree);
        if fixes.iter().all(|(_, other)| *other != meaning) {
            if fixes.len() == MAX_FIXES {
                break;
            }
            fixes.push((candidate.fix(&unit, LineEnd::of(text)), meaning));
        }
    }
    let fixes: Vec<Fix> = fixes.into_iter().map(|(fix, _)| fix).collect();
    with_places(text, fixes, finding.span)
}

/// Adds what stands around the edit afterwards to titles that several fixes have, and to those of a sign that is not marked:
/// it may stand in many places of a line.
fn with_places(text: &str, mut fixes: Vec<Fix>, marked: Span) -> Vec<Fix> {
    const AROUND: usize = 6;
    let titles: Vec<String> = fixes.iter().map(|fix| fix.title.clone()).collect();
    for fix in &mut fixes {
        let Edit { span, text: new } = &fix.edits[0];
        let is_apart = span.end <= marked.start || marked.end <= span.start;
        let is_sign = is_apart && span.end - span.start == 1 && !fix.title.contains(" before ");
        if is_sign || titles.iter().filter(|title| **title == fix.title).count() > 1 {
            let (before, behind) = (&text[..span.start as usize], &text[span.end as usize..]);
            let start = before.char_indices().rev().take(AROUND).last().map_or(before.len(), |(i, _)| i);
            let end = behind.char_indices().nth(AROUND).map_or(behind.len(), |(i, _)| i);
            let shown = format!("{}{new}{}", &before[start..], &behind[..end]).replace(['\r', '\n'], " ");
            fix.title = fix.title.replace(" (if ", &format!(" in `{}` (if ", shown.trim()));
        }
    }
    fixes
}

/// Whether the result of a game stands at a place. It is read over, so that a castling that fails, `2.0-0`, would be gone as
/// `2.1-0`.
fn has_result_at(text: &str, at: usize) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c == '-';
    let start = text[..at].trim_end_matches(is_part).len();
    let rest = &text[start..];
    matches!(&rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())], "1-0" | "0-1")
}

/// Whether a board or a query goes on at a place: a comment there would take men or moves out of it.
fn is_inside_item(tree: &Tree, at: usize) -> bool {
    let mut nodes = vec![tree.root()];
    while let Some(node) = nodes.pop() {
        let (start, end) = (node.span().start as usize, node.span().end as usize);
        if matches!(node.kind(), NodeKind::Board | NodeKind::Query) && start < at && at < end {
            return true;
        }
        nodes.extend(node.children());
    }
    false
}

/// The comments of a text: an edit may neither open nor close one.
fn comments(tree: &Tree) -> Vec<String> {
    let comments = tree.tokens().filter(|t| t.kind() == TokenKind::Comment);
    comments.map(|t| t.text().trim_end().to_string()).collect()
}

/// A text without what means nothing: white space, commas, and the kind of its quotes.
fn meaning(tree: &Tree) -> String {
    let mut meaning = String::new();
    for token in tree.tokens().filter(|t| !t.kind().is_trivia() && t.kind() != TokenKind::Comma) {
        meaning.push_str(token.content().0.trim());
        meaning.push(' ');
    }
    meaning
}

impl Candidate {
    /// Whether it is the line end that a comment has lost, or makes a line a comment.
    fn makes_or_ends_comment(&self) -> bool {
        self.new == "\n" || self.new == COMMENT
    }

    fn applied(&self, text: &str) -> String {
        let (before, after) = (&text[..self.from], &text[self.to..]);
        let mut new = String::with_capacity(text.len() + self.new.len());
        new.push_str(before);
        new.push_str(&self.new);
        new.push_str(after);
        new
    }

    fn fix(&self, unit: &Unit, line_end: LineEnd) -> Fix {
        let title = format!("{} (if it is a slip)", self.title(&unit.text));
        let edit =
            Edit { span: unit.span_of(self.from, self.to), text: self.new.replace('\n', line_end.as_str()) };
        Fix { title, edits: vec![edit], safe: false }
    }
}
