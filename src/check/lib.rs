//! What cpz says about puzzles: answers, findings, repairs, ratings and new puzzles.
//!
//! Invariant: it prints nothing and knows no editor. Results depend on the text, the configuration and the budget alone.

pub mod analysis;
pub mod authoring;
pub mod parallel;
pub mod repair;
