//! Applying edits, and the check that they changed nothing else.

use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{TokenKind, parse};

/// Applies edits in any order; they must not overlap.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len() + edits.iter().map(|e| e.text.len()).sum::<usize>());
    let mut at = 0;
    for edit in sorted(edits) {
        let range = edit.span.range();
        out.push_str(&text[at..range.start]);
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

fn sorted(edits: &[Edit]) -> Vec<&Edit> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|e| (e.span.start, e.span.end));
    sorted
}

/// The same edits, in order, as at most `max` (3 or more): neighbours become one edit that also replaces the text
/// between them by itself. No edit covers the cursor that did not before, so that an editor keeps it where it is.
pub fn merge_edits(text: &str, mut edits: Vec<Edit>, cursor: u32, max: usize) -> Vec<Edit> {
    edits.sort_by_key(|e| (e.span.start, e.span.end));
    if edits.len() <= max {
        return edits;
    }
    let size = edits.len().div_ceil(max - 2);
    let (above, below) = edits.split_at(edits.partition_point(|e| e.span.end <= cursor));
    let one = |group: &[Edit]| {
        let span = group[0].span.cover(group[group.len() - 1].span);
        let inner = |e: &Edit| {
            let span = Span::new(e.span.start - span.start, e.span.end - span.start);
            Edit { span, text: e.text.clone() }
        };
        let text = apply(&text[span.range()], &group.iter().map(inner).collect::<Vec<_>>());
        Edit { span, text }
    };
    above.chunks(size).chain(below.chunks(size)).map(one).collect()
}

/// Whether two lists of edits, each in order, make the same text. Only the part between the outermost edits is looked at.
pub fn make_the_same(text: &str, one: &[Edit], other: &[Edit]) -> bool {
    let Some(place) = one.iter().chain(other).map(|e| e.span).reduce(Span::cover) else { return true };
    let made = |edits| Some(apply(&text[place.range()], &edits_from(place.start, place, edits)?));
    made(one).is_some_and(|one| made(other) == Some(one))
}

/// Edits of a text with offsets from `start` on. `None` if they overlap, or if one is outside of `place`.
pub(crate) fn edits_from(start: u32, place: Span, edits: &[Edit]) -> Option<Vec<Edit>> {
    let overlap = edits.windows(2).any(|e| e[0].span.end > e[1].span.start);
    if overlap || edits.iter().any(|e| e.span.start < place.start || e.span.end > place.end) {
        return None;
    }
    let local = |e: &Edit| {
        let span = Span::new(e.span.start - start, e.span.end - start);
        Edit { span, text: e.text.clone() }
    };
    Some(edits.iter().map(local).collect())
}

/// Whether `new` has every token and comment of `old` that no edit touches, and every comment that an edit
/// replaced. Commands check this before they write.
pub fn keeps_all_else(old: &str, edits: &[Edit], new: &str) -> bool {
    let mut shift = 0i64;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for edit in sorted(edits) {
        let start = (i64::from(edit.span.start) + shift) as u32;
        before.push(edit.span);
        after.push(Span::new(start, start + edit.text.len() as u32));
        shift += edit.text.len() as i64 - i64::from(edit.span.end - edit.span.start);
    }
    outside(old, &before) == outside(new, &after)
}

/// The part of a token outside of all edits, and whether an edit cuts it off at its start and its end.
#[derive(PartialEq)]
struct Piece {
    kind: TokenKind,
    text: String,
    cut: (bool, bool),
}

/// The tokens outside of ranges, and the comments inside of them. A token across the border of a range is split
/// into parts that are marked as cut: so a word that merges with an inserted word differs from the old word.
fn outside(text: &str, ranges: &[Span]) -> (Vec<Piece>, Vec<String>) {
    let tree = parse(text);
    let (mut kept, mut comments) = (Vec::new(), Vec::new());
    let mut first = 0;
    for token in tree.tokens().filter(|t| t.kind() != TokenKind::Space) {
        let span = token.span();
        while ranges.get(first).is_some_and(|r| r.end <= span.start) {
            first += 1;
        }
        // Whether a bracket is closed depends on tokens that an edit may change.
        let kind = match token.kind() {
            TokenKind::UnclosedLBracket => TokenKind::LBracket,
            kind => kind,
        };
        let mut at = span.start;
        let mut keep = |from: u32, to: u32| {
            if from < to {
                let text = text[from as usize..to as usize].to_string();
                kept.push(Piece { kind, text, cut: (from > span.start, to < span.end) });
            }
        };
        let mut inside = false;
        for range in ranges[first..].iter().take_while(|r| r.start < span.end) {
            inside |= range.start <= span.start && span.end <= range.end;
            keep(at, range.start.max(at));
            at = at.max(range.end);
        }
        keep(at, span.end.max(at));
        if inside && kind == TokenKind::Comment {
            comments.push(token.text().to_string());
        }
    }
    (kept, comments)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps(old: &str, at: std::ops::Range<u32>, text: &str) -> bool {
        let edits = [Edit { span: Span::new(at.start, at.end), text: text.into() }];
        keeps_all_else(old, &edits, &apply(old, &edits))
    }

    #[test]
    fn merged_edits_give_the_same_text_and_spare_the_cursor() {
        let text = "abc ".repeat(100);
        let insert = |at: u32| Edit { span: Span::at(4 * at + 3), text: "!".into() };
        let edits: Vec<Edit> = (0..100).map(insert).collect();
        for cursor in [0, 3, 7, 201, 400] {
            let merged = merge_edits(&text, edits.clone(), cursor, 10);
            assert!((8..=10).contains(&merged.len()), "{}", merged.len());
            assert_eq!(apply(&text, &merged), "abc! ".repeat(100));
            assert!(merged.iter().all(|e| cursor <= e.span.start || e.span.end <= cursor), "{cursor}");
        }
        assert_eq!(merge_edits(&text, edits.clone(), 0, 100), edits);
    }

    #[test]
    fn edits_of_a_part_are_those_within_its_place() {
        let part = |edits: &[(u32, u32)]| {
            let edit = |&(start, end)| Edit { span: Span::new(start, end), text: "!".into() };
            let edits: Vec<Edit> = edits.iter().map(edit).collect();
            let part = edits_from(10, Span::new(12, 20), &edits)?;
            Some(part.iter().map(|e| (e.span.start, e.span.end)).collect::<Vec<_>>())
        };
        assert_eq!(part(&[(12, 14), (14, 14), (14, 20)]), Some(vec![(2, 4), (4, 4), (4, 10)]));
        assert_eq!(part(&[(12, 15), (14, 16)]), None, "they overlap");
        assert_eq!(part(&[(11, 14)]), None, "before its place");
        assert_eq!(part(&[(19, 21)]), None, "behind its place");
    }

    #[test]
    fn keeps_all_else_follows_several_edits() {
        let old = "solve count // why\n mate line \"a\"";
        let edit = |start, end, text: &str| Edit { span: Span::new(start, end), text: text.into() };
        let edits = [edit(20, 24, "unique"), edit(0, 5, "x"), edit(11, 11, " => none"), edit(30, 33, "")];
        let new = apply(old, &edits);
        assert_eq!(new, "x count => none // why\n unique line ");
        assert!(keeps_all_else(old, &edits, &new));
        for other in ["count", "// why", "line"] {
            assert!(!keeps_all_else(old, &edits, &new.replace(other, "")), "{other} is lost");
        }
    }

    #[test]
    fn keeps_all_else_detects_merged_words_and_lost_comments() {
        assert!(keeps("solve count", 5..5, " => none"));
        assert!(keeps("board ..x. solve", 8..9, "."), "a part of a word");
        assert!(!keeps("mate count", 4..5, ""), "two words merge");
        assert!(!keeps("[1]mate", 3..3, " => legal"), "an answer merges with a word");
        assert!(!keeps("note \u{1}//example", 5..6, ""), "a word becomes a comment");
        assert!(!keeps("board // why\n x", 6..15, "y"), "a comment is lost");
        assert!(keeps("board // why\n x", 0..15, "// why\n board x"));
        assert!(keeps("board // why\n x", 9..12, "how"), "a part of a comment");
        assert!(!keeps("solve count", 5..5, "d"), "a word gets an end");
        assert!(!keeps("note a 'b", 5..6, "'"), "a quote changes what is behind it");
    }
}
