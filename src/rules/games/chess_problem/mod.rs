//! Chess problems: what is forced, and what sequences of moves reach.
//!
//! Invariant: every answer is proved. Tables compare whole positions, nodes are counted against the budget, and what
//! the budget does not reach is reported as such.

#[cfg(test)]
mod forced_tests;
mod goal;
mod keys;
mod layers;
mod mates_in_two;
mod prover;
mod pruning;
mod search;
#[cfg(test)]
mod search_tests;
mod sequences;
mod table;
mod tree;

#[cfg(test)]
pub(super) use goal::tests::Random;
pub use keys::{Key, Keys, find_keys, find_sound_keys};
pub use prover::Prover;
#[cfg(test)]
pub(super) use search_tests::{crowded_position, turned};
pub use sequences::{Sequences, after_in_sequence, ends_sequence, find_sequences, gives_check_too_early};
pub use tree::{Attack, Defence, SetPlay, SolutionTree, Tries, Try, set_play, solution_tree, tries};
