//! When a move reaches the goal of a problem.

use crate::board::Square;
use crate::games::chess_bits::{PackedMove, PackedPosition};
use crate::games::stipulation::Stipulation;
use cpz_text::syntax::Goal;

/// The goal of a problem, with the square of an arrival.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct GoalTest {
    pub goal: Goal,
    /// The square of an arrival; any for other goals.
    square: u8,
}

impl GoalTest {
    pub(super) fn new(asked: Stipulation) -> GoalTest {
        let Square { x, y, .. } = asked.square.unwrap_or(Square::new(0, 0));
        GoalTest { goal: asked.kind.goal, square: x + 8 * y }
    }

    /// Whether the position alone, with the other side to move, says whether the goal is reached.
    #[inline(always)]
    pub(super) fn is_of_position(self) -> bool {
        !matches!(self.goal, Goal::Capture | Goal::Arrival)
    }

    /// Whether the goal is reached in a position, the side that has just moved having reached it. A goal of a move is not.
    #[inline]
    pub(super) fn holds_in(self, p: &PackedPosition) -> bool {
        match self.goal {
            Goal::Mate => p.is_mate(),
            Goal::Stalemate => !p.is_in_check(p.turn) && !p.has_reply(),
            Goal::Check => p.is_in_check(p.turn),
            Goal::Capture | Goal::Arrival => false,
        }
    }

    /// Whether a legal move reaches the goal.
    #[inline]
    pub(super) fn is_reached_by(self, p: &PackedPosition, mv: PackedMove, after: &PackedPosition) -> bool {
        match self.goal {
            Goal::Capture => mv.is_en_passant() || p.men(p.turn.other()) >> mv.to() & 1 != 0,
            Goal::Arrival => mv.to() == self.square,
            _ => self.holds_in(after),
        }
    }

    /// Calls `f` with each legal move that reaches the goal until it returns true; whether it did. Adds the positions that
    /// it made. With `best_only`, of several promotions of one pawn some may be left out.
    #[inline]
    pub(super) fn each_move(
        self,
        p: &PackedPosition,
        best_only: bool,
        made: &mut u64,
        mut f: impl FnMut(PackedMove) -> bool,
    ) -> bool {
        if self.goal == Goal::Mate {
            return p.each_mate(best_only, made, f);
        }
        let mut moves = Vec::new();
        p.legal_moves(&mut moves);
        *made += moves.len() as u64;
        moves.into_iter().any(|mv| self.is_reached_by(p, mv, &p.after(mv)) && f(mv))
    }
}
