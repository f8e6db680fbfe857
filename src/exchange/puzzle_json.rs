//! What the documents of `rate`, `hint` and `repair` have in common: files, and in each the puzzles with their places.

use serde::Serialize;

use crate::RangeDocument;

/// A file, and what is said about its puzzles.
#[derive(Serialize)]
pub struct FileDocument<'a, T> {
    /// The path of the file.
    pub path: &'a str,
    /// Its puzzles, in the order of the text.
    pub puzzles: Vec<PuzzleDocument<'a, T>>,
}

/// A puzzle, and what is said about it.
#[derive(Serialize)]
pub struct PuzzleDocument<'a, T> {
    /// Its `id`.
    pub id: Option<&'a str>,
    /// Its name, without quotes.
    pub name: Option<&'a str>,
    /// Its game as it is written.
    pub game: &'a str,
    /// Its place in the file.
    pub range: RangeDocument,
    /// What is said about it: an object, whose members follow.
    #[serde(flatten)]
    pub about: T,
}
