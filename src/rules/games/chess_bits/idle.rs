//! Moves of a helper that change nothing before a mate in one.
//!
//! Of the moves before the last ply of a helpmate, most have nothing to do with the mate. If the helper passed, each
//! check would leave its king a flight. A man that opens no line by leaving its square, and neither blocks such a flight
//! nor stands where a pawn can take it, adds no check and turns none into mate: such a move need not be made.

use crate::board::Colour;
use crate::games::chess_bits::attacks::{PAWN, between, diagonal_attacks, each_square, straight_attacks};
use crate::games::chess_bits::checks::{CheckSquares, Zone};
use crate::games::chess_bits::generate::BEFORE_LAST;
use crate::games::chess_bits::packed::{PackedMove, PackedPosition};

/// The squares that matter for the moves of the side to move, if the other side is to mate next.
pub(crate) struct IdleMoves {
    /// The starts that may matter: a line, a path or the king.
    starts: u64,
    /// The targets that may matter.
    targets: u64,
}

impl IdleMoves {
    /// `None` where too much matters: a check without a flight, pins, promotions, castling.
    pub(crate) fn new(p: &PackedPosition) -> Option<IdleMoves> {
        let after = p.after_pass();
        let squares = CheckSquares::new(&after)?;
        let own = after.men(after.turn());
        if squares.is_check_already(&after)
            || after.has_any_right()
            || (after.pawns() & BEFORE_LAST[after.turn() as usize] | after.kings() & squares.discoverers)
                & own
                != 0
        {
            return None;
        }
        let r = after.restraint();
        if r.targets != !0 || r.pinned != 0 {
            return None;
        }
        let mut zone = Zone::new(squares.king);
        let (mut flights, mut movers, mut lines) = (0, 0u64, 0);
        let may_mate = after.each_check(&squares, !0, |man, from, to| {
            let Some(flight) = after.flight_left(man, (from, to), &mut zone) else { return true };
            flights |= 1 << flight;
            movers |= 1 << from;
            lines |= between(to, flight);
            false
        });
        if may_mate {
            return None;
        }
        // A man that gives check leaves its square, and so does the king; lines may go through both.
        let standing = after.occupied() & !movers & !(1 << squares.king);
        let (paths, captures) = after.reached_by_others(standing);
        let starts = lines | squares.diagonal | squares.straight | paths | p.kings();
        Some(IdleMoves { starts, targets: flights | captures | own })
    }

    /// Whether no mate follows a move.
    #[inline(always)]
    pub(crate) fn contain(&self, p: &PackedPosition, mv: PackedMove) -> bool {
        let (from, to) = (mv.from(), mv.to());
        // After a double step a pawn may capture en passant.
        let is_double = from.abs_diff(to) == 16 && p.pawns() >> from & 1 != 0;
        mv.is_plain() && !is_double && (self.starts >> from | self.targets >> to) & 1 == 0
    }
}

impl PackedPosition {
    /// The squares that sliders and pushed pawns of the side to move reach or can pass once they are empty, if these men
    /// stand in the way; and the squares on which its pawns capture.
    fn reached_by_others(&self, standing: u64) -> (u64, u64) {
        let own = self.men(self.turn());
        let pawns = self.pawns() & own;
        let mut captures = 0;
        each_square(pawns, |from| {
            captures |= PAWN[self.turn() as usize][usize::from(from & 63)];
            false
        });
        let mut paths = match self.turn() {
            Colour::White => pawns << 8 | pawns << 16,
            Colour::Black => pawns >> 8 | pawns >> 16,
        };
        each_square(self.diagonals() & own, |from| {
            paths |= diagonal_attacks(from, standing);
            false
        });
        each_square(self.straights() & own, |from| {
            paths |= straight_attacks(from, standing);
            false
        });
        (paths, captures)
    }
}
