//! The position that a chess problem begins with.

use crate::analysis::binding::Bound;
use cpz_rules::board::{Castling, Colour, Rights};
use cpz_rules::games::{Position, Question, Stipulation};

/// The position that a question about a chess problem begins with; none for other questions.
pub(crate) fn position_of_question(
    bound: &Bound<'_>,
    position: &Position,
    question: &Question,
) -> Option<Position> {
    let stipulation = question.stipulation?;
    Some(match &question.position {
        Some(other) => position.changed(other),
        None => problem_position(bound, position, stipulation),
    })
}

/// The side that begins a chess problem about which a question is; none for other questions.
pub(crate) fn first_side_of(bound: &Bound<'_>, question: &Question) -> Option<Colour> {
    let stipulation = question.stipulation?;
    Some(question.position.as_ref().map_or_else(|| first_side(bound, stipulation), |other| other.turn))
}

fn first_side(bound: &Bound<'_>, asked: Stipulation) -> Colour {
    bound.settings.turn.unwrap_or(asked.first_side())
}

/// The position of a puzzle as a chess problem begins with it. Where neither the puzzle nor its FEN says anything,
/// castling is allowed if king and rook stand at home, en passant is not on the first move (Codex for Chess Composition,
/// article 16), and black begins a helpmate of whole moves.
pub(crate) fn problem_position(bound: &Bound<'_>, position: &Position, asked: Stipulation) -> Position {
    let turn = first_side(bound, asked);
    let castling = match bound.settings.rights.castling {
        None => Castling::ALL,
        Some((castling, _)) => castling,
    };
    let stated = Position { turn, rights: Rights { castling, ..position.rights }, ..position.clone() };
    Position { rights: bound.game.effective_rights(&stated), ..stated }
}
