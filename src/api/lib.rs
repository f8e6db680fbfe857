//! Pictures and sheets, and the functions that other programs call.
//!
//! Invariant: it reads and writes no file and decides nothing about puzzles.

#![warn(missing_docs)]

pub mod api;
pub mod print;
