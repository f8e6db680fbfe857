//! Text and lists → a board, with a finding on the exact cell for whatever is wrong.

use rustc_hash::FxHashMap;

use super::coordinates::{Frame, Scalar, number, read_parts, scalar};
use super::fen::{Noted, read_fen, read_pdn};
use super::shape::{Layout, SizeValue, resolve};
use super::{Board, Colour, Format, Notation, Piece, Size, Sizes};
use crate::syntax::{BoardForm, Code, Element, Finding, Fix, Span, Token, TokenKind, Value, lookalike};

/// A piece's cell and its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The index of the cell.
    pub cell: u16,
    /// Where the piece is written.
    pub span: Span,
}

/// A board that was read.
pub struct Reading {
    /// The board; where there are errors, what could be made out, or nothing.
    pub board: Option<Board>,
    /// Where its pieces are written.
    pub places: Vec<Placed>,
    /// The side to move that the notation names.
    pub turn: Option<Colour>,
    /// Whether it is written in the game's one-line notation.
    pub noted: bool,
    /// The fields of a FEN that say more than the position and the side, where they do.
    pub rest: Option<String>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
}

impl Reading {
    fn nothing(finding: Finding) -> Reading {
        Reading {
            board: None,
            places: Vec::new(),
            turn: None,
            noted: false,
            rest: None,
            findings: vec![finding],
        }
    }

    /// Whether the board can be asked about.
    pub fn is_good(&self) -> bool {
        self.board.is_some() && self.findings.iter().all(|f| f.code == Code::KingLetter)
    }

    /// Where the piece of a cell is written.
    pub fn place(&self, cell: usize) -> Option<Span> {
        self.places.iter().find(|p| p.cell as usize == cell).map(|p| p.span)
    }
}

/// How many wrong cells are told one by one; the rest are counted.
const MOST: usize = 100;

/// Reads a puzzle's board. `span` is the place for findings about the whole of it.
pub fn read(
    form: BoardForm<'_>,
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let mut reading = match form {
        BoardForm::Lists(value) => read_lists(value, format, origin, size, span),
        BoardForm::Text(node) => {
            let mut tokens = node.tokens().skip(1).filter(|t| !t.kind().is_trivia()).peekable();
            let Some(&first) = tokens.peek() else {
                return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty"));
            };
            if is_notation(format, first) {
                let mut reading = read_notation(tokens, format, span);
                let wrong = size.filter(|s| s.own).and_then(|s| s.check(format).err());
                reading.findings.extend(wrong);
                reading
            } else {
                let mut text = TextRows::default();
                let mut line_break = false;
                for token in tokens.filter(|t| t.kind() != TokenKind::Comma) {
                    // Line breaks between words stand in the trivia before each.
                    line_break |= text.started() && breaks_before(token);
                    text.add(token.content(), std::mem::take(&mut line_break));
                }
                text.read(format, size, span)
            }
        }
    };
    finish(&mut reading, format, span);
    reading
}

/// Reads a board that stands as one element of a list, as in a solution given as boards.
pub fn read_element(element: Element<'_>, format: &Format, origin: u8, size: Option<SizeValue>) -> Reading {
    let span = element.span();
    let mut reading = match element {
        Element::List(node) => {
            let elements: Vec<Element<'_>> = node.elements().collect();
            read_elements(&elements, format, origin, size, span)
        }
        Element::Word(t) | Element::String(t) => {
            if is_notation(format, t) {
                read_notation([t].into_iter(), format, span)
            } else {
                let mut text = TextRows::default();
                text.add(t.content(), false);
                text.read(format, size, span)
            }
        }
    };
    finish(&mut reading, format, span);
    reading
}

/// What holds of a board in any format.
fn finish(reading: &mut Reading, format: &Format, span: Span) {
    let Some(board) = &reading.board else { return };
    if format.dark_only {
        for placed in &reading.places {
            let s = board.square(placed.cell as usize);
            if (s.x + s.y) % 2 == 1 {
                let message = format!(
                    "{} is a light square; draughts is played on the dark ones",
                    super::square_name(s, false)
                );
                reading.findings.push(Finding::new(Code::LightSquare, placed.span, message));
            }
        }
    }
    if reading.places.is_empty() && reading.findings.is_empty() {
        reading.findings.push(Finding::new(Code::BoardShape, span, "the board is empty: it has no piece"));
    }
    reading.findings.sort_by_key(|f| f.span.start);
}

fn breaks_before(token: Token<'_>) -> bool {
    std::iter::successors(token.previous(), |t| t.previous())
        .take_while(|t| t.kind().is_trivia())
        .any(|t| t.kind() == TokenKind::Space && t.text().contains(['\n', '\r']))
}

// ---- notations

fn is_notation(format: &Format, first: Token<'_>) -> bool {
    match format.notation {
        Notation::None => false,
        Notation::Fen => first.text().contains('/'),
        Notation::Pdn => first.text().contains(':'),
    }
}

fn read_notation<'t>(tokens: impl Iterator<Item = Token<'t>>, format: &Format, span: Span) -> Reading {
    let tokens: Vec<Token<'t>> = tokens.collect();
    let noted = match format.notation {
        Notation::Pdn => {
            let (_, first) = tokens[0].content();
            let whole = tokens.iter().skip(1).fold(first, |a, t| a.cover(t.span()));
            // What stands between the tokens, comments too, is as good as white space.
            let mut body = " ".repeat(whole.range().len());
            for (content, at) in tokens.iter().map(|t| t.content()) {
                let start = (at.start - whole.start) as usize;
                body.replace_range(start..start + content.len(), content);
            }
            read_pdn(&body, whole)
        }
        _ => {
            let mut fields = Vec::new();
            for (content, at) in tokens.iter().map(|t| t.content()) {
                for word in content.split_whitespace() {
                    let start = at.start + (word.as_ptr() as usize - content.as_ptr() as usize) as u32;
                    fields.push((word, Span::new(start, start + word.len() as u32)));
                }
            }
            if fields.is_empty() {
                return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty"));
            }
            read_fen(&fields, format)
        }
    };
    let Noted { board, places, turn, rest, mut findings } = noted;
    findings.truncate(MOST);
    Reading { board: Some(board), places, turn, noted: true, rest, findings }
}

// ---- cells

/// A cell as it is written.
#[derive(Clone, Copy)]
struct Cell {
    what: What,
    span: Span,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Letter(char),
    Number(i64),
}

/// Rows of cells from the top down.
#[derive(Default)]
struct TextRows {
    cells: Vec<Cell>,
    rows: Vec<(usize, Span)>,
    seen: bool,
}

impl TextRows {
    fn started(&self) -> bool {
        self.seen
    }

    /// Adds a word, or a string that may hold line breaks of its own.
    fn add(&mut self, (text, span): (&str, Span), line_break: bool) {
        self.seen = true;
        let mut new_row = line_break || self.rows.is_empty();
        for (i, c) in text.char_indices() {
            if matches!(c, '\n' | '\r') {
                new_row = true;
            } else if !c.is_whitespace() {
                let start = span.start + i as u32;
                let at = Span::new(start, start + c.len_utf8() as u32);
                self.cells.push(Cell { what: What::Letter(c), span: at });
                match self.rows.last_mut().filter(|_| !new_row) {
                    Some(row) => *row = (row.0 + 1, row.1.cover(at)),
                    None => self.rows.push((1, at)),
                }
                new_row = false;
            }
        }
    }

    fn read(mut self, format: &Format, size: Option<SizeValue>, span: Span) -> Reading {
        join_signs(&mut self);
        let layout = match self.rows.len() {
            0 => return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty")),
            1 => Layout::Flat(self.cells.len()),
            _ => Layout::Rows(self.rows),
        };
        from_cells(&self.cells, &layout, format, size, span)
    }
}

/// In text that is all digits and signs, a sign and its digit are one number.
fn join_signs(text: &mut TextRows) {
    let letter = |i: usize| match text.cells.get(i).map(|c| c.what) {
        Some(What::Letter(c)) => c,
        _ => ' ',
    };
    let all = (0..text.cells.len())
        .all(|i| letter(i).is_ascii_digit() || letter(i) == '-' && ('1'..='9').contains(&letter(i + 1)));
    if !all || !text.cells.iter().any(|c| c.what == What::Letter('-')) {
        return;
    }
    let (old, mut rows) = (std::mem::take(&mut text.cells), text.rows.iter_mut());
    let mut row = rows.next();
    let mut negative: Option<Span> = None;
    for cell in old {
        while row.as_ref().is_some_and(|r| r.1.end <= cell.span.start) {
            row = rows.next();
        }
        match (cell.what, negative.take()) {
            (What::Letter('-'), _) => {
                negative = Some(cell.span);
                if let Some(r) = &mut row {
                    r.0 -= 1;
                }
            }
            (What::Letter(c), sign) => {
                let n = i64::from(c.to_digit(10).unwrap_or(0));
                let (n, span) = sign.map_or((n, cell.span), |s| (-n, s.cover(cell.span)));
                text.cells.push(Cell { what: What::Number(n), span });
            }
            (What::Number(_), _) => text.cells.push(cell),
        }
    }
}

/// Cells in reading order, from the top row of the top level on, → a board.
fn from_cells(
    cells: &[Cell],
    layout: &Layout,
    format: &Format,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let mut findings = Vec::new();
    let size = resolve(format, layout, size, span, &mut findings);
    let digit = |w: What| match w {
        What::Number(_) => true,
        What::Letter(c) => c.is_ascii_digit(),
    };
    let numbers = cells.iter().all(|c| digit(c.what));
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
    if wrong.len() > MOST {
        let more = wrong.len() - MOST;
        wrong.truncate(MOST);
        if let Some(last) = wrong.last_mut() {
            last.notes.push(format!("{more} more cells of this board cannot be read"));
        }
    }
    findings.append(&mut wrong);
    Reading { board, places, turn: None, noted: false, rest: None, findings }
}

/// The cell of the `i`th in reading order: from the top level and the top row down.
fn from_top(i: usize, size: Size) -> usize {
    let (w, h, d) = (size.w as usize, size.h as usize, size.d as usize);
    let (x, row, level) = (i % w, i / w % h, i / (w * h));
    x + w * ((h - 1 - row) + h * (d - 1 - level))
}

/// Whether a character is a piece letter of any game, in either case.
fn is_piece_letter(c: char) -> bool {
    "KQRBNPMW".contains(c.to_ascii_uppercase())
}

/// The commonest character that is no piece letter; of several the one that is no letter or digit,
/// then the first.
fn commonest_empty(cells: &[Cell]) -> char {
    let mut counts: FxHashMap<char, (usize, usize)> = FxHashMap::default();
    let mut last = (' ', 0);
    let mut began = 0;
    for (i, cell) in cells.iter().enumerate() {
        if let What::Letter(c) = cell.what {
            if c == last.0 {
                last.1 += 1;
                continue;
            }
            if last.1 > 0 {
                counts.entry(last.0).or_insert((0, began)).0 += last.1;
            }
            last = if is_piece_letter(c) { (' ', 0) } else { (c, 1) };
            began = i;
        }
    }
    if last.1 > 0 {
        counts.entry(last.0).or_insert((0, began)).0 += last.1;
    }
    let best =
        counts.into_iter().max_by_key(|&(c, (n, first))| (n, !c.is_alphanumeric(), usize::MAX - first));
    best.map_or('.', |(c, _)| c)
}

fn piece_of_number(cell: &Cell, format: &Format) -> Result<Option<Piece>, Finding> {
    let n = match cell.what {
        What::Number(n) => n,
        What::Letter(c) => i64::from(c.to_digit(10).unwrap_or(0)),
    };
    if n == 0 {
        return Ok(None);
    }
    let colour = if n < 0 { Colour::Black } else { Colour::White };
    let kind = usize::try_from(n.unsigned_abs() - 1).ok().and_then(|i| format.numbers.get(i));
    let legend = || {
        let names: Vec<String> =
            format.numbers.iter().enumerate().map(|(i, k)| format!("{} {}", i + 1, k.name())).collect();
        names.join(", ")
    };
    match kind {
        Some(&kind) if format.coloured || n > 0 => Ok(Some(Piece::new(colour, kind))),
        Some(_) => {
            let message =
                format!("the pieces of {} have no colours: a number below 0 stands for none", format.game);
            let fix = Fix::new("remove the sign", cell.span, n.unsigned_abs().to_string(), false);
            Err(Finding::new(Code::UnknownPiece, cell.span, message).fix(fix))
        }
        None => {
            let message = format!("{n} stands for no piece of {}: 0 empty, {}", format.game, legend());
            let fix = Fix::new("make it empty", cell.span, "0", false);
            Err(Finding::new(Code::UnknownPiece, cell.span, message).fix(fix))
        }
    }
}

fn piece_of_letter(cell: &Cell, format: &Format, empty: char) -> Result<Option<Piece>, Finding> {
    let c = match cell.what {
        What::Letter(c) => c,
        What::Number(n) => {
            let message = format!("a matrix is all letters or all numbers; {n} stands among letters");
            return Err(Finding::new(Code::MixedEmpty, cell.span, message).fix(make_empty(cell, empty)));
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
            _ => format!("{} is no piece, and the empty cell of this board is `{empty}`", shown(c)),
        };
        return Err(Finding::new(Code::MixedEmpty, cell.span, message).fix(make_empty(cell, empty)));
    }
    let latin = lookalike(c).filter(|&l| format.piece(l).is_some());
    let letters: Vec<String> = format.letters.iter().map(|(l, _)| l.to_string()).collect();
    let message = match latin {
        Some(l) => format!("`{c}` is a Cyrillic letter; the piece is the Latin `{l}`"),
        None => format!("`{c}` is no piece of {}; its pieces are {}", format.game, letters.join(" ")),
    };
    let finding = Finding::new(Code::UnknownPiece, cell.span, message);
    Err(match latin {
        Some(l) => {
            finding.fix(Fix::new(format!("replace with the Latin `{l}`"), cell.span, quoted(cell, l), true))
        }
        None => finding.fix(make_empty(cell, empty)),
    })
}

/// A character in a message; one that cannot be seen as its number.
fn shown(c: char) -> String {
    let invisible = c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{AD}' | '\u{FE0F}');
    if invisible { format!("U+{:04X}", u32::from(c)) } else { format!("`{c}`") }
}

/// The text for a cell: a cell that is a whole string keeps its quotes.
fn quoted(cell: &Cell, c: char) -> String {
    match cell.span.end - cell.span.start {
        2 | 3 if matches!(cell.what, What::Letter(' ')) => format!("'{c}'"),
        _ => c.to_string(),
    }
}

fn make_empty(cell: &Cell, empty: char) -> Fix {
    Fix::new(format!("make it `{empty}`"), cell.span, quoted(cell, empty), false)
}

// ---- lists

fn read_lists(value: Value<'_>, format: &Format, origin: u8, size: Option<SizeValue>, span: Span) -> Reading {
    read_elements(&value.elements(), format, origin, size, span)
}

fn read_elements(
    elements: &[Element<'_>],
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    if elements.is_empty() {
        return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty"));
    }
    let nested = elements.iter().any(|e| matches!(e, Element::List(_)));
    if nested && elements.iter().any(is_entry) {
        return read_coordinates(elements, format, origin, size, span);
    }
    // One entry without the brackets of the list of entries.
    if !nested && elements.len() <= 5 && mixes(elements.iter().copied()) {
        return read_entries(&[(elements.to_vec(), span)], format, origin, size, span);
    }
    let mut rows = Rows::default();
    rows.add(elements, 0);
    if let Some(finding) = rows.too_deep(format, span) {
        return Reading::nothing(finding);
    }
    let layout = rows.layout();
    if rows.cells.is_empty() {
        return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty"));
    }
    from_cells(&rows.cells, &layout, format, size, span)
}

/// Whether an element makes its list coordinates: it mixes letters and numbers, or holds a square's
/// name and a piece's letter.
fn is_entry(element: &Element<'_>) -> bool {
    let Element::List(node) = element else { return false };
    mixes(node.elements())
}

fn mixes<'t>(elements: impl Iterator<Item = Element<'t>>) -> bool {
    let (mut numbers, mut texts, mut names, mut letters) = (0, 0, 0, 0);
    for e in elements {
        match scalar(e) {
            Some((Scalar::Number(_), _)) => numbers += 1,
            Some((Scalar::Text(t), _)) => {
                texts += 1;
                let t = t.trim();
                let bytes = t.as_bytes();
                names += usize::from(
                    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1].is_ascii_digit(),
                );
                let mut chars = t.chars().map(|c| lookalike(c).unwrap_or(c));
                let only = chars.next().filter(|_| chars.next().is_none());
                letters += usize::from(only.is_some_and(is_piece_letter));
            }
            None => return false,
        }
    }
    numbers > 0 && texts > 0 || names > 0 && letters > 0
}

/// The cells of nested lists, and how they were nested.
#[derive(Default)]
struct Rows {
    cells: Vec<Cell>,
    /// The innermost lists, or the words that are rows of their own.
    rows: Vec<(usize, Span)>,
    /// For lists three deep, how many rows each level has.
    levels: Vec<usize>,
    depth: usize,
    /// Words or strings of more than one cell.
    runs: usize,
    singles: usize,
}

impl Rows {
    fn add(&mut self, elements: &[Element<'_>], depth: usize) {
        self.depth = self.depth.max(depth);
        let lists = elements.iter().any(|e| matches!(e, Element::List(_)));
        if depth > 2 {
            return;
        }
        let first_row = self.rows.len();
        let start = self.cells.len();
        let mut words = Vec::new();
        for &element in elements {
            match element {
                Element::List(node) => {
                    let inner: Vec<Element<'_>> = node.elements().collect();
                    if inner.is_empty() {
                        self.rows.push((0, node.span()));
                    }
                    self.add(&inner, depth + 1);
                }
                _ => {
                    let before = self.cells.len();
                    self.scalar(element);
                    let n = self.cells.len() - before;
                    *(if n == 1 { &mut self.singles } else { &mut self.runs }) += 1;
                    words.push((n, element.span()));
                }
            }
        }
        if words.is_empty() {
            if depth == 1 && lists {
                self.levels.push(self.rows.len() - first_row);
            }
            return;
        }
        // Words of several cells are rows; single cells together make one.
        if words.len() > 1 && words.iter().any(|w| w.0 > 1) {
            if depth == 1 {
                self.levels.push(words.len());
                self.depth = self.depth.max(2);
            } else if depth == 0 {
                self.depth = self.depth.max(1);
            }
            self.rows.extend(words);
        } else {
            let span = words.iter().map(|w| w.1).reduce(Span::cover).unwrap_or_default();
            self.rows.push((self.cells.len() - start, span));
        }
    }

    fn scalar(&mut self, element: Element<'_>) {
        let span = element.span();
        let (text, inner) = match element {
            Element::Word(t) => {
                if let Some(n) = number(t.text()) {
                    self.cells.push(Cell { what: What::Number(n), span });
                    return;
                }
                t.content()
            }
            Element::String(t) => t.content(),
            Element::List(_) => return,
        };
        // A cell of its own may be blank; in a row of several, white space only sets cells apart.
        if text.trim().is_empty() {
            self.cells.push(Cell { what: What::Letter(' '), span });
            return;
        }
        for (i, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let start = inner.start + i as u32;
            let at = Span::new(start, start + c.len_utf8() as u32);
            self.cells.push(Cell { what: What::Letter(c), span: at });
        }
    }

    fn too_deep(&self, format: &Format, span: Span) -> Option<Finding> {
        let most = if format.is_cube() { 2 } else { 1 };
        let message = || match format.is_cube() {
            true => "lists of a chess3d board are at most three deep: levels of rows of cells".to_string(),
            false => format!("lists of a {} board are at most two deep: rows of cells", format.game),
        };
        (self.depth > most).then(|| Finding::new(Code::BoardShape, span, message()))
    }

    fn layout(&mut self) -> Layout {
        let rows = std::mem::take(&mut self.rows);
        match self.depth {
            0 => Layout::Flat(self.cells.len()),
            1 => Layout::Rows(rows),
            _ => Layout::Levels(rows, std::mem::take(&mut self.levels)),
        }
    }
}

// ---- coordinates

fn read_coordinates(
    elements: &[Element<'_>],
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let entries: Vec<(Vec<Element<'_>>, Span)> = elements
        .iter()
        .map(|&e| match e {
            Element::List(n) => (n.elements().collect(), e.span()),
            _ => (vec![e], e.span()),
        })
        .collect();
    read_entries(&entries, format, origin, size, span)
}

fn read_entries(
    entries: &[(Vec<Element<'_>>, Span)],
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let mut findings = Vec::new();
    let said = match size.map(|s| s.check(format)) {
        Some(Ok(s)) => Some(s),
        Some(Err(e)) => {
            findings.extend(size.is_some_and(|s| s.own).then_some(e));
            None
        }
        None => None,
    };
    let size = said.unwrap_or_else(|| match format.sizes {
        Sizes::Fixed(n) => Size::flat(n, n),
        // Beside a size that cannot be, no coordinate is held against another.
        Sizes::Upto { max, .. } if !findings.is_empty() => Size::flat(max, max),
        Sizes::Upto { default, .. } => Size::flat(default, default),
        Sizes::Cube(min, max) => {
            let n = largest(entries, origin).clamp(min.into(), max.into()) as u8;
            if findings.is_empty() {
                let message = format!("coordinates want the board's size: `size {n}`");
                // A property may stand behind the board as well as before it.
                let fix =
                    Fix::new(format!("insert `size {n}`"), Span::at(span.end), format!(" size {n}"), false);
                findings.push(Finding::new(Code::BoardShape, span, message).fix(fix));
            }
            Size { w: n, h: n, d: n }
        }
    });
    let frame = Frame { origin, size };
    let mut board = Board::empty(size);
    let mut places: Vec<Placed> = Vec::new();
    for (parts, at) in entries {
        let entry = read_parts(parts, *at, format, frame);
        findings.extend(entry.findings);
        let Some(square) = entry.square else { continue };
        let cell = board.index(square.square);
        if let Some(other) = places.iter().find(|p| p.cell as usize == cell) {
            let name = super::square_name(square.square, format.is_cube());
            let message = format!("two pieces stand on {name}");
            let same = entry.piece.is_some_and(|p| Some(p.0) == board.cells[cell]);
            let mut finding =
                Finding::new(Code::OccupiedSquare, *at, message).related(other.span, "the other piece");
            if same {
                finding.message = format!("the same piece stands on {name} twice");
            }
            findings.push(finding);
            continue;
        }
        // A square is taken even where its piece cannot be read, so that a second one is told.
        let (piece, _) = entry.piece.unwrap_or((Piece::new(Colour::White, format.kinds[0]), *at));
        board.cells[cell] = Some(piece);
        places.push(Placed { cell: cell as u16, span: *at });
    }
    if findings.len() > MOST {
        let more = findings.len() - MOST;
        findings.truncate(MOST);
        if let Some(last) = findings.last_mut() {
            last.notes.push(format!("{more} more entries of this board are wrong"));
        }
    }
    Reading { board: Some(board), places, turn: None, noted: false, rest: None, findings }
}

/// The side that the largest coordinate wants.
fn largest(entries: &[(Vec<Element<'_>>, Span)], origin: u8) -> i64 {
    let numbers = entries.iter().flat_map(|(parts, _)| parts).filter_map(|&e| match scalar(e) {
        Some((Scalar::Number(n), _)) => Some(n),
        _ => None,
    });
    numbers.max().unwrap_or(0).saturating_add(1 - i64::from(origin))
}
