//! Legal moves, and the squares from which a man gives check.

use crate::board::{Colour, KING_FILE, Kind, Wing};
use crate::games::chess_bits::attacks::{
    KING, KNIGHT, PAWN, between, diagonal_attacks, each_square, line_through, straight_attacks,
};
use crate::games::chess_bits::packed::{PackedMove, PackedPosition};

/// What a pawn becomes on its last rank, the usual one first.
pub(crate) const PROMOTIONS: [Kind; 4] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
pub(crate) const LAST_RANKS: u64 = 0xFF00_0000_0000_00FF;
/// The ranks from which a pawn is promoted, by `Colour as usize`.
pub(super) const BEFORE_LAST: [u64; 2] = [0xFF << 48, 0xFF << 8];

/// What binds the men of the side to move to its king.
#[derive(Clone, Copy)]
pub(crate) struct Restraint {
    /// The square of the king; `None` if the side has none and so is never in check.
    pub king: Option<u8>,
    /// The own men that may only move along their line with the king.
    pub pinned: u64,
    /// The targets of men other than the king.
    pub targets: u64,
}

/// How a man moves, as far as checks depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Man {
    Slider { diagonal: bool, straight: bool },
    Knight,
    King,
    Pawn,
}

impl Man {
    /// The squares that a man covers, if only these squares were occupied.
    #[inline(always)]
    pub(super) fn covered(self, square: u8, side: Colour, occupied: u64) -> u64 {
        let i = usize::from(square & 63);
        match self {
            Man::Slider { diagonal, straight } => {
                (if diagonal { diagonal_attacks(square, occupied) } else { 0 })
                    | if straight { straight_attacks(square, occupied) } else { 0 }
            }
            Man::Knight => KNIGHT[i],
            Man::King => KING[i],
            Man::Pawn => PAWN[side as usize][i],
        }
    }
}

impl Restraint {
    /// Whether a man other than the king may go from a square to one that it reaches.
    #[inline(always)]
    pub(super) fn allows(&self, from: u8, to: u8) -> bool {
        self.targets >> to & 1 != 0
            && (self.pinned >> from & 1 == 0
                || self.king.is_none_or(|king| line_through(king, from) >> to & 1 != 0))
    }
}

impl PackedPosition {
    /// What binds the men of the side to move.
    #[inline(always)]
    pub(crate) fn restraint(&self) -> Restraint {
        let Some(king) = self.king(self.turn()) else {
            return Restraint { king: None, pinned: 0, targets: !0 };
        };
        let i = usize::from(king & 63);
        let (occupied, own) = (self.occupied(), self.men(self.turn()));
        let them = occupied & !own;
        let (diagonal, straight) = (diagonal_attacks(king, occupied), straight_attacks(king, occupied));
        let (diagonals, straights) = (self.diagonals() & them, self.straights() & them);
        let leapers = KNIGHT[i] & self.knights()
            | KING[i] & self.kings()
            | PAWN[self.turn() as usize][i] & self.pawns();
        let checkers = diagonal & diagonals | straight & straights | leapers & them;
        let mut pinned = 0;
        let screens = (diagonal | straight) & own;
        if screens != 0 {
            let open = occupied & !screens;
            let behind = diagonal_attacks(king, open) & diagonals | straight_attacks(king, open) & straights;
            each_square(behind & !checkers, |slider| {
                pinned |= between(king, slider) & screens;
                false
            });
        }
        let targets = match checkers {
            0 => !0,
            _ if checkers & (checkers - 1) != 0 => 0,
            _ => checkers | between(king, checkers.trailing_zeros() as u8),
        };
        Restraint { king: Some(king), pinned, targets }
    }

    /// Calls `f` with each man of the side to move and its legal targets, without castling and en passant, until it
    /// returns true; whether it did. A pawn that reaches its last rank becomes something.
    #[inline(always)]
    pub(crate) fn each_man(&self, r: &Restraint, mut f: impl FnMut(Man, u8, u64) -> bool) -> bool {
        let own = self.men(self.turn());
        if each_square(self.kings() & own, |from| f(Man::King, from, self.king_targets(from))) {
            return true;
        }
        self.each_other_man(r, f)
    }

    /// As [`PackedPosition::each_man`], without the king.
    #[inline(always)]
    pub(crate) fn each_other_man(&self, r: &Restraint, mut f: impl FnMut(Man, u8, u64) -> bool) -> bool {
        if r.targets == 0 {
            return false;
        }
        let own = self.men(self.turn());
        let occupied = self.occupied();
        let free = r.targets & !own;
        let bound = |from: u8| match (r.pinned >> from & 1, r.king) {
            (1, Some(king)) => line_through(king, from),
            _ => !0,
        };
        let (diagonals, straights) = (self.diagonals(), self.straights());
        each_square(self.knights() & own & !r.pinned, |from| {
            f(Man::Knight, from, KNIGHT[usize::from(from & 63)] & free)
        }) || each_square((diagonals | straights) & own, |from| {
            let (diagonal, straight) = (diagonals >> from & 1 != 0, straights >> from & 1 != 0);
            let mut to = if diagonal { diagonal_attacks(from, occupied) } else { 0 };
            to |= if straight { straight_attacks(from, occupied) } else { 0 };
            f(Man::Slider { diagonal, straight }, from, to & free & bound(from))
        }) || each_square(self.pawns() & own, |from| {
            f(Man::Pawn, from, self.pawn_targets(from, occupied) & r.targets & bound(from))
        })
    }

    /// The squares to which a king can go: a king that moves is not hidden from a slider by itself.
    #[inline(always)]
    pub(crate) fn king_targets(&self, from: u8) -> u64 {
        let occupied = self.occupied() & !(1 << from);
        let mut to = 0;
        each_square(KING[usize::from(from & 63)] & !self.men(self.turn()), |square| {
            if !self.is_attacked(square, self.turn().other(), occupied) {
                to |= 1 << square;
            }
            false
        });
        to
    }

    /// The squares that a pawn reaches, without en passant.
    #[inline(always)]
    pub(super) fn pawn_targets(&self, from: u8, occupied: u64) -> u64 {
        let bit = 1u64 << from;
        let side = self.turn();
        let steps = match side {
            Colour::White => {
                let one = bit << 8 & !occupied;
                one | (one & 0xFF_0000) << 8 & !occupied & 0xFF00_0000
            }
            Colour::Black => {
                let one = bit >> 8 & !occupied;
                one | (one & 0xFF00_0000_0000) >> 8 & !occupied
            }
        };
        steps | PAWN[side as usize][usize::from(from & 63)] & occupied & !self.men(side)
    }

    /// Calls `f` with each legal capture en passant until it returns true; whether it did.
    #[inline(always)]
    pub(crate) fn each_en_passant(&self, mut f: impl FnMut(PackedMove) -> bool) -> bool {
        let Some(to) = self.passed() else { return false };
        let side = self.turn();
        let pawns = PAWN[side.other() as usize][usize::from(to & 63)] & self.pawns() & self.men(side);
        each_square(pawns, |from| {
            let mv = PackedMove::en_passant(from, to);
            // Two men leave a line at once, so only the position after the move tells whether the king is safe.
            !self.after(mv).is_in_check(side) && f(mv)
        })
    }

    /// Calls `f` with each legal castling until it returns true; whether it did.
    #[inline(always)]
    pub(crate) fn each_castling(&self, f: impl FnMut(PackedMove) -> bool) -> bool {
        self.has_any_right() && self.each_possible_castling(f)
    }

    #[cold]
    fn each_possible_castling(&self, mut f: impl FnMut(PackedMove) -> bool) -> bool {
        let rank = if self.turn() == Colour::White { 0 } else { 56 };
        let king = rank + KING_FILE;
        let (occupied, them) = (self.occupied(), self.turn().other());
        [Wing::King, Wing::Queen].into_iter().any(|wing| {
            let (rook, king_to, rook_to) = wing.files();
            self.has_right(wing)
                && between(king, rank + rook) & occupied == 0
                && !self.is_attacked(king, them, occupied)
                && [rook_to, king_to]
                    .into_iter()
                    .all(|file| !self.is_attacked(rank + file, them, occupied & !(1 << king)))
                && f(PackedMove::castling(king, rank + king_to))
        })
    }

    /// Appends the legal moves of the side to move, in no particular order that a reader should rely on.
    pub(crate) fn legal_moves(&self, moves: &mut Vec<PackedMove>) {
        self.legal_moves_bound(&self.restraint(), moves);
    }

    /// As [`PackedPosition::legal_moves`], with a restraint that is known.
    #[inline]
    pub(crate) fn legal_moves_bound(&self, r: &Restraint, moves: &mut Vec<PackedMove>) {
        // Not by `each_move_to`: the lists of moves are hot, and this takes a thirtieth less of a whole search.
        self.each_man(r, |man, from, targets| {
            push_moves(man, from, targets, moves);
            false
        });
        let mut push = |mv| {
            moves.push(mv);
            false
        };
        self.each_en_passant(&mut push);
        self.each_castling(&mut push);
    }

    /// Calls `f` with each legal move to some squares, castling and en passant anywhere, until it returns true; whether it
    /// did.
    #[inline]
    pub(crate) fn each_move_to(&self, squares: u64, mut f: impl FnMut(PackedMove) -> bool) -> bool {
        self.each_man(&self.restraint(), |man, from, targets| {
            let last = if man == Man::Pawn { LAST_RANKS } else { 0 };
            each_square(targets & squares & !last, |to| f(PackedMove::new(from, to)))
                || each_square(targets & squares & last, |to| {
                    PROMOTIONS.iter().any(|&kind| f(PackedMove::promotion(from, to, kind)))
                })
        }) || self.each_en_passant(&mut f)
            || self.each_castling(&mut f)
    }

    /// Whether a move of another position is legal here.
    #[inline]
    pub(crate) fn is_legal(&self, mv: PackedMove) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let own = self.men(self.turn());
        if own >> from & 1 == 0 || own >> to & 1 != 0 {
            return false;
        }
        if !mv.is_plain() {
            let mut moves = Vec::new();
            self.legal_moves(&mut moves);
            return moves.contains(&mv);
        }
        let bit = 1u64 << from;
        let occupied = self.occupied();
        let i = usize::from(from & 63);
        let reached = if self.pawns() & bit != 0 {
            self.pawn_targets(from, occupied) & !LAST_RANKS
        } else if self.knights() & bit != 0 {
            KNIGHT[i]
        } else if self.kings() & bit != 0 {
            KING[i]
        } else {
            (if self.diagonals() & bit != 0 { diagonal_attacks(from, occupied) } else { 0 })
                | if self.straights() & bit != 0 { straight_attacks(from, occupied) } else { 0 }
        };
        if reached >> to & 1 == 0 {
            return false;
        }
        let them = self.turn().other();
        let after = occupied & !bit | 1 << to;
        match self.king(self.turn()) {
            None => true,
            Some(_) if self.kings() & bit != 0 => !self.is_attacked(to, them, occupied & !bit),
            Some(king) => self.attackers(king, them, after) & !(1 << to) == 0,
        }
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub(crate) fn has_reply(&self) -> bool {
        if let Some(king) = self.king(self.turn())
            && self.a_king_can_move(king, self.occupied(), self.men(self.turn()))
        {
            return true;
        }
        // Castling is never the only move: the king can go to the square that it passes.
        self.each_other_man(&self.restraint(), |_, _, targets| targets != 0) || self.each_en_passant(|_| true)
    }
}

/// Appends the moves of a man to some targets: one each, or one for each promotion.
#[inline(always)]
fn push_moves(man: Man, from: u8, targets: u64, moves: &mut Vec<PackedMove>) {
    let last = if man == Man::Pawn { targets & LAST_RANKS } else { 0 };
    each_square(targets & !last, |to| {
        moves.push(PackedMove::new(from, to));
        false
    });
    each_square(last, |to| {
        moves.extend(PROMOTIONS.map(|kind| PackedMove::promotion(from, to, kind)));
        false
    });
}
