//! Cells of text and of lists → pieces on a board.

use rustc_hash::FxHashMap;

use crate::board::game_format::{Format, is_figurine};
use crate::board::model::{Board, Colour, Kind, Piece, Size};
use crate::board::read_result::{MAX_FINDINGS, Placed, Reading};
use crate::board::rights::WrittenRights;
use crate::board::size::{Layout, SizeValue, odd_rows, resolve};
use crate::board::wrong_letters::{RUSSIAN_KINGS, with_places};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::is_invisible;

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
#[derive(Clone, Default)]
pub(super) struct TextRows {
    cells: Vec<Cell>,
    rows: Vec<(usize, Span)>,
    /// The number of cells above [`MAX_CELLS`].
    beyond: usize,
    seen: bool,
    /// Whether signs and digits are joined already.
    joined: bool,
}

impl TextRows {
    /// The rows of a board whose cells are known.
    pub(super) fn of_rows(rows: Vec<Vec<Cell>>) -> TextRows {
        let mut text = TextRows { seen: true, joined: true, ..TextRows::default() };
        for row in rows {
            let span = row.iter().map(|c| c.span).reduce(Span::cover).unwrap_or_default();
            text.rows.push((row.len(), span));
            text.cells.extend(row);
        }
        text
    }

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
            } else if !c.is_whitespace() && (c.is_ascii() || !is_invisible(c)) {
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
    if text.joined || !all || !text.cells.iter().any(|c| c.content == CellContent::Letter('-')) {
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

/// Cells in reading order (from the top row of the top level) → a board. A quote, a comma or a bracket among them is no
/// cell, unless the board is full with it.
pub(super) fn from_cells(
    cells: &[Cell],
    layout: &Layout,
    format: &Format,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let reading = from_all_cells(cells, layout, format, size, span);
    if reading.findings.is_empty() || !cells.iter().any(is_punctuation) {
        return reading;
    }
    let empty = commonest_empty(cells.iter());
    let is_stray = |cell: &Cell| is_punctuation(cell) && cell.content != CellContent::Letter(empty);
    let (strays, others): (Vec<Cell>, Vec<Cell>) = cells.iter().partition(|cell| is_stray(cell));
    if strays.is_empty() || others.is_empty() {
        return reading;
    }
    let rest_layout = layout.without(&strays.iter().map(|c| c.span).collect::<Vec<_>>());
    let mut rest = from_all_cells(&others, &rest_layout, format, size, span);
    // A run of any length is a board of one row: that it can be read says nothing.
    let one_row =
        matches!(rest_layout, Layout::Flat(_)) && rest.board.as_ref().is_some_and(|b| b.size.h == 1);
    let is_full = rest.findings.is_empty() && !(one_row && size.is_none());
    if !is_full && reading.board.is_some() {
        return reading;
    }
    rest.findings.insert(0, stray_punctuation(&strays, is_full));
    rest
}

/// Whether a cell is a sign that stands around cells or between them.
fn is_punctuation(cell: &Cell) -> bool {
    matches!(cell.content, CellContent::Letter(c) if punctuation(c).is_some())
}

/// What a sign is called that stands around cells or between them.
pub(super) fn punctuation(c: char) -> Option<&'static str> {
    match c {
        '"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '‚' | '«' | '»' => Some("quote"),
        ',' => Some("comma"),
        '[' | ']' | '(' | ')' | '{' | '}' => Some("bracket"),
        _ => None,
    }
}

/// The finding for quotes, commas and brackets among the cells. `is_full` says that the board is complete without them.
fn stray_punctuation(strays: &[Cell], is_full: bool) -> Finding {
    let mut signs: Vec<String> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for cell in strays {
        let CellContent::Letter(c) = cell.content else { continue };
        let Some(name) = punctuation(c) else { continue };
        if !signs.contains(&shown(c)) {
            signs.push(shown(c));
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let places: Vec<Span> = strays.iter().map(|c| c.span).collect();
    let message = match (&signs[..], &names[..]) {
        ([sign], [name]) => format!("{sign} is a {name}, not a cell of the board"),
        _ => {
            let names: Vec<String> = names.iter().map(|name| format!("{name}s")).collect();
            format!("{} are {}, not cells of the board", signs.join(" "), names.join(" and "))
        }
    };
    let finding = with_places(Code::MixedEmpty, places[0], message, &places);
    if !is_full {
        return finding;
    }
    let title = match (strays.len(), names[..].first()) {
        (1, Some(name)) => format!("remove the {name}"),
        _ => "remove them".into(),
    };
    let edits = places.iter().map(|&span| Edit { span, text: String::new() }).collect();
    finding.fix(Fix { title, edits, safe: false })
}

/// All cells in reading order → a board.
fn from_all_cells(
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
    // The cells of a row of another length are not looked at one by one: the row is one mistake.
    let odd_rows = if size.is_none() { odd_rows(layout) } else { Vec::new() };
    let in_odd_row =
        |cell: &Cell| odd_rows.iter().any(|r| r.start <= cell.span.start && cell.span.end <= r.end);
    let empty = match (numbers, odd_rows.is_empty()) {
        (true, _) => '0',
        (false, true) => commonest_empty(cells.iter()),
        (false, false) => commonest_empty(cells.iter().filter(|c| !in_odd_row(c))),
    };
    let mut wrong: Vec<&Cell> = Vec::new();
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
            Err(()) if in_odd_row(cell) => {}
            Err(()) => wrong.push(cell),
        }
    }
    if !wrong.is_empty() {
        let good: Vec<&Cell> = cells.iter().filter(|c| !in_odd_row(c)).collect();
        findings.extend(wrong_cells(&wrong, &good, format, empty, numbers, span));
    }
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

/// The findings for cells that cannot be read, one for each of their contents.
fn wrong_cells(
    wrong: &[&Cell],
    cells: &[&Cell],
    format: &Format,
    empty: char,
    numbers: bool,
    span: Span,
) -> Vec<Finding> {
    if let Some(finding) = numbers_and_letters(wrong, cells, format, empty) {
        return vec![finding];
    }
    // The letter O may be the zero beside it on the keyboard, where no other letter is wrong.
    let is_o = |cell: &&Cell| matches!(cell.content, CellContent::Letter('O' | 'o'));
    let is_zero = empty == '0' && wrong.iter().all(is_o);
    let letter = |cell: &&&Cell| match cell.content {
        CellContent::Letter(c) if !numbers && is_letter(c) && !is_zero => Some((c, cell.span)),
        _ => None,
    };
    let letters: Vec<(char, Span)> = wrong.iter().filter_map(|c| letter(&c)).collect();
    let mut found = Vec::new();
    if !letters.is_empty() {
        let all: Vec<(char, Span)> =
            cells.iter().filter_map(|c| letter(&c)).filter(|&(c, _)| c != empty).collect();
        found = format.wrong_letters(&letters, &all, span);
    }
    let mut seen: Vec<CellContent> = Vec::new();
    for cell in wrong.iter().filter(|c| letter(c).is_none()) {
        if seen.contains(&cell.content) || seen.len() == MAX_FINDINGS {
            continue;
        }
        seen.push(cell.content);
        let alike: Vec<&Cell> = wrong.iter().filter(|c| c.content == cell.content).copied().collect();
        found.push(if numbers { wrong_number(&alike, format) } else { wrong_empty(&alike, empty) });
    }
    found
}

/// The finding for a board of numbers with letters among them, or the other way about: the wrong cells are all numbers of pieces.
/// Whichever are fewer are the slip, and both have a fix that keeps all pieces.
fn numbers_and_letters(wrong: &[&Cell], cells: &[&Cell], format: &Format, empty: char) -> Option<Finding> {
    let letter = |cell: &Cell| match cell.content {
        CellContent::Letter(c) => Some(c).filter(|c| !c.is_ascii_digit()),
        CellContent::Number(_) => None,
    };
    let is_piece =
        |cell: &&Cell| letter(cell).is_none() && matches!(piece_of_number(cell, format), Ok(Some(_)));
    if empty != '0' || !wrong.iter().all(is_piece) {
        return None;
    }
    let letters: Vec<&Cell> = cells.iter().filter(|cell| letter(cell).is_some()).copied().collect();
    let number_for = |cell: &&Cell| {
        let number = format.number(piece_of_letter(cell, format, empty).ok()??);
        (number != 0).then(|| Edit { span: cell.span, text: number.to_string() })
    };
    let letter_for = |cell: &&Cell| {
        let piece = piece_of_number(cell, format).ok()??;
        Some(Edit { span: cell.span, text: format.letter(piece).to_string() })
    };
    let to_numbers: Option<Vec<Edit>> = letters.iter().map(number_for).collect();
    let to_letters: Option<Vec<Edit>> = wrong.iter().map(letter_for).collect();
    let fix = |edits: Option<Vec<Edit>>, title: &str| {
        edits.map(|edits| Fix { title: title.into(), edits, safe: false })
    };
    let mut fixes =
        [fix(to_numbers, "write numbers for the letters"), fix(to_letters, "write letters for the numbers")];
    let (strays, among) = match wrong.len() < letters.len() {
        true => (wrong, "letters"),
        false => (&letters[..], "numbers"),
    };
    if among == "letters" {
        fixes.reverse();
    }
    let places: Vec<Span> = strays.iter().map(|cell| cell.span).collect();
    let stray = match strays.first()?.content {
        CellContent::Letter(c) => shown(c),
        CellContent::Number(n) => n.to_string(),
    };
    let message = format!("a board is all letters or all numbers; {stray} is among {among}");
    let mut finding = with_places(Code::UnknownPiece, places[0], message, &places);
    finding.fixes.extend(fixes.into_iter().flatten());
    Some(finding)
}

/// The index on the board of the `i`th cell in reading order, from 0.
fn from_top(i: usize, size: Size) -> usize {
    let (w, h, d) = (size.w as usize, size.h as usize, size.d as usize);
    let (x, row, level) = (i % w, i / w % h, i / (w * h));
    x + w * ((h - 1 - row) + h * (d - 1 - level))
}

/// Whether a character is a piece letter of any game, in either case.
pub(super) fn is_piece_letter(c: char) -> bool {
    matches!(c.to_ascii_uppercase(), 'K' | 'Q' | 'R' | 'B' | 'N' | 'P' | 'M' | 'W') || is_figurine(c)
}

/// Whether a character that is not a piece is judged as a letter: not as another empty cell.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() || RUSSIAN_KINGS.contains(&c)
}

/// The empty cell of a board: the most frequent character that is not a piece letter. Of several that are equally
/// frequent, one that is neither letter nor digit, then the first.
fn commonest_empty<'c>(cells: impl Iterator<Item = &'c Cell>) -> char {
    // Most boards have only one such character, which needs no table to count.
    let mut letters = cells.enumerate().filter_map(|(i, cell)| match cell.content {
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

/// The piece of a number: 0 is an empty cell. `Err` if the game does not have it.
fn piece_of_number(cell: &Cell, format: &Format) -> Result<Option<Piece>, ()> {
    let n = number_of(cell);
    if n == 0 {
        return Ok(None);
    }
    let colour = if n < 0 { Colour::Black } else { Colour::White };
    let kind = kind_of_number(n, format).filter(|_| format.coloured || n > 0).ok_or(())?;
    Ok(Some(Piece::new(colour, kind)))
}

fn number_of(cell: &Cell) -> i64 {
    match cell.content {
        CellContent::Number(n) => n,
        CellContent::Letter(c) => i64::from(c.to_digit(10).unwrap_or(0)),
    }
}

fn kind_of_number(n: i64, format: &Format) -> Option<Kind> {
    usize::try_from(n.unsigned_abs() - 1).ok().and_then(|i| format.numbers.get(i)).copied()
}

/// The finding for a number that is no piece, in one or several cells.
fn wrong_number(cells: &[&Cell], format: &Format) -> Finding {
    let (n, span) = (number_of(cells[0]), cells[0].span);
    let places: Vec<Span> = cells.iter().map(|c| c.span).collect();
    if kind_of_number(n, format).is_some() {
        let message = format!("the pieces of {} have no colours: write a number above 0", format.game);
        let edits = places.iter().map(|&span| Edit { span, text: n.unsigned_abs().to_string() }).collect();
        let fix = Fix { title: "remove the sign".into(), edits, safe: false };
        return with_places(Code::UnknownPiece, span, message, &places).fix(fix);
    }
    let names: Vec<String> =
        format.numbers.iter().enumerate().map(|(i, k)| format!("{} is a {}", i + 1, k.name())).collect();
    let message = format!("{n} is not a piece of {}; 0 is an empty cell, {}", format.game, names.join(", "));
    with_places(Code::UnknownPiece, span, message, &places)
}

/// The piece of a letter or figurine; nothing for the empty cell. `Err` if the game does not have it.
fn piece_of_letter(cell: &Cell, format: &Format, empty: char) -> Result<Option<Piece>, ()> {
    let CellContent::Letter(c) = cell.content else { return Err(()) };
    if c == empty {
        return Ok(None);
    }
    match format.piece(c) {
        Some(piece) => Ok(Some(piece)),
        None => format.figurine(c).map(Some).ok_or(()),
    }
}

/// The finding for cells that are neither pieces nor the empty cell of the board, and all the same.
fn wrong_empty(cells: &[&Cell], empty: char) -> Finding {
    let span = cells[0].span;
    let places: Vec<Span> = cells.iter().map(|c| c.span).collect();
    let (message, could_be_empty) = match cells[0].content {
        CellContent::Number(n) => {
            // The letters may be the mistake.
            (format!("a board is all letters or all numbers; {n} is among letters"), false)
        }
        CellContent::Letter(' ') => {
            (format!("this cell is blank, but the empty cell of this board is `{empty}`"), true)
        }
        CellContent::Letter(c) if punctuation(c).is_some() => {
            let name = punctuation(c).unwrap_or_default();
            let message =
                format!("{} is a {name}, not a piece; the empty cell of this board is `{empty}`", shown(c));
            (message, false)
        }
        CellContent::Letter(c) => (
            format!("{} is not a piece, and the empty cell of this board is `{empty}`", shown(c)),
            // A digit, a figurine or any other symbol may be a piece.
            (c.is_ascii() && !c.is_ascii_digit()) || "·•∙…–—□■▢▪▫░".contains(c),
        ),
    };
    let finding = with_places(Code::MixedEmpty, span, message, &places);
    // Another character may be meant as a piece, which no fix removes.
    if !could_be_empty {
        return finding;
    }
    let edits = cells.iter().map(|cell| Edit { span: cell.span, text: quoted(cell, empty) }).collect();
    finding.fix(Fix { title: format!("make it `{empty}`"), edits, safe: false })
}

/// A character in a message; an invisible one by its number.
fn shown(c: char) -> String {
    let invisible = c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{AD}' | '\u{FE0F}');
    if invisible { format!("U+{:04X}", u32::from(c)) } else { format!("`{c}`") }
}

/// The replacement text of a cell. A blank in quotes keeps the quotes.
fn quoted(cell: &Cell, c: char) -> String {
    match cell.span.end - cell.span.start {
        2 | 3 if matches!(cell.content, CellContent::Letter(' ')) => format!("'{c}'"),
        _ => c.to_string(),
    }
}
