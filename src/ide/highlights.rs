//! Document highlights: other mentions of a square in its puzzle, and of a puzzle name in its file.

use crate::cursor::{span_touches, spans_touch, token_at_cursor};
use crate::rename::{name_at, references};
use crate::twin_words::{arrival_square, square_part, words_of_changes};
use cpz_check::analysis::{AnswerPart, Bound, Defaults, answer_parts, bound_at, request_of, steps_of};
use cpz_rules::board::{
    CoordinateFrame, Size, Square, read_entry, read_square_parts, square_from_words, square_name,
};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{BoardForm, Element, Node, Puzzle, Query, Token, TokenKind, Tree, Value, Verb};

/// The ranges that mean the same name or square as the range at the cursor, in order of position. The second part
/// is true for the definition: the name of the puzzle, the cell of the board.
pub fn highlights(tree: &Tree, offset: u32) -> Vec<(Span, bool)> {
    if let Some((_, name)) = name_at(tree, offset) {
        let names: Vec<Span> = tree.puzzles().filter_map(Puzzle::name).map(|t| t.content().1).collect();
        let is_definition = |span: Span| names.binary_search(&span).is_ok();
        return references(tree, &name).into_iter().map(|s| (s, is_definition(s))).collect();
    }
    let Some(token) = token_at_cursor(tree, offset).filter(|t| t.kind() != TokenKind::Space) else {
        return Vec::new();
    };
    let Some((bound, _)) = bound_at(tree, Defaults::default(), token.span().start) else { return Vec::new() };
    let mentions = mentions(&bound);
    // Between two adjacent cells the one that begins at the cursor.
    let at = mentions.iter().filter(|p| span_touches(p.span, offset)).min_by_key(|p| {
        let length = p.span.end - p.span.start;
        (p.span.end == offset, length)
    });
    let Some(&Mention { square, .. }) = at else { return Vec::new() };
    let mut found: Vec<_> =
        mentions.iter().filter(|p| p.square == square).map(|p| (p.span, p.on_board)).collect();
    found.sort_by_key(|(s, _)| *s);
    found.dedup_by_key(|(s, _)| *s);
    found
}

#[derive(Clone, Copy)]
struct Mention {
    square: Square,
    span: Span,
    on_board: bool,
}

/// All mentions of squares in a puzzle.
fn mentions(bound: &Bound<'_>) -> Vec<Mention> {
    let mut places = Vec::new();
    let Some(reading) = &bound.reading else { return places };
    let Some(board) = &reading.board else { return places };
    let frame = CoordinateFrame { origin: bound.origin, size: board.size };
    let node = bound.puzzle.boards().next();
    match node.and_then(|b| b.form()) {
        Some(BoardForm::Text(node)) if !reading.is_notation => text_cells(node, board.size, &mut places),
        Some(BoardForm::Lists(value)) => {
            // A good list has at most one entry for each cell.
            for element in value.elements().into_iter().take(board.size.cells()) {
                let entry = read_entry(element, bound.game.format(), frame);
                let (Some((_, piece)), Some(at), true) =
                    (entry.piece, entry.square, entry.findings.is_empty())
                else {
                    continue;
                };
                places.extend([piece, at.span].map(|span| Mention {
                    square: at.square,
                    span,
                    on_board: true,
                }));
            }
        }
        _ => {}
    }
    // The other places; an entry whose parts are known already is left out.
    let known = places.clone();
    for placed in &reading.places {
        let square = board.square(placed.cell as usize);
        if !known.iter().any(|p| p.square == square && spans_touch(p.span, placed.span)) {
            places.push(Mention { square, span: placed.span, on_board: true });
        }
    }
    for query in bound.puzzle.queries() {
        move_squares(bound, query, frame, &mut places);
        word_squares(query, board.size, &mut places);
        asked_squares(query, board.size, &mut places);
        let Some(answer @ Value::Lists(node)) = query.answer() else { continue };
        // An answer that is no sequence of steps may be a list of boards; do not take their cells for squares.
        let steps = !steps_of(bound, query).is_empty();
        if steps || query.verb() == Some(Verb::Capture) {
            answer_squares(bound, Element::List(node), answer, frame, &mut places);
        }
    }
    places
}

/// The cells of a text board. None if the number of characters is not the number of cells: then their squares are
/// unclear.
fn text_cells(node: Node<'_>, size: Size, places: &mut Vec<Mention>) {
    let mut cells = Vec::new();
    for token in node.tokens().skip(1).filter(|t| !t.kind().is_trivia() && t.kind() != TokenKind::Comma) {
        let (content, span) = token.content();
        for (i, c) in content.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let start = span.start + i as u32;
            cells.push(Span::new(start, start + c.len_utf8() as u32));
        }
    }
    if cells.len() != size.cells() {
        return;
    }
    let (w, h) = (size.w as usize, size.h as usize);
    for (i, span) in cells.into_iter().enumerate() {
        // Rows run from the top, and so do levels.
        let (x, y, z) = (i % w, h - 1 - i / w % h, size.d as usize - 1 - i / (w * h));
        let square = Square { x: x as u8, y: y as u8, z: z as u8 };
        places.push(Mention { square, span, on_board: true });
    }
}

/// The squares of an answer in chess notation.
fn word_squares(query: Query<'_>, size: Size, places: &mut Vec<Mention>) {
    for part in answer_parts(query) {
        let AnswerPart::Move(text, span) = part else { continue };
        for i in 0..text.len().saturating_sub(1) {
            let square = text.get(i..i + 2).and_then(|name| square_from_words(name, size));
            if let Some(square) = square {
                let start = span.start + i as u32;
                places.push(Mention { square, span: Span::new(start, start + 2), on_board: false });
            }
        }
    }
}

/// The square of an arrival that a problem asks, and the squares in the changes of a twin.
fn asked_squares(query: Query<'_>, size: Size, places: &mut Vec<Mention>) {
    let words = words_of_changes(query).into_iter().flatten().map(|(word, span)| square_part(word, span));
    for (name, span) in arrival_square(query).into_iter().chain(words) {
        let square = square_from_words(name, size).filter(|_| name.len() == 2);
        places.extend(square.map(|square| Mention { square, span, on_board: false }));
    }
}

/// The squares of a `move`.
fn move_squares(bound: &Bound<'_>, query: Query<'_>, frame: CoordinateFrame, places: &mut Vec<Mention>) {
    let Some(request) = request_of(bound, query) else { return };
    let mut add = |square, span| places.push(Mention { square, span, on_board: false });
    match query.argument() {
        Some(Value::Lists(node)) => {
            let Some(list) = node.children().next() else { return };
            let entry = read_entry(Element::List(list), bound.game.format(), frame);
            if let Some(at) = entry.square {
                add(at.square, at.span);
            }
        }
        Some(Value::Word(t) | Value::String(t)) if request.castling.is_none() => {
            let (text, span) = t.content();
            let part = |i: usize| Span::new(span.start + i as u32, span.start + i as u32 + 2);
            let to = text.rfind(&square_name(request.to, false));
            if let Some(i) = to {
                add(request.to, part(i));
            }
            if let (Some(x), Some(y)) = request.from {
                let from = Square::new(x, y);
                if let Some(i) = text.find(&square_name(from, false)).filter(|i| Some(*i) != to) {
                    add(from, part(i));
                }
            }
        }
        _ => {}
    }
}

/// The squares in an answer: of steps, paths and verdicts.
fn answer_squares(
    bound: &Bound<'_>,
    element: Element<'_>,
    answer: Value<'_>,
    frame: CoordinateFrame,
    places: &mut Vec<Mention>,
) {
    let format = bound.game.format();
    let mut add = |parts: &[Element<'_>], whole: Span| {
        let read = read_square_parts(parts, whole, format, frame);
        places.extend(read.ok().map(|at| Mention { square: at.square, span: at.span, on_board: false }));
    };
    let Element::List(node) = element else { return add(&[element], element.span()) };
    let parts: Vec<Element<'_>> = match node.span() == answer.span() {
        true => node.elements().collect(),
        false => node.elements().filter(|e| e.span().start >= answer.span().start).collect(),
    };
    let numbers: Vec<Element<'_>> = parts.iter().copied().filter(is_number).collect();
    if numbers.len() >= 2 {
        return add(&numbers, node.span());
    }
    for part in parts {
        answer_squares(bound, part, answer, frame, places);
    }
}

fn is_number(element: &Element<'_>) -> bool {
    let digits = |t: &Token<'_>| t.text().bytes().all(|b| b.is_ascii_digit());
    matches!(element, Element::Word(t) if digits(t))
}
