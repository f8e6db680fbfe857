//! Pieces, squares and boards, and the names of squares.

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

/// A square's name: `e1`, in chess3d `c2 (I)`.
pub fn square_name(s: Square, cube: bool) -> String {
    let file = char::from(b'a' + s.x);
    match cube {
        true => format!("{file}{} ({})", s.y + 1, level_name(s.z)),
        false => format!("{file}{}", s.y + 1),
    }
}

/// The name of a level, counted from 0 at the bottom: I, II, III, …
pub fn level_name(z: u8) -> &'static str {
    ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"].get(z as usize).copied().unwrap_or("?")
}
