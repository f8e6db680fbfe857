//! Findings: what is wrong where, and how it can be mended.

use crate::diagnostic::{Code, Fix, Span};

/// Another place that belongs to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The index of the file among those checked together, where it is not the finding's own.
    pub file: Option<u32>,
    /// The place.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// Something found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of finding.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// One sentence without a full stop at its end.
    pub message: String,
    /// More sentences, each on a line of its own: the reasons.
    pub notes: Vec<String>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// Ways to mend it, the best first.
    pub fixes: Vec<Fix>,
}

impl Finding {
    /// A finding with neither notes nor fixes.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
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

    /// Adds a note.
    pub fn note(mut self, note: impl Into<String>) -> Finding {
        self.notes.push(note.into());
        self
    }

    /// Moves it so many bytes, with all its places in the same text.
    pub fn shift(&mut self, by: i64) {
        self.span.shift(by);
        self.related.iter_mut().filter(|r| r.file.is_none()).for_each(|r| r.span.shift(by));
        self.fixes.iter_mut().flat_map(|f| &mut f.edits).for_each(|e| e.span.shift(by));
    }

    /// Adds a place of the same text.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Finding {
        self.related.push(Related { file: None, span, message: message.into() });
        self
    }
}
