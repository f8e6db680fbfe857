//! Cells of text and of lists → pieces on a board.

use rustc_hash::FxHashMap;

use crate::board::game_format::Format;
use crate::board::model::{Board, Colour, Piece, Size};
use crate::board::read_result::{MAX_FINDINGS, Placed, Reading};
use crate::board::rights::WrittenRights;
use crate::board::size::{Layout, SizeValue, resolve};
use crate::diagnostic::{Code, Finding, Fix, Span};

/// A cell in the text.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub content: CellContent,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum CellContent {
    Letter(char),
    Number(i64),
}

/// Cells of a board that are read one by one; the rest are only counted. The largest board has 1000.
pub(super) const MAX_CELLS: usize = 4096;

/// Rows of cells from the top down.
#[derive(Default)]
pub(super) struct TextRows {
    cells: Vec<Cell>,
    rows: Vec<(usize, Span)>,
    /// The number of cells above [`MAX_CELLS`].
    beyond: usize,
    seen: bool,
}

impl TextRows {
    pub(super) fn started(&self) -> bool {
        self.seen
    }

    /// Adds a word or a string. A string can contain line breaks, which separate rows too.
    pub(super) fn add(&mut self, (text, span): (&str, Span), line_break: bool) {
        self.seen = true;
        self.cells.reserve(text.len().min(MAX_CELLS));
        let mut new_row = line_break || self.rows.is_empty();
        for (i, c) in text.char_indices() {
            if matches!(c, '\n' | '\r') {
                new_row = true;
            } else if !c.is_whitespace() {
                let start = span.start + i as u32;
                let at = Span::new(start, start + c.len_utf8() as u32);
                if self.cells.len() < MAX_CELLS {
                    self.cells.push(Cell { content: CellContent::Letter(c), span: at });
                } else {
                    self.beyond += 1;
                }
                match self.rows.last_mut().filter(|_| !new_row) {
                    Some(row) => *row = (row.0 + 1, row.1.cover(at)),
                    None => self.rows.push((1, at)),
                }
                new_row = false;
            }
        }
    }

    /// The spans of the cells, each sign with its digit, and whether they are one run without rows.
    pub(super) fn places(mut self) -> (Vec<Span>, bool) {
        join_signs(&mut self);
        (self.cells.iter().map(|c| c.span).collect(), self.rows.len() < 2)
    }

    pub(super) fn read(mut self, format: &Format, size: Option<SizeValue>, span: Span) -> Reading {
        join_signs(&mut self);
        let layout = match self.rows.len() {
            0 => return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty")),
            1 => Layout::Flat(self.cells.len() + self.beyond),
            _ => Layout::Rows(self.rows),
        };
        from_cells(&self.cells, &layout, format, size, span)
    }
}

/// Joins each sign with its digit to one number, if the text has only digits and signs.
fn join_signs(text: &mut TextRows) {
    let letter = |i: usize| match text.cells.get(i).map(|c| c.content) {
        Some(CellContent::Letter(c)) => c,
        _ => ' ',
    };
    let all = (0..text.cells.len())
        .all(|i| letter(i).is_ascii_digit() || letter(i) == '-' && ('1'..='9').contains(&letter(i + 1)));
    if !all || !text.cells.iter().any(|c| c.content == CellContent::Letter('-')) {
        return;
    }
    let (old, mut rows) = (std::mem::take(&mut text.cells), text.rows.iter_mut());
    let mut row = rows.next();
    let mut negative: Option<Span> = None;
    for cell in old {
        while row.as_ref().is_some_and(|r| r.1.end <= cell.span.start) {
            row = rows.next();
        }
        match (cell.content, negative.take()) {
            (CellContent::Letter('-'), _) => {
                negative = Some(cell.span);
                if let Some(r) = &mut row {
                    r.0 -= 1;
                }
            }
            (CellContent::Letter(c), sign) => {
                let n = i64::from(c.to_digit(10).unwrap_or(0));
                let (n, span) = sign.map_or((n, cell.span), |s| (-n, s.cover(cell.span)));
                text.cells.push(Cell { content: CellContent::Number(n), span });
            }
            (CellContent::Number(_), _) => text.cells.push(cell),
        }
    }
}

/// Cells in reading order (from the top row of the top level) → a board.
pub(super) fn from_cells(
    cells: &[Cell],
    layout: &Layout,
    format: &Format,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let mut findings = Vec::new();
    let size = resolve(format, layout, size, span, &mut findings);
    let digit = |w: CellContent| match w {
        CellContent::Number(_) => true,
        CellContent::Letter(c) => c.is_ascii_digit(),
    };
    let numbers = cells.iter().all(|c| digit(c.content));
    let empty = if numbers { '0' } else { commonest_empty(cells) };
    let mut wrong = Vec::new();
    let mut board = size.map(Board::empty);
    let mut places = Vec::new();
    for (i, cell) in cells.iter().enumerate() {
        let piece =
            if numbers { piece_of_number(cell, format) } else { piece_of_letter(cell, format, empty) };
        match piece {
            Ok(None) => {}
            Ok(Some(piece)) => {
                if let Some(board) = &mut board {
                    let index = from_top(i, board.size);
                    board.cells[index] = Some(piece);
                    places.push(Placed { cell: index as u16, span: cell.span });
                }
            }
            Err(finding) => wrong.push(finding),
        }
    }
    if wrong.len() > MAX_FINDINGS {
        let more = wrong.len() - MAX_FINDINGS;
        wrong.truncate(MAX_FINDINGS);
        if let Some(last) = wrong.last_mut() {
            last.notes.push(format!("{more} more cells of this board cannot be read"));
        }
    }
    findings.append(&mut wrong);
    Reading {
        board,
        places,
        turn: None,
        rights: WrittenRights::default(),
        is_notation: false,
        fen_rest: None,
        findings,
    }
}

/// The index on the board of the `i`th cell in reading order, from 0.
fn from_top(i: usize, size: Size) -> usize {
    let (w, h, d) = (size.w as usize, size.h as usize, size.d as usize);
    let (x, row, level) = (i % w, i / w % h, i / (w * h));
    x + w * ((h - 1 - row) + h * (d - 1 - level))
}

/// Whether a character is a piece letter of any game, in either case.
pub(super) fn is_piece_letter(c: char) -> bool {
    matches!(c.to_ascii_uppercase(), 'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 'M' | 'W')
}

/// The empty cell of a board: the most frequent character that is not a piece letter. Of several that are equally
/// frequent, one that is neither letter nor digit, then the first.
fn commonest_empty(cells: &[Cell]) -> char {
    // Most boards have only one such character, which needs no table to count.
    let mut letters = cells.iter().enumerate().filter_map(|(i, cell)| match cell.content {
        CellContent::Letter(c) if !is_piece_letter(c) => Some((i, c)),
        _ => None,
    });
    let Some((began, one)) = letters.next() else { return '.' };
    let mut count = 1;
    let mut others: FxHashMap<char, (usize, usize)> = FxHashMap::default();
    for (i, c) in letters {
        if c == one {
            count += 1;
        } else {
            others.entry(c).or_insert((0, i)).0 += 1;
        }
    }
    if others.is_empty() {
        return one;
    }
    others.insert(one, (count, began));
    let best =
        others.into_iter().max_by_key(|&(c, (n, first))| (n, !c.is_alphanumeric(), usize::MAX - first));
    best.map_or('.', |(c, _)| c)
}

fn piece_of_number(cell: &Cell, format: &Format) -> Result<Option<Piece>, Finding> {
    let n = match cell.content {
        CellContent::Number(n) => n,
        CellContent::Letter(c) => i64::from(c.to_digit(10).unwrap_or(0)),
    };
    if n == 0 {
        return Ok(None);
    }
    let colour = if n < 0 { Colour::Black } else { Colour::White };
    let kind = usize::try_from(n.unsigned_abs() - 1).ok().and_then(|i| format.numbers.get(i));
    let legend = || {
        let names: Vec<String> =
            format.numbers.iter().enumerate().map(|(i, k)| format!("{} is a {}", i + 1, k.name())).collect();
        names.join(", ")
    };
    match kind {
        Some(&kind) if format.coloured || n > 0 => Ok(Some(Piece::new(colour, kind))),
        Some(_) => {
            let message = format!("the pieces of {} have no colours: write a number above 0", format.game);
            let fix = Fix::new("remove the sign", cell.span, n.unsigned_abs().to_string(), false);
            Err(Finding::new(Code::UnknownPiece, cell.span, message).fix(fix))
        }
        None => {
            let message = format!("{n} is not a piece of {}; 0 is an empty cell, {}", format.game, legend());
            Err(Finding::new(Code::UnknownPiece, cell.span, message))
        }
    }
}

fn piece_of_letter(cell: &Cell, format: &Format, empty: char) -> Result<Option<Piece>, Finding> {
    let c = match cell.content {
        CellContent::Letter(c) => c,
        CellContent::Number(n) => {
            let message = format!("a board is all letters or all numbers; {n} is among letters");
            let finding = Finding::new(Code::MixedEmpty, cell.span, message);
            // Another number may be a piece.
            return Err(if n == 0 { finding.fix(make_empty(cell, empty)) } else { finding });
        }
    };
    if c == empty {
        return Ok(None);
    }
    if let Some(piece) = format.piece(c) {
        return Ok(Some(piece));
    }
    if !c.is_alphabetic() {
        let message = match c {
            ' ' => format!("this cell is blank, but the empty cell of this board is `{empty}`"),
            _ => format!("{} is not a piece, and the empty cell of this board is `{empty}`", shown(c)),
        };
        let finding = Finding::new(Code::MixedEmpty, cell.span, message);
        // A digit, a figurine or any other symbol may be a piece.
        let is_blank = (c.is_ascii() && !c.is_ascii_digit()) || "·•∙…–—_□■▢▪▫░".contains(c);
        return Err(if is_blank { finding.fix(make_empty(cell, empty)) } else { finding });
    }
    // A letter may be a piece: no fix makes its cell empty.
    Err(format.unknown_letter(c, cell.span, |l| quoted(cell, l)))
}

/// A character in a message; an invisible one by its number.
fn shown(c: char) -> String {
    let invisible = c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{AD}' | '\u{FE0F}');
    if invisible { format!("U+{:04X}", u32::from(c)) } else { format!("`{c}`") }
}

/// The replacement text of a cell. A blank in quotes keeps the quotes; a digit in place of a number gets quotes, so
/// that it is a letter.
fn quoted(cell: &Cell, c: char) -> String {
    match cell.span.end - cell.span.start {
        _ if matches!(cell.content, CellContent::Number(_)) && c.is_ascii_digit() => format!("'{c}'"),
        2 | 3 if matches!(cell.content, CellContent::Letter(' ')) => format!("'{c}'"),
        _ => c.to_string(),
    }
}

fn make_empty(cell: &Cell, empty: char) -> Fix {
    Fix::new(format!("make it `{empty}`"), cell.span, quoted(cell, empty), false)
}
