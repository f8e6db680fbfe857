//! Changes of a board as the smallest edits of its text, in the form that the board has: text keeps its spacing, a list
//! stays a list, coordinates keep their order, and of a FEN only the touched ranks change.
//!
//! Every result is proved: the edited text is parsed, and must show the changed board and nothing else that is new.
//!
//! Each file imports only from those before it in this order: `change`, `cell_form`, `cells`, `entries`, `notation`, `properties`,
//! `resize`, `mod`.

mod cell_form;
mod cells;
mod change;
mod entries;
mod notation;
mod properties;
mod resize;

pub(crate) use crate::board_edit::change::has_comment;
use crate::board_edit::change::{CANNOT_EDIT, source};
use crate::text_edit::{apply, edits_from, keeps_all_else};
use cpz_check::analysis::{Bound, Defaults, bind_one};
use cpz_rules::board::{
    Board, Castling, Colour, Piece, Reading, Size, SourceLayout, Square, source_layout, square_name,
};
use cpz_text::diagnostic::{Code, Edit};
use cpz_text::syntax::{Tree, parse};

/// Changes of a board and of what belongs to it. Without any, nothing is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardChanges {
    /// What stands on squares afterwards. Of several changes of one square the last one counts.
    pub squares: Vec<(Square, Option<Piece>)>,
    /// The new size. The square at the bottom left keeps its name; columns are added at the right, rows and levels at
    /// the top. It cannot be combined with changes of squares.
    pub size: Option<Size>,
    /// The side to move.
    pub turn: Option<Colour>,
    /// The castling rights.
    pub castling: Option<Castling>,
}

impl BoardChanges {
    /// The change of some squares.
    pub fn of_squares(squares: impl IntoIterator<Item = (Square, Option<Piece>)>) -> BoardChanges {
        BoardChanges { squares: squares.into_iter().collect(), ..BoardChanges::default() }
    }
}

/// The board of a puzzle, as far as it can be read and edited: with its mistakes, and without any piece too.
///
/// # Errors
/// Why it cannot be edited, for the user.
pub fn editable_board<'b>(bound: &'b Bound<'_>) -> Result<&'b Board, String> {
    let boards = bound.puzzle.boards().count();
    if boards != 1 {
        return Err(if boards == 0 { "the puzzle has no board" } else { "the puzzle has two boards" }.into());
    }
    if !bound.board_is_complete() {
        return Err("the text of the board has a syntax error; correct it first".into());
    }
    let reading = bound.reading.as_ref();
    reading.and_then(|r| r.board.as_ref()).ok_or_else(|| {
        let first = reading.and_then(|r| r.findings.first());
        first.map_or("the board cannot be read".to_string(), |f| {
            format!("correct the board first: {}", f.message)
        })
    })
}

/// The edits that make changes of the board of a puzzle, in order of position. `defaults` are those in force for it. No
/// edits if everything is so already.
///
/// # Errors
/// Why the board cannot be changed in this way, for the user.
pub fn board_edits(
    bound: &Bound<'_>,
    defaults: Defaults,
    changes: &BoardChanges,
) -> Result<Vec<Edit>, String> {
    let board = editable_board(bound)?;
    let target = changed_board(bound, board, changes)?;
    let mut edits = Vec::new();
    if target.size != board.size {
        edits = resize::resize(bound, board, &target)?;
    } else if target != *board {
        edits = square_edits(bound, board, &target)?;
    }
    properties::turn(bound, changes.turn, &mut edits);
    properties::castling(bound, changes.castling, &mut edits)?;
    let expected = Expected { board: &target, turn: changes.turn, castling: changes.castling };
    let edits = in_order(bound, edits);
    if edits.is_empty() || expected.is_shown_after(bound, defaults, &edits) {
        return Ok(edits);
    }
    // The cells have a form that cannot be changed one by one: write the board anew.
    let mut edits = resize::rewritten(bound, board, &target)?;
    properties::turn(bound, changes.turn, &mut edits);
    properties::castling(bound, changes.castling, &mut edits)?;
    let edits = in_order(bound, edits);
    match expected.is_shown_after(bound, defaults, &edits) {
        true => Ok(edits),
        false => Err(CANNOT_EDIT.into()),
    }
}

/// The board after the changes.
fn changed_board(bound: &Bound<'_>, board: &Board, changes: &BoardChanges) -> Result<Board, String> {
    let format = bound.game.format();
    if let Some(size) = changes.size.filter(|&size| size != board.size) {
        return resize::resized(bound, board, size);
    }
    let mut target = board.clone();
    for &(square, piece) in &changes.squares {
        if !board.size.has(square) {
            return Err(format!("there is no such square on this board of {}", board.size));
        }
        let cell = board.index(square);
        if let Some(piece) = piece.filter(|_| target.cells[cell] != piece) {
            if !format.kinds.contains(&piece.kind) || !format.coloured && piece.colour == Colour::Black {
                return Err(format!("{} has no {}", format.game, format.called(piece)));
            }
            if format.dark_only && (square.x + square.y) % 2 == 1 {
                let name = square_name(square, false);
                return Err(format!("{name} is a light square; draughts is played on the dark ones"));
            }
        }
        target.cells[cell] = piece;
    }
    Ok(target)
}

/// The edits that turn a board into another one of the same size.
fn square_edits(bound: &Bound<'_>, board: &Board, target: &Board) -> Result<Vec<Edit>, String> {
    let form = bound.puzzle.boards().next().and_then(|b| b.form()).ok_or(CANNOT_EDIT)?;
    let format = bound.game.format();
    let edits = match source_layout(form, format) {
        SourceLayout::Cells { spans, .. } if spans.is_empty() => entries::edits(bound, board, target, &[]),
        SourceLayout::Cells { spans, .. } => cells::edits(bound, board, target, &spans),
        SourceLayout::Entries(written) => entries::edits(bound, board, target, &written),
        SourceLayout::Fen(fields) => notation::fen_edits(bound, board, target, &fields),
        SourceLayout::Pdn => notation::pdn_edits(bound, board, target),
    };
    edits.ok_or_else(|| CANNOT_EDIT.into())
}

/// The edits that change the text, in order of position.
fn in_order(bound: &Bound<'_>, mut edits: Vec<Edit>) -> Vec<Edit> {
    let text = source(bound);
    edits.retain(|e| text[e.span.range()] != e.text);
    edits.sort_by_key(|e| (e.span.start, e.span.end));
    edits
}

/// What the edited text must show.
struct Expected<'a> {
    board: &'a Board,
    turn: Option<Colour>,
    castling: Option<Castling>,
}

impl Expected<'_> {
    /// Whether the puzzle shows the board after the edits, all else is as it was, and no mistake is new.
    fn is_shown_after(&self, bound: &Bound<'_>, defaults: Defaults, edits: &[Edit]) -> bool {
        let old = bound.puzzle.node().text();
        let span = bound.puzzle.span();
        let Some(local) = edits_from(span.start, span, edits) else { return false };
        let new = apply(old, &local);
        let (before, after) = (parse(old), parse(&new[..]));
        let mut puzzles = after.puzzles();
        let (Some(puzzle), None) = (puzzles.next(), puzzles.next()) else { return false };
        let Some(shown) = bind_one(puzzle, defaults) else { return false };
        let turn = self.turn.unwrap_or(bound.turn);
        let castling = |b: &Bound<'_>| b.settings.rights.values().castling;
        editable_board(&shown).is_ok_and(|board| board == self.board)
            && shown.turn == turn
            && castling(&shown) == self.castling.unwrap_or_else(|| castling(bound))
            && after.errors().len() <= syntax_errors(&before)
            && !has_new_mistake(bound.reading.as_ref(), shown.reading.as_ref())
            && keeps_all_else(old, &local, &new)
    }
}

fn syntax_errors(tree: &Tree) -> usize {
    tree.errors().len()
}

/// Whether a board has a kind of mistake more often than before. That it has no piece is none.
fn has_new_mistake(before: Option<&Reading>, after: Option<&Reading>) -> bool {
    let codes = |reading: Option<&Reading>| -> Vec<Code> {
        let has_pieces = |r: &&Reading| r.board.as_ref().is_some_and(|b| b.count() > 0);
        let findings = reading.filter(has_pieces).into_iter().flat_map(|r| &r.findings);
        findings.map(|f| f.code).filter(|&code| code != Code::KingLetter).collect()
    };
    let (before, after) = (codes(before), codes(after));
    let count = |codes: &[Code], code: Code| codes.iter().filter(|&&c| c == code).count();
    after.iter().any(|&code| count(&after, code) > count(&before, code))
}

#[cfg(test)]
mod tests;
