//! A board that cannot be read yet, drawn as it stands in the text: its rows from the top, and what they lack.

use cpz_rules::board::{Board, Format, Size, Sizes, SourceLayout, Square, source_layout};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{self, BoardForm};

/// The longest side of a sketch, and of one of a cube.
const MAX_SIDE: usize = 8;
const MAX_CUBE: usize = 10;

/// The rows of a board as they are written.
pub(crate) struct Sketch {
    pub board: Board,
    /// The cells that short rows lack.
    pub missing: Vec<Square>,
    /// The number of rows, of all levels together.
    pub rows: usize,
    /// The first row that is longer than a board of this game can be, counted from 1, and its cells.
    pub long: Option<(usize, usize)>,
}

/// The sketch of a board of rows or of a FEN. A word at the `cursor` that cannot be a row is one that is being typed, and left
/// out. `None` for another format, and where there are no rows or too many.
pub(crate) fn sketch(board: syntax::Board<'_>, format: &Format, cursor: Option<u32>) -> Option<Sketch> {
    let text = board.node().tree().text();
    let rows = match source_layout(board.form()?, format) {
        SourceLayout::Cells { spans, .. } => rows_of_cells(text, spans, format, cursor),
        SourceLayout::Fen(spans) => rows_of_fen(&text[spans.first()?.range()]),
        SourceLayout::Entries(_) | SourceLayout::Pdn => return None,
    };
    let longest = rows.iter().map(Vec::len).max()?;
    let (w, h, d) = match format.sizes {
        Sizes::Fixed(side) => (usize::from(side), usize::from(side), 1),
        Sizes::Cube(..) => (longest, longest, rows.len().div_ceil(longest)),
        Sizes::UpTo { .. } => (longest, rows.len(), 1),
    };
    let max = if format.is_cube() { MAX_CUBE } else { MAX_SIDE };
    if rows.len() > h * d || w > max || h > max || d > max || longest == 0 {
        return None;
    }
    let long = rows.iter().position(|row| row.len() > w).map(|y| (y + 1, rows[y].len()));
    let board = Board::empty(Size { w: w as u8, h: h as u8, d: d as u8 });
    let mut sketch = Sketch { board, missing: Vec::new(), rows: rows.len(), long };
    for level in 0..d {
        for y in 0..h {
            for x in 0..w {
                let square = Square { x: x as u8, y: (h - 1 - y) as u8, z: (d - 1 - level) as u8 };
                match rows.get(level * h + y).and_then(|row| row.get(x)) {
                    Some(&c) => {
                        let cell = sketch.board.index(square);
                        sketch.board.cells[cell] = format.piece(c);
                    }
                    None => sketch.missing.push(square),
                }
            }
        }
    }
    Some(sketch)
}

fn rows_of_cells(text: &str, spans: Vec<Span>, format: &Format, cursor: Option<u32>) -> Vec<Vec<char>> {
    let mut rows: Vec<Vec<(char, Span)>> = Vec::new();
    let mut end = None;
    for span in spans {
        let gap = end.map_or("\n", |end: u32| &text[end as usize..span.start.max(end) as usize]);
        end = Some(span.end);
        let cell = (text[span.range()].trim_matches(['"', '\'']).chars().next().unwrap_or(' '), span);
        let is_next = gap.contains(['\n', '\r', ']']) || format.is_cube() && gap.contains(',');
        match rows.last_mut().filter(|_| !is_next) {
            Some(row) => row.push(cell),
            None => rows.push(vec![cell]),
        }
    }
    let is_typed = |row: &Vec<(char, Span)>| {
        let is_word = row.iter().any(|&(c, _)| c.is_alphabetic() && format.piece(c).is_none());
        is_word && row.last().is_some_and(|(_, at)| cursor == Some(at.end))
    };
    rows.pop_if(|row| is_typed(row));
    rows.into_iter().map(|row| row.into_iter().map(|(c, _)| c).collect()).collect()
}

/// The ranks of a placement, from the top.
fn rows_of_fen(placement: &str) -> Vec<Vec<char>> {
    let cells = |c: char| match c.to_digit(10) {
        Some(empty) => vec!['.'; empty as usize],
        None => vec![c],
    };
    placement.split('/').map(|rank| rank.chars().flat_map(cells).collect()).collect()
}

/// Whether a board is one row of text on a line of its own. Read as a whole board it would be a square.
pub(crate) fn is_first_row(board: syntax::Board<'_>) -> bool {
    let Some(BoardForm::Text(_)) = board.form() else { return false };
    let text = board.node().tree().text();
    let content = board.content().unwrap_or(Span::at(board.keyword().span().end));
    let gap = &text[board.keyword().span().end as usize..content.start as usize];
    gap.contains(['\n', '\r']) && !text[content.range()].contains(['\n', '\r', '/'])
}
