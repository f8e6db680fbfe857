//! Text and lists → a board, with findings on the exact cells.

use crate::board::blanks::{blank_rows, unclear_blanks};
use crate::board::dressed::{is_piped, undressed, wrong_levels};
use crate::board::fen_pdn::{
    NotationBoard, fields, has_other_slashes, is_placement, read_fen, read_pdn, read_placement,
};
use crate::board::game_format::{Format, Notation};
use crate::board::list_slips::men_in_text;
use crate::board::lists::{read_elements, read_lists};
use crate::board::model::{Square, square_name};
use crate::board::read_result::{MAX_FINDINGS, Reading};
use crate::board::size::{SizeValue, join_broken_row};
use crate::board::text::TextRows;
use crate::board::torn_fen::{behind_placement, torn_fen};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{BoardForm, Element, Node, NodeKind, Token, TokenKind};

/// Reads the board of a puzzle. `span` is the span for findings about the whole board.
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
            let skipped = skipped_parts(node);
            let tokens = node.tokens().skip(1).filter(|t| !t.kind().is_trivia() && !is_skipped(&skipped, *t));
            let Some(first) = tokens.clone().next() else {
                return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty"));
            };
            let slip = || men_in_text(tokens.clone(), format).or_else(|| sign_before(tokens.clone(), format));
            if let Some(finding) = slip() {
                Reading::nothing(finding)
            } else {
                let mut reading = match is_notation(format, first) {
                    true => read_notation(tokens.clone(), format, size, span),
                    false => read_text(tokens.clone(), format, size, span),
                };
                // The parser has reported some slips in a field of a FEN.
                if reading.is_notation && !reading.findings.is_empty() {
                    let said = node.tree().errors();
                    let place = |finding: &Finding| (finding.span.start, finding.span.end);
                    reading
                        .findings
                        .retain(|finding| said.binary_search_by_key(&place(finding), place).is_err());
                }
                if !reading.findings.is_empty()
                    && let Some(finding) = torn_fen(tokens, format)
                {
                    reading = Reading::nothing(finding);
                } else if reading.is_notation {
                    let wrong = size.filter(|s| s.own).and_then(|s| s.check(format).err());
                    reading.findings.extend(wrong);
                }
                reading
            }
        }
    };
    finish(&mut reading, format, span);
    reading
}

/// The parts of a board that the parser skipped, such as a line of prose.
pub(super) fn skipped_parts(board: Node<'_>) -> Vec<Span> {
    board.children().filter(|n| n.kind() == NodeKind::Error).map(|n| n.span()).collect()
}

/// Whether a token is in a part that the parser skipped.
pub(super) fn is_skipped(parts: &[Span], token: Token<'_>) -> bool {
    parts.iter().any(|part| part.start <= token.span().start && token.span().start < part.end)
}

/// The finding for the sign of an assignment before a board, `board = 4k3/…`, which is no empty cell.
fn sign_before<'t>(mut tokens: impl Iterator<Item = Token<'t>>, format: &Format) -> Option<Finding> {
    let first = tokens.next().filter(|first| first.text().starts_with(['=', ':', '-', '→']))?;
    let (text, span) = first.content();
    let is_notation = |text: &str| match format.notation {
        Notation::Pdn => text.contains(':'),
        _ => text.contains('/') && is_placement(text),
    };
    let joined = text.strip_prefix(['=', ':']).filter(|rest| rest.len() > 1 && is_notation(rest));
    // The whole word is written again: an edit within it would cut a token in two.
    let (sign, end, rest, safe) = match joined {
        Some(rest) => (&text[..1], span.end, rest, true),
        None => {
            let next = tokens.next().filter(|_| matches!(text, "=" | ":" | ":=" | "->" | "→"))?;
            let (row, at) = next.content();
            let is_row = row.len() > 1 && !row.contains(text);
            let safe = is_notation(row);
            (text, at.start, "", (is_row || safe).then_some(safe)?)
        }
    };
    let message = format!("a board stands directly behind `board`: remove `{sign}`");
    let at = Span::new(span.start, span.start + sign.len() as u32);
    Some(Finding::new(Code::Syntax, at, message).fix(Fix::new(
        "remove it",
        Span::new(at.start, end),
        rest,
        safe,
    )))
}

/// Reads a text board: plainly, and where that fails, without what may be around its cells.
fn read_text<'t>(
    tokens: impl Iterator<Item = Token<'t>> + Clone,
    format: &Format,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    if let Some(rows) = blank_cells(tokens.clone(), format) {
        return rows.read(format, size, span);
    }
    let only =
        tokens.clone().next().filter(|t| t.kind() == TokenKind::String && tokens.clone().nth(1).is_none());
    if let Some(finding) = only.and_then(|t| unclear_blanks(t.content(), format)) {
        return Reading::nothing(finding);
    }
    let mut plain = rows_of(tokens.clone()).read(format, size, span);
    if plain.findings.is_empty() && !plain.places.is_empty() && !is_piped(tokens.clone()) {
        return plain;
    }
    if format.is_cube()
        && let Some(finding) = wrong_levels(&tokens.clone().collect::<Vec<_>>())
    {
        return Reading::nothing(finding);
    }
    if let Some(rows) = undressed_rows(tokens.clone(), format) {
        return rows.read(format, size, span);
    }
    if let Some(token) = tokens.clone().next() {
        let text = token.tree().text();
        plain.findings.iter_mut().for_each(|finding| join_broken_row(finding, text));
    }
    plain
}

/// The rows of a text board as they are read.
pub(super) fn rows_as_read<'t>(tokens: impl Iterator<Item = Token<'t>> + Clone, format: &Format) -> TextRows {
    blank_cells(tokens.clone(), format)
        .or_else(|| undressed_rows(tokens.clone(), format))
        .unwrap_or_else(|| rows_of(tokens))
}

/// The rows of a board with something around its cells; nothing if the plain reading is as good.
fn undressed_rows<'t>(tokens: impl Iterator<Item = Token<'t>> + Clone, format: &Format) -> Option<TextRows> {
    let findings = |rows: TextRows| {
        let reading = rows.read(format, None, Span::at(0));
        reading.findings.len() + usize::from(reading.places.is_empty())
    };
    let plain = findings(rows_of(tokens.clone()));
    let is_piped = is_piped(tokens.clone());
    if plain == 0 && !is_piped {
        return None;
    }
    let tokens: Vec<Token<'t>> = tokens.filter(|t| t.kind() != TokenKind::Comma).collect();
    let rows = undressed(&tokens, format)?;
    (is_piped || findings(rows.clone()) <= plain).then_some(rows)
}

/// The rows of a string with blank cells.
fn blank_cells<'t>(mut tokens: impl Iterator<Item = Token<'t>>, format: &Format) -> Option<TextRows> {
    let only = tokens.next().filter(|t| t.kind() == TokenKind::String && t.text().contains(' '))?;
    tokens.next().is_none().then(|| blank_rows(only.content(), format))?
}

/// The rows of a text board, read plainly.
pub(super) fn rows_of<'t>(tokens: impl Iterator<Item = Token<'t>>) -> TextRows {
    let mut text = TextRows::default();
    for token in tokens.filter(|t| t.kind() != TokenKind::Comma) {
        // Line breaks between words are in the trivia before each word.
        let line_break = text.started() && breaks_before(token);
        text.add(token.content(), line_break);
    }
    text
}

/// Reads a board that is one element of a list, as in a solution given as boards.
pub fn read_element(element: Element<'_>, format: &Format, origin: u8, size: Option<SizeValue>) -> Reading {
    let span = element.span();
    let mut reading = match element {
        Element::List(node) => {
            let elements: Vec<Element<'_>> = node.elements().collect();
            read_elements(&elements, format, origin, size, span)
        }
        Element::Word(t) | Element::String(t) => {
            if is_notation(format, t) {
                read_notation([t].into_iter(), format, size, span)
            } else {
                read_text([t].into_iter(), format, size, span)
            }
        }
    };
    finish(&mut reading, format, span);
    reading
}

/// The fewest men, all of them on light squares, that say that a board is mirrored.
const MIN_MIRRORED: usize = 4;

/// The checks of boards in any format: light squares of draughts, no pieces at all.
fn finish(reading: &mut Reading, format: &Format, span: Span) {
    let Some(board) = &reading.board else { return };
    if format.dark_only {
        let on_light = reading.places.iter().filter_map(|placed| {
            let square = board.square(placed.cell as usize);
            ((square.x + square.y) % 2 == 1).then_some((square, placed.span))
        });
        let on_light: Vec<(Square, Span)> = on_light.collect();
        if on_light.len() >= MIN_MIRRORED && on_light.len() == reading.places.len() {
            let message = "all men stand on light squares, so the board is mirrored or turned; draughts is played on the \
                           dark ones, as a1 is";
            reading.findings.push(Finding::new(Code::LightSquare, span, message));
        } else {
            for (square, at) in on_light {
                let name = square_name(square, false);
                let message = format!("{name} is a light square; draughts is played on the dark ones");
                reading.findings.push(Finding::new(Code::LightSquare, at, message));
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

pub(super) fn is_notation(format: &Format, first: Token<'_>) -> bool {
    match format.notation {
        // Solitaire has no notation of its own, but placements of any size are found.
        Notation::None => !format.coloured && is_placement(first.content().0),
        Notation::Fen => first.text().contains('/') || has_other_slashes(first.content().0),
        Notation::Pdn => first.text().contains(':'),
    }
}

fn read_notation<'t>(
    tokens: impl Iterator<Item = Token<'t>>,
    format: &Format,
    size: Option<SizeValue>,
    span: Span,
) -> Reading {
    let tokens: Vec<Token<'t>> = tokens.collect();
    let noted = match format.notation {
        Notation::None => {
            let fields = fields(&tokens);
            let Some(&(placement, at)) = fields.first() else {
                return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty"));
            };
            if let Some(finding) = behind_placement(&tokens, format) {
                return Reading::nothing(finding);
            }
            return read_placement(placement, at, format, size, span);
        }
        Notation::Pdn => {
            let (_, first) = tokens[0].content();
            let whole = tokens.iter().skip(1).fold(first, |a, t| a.cover(t.span()));
            // Everything between the tokens, comments too, counts as white space.
            let mut body = " ".repeat(whole.range().len());
            for (content, at) in tokens.iter().map(|t| t.content()) {
                let start = (at.start - whole.start) as usize;
                body.replace_range(start..start + content.len(), content);
            }
            read_pdn(&body, whole)
        }
        _ => {
            let fields = fields(&tokens);
            if fields.is_empty() {
                return Reading::nothing(Finding::new(Code::BoardShape, span, "the board is empty"));
            }
            read_fen(&fields, format)
        }
    };
    let NotationBoard { board, places, turn, rights, fen_rest, mut findings } = noted;
    findings.truncate(MAX_FINDINGS);
    Reading { board: Some(board), places, turn, rights, is_notation: true, fen_rest, findings }
}
