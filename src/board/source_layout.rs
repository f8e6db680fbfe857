//! The spans of the parts of a board, for edits that keep its format.

use crate::board::coordinates::{Scalar, named, scalar};
use crate::board::game_format::{Format, Notation};
use crate::board::lists::{EntryParts, blank_rows, entries};
use crate::board::model::Square;
use crate::board::read::{fields, is_notation, is_skipped, rows_as_read, skipped_parts};
use crate::board::text::TextRows;
use crate::diagnostic::{Edit, Span};
use crate::syntax::{BoardForm, Element, Token};

/// The parts of a board in the text.
pub enum SourceLayout<'t> {
    /// Cells in reading order, from the top row of the top level. Their texts can be exchanged.
    Cells {
        /// The span of each, with the quotes of a cell that has its own.
        spans: Vec<Span>,
        /// Whether the cells are one run without rows.
        flat: bool,
    },
    /// Entries of coordinates: the elements and the span of each.
    Entries(Vec<EntryParts<'t>>),
    /// The spans of the fields of a FEN. The first is the placement.
    Fen(Vec<Span>),
    /// A PDN position. The spans of its pieces are in [`Reading::places`](crate::board::Reading::places).
    Pdn,
}

/// The parts of a board. They are meaningless for a board that cannot be read.
pub fn source_layout<'t>(form: BoardForm<'t>, format: &Format) -> SourceLayout<'t> {
    match form {
        BoardForm::Lists(value) => in_lists(&value.elements(), value.span(), format),
        BoardForm::Text(node) => {
            let skipped = skipped_parts(node);
            let tokens = node.tokens().skip(1).filter(|t| !t.kind().is_trivia() && !is_skipped(&skipped, *t));
            let tokens: Vec<Token<'t>> = tokens.collect();
            match tokens.first() {
                Some(&first) if is_notation(format, first) => in_notation(&tokens, format),
                _ => in_text(rows_as_read(tokens.into_iter(), format)),
            }
        }
    }
}

/// The parts of a board that is one element of a list, as in a solution given as boards.
pub fn element_layout<'t>(element: Element<'t>, format: &Format) -> SourceLayout<'t> {
    match element {
        Element::List(node) => in_lists(&node.elements().collect::<Vec<_>>(), node.span(), format),
        Element::Word(t) | Element::String(t) if is_notation(format, t) => in_notation(&[t], format),
        Element::Word(t) | Element::String(t) => in_text(rows_as_read([t].into_iter(), format)),
    }
}

fn in_text(text: TextRows) -> SourceLayout<'static> {
    let (spans, flat) = text.places();
    SourceLayout::Cells { spans, flat }
}

fn in_notation(tokens: &[Token<'_>], format: &Format) -> SourceLayout<'static> {
    match format.notation {
        Notation::Pdn => SourceLayout::Pdn,
        _ => SourceLayout::Fen(fields(tokens).into_iter().map(|f| f.1).collect()),
    }
}

fn in_lists<'t>(elements: &[Element<'t>], span: Span, format: &Format) -> SourceLayout<'t> {
    if let Some(entries) = entries(elements, span) {
        return SourceLayout::Entries(entries);
    }
    if let Some(rows) = blank_rows(elements, format) {
        return in_text(rows);
    }
    let nested = elements.iter().any(|e| matches!(e, Element::List(_)));
    let mut spans = Vec::new();
    elements.iter().for_each(|&e| add_cells(e, &mut spans));
    // Words of several cells are rows; single cells together are one row.
    let flat = !nested && (elements.len() == 1 || elements.len() == spans.len());
    SourceLayout::Cells { spans, flat }
}

fn add_cells(element: Element<'_>, spans: &mut Vec<Span>) {
    match element {
        Element::List(node) => node.elements().for_each(|e| add_cells(e, spans)),
        Element::Word(t) | Element::String(t) => {
            let (text, inner) = t.content();
            let letters = || text.char_indices().filter(|(_, c)| !c.is_whitespace());
            if matches!(scalar(element), Some((Scalar::Number(_), _))) || letters().count() < 2 {
                spans.push(element.span());
                return;
            }
            spans.extend(letters().map(|(i, c)| {
                let start = inner.start + i as u32;
                Span::new(start, start + c.len_utf8() as u32)
            }));
        }
    }
}

/// The edits that turn a written square into `to`, a square of the same level, in the same form: two or three
/// numbers, one number of two digits, or a name. Empty if no square can be read.
pub fn respell(parts: &[Element<'_>], origin: u8, to: Square) -> Vec<Edit> {
    let number = |&part: &Element<'_>| match scalar(part) {
        Some((Scalar::Number(_), span)) => Some(span),
        _ => None,
    };
    let numbers: Vec<Span> = parts.iter().filter_map(number).collect();
    let (x, y) = (to.x + origin, to.y + origin);
    let edit = |span: Span, text: String| Edit { span, text };
    match numbers.as_slice() {
        &[both] => vec![edit(both, format!("{x}{y}"))],
        &[a, b] | &[a, b, _] => vec![edit(a, x.to_string()), edit(b, y.to_string())],
        _ => {
            let names = parts.iter().filter_map(|&part| match part {
                Element::Word(t) | Element::String(t) => Some(t.content()),
                Element::List(_) => None,
            });
            let Some((text, span)) = names.into_iter().find(|(text, _)| named(text).is_some()) else {
                return Vec::new();
            };
            let name = text.trim_start();
            let start = span.start + (text.len() - name.len()) as u32;
            let digits = name[1..].bytes().take_while(u8::is_ascii_digit).count() as u32;
            let file = char::from(
                if name.starts_with(|c: char| c.is_ascii_uppercase()) { b'A' } else { b'a' } + to.x,
            );
            vec![edit(Span::new(start, start + 1 + digits), format!("{file}{}", to.y + 1))]
        }
    }
}
