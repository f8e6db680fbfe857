//! How a game writes its boards: sizes, letters, numbers and the one-line notation.

use crate::board::model::{Colour, Kind, Piece};
use cpz_text::diagnostic::{Fix, Span};
use cpz_text::syntax::lookalike;

/// The sizes that boards of a game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Any rectangle up to `max` a side, of at least two cells.
    UpTo {
        /// The side where neither `size` nor the board shows one.
        default: u8,
        /// The longest side.
        max: u8,
    },
    /// A square of this side, always.
    Fixed(u8),
    /// n×n×n, with n from the first number to the second.
    Cube(u8, u8),
}

/// The standard notation of a position in one line, if a game has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// No such notation.
    None,
    /// Forsyth-Edwards notation.
    Fen,
    /// Portable draughts notation (PDN), with named squares.
    Pdn,
}

/// How a game writes its boards.
#[derive(Debug)]
pub struct Format {
    /// The game's keyword.
    pub game: &'static str,
    /// The number of the first column, row and level in coordinates, unless `origin` sets it: 0 or 1.
    pub origin: u8,
    /// The sizes of its boards.
    pub sizes: Sizes,
    /// The empty cell of boards that cpz writes.
    pub empty: char,
    /// The letters of pieces in text and in lists of letters. Of two letters for one piece, the first is
    /// written.
    pub letters: &'static [(char, Piece)],
    /// The kinds that coordinates name, each by the capital letter of [`Kind::letter`].
    pub kinds: &'static [Kind],
    /// The kinds of the numbers 1, 2, …; a negative number is black.
    pub numbers: &'static [Kind],
    /// Whether there are two colours.
    pub coloured: bool,
    /// Whether pieces stand on dark squares only, where x + y is even.
    pub dark_only: bool,
    /// The notation of a position in one line.
    pub notation: Notation,
}

/// The English letter of a piece from its German letter (D T L S) or Russian letter (Ф Л С К), all in upper
/// case.
pub fn english_piece(c: char) -> Option<char> {
    const FOREIGN: &str = "DTLSФЛСК";
    const ENGLISH: &str = "QRBNQRBN";
    FOREIGN.chars().position(|x| x == c).and_then(|i| ENGLISH.chars().nth(i))
}

/// Whether a character is a figurine of chess or draughts.
pub(super) fn is_figurine(c: char) -> bool {
    matches!(c, '\u{2654}'..='\u{265F}' | '\u{26C0}'..='\u{26C3}')
}

impl Format {
    /// The piece of a letter in text.
    pub fn piece(&self, c: char) -> Option<Piece> {
        self.letters.iter().find(|&&(l, _)| l == c).map(|&(_, p)| p)
    }

    /// The piece of a figurine, by its code point: `♔` to `♙` are white, `♚` to `♟` black, `⛀` to `⛃` those of
    /// draughts. Nothing if the game does not have it.
    pub fn figurine(&self, c: char) -> Option<Piece> {
        const KINDS: [Kind; 6] =
            [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
        let (index, kinds) = match c {
            '\u{2654}'..='\u{265F}' => (c as usize - 0x2654, &KINDS[..]),
            '\u{26C0}'..='\u{26C3}' => (c as usize - 0x26C0, &[Kind::Man, Kind::King][..]),
            _ => return None,
        };
        let colour = if self.coloured && index >= kinds.len() { Colour::Black } else { Colour::White };
        let kind = kinds[index % kinds.len()];
        self.kinds.contains(&kind).then_some(Piece::new(colour, kind))
    }

    /// The figurine of a piece: the one that [`Format::figurine`] reads as it.
    pub fn figurine_of(&self, piece: Piece) -> Option<char> {
        let figurines = ('\u{2654}'..='\u{265F}').chain('\u{26C0}'..='\u{26C3}');
        figurines.into_iter().find(|&c| self.figurine(c) == Some(piece))
    }

    /// The letter of this game for a German or Russian letter of a piece, in the same case.
    pub(super) fn english_letter(&self, c: char) -> Option<char> {
        let mut capitals = c.to_uppercase();
        let capital = capitals.next().filter(|_| capitals.next().is_none()).and_then(english_piece)?;
        let letter = if c.is_lowercase() { capital.to_ascii_lowercase() } else { capital };
        (self.kinds.contains(&Kind::Knight) && self.piece(letter).is_some()).then_some(letter)
    }

    /// Fixes of a letter that is not a piece: the Latin letter that looks the same, and the English letter of a German
    /// or Russian one. `written` makes the replacement text of a letter. Where both apply, neither is safe: the
    /// Russian knight looks like the Latin king.
    pub(crate) fn letter_fixes(&self, c: char, at: Span, written: impl Fn(char) -> String) -> Vec<Fix> {
        let latin = lookalike(c).filter(|&l| self.piece(l).is_some());
        let english = self.english_letter(c);
        let safe = english.is_none();
        let latin = latin.map(|l| Fix::new(format!("replace with the Latin `{l}`"), at, written(l), safe));
        let english = english.zip(english.and_then(|l| self.piece(l))).map(|(l, piece)| {
            Fix::new(title_of_letter(l, piece.kind, language_of(c)), at, written(l), false)
        });
        latin.into_iter().chain(english).collect()
    }

    /// The letter of a piece in text; `?` if the game does not have it.
    pub fn letter(&self, piece: Piece) -> char {
        self.letters.iter().find(|&&(_, p)| p == piece).map_or('?', |&(l, _)| l)
    }

    /// The number of a piece in a matrix: negative for black, 0 if the game does not have it.
    pub fn number(&self, piece: Piece) -> i32 {
        let n = self.numbers.iter().position(|&k| k == piece.kind).map_or(0, |i| i as i32 + 1);
        if piece.colour == Colour::Black { -n } else { n }
    }

    /// `white king`, or `king` in a game of one colour.
    pub fn called(&self, piece: Piece) -> String {
        if self.coloured { piece.to_string() } else { piece.kind.name().to_string() }
    }

    /// Whether boards are cubes.
    pub fn is_cube(&self) -> bool {
        matches!(self.sizes, Sizes::Cube(..))
    }
}

/// The title of a fix that writes the English letter of a piece for a letter of another language.
pub(super) fn title_of_letter(letter: char, kind: Kind, language: &str) -> String {
    format!("make it `{letter}`, the {} (if the letter is {language})", kind.name())
}

/// The language that a letter is most often from where the board does not say it.
pub(super) fn language_of(c: char) -> &'static str {
    if c.is_ascii() { "German" } else { "Russian" }
}
