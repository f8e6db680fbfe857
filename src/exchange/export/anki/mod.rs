//! Packages of the flash card program Anki: a zip archive with a database of SQLite and the pictures of the boards.
//!
//! The database is that of Anki 2.0 (schema 11), which all versions import. A note belongs to a puzzle as long as its
//! position and its questions are the same, so that Anki updates it when a newer package is imported.
//!
//! A file imports only files before it: sqlite, zip, note, collection, deck.

mod collection;
mod deck;
mod note;
mod sqlite;
#[cfg(test)]
mod sqlite_tests;
mod zip;

pub use deck::DeckExporter;
pub use note::{BoardPicture, DrawBoard};
