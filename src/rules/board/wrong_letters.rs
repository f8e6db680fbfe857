//! Letters of a board that are no pieces: letters of another language, letters that look like Latin ones, slips. Each
//! is one finding, however often it is written.

use crate::board::game_format::{Format, language_of, title_of_letter};
use crate::board::model::{Colour, Kind, Piece};
use crate::board::piece_letters::{Language, RUSSIAN_KING, languages_of};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::lookalike;

/// The Russian king as one character, where the cells of a board are characters: capital and small.
pub(super) const RUSSIAN_KINGS: [char; 2] = ['\u{E000}', '\u{E001}'];

/// The signs of a rank of a FEN: the place and the length of each in bytes. The two letters of a Russian king are one sign, if the
/// rank then has eight squares; else the second may be a pawn that looks like a Latin one.
pub(super) fn signs(rank: &str) -> impl Iterator<Item = (usize, char, usize)> {
    let width = || joined(rank, true).map(|(_, c, _)| c.to_digit(10).unwrap_or(1)).sum::<u32>();
    // Nearly all ranks are ASCII, and have no such king.
    joined(rank, !rank.is_ascii() && width() == 8)
}

fn joined(rank: &str, has_kings: bool) -> impl Iterator<Item = (usize, char, usize)> {
    let mut chars = rank.char_indices().peekable();
    std::iter::from_fn(move || {
        let (i, c) = chars.next()?;
        let is_king = has_kings && matches!(c, 'К' | 'к');
        Some(match chars.next_if(|&(_, next)| is_king && next == 'р') {
            Some((_, next)) => (i, RUSSIAN_KINGS[usize::from(c == 'к')], c.len_utf8() + next.len_utf8()),
            None => (i, c, c.len_utf8()),
        })
    })
}

/// The character that stands for a text which is the Russian king.
pub(super) fn russian_king(text: &str) -> Option<char> {
    let is_small = text == RUSSIAN_KING.to_lowercase();
    (is_small || text == RUSSIAN_KING).then(|| RUSSIAN_KINGS[usize::from(is_small)])
}

/// How many other places of a finding are named.
const MAX_PLACES: usize = 8;
/// How many different foreign letters prove a language: one or two may be slips.
const SURE_LETTERS: usize = 3;

/// A piece as it is written.
pub(super) struct PieceText {
    /// Its letter: in upper case for white, in lower case for black.
    pub text: String,
    pub span: Span,
    pub form: PieceForm,
}

/// What shows the colour of a piece.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum PieceForm {
    /// The case of its letter.
    Cased,
    /// A word for the colour beside it; the letter is in upper case.
    Named,
    /// A `-` before the letter, for black.
    Signed,
}

impl Format {
    /// The findings for letters that are no pieces. `all` has every letter of the board; `span` is that of the board.
    pub(super) fn wrong_letters(
        &self,
        wrong: &[(char, Span)],
        all: &[(char, Span)],
        span: Span,
    ) -> Vec<Finding> {
        let letter = |&(c, span): &(char, Span)| {
            let text = as_text(c);
            let signed = span.end - span.start > text.len() as u32;
            PieceText { text, span, form: if signed { PieceForm::Signed } else { PieceForm::Cased } }
        };
        let letters: Vec<PieceText> = all.iter().map(letter).collect();
        if let Some(finding) = self.in_another_language(&letters, span) {
            return vec![finding];
        }
        if let Some(finding) = self.letters_of_coordinates(all).or_else(|| self.noughts_and_crosses(all)) {
            return vec![finding];
        }
        let mut found: Vec<Finding> = Vec::new();
        let is_lookalike = |c: char| lookalike(c).is_some_and(|l| self.piece(l).is_some());
        let (similar, others): (Vec<_>, Vec<_>) = wrong.iter().partition(|(c, _)| is_lookalike(*c));
        found.extend(self.lookalikes(&similar));
        let mut letters: Vec<char> = Vec::new();
        for &(c, _) in &others {
            if !letters.contains(&c) && letters.len() < 100 {
                letters.push(c);
                let places: Vec<Span> = others.iter().filter(|o| o.0 == c).map(|o| o.1).collect();
                found.push(self.unknown_letter(c, &places));
            }
        }
        found
    }

    /// The one finding for a text board of draughts in the letters that its coordinates have.
    fn letters_of_coordinates(&self, all: &[(char, Span)]) -> Option<Finding> {
        let letter = |c: char| {
            let kind = Kind::from_letter(c).filter(|kind| self.kinds.contains(kind))?;
            let colour = if c.is_ascii_uppercase() { Colour::White } else { Colour::Black };
            Some(self.letter(Piece::new(colour, kind)))
        };
        let edit = |&(c, span): &(char, Span)| Some(Edit { span, text: letter(c)?.to_string() });
        let edits = all
            .iter()
            .map(edit)
            .collect::<Option<Vec<Edit>>>()
            .filter(|_| self.kinds.contains(&Kind::Man))?;
        let at = edits.first()?.span;
        let message = "the men of a text board are `w` and `b`, the kings `W` and `B`";
        let fix = Fix { title: "write them so".into(), edits, safe: false };
        Some(Finding::new(Code::UnknownPiece, at, message).fix(fix))
    }

    /// The one finding for a text board of draughts with `o` and `x`, the kings `O` and `X`. Either may be white.
    fn noughts_and_crosses(&self, all: &[(char, Span)]) -> Option<Finding> {
        let is_one = |&(c, _): &(char, Span)| "oOxX".contains(c);
        let &(_, at) = all.first()?;
        if !self.kinds.contains(&Kind::Man) || !all.iter().all(is_one) {
            return None;
        }
        let fix = |white: char, black: char| {
            let letter = |c: char| match c {
                _ if c == white => 'w',
                _ if c == black => 'b',
                _ if c.to_ascii_lowercase() == white => 'W',
                _ => 'B',
            };
            let edits = all.iter().map(|&(c, span)| Edit { span, text: letter(c).to_string() }).collect();
            let title = format!("write them so (if `{white}` is white and `{black}` is black)");
            Fix { title, edits, safe: false }
        };
        let message = "the men of a text board are `w` and `b`, the kings `W` and `B`";
        Some(Finding::new(Code::UnknownPiece, at, message).fix(fix('o', 'x')).fix(fix('x', 'o')))
    }

    /// The one finding for Cyrillic letters that look like the letters of pieces.
    fn lookalikes(&self, wrong: &[(char, Span)]) -> Option<Finding> {
        let &(first, at) = wrong.first()?;
        let latin = |c: char| lookalike(c).unwrap_or(c);
        let mut letters: Vec<char> = wrong.iter().map(|w| w.0).collect();
        letters.sort_unstable();
        letters.dedup();
        let places: Vec<Span> = wrong.iter().map(|w| w.1).collect();
        let message = match letters.len() {
            1 => format!(
                "`{first}` is a Cyrillic letter; the piece is the Latin `{}`{}",
                latin(first),
                times(places.len())
            ),
            _ => {
                let name = |of: &dyn Fn(char) -> char| {
                    let names: Vec<String> = letters.iter().map(|&c| format!("`{}`", of(c))).collect();
                    names.join(" ")
                };
                format!("{} are Cyrillic letters; the pieces are the Latin {}", name(&|c| c), name(&latin))
            }
        };
        // The Russian knight looks like the Latin king.
        let safe = !letters.iter().any(|&c| self.english_letter(c).is_some());
        let edits: Vec<Edit> =
            wrong.iter().map(|&(c, span)| Edit { span, text: latin(c).to_string() }).collect();
        let title = match letters.len() {
            1 => format!("replace with the Latin `{}`", latin(first)),
            _ => "replace with Latin letters".into(),
        };
        let mut fixes = vec![Fix { title, edits, safe }];
        if let [c] = letters[..] {
            fixes.extend(self.english_fix(c, &places));
        }
        Some(Finding { fixes, ..with_places(Code::UnknownPiece, at, message, &places) })
    }

    fn unknown_letter(&self, c: char, places: &[Span]) -> Finding {
        let letters: Vec<String> = self.letters.iter().map(|(l, _)| l.to_string()).collect();
        let message = format!(
            "`{}` is not a piece of {}{}; the pieces are {}",
            as_text(c),
            self.game,
            times(places.len()),
            letters.join(" ")
        );
        let fixes = self.english_fix(c, places).into_iter().collect();
        Finding { fixes, ..with_places(Code::UnknownPiece, places[0], message, places) }
    }

    /// The fix that writes the English letter for a German or Russian one.
    fn english_fix(&self, c: char, places: &[Span]) -> Option<Fix> {
        let letter = self.english_letter(c)?;
        let piece = self.piece(letter)?;
        let edits = places.iter().map(|&span| Edit { span, text: letter.to_string() }).collect();
        Some(Fix { title: title_of_letter(letter, piece.kind, language_of(c)), edits, safe: false })
    }

    /// The finding for a board in the letters of another language. `letters` has all its pieces; each is a text in
    /// upper case for white and lower case for black. Nothing if no language has all letters, or if English has them, though
    /// it may be for a piece that the game has not.
    pub(super) fn in_another_language(&self, letters: &[PieceText], span: Span) -> Option<Finding> {
        let is_english = |l: &PieceText| {
            let mut chars = l.text.chars();
            let is_piece = |c| self.piece(c).is_some() || matches!(c, 'P' | 'p');
            chars.next().is_some_and(is_piece) && chars.next().is_none()
        };
        // The largest board has 1000 cells.
        if !self.kinds.contains(&Kind::Knight) || letters.len() > 1000 || letters.iter().all(is_english) {
            return None;
        }
        let languages = languages_of(letters.iter().map(|l| l.text.as_str()));
        let mut readings: Vec<LanguageReading> = Vec::new();
        for language in languages {
            let Some(board) = self.translated(letters, language) else { continue };
            match readings.iter_mut().find(|r| r.1 == board) {
                Some((names, _)) => names.push(language),
                None => readings.push((vec![language], board)),
            }
        }
        let odd = OddLetters::of(letters, |l| is_english(l), &readings);
        let mut finding = match readings.as_slice() {
            [] => return None,
            [(languages, board)] => {
                let (names, shown) = name_of(languages);
                let is_sure = languages.len() == 1 && odd.kinds.len() >= SURE_LETTERS;
                let title = match odd.may_be_slips() {
                    true => format!("read them all as {names} (if the whole board is)"),
                    false if is_sure => "write the English letters".into(),
                    false => format!("write the English letters (if these are {names})"),
                };
                let fix = rewritten(letters, board, title);
                let message = format!("these are {names} letters{shown}; {ENGLISH_LETTERS}");
                Finding::new(Code::UnknownPiece, span, message).fix(fix)
            }
            several => {
                let name = |languages: &[&Language]| {
                    let (names, shown) = name_of(languages);
                    format!("{names}{shown}")
                };
                let names: Vec<String> = several.iter().map(|(languages, _)| name(languages)).collect();
                let languages: Vec<(String, String)> = several.iter().map(|r| name_of(&r.0)).collect();
                let message = match &languages[..] {
                    // The letters of one language in two sets, which the signs behind its name tell apart.
                    [(first, shown), others @ ..] if others.iter().all(|(name, _)| name == first) => {
                        let others: String = others.iter().map(|(_, shown)| format!(" or{shown}")).collect();
                        format!("these are {first} letters,{shown}{others}; {ENGLISH_LETTERS}")
                    }
                    _ => format!("these letters can be {}; {ENGLISH_LETTERS}", names.join(" or ")),
                };
                let fixes = several.iter().zip(&names);
                let fixes = fixes.map(|((_, board), n)| {
                    rewritten(letters, board, format!("read them as {n} (if the whole board is)"))
                });
                Finding { fixes: fixes.collect(), ..Finding::new(Code::UnknownPiece, span, message) }
            }
        };
        if odd.may_be_slips() {
            let alone: Vec<Fix> =
                odd.kinds.iter().filter_map(|letter| self.alone_in_english(letters, letter)).collect();
            if odd.changed >= odd.count && !alone.is_empty() {
                let all: Vec<String> = odd.kinds.iter().map(|l| format!("`{l}`")).collect();
                finding.message = format!("{} may be mistyped, or {}", all.join(" "), finding.message);
                finding.fixes.splice(0..0, alone);
            } else {
                finding.fixes.extend(alone);
            }
        }
        Some(finding)
    }

    /// The fix that writes the English letter in the place of one letter of other languages, and changes no other piece.
    fn alone_in_english(&self, letters: &[PieceText], letter: &str) -> Option<Fix> {
        let languages = languages_of(std::iter::once(letter));
        let kind = languages.first()?.kind(letter)?;
        if languages.iter().any(|l| l.kind(letter) != Some(kind)) {
            return None;
        }
        let capital = kind.letter();
        self.piece(capital)?;
        let replaced = |l: &PieceText| {
            let first = l.text.chars().next().unwrap_or(' ');
            match l.text.to_uppercase() == letter {
                true if first.is_lowercase() => capital.to_ascii_lowercase(),
                true => capital,
                false => first,
            }
        };
        let board: Vec<char> = letters.iter().map(replaced).collect();
        // A king of two letters is no slip of one.
        let one_letter = letters.iter().all(|l| l.text.chars().nth(1).is_none());
        let title = title_of_letter(capital, kind, languages[0].name);
        one_letter.then(|| rewritten(letters, &board, title))
    }

    /// The English letters of a board in another language. Nothing if the game does not have one of the pieces, or if a
    /// colour of chess would have two kings.
    fn translated(&self, letters: &[PieceText], language: &Language) -> Option<Vec<char>> {
        let english = letters.iter().map(|PieceText { text, .. }| {
            let kind = language.kind(text)?;
            let capital = kind.letter();
            let black = text.chars().next().is_some_and(char::is_lowercase);
            let letter = if black { capital.to_ascii_lowercase() } else { capital };
            self.piece(letter).map(|_| letter)
        });
        let english = english.collect::<Option<Vec<char>>>()?;
        let kings = |colour| {
            let king = Piece::new(colour, Kind::King);
            english.iter().filter(|&&c| self.piece(c) == Some(king)).count()
        };
        (!self.coloured || kings(Colour::White) < 2 && kings(Colour::Black) < 2).then_some(english)
    }
}

/// Languages with the same reading of a board, and the English letters that it gives.
type LanguageReading = (Vec<&'static Language>, Vec<char>);

const ENGLISH_LETTERS: &str = "cpz reads the English ones (K Q R B N P)";

/// The letters of a board that are no pieces in English, next to those that are.
struct OddLetters {
    /// The different letters, as capitals.
    kinds: Vec<String>,
    /// How often they are written.
    count: usize,
    /// How many English pieces each reading in another language changes, at the least.
    changed: usize,
}

impl OddLetters {
    fn of(
        letters: &[PieceText],
        is_english: impl Fn(&PieceText) -> bool,
        readings: &[LanguageReading],
    ) -> OddLetters {
        let odd = letters.iter().filter(|l| !is_english(l));
        let mut kinds: Vec<String> = odd.map(|l| l.text.to_uppercase()).collect();
        let count = kinds.len();
        kinds.sort_unstable();
        kinds.dedup();
        let changes = |board: &[char]| {
            let pairs = letters.iter().zip(board);
            pairs.filter(|(l, new)| is_english(l) && l.text != new.to_string()).count()
        };
        let changed = readings.iter().map(|(_, board)| changes(board)).min().unwrap_or(0);
        OddLetters { kinds, count, changed }
    }

    /// Whether the letter may be a slip in a board of English letters: it stands alone, and another language would change
    /// other pieces too.
    fn may_be_slips(&self) -> bool {
        self.count == 1 && self.changed > 0
    }
}

/// The names of languages, and their letters if these are the same.
fn name_of(languages: &[&Language]) -> (String, String) {
    let mut names: Vec<&str> = languages.iter().map(|l| l.name).collect();
    names.dedup();
    let mut shown: Vec<&str> = languages.iter().map(|l| l.shown).collect();
    shown.dedup();
    let shown = if names.len() == 1 || shown.len() == 1 { format!(" ({})", shown[0]) } else { String::new() };
    (names.join(" or "), shown)
}

/// The fix that writes other letters for pieces; those that stay are left as they are.
/// A language that cpz does not know may have the same letters for other pieces, so that it asks.
fn rewritten(letters: &[PieceText], board: &[char], title: String) -> Fix {
    let edit = |(old, new): (&PieceText, &char)| {
        let text = match old.form {
            PieceForm::Cased => new.to_string(),
            PieceForm::Named => new.to_uppercase().to_string(),
            PieceForm::Signed => format!("-{}", new.to_uppercase()),
        };
        (old.text != new.to_string()).then_some(Edit { span: old.span, text })
    };
    Fix { title, edits: letters.iter().zip(board).filter_map(edit).collect(), safe: false }
}

/// A letter of a board as it is written.
fn as_text(c: char) -> String {
    match RUSSIAN_KINGS.iter().position(|&king| king == c) {
        None => c.to_string(),
        Some(0) => RUSSIAN_KING.to_string(),
        Some(_) => RUSSIAN_KING.to_lowercase(),
    }
}

fn times(n: usize) -> String {
    if n == 1 { String::new() } else { format!(", and stands here {n} times") }
}

/// A finding at the first of several places, which names the others.
pub(super) fn with_places(code: Code, at: Span, message: impl Into<String>, places: &[Span]) -> Finding {
    let others = places.iter().filter(|&&p| p != at).take(MAX_PLACES);
    others.fold(Finding::new(code, at, message), |finding, &p| finding.related(p, "here too"))
}
