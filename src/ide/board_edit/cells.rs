//! Changed cells of text and of lists.

use crate::board_edit::cell_form::CellForm;
use cpz_check::analysis::Bound;
use cpz_rules::board::Board;
use cpz_text::diagnostic::{Edit, Span};

/// The edits of the cells that differ; `spans` has all cells in reading order. `None` if they are not the cells of the board.
pub(super) fn edits(bound: &Bound<'_>, board: &Board, target: &Board, spans: &[Span]) -> Option<Vec<Edit>> {
    if spans.len() != board.cells.len() {
        return None;
    }
    let text = bound.puzzle.node().tree().text();
    let form = CellForm::of(text, spans, board, bound.game.format(), bound.settings.empty);
    let columns = usize::from(board.size.w);
    let mut edits = Vec::new();
    for cell in (0..board.cells.len()).filter(|&cell| board.cells[cell] != target.cells[cell]) {
        let i = board.size.reading_index(board.square(cell));
        let new = form.write(&text[spans[i].range()], target.cells[cell]);
        edits.push(in_column(text, spans, i, columns, new));
    }
    Some(edits)
}

/// The edit that puts a text into a cell. A longer or shorter text takes spaces before it or gives some back where that
/// keeps its column aligned.
fn in_column(text: &str, spans: &[Span], i: usize, columns: usize, new: String) -> Edit {
    let span = spans[i];
    let length = |text: &str| text.chars().count();
    let (old_length, new_length) = (length(&text[span.range()]), length(&new));
    let plain = |new: String| Edit { span, text: new };
    if old_length == new_length {
        return plain(new);
    }
    let before = |span: Span| {
        let line = &text[..span.start as usize];
        line.len() - line.trim_end_matches(' ').len()
    };
    let width = |span: Span| before(span) + length(&text[span.range()]);
    let mut column = spans.iter().skip(i % columns).step_by(columns);
    if spans.len() == columns || before(span) == 0 || column.any(|&other| width(other) != width(span)) {
        return plain(new);
    }
    match new_length.checked_sub(old_length) {
        None => plain(format!("{}{new}", " ".repeat(old_length - new_length))),
        // One space has to remain between two cells.
        Some(more) if before(span) > more => {
            Edit { span: Span::new(span.start - more as u32, span.end), text: new }
        }
        Some(_) => plain(new),
    }
}
