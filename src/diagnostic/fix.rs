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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an imperative: "replace with `solve`".
    pub title: String,
    /// Edits that do not overlap, in order of position.
    pub edits: Vec<Edit>,
    /// Whether `check --fix` applies it: it cannot change the meaning of a correct puzzle.
    pub safe: bool,
}

impl Fix {
    /// A fix of one edit.
    pub fn new(title: impl Into<String>, span: Span, text: impl Into<String>, safe: bool) -> Fix {
        Fix { title: title.into(), edits: vec![Edit { span, text: text.into() }], safe }
    }
}
