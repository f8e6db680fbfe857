//! cpz checks and solves collections of chess puzzles kept as text.
//!
//! The library is a stack of layers. Each uses only those before it:
//! [`diagnostic`] → [`syntax`] → [`board`] → [`games`] → [`analysis`] → [`authoring`] → [`exchange`] → [`ide`] →
//! [`print`](mod@print) → `workspace` → [`server`] → [`cli`].

#[cfg(test)]
extern crate self as cpz;

pub mod analysis;
pub mod authoring;
pub mod board;
#[cfg(test)]
mod check_test;
pub mod cli;
pub mod diagnostic;
pub mod exchange;
pub mod games;
pub mod ide;
pub mod print;
pub mod repair;
pub mod server;
pub mod syntax;
mod workspace;
