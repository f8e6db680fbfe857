//! Applying edits, and the proof that they changed nothing else.

use crate::syntax::{Edit, Finding, Span, TokenKind, parse};

/// The text after edits, which must not overlap; they may come in any order.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|e| (e.span.start, e.span.end));
    let mut out = String::with_capacity(text.len() + edits.iter().map(|e| e.text.len()).sum::<usize>());
    let mut at = 0;
    for edit in sorted {
        let range = edit.span.range();
        out.push_str(&text[at..range.start]);
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Whether every token and comment that no edit touches is the same in `new`, and every comment that
/// an edit replaced is still there: what each writer asks before it writes.
pub fn keeps_all_else(old: &str, edits: &[Edit], new: &str) -> bool {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|e| (e.span.start, e.span.end));
    let mut shift = 0i64;
    let mut after = Vec::new();
    for edit in &sorted {
        let start = (i64::from(edit.span.start) + shift) as u32;
        after.push(Span::new(start, start + edit.text.len() as u32));
        shift += edit.text.len() as i64 - i64::from(edit.span.end - edit.span.start);
    }
    let before: Vec<Span> = sorted.iter().map(|e| e.span).collect();
    let (kept, gone) = outside(old, &before);
    let (now, came) = outside(new, &after);
    kept == now && gone == came
}

/// The tokens outside of ranges, and the comments inside of them.
fn outside(text: &str, ranges: &[Span]) -> (Vec<String>, Vec<String>) {
    let tree = parse(text);
    let (mut kept, mut comments) = (Vec::new(), Vec::new());
    let mut ranges = ranges.iter().peekable();
    for token in tree.tokens().filter(|t| t.kind() != TokenKind::Space) {
        let span = token.span();
        while ranges.next_if(|r| r.end <= span.start).is_some() {}
        let inside = ranges.peek().is_some_and(|r| r.start <= span.start && span.end <= r.end);
        if !inside {
            kept.push(token.text().to_string());
        } else if token.kind() == TokenKind::Comment {
            comments.push(token.text().to_string());
        }
    }
    (kept, comments)
}

/// The first safe fix of each finding, leaving out those that touch one taken before.
pub fn safe_fixes<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Edit> {
    let mut taken: Vec<Edit> = Vec::new();
    for fix in findings.filter_map(|f| f.fixes.iter().find(|x| x.safe)) {
        let overlaps =
            |e: &Edit| taken.iter().any(|t| t.span.start <= e.span.end && e.span.start <= t.span.end);
        if !fix.edits.iter().any(overlaps) {
            taken.extend(fix.edits.iter().cloned());
        }
    }
    taken.sort_by_key(|e| e.span.start);
    taken
}
