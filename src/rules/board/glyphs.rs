//! The characters of a text board, row by row, for reading what is around the cells.

use crate::board::text::{Cell, CellContent};
use crate::board::wrong_letters::RUSSIAN_KINGS;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Token, TokenKind};

/// A character of a row.
#[derive(Clone, Copy)]
pub(super) struct Glyph {
    pub c: char,
    pub span: Span,
    /// Whether white space, a line of a frame or the beginning of the line is before it.
    pub begins: bool,
    /// Whether a `-` belongs to it.
    pub negative: bool,
}

pub(super) type Row = Vec<Glyph>;

/// More characters than any board with its frame has.
const MAX_GLYPHS: usize = 8192;

/// The cell of a character.
pub(super) fn cell(glyph: &Glyph) -> Cell {
    let content = match (glyph.negative, glyph.c.to_digit(10)) {
        (true, Some(n)) => CellContent::Number(-i64::from(n)),
        (true, None) => CellContent::Letter(glyph.c.to_ascii_lowercase()),
        _ => CellContent::Letter(glyph.c),
    };
    Cell { content, span: glyph.span }
}

/// The characters of a board, row by row.
pub(super) fn glyph_rows(tokens: &[Token<'_>]) -> Option<Vec<Row>> {
    let mut rows: Vec<Row> = vec![Row::new()];
    let (mut count, mut line) = (0, true);
    for token in tokens {
        let (text, span) = token.content();
        let gap = token.previous().filter(|t| t.kind() == TokenKind::Space);
        line |= gap.is_some_and(|t| t.text().contains(['\n', '\r']));
        let mut begins = true;
        for (i, c) in text.char_indices() {
            if c.is_whitespace() {
                line |= matches!(c, '\n' | '\r');
                begins = true;
                continue;
            }
            if std::mem::take(&mut line) && rows.last().is_some_and(|r| !r.is_empty()) {
                rows.push(Row::new());
            }
            count += 1;
            if count > MAX_GLYPHS {
                return None;
            }
            let start = span.start + i as u32;
            let at = Span::new(start, start + c.len_utf8() as u32);
            if let Some(row) = rows.last_mut() {
                row.push(Glyph { c, span: at, begins: begins || row.is_empty(), negative: false });
            }
            begins = false;
        }
    }
    Some(rows)
}

/// Removes the characters that say whether a figurine is drawn in colour, and others without width.
pub(super) fn drop_invisible(rows: &mut [Row]) -> bool {
    let mut changed = false;
    for row in rows {
        let before = row.len();
        row.retain(|g| !matches!(g.c, '\u{FE0E}' | '\u{FE0F}' | '\u{200B}'..='\u{200D}' | '\u{2060}'));
        changed |= row.len() < before;
    }
    changed
}

/// Makes one cell of each Russian king, `Кр`.
pub(super) fn join_russian_kings(rows: &mut [Row]) -> bool {
    let mut changed = false;
    for row in rows {
        let mut i = 0;
        while i + 1 < row.len() {
            let (a, b) = (row[i], row[i + 1]);
            if matches!(a.c, 'К' | 'к') && b.c == 'р' && !b.begins {
                let c = RUSSIAN_KINGS[usize::from(a.c == 'к')];
                row[i] = Glyph { c, span: a.span.cover(b.span), ..a };
                row.remove(i + 1);
                changed = true;
            }
            i += 1;
        }
    }
    changed
}
