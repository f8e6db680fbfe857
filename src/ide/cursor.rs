//! Tokens and nodes at an offset, and ranges around it.

use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Node, Token, TokenKind, Tree};

/// The last character boundary at or before an offset, capped at the end of the text.
pub(crate) fn floor_char_boundary(text: &str, offset: u32) -> u32 {
    let mut at = (offset as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}

/// Whether two ranges overlap or are adjacent.
pub(crate) fn spans_touch(a: Span, b: Span) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// Whether a range contains an offset or ends there: a cursor directly behind a word is at the word.
pub(crate) fn span_touches(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}

/// The token at a cursor. If two tokens meet there: words and strings win over punctuation, punctuation wins over
/// white space, and of equals the later one wins.
pub(crate) fn token_at_cursor(tree: &Tree, offset: u32) -> Option<Token<'_>> {
    let offset = floor_char_boundary(tree.text(), offset);
    let after = tree.token_at(offset);
    let before = offset.checked_sub(1).and_then(|o| tree.token_at(o)).filter(|t| t.span().end == offset);
    [after, before].into_iter().flatten().min_by_key(|t| match t.kind() {
        TokenKind::Word | TokenKind::String | TokenKind::UnclosedString => 0,
        TokenKind::Space => 2,
        _ => 1,
    })
}

/// The last token that contains an offset or ends there, trivia excluded. In contrast to [`token_at_cursor`],
/// punctuation counts as much as a word.
pub(crate) fn last_token_touching(tree: &Tree, offset: u32) -> Option<Token<'_>> {
    let offset = offset.min(tree.text().len() as u32);
    let touching = |t: &Token<'_>| t.span().start <= offset && offset <= t.span().end;
    tree.tokens_in(Span::at(offset)).filter(|t| !t.kind().is_trivia() && touching(t)).last()
}

/// The nodes that contain a range, from the root down.
pub(crate) fn enclosing_nodes(tree: &Tree, span: Span) -> Vec<Node<'_>> {
    let mut path = vec![tree.root()];
    while let Some(inner) = path.last().and_then(|n| {
        n.children().take_while(|c| c.span().start <= span.start).find(|c| c.span().end >= span.end)
    }) {
        path.push(inner);
    }
    path
}

/// Whether a text contains a line break.
pub(crate) fn is_multiline(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// The number of line breaks in white space.
pub(crate) fn count_line_breaks(gap: &str) -> usize {
    let bytes = gap.as_bytes();
    (0..bytes.len())
        .filter(|&i| bytes[i] == b'\n' || bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'))
        .count()
}
