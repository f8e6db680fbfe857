//! The spans of the parts of a board, for edits that keep its format.

use crate::board::coordinates::{Scalar, named, read_colour, scalar};
use crate::board::fen_pdn::fields;
use crate::board::game_format::{Format, Notation};
pub use crate::board::lists::EntryParts;
use crate::board::lists::{blank_rows, entries};
use crate::board::model::{Colour, Kind, Piece, Square, level_name};
use crate::board::read::{is_notation, is_skipped, rows_as_read, skipped_parts};
use crate::board::text::TextRows;
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{BoardForm, Element, Token};

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

/// The edits that turn a written square into `to` in the same form: two or three numbers, one number of two digits, or a
/// name. Empty if no square can be read.
pub fn respell(parts: &[Element<'_>], origin: u8, to: Square) -> Vec<Edit> {
    let number = |&part: &Element<'_>| match scalar(part) {
        Some((Scalar::Number(_), span)) => Some(span),
        _ => None,
    };
    let numbers: Vec<Span> = parts.iter().filter_map(number).collect();
    let (x, y, z) = (to.x + origin, to.y + origin, to.z + origin);
    let edit = |span: Span, text: String| Edit { span, text };
    match *numbers.as_slice() {
        [both] => vec![edit(both, format!("{x}{y}"))],
        [a, b] => vec![edit(a, x.to_string()), edit(b, y.to_string())],
        [a, b, c] => vec![edit(a, x.to_string()), edit(b, y.to_string()), edit(c, z.to_string())],
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
            let digits = name[1..].bytes().take_while(u8::is_ascii_digit).count();
            let file = char::from(
                if name.starts_with(|c: char| c.is_ascii_uppercase()) { b'A' } else { b'a' } + to.x,
            );
            let end = start + 1 + digits as u32;
            let mut edits = vec![edit(Span::new(start, end), format!("{file}{}", to.y + 1))];
            let level = name[1 + digits..].trim_end().trim_end_matches(')');
            let roman = level.trim_start_matches([' ', '(']);
            let small = roman.starts_with(|c: char| c.is_ascii_lowercase());
            if !roman.is_empty() && !roman.trim_end().eq_ignore_ascii_case(level_name(to.z)) {
                let from = end + (level.len() - roman.len()) as u32;
                let roman = Span::new(from, from + roman.trim_end().len() as u32);
                let new = level_name(to.z);
                edits.push(edit(roman, if small { new.to_ascii_lowercase() } else { new.into() }));
            }
            edits
        }
    }
}

/// The edits that turn the written piece of an entry into `to` in the same form: a colour and a kind, a letter whose case is
/// the colour, or a figurine. `None` if there is no piece.
pub fn respell_piece(parts: &[Element<'_>], format: &Format, to: Piece) -> Option<Vec<Edit>> {
    let words: Vec<(&str, Span)> = parts
        .iter()
        .filter_map(|&part| match (part, scalar(part)?) {
            (Element::Word(t) | Element::String(t), (Scalar::Text(text), _)) if named(text).is_none() => {
                Some(t.content())
            }
            _ => None,
        })
        .collect();
    let letter = |old: &str| old.chars().next().filter(|_| old.chars().nth(1).is_none());
    let edit = |span: Span, text: String| Edit { span, text };
    match words[..] {
        [(text, span)] => {
            let old = letter(text)?;
            let new = if format.figurine(old).is_some() {
                format.figurine_of(to)?
            } else if !format.coloured {
                same_case(old, to.kind.letter())
            } else if Kind::from_letter(old).is_some_and(|kind| format.kinds.contains(&kind)) {
                to.letter()
            } else {
                format.letter(to)
            };
            Some(vec![edit(span, new.into())])
        }
        [a, b] => {
            let is_colour_first = read_colour(a.0).is_some() && letter(b.0).is_some();
            let (colour, kind) = if is_colour_first { (a, b) } else { (b, a) };
            let old = letter(kind.0)?;
            let new = match format.figurine(old) {
                Some(_) => format.figurine_of(to)?,
                None => same_case(old, to.kind.letter()),
            };
            Some(vec![edit(colour.1, respell_colour(colour.0, to.colour)), edit(kind.1, new.into())])
        }
        _ => None,
    }
}

/// A colour in the form of a written one: `w` or `white`, and its case.
pub fn respell_colour(old: &str, to: Colour) -> String {
    let length = if old.len() > 1 { 5 } else { 1 };
    let capitals = old.chars().filter(char::is_ascii_uppercase).count();
    let new = &to.name()[..length];
    match capitals {
        0 => new.into(),
        1 => format!("{}{}", new[..1].to_ascii_uppercase(), &new[1..]),
        _ => new.to_ascii_uppercase(),
    }
}

/// A capital in the case of another letter.
fn same_case(old: char, capital: char) -> char {
    if old.is_lowercase() { capital.to_ascii_lowercase() } else { capital }
}
