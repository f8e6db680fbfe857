//! Captures in chess notation and in that of draughts: `d1xb2`, `Nxb2`, `Nd1xRb2`, `c3:e5:g7`.

use crate::analysis::verbs::written_words::WrittenWord;
use cpz_rules::board::{Kind, Square};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};

/// What a word says about a capture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CaptureWord {
    /// The kind of the piece, if its letter is written.
    pub kind: Option<Kind>,
    /// File and rank of the start, 0-based, each if it is written.
    pub from: (Option<u8>, Option<u8>),
    /// Whether a mark between the squares says that this is a capture, or (`-`) that it is none.
    pub takes: Option<bool>,
    /// The squares behind it: one capture on each, with the kind of the captured piece if its letter is written, and
    /// the place of the square.
    pub to: Vec<(Option<Kind>, Square, Span)>,
    /// The place of the whole word.
    pub span: Span,
}

/// A square by its name, which may be off the board of a puzzle.
fn square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [file @ b'a'..=b'z', rank @ b'1'..=b'9'] => Some(Square::new(file - b'a', rank - b'1')),
        _ => None,
    }
}

/// The kind of a piece by its English letter, or by its figurine.
fn kind(c: char) -> Option<Kind> {
    const FIGURINES: &str = "♔♕♖♗♘♙♚♛♜♝♞♟";
    match FIGURINES.chars().position(|f| f == c) {
        Some(i) => "KQRBNP".chars().nth(i % 6).and_then(Kind::from_letter),
        None if c.is_ascii_uppercase() => Kind::from_letter(c).filter(|&k| k != Kind::Man),
        None => None,
    }
}

/// The text behind the letter of a piece, if it begins with one.
fn lettered(text: &str) -> (Option<Kind>, &str) {
    let mut chars = text.chars();
    match chars.next().and_then(kind) {
        Some(kind) => (Some(kind), chars.as_str()),
        None => (None, text),
    }
}

impl CaptureWord {
    /// Reads a word at `span`; nothing where it is no capture in these notations.
    pub fn read(text: &str, span: Span) -> Option<CaptureWord> {
        // `!` and `?` are an opinion about the move, and say nothing about it.
        let text = text.trim_end_matches(['!', '?']);
        let place = |part: &str| {
            let start = span.start + (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
            Span::new(start, start + part.len() as u32)
        };
        let (kind, rest) = lettered(text);
        let mut parts = rest.split(['x', '×', ':', '-', '*']);
        let first = parts.next()?;
        let mut to = Vec::new();
        for part in parts {
            let (taken, name) = lettered(part);
            to.push((taken, square(name)?, place(name)));
        }
        let start = match to.is_empty() {
            false => first,
            // Without a mark between them the last square is the target: `d1b2`, `Nb2`.
            true => {
                let at = first.len().checked_sub(2).filter(|&at| first.is_char_boundary(at))?;
                let (start, target) = first.split_at(at);
                to.push((None, square(target)?, place(target)));
                start
            }
        };
        let from = match start.as_bytes() {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
            _ => square(start).map(|s| (Some(s.x), Some(s.y)))?,
        };
        let has_mark = rest.len() > first.len();
        let kind = match (kind, from) {
            // As in SAN, `axb2` is a capture by a pawn.
            (None, (Some(_), None)) if has_mark => Some(Kind::Pawn),
            (None, (Some(_), Some(_))) | (Some(_), _) => kind,
            _ => return None,
        };
        let takes = rest[first.len()..].chars().next().map(|mark| mark != '-');
        Some(CaptureWord { kind, from, takes, to, span })
    }

    /// The start, if all of it is written.
    pub fn start(&self) -> Option<Square> {
        self.from.0.zip(self.from.1).map(|(x, y)| Square::new(x, y))
    }

    /// Whether a square fits to what is written of the start.
    pub fn may_start_on(&self, square: Square) -> bool {
        self.from.0.is_none_or(|x| x == square.x) && self.from.1.is_none_or(|y| y == square.y)
    }

    /// All squares, the start first; nothing where the start is not written, or where letters are.
    pub fn path(&self) -> Option<Vec<Square>> {
        let has_letters = self.kind.is_some() || self.to.iter().any(|t| t.0.is_some());
        let start = self.start().filter(|_| !has_letters)?;
        Some(std::iter::once(start).chain(self.to.iter().map(|t| t.1)).collect())
    }
}

/// The finding for captures with capital squares or with arrows between their squares, `A4→C4`; nothing if a word is no capture so
/// either. `mark` stands between the squares.
pub(crate) fn in_other_signs(words: &[WrittenWord<'_>], mark: &str) -> Option<Finding> {
    let mut edits = Vec::new();
    for word in words {
        let mut plain = String::new();
        let mut chars = word.text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '→' | '➔' | '⇒' | '>' | '–' | '—' => {
                    plain.truncate(plain.trim_end_matches('-').len());
                    plain.push_str(mark);
                }
                'A'..='Z' if chars.peek().is_some_and(char::is_ascii_digit) => {
                    plain.push(c.to_ascii_lowercase())
                }
                _ => plain.push(c),
            }
        }
        CaptureWord::read(&plain, word.span)?;
        if plain != word.text {
            edits.push(Edit { span: word.span, text: plain });
        }
    }
    let meant = edits.first()?.text.clone();
    let title = match edits.len() {
        1 => format!("replace with `{meant}`"),
        _ => format!("write all captures as in `{meant}`"),
    };
    let span = edits.iter().map(|edit| edit.span).reduce(Span::cover)?;
    let finding = Finding::new(Code::InvalidValue, span, format!("write captures as in `{meant}`"));
    Some(finding.fix(Fix { title, edits, safe: false }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_rules::board::square_name;

    #[test]
    fn captures_are_read_in_every_spelling() {
        let read = |text: &str| {
            let word = CaptureWord::read(text, Span::at(0))?;
            let letter = |kind: Option<Kind>| kind.map_or(String::new(), |k| k.letter().to_string());
            let file = word.from.0.map_or(String::new(), |x| char::from(b'a' + x).to_string());
            let rank = word.from.1.map_or(String::new(), |y| (y + 1).to_string());
            let to: Vec<String> =
                word.to.iter().map(|t| format!(">{}{}", letter(t.0), square_name(t.1, false))).collect();
            Some(format!("{}{file}{rank}{}", letter(word.kind), to.concat()))
        };
        for (text, meaning) in [
            ("d1xb2", "d1>b2"),
            ("d1×b2", "d1>b2"),
            ("d1:b2", "d1>b2"),
            ("d1-b2!?", "d1>b2"),
            ("d1b2", "d1>b2"),
            ("Nxb2", "N>b2"),
            ("Nb2", "N>b2"),
            ("♘xb2", "N>b2"),
            ("Nd1xb2", "Nd1>b2"),
            ("Ndxb2", "Nd>b2"),
            ("N1b2", "N1>b2"),
            ("axb2", "Pa>b2"),
            ("d1xRb2", "d1>Rb2"),
            ("Nd1xRb2", "Nd1>Rb2"),
            ("c3:e5:g7", "c3>e5>g7"),
            ("i9xz9", "i9>z9"),
        ] {
            assert_eq!(read(text).as_deref(), Some(meaning), "{text}");
        }
        for other in [
            "", "b2", "N", "...N", "none", "xb2", "d1x", "d1xx", "Nb2#", "0", "ab2", "RP..", "é2", "1b2",
            "d1xb2x",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
