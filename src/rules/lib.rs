//! Boards and games: how positions are written, and what can happen on them.
//!
//! Invariant: no puzzle, no editor, no time. A search counts its nodes against a budget and never guesses.

pub mod board;
pub mod games;
