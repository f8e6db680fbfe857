//! What chess on the plane and on the cube share: moves, attacks, legality, mate, and the reasons.
//!
//! On the plane `chess_moves` decides, and this says why: `rules` knows how men move and attack, `rights` adds castling
//! and en passant, `moves` finds what a written move may mean, `reasons` puts decisions into words.

mod moves;
mod reasons;
mod rights;
mod rules;

pub(crate) use rights::{effective_rights, rights_issues};
pub(crate) use rules::ChessRules;
