//! Chess problems: mate in n, selfmate and helpmate.
//!
//! Invariant: every answer is proved. Tables compare whole positions, nodes are counted against the budget, and what
//! the budget does not reach is reported as such.

mod helpmate;
mod keys;
mod prover;
mod table;
mod tree;

pub use helpmate::{Helpmates, find_helpmates};
pub use keys::{Key, Keys, find_keys, find_sound_keys};
pub use prover::Prover;
pub use tree::{Attack, Defence, SetPlay, SolutionTree, Tries, Try, set_play, solution_tree, tries};
