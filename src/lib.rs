//! cpz checks and solves collections of chess puzzles kept as text.
//!
//! Data flows one way through the rooms, and each may use only those above it:
//! [`syntax`] → [`board`] → [`games`] → [`analysis`] → [`ide`] → [`server`] → [`cli`].

pub mod analysis;
pub mod board;
pub mod cli;
pub mod diagnostic;
pub mod games;
pub mod ide;
pub mod server;
pub mod syntax;
mod workspace;
