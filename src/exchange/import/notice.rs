//! What becomes of a part of a record.

use crate::exchange::import::entry::Entry;
use crate::exchange::import::record::Record;

/// A puzzle, or what could not be read.
#[derive(Clone, Debug)]
pub enum Item {
    /// A puzzle.
    Puzzle(Box<Entry>),
    /// Something that is no puzzle.
    Notice(Notice),
}

/// Why something was not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The line in the file, from 1.
    pub line: usize,
    /// The byte in the text of the file.
    pub offset: usize,
    /// The reason.
    pub reason: String,
}

impl Item {
    /// A puzzle.
    pub fn puzzle(entry: Entry) -> Item {
        Item::Puzzle(Box::new(entry))
    }

    /// Says why a record, or the part of it that begins at a byte, is not imported.
    pub fn skipped(record: &Record, at: usize, reason: impl Into<String>) -> Item {
        let lines =
            record.text.as_bytes()[..at.min(record.text.len())].iter().filter(|&&b| b == b'\n').count();
        let reason = reason.into();
        Item::Notice(Notice { line: record.line + lines, offset: record.offset + at, reason })
    }
}
