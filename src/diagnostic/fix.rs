//! Edits of a text, and fixes made of them.

use crate::diagnostic::Span;

/// Replaces a range of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes; empty for an insertion.
    pub span: Span,
    /// What comes.
    pub text: String,
}

/// A way to mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as an order: "replace with `solve`".
    pub title: String,
    /// Edits that do not overlap, in order of position.
    pub edits: Vec<Edit>,
    /// Whether `--fix` may apply it unasked: it cannot change what a correct puzzle means.
    pub safe: bool,
}

impl Fix {
    /// A fix of one edit.
    pub fn new(title: impl Into<String>, span: Span, text: impl Into<String>, safe: bool) -> Fix {
        Fix { title: title.into(), edits: vec![Edit { span, text: text.into() }], safe }
    }
}
