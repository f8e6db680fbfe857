//! How many positions are compared, and how they are written.

use crate::harness::batch::Rng;
use crate::harness::full;
use cozy_chess::{Board as Position, Color};
pub(super) use cpz_reference::{Wanted, positions};

/// The number of positions of a kind: as many as the ordinary run has time for, with `CI_FULL` ten times as many,
/// or the number in `CPZ_POSITIONS`.
pub(super) fn number(ordinary: usize) -> usize {
    let wanted = std::env::var("CPZ_POSITIONS").ok();
    match wanted.and_then(|text| text.parse().ok()) {
        Some(wanted) => wanted,
        None if full() => (10 * ordinary).min(3_000),
        None => ordinary,
    }
}

/// The position in one of the ways to write it, its rights stated.
pub(super) fn body(position: &Position, rng: &mut Rng) -> String {
    if rng.chance(50) {
        return format!("board \"{position}\"\n");
    }
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let turn = if position.side_to_move() == Color::White { "white" } else { "black" };
    let (castling, en_passant) = (fields[2], fields[3]);
    format!("board {}\nturn {turn}\ncastling {castling}\nen-passant {en_passant}\n", fields[0])
}
