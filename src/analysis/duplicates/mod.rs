//! Puzzles and names that occur more than once.

pub(crate) mod batch;
pub(crate) mod index;
