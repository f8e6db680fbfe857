//! Edits of a text, and fixes, which consist of edits.

use crate::diagnostic::Span;

/// Replaces a range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The range to replace; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A way to correct a finding.
///
/// A fix that is right only under a condition, such as another answer if the mistake is not in the board, says so in
/// its title; see [`Fix::is_conditional`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an imperative: "replace with `solve`".
    pub title: String,
    /// Edits that do not overlap, in order of position.
    pub edits: Vec<Edit>,
    /// Whether it cannot change the meaning of what is written: `check --fix` applies it unasked, and editors prefer
    /// it. Never safe is what removes or changes a piece, a cell, a position, an answer, a query, a comment or a remark,
    /// what writes a verdict, what guesses a letter, and what changes more than the word that it is about.
    ///
    /// No fix, safe or not, removes a piece, a position, an answer, a query or a comment.
    pub safe: bool,
}

impl Fix {
    /// A fix of one edit.
    pub fn new(title: impl Into<String>, span: Span, text: impl Into<String>, safe: bool) -> Fix {
        Fix { title: title.into(), edits: vec![Edit { span, text: text.into() }], safe }
    }

    /// A fix that writes an answer: right only if the mistake is not in the board, and therefore never safe.
    pub fn if_board_is_right(title: impl std::fmt::Display, span: Span, text: impl Into<String>) -> Fix {
        Fix::new(format!("{title} (if the board is right)"), span, text, false)
    }

    /// Whether its title names a condition: it puts new words in the place of written ones that may be the right ones.
    pub fn is_conditional(&self) -> bool {
        self.title.contains(" (if ")
    }
}
