//! Exchange with other programs: their files become puzzles, and puzzles become their files.
//!
//! Invariant: it works on texts and streams and opens no file. It decides nothing about puzzles: what it writes is read
//! and checked like any other text.

pub mod import;
