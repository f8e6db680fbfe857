//! What chess on the plane and on the cube share: moves, attacks, legality, mate, and the reasons.
//!
//! `rules` decides; `rights` adds castling and en passant; `moves` generates, makes and names moves; `reasons` puts
//! decisions into words.

mod moves;
mod reasons;
mod rights;
mod rules;

pub use moves::{after_move, legal_moves, matching_moves, san, status_of, unmarked_san, why_illegal};
pub(crate) use rights::{effective_rights, rights_issues};
pub(crate) use rules::ChessRules;
