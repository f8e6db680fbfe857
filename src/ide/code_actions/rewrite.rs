//! Rewriting a puzzle under a symmetry: each part keeps its form and its place in the text.

use crate::code_actions::ROUND_TRIP_FAILED;
use crate::twin_words::{arrival_square, square_part, words_of_changes};
use cpz_check::analysis::{
    AnswerPart, Bound, answer_parts, insert_property, position_of, problem_of, request_of,
};
use cpz_rules::board::{
    Board, Castling, CoordinateFrame, RUSSIAN_KING, Reading, Rights, Size, SizeValue, SourceLayout, Square,
    element_layout, read_element, read_entry, read_square_parts, respell, source_layout, square_name,
    write_placement,
};
use cpz_rules::games::{Position, Symmetry};
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Element, Property, PropertyNode, Query, TokenKind, Value, Verb};

/// Collects the edits that rewrite a puzzle.
pub(crate) struct Rewrite<'a, 't> {
    bound: &'a Bound<'t>,
    old: &'a Board,
    /// The old board under the symmetry.
    new: &'a Board,
    symmetry: Symmetry,
    edits: Vec<Edit>,
}

impl<'a, 't> Rewrite<'a, 't> {
    pub(crate) fn new(
        bound: &'a Bound<'t>,
        position: &'a Position,
        symmetry: Symmetry,
        new: &'a Board,
    ) -> Rewrite<'a, 't> {
        Rewrite { bound, old: &position.board, new, symmetry, edits: Vec::new() }
    }

    /// The edits that change the text, in order of position.
    pub(crate) fn into_edits(mut self) -> Vec<Edit> {
        let text = self.text();
        self.edits.retain(|e| text[e.span.range()] != e.text);
        self.edits.sort_by_key(|e| (e.span.start, e.span.end));
        self.edits
    }

    fn text(&self) -> &'t str {
        self.bound.puzzle.node().tree().text()
    }

    fn place(&self, square: Square) -> Square {
        self.symmetry.apply(square, self.old.size)
    }

    fn edit(&mut self, span: Span, text: String) {
        self.edits.push(Edit { span, text });
    }

    /// Drops the castling rights.
    pub(crate) fn castling(&mut self) {
        self.edits.extend(castling_edits(self.bound, self.symmetry));
    }

    /// Rewrites the board, the size, and the square of a capture en passant.
    pub(crate) fn board(&mut self) -> Result<(), String> {
        let bound = self.bound;
        let board = bound.puzzle.boards().next().ok_or(ROUND_TRIP_FAILED)?;
        let (form, reading) = board.form().zip(bound.reading.as_ref()).ok_or(ROUND_TRIP_FAILED)?;
        let parts = source_layout(form, bound.game.format());
        let shows_size = matches!(parts, SourceLayout::Cells { flat: false, .. });
        self.board_parts(&parts, reading, board.node().tokens().any(|t| t.kind() == TokenKind::Comma))?;
        let passed = bound.puzzle.properties().find(|p| p.name() == Some(Property::EnPassant));
        if let Some((text, span)) = passed.and_then(|p| p.value()).and_then(Value::scalar)
            && let Some(square) = square_named(text)
        {
            self.edit(span, square_name(self.place(square), false));
        }
        self.texts();
        if self.old.size == self.new.size {
            return Ok(());
        }
        let Size { w, h, .. } = self.new.size;
        let own =
            bound.puzzle.properties().find(|p| p.name() == Some(Property::Size)).and_then(|p| p.value());
        match own.and_then(Value::scalar) {
            Some((text, span)) => {
                let between = text.trim_matches(|c: char| c.is_ascii_digit());
                self.edit(span, format!("{w}{between}{h}"));
            }
            None if shows_size => {}
            None => {
                let edit = insert_property(bound.puzzle, &format!("size {w}x{h}"));
                self.edits.push(edit);
            }
        }
        Ok(())
    }

    /// Rewrites the squares in the conditions and hints.
    fn texts(&mut self) {
        let is_one = |p: &PropertyNode<'_>| matches!(p.name(), Some(Property::Condition | Property::Hint));
        for value in self.bound.puzzle.properties().filter(is_one).filter_map(|p| p.value()) {
            for element in value.elements() {
                if let Element::Word(token) | Element::String(token) = element {
                    let (text, span) = token.content();
                    let text = self.prose(text);
                    self.edit(span, text);
                }
            }
        }
    }

    /// A text under the symmetry: each word in it that is a square, perhaps with the letter of a man in front.
    fn prose(&self, text: &str) -> String {
        let mut moved = String::with_capacity(text.len());
        for part in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let word = part.trim_end_matches(|c: char| !c.is_alphanumeric());
            let name = word.strip_prefix(char::is_uppercase).unwrap_or(word);
            match self.named(name).filter(|_| name.len() == 2) {
                Some(square) => {
                    moved.push_str(&word[..word.len() - 2]);
                    moved.push_str(&square_name(self.place(square), false));
                    moved.push_str(&part[word.len()..]);
                }
                None => moved.push_str(part),
            }
        }
        moved
    }

    fn board_parts(
        &mut self,
        parts: &SourceLayout<'_>,
        reading: &Reading,
        commas: bool,
    ) -> Result<(), String> {
        match parts {
            SourceLayout::Cells { spans, flat } => self.cells(spans, *flat, commas),
            SourceLayout::Entries(entries) => {
                for (elements, span) in entries {
                    let placed = reading.places.iter().find(|p| p.span == *span).ok_or(ROUND_TRIP_FAILED)?;
                    let to = self.place(self.old.square(placed.cell.into()));
                    self.edits.extend(respell(elements, self.bound.origin, to));
                }
                Ok(())
            }
            SourceLayout::Fen(fields) => {
                self.fen(fields);
                Ok(())
            }
            SourceLayout::Pdn => {
                for placed in &reading.places {
                    let to = square_name(self.place(self.old.square(placed.cell.into())), false);
                    let name = Span::new(placed.span.end - 2, placed.span.end);
                    let capital = self.text()[name.range()].starts_with(|c: char| c.is_ascii_uppercase());
                    self.edit(name, if capital { to.to_uppercase() } else { to });
                }
                Ok(())
            }
        }
    }

    /// Moves the texts of the cells. If the board gets other columns and rows, the new rows are laid out like the
    /// first two old ones.
    fn cells(&mut self, spans: &[Span], flat: bool, commas: bool) -> Result<(), String> {
        let (old, new, text) = (self.old.size, self.new.size, self.text());
        if spans.len() != old.cells() {
            return Err(ROUND_TRIP_FAILED.into());
        }
        let mut from = vec![0; spans.len()];
        for cell in 0..spans.len() {
            let square = self.old.square(cell);
            from[new.reading_index(self.place(square))] = old.reading_index(square);
        }
        let cell = |i: usize| &text[spans[from[i]].range()];
        if flat || old == new {
            let texts: Vec<&str> = (0..spans.len()).map(cell).collect();
            let padded = if flat { None } else { aligned(text, spans, &texts, old.w.into()) };
            let plain =
                || spans.iter().zip(&texts).map(|(&span, t)| Edit { span, text: t.to_string() }).collect();
            self.edits.extend(padded.unwrap_or_else(plain));
            return Ok(());
        }
        let whole = spans[0].cover(spans[spans.len() - 1]);
        let tree = self.bound.puzzle.node().tree();
        if tree.tokens_in(whole).any(|t| t.kind() == TokenKind::Comment) {
            return Err("there is a comment among the cells".into());
        }
        let gap = |i: usize| &text[spans[i].end as usize..spans[i + 1].start as usize];
        let inner = if old.w > 1 {
            gap(0)
        } else if commas {
            ", "
        } else {
            " "
        };
        let outer = if old.h > 1 { gap(usize::from(old.w) - 1) } else { "], [" };
        let mut rows = String::new();
        for i in 0..spans.len() {
            if i > 0 {
                rows.push_str(if i % usize::from(new.w) == 0 { outer } else { inner });
            }
            rows.push_str(cell(i));
        }
        self.edit(whole, rows);
        Ok(())
    }

    /// Rewrites the placement and moves the en passant square. Castling rights are dropped: they apply only to kings
    /// on e1 and e8.
    fn fen(&mut self, fields: &[Span]) {
        if let Some(&span) = fields.first() {
            self.edit(span, write_placement(self.new, self.bound.game.format()));
        }
        if let Some(&span) = fields.get(3)
            && let Some(square) = square_named(&self.text()[span.range()])
        {
            self.edit(span, square_name(self.place(square), false));
        }
    }

    /// Rewrites the changes of a twin: their squares, and the angle and the corners by which they turn and mirror the board.
    fn twin(&mut self, query: Query<'t>) {
        for words in words_of_changes(query) {
            match words[..] {
                [("rotate", _), (angle @ ("90" | "270"), span)]
                    if [Symmetry::MIRROR, Symmetry::FLIP].contains(&self.symmetry) =>
                {
                    self.edit(span, if angle == "90" { "270" } else { "90" }.into());
                }
                [("mirror", _), (from, start), (to, end)] => {
                    if let (Some(from), Some(to)) = (self.named(from), self.named(to)) {
                        let (from, to) = mirror_corners(self.place(from), self.place(to));
                        self.edit(start, square_name(from, false));
                        self.edit(end, square_name(to, false));
                    }
                }
                _ => {
                    for (word, span) in words.into_iter().map(|(word, span)| square_part(word, span)) {
                        let moved = self.named(word).map(|square| square_name(self.place(square), false));
                        self.edits.extend(moved.map(|text| Edit { span, text }));
                    }
                }
            }
        }
    }

    /// Rewrites the move, the square of an arrival, the changes of a twin and the written answer of a query.
    pub(crate) fn query(&mut self, query: Query<'t>) -> Result<(), String> {
        self.twin(query);
        if let Some((name, span)) = arrival_square(query)
            && let Some(square) = self.named(name)
        {
            self.edit(span, square_name(self.place(square), false));
        }
        if let Some(value) = query.argument().filter(|_| query.verb() == Some(Verb::Move)) {
            match value {
                Value::Lists(node) => {
                    let list = node.children().next().map(Element::List);
                    let square =
                        list.and_then(|list| read_entry(list, self.bound.game.format(), self.frame()).square);
                    if let (Some(Element::List(list)), Some(square)) = (list, square) {
                        let to = self.place(square.square);
                        self.edits.extend(respell(
                            &list.elements().collect::<Vec<_>>(),
                            self.bound.origin,
                            to,
                        ));
                    }
                }
                // Of `1. exd6 e.p.`, one word names squares.
                Value::Words(..) | Value::Word(_) | Value::String(_) => {
                    let castles = request_of(self.bound, query).is_none_or(|r| r.castling.is_some());
                    for element in value.elements().into_iter().filter(|_| !castles) {
                        if let Element::Word(t) | Element::String(t) = element {
                            let (text, span) = t.content();
                            let text = self.notation(text);
                            self.edit(span, text);
                        }
                    }
                }
            }
        }
        for part in answer_parts(query) {
            match part {
                AnswerPart::Square(parts) => self.square(&parts),
                AnswerPart::Move(text, span) => {
                    let text = self.moved_word(text);
                    self.edit(span, text);
                }
                AnswerPart::Board(element) => self.board_in_answer(element)?,
            }
        }
        Ok(())
    }

    fn frame(&self) -> CoordinateFrame {
        CoordinateFrame { origin: self.bound.origin, size: self.old.size }
    }

    /// Rewrites a square; one that cannot be read or is off the board stays.
    fn square(&mut self, parts: &[Element<'_>]) {
        let whole = parts.iter().map(|e| e.span()).reduce(Span::cover).unwrap_or_default();
        if let Ok(square) = read_square_parts(parts, whole, self.bound.game.format(), self.frame()) {
            let to = self.place(square.square);
            self.edits.extend(respell(parts, self.bound.origin, to));
        }
    }

    fn board_in_answer(&mut self, element: Element<'_>) -> Result<(), String> {
        let format = self.bound.game.format();
        let (columns, rows) = (self.old.size.w.into(), self.old.size.h.into());
        let size = SizeValue { columns, rows, span: element.span(), own: false };
        let reading = read_element(element, format, self.bound.origin, Some(size));
        // A board that cannot be read stays as it is.
        if !reading.is_good() || reading.board.as_ref().is_none_or(|b| b.size != self.old.size) {
            return Ok(());
        }
        self.board_parts(&element_layout(element, format), &reading, matches!(element, Element::List(_)))
    }

    /// A square of the board by its name.
    fn named(&self, text: &str) -> Option<Square> {
        square_named(text).filter(|s| s.x < self.old.size.w && s.y < self.old.size.h)
    }

    /// A word of a written line of play under the symmetry: each square in it, or a move in SAN.
    fn moved_word(&self, text: &str) -> String {
        let is_square = |i: usize| text.get(i..i + 2).is_some_and(|s| self.named(s).is_some());
        let squares: Vec<usize> = (0..text.len()).filter(|&i| is_square(i)).collect();
        if squares.len() < 2 {
            return self.notation(text);
        }
        let mut moved = text.to_string();
        for i in squares {
            if let Some(square) = self.named(&text[i..i + 2]) {
                moved.replace_range(i..i + 2, &square_name(self.place(square), false));
            }
        }
        moved
    }

    /// A move in UCI or SAN under the symmetry. A single file may become a rank, and a rank a file.
    fn notation(&self, text: &str) -> String {
        // The letter of a piece, in any language.
        let at = match text.strip_prefix(RUSSIAN_KING) {
            Some(rest) => text.len() - rest.len(),
            None => text.chars().next().filter(|c| c.is_uppercase()).map_or(0, char::len_utf8),
        };
        let end = text.rfind(|c: char| ('1'..='8').contains(&c)).map_or(text.len(), |i| i + 1);
        let moved =
            |s: &str| self.named(s).map_or_else(|| s.to_string(), |q| square_name(self.place(q), false));
        let body = &text[at..end];
        // A word that names no square is no move.
        let cut = body.len().saturating_sub(2);
        let Some((before, target)) =
            body.split_at_checked(cut).filter(|(_, target)| self.named(target).is_some())
        else {
            return text.to_string();
        };
        let target = moved(target);
        // The file, rank or square that the piece comes from, then `x`, `:` or `-`.
        let origin = before.trim_end_matches(['x', ':', '-']);
        let sign = &before[origin.len()..];
        let origin = match origin.as_bytes() {
            [file @ b'a'..=b'h'] => self.single_coordinate(Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => self.single_coordinate(None, Some(rank - b'1')),
            _ => moved(origin),
        };
        format!("{}{origin}{sign}{target}{}", &text[..at], &text[end..])
    }

    /// A single file or rank under the symmetry.
    fn single_coordinate(&self, file: Option<u8>, rank: Option<u8>) -> String {
        let name = square_name(self.place(Square::new(file.unwrap_or(0), rank.unwrap_or(0))), false);
        let swaps = matches!(self.symmetry, Symmetry::RIGHT | Symmetry::LEFT);
        if file.is_some() != swaps { name[..1].into() } else { name[1..].into() }
    }
}

/// The corners by which a mirror is named; those of one side of the board name one of a1.
fn mirror_corners(from: Square, to: Square) -> (Square, Square) {
    match (from.x == to.x, from.y == to.y) {
        (true, false) => (Square { x: 0, ..from }, Square { x: 0, ..to }),
        (false, true) => (Square { y: 0, ..from }, Square { y: 0, ..to }),
        _ => (from, to),
    }
}

/// The edits that drop castling rights, which are those of two squares: the ones that are written, and those that a king and a
/// rook would get which come to their first squares.
pub(crate) fn castling_edits(bound: &Bound<'_>, symmetry: Symmetry) -> Vec<Edit> {
    let none = |span| Edit { span, text: "-".into() };
    let field = castling_field(bound);
    let stated =
        bound.rights.castling.filter(|(rights, span)| *rights != Castling::NONE && Some(*span) != field);
    let mut edits: Vec<Edit> = field.into_iter().chain(stated.map(|(_, span)| span)).map(none).collect();
    if bound.rights.castling.is_none() {
        let default = bound.settings.rights.castling.map(|(rights, _)| rights);
        let problems =
            bound.puzzle.queries().filter_map(|query| problem_of(bound, query)).map(|(position, _)| position);
        let may_castle = |position: Position| {
            let rights = Rights { castling: default.unwrap_or(Castling::ALL), en_passant: None };
            let turned = Position { board: symmetry.board(&position.board), rights, ..position };
            bound.game.effective_rights(&turned).castling != Castling::NONE
        };
        if problems.chain(position_of(bound).filter(|_| default.is_some())).any(may_castle) {
            edits.push(insert_property(bound.puzzle, "castling -"));
        }
    }
    edits
}

/// The castling rights of a board in FEN, if it has any.
fn castling_field(bound: &Bound<'_>) -> Option<Span> {
    let form = bound.puzzle.boards().next()?.form()?;
    let SourceLayout::Fen(fields) = source_layout(form, bound.game.format()) else { return None };
    let text = bound.puzzle.node().tree().text();
    fields.get(2).copied().filter(|span| &text[span.range()] != "-")
}

/// The edits that keep the columns of cells right-aligned with spaces. `None` if they are not aligned, or if all texts
/// are equally long.
fn aligned(text: &str, spans: &[Span], texts: &[&str], columns: usize) -> Option<Vec<Edit>> {
    let before = |s: &Span| {
        let line = &text[..s.start as usize];
        line.len() - line.trim_end_matches(' ').len()
    };
    let mut edits = Vec::new();
    let mut uneven = false;
    for column in 0..columns {
        let cells = || spans.iter().zip(texts).skip(column).step_by(columns);
        let width = |s: &Span| before(s) + s.range().len();
        let whole = cells().map(|(s, _)| width(s)).next()?;
        if cells().any(|(s, _)| width(s) != whole) {
            return None;
        }
        let least = cells().map(|(s, _)| before(s)).min()?;
        let widest = cells().map(|(_, t)| t.len()).max()?;
        uneven |= cells().any(|(s, t)| s.range().len() != widest || t.len() != widest);
        edits.extend(cells().map(|(s, t)| {
            let span = Span::new(s.start - before(s) as u32, s.end);
            Edit { span, text: format!("{}{t}", " ".repeat(least + widest - t.len())) }
        }));
    }
    uneven.then_some(edits)
}

/// The square of a name on a chess board.
fn square_named(text: &str) -> Option<Square> {
    cpz_rules::board::square_from_words(text, Size::flat(8, 8))
}
