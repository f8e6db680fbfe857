//! Pieces, squares and boards, and the names of squares.

/// The colour of a piece. All pieces of solitaire are white.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Pawns and men move up: y grows.
    White,
    /// Pawns and men move down: y falls.
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

/// The kinds of pieces of chess and draughts. A draughts king is a `King`.
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
    /// All kinds, by number from 1.
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn, Kind::Man];

    /// The English name, such as `king`.
    pub fn name(self) -> &'static str {
        ["king", "queen", "rook", "bishop", "knight", "pawn", "man"][self as usize - 1]
    }

    /// The capital letter: K Q R B N P, M for a man.
    pub fn letter(self) -> char {
        ['K', 'Q', 'R', 'B', 'N', 'P', 'M'][self as usize - 1]
    }

    /// The kind of a letter, in either case.
    pub fn from_letter(c: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.letter() == c.to_ascii_uppercase())
    }
}

/// A piece: colour and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub struct Piece {
    pub colour: Colour,
    pub kind: Kind,
}

impl Piece {
    /// A piece of a colour and a kind.
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

    /// The letter of the kind: capital for white, small for black.
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

/// The size of a board in cells: `w` columns, `h` rows, `d` levels (1 except in chess3d).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Size {
    pub w: u8,
    pub h: u8,
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

    /// The number of a square among cells that are read from the top level and the top row down, 0-based.
    pub fn reading_index(self, s: Square) -> usize {
        let (w, h, d) = (usize::from(self.w), usize::from(self.h), usize::from(self.d));
        usize::from(s.x) + w * (h - 1 - usize::from(s.y) + h * (d - 1 - usize::from(s.z)))
    }

    /// Whether a square is on a board of this size.
    pub fn has(self, s: Square) -> bool {
        s.x < self.w && s.y < self.h && s.z < self.d
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
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

/// The pieces of a position, without the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The size; `cells` has one entry for each of its cells.
    pub size: Size,
    /// The piece of each cell. The index of a square is `x + w * (y + h * z)`: from the bottom left of the
    /// lowest level, row by row upwards.
    pub cells: Vec<Option<Piece>>,
}

impl Board {
    /// A board without pieces.
    pub fn empty(size: Size) -> Board {
        Board { size, cells: vec![None; size.cells()] }
    }

    /// The index of a square in `cells`. The square must be on the board.
    pub fn index(&self, s: Square) -> usize {
        s.x as usize + self.size.w as usize * (s.y as usize + self.size.h as usize * s.z as usize)
    }

    /// The square of an index in `cells`.
    pub fn square(&self, index: usize) -> Square {
        let (w, h) = (self.size.w as usize, self.size.h as usize);
        Square { x: (index % w) as u8, y: (index / w % h) as u8, z: (index / (w * h)) as u8 }
    }

    /// The piece on a square. The square must be on the board.
    pub fn at(&self, s: Square) -> Option<Piece> {
        self.cells[self.index(s)]
    }

    /// The pieces with their squares, in the order of `cells`.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.cells.iter().enumerate().filter_map(|(i, p)| p.map(|p| (self.square(i), p)))
    }

    /// The number of pieces.
    pub fn count(&self) -> usize {
        self.cells.iter().flatten().count()
    }
}

/// The name of a square: `e1`; for a cube of chess3d with its level, `c2 (I)`.
pub fn square_name(s: Square, cube: bool) -> String {
    let file = char::from(b'a' + s.x);
    match cube {
        true => format!("{file}{} ({})", s.y + 1, level_name(s.z)),
        false => format!("{file}{}", s.y + 1),
    }
}

/// The square of a name on a chess board: `e1`.
pub fn chess_square(name: &str) -> Option<Square> {
    match *name.as_bytes() {
        [x @ b'a'..=b'h', y @ b'1'..=b'8'] => Some(Square::new(x - b'a', y - b'1')),
        _ => None,
    }
}

/// The Roman numeral of a level, counted from 0 at the bottom: I, II, III, … X.
pub fn level_name(z: u8) -> &'static str {
    ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"].get(z as usize).copied().unwrap_or("?")
}
