//! cpz checks and solves collections of chess puzzles kept as text.
//!
//! The library is a stack of layers. Each uses only those before it:
//! [`diagnostic`] → [`syntax`] → [`board`] → [`games`] → [`analysis`] → [`ide`] → `workspace` → [`server`] → [`cli`].

pub mod analysis;
pub mod board;
pub mod cli;
pub mod diagnostic;
pub mod games;
pub mod ide;
pub mod server;
pub mod syntax;
mod workspace;
