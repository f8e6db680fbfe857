//! The pieces of a coordinate board in a fixed order.

use crate::code_actions::readable_puzzle;
use cpz_check::analysis::Defaults;
use cpz_rules::board::{Colour, Kind, SourceLayout, Square, source_layout};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Token, TokenKind, Tree};

/// The edits that sort the entries of a coordinate board: white first, then by kind as `K Q R B N P`, then by
/// x, y and z. Each entry keeps its text.
///
/// # Errors
/// Why the entries cannot be sorted, for the user.
pub fn sort_coordinates(tree: &Tree, base: Defaults, offset: u32) -> Result<Vec<Edit>, String> {
    let (bound, _, position) = readable_puzzle(tree, base, offset)?;
    let board = bound.puzzle.boards().next().ok_or("its board cannot be read")?;
    let format = bound.game.format();
    let Some(SourceLayout::Entries(entries)) = board.form().map(|form| source_layout(form, format)) else {
        return Err("its board is not written in coordinates".into());
    };
    let mut sorted: Vec<((Colour, Kind, Square), Span)> = Vec::new();
    let places = bound.reading.iter().flat_map(|r| &r.places);
    for placed in places {
        let square = position.board.square(placed.cell.into());
        let Some(piece) = position.board.at(square) else { continue };
        sorted.push(((piece.colour, piece.kind, square), placed.span));
    }
    sorted.sort_by_key(|e| e.0);
    let text = tree.text();
    let edits: Vec<Edit> = entries
        .iter()
        .zip(&sorted)
        .filter(|((_, old), (_, new))| old != new)
        .map(|((_, old), (_, new))| Edit { span: *old, text: text[new.range()].to_string() })
        .collect();
    let outside = |at: Span| entries.iter().all(|(_, e)| at.end <= e.start || e.end <= at.start);
    let comment = |t: &Token<'_>| t.kind() == TokenKind::Comment && outside(t.span());
    if !edits.is_empty() && board.node().tokens().any(|t| comment(&t)) {
        return Err("there is a comment between the pieces".into());
    }
    Ok(edits)
}
