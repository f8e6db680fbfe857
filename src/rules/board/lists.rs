//! Boards written as lists: rows of cells, or pieces with their squares.

use crate::board::blanks::blank_strings;
use crate::board::coordinates::{
    CoordinateFrame, Scalar, kind_of_name, named, number, read_colour, read_parts, scalar,
};
use crate::board::game_format::{Format, Notation, Sizes};
use crate::board::list_slips::{men_in_one_word, number_among_letters, stray_among_numbers, wrong_minus};
use crate::board::model::{Board, Colour, Piece, Size, square_name};
use crate::board::read_result::{MAX_FINDINGS, Placed, Reading};
use crate::board::rights::WrittenRights;
use crate::board::size::{Layout, SizeValue};
use crate::board::text::{Cell, CellContent, MAX_CELLS, TextRows, from_cells, is_piece_letter, punctuation};
use crate::board::wrong_letters::{PieceForm, PieceText, russian_king};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Related, Span};
use cpz_text::syntax::{Element, TokenKind, Value, lookalike, merge_latin};

pub(super) fn read_lists(
    value: Value<'_>,
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let elements = value.elements();
    if let Some(finding) = notation_in_list(value, &elements, format, span)
        .or_else(|| unquoted_digits(&elements, format, span))
        .or_else(|| men_in_one_word(&elements, format, span))
    {
        return Reading::nothing(finding);
    }
    read_elements(&elements, format, origin, size, span)
}

/// The finding for a FEN or PDN in brackets: one, instead of one for each of its words.
fn notation_in_list(
    value: Value<'_>,
    elements: &[Element<'_>],
    format: &Format,
    span: Span,
) -> Option<Finding> {
    let (Value::Lists(node), Some(Element::Word(t) | Element::String(t))) = (value, elements.first()) else {
        return None;
    };
    // `/` and `:` can be empty cells of a list too, so the whole shape of the notation is checked.
    let text = t.content().0;
    let name = match format.notation {
        Notation::Fen if text.split('/').count() == 8 && !text.split('/').any(str::is_empty) => "FEN",
        Notation::Pdn if text.get(1..2) == Some(":") && text.bytes().any(|b| b.is_ascii_digit()) => {
            "PDN position"
        }
        _ => return None,
    };
    let finding = Finding::new(Code::Syntax, span, format!("write a {name} without brackets"));
    let whole = node.tree().text();
    let text = &whole[span.range()];
    if !(text.starts_with('[') && text.ends_with(']') && text.matches(['[', ']']).count() == 2) {
        return Some(finding);
    }
    // Without a bracket two words may join: a space takes its place.
    let edit = |at: u32, neighbour: Option<char>| {
        let space = if neighbour.is_some_and(char::is_whitespace) { "" } else { " " };
        Edit { span: Span::new(at, at + 1), text: space.into() }
    };
    let before = whole[..span.start as usize].chars().next_back();
    let edits = vec![edit(span.start, before), edit(span.end - 1, whole[span.end as usize..].chars().next())];
    Some(finding.fix(Fix { title: "remove the brackets".into(), edits, safe: false }))
}

/// The finding for unquoted rows of digits in a list, if some are not the number of a piece: one, instead of one
/// for each row.
fn unquoted_digits(elements: &[Element<'_>], format: &Format, span: Span) -> Option<Finding> {
    fn row(element: Element<'_>) -> Option<(&str, Span)> {
        match element {
            Element::Word(t) if t.text().len() > 1 && t.text().bytes().all(|b| b.is_ascii_digit()) => {
                Some((t.text(), t.span()))
            }
            _ => None,
        }
    }
    let first = match elements.first()? {
        Element::List(node) => node.elements().next()?,
        first => *first,
    };
    let length = row(first)?.0.len();
    let mut rows = Vec::new();
    for &element in elements {
        match element {
            Element::List(node) => rows.extend(node.elements().map(row)),
            other => rows.push(row(other)),
        }
    }
    let rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
    let means_nothing = |text: &str| text.parse().is_ok_and(|n: usize| n > format.numbers.len());
    if rows.len() < 2 || rows.iter().any(|r| r.0.len() != length) || !rows.iter().any(|r| means_nothing(r.0))
    {
        return None;
    }
    let mark = |at: u32| Edit { span: Span::at(at), text: "\"".into() };
    let edits = rows.iter().flat_map(|(_, span)| [mark(span.start), mark(span.end)]).collect();
    let message = "not all of these numbers are pieces; put each row in quotes if its digits are cells";
    let fix = Fix { title: "put the rows in quotes".into(), edits, safe: false };
    Some(Finding::new(Code::UnknownPiece, span, message).fix(fix))
}

pub(super) fn read_elements(
    elements: &[Element<'_>],
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let reading = read_cells_or_entries(elements, format, origin, size, span);
    let stray = match reading.findings.is_empty() {
        true => None,
        false => wrong_minus(elements)
            .or_else(|| stray_among_numbers(elements, format))
            .or_else(|| number_among_letters(elements, format)),
    };
    stray.map_or(reading, Reading::nothing)
}

fn read_cells_or_entries(
    elements: &[Element<'_>],
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    if elements.is_empty() {
        let nothing = Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty"));
        let mut findings = Vec::new();
        let size = size_for_entries(&[], format, origin, size, span, &mut findings);
        return Reading { board: findings.is_empty().then(|| Board::empty(size)), ..nothing };
    }
    if let Some(entries) = entries(elements, span) {
        return read_entries(&entries, format, origin, size, span);
    }
    if let Some(rows) = blank_rows(elements, format) {
        return rows.read(format, size, span);
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

/// The rows of a list of strings in which blanks are cells.
pub(super) fn blank_rows(elements: &[Element<'_>], format: &Format) -> Option<TextRows> {
    fn text<'t>(element: &Element<'t>) -> Option<(&'t str, Span)> {
        match element {
            Element::String(t) if t.kind() == TokenKind::String => Some(t.content()),
            _ => None,
        }
    }
    // Reject nearly all lists at once.
    let has_blanks = |e: &Element<'_>| text(e).is_some_and(|(t, _)| t.len() > 1 && t.contains(' '));
    if !elements.iter().any(has_blanks) {
        return None;
    }
    let strings: Vec<(&str, Span)> = elements.iter().map(text).collect::<Option<_>>()?;
    blank_strings(&strings, format).map(TextRows::of_rows)
}

/// The elements of an entry, and its span.
pub type EntryParts<'t> = (Vec<Element<'t>>, Span);

/// The entries of a list of coordinates; `None` for a list of cells. `span` is the span of the list.
pub(super) fn entries<'t>(elements: &[Element<'t>], span: Span) -> Option<Vec<EntryParts<'t>>> {
    let nested = elements.iter().any(|e| matches!(e, Element::List(_)));
    if nested && elements.iter().any(is_entry) {
        let parts = |&e: &Element<'t>| match e {
            Element::List(n) => (n.elements().collect(), e.span()),
            _ => (vec![e], e.span()),
        };
        return Some(elements.iter().map(parts).collect());
    }
    // A single entry without the outer brackets.
    (!nested && elements.len() <= 5 && mixes(elements.iter().copied()))
        .then(|| vec![(elements.to_vec(), span)])
}

/// Whether an element is an entry of coordinates: it has letters and numbers, or the name of a square and the
/// letter of a piece.
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
                let mut chars = t.chars().map(|c| lookalike(c).unwrap_or(c));
                let (first, second) = (chars.next(), chars.next());
                names += usize::from(
                    first.is_some_and(|c| c.is_ascii_alphabetic())
                        && second.is_some_and(|c| c.is_ascii_digit()),
                );
                let only = first.filter(|_| second.is_none());
                // A letter of another language is one too, and the name of a piece stands for one.
                let is_letter = only.is_some_and(|c| is_piece_letter(c) || c.is_alphabetic());
                letters += usize::from(is_letter || t == "Кр" || kind_of_name(t).is_some());
            }
            None => return false,
        }
    }
    numbers > 0 && texts > 0 || names > 0 && letters > 0
}

/// The cells of nested lists, and their nesting.
#[derive(Default)]
struct Rows {
    cells: Vec<Cell>,
    /// The innermost lists, or words that are rows: number of cells and span.
    rows: Vec<(usize, Span)>,
    /// The number of rows of each level, in lists three deep.
    levels: Vec<usize>,
    depth: usize,
    /// The number of words and strings of more than one cell.
    runs: usize,
    singles: usize,
    /// The number of cells above [`MAX_CELLS`].
    beyond: usize,
}

impl Rows {
    fn add(&mut self, elements: &[Element<'_>], depth: usize) {
        self.depth = self.depth.max(depth);
        let lists = elements.iter().any(|e| matches!(e, Element::List(_)));
        if depth > 2 {
            return;
        }
        let first_row = self.rows.len();
        let start = self.count();
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
                    let before = self.count();
                    self.scalar(element);
                    let n = self.count() - before;
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
        // Words of several cells are rows; single cells together are one row.
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
            self.rows.push((self.count() - start, span));
        }
    }

    fn push(&mut self, cell: Cell) {
        if self.cells.len() < MAX_CELLS {
            self.cells.push(cell);
        } else {
            self.beyond += 1;
        }
    }

    fn count(&self) -> usize {
        self.cells.len() + self.beyond
    }

    fn scalar(&mut self, element: Element<'_>) {
        let span = element.span();
        let (text, inner) = match element {
            Element::Word(t) => {
                if let Some(n) = number(t.text()) {
                    self.push(Cell { content: CellContent::Number(n), span });
                    return;
                }
                t.content()
            }
            Element::String(t) => t.content(),
            Element::List(_) => return,
        };
        // A string of white space is a blank cell; within a row, white space only separates cells.
        if text.trim().is_empty() {
            self.push(Cell { content: CellContent::Letter(' '), span });
            return;
        }
        // Without the sign an empty string would be left, which is a cell.
        if let Some(c) = one_character(text.trim()).filter(|&c| punctuation(c).is_some()) {
            self.push(Cell { content: CellContent::Letter(c), span });
            return;
        }
        if let Some(c) = russian_king(text.trim()) {
            self.push(Cell { content: CellContent::Letter(c), span: inner });
            return;
        }
        for (i, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let start = inner.start + i as u32;
            let at = Span::new(start, start + c.len_utf8() as u32);
            self.push(Cell { content: CellContent::Letter(c), span: at });
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
            0 => Layout::Flat(self.count()),
            1 => Layout::Rows(rows),
            _ => Layout::Levels(rows, std::mem::take(&mut self.levels)),
        }
    }
}

fn one_character(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// The size of a board in coordinates: from `size`, or the default of the game.
fn size_for_entries(
    entries: &[EntryParts<'_>],
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
    findings: &mut Vec<Finding>,
) -> Size {
    let stated = match size.map(|s| s.check(format)) {
        Some(Ok(s)) => Some(s),
        Some(Err(e)) => {
            findings.extend(size.is_some_and(|s| s.own).then_some(e));
            None
        }
        None => None,
    };
    stated.unwrap_or_else(|| match format.sizes {
        Sizes::Fixed(n) => Size::flat(n, n),
        // With an invalid size, coordinates are checked against the largest board only.
        Sizes::UpTo { max, .. } if !findings.is_empty() => Size::flat(max, max),
        Sizes::UpTo { default, .. } => Size::flat(default, default),
        Sizes::Cube(min, max) => {
            let n = largest(entries, origin).clamp(min.into(), max.into()) as u8;
            if findings.is_empty() {
                let message = format!("coordinates need the size of the board: `size {n}`");
                // A property may follow the board.
                let fix =
                    Fix::new(format!("insert `size {n}`"), Span::at(span.end), format!(" size {n}"), false);
                findings.push(Finding::new(Code::BoardShape, span, message).fix(fix));
            }
            Size { w: n, h: n, d: n }
        }
    })
}

fn read_entries(
    entries: &[EntryParts<'_>],
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let mut findings = Vec::new();
    let size = size_for_entries(entries, format, origin, size, span, &mut findings);
    let frame = CoordinateFrame { origin, size };
    let mut board = Board::empty(size);
    let mut places: Vec<Placed> = Vec::new();
    let mut words: Option<Span> = None;
    let mut is_wrong = false;
    for (parts, at) in entries {
        // Words between lists, such as those of an entry without its brackets, are one mistake.
        if entries.len() > 1 && matches!(parts[..], [one] if one.span() == *at) {
            // Behind an entry that lacks something they belong to it.
            words = words.map(|before| before.cover(*at)).or((!is_wrong).then_some(*at));
            continue;
        }
        findings.extend(words.take().map(outside_entries));
        let entry = read_parts(parts, *at, format, frame);
        let first = findings.len();
        for finding in entry.findings {
            if !findings[first..].iter().any(|other| touches(other.span, finding.span)) {
                findings.push(finding);
            }
        }
        is_wrong = findings.len() > first;
        let Some(square) = entry.square else { continue };
        let cell = board.index(square.square);
        if let Some(other) = places.iter().find(|p| p.cell as usize == cell) {
            let name = square_name(square.square, format.is_cube());
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
        // An unreadable piece still occupies its square, so that a second piece there is reported.
        let (piece, _) = entry.piece.unwrap_or((Piece::new(Colour::White, format.kinds[0]), *at));
        board.cells[cell] = Some(piece);
        places.push(Placed { cell: cell as u16, span: *at });
    }
    findings.extend(words.map(outside_entries));
    if findings.iter().any(|f| f.code == Code::UnknownPiece) {
        findings = unknown_pieces(entries, format, span, findings);
    }
    findings = merge_latin(findings);
    if findings.len() > MAX_FINDINGS {
        let more = findings.len() - MAX_FINDINGS;
        findings.truncate(MAX_FINDINGS);
        if let Some(last) = findings.last_mut() {
            last.notes.push(format!("{more} more entries of this board are wrong"));
        }
    }
    Reading {
        board: Some(board),
        places,
        turn: None,
        rights: WrittenRights::default(),
        is_notation: false,
        fen_rest: None,
        findings,
    }
}

/// Whether one of two spans holds the other.
fn touches(a: Span, b: Span) -> bool {
    a.start <= b.start && b.end <= a.end || b.start <= a.start && a.end <= b.end
}

/// The finding for words between the entries of coordinates.
fn outside_entries(span: Span) -> Finding {
    let message = "each piece stands in brackets with its square, as in `[\"K\",\"e1\"]`";
    Finding::new(Code::InvalidValue, span, message)
}

/// The findings of a board with unknown pieces: one if all are letters of another language, and otherwise one for each
/// letter.
fn unknown_pieces(
    entries: &[EntryParts<'_>],
    format: &Format,
    span: Span,
    findings: Vec<Finding>,
) -> Vec<Finding> {
    let (unknown, mut others): (Vec<Finding>, Vec<Finding>) =
        findings.into_iter().partition(|f| f.code == Code::UnknownPiece);
    let pieces = entries.iter().map(|(parts, _)| piece_text(parts)).collect::<Option<Vec<_>>>();
    if let Some(finding) = pieces.and_then(|pieces| format.in_another_language(&pieces, span)) {
        others.push(finding);
        return others;
    }
    let mut merged: Vec<Finding> = Vec::new();
    for finding in unknown {
        let Some(same) = merged.iter_mut().find(|f| f.message == finding.message) else {
            merged.push(finding);
            continue;
        };
        if same.related.len() < 8 {
            same.related.push(Related { file: None, span: finding.span, message: "here too".into() });
        }
        for (fix, other) in same.fixes.iter_mut().zip(finding.fixes) {
            fix.edits.extend(other.edits);
        }
    }
    merged.append(&mut others);
    merged
}

/// The piece of an entry as it is written, whatever it means.
fn piece_text(parts: &[Element<'_>]) -> Option<PieceText> {
    let words: Vec<(&str, Span)> = parts
        .iter()
        .filter_map(|part| match part {
            Element::Word(t) | Element::String(t) if number(t.text()).is_none() => Some(t.content()),
            _ => None,
        })
        .filter(|(text, _)| named(text).is_none())
        .collect();
    let named_by = |colour: Colour, (text, span): (&str, Span)| {
        let text = if colour == Colour::Black { text.to_lowercase() } else { text.to_string() };
        PieceText { text, span, form: PieceForm::Named }
    };
    match words[..] {
        [(text, span)] => Some(PieceText { text: text.to_string(), span, form: PieceForm::Cased }),
        [a, b] => match (read_colour(a.0), read_colour(b.0)) {
            (Some(colour), _) => Some(named_by(colour, b)),
            (None, Some(colour)) => Some(named_by(colour, a)),
            (None, None) => None,
        },
        _ => None,
    }
}

/// The smallest side of a cube with all coordinates on it.
fn largest(entries: &[EntryParts<'_>], origin: u8) -> i64 {
    let numbers = entries.iter().flat_map(|(parts, _)| parts).filter_map(|&e| match scalar(e) {
        Some((Scalar::Number(n), _)) => Some(n),
        _ => None,
    });
    numbers.max().unwrap_or(0).saturating_add(1 - i64::from(origin))
}
