//! Positions of chess as bitboards: attacks, legal moves and making a move.
//!
//! Invariant: it knows positions and moves, and nothing of searches. It decides as the rules in words of `chess_rules`
//! do, also where a king is missing or a pawn stands on its last rank.

mod attacks;
mod generate;
mod packed;

pub(crate) use attacks::each_square;
pub(crate) use generate::{CheckSquares, Man, Restraint};
pub(crate) use packed::{PackedMove, PackedPosition};
