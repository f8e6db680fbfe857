//! One word of an `allow`.

use cpz_text::diagnostic::{Code, Span};
use cpz_text::syntax::{Token, TokenKind};

/// One word of an `allow`.
#[derive(Clone, Debug)]
pub(crate) struct Allow {
    /// Nothing for a word that is no code.
    pub code: Option<Code>,
    /// The word, with its quotes.
    pub span: Span,
    /// The word itself.
    pub word: Span,
    /// What to delete when the word is removed: it and the comma beside it, or the whole property; nothing if a comment
    /// would go with it.
    pub remove: Option<Span>,
    /// A comma to delete too, that a comment or a line break separates from the word.
    pub comma: Option<Span>,
    /// The nearest code to a word that is no code.
    pub meant: Option<Code>,
    /// Whether it suppressed a finding.
    pub used: bool,
}

/// What to delete so that a word of a list goes with its comma: the one behind it, or else the one before it. The second
/// range is that comma where only white space and comments that stay are between them.
pub(crate) fn with_comma(word: Token<'_>) -> (Span, Option<Span>) {
    let comma = |step: fn(Token<'_>) -> Option<Token<'_>>| {
        let mut near = std::iter::successors(step(word), |t| step(*t)).skip_while(|t| t.kind().is_trivia());
        near.next().filter(|t| t.kind() == TokenKind::Comma)
    };
    let is_gap = |t: &Token<'_>| t.kind() == TokenKind::Space && !t.text().contains(['\n', '\r']);
    let touches = |gap: Option<Token<'_>>, comma: Span| {
        gap.is_some_and(|gap| {
            gap.span() == comma
                || is_gap(&gap) && { gap.span().end == comma.start || gap.span().start == comma.end }
        })
    };
    let span = word.span();
    match (comma(|t| t.next()), comma(|t| t.previous())) {
        (Some(behind), _) if touches(word.next(), behind.span()) => {
            let end = behind.next().filter(is_gap).map_or(behind.span().end, |gap| gap.span().end);
            (Span::new(span.start, end), None)
        }
        (None, Some(before)) if touches(word.previous(), before.span()) => (before.span().cover(span), None),
        (behind, before) => (span, behind.or(before).map(|t| t.span())),
    }
}

impl Allow {
    /// A copy, moved by a number of bytes.
    pub fn shifted(&self, by: i64) -> Allow {
        let mut allow = self.clone();
        allow.span.shift(by);
        allow.word.shift(by);
        allow.remove.iter_mut().for_each(|s| s.shift(by));
        allow.comma.iter_mut().for_each(|s| s.shift(by));
        allow
    }
}
