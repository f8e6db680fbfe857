//! A board that cannot be read yet, drawn as it stands in the text: its rows from the top, and what they lack.

use cpz_rules::board::{Board, Format, Size, Sizes, SourceLayout, Square, source_layout};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{self, BoardForm};

/// The longest side of a sketch.
const MAX_SIDE: usize = 8;

/// The rows of a board as they are written.
pub(crate) struct Sketch {
    pub board: Board,
    /// The cells that short rows lack.
    pub missing: Vec<Square>,
    /// The number of rows.
    pub rows: usize,
}

/// The sketch of a board of rows. A word at the `cursor` that cannot be a row is one that is being typed, and left out.
/// `None` for another format, for a cube, and where there are no rows.
pub(crate) fn sketch(board: syntax::Board<'_>, format: &Format, cursor: Option<u32>) -> Option<Sketch> {
    if format.is_cube() {
        return None;
    }
    let text = board.node().tree().text();
    let SourceLayout::Cells { spans, .. } = source_layout(board.form()?, format) else { return None };
    let mut rows: Vec<Vec<(char, Span)>> = Vec::new();
    let mut end = None;
    for span in spans {
        let gap = end.map_or("\n", |end: u32| &text[end as usize..span.start.max(end) as usize]);
        end = Some(span.end);
        let cell = (text[span.range()].trim_matches(['"', '\'']).chars().next().unwrap_or(' '), span);
        match rows.last_mut().filter(|_| !gap.contains(['\n', '\r', ']'])) {
            Some(row) => row.push(cell),
            None => rows.push(vec![cell]),
        }
    }
    let is_typed = |row: &Vec<(char, Span)>| {
        let is_word = row.iter().any(|&(c, _)| c.is_alphabetic() && format.piece(c).is_none());
        is_word && row.last().is_some_and(|(_, at)| cursor == Some(at.end))
    };
    rows.pop_if(|row| is_typed(row));
    let longest = rows.iter().map(Vec::len).max()?;
    let (w, h) = match format.sizes {
        Sizes::Fixed(side) => (usize::from(side), usize::from(side)),
        _ => (longest, rows.len()),
    };
    if longest > w || rows.len() > h || w > MAX_SIDE || h > MAX_SIDE {
        return None;
    }
    let mut sketch =
        Sketch { board: Board::empty(Size::flat(w as u8, h as u8)), missing: Vec::new(), rows: rows.len() };
    for y in 0..h {
        for x in 0..w {
            let square = Square::new(x as u8, (h - 1 - y) as u8);
            match rows.get(y).and_then(|row| row.get(x)) {
                Some(&(c, _)) => {
                    let cell = sketch.board.index(square);
                    sketch.board.cells[cell] = format.piece(c);
                }
                None => sketch.missing.push(square),
            }
        }
    }
    Some(sketch)
}

/// Whether a board is one row of text on a line of its own. Read as a whole board it would be a square.
pub(crate) fn is_first_row(board: syntax::Board<'_>) -> bool {
    let Some(BoardForm::Text(_)) = board.form() else { return false };
    let text = board.node().tree().text();
    let content = board.content().unwrap_or(Span::at(board.keyword().span().end));
    let gap = &text[board.keyword().span().end as usize..content.start as usize];
    gap.contains(['\n', '\r']) && !text[content.range()].contains(['\n', '\r', '/'])
}
