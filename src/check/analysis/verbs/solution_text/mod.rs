//! Written solutions of chess problems: read into a tree, checked on the position, and printed.
//!
//! [`read_solution`] turns text into a tree of moves, for every form that a solution has: PGN movetext with variations,
//! trees as Popeye, Olive and YACPDB print them, and the lines of helpmates. It knows no position. [`check_solution`]
//! replays the tree and proves what it claims; [`replay`] makes its moves without proving anything.
//! [`WrittenTree`] says where the next move of a tree is due, and adds it.
//! [`solution_movetext`] and [`sequence_movetext`] are the other direction.
//!
//! A single key, `1.Qb6!`, is the smallest solution. The files import each other in this order: tree < lexer < reader;
//! tree, checked < moves < battle < claims, missing, sequences < checker; moves, reader < replay; reader, missing < progress <
//! growing; printer.

mod battle;
#[cfg(test)]
mod check_tests;
mod checked;
mod checker;
mod claims;
mod growing;
mod lexer;
mod missing;
mod moves;
mod printer;
mod progress;
mod reader;
mod replay;
mod sequences;
mod tree;

pub(crate) use checked::{CheckedSolution, NamedKey, NamedLine, SolutionMove};
pub(crate) use checker::{check_solution, replay_solution};
pub use printer::{numbered_moves, sequence_movetext, solution_movetext};
pub use progress::{Due, TreeSpot, WrittenTree};
pub use reader::{is_solution, read_set_play, read_solution};
pub(crate) use replay::replay;
pub use replay::{WrittenPlay, WrittenStep, begins_from, position_due};
pub(crate) use tree::{Role, SolutionNode, WrittenMove, WrittenSolution};
