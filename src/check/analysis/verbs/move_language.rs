//! Moves with the letters of pieces in other languages, which are those of a whole line or solution.

use std::borrow::Cow;

use crate::analysis::verbs::move_text::{MoveText, read_move_text};
use cpz_rules::board::{Colour, Kind, Language, RUSSIAN_KING, languages_of};
use cpz_text::diagnostic::{Finding, Span};

/// Whether a word may be a move: a letter of a file stands before the digit of a rank.
pub(crate) fn names_square(text: &str) -> bool {
    text.as_bytes()
        .windows(2)
        .any(|pair| (b'a'..=b'h').contains(&pair[0]) && (b'1'..=b'8').contains(&pair[1]))
}

/// The language of the letters of pieces in some moves, where they are not English.
pub(crate) fn language_of<'t>(moves: impl Iterator<Item = &'t str>) -> Option<&'static Language> {
    let mut letters: Vec<&str> = Vec::new();
    for text in moves.filter(|text| names_square(text) && !text.starts_with("O-O")) {
        for (at, c) in text.char_indices().filter(|(_, c)| c.is_uppercase()) {
            let letter = match text[at..].starts_with(RUSSIAN_KING) {
                true => RUSSIAN_KING,
                false => &text[at..at + c.len_utf8()],
            };
            if !letters.contains(&letter) {
                letters.push(letter);
            }
        }
    }
    let is_english = |letter: &&str| {
        let mut chars = letter.chars();
        let first = chars.next().filter(char::is_ascii_uppercase);
        chars.next().is_none()
            && first.is_some_and(|c| c == 'S' || Kind::from_letter(c).is_some_and(|k| k != Kind::Man))
    };
    match letters.iter().all(is_english) {
        true => None,
        false => languages_of(letters.iter().copied()).first().copied(),
    }
}

/// A move with its letters of pieces in English.
pub(crate) fn in_english<'t>(text: &'t str, language: Option<&Language>) -> Cow<'t, str> {
    let Some(language) = language else { return Cow::Borrowed(text) };
    let letter = |part: &str| language.kind(part).map(Kind::letter);
    let mut english = String::with_capacity(text.len());
    let rest = match text.strip_prefix(RUSSIAN_KING).and_then(|rest| Some((rest, letter(RUSSIAN_KING)?))) {
        Some((rest, letter)) => {
            english.push(letter);
            rest
        }
        None => text,
    };
    for c in rest.chars() {
        let is_capital = c.is_uppercase();
        let kind = if is_capital { letter(c.encode_utf8(&mut [0; 4])) } else { None };
        english.push(kind.unwrap_or(c));
    }
    Cow::Owned(english)
}

/// Reads a move with the letters of a language, as [`read_move_text`] does.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read_move_in(
    language: Option<&Language>,
    text: &str,
    span: Span,
    turn: Colour,
) -> Result<MoveText, Finding> {
    let english = in_english(text, language);
    if english == text {
        return read_move_text(text, span, turn);
    }
    // The letters may have other lengths, which count where they are: a mark stands behind all of them.
    let end = english.len() as u32;
    let place = |at: Span| match at.start {
        0 => Span::new(span.start, span.end - (end - at.end)),
        _ => Span::new(span.end - (end - at.start), span.end - (end - at.end)),
    };
    match read_move_text(&english, Span::new(0, end), turn) {
        Ok(read) => Ok(MoveText {
            mark: read.mark.map(place),
            core: place(read.core),
            body: place(read.body),
            passed: read.passed.map(place),
            ..read
        }),
        // What is wrong is said of the move as it is written.
        Err(_) => read_move_text(text, span, turn),
    }
}
