//! What becomes of a part of a record.

use std::ops::Range;

use crate::import::entry::Entry;
use crate::import::record::{PositionRecord, Record};

/// A puzzle, or what could not be read.
#[derive(Clone, Debug)]
pub enum Item {
    /// A puzzle.
    Puzzle(Box<Entry>),
    /// Something that is no puzzle.
    Notice(Notice),
    /// Comment lines that belong to no puzzle, without the signs that begin them.
    Comment(Vec<String>),
}

/// Why something was not imported, or what is wrong with something that was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The line in the file, from 1.
    pub line: usize,
    /// The byte in the text of the file.
    pub offset: usize,
    /// The bytes of the whole entry.
    pub entry: Range<usize>,
    /// The reason.
    pub reason: String,
    /// Whether a puzzle was made all the same.
    pub imported: bool,
}

impl Item {
    /// A puzzle.
    pub fn puzzle(entry: Entry) -> Item {
        Item::Puzzle(Box::new(entry))
    }

    /// Says why a record, or the part of it that begins at a byte, is not imported.
    pub fn skipped(record: &Record, at: usize, reason: impl Into<String>) -> Item {
        Item::Notice(Notice::at(record, at, reason.into()))
    }

    /// Says what is wrong with a record of which a puzzle was made.
    pub fn remark(record: &Record, at: usize, reason: impl Into<String>) -> Item {
        Item::Notice(Notice { imported: true, ..Notice::at(record, at, reason.into()) })
    }
}

/// The puzzle of a line, and what is wrong with words of the line.
pub(super) type ReadLine<'l> = (Entry, Vec<(&'l str, String)>);

/// What becomes of a line with a position and of the comments above it: those that touch it are those of its puzzle.
pub(super) fn items_of_position(
    record: &Record,
    read: impl for<'l> Fn(&'l str) -> Result<ReadLine<'l>, String>,
) -> Vec<Item> {
    let PositionRecord { mut comments, at, line } = PositionRecord::read(record);
    let own = if line.is_empty() { None } else { comments.pop() };
    let items = own.map(|own| match read(line) {
        Ok((mut entry, faults)) => {
            entry.comments.splice(0..0, own);
            // What a line says of its position stands behind it.
            let place = |word: &str| at + line.rfind(word).unwrap_or_default();
            let remarks = faults.into_iter().map(|(word, why)| Item::remark(record, place(word), why));
            std::iter::once(Item::puzzle(entry)).chain(remarks).collect()
        }
        Err(why) => {
            comments.push(own);
            vec![Item::skipped(record, at, why)]
        }
    });
    let comments = comments.into_iter().filter(|lines| !lines.is_empty());
    comments.map(Item::Comment).chain(items.into_iter().flatten()).collect()
}

/// A reason that a person reads in one look: a word of the file in it may be as long as the file. The middle is left out,
/// since what is wrong stands before the word or behind it.
fn shortened(reason: String) -> String {
    const BEGINNING: usize = 70;
    const END: usize = 80;
    let place = |number: usize| reason.char_indices().nth(number).map(|(at, _)| at);
    let from_end = reason.char_indices().rev().nth(END - 1).map(|(at, _)| at);
    match (place(BEGINNING), place(BEGINNING + END), from_end) {
        (Some(end), Some(_), Some(start)) => format!("{}…{}", &reason[..end], &reason[start..]),
        _ => reason,
    }
}

impl Notice {
    /// A notice about the part of a record that begins at a byte.
    pub(super) fn at(record: &Record, at: usize, reason: String) -> Notice {
        let entry = record.offset..record.offset + record.text.len();
        let reason = shortened(reason);
        Notice { line: record.line_at(at), offset: record.offset + at, entry, reason, imported: false }
    }
}
