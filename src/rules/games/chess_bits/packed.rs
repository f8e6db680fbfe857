//! A position in 40 bytes, and a move in two.

use crate::board::{Board, Castling, Colour, KING_FILE, Kind, Piece, Square, Wing, home_rank};
use crate::games::chess_bits::attacks::{KING, KNIGHT, PAWN, diagonal_attacks, straight_attacks};
use crate::games::chess_move::ChessMove;
use crate::games::game::Position;

/// A position of chess. Three bits of each square tell the kind, so that any men on any squares fit, and the value is
/// its own exact key in a table.
///
/// Castling rights without a king and a rook at home, and an en passant square that no pawn of the side to move
/// attacks, are left out: equal values mean equal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PackedPosition {
    /// Bishops, queens and knights.
    diagonal: u64,
    /// Rooks, queens and kings.
    straight: u64,
    /// Pawns, knights and kings.
    leaper: u64,
    /// The men of White.
    white: u64,
    /// The rights to castle, a bit each in the order of [`Castling::EACH`]; from bit 8 on the square that a pawn has just passed
    /// over, 0 for none; at bit 16 the side to move. One number: a processor that writes bytes and then reads them as a word
    /// waits until they have reached the cache.
    state: u64,
}

/// The bits of the rights to castle in the state of a position.
const RIGHTS: u64 = 0b1111;
/// The bit from which on the state has the square of en passant.
const PASSED: u32 = 8;
/// The bit of the state that says that Black is to move.
const BLACK_MOVES: u64 = 1 << 16;

/// A move: six bits for the start, six for the target, four for what a pawn becomes or what is special.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PackedMove(u16);

const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 6;

impl PackedMove {
    /// No move: its start is its target.
    pub(crate) const NONE: PackedMove = PackedMove(0);

    #[inline(always)]
    pub(crate) fn new(from: u8, to: u8) -> PackedMove {
        PackedMove(u16::from(from) | u16::from(to) << 6)
    }

    /// A promotion to queen, rook, bishop or knight.
    #[inline(always)]
    pub(crate) fn promotion(from: u8, to: u8, kind: Kind) -> PackedMove {
        PackedMove(u16::from(from) | u16::from(to) << 6 | (kind as u16) << 12)
    }

    #[inline(always)]
    pub(crate) fn en_passant(from: u8, to: u8) -> PackedMove {
        PackedMove(u16::from(from) | u16::from(to) << 6 | EN_PASSANT << 12)
    }

    #[inline(always)]
    pub(crate) fn castling(from: u8, to: u8) -> PackedMove {
        PackedMove(u16::from(from) | u16::from(to) << 6 | CASTLING << 12)
    }

    #[inline(always)]
    pub(crate) fn from(self) -> u8 {
        (self.0 & 63) as u8
    }

    #[inline(always)]
    pub(crate) fn to(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    /// A number below 4,096 for its two squares.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0 & 0xFFF)
    }

    /// 0 for a plain move, `EN_PASSANT`, `CASTLING`, or the number of the kind that a pawn becomes.
    #[inline(always)]
    fn special(self) -> u16 {
        self.0 >> 12
    }

    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        self.0 >> 12 == 0
    }

    pub(crate) fn is_castling(self) -> bool {
        self.special() == CASTLING
    }

    pub(crate) fn is_en_passant(self) -> bool {
        self.special() == EN_PASSANT
    }

    pub(crate) fn becomes(self) -> Option<Kind> {
        Kind::ALL
            .into_iter()
            .find(|&kind| kind as u16 == self.special())
            .filter(|_| self.special() > 1 && self.special() < CASTLING)
    }

    /// The place in the order of legal moves: by start, then file and rank of the target, then promotion.
    pub(crate) fn order(self) -> (u8, u8, u8, u16) {
        (self.from(), self.to() % 8, self.to() / 8, self.special())
    }

    /// The move as the other parts of the program know it.
    pub(crate) fn unpacked(self) -> ChessMove {
        let square = |s: u8| Square::new(s % 8, s / 8);
        let wing = if self.to() % 8 > KING_FILE { Wing::King } else { Wing::Queen };
        ChessMove {
            from: square(self.from()),
            to: square(self.to()),
            promotion: self.becomes(),
            castling: self.is_castling().then_some(wing),
            en_passant: self.is_en_passant(),
        }
    }
}

impl From<ChessMove> for PackedMove {
    fn from(mv: ChessMove) -> PackedMove {
        let (from, to) = (mv.from.x + 8 * mv.from.y, mv.to.x + 8 * mv.to.y);
        match (mv.promotion, mv.castling, mv.en_passant) {
            (Some(kind), ..) => PackedMove::promotion(from, to, kind),
            (_, Some(_), _) => PackedMove::castling(from, to),
            (.., true) => PackedMove::en_passant(from, to),
            _ => PackedMove::new(from, to),
        }
    }
}

/// The rights that end when a man leaves or enters a square.
const ENDING: [u64; 64] = {
    let mut table = [0; 64];
    table[4] = 0b11;
    table[7] = 0b01;
    table[0] = 0b10;
    table[60] = 0b1100;
    table[63] = 0b0100;
    table[56] = 0b1000;
    table
};

impl PackedPosition {
    /// Packs a position on the plane, with a side to move that may be another than its own.
    pub(crate) fn new(position: &Position, turn: Colour) -> PackedPosition {
        let state = if turn == Colour::Black { BLACK_MOVES } else { 0 };
        let mut packed = PackedPosition { state, ..PackedPosition::EMPTY };
        for (i, piece) in position.board.cells.iter().enumerate().take(64) {
            if let Some(piece) = piece {
                packed.put(1 << i, *piece);
            }
        }
        for (i, (colour, wing, _)) in Castling::EACH.into_iter().enumerate() {
            let cell = |file: u8| position.board.cells[usize::from(8 * home_rank(colour) + file)];
            let home = cell(KING_FILE) == Some(Piece::new(colour, Kind::King))
                && cell(wing.files().0) == Some(Piece::new(colour, Kind::Rook));
            if home && position.rights.castling.has(colour, wing) {
                packed.state |= 1 << i;
            }
        }
        packed.set_en_passant(&position.board, position.rights.en_passant);
        packed
    }

    /// Keeps the square of a FEN if the side to move can have been answered by it.
    fn set_en_passant(&mut self, board: &Board, square: Option<Square>) {
        let Some(square) = square else { return };
        let (rank, taken, start) = if self.turn() == Colour::White { (5, 4, 6) } else { (2, 3, 1) };
        let on = |y: u8| board.at(Square { y, ..square });
        let made = square.y == rank
            && on(taken) == Some(Piece::new(self.turn().other(), Kind::Pawn))
            && on(rank).is_none()
            && on(start).is_none();
        let passed = square.x + 8 * square.y;
        if made && self.can_take_at(passed, self.turn()) {
            self.state |= u64::from(passed) << PASSED;
        }
    }

    #[inline(always)]
    fn can_take_at(&self, passed: u8, by: Colour) -> bool {
        PAWN[by.other() as usize][usize::from(passed & 63)] & self.pawns() & self.men(by) != 0
    }

    fn put(&mut self, bit: u64, piece: Piece) {
        let (diagonal, straight, leaper) = match piece.kind {
            Kind::King => (0, bit, bit),
            Kind::Queen => (bit, bit, 0),
            Kind::Rook => (0, bit, 0),
            Kind::Bishop => (bit, 0, 0),
            Kind::Knight => (bit, 0, bit),
            Kind::Pawn | Kind::Man => (0, 0, bit),
        };
        self.diagonal |= diagonal;
        self.straight |= straight;
        self.leaper |= leaper;
        self.white |= if piece.colour == Colour::White { bit } else { 0 };
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> u64 {
        self.diagonal | self.straight | self.leaper
    }

    /// The side to move.
    #[inline(always)]
    pub(crate) fn turn(&self) -> Colour {
        if self.state & BLACK_MOVES == 0 { Colour::White } else { Colour::Black }
    }

    /// The men of a side.
    #[inline(always)]
    pub(crate) fn men(&self, side: Colour) -> u64 {
        match side {
            Colour::White => self.white,
            Colour::Black => self.occupied() & !self.white,
        }
    }

    /// Bishops and queens.
    #[inline(always)]
    pub(crate) fn diagonals(&self) -> u64 {
        self.diagonal & !self.leaper
    }

    /// Rooks and queens.
    #[inline(always)]
    pub(crate) fn straights(&self) -> u64 {
        self.straight & !self.leaper
    }

    #[inline(always)]
    pub(crate) fn knights(&self) -> u64 {
        self.diagonal & self.leaper
    }

    #[inline(always)]
    pub(crate) fn kings(&self) -> u64 {
        self.straight & self.leaper
    }

    #[inline(always)]
    pub(crate) fn pawns(&self) -> u64 {
        self.leaper & !(self.diagonal | self.straight)
    }

    /// The king of a side, the first one if it has two.
    #[inline(always)]
    pub(crate) fn king(&self, side: Colour) -> Option<u8> {
        let kings = self.kings() & self.men(side);
        (kings != 0).then(|| kings.trailing_zeros() as u8)
    }

    /// The square that a pawn of the side to move can capture on en passant.
    #[inline(always)]
    pub(crate) fn passed(&self) -> Option<u8> {
        let passed = (self.state >> PASSED) as u8;
        (passed != 0).then_some(passed)
    }

    /// Whether the side to move has the right to castle to a wing.
    #[inline(always)]
    pub(crate) fn has_right(&self, wing: Wing) -> bool {
        self.state >> (2 * self.turn() as u8 + wing as u8) & 1 != 0
    }

    /// Whether the side to move may castle at all.
    #[inline(always)]
    pub(crate) fn has_any_right(&self) -> bool {
        self.state >> (2 * self.turn() as u8) & 3 != 0
    }

    /// Whether a side may castle.
    #[inline(always)]
    pub(crate) fn may_castle(&self) -> bool {
        self.state & RIGHTS != 0
    }

    /// The men of a side that attack a square, if these squares were occupied.
    #[inline(always)]
    pub(crate) fn attackers(&self, square: u8, by: Colour, occupied: u64) -> u64 {
        let i = usize::from(square & 63);
        let sliders = diagonal_attacks(square, occupied) & self.diagonals()
            | straight_attacks(square, occupied) & self.straights();
        let leapers =
            KNIGHT[i] & self.knights() | KING[i] & self.kings() | PAWN[by.other() as usize][i] & self.pawns();
        (sliders | leapers) & self.men(by)
    }

    /// Whether a side attacks a square, if these squares were occupied.
    #[inline(always)]
    pub(crate) fn is_attacked(&self, square: u8, by: Colour, occupied: u64) -> bool {
        let i = usize::from(square & 63);
        let men = self.men(by);
        let leapers =
            KNIGHT[i] & self.knights() | KING[i] & self.kings() | PAWN[by.other() as usize][i] & self.pawns();
        if leapers & men != 0 {
            return true;
        }
        let (diagonals, straights) = (self.diagonals() & men, self.straights() & men);
        diagonals != 0 && diagonal_attacks(square, occupied) & diagonals != 0
            || straights != 0 && straight_attacks(square, occupied) & straights != 0
    }

    /// Whether the king of a side is attacked.
    #[inline(always)]
    pub(crate) fn is_in_check(&self, side: Colour) -> bool {
        self.king(side).is_some_and(|king| self.is_attacked(king, side.other(), self.occupied()))
    }

    /// The position after a legal move.
    #[inline(always)]
    #[must_use]
    pub(crate) fn after(&self, mv: PackedMove) -> PackedPosition {
        if !mv.is_plain() {
            return self.after_special(mv);
        }
        let (from, to) = (mv.from(), mv.to());
        let next = self.after_shift(from, to);
        // Built from its parts: a part that is changed in place would first have to be written and read.
        let is_double_step = self.pawns() >> from & 1 != 0 && from.abs_diff(to) == 16;
        let passed = (from + to) / 2;
        let state = match is_double_step && next.can_take_at(passed, next.turn()) {
            true => next.state | u64::from(passed) << PASSED,
            false => next.state,
        };
        PackedPosition { state, ..next }
    }

    /// The position after the man of a square has moved and has taken what is on its target.
    #[inline(always)]
    fn after_shift(&self, from: u8, to: u8) -> PackedPosition {
        let ended = ENDING[usize::from(from)] | ENDING[usize::from(to)];
        let state = (self.state & (RIGHTS | BLACK_MOVES) & !ended) ^ BLACK_MOVES;
        PackedPosition { state, ..self.shifted(from, to) }
    }

    /// A board without men.
    pub(crate) const EMPTY: PackedPosition =
        PackedPosition { diagonal: 0, straight: 0, leaper: 0, white: 0, state: 0 };

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.diagonal | self.straight | self.leaper == 0
    }

    /// The position with a square empty.
    #[inline(always)]
    #[must_use]
    pub(super) fn without(&self, square: u8) -> PackedPosition {
        let kept = !(1u64 << square);
        PackedPosition {
            diagonal: self.diagonal & kept,
            straight: self.straight & kept,
            leaper: self.leaper & kept,
            white: self.white & kept,
            state: self.state & !ENDING[usize::from(square & 63)],
        }
    }

    /// The men after one of them has moved and has taken what is on its target.
    #[inline(always)]
    fn shifted(&self, from: u8, to: u8) -> PackedPosition {
        let kept = !(1u64 << from | 1 << to);
        let moved = |set: u64| set & kept | (set >> from & 1) << to;
        PackedPosition {
            diagonal: moved(self.diagonal),
            straight: moved(self.straight),
            leaper: moved(self.leaper),
            white: moved(self.white),
            state: self.state,
        }
    }

    #[cold]
    #[inline(never)]
    fn after_special(&self, mv: PackedMove) -> PackedPosition {
        let target = 1u64 << mv.to();
        let mut next = self.after_shift(mv.from(), mv.to());
        match mv.special() {
            EN_PASSANT => {
                let taken = if next.turn() == Colour::Black { target >> 8 } else { target << 8 };
                next.leaper &= !taken;
                next.white &= !taken;
            }
            CASTLING => {
                let rank = mv.to() & 56;
                let wing = if mv.to() & 7 > KING_FILE { Wing::King } else { Wing::Queen };
                let (rook, _, rook_to) = wing.files();
                next = next.shifted(rank + rook, rank + rook_to);
            }
            _ => {
                next.leaper &= !target;
                if let Some(kind) = mv.becomes() {
                    next.put(target, Piece { colour: Colour::Black, kind });
                }
            }
        }
        next
    }

    /// The same men with the other side to move, as if it had passed. En passant is lost.
    #[must_use]
    pub(crate) fn after_pass(&self) -> PackedPosition {
        PackedPosition { state: (self.state & (RIGHTS | BLACK_MOVES)) ^ BLACK_MOVES, ..*self }
    }

    /// A value to find the position in a table by; the table compares positions themselves. The products do not wait for one
    /// another.
    #[inline(always)]
    pub(crate) fn hash(&self) -> u64 {
        let h = self.diagonal.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ self.straight.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(17)
            ^ self.leaper.wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(33)
            ^ self.white.wrapping_mul(0xA076_1D64_78BD_642F).rotate_left(49)
            ^ self.state.wrapping_mul(0xE703_7ED1_A0B4_28DB);
        let h = (h ^ h >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        h ^ h >> 32
    }
}
