//! Where a move has to go to leave the other side without a move.
//!
//! A man of the other side that no line joins with its king cannot be pinned. If it can move now, it can move after any
//! legal move that gives no check, unless it is taken, or is a pawn before which a man comes to stand. Two such men that no
//! move answers together rule out a stalemate before any move is made.

use crate::board::Colour;
use crate::games::chess_bits::attacks::{DIAGONALS, KING, KNIGHT, STRAIGHTS, each_square};
use crate::games::chess_bits::packed::PackedPosition;

/// The squares that a queen reaches on an empty board.
fn lines_from(square: u8) -> u64 {
    let i = usize::from(square & 63);
    DIAGONALS[i] | STRAIGHTS[i]
}

impl PackedPosition {
    /// The squares to which a move of the side to move goes if it stalemates the other side. Captures en passant may do so from
    /// any square; castling does not without squares, since it takes nothing, and a pawn before it attacks the king's way.
    pub(crate) fn stalemate_targets(&self) -> u64 {
        let other = self.turn().other();
        let men = self.men(other);
        let lines = self.king(other).map_or(0, lines_from);
        let mut targets = !0;
        each_square(men & !lines & !self.kings(), |from| {
            let man = 1u64 << from;
            let (steps, answers) = if self.pawns() & man != 0 {
                let front = if other == Colour::White { man << 8 } else { man >> 8 };
                (front & !self.occupied(), man | front)
            } else {
                (self.steps(from) & !men, man)
            };
            if steps != 0 {
                targets &= answers;
            }
            targets == 0
        });
        targets
    }

    /// Whether a side can be without a move after it has made some moves and the other side has made at most some
    /// captures: false is certain. A man that is neither moved nor captured, and that no line joins with the king where that
    /// stands at last, has a move as long as not all its steps are blocked, one by each move.
    pub(crate) fn may_be_stalemated(&self, side: Colour, moves: u32, captures: u32) -> bool {
        if self.has_any_right() {
            return true;
        }
        let men = self.men(side);
        let mut movable = 0u64;
        each_square(men & !self.kings() & !self.pawns(), |from| {
            let steps = self.steps(from) & !men;
            movable |= u64::from(steps.count_ones() > moves) << from;
            false
        });
        if movable.count_ones() <= captures {
            return true;
        }
        let Some(king) = self.king(side) else { return movable.count_ones() <= captures + moves };
        let (mut ring, mut reached) = (1u64 << king, 1u64 << king);
        for left in (0..=moves).rev() {
            let is_enough = |at: u8| (movable & !lines_from(at)).count_ones() <= captures + left;
            if each_square(ring, is_enough) {
                return true;
            }
            let mut next = 0;
            each_square(ring, |at| {
                next |= KING[usize::from(at & 63)];
                false
            });
            ring = next & !reached;
            reached |= next;
        }
        false
    }

    /// The squares beside a man other than a pawn, or a knight's leap from it, to which it moves if they are free.
    fn steps(&self, from: u8) -> u64 {
        let (man, i) = (1u64 << from, usize::from(from & 63));
        let mut steps = if self.knights() & man != 0 { KNIGHT[i] } else { 0 };
        steps |= if self.diagonals() & man != 0 { KING[i] & DIAGONALS[i] } else { 0 };
        steps | if self.straights() & man != 0 { KING[i] & STRAIGHTS[i] } else { 0 }
    }
}
