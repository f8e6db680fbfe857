//! What a reader of a format does.

use crate::import::notice::Item;
use crate::import::record::{Boundary, Record};

/// The languages of piece letters that are read, and those of Popeye.
pub const LETTERS: [&str; 9] = ["en", "de", "fr", "es", "it", "nl", "pl", "ru", "popeye"];

/// What a person says about a file besides its format.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The language of the piece letters, such as `fr`.
    pub letters: Option<String>,
    /// Whether the first row of a board is the lowest.
    pub bottom_up: bool,
    /// Whether comments keep the commands of programs, such as clock times: where the text is replaced.
    pub whole_comments: bool,
    /// Whether a line of PGN of at most four moves that ends in mate asks for that mate.
    pub mates: bool,
}

/// Reads the records of one format.
pub trait Reader: Sync {
    /// Where records begin.
    fn boundary(&self) -> Boundary;

    /// The puzzles of a record, and what of it cannot be read.
    fn read(&self, record: &Record) -> Vec<Item>;
}
