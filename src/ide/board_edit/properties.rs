//! The side to move and the castling rights: in the fields of a FEN, or as properties.

use crate::board_edit::change::source;
use cpz_check::analysis::{Bound, insert_property};
use cpz_rules::board::{Castling, Colour, Notation, SourceLayout, respell_colour, source_layout};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Property, Value};

/// The value of a property that the puzzle itself has.
pub(super) fn own_value(bound: &Bound<'_>, name: Property) -> Option<Span> {
    let property = bound.puzzle.properties().find(|p| p.name() == Some(name))?;
    property.value().and_then(Value::scalar).map(|(_, span)| span)
}

/// The fields of the board if it is a FEN.
pub(super) fn fen_fields(bound: &Bound<'_>) -> Vec<Span> {
    let form = bound.puzzle.boards().next().and_then(|b| b.form());
    match form.map(|form| source_layout(form, bound.game.format())) {
        Some(SourceLayout::Fen(fields)) => fields,
        _ => Vec::new(),
    }
}

/// Adds the edit that sets the side to move.
pub(super) fn turn(bound: &Bound<'_>, turn: Option<Colour>, edits: &mut Vec<Edit>) {
    let Some(turn) = turn.filter(|&turn| turn != bound.turn) else { return };
    let text = source(bound);
    let noted = || match bound.game.format().notation {
        Notation::Fen => fen_fields(bound).get(1).copied(),
        Notation::Pdn if bound.reading.as_ref().is_some_and(|r| r.turn.is_some()) => {
            let node = bound.puzzle.boards().next()?.node();
            let first = node.tokens().skip(1).find(|t| !t.kind().is_trivia())?;
            let start = first.content().1.start;
            Some(Span::new(start, start + 1))
        }
        _ => None,
    };
    edits.push(match own_value(bound, Property::Turn).or_else(noted) {
        Some(span) => Edit { span, text: respell_colour(&text[span.range()], turn) },
        None => insert_property(bound.puzzle, &format!("turn {}", turn.name())),
    });
}

/// Adds the edit that sets the castling rights.
///
/// # Errors
/// The game has no castling.
pub(super) fn castling(
    bound: &Bound<'_>,
    castling: Option<Castling>,
    edits: &mut Vec<Edit>,
) -> Result<(), String> {
    let Some(castling) = castling else { return Ok(()) };
    if !bound.game.takes(Property::Castling) {
        return Err(format!("{} has no castling", bound.game.format().game));
    }
    if bound.settings.rights.values().castling == castling {
        return Ok(());
    }
    let field = || fen_fields(bound).get(2).copied();
    let edit = match own_value(bound, Property::Castling).or_else(field) {
        Some(span) => Edit { span, text: castling.to_string() },
        None => insert_property(bound.puzzle, &format!("castling {castling}")),
    };
    match edits.iter_mut().find(|e| e.span == edit.span && e.span.is_empty()) {
        // Both properties are inserted before the board.
        Some(other) => other.text.push_str(&edit.text),
        None => edits.push(edit),
    }
    Ok(())
}
