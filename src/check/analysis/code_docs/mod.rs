//! The table of diagnostic codes. `check`, `explain`, SARIF, the server and the manual read it.

mod answers;
mod boards;
mod collections;

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

/// The entry of a code.
pub fn entry(code: Code) -> &'static Entry {
    &TABLE[code as usize]
}

/// All entries, in the order of the manual.
pub static TABLE: &[Entry] = &joined([boards::ENTRIES, answers::ENTRIES, collections::ENTRIES]);

/// The parts of the table one after the other.
const fn joined(parts: [&[Entry]; 3]) -> [Entry; Code::ALL.len()] {
    let mut all = [parts[0][0]; Code::ALL.len()];
    let (mut part, mut at) = (0, 0);
    while part < parts.len() {
        let mut index = 0;
        while index < parts[part].len() {
            all[at] = parts[part][index];
            (index, at) = (index + 1, at + 1);
        }
        part += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_code_in_order() {
        let codes: Vec<Code> = TABLE.iter().map(|e| e.code).collect();
        assert_eq!(codes, Code::ALL);
    }
}
