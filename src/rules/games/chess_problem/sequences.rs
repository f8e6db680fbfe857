//! Play that is solved by whole sequences of moves: help, help-self and series play.

use crate::games::budget::{Budget, Undecided};
use crate::games::chess_bits::{PackedMove, PackedPosition};
use crate::games::chess_move::ChessMove;
use crate::games::chess_moves::after_move;
use crate::games::chess_problem::goal::GoalTest;
use crate::games::chess_problem::layers::Shortest;
use crate::games::chess_problem::prover::escape_from_goal;
use crate::games::chess_problem::pruning::Pruning;
use crate::games::chess_problem::search::Search;
use crate::games::game::{Position, ShorterSeries};
use crate::games::stipulation::Stipulation;

/// The solutions of a problem whose solutions are sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequences {
    /// Each is a sequence of moves from the position, [`Stipulation::sequence_len`] long; sorted.
    pub solutions: Vec<Vec<ChessMove>>,
    /// Whether these are all; false if the budget ran out or there are more than [`Budget::max_solutions`].
    pub complete: bool,
    /// Whether more than [`Budget::max_solutions`] were found.
    pub is_cut: bool,
    /// What is known of shorter series.
    pub shorter: ShorterSeries,
}

/// All sequences of exactly the length that is asked for, whichever side begins.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled. If the budget runs out, the solutions are those found before.
pub fn find_sequences(
    position: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> Result<Sequences, Undecided> {
    debug_assert!(stipulation.play().has_sequences());
    Search::new(stipulation, budget).sequences(position, stipulation)
}

fn unpacked(line: &[PackedMove]) -> Vec<ChessMove> {
    line.iter().map(|mv| mv.unpacked()).collect()
}

impl Search<'_> {
    pub(super) fn sequences(
        mut self,
        position: &Position,
        asked: Stipulation,
    ) -> Result<Sequences, Undecided> {
        let p = PackedPosition::new(position, position.turn);
        let complete = match self.solve(&p, asked) {
            Ok(()) => true,
            Err(Undecided::Budget) => false,
            Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
        };
        let mut solutions: Vec<Vec<ChessMove>> = self.solutions.iter().map(|line| unpacked(line)).collect();
        solutions.sort_unstable();
        Ok(Sequences { solutions, complete, is_cut: self.is_cut, shorter: self.shorter })
    }

    fn solve(&mut self, p: &PackedPosition, asked: Stipulation) -> Result<(), Undecided> {
        let (moves, budget) = (asked.moves(), self.budget);
        if self.play.is_series() && moves > 1 && self.prunings.has(Pruning::Layers) {
            // The other half is for the search that needs no room for the positions.
            match budget.within(budget.left() / 2, || self.shortest_series(p, moves)) {
                Ok(Shortest::None) => {
                    self.shorter = ShorterSeries::None;
                    return Ok(());
                }
                Ok(Shortest::Moves(found)) if found == moves => {
                    self.shorter = ShorterSeries::None;
                    return Ok(());
                }
                Ok(Shortest::Moves(_)) => self.keep_shorter(),
                Err(Undecided::Budget) if self.is_cut => match self.solutions.first().map(Vec::len) {
                    Some(length) if length == asked.sequence_len() => {
                        self.shorter = ShorterSeries::None;
                        return Err(Undecided::Budget);
                    }
                    _ => self.keep_shorter(),
                },
                Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
                Ok(Shortest::Unknown) | Err(Undecided::Budget) => {}
            }
            self.moves.clear();
            self.path.clear();
            self.solutions.clear();
            self.is_cut = false;
        }
        self.reaches(p, asked.sequence_len() as u8).map(|_| ())
    }

    fn keep_shorter(&mut self) {
        let first = self.solutions.iter().map(|line| unpacked(line)).min();
        self.shorter = first.map_or(ShorterSeries::Unknown, ShorterSeries::First);
    }
}

/// The position behind the move with a 0-based index of a sequence.
pub fn after_in_sequence(before: &Position, asked: Stipulation, mv: ChessMove, index: usize) -> Position {
    let mut after = after_move(before, mv);
    if asked.play().is_series() && index + 1 < usize::from(asked.moves()) {
        after.turn = before.turn;
        after.rights.en_passant = None;
    }
    after
}

/// Whether a move with a 0-based index, not the last one of its series, gives check.
pub fn gives_check_too_early(before: &Position, asked: Stipulation, mv: ChessMove, index: usize) -> bool {
    let p = PackedPosition::new(before, before.turn);
    let after = p.after(mv.into());
    asked.play().is_series() && index + 1 < usize::from(asked.moves()) && after.is_in_check(after.turn())
}

/// Whether a sequence that ends with a move reaches what is asked: the goal, or that the other side cannot but reach it.
pub fn ends_sequence(before: &Position, asked: Stipulation, mv: ChessMove) -> bool {
    let (p, goal) = (PackedPosition::new(before, before.turn), GoalTest::new(asked));
    let mv = mv.into();
    let after = p.after(mv);
    match asked.play().is_against_itself() {
        true => escape_from_goal(&after, goal, &mut 0).is_none(),
        false => goal.is_reached_by(&p, mv, &after),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Rights, Square, read_fen_fields};
    use crate::games::game::{Dialect, Game};

    #[test]
    fn a_check_before_the_last_move_of_a_series_is_too_early() {
        let format = crate::games::chess::Chess.format();
        let read = read_fen_fields(&["7k/8/8/8/8/8/8/R3K3"], format).expect("a board");
        let (turn, dialect, rights) = (crate::board::Colour::White, Dialect::Default, Rights::default());
        let position = Position { board: read.board, turn, dialect, rights };
        for (short, to, index, is_too_early) in [
            ("ser-#2", 7, 0, true),
            ("ser-#2", 7, 1, false),
            ("ser-#2", 6, 0, false),
            ("ser-#3", 7, 1, true),
            ("ser-#3", 7, 2, false),
            ("ser-h#2", 7, 0, true),
            ("ser-h#2", 7, 1, false),
            ("h#2", 7, 0, false),
            ("hs#3", 7, 0, false),
        ] {
            let asked = Stipulation::from_short(short).expect("a stipulation");
            let mv = PackedMove::new(0, 8 * to).unpacked();
            assert_eq!(mv.to, Square::new(0, to));
            let found = gives_check_too_early(&position, asked, mv, index);
            assert_eq!(found, is_too_early, "move {index} of {short} to rank {to}");
        }
    }

    /// A rook goes to a8, or to a7 and to a8: the goal that its last move reaches, the side that moves behind it, and whether a
    /// square that was passed over is kept.
    #[test]
    fn a_sequence_goes_on_with_the_side_whose_move_it_is() {
        let format = crate::games::chess::Chess.format();
        let read = read_fen_fields(&["7k/R7/6K1/8/8/8/4P3/8"], format).expect("a board");
        let (turn, dialect, rights) = (crate::board::Colour::White, Dialect::Default, Rights::default());
        let position = Position { board: read.board, turn, dialect, rights };
        let double = PackedMove::new(12, 28).unpacked();
        for (short, index, side, is_passed) in [
            ("ser-#3", 0, "white", false),
            ("ser-#3", 1, "white", false),
            ("ser-#3", 2, "black", true),
            ("ser-h#2", 0, "white", false),
            ("ser-h#2", 1, "black", true),
            ("h#2", 0, "black", true),
            ("h#2", 3, "black", true),
        ] {
            let asked = Stipulation::from_short(short).expect("a stipulation");
            let after = after_in_sequence(&position, asked, double, index);
            assert_eq!(
                (after.turn.name(), after.rights.en_passant.is_some()),
                (side, is_passed),
                "{index} {short}"
            );
        }
        for (short, from, to, is_end) in [
            ("h#1", 48, 56, true),
            ("h#1", 48, 49, false),
            ("h=1", 48, 56, false),
            ("h=1", 48, 50, false),
            ("hza81", 48, 56, true),
            ("hza71", 48, 56, false),
            ("h+1", 48, 56, true),
            ("hs#1", 48, 56, false),
        ] {
            let asked = Stipulation::from_short(short).expect("a stipulation");
            let mv = PackedMove::new(from, to).unpacked();
            assert_eq!(ends_sequence(&position, asked, mv), is_end, "{short} {from} {to}");
        }
    }
}
