//! Positions of chess as bitboards: attacks, legal moves and making a move.
//!
//! Invariant: it knows positions and moves, and nothing of searches. It decides as the rules in words of `chess_rules`
//! do, also where a king is missing or a pawn stands on its last rank.

mod attacks;
mod checks;
mod cover;
mod followups;
mod generate;
mod idle;
mod packed;
mod replies;
mod stalemate;

pub(crate) use attacks::each_square;
pub(crate) use checks::CheckSquares;
pub(crate) use cover::MateSquares;
pub(crate) use followups::Followups;
pub(crate) use generate::{LAST_RANKS, Man, PROMOTIONS};
pub(crate) use idle::IdleMoves;
pub(crate) use packed::{PackedMove, PackedPosition};
pub(crate) use replies::SteadyReplies;
