//! The fields of a FEN behind its placement.

use crate::board::model::Colour;
use crate::board::rights::{Castling, WrittenRights, read_en_passant};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{EPD_OPERATIONS, is_epd_opcode, joined_fen_fields, side_in_words};
use std::ops::Range;

/// The number of the last field of a FEN.
const FIELDS: usize = 5;

/// The side to move and the rights of a FEN, with the findings of all fields behind the placement.
#[derive(Default)]
pub(crate) struct FenFields {
    pub turn: Option<Colour>,
    pub rights: WrittenRights,
    pub findings: Vec<Finding>,
}

impl FenFields {
    /// Reads the fields behind the placement, which is the first. Where a word is missing or too many, or has lost a blank, it is
    /// one slip: the others are read in the places where all of them fit.
    pub fn read(fields: &[(&str, Span)]) -> FenFields {
        let mut read = FenFields::default();
        // How many more fields there should be before a word.
        let mut shift = 0;
        for (at, &(text, span)) in fields.iter().enumerate().skip(1) {
            let i = at.saturating_add_signed(shift);
            if read.fit(i, text, span) {
                continue;
            }
            let (last, end) = fields[fields.len() - 1];
            if i >= 4 && is_epd_opcode(text) && last.ends_with(';') {
                let span = Span::new(span.start, end.end);
                read.findings.push(Finding::new(Code::InvalidValue, span, EPD_OPERATIONS));
                break;
            }
            // With all fields behind it a word is one field, in which something else is wrong.
            let has_room = i + fields.len() - at <= FIELDS;
            if let Some(split) = joined_fen_fields(i, text).filter(|_| has_room) {
                let (first, second) = text.split_at(split);
                let finding =
                    Finding::new(Code::InvalidValue, span, "a blank stands between two fields of a FEN");
                let title = format!("insert a blank before `{second}`");
                let fix = Fix::new(title, span, format!("{first} {second}"), true);
                read.findings.push(finding.fix(fix));
                read.fit(i, first, span);
                read.fit(i + 1, second, span);
                shift += 1;
            } else {
                let mut finding = wrong_fen_field(i, text, span);
                // No FEN has more.
                let rest = fields[at + 1..].iter().take(6);
                let fits = |by: isize| {
                    let mut unread = FenFields::default();
                    let fit = |(k, field): (usize, &(&str, Span))| {
                        unread.fit((i + 1 + k).saturating_add_signed(by), field.0, field.1)
                    };
                    rest.clone().enumerate().all(fit)
                };
                let is_later = |by: isize| FenFields::default().fit(i.saturating_add_signed(by), text, span);
                let by = [1, 2, 3, 0, -1]
                    .into_iter()
                    .find(|&by| (by < 1 || is_later(by)) && fits(by))
                    .unwrap_or(0);
                let missing = i..i.saturating_add_signed(by);
                finding.fixes.extend(insertions(&missing, span.start));
                if by > 0 {
                    read.fit(missing.end, text, span);
                } else if by < 0 {
                    let title = format!("remove `{text}` (if it is one too many)");
                    finding.fixes.push(Fix::new(title, span, "", false));
                }
                read.findings.push(finding);
                shift += by;
            }
        }
        read
    }

    /// Reads a field, 1 for the side to move, if the text can be that field.
    fn fit(&mut self, i: usize, text: &str, span: Span) -> bool {
        match i {
            1 => {
                self.turn = match text {
                    "w" | "W" => Some(Colour::White),
                    "b" | "B" => Some(Colour::Black),
                    _ => None,
                };
                self.turn.is_some()
            }
            2 => {
                self.rights.castling = Castling::parse(text).map(|castling| (castling, span));
                self.rights.castling.is_some()
            }
            3 => {
                self.rights.en_passant = read_en_passant(text).map(|square| (square, span));
                self.rights.en_passant.is_some()
            }
            4 | 5 => text.bytes().all(|b| b.is_ascii_digit()),
            _ => false,
        }
    }
}

/// The fixes that insert missing fields. What stands there is known but for the side to move, and the numbers of moves.
fn insertions(missing: &Range<usize>, at: u32) -> Vec<Fix> {
    if missing.is_empty() || missing.end > 4 {
        return Vec::new();
    }
    let dashes = |count: usize| "- ".repeat(count);
    let insert = |words: String, condition: &str| {
        Fix::new(format!("insert `{}`{condition}", words.trim()), Span::at(at), words, false)
    };
    match missing.start {
        1 => [("w", "White"), ("b", "Black")]
            .map(|(letter, side)| {
                insert(format!("{letter} {}", dashes(missing.len() - 1)), &format!(" (if {side} is to move)"))
            })
            .to_vec(),
        _ => vec![insert(dashes(missing.len()), "")],
    }
}

/// The finding for a text that cannot be the field of a FEN in its place.
fn wrong_fen_field(i: usize, text: &str, span: Span) -> Finding {
    let expected = match i {
        1 => "the side to move, w or b",
        2 => "castling rights, letters of KQkq or -,",
        3 => "the en passant square or -",
        4 | 5 => "a number",
        _ => return Finding::new(Code::InvalidValue, span, format!("a FEN has six fields; remove `{text}`")),
    };
    let message = format!("expected {expected} here in the FEN, not `{text}`");
    let finding = Finding::new(Code::InvalidValue, span, message);
    match side_in_words(text).filter(|_| i == 1) {
        Some(side) => finding.fix(Fix::new(format!("replace with `{side}`"), span, side, false)),
        None => finding,
    }
}
