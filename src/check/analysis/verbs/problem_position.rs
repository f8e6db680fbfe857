//! The position that a chess problem begins with.

use crate::analysis::binding::Bound;
use cpz_rules::board::{Castling, Colour, Rights};
use cpz_rules::games::{Position, ProblemKind, Stipulation};

/// The position of a puzzle as a chess problem begins with it. Where neither the puzzle nor its FEN says anything,
/// castling is allowed if king and rook stand at home, en passant is not on the first move (Codex for Chess Composition,
/// article 16), and black begins a helpmate of whole moves.
pub(crate) fn problem_position(bound: &Bound<'_>, position: &Position, asked: Stipulation) -> Position {
    let turn = match bound.settings.turn {
        None => first_side(asked),
        Some(turn) => turn,
    };
    let castling = match bound.settings.rights.castling {
        None => Castling::ALL,
        Some((castling, _)) => castling,
    };
    let stated = Position { turn, rights: Rights { castling, ..position.rights }, ..position.clone() };
    Position { rights: bound.game.effective_rights(&stated), ..stated }
}

/// The side that begins where nothing says another.
pub(crate) fn first_side(asked: Stipulation) -> Colour {
    match asked.kind == ProblemKind::Helpmate && asked.plies.is_multiple_of(2) {
        true => Colour::Black,
        false => Colour::White,
    }
}
