//! Written solutions of chess problems: read into a tree, checked on the position, and printed.
//!
//! [`read_solution`] turns text into a tree of moves, for every form that a solution has: PGN movetext with variations,
//! trees as Popeye, Olive and YACPDB print them, and the lines of helpmates. It knows no position. [`check_solution`]
//! replays the tree and proves what it claims. [`helpmate_movetext`] is the other direction.
//!
//! A single key, `1.Qb6!`, is the smallest solution. The files import each other in this order: tree < lexer < reader;
//! tree < checker; printer.

mod checker;
mod lexer;
mod printer;
mod reader;
mod tree;

pub(crate) use checker::{CheckedSolution, NamedKey, NamedLine, SolutionMove, check_solution};
pub(crate) use printer::helpmate_movetext;
pub(crate) use reader::read_solution;
pub(crate) use tree::{Role, SolutionNode, WrittenMove, WrittenSolution};
