//! What is said of a code.

use cpz_text::diagnostic::{Code, Severity};

/// What a code means.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its default severity.
    pub severity: Severity,
    /// A few words, for lists.
    pub title: &'static str,
    /// The explanation, in Markdown, without a heading.
    pub text: &'static str,
    /// A text with such a finding.
    pub wrong: &'static str,
    /// The text without the finding.
    pub right: &'static str,
}

impl Entry {
    /// The whole explanation with its examples, in Markdown, without a heading.
    pub fn page(&self) -> String {
        let shown = |text: &str| text.lines().map(|l| format!("    {l}\n")).collect::<String>();
        format!(
            "{}\n\nFor example:\n\n{}\nand without it:\n\n{}",
            self.text,
            shown(self.wrong),
            shown(self.right)
        )
    }
}
