//! The language: text to tokens and a tree, and findings as plain data.
//!
//! Invariant: the lowest crate. It knows no game, no board and no rule.

pub mod diagnostic;
pub mod syntax;
