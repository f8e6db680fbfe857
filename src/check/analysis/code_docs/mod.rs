//! The table of diagnostic codes. `check`, `explain`, SARIF, the server and the manual read it.

mod answers;
mod boards;
mod collections;
mod entry;

pub use entry::Entry;

use cpz_text::diagnostic::Code;

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
