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
            Goal::Stalemate => !p.is_in_check(p.turn()) && !p.has_reply(),
            Goal::Check => p.is_in_check(p.turn()),
            Goal::Capture | Goal::Arrival => false,
        }
    }

    /// Whether a legal move reaches the goal.
    #[inline]
    pub(super) fn is_reached_by(self, p: &PackedPosition, mv: PackedMove, after: &PackedPosition) -> bool {
        match self.goal {
            Goal::Capture => mv.is_en_passant() || p.men(p.turn().other()) >> mv.to() & 1 != 0,
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
        let squares = match self.goal {
            Goal::Stalemate => p.stalemate_targets(),
            _ => !0,
        };
        if squares == 0 && p.passed().is_none() {
            return false;
        }
        p.each_move_to(squares, |mv| {
            *made += 1;
            self.is_reached_by(p, mv, &p.after(mv)) && f(mv)
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{Board, Castling, Colour, Kind, Piece, Rights, Size};
    use crate::games::{Dialect, Position};

    /// A generator of numbers that is the same on every machine.
    pub(in crate::games) struct Random(pub u64);

    impl Random {
        pub fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
    }

    /// A king near a corner with few men, and some men around it.
    pub(in super::super) fn small_position(random: &mut Random) -> Position {
        let mut board = Board::empty(Size::flat(8, 8));
        let near = |random: &mut Random| Square::new(random.below(5) as u8, random.below(5) as u8);
        let mut put = |square: Square, piece: Piece| {
            let index = board.index(square);
            board.cells[index] = Some(piece);
        };
        for number in 0..2 + random.below(7) {
            let kinds = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn, Kind::Pawn];
            let colour = if random.below(3) == 0 { Colour::Black } else { Colour::White };
            let kind = if number < 2 { Kind::King } else { kinds[random.below(6) as usize] };
            let colour = [Colour::White, Colour::Black].get(number as usize).copied().unwrap_or(colour);
            put(near(random), Piece::new(colour, kind));
        }
        let (castling, en_passant) = (Castling::NONE, None);
        let turn = Colour::White;
        Position { board, turn, dialect: Dialect::Default, rights: Rights { castling, en_passant } }
    }

    #[test]
    fn no_move_that_stalemates_is_left_out() {
        let (mut random, mut stalemates, mut left_out) = (Random(7), 0, 0);
        let goal = GoalTest { goal: Goal::Stalemate, square: 0 };
        for _ in 0..60_000 {
            let mut position = small_position(&mut random);
            position.rights.castling = Castling::ALL;
            let p = PackedPosition::new(&position, Colour::White);
            if p.is_in_check(Colour::Black) {
                continue;
            }
            let (mut all, mut due, mut found) = (Vec::new(), Vec::new(), Vec::new());
            p.legal_moves(&mut all);
            due.extend(all.iter().copied().filter(|&mv| goal.is_reached_by(&p, mv, &p.after(mv))));
            let mut made = 0;
            goal.each_move(&p, false, &mut made, |mv| {
                found.push(mv);
                false
            });
            assert!(found == due, "{position:?}");
            stalemates += due.len();
            left_out += all.len() - made as usize;
        }
        assert_eq!([stalemates, left_out], [53_947, 165_565], "stalemates, and moves left out");
    }
    /// Whether some moves of both sides, White first or not, stalemate Black.
    fn is_reachable(p: &PackedPosition, plies: u32) -> bool {
        let mut moves = Vec::new();
        p.legal_moves(&mut moves);
        let goal = GoalTest { goal: Goal::Stalemate, square: 0 };
        moves.into_iter().any(|mv| match plies {
            1 => goal.is_reached_by(p, mv, &p.after(mv)),
            _ => is_reachable(&p.after(mv), plies - 1),
        })
    }

    #[test]
    fn a_stalemate_that_is_ruled_out_is_not_reached() {
        let (mut random, mut reached, mut ruled_out) = (Random(8), 0, 0);
        for i in 0..10_000 {
            let plies = if i % 30 == 0 { 3 } else { 2 };
            let turn = if plies == 3 { Colour::White } else { Colour::Black };
            let mut position = small_position(&mut random);
            // More men of the side to be stalemated, anywhere.
            for _ in 0..random.below(4) {
                let kind = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight][random.below(4) as usize];
                let cell = &mut position.board.cells[random.below(64) as usize];
                *cell = cell.or(Some(Piece::new(Colour::Black, kind)));
            }
            let p = PackedPosition::new(&position, turn);
            if p.is_in_check(turn.other()) {
                continue;
            }
            let may_be = p.may_be_stalemated(Colour::Black, plies / 2, plies.div_ceil(2));
            let is = is_reachable(&p, plies);
            assert!(may_be || !is, "{plies} plies of {position:?}");
            reached += u32::from(is);
            ruled_out += u32::from(!may_be);
        }
        assert_eq!([reached, ruled_out], [290, 357], "reached, and ruled out");
    }
}
