//! How a game writes its boards: sizes, letters, numbers and the one-line notation.

use crate::board::model::{Colour, Kind, Piece};
use crate::diagnostic::{Code, Finding, Fix, Span};
use crate::syntax::lookalike;

/// What sizes the boards of a game may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Any up to `max` a side, two cells at least; `default` a side where nothing tells.
    UpTo {
        /// A side of the board where nothing tells another.
        default: u8,
        /// The longest side.
        max: u8,
    },
    /// Always this many squares a side.
    Fixed(u8),
    /// n×n×n with n between the two.
    Cube(u8, u8),
}

/// How a position is written in one line of the game's own notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// None.
    None,
    /// Forsyth-Edwards notation.
    Fen,
    /// The position of portable draughts notation, with named squares.
    Pdn,
}

/// How a game writes its boards.
#[derive(Debug)]
pub struct Format {
    /// The game's keyword.
    pub game: &'static str,
    /// What its coordinates count from, where `origin` does not say.
    pub origin: u8,
    /// The sizes that its boards may have.
    pub sizes: Sizes,
    /// The empty cell where a board is written.
    pub empty: char,
    /// The letters of text and letter lists.
    pub letters: &'static [(char, Piece)],
    /// The kinds of coordinates, each with the capital of its name.
    pub kinds: &'static [Kind],
    /// The kinds that the numbers 1, 2, … stand for.
    pub numbers: &'static [Kind],
    /// Whether there are two colours.
    pub coloured: bool,
    /// Whether pieces stand on dark squares only, where x + y is even.
    pub dark_only: bool,
    /// The notation in one line.
    pub notation: Notation,
}

/// The English letter, in upper case, of a piece that goes by this one in German (D T L S) or Russian (Ф Л С К).
pub fn english_piece(c: char) -> Option<char> {
    const FOREIGN: &str = "DTLSФЛСК";
    const ENGLISH: &str = "QRBNQRBN";
    FOREIGN.chars().position(|x| x == c).and_then(|i| ENGLISH.chars().nth(i))
}

impl Format {
    /// The piece of a letter of text.
    pub fn piece(&self, c: char) -> Option<Piece> {
        self.letters.iter().find(|&&(l, _)| l == c).map(|&(_, p)| p)
    }

    /// The letter of the piece that goes by this one in German or Russian.
    fn english_letter(&self, c: char) -> Option<char> {
        let mut capitals = c.to_uppercase();
        let capital = capitals.next().filter(|_| capitals.next().is_none()).and_then(english_piece)?;
        let letter = if c.is_lowercase() { capital.to_ascii_lowercase() } else { capital };
        (self.kinds.contains(&Kind::Knight) && self.piece(letter).is_some()).then_some(letter)
    }

    /// Repairs of a letter that is no piece: by the Latin one that looks like it, and by that of its name in German or
    /// Russian. `written` is how a letter is put in the letter's place. Where both may be meant (the Russian knight looks
    /// like the Latin king) neither is safe.
    pub(crate) fn letter_fixes(&self, c: char, at: Span, written: impl Fn(char) -> String) -> Vec<Fix> {
        let latin = lookalike(c).filter(|&l| self.piece(l).is_some());
        let english = self.english_letter(c);
        let safe = english.is_none();
        let latin = latin.map(|l| Fix::new(format!("replace with the Latin `{l}`"), at, written(l), safe));
        let english = english.zip(english.and_then(|l| self.piece(l))).map(|(l, piece)| {
            Fix::new(format!("make it `{l}`, the {}", piece.kind.name()), at, written(l), false)
        });
        latin.into_iter().chain(english).collect()
    }

    /// What is said of a letter in text that is no piece, with its repairs.
    pub(crate) fn unknown_letter(&self, c: char, at: Span, written: impl Fn(char) -> String) -> Finding {
        let message = match lookalike(c).filter(|&l| self.piece(l).is_some()) {
            Some(l) => format!("`{c}` is a Cyrillic letter; the piece is the Latin `{l}`"),
            None => {
                let letters: Vec<String> = self.letters.iter().map(|(l, _)| l.to_string()).collect();
                format!("`{c}` is no piece of {}; its pieces are {}", self.game, letters.join(" "))
            }
        };
        let fixes = self.letter_fixes(c, at, written);
        Finding { fixes, ..Finding::new(Code::UnknownPiece, at, message) }
    }

    /// The letter of a piece in text.
    pub fn letter(&self, piece: Piece) -> char {
        self.letters.iter().find(|&&(_, p)| p == piece).map_or('?', |&(l, _)| l)
    }

    /// The number of a piece in a matrix.
    pub fn number(&self, piece: Piece) -> i32 {
        let n = self.numbers.iter().position(|&k| k == piece.kind).map_or(0, |i| i as i32 + 1);
        if piece.colour == Colour::Black { -n } else { n }
    }

    /// `white king`, or `king` where there is one colour.
    pub fn called(&self, piece: Piece) -> String {
        if self.coloured { piece.to_string() } else { piece.kind.name().to_string() }
    }

    /// Whether boards have levels.
    pub fn is_cube(&self) -> bool {
        matches!(self.sizes, Sizes::Cube(..))
    }
}
