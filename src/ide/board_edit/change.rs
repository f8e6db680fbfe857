//! What the edits of all forms share: the squares that change, and looks at the text.

use cpz_check::analysis::Bound;
use cpz_rules::board::{Board, Piece, Square};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::TokenKind;

/// Why the text of a board cannot be edited when no more precise reason is known.
pub(super) const CANNOT_EDIT: &str = "the text of this board cannot be edited here; change it by hand";

/// The text of the whole file.
pub(super) fn source<'t>(bound: &Bound<'t>) -> &'t str {
    bound.puzzle.node().tree().text()
}

/// A square that changes, and what stands on it before and after.
pub(super) struct Change {
    pub square: Square,
    pub before: Option<Piece>,
    pub after: Option<Piece>,
}

/// The squares that differ, in reading order.
pub(super) fn differences(board: &Board, target: &Board) -> Vec<Change> {
    let differs = |&cell: &usize| board.cells[cell] != target.cells[cell];
    let change = |cell: usize| Change {
        square: board.square(cell),
        before: board.cells[cell],
        after: target.cells[cell],
    };
    let mut changes: Vec<Change> = (0..board.cells.len()).filter(differs).map(change).collect();
    changes.sort_by_key(|c| board.size.reading_index(c.square));
    changes
}

/// Whether there is a comment among the tokens of a range.
pub(crate) fn has_comment(bound: &Bound<'_>, span: Span) -> bool {
    let tree = bound.puzzle.node().tree();
    tree.tokens_in(span).any(|t| t.kind() == TokenKind::Comment && t.span().start < span.end)
}
