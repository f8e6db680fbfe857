//! cpz checks and solves collections of chess puzzles kept as text.
//!
//! The library is a stack of layers. Each uses only those before it:
//! [`diagnostic`] → [`syntax`] → [`board`] → [`games`] → [`analysis`] → [`authoring`] → [`exchange`] → [`ide`] →
//! [`print`](mod@print) → `workspace` → [`lsp`] → `server` → `cli`.
//!
//! Without the feature `native`, `server` and `cli` are left out: the rest needs neither files nor threads.

// The command line and the server use the rest.
#![cfg_attr(not(feature = "native"), allow(dead_code, unused_imports))]

#[cfg(test)]
extern crate self as cpz;

pub mod analysis;
pub mod authoring;
pub mod board;
#[cfg(test)]
mod check_test;
#[cfg(feature = "native")]
pub mod cli;
pub mod diagnostic;
pub mod exchange;
pub mod games;
pub mod ide;
pub mod lsp;
pub mod print;
pub mod repair;
#[cfg(feature = "native")]
pub mod server;
pub mod syntax;
mod workspace;
