//! One word of an `allow`.

use crate::diagnostic::{Code, Span};

/// One word of an `allow`.
#[derive(Clone, Debug)]
pub(crate) struct Allow {
    /// Nothing for a word that is no code.
    pub code: Option<Code>,
    /// The word, with its quotes.
    pub span: Span,
    /// The word itself.
    pub word: Span,
    /// What to delete when the word is removed: it, or the whole property.
    pub remove: Span,
    /// The nearest code to a word that is no code.
    pub meant: Option<Code>,
    /// Whether it suppressed a finding.
    pub used: bool,
}

impl Allow {
    /// A copy, moved by a number of bytes.
    pub fn shifted(&self, by: i64) -> Allow {
        let mut allow = self.clone();
        allow.span.shift(by);
        allow.word.shift(by);
        allow.remove.shift(by);
        allow
    }
}
