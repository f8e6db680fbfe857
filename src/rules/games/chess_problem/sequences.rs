//! Play that is solved by whole sequences of moves: help, help-self and series play.

use crate::games::budget::{Budget, Undecided};
use crate::games::chess_bits::{IdleMoves, PackedMove, PackedPosition};
use crate::games::chess_move::ChessMove;
use crate::games::chess_moves::after_move;
use crate::games::chess_problem::goal::GoalTest;
use crate::games::chess_problem::prover::escape_from_goal;
use crate::games::chess_problem::table::Table;
use crate::games::game::Position;
use crate::games::stipulation::Stipulation;
use cpz_text::syntax::{Goal, Play};

/// The solutions of a problem whose solutions are sequences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequences {
    /// Each is a sequence of moves from the position, [`Stipulation::sequence_len`] long; sorted.
    pub solutions: Vec<Vec<ChessMove>>,
    /// Whether these are all; false if the budget ran out or there are more than [`Budget::max_solutions`].
    pub complete: bool,
    /// Whether more than [`Budget::max_solutions`] were found.
    pub is_cut: bool,
}

struct Search<'b> {
    play: Play,
    goal: GoalTest,
    budget: &'b Budget<'b>,
    table: Table,
    moves: Vec<PackedMove>,
    path: Vec<PackedMove>,
    solutions: Vec<Vec<PackedMove>>,
    is_cut: bool,
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
    let mut search = Search {
        play: stipulation.play(),
        goal: GoalTest::new(stipulation),
        budget,
        table: Table::new(),
        moves: Vec::new(),
        path: Vec::new(),
        solutions: Vec::new(),
        is_cut: false,
    };
    let p = PackedPosition::new(position, position.turn);
    let length = stipulation.sequence_len() as u8;
    let complete = match search.reaches(&p, length) {
        Ok(_) => true,
        Err(Undecided::Budget) => false,
        Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
    };
    let is_cut = search.is_cut;
    let unpacked = |line: Vec<PackedMove>| line.into_iter().map(PackedMove::unpacked).collect();
    let mut solutions: Vec<Vec<ChessMove>> = search.solutions.into_iter().map(unpacked).collect();
    solutions.sort_unstable();
    Ok(Sequences { solutions, complete, is_cut })
}

impl Search<'_> {
    /// Collects the solutions in exactly `plies` moves; whether there is one.
    fn reaches(&mut self, p: &PackedPosition, plies: u8) -> Result<bool, Undecided> {
        if plies <= 1 {
            return match self.play {
                Play::HelpSelf | Play::SeriesSelf => self.ends_in_goal_of_other(p),
                _ => self.ends_in_goal(p),
            };
        }
        let mut known = self.table.get(p);
        if known.fails >> plies & 1 != 0 {
            return Ok(false);
        }
        self.budget.step()?;
        if !self.may_stalemate(p, plies) {
            return Ok(false);
        }
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        let mut found = false;
        let idle = match (self.play, self.goal.goal, plies) {
            (Play::Help, Goal::Mate, 2) => IdleMoves::new(p),
            _ => None,
        };
        for i in start..self.moves.len() {
            let mv = self.moves[i];
            if idle.as_ref().is_some_and(|idle| idle.contain(p, mv)) {
                continue;
            }
            let Some(next) = self.next(p, mv, plies) else { continue };
            self.path.push(mv);
            found |= self.reaches(&next, plies - 1)?;
            self.path.pop();
        }
        self.moves.truncate(start);
        if !found {
            known.fails |= 1 << plies;
            self.table.set(p, known);
        }
        Ok(found)
    }

    /// False where the goal is a stalemate that is not reached in `plies` moves, as too many men would have to be captured.
    fn may_stalemate(&self, p: &PackedPosition, plies: u8) -> bool {
        let plies = u32::from(plies);
        let (is_next, moves, captures) = match self.play {
            Play::Help => (plies.is_multiple_of(2), plies / 2, plies.div_ceil(2)),
            Play::SeriesHelp => (true, plies - 1, 1),
            Play::Series => (false, 0, plies),
            _ => return true,
        };
        let side = if is_next { p.turn } else { p.turn.other() };
        self.goal.goal != Goal::Stalemate || p.may_be_stalemated(side, moves, captures)
    }

    /// The position after a move with `plies` moves to go. In a series the other side passes, except before the move that
    /// it makes itself, and no move but the last one of the series gives check.
    fn next(&self, p: &PackedPosition, mv: PackedMove, plies: u8) -> Option<PackedPosition> {
        let after = p.after(mv);
        match self.play {
            Play::SeriesHelp if plies == 2 => Some(after),
            // A line ends where the side that reaches the goal has reached it before, as it does by nature with a mate.
            Play::Help
                if plies % 2 == 1
                    && self.goal.goal > Goal::Stalemate
                    && self.goal.is_reached_by(p, mv, &after) =>
            {
                None
            }
            play if play.is_series() => (!after.is_in_check(after.turn)).then(|| after.after_pass()),
            _ => Some(after),
        }
    }

    /// Collects the last moves that reach the goal.
    fn ends_in_goal(&mut self, p: &PackedPosition) -> Result<bool, Undecided> {
        let (mut last, mut made) = (Vec::new(), 1);
        self.goal.each_move(p, false, &mut made, |mv| {
            last.push(mv);
            false
        });
        self.budget.spend(made + last.len() as u64)?;
        self.keep(&last)
    }

    /// Collects the last moves after which the other side cannot but reach the goal.
    fn ends_in_goal_of_other(&mut self, p: &PackedPosition) -> Result<bool, Undecided> {
        let (mut last, mut made) = (Vec::new(), 1);
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        for i in start..self.moves.len() {
            let mv = self.moves[i];
            made += 1;
            if escape_from_goal(&p.after(mv), self.goal, &mut made).is_none() {
                last.push(mv);
            }
        }
        self.moves.truncate(start);
        self.budget.spend(made)?;
        self.keep(&last)
    }

    /// Keeps a solution for each last move.
    fn keep(&mut self, last: &[PackedMove]) -> Result<bool, Undecided> {
        for &mv in last {
            if self.solutions.len() == self.budget.max_solutions() {
                self.is_cut = true;
                return Err(Undecided::Budget);
            }
            let mut line = self.path.clone();
            line.push(mv);
            self.solutions.push(line);
        }
        Ok(!last.is_empty())
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
    asked.play().is_series() && index + 1 < usize::from(asked.moves()) && after.is_in_check(after.turn)
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
