//! Findings: what is wrong, where, and how to correct it.

use crate::diagnostic::{Code, Fix, Severity, Span};

/// Another place that a finding refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The number of the file among those checked together; nothing for the file of the finding.
    pub file: Option<u32>,
    /// The range in that file.
    pub span: Span,
    /// What is there, in a few words.
    pub message: String,
}

/// A mistake or an oddity in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of finding, which also gives its severity.
    pub code: Code,
    /// The severity where it differs from that of the code; a configured one takes precedence.
    pub severity: Option<Severity>,
    /// The range in the text.
    pub span: Span,
    /// One sentence without a full stop at its end.
    pub message: String,
    /// The reasons: more sentences, each shown on its own line.
    pub notes: Vec<String>,
    /// Other places that it refers to.
    pub related: Vec<Related>,
    /// Ways to correct it, the best first.
    pub fixes: Vec<Fix>,
}

impl Finding {
    /// A finding with neither notes nor fixes.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
            severity: None,
            span,
            message: message.into(),
            notes: Vec::new(),
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Adds a fix.
    pub fn fix(mut self, fix: Fix) -> Finding {
        self.fixes.push(fix);
        self
    }

    /// Gives it a severity of its own.
    pub fn severity(mut self, severity: Severity) -> Finding {
        self.severity = Some(severity);
        self
    }

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Finding {
        self.notes.push(note.into());
        self
    }

    /// Moves all its positions in its own text by a number of bytes.
    pub fn shift(&mut self, by: i64) {
        self.span.shift(by);
        self.related.iter_mut().filter(|r| r.file.is_none()).for_each(|r| r.span.shift(by));
        self.fixes.iter_mut().flat_map(|f| &mut f.edits).for_each(|e| e.span.shift(by));
    }

    /// Adds another place in the same text.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Finding {
        self.related.push(Related { file: None, span, message: message.into() });
        self
    }
}
