//! How the cells of one board are written: quotes, numbers, figurines, small letters, signs.

use cpz_rules::board::{Board, Colour, Format, Piece};
use cpz_text::diagnostic::Span;

/// The form of the cells of a board.
pub(super) struct CellForm<'a> {
    format: &'a Format,
    /// The piece of each cell and its text without quotes, in reading order.
    cells: Vec<(Option<Piece>, &'a str)>,
    /// The empty cell with its quotes, as the first one of the board is written.
    empty: Option<&'a str>,
    /// The empty cell where the board has none.
    default_empty: char,
}

impl<'a> CellForm<'a> {
    /// Reads the form from the cells of a text, given in reading order.
    pub(super) fn of(
        text: &'a str,
        spans: &[Span],
        board: &Board,
        format: &'a Format,
        empty: Option<char>,
    ) -> CellForm<'a> {
        let mut pieces = vec![None; spans.len()];
        for (square, piece) in board.pieces() {
            pieces[board.size.reading_index(square)] = Some(piece);
        }
        let written = |span: &Span| &text[span.range()];
        let first_empty = pieces.iter().position(Option::is_none);
        let cells = pieces.iter().zip(spans).map(|(&piece, span)| (piece, unquoted(written(span)).1));
        CellForm {
            format,
            cells: cells.collect(),
            empty: first_empty.map(|i| written(&spans[i])),
            default_empty: empty.unwrap_or(format.empty),
        }
    }

    /// The text that puts a piece, or nothing, into a cell that is written as `old`.
    pub(super) fn write(&self, old: &str, piece: Option<Piece>) -> String {
        let quote = unquoted(old).0;
        let content = match piece {
            Some(piece) => self.piece(piece),
            None => match self.empty {
                Some(empty) if quote.is_empty() => return empty.into(),
                Some(empty) => unquoted(empty).1.into(),
                None if self.is_numbers() => "0".into(),
                None => self.default_empty.into(),
            },
        };
        format!("{quote}{content}{quote}")
    }

    fn piece(&self, piece: Piece) -> String {
        if let Some((_, text)) = self.cells.iter().find(|c| c.0 == Some(piece)) {
            return (*text).into();
        }
        if self.is_numbers() {
            return self.format.number(piece).to_string();
        }
        let letter = self.format.letter(piece);
        let written = || self.cells.iter().filter_map(|&(piece, text)| Some((piece?, text)));
        let all = |is: fn(char) -> bool| {
            written().next().is_some() && written().all(|(_, text)| text.chars().all(is))
        };
        if let Some(figurine) = self.format.figurine_of(piece).filter(|_| all(|c| !c.is_ascii())) {
            return figurine.into();
        }
        if !self.format.coloured && all(|c| c.is_ascii_lowercase()) {
            return letter.to_ascii_lowercase().into();
        }
        // Popeye puts a minus before the letters of black pieces.
        let signed = written().find(|(p, text)| p.colour == Colour::Black && text.starts_with('-'));
        match signed {
            Some(_) if piece.colour == Colour::Black => format!("-{}", piece.kind.letter()),
            _ => letter.into(),
        }
    }

    /// Whether the cells are numbers.
    fn is_numbers(&self) -> bool {
        self.cells.iter().all(|(_, text)| text.parse::<i64>().is_ok())
    }
}

/// The quote around a cell, which may be empty, and the text in it.
fn unquoted(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote)) {
            return (&text[..1], inner);
        }
    }
    ("", text)
}
