//! Boards of every game in every format, both ways: reading, writing, converting.
//!
//! Invariant: knows how positions are written and nothing of how pieces move; what differs between
//! games comes in as a [`Format`], which each game supplies.

mod coordinates;
mod fen;
mod lists;
mod read;
mod size;
mod source_layout;
mod text;
mod write;

pub use coordinates::{
    CoordinateFrame, Entry, SquareText, read_colour, read_entry, read_square, read_square_parts,
    square_from_words,
};
pub use read::{Placed, Reading, read, read_element};
pub use size::SizeValue;
pub use source_layout::{SourceLayout, element_layout, respell, source_layout};
pub use write::{Style, Target, level_name, square_name, write, write_square};

use crate::diagnostic::{Code, Finding, Fix, Span};
use crate::syntax::lookalike;

/// The colour of a piece. Solitaire's pieces are all white.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Moves up.
    White,
    /// Moves down.
    Black,
}

impl Colour {
    /// The opponent.
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// `white` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Colour::White => "white",
            Colour::Black => "black",
        }
    }
}

/// The kind of a piece, chess and draughts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    King = 1,
    Queen = 2,
    Rook = 3,
    Bishop = 4,
    Knight = 5,
    Pawn = 6,
    Man = 7,
}

impl Kind {
    /// All kinds in the order of the numbers that stand for them.
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn, Kind::Man];

    /// Its English name.
    pub fn name(self) -> &'static str {
        ["king", "queen", "rook", "bishop", "knight", "pawn", "man"][self as usize - 1]
    }

    /// Its capital letter.
    pub fn letter(self) -> char {
        ['K', 'Q', 'R', 'B', 'N', 'P', 'M'][self as usize - 1]
    }

    /// The kind with that letter, in either case.
    pub fn from_letter(c: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.letter() == c.to_ascii_uppercase())
    }
}

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Whose.
    pub colour: Colour,
    /// What.
    pub kind: Kind,
}

impl Piece {
    /// A piece of that colour and kind.
    pub const fn new(colour: Colour, kind: Kind) -> Piece {
        Piece { colour, kind }
    }

    /// A white piece.
    pub const fn white(kind: Kind) -> Piece {
        Piece::new(Colour::White, kind)
    }

    /// A black piece.
    pub const fn black(kind: Kind) -> Piece {
        Piece::new(Colour::Black, kind)
    }

    /// Its letter: capital for white, small for black.
    pub fn letter(self) -> char {
        match self.colour {
            Colour::White => self.kind.letter(),
            Colour::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }
}

impl std::fmt::Display for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.colour.name(), self.kind.name())
    }
}

/// The size of a board in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Columns.
    pub w: u8,
    /// Rows.
    pub h: u8,
    /// Levels: 1 but in chess3d.
    pub d: u8,
}

impl Size {
    /// A board of one level.
    pub const fn flat(w: u8, h: u8) -> Size {
        Size { w, h, d: 1 }
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.w as usize * self.h as usize * self.d as usize
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.d {
            1 => write!(f, "{}×{}", self.w, self.h),
            d => write!(f, "{}×{}×{}", self.w, self.h, d),
        }
    }
}

/// A square, or a cube of chess3d: 0-based, x to the right, y up, z up from the lowest level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub struct Square {
    pub x: u8,
    pub y: u8,
    pub z: u8,
}

impl Square {
    /// A square of the lowest level.
    pub const fn new(x: u8, y: u8) -> Square {
        Square { x, y, z: 0 }
    }
}

/// A position without anything but its pieces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Its size.
    pub size: Size,
    /// The cells: `x + w * (y + h * z)`, from the bottom left of the lowest level.
    pub cells: Vec<Option<Piece>>,
}

impl Board {
    /// A board without pieces.
    pub fn empty(size: Size) -> Board {
        Board { size, cells: vec![None; size.cells()] }
    }

    /// The index of a square's cell.
    pub fn index(&self, s: Square) -> usize {
        s.x as usize + self.size.w as usize * (s.y as usize + self.size.h as usize * s.z as usize)
    }

    /// The square of a cell.
    pub fn square(&self, index: usize) -> Square {
        let (w, h) = (self.size.w as usize, self.size.h as usize);
        Square { x: (index % w) as u8, y: (index / w % h) as u8, z: (index / (w * h)) as u8 }
    }

    /// What stands on a square.
    pub fn at(&self, s: Square) -> Option<Piece> {
        self.cells[self.index(s)]
    }

    /// The pieces with their squares, from the bottom left of the lowest level.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.cells.iter().enumerate().filter_map(|(i, p)| p.map(|p| (self.square(i), p)))
    }

    /// The number of pieces.
    pub fn count(&self) -> usize {
        self.cells.iter().flatten().count()
    }
}

/// What sizes the boards of a game may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Any up to `max` a side, two cells at least; `default` a side where nothing tells.
    Upto {
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
    fn english(&self, c: char) -> Option<char> {
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
        let english = self.english(c);
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
