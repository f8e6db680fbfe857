//! The rules of chess once more, plainly: a mailbox, and every pair of squares tried.

use crate::harness::batch::{Rng, list};
use cozy_chess::{Board as Position, Color, Piece as Kind};

/// A square, counted from 1: x from the left, y from the bottom.
pub(super) type Square = (i8, i8);

pub(super) const KINDS: [char; 6] = ['K', 'Q', 'R', 'B', 'N', 'P'];

pub(super) fn squares() -> impl Iterator<Item = Square> + Clone {
    (1..=8).flat_map(|y| (1..=8).map(move |x| (x, y)))
}

pub(super) fn name((x, y): Square) -> String {
    format!("{}{y}", char::from(b'a' - 1 + x.unsigned_abs()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) white: bool,
    pub(super) kind: char,
}

/// The plain reference: a mailbox, and every pair of squares tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) cells: [[Option<Piece>; 8]; 8],
    /// The castling rights as letters of a FEN, `-` for none.
    pub(super) castling: String,
    pub(super) en_passant: Option<Square>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Checkmate,
    Check,
    Stalemate,
    None,
}

pub(super) const STATUSES: [Status; 4] = [Status::Checkmate, Status::Check, Status::Stalemate, Status::None];

impl Status {
    pub(super) fn new(in_check: bool, can_move: bool) -> Self {
        match (in_check, can_move) {
            (true, false) => Status::Checkmate,
            (true, true) => Status::Check,
            (false, false) => Status::Stalemate,
            (false, true) => Status::None,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Status::Checkmate => "checkmate",
            Status::Check => "check",
            Status::Stalemate => "stalemate",
            Status::None => "none",
        }
    }
}

impl Board {
    pub(super) fn empty() -> Self {
        Self { cells: [[None; 8]; 8], castling: "-".to_string(), en_passant: None }
    }

    pub(super) fn at(&self, (x, y): Square) -> Option<Piece> {
        self.cells[y as usize - 1][x as usize - 1]
    }

    pub(super) fn put(&mut self, (x, y): Square, piece: Option<Piece>) {
        self.cells[y as usize - 1][x as usize - 1] = piece;
    }

    pub(super) fn pieces(&self) -> Vec<(Square, Piece)> {
        squares().filter_map(|square| Some((square, self.at(square)?))).collect()
    }

    pub(super) fn path_is_clear(&self, from: Square, to: Square) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let between = |n: i8| (from.0 + n * dx.signum(), from.1 + n * dy.signum());
        (1..dx.abs().max(dy.abs())).all(|n| self.at(between(n)).is_none())
    }

    /// True if the piece on `from` could take an enemy on `to`.
    pub(super) fn attacks(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.at(from) else {
            return false;
        };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (far, near) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
        let forward = if piece.white { 1 } else { -1 };
        let shape = match piece.kind {
            'K' => far == 1,
            'N' => far == 2 && near == 1,
            'R' => near == 0,
            'B' => near == far,
            'Q' => near == 0 || near == far,
            _ => dx.abs() == 1 && dy == forward,
        };
        far > 0 && shape && (piece.kind == 'N' || self.path_is_clear(from, to))
    }

    pub(super) fn is_in_check(&self, white: bool) -> bool {
        let pieces = self.pieces();
        let king = pieces.iter().find(|(_, piece)| *piece == Piece { white, kind: 'K' });
        king.is_some_and(|&(king, _)| {
            pieces.iter().any(|&(from, piece)| piece.white != white && self.attacks(from, king))
        })
    }

    /// True if the king of a side would be in check on a square, with nothing else changed.
    pub(super) fn is_attacked(&self, white: bool, king: Square, square: Square) -> bool {
        let mut after = self.clone();
        after.put(king, None);
        after.put(square, Some(Piece { white, kind: 'K' }));
        after.is_in_check(white)
    }

    /// True if the king castles by going from `from` to `to`.
    pub(super) fn castles(&self, from: Square, to: Square) -> bool {
        let Some(piece @ Piece { white, kind: 'K' }) = self.at(from) else {
            return false;
        };
        let y = if white { 1 } else { 8 };
        let (letter, corner) = match to.0 {
            7 => ('K', 8),
            3 => ('Q', 1),
            _ => return false,
        };
        let letter = if white { letter } else { letter.to_ascii_lowercase() };
        let between = if corner == 8 { 6..=7 } else { 2..=4 };
        let passed = if corner == 8 { 5..=7 } else { 3..=5 };
        (from, to.1) == ((5, y), y)
            && self.castling.contains(letter)
            && self.at((corner, y)) == Some(Piece { kind: 'R', ..piece })
            && between.clone().all(|x| self.at((x, y)).is_none())
            && passed.clone().all(|x| !self.is_attacked(white, from, (x, y)))
    }

    /// The square of the pawn that is captured en passant by a move.
    pub(super) fn passed_pawn(&self, from: Square, to: Square) -> Option<Square> {
        let pawn = self.at(from).filter(|piece| piece.kind == 'P')?;
        let (rank, forward) = if pawn.white { (6, 1) } else { (3, -1) };
        let enemy = (to.0, to.1 - forward);
        let fits = self.en_passant == Some(to)
            && to.1 == rank
            && (to.0 - from.0).abs() == 1
            && from.1 == enemy.1
            && self.at(enemy) == Some(Piece { white: !pawn.white, kind: 'P' })
            && self.at(to).is_none()
            && self.at((to.0, to.1 + forward)).is_none();
        fits.then_some(enemy)
    }

    /// True if the piece on `from` may go to `to`, its king safe afterwards.
    pub(super) fn is_legal(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.at(from) else {
            return false;
        };
        if self.castles(from, to) {
            return true;
        }
        if let Some(taken) = self.passed_pawn(from, to) {
            let mut after = self.clone();
            after.put(taken, None);
            after.put(from, None);
            after.put(to, Some(piece));
            return !after.is_in_check(piece.white);
        }
        let goes = match self.at(to) {
            Some(target) => target.white != piece.white && self.attacks(from, to),
            None if piece.kind == 'P' => {
                let (forward, start) = if piece.white { (1, 2) } else { (-1, 7) };
                let steps = (to.1 - from.1) * forward;
                let far_enough = steps == 1 || (steps == 2 && from.1 == start);
                to.0 == from.0 && far_enough && self.path_is_clear(from, to)
            }
            None => self.attacks(from, to),
        };
        if !goes {
            return false;
        }
        let mut after = self.clone();
        after.put(from, None);
        after.put(to, Some(piece));
        !after.is_in_check(piece.white)
    }

    /// The verdict of a move that names a piece and its target.
    pub(super) fn named_is_legal(&self, piece: Piece, to: Square) -> bool {
        squares().any(|from| self.at(from) == Some(piece) && self.is_legal(from, to))
    }

    pub(super) fn status(&self, white: bool) -> Status {
        let own: Vec<Square> = self
            .pieces()
            .into_iter()
            .filter(|(_, piece)| piece.white == white)
            .map(|(from, _)| from)
            .collect();
        let can_move = own.iter().any(|&from| squares().any(|to| self.is_legal(from, to)));
        Status::new(self.is_in_check(white), can_move)
    }

    /// Every piece on another square, its colour changed if asked. Castling is for boards that are not mirrored.
    pub(super) fn moved(&self, square: impl Fn(Square) -> Square, other_colour: bool) -> Self {
        let mut board = Self::empty();
        board.en_passant = self.en_passant.map(&square);
        let other_case =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        if square((1, 1)).0 == 1 {
            let letters = self.castling.chars();
            board.castling = letters.map(|c| if other_colour { other_case(c) } else { c }).collect();
        }
        for (from, piece) in self.pieces() {
            board.put(square(from), Some(Piece { white: piece.white != other_colour, ..piece }));
        }
        board
    }

    pub(super) fn of(position: &Position) -> Self {
        let mut board = Self::empty();
        for square in cozy_chess::Square::ALL {
            if let (Some(kind), Some(colour)) = (position.piece_on(square), position.color_on(square)) {
                board.put(pair(square), Some(Piece { white: colour == Color::White, kind: letter(kind) }));
            }
        }
        let fen = position.to_string();
        let fields: Vec<&str> = fen.split(' ').collect();
        board.castling = fields[2].to_string();
        board.en_passant = squares().find(|&square| name(square) == fields[3]);
        board
    }

    pub(super) fn fen(&self) -> String {
        let cell = |square| self.at(square).map_or('1', piece_letter);
        let rank = |y| (1..=8).map(|x| cell((x, y))).collect::<String>();
        let mut fen = (1..=8).rev().map(rank).collect::<Vec<_>>().join("/");
        // Longest runs first, so that no digit joins a neighbour.
        for n in (2..=8).rev() {
            fen = fen.replace(&"1".repeat(n), &n.to_string());
        }
        fen
    }

    /// The board and the side to move, in one of the ways to write them.
    pub(super) fn body(&self, white: bool, rng: &mut Rng) -> String {
        let short = if white { "w" } else { "b" };
        let rows = |between: &str| {
            let cell = |square| self.at(square).map_or('.', piece_letter).to_string();
            let row = |y| (1..=8).map(|x| cell((x, y))).collect::<Vec<_>>().join(between);
            (1..=8).rev().map(row).collect::<Vec<_>>().join("\n    ")
        };
        let en_passant = self.en_passant.map_or("-".to_string(), name);
        let rights = format!("{} {en_passant}", self.castling);
        let board = match rng.below(6) {
            0 => return format!("board {} {short} {rights} 0 1\n", self.fen()),
            1 => return format!("board \"{} {short} {rights} 0 1\"\n", self.fen()),
            2 => self.fen(),
            3 => format!("\n    {}", rows(rng.pick(&["", " "]))),
            4 => list(
                self.pieces()
                    .into_iter()
                    .map(|(square, piece)| format!("['{}', '{}']", name(square), piece_letter(piece))),
            ),
            _ => list(self.pieces().into_iter().map(|((x, y), piece)| {
                let colour = if piece.white { "W" } else { "B" };
                format!("[\"{colour}\", \"{}\", {x}, {y}]", piece.kind)
            })),
        };
        let long = if white { "white" } else { "black" };
        // White is the default.
        let turn = rng.pick(&[short, long, if white { "" } else { long }]);
        let turn = if turn.is_empty() { String::new() } else { format!("turn {turn}\n") };
        let castling =
            if self.castling == "-" { String::new() } else { format!("castling {}\n", self.castling) };
        let en_passant =
            self.en_passant.map_or(String::new(), |square| format!("en-passant {}\n", name(square)));
        format!("{turn}{castling}{en_passant}board {board}\n")
    }
}

pub(super) fn piece_letter(piece: Piece) -> char {
    if piece.white { piece.kind } else { piece.kind.to_ascii_lowercase() }
}

pub(super) fn letter(kind: Kind) -> char {
    match kind {
        Kind::King => 'K',
        Kind::Queen => 'Q',
        Kind::Rook => 'R',
        Kind::Bishop => 'B',
        Kind::Knight => 'N',
        Kind::Pawn => 'P',
    }
}

pub(super) fn pair(square: cozy_chess::Square) -> Square {
    (square.file() as i8 + 1, square.rank() as i8 + 1)
}
