//! What chess on the plane and on the cube share: moves, attacks, legality, mate, and the reasons.
//!
//! `rules` decides; `reasons` puts its decisions into words.

mod reasons;
mod rules;

pub(crate) use rules::ChessRules;
