//! cpz checks and solves collections of chess puzzles kept as text.
//!
//! Data flows one way through the rooms, and each may use only those above it:
//! [`syntax`] → [`board`] → [`games`] → [`analysis`] → [`ide`] → [`server`] → [`cli`].

#[cfg(test)]
extern crate self as cpz;

pub mod analysis;
pub mod board;
#[cfg(test)]
mod check_test;
pub mod cli;
pub mod diagnostic;
pub mod games;
pub mod ide;
pub mod server;
pub mod syntax;
mod workspace;
