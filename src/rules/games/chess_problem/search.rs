//! The search for whole sequences, depth first, with a table of the positions from which a number of moves is no solution.

use crate::board::Colour;
use crate::games::budget::{Budget, Undecided};
use crate::games::chess_bits::{IdleMoves, MateSquares, PackedMove, PackedPosition, SteadyReplies};
use crate::games::chess_problem::goal::GoalTest;
use crate::games::chess_problem::prover::escape_from_goal;
use crate::games::chess_problem::pruning::{Pruning, Prunings};
use crate::games::chess_problem::table::Table;
use crate::games::game::ShorterSeries;
use crate::games::stipulation::Stipulation;
use cpz_text::syntax::{Goal, Play};

/// The moves of the shortest helpmate in which squares for mates are looked for.
const MIN_PLIES: usize = 5;

pub(super) struct Search<'b> {
    pub play: Play,
    pub goal: GoalTest,
    pub budget: &'b Budget<'b>,
    table: Table,
    pub moves: Vec<PackedMove>,
    pub path: Vec<PackedMove>,
    pub solutions: Vec<Vec<PackedMove>>,
    pub is_cut: bool,
    pub shorter: ShorterSeries,
    /// In helpmates that are long enough: in others the questions take longer than what they leave out.
    mate_squares: Option<MateSquares>,
    pub prunings: Prunings,
}

impl<'b> Search<'b> {
    pub(super) fn new(stipulation: Stipulation, budget: &'b Budget<'b>) -> Search<'b> {
        let asks_for_squares = stipulation.play() == Play::Help
            && stipulation.goal() == Goal::Mate
            && stipulation.sequence_len() >= MIN_PLIES;
        Search {
            play: stipulation.play(),
            goal: GoalTest::new(stipulation),
            budget,
            table: Table::new(),
            moves: Vec::new(),
            path: Vec::new(),
            solutions: Vec::new(),
            is_cut: false,
            shorter: ShorterSeries::Unknown,
            mate_squares: asks_for_squares.then(MateSquares::new),
            prunings: Prunings::default(),
        }
    }

    /// Collects the solutions in exactly `plies` moves; whether there is one.
    pub(super) fn reaches(&mut self, p: &PackedPosition, plies: u8) -> Result<bool, Undecided> {
        if plies <= 1 {
            let last = self.last_moves(p, false)?;
            return self.keep(&last);
        }
        if !self.may_reach(p, plies) {
            self.budget.step()?;
            return Ok(false);
        }
        let mut known = self.table.get(p);
        if known.fails >> plies & 1 != 0 {
            return Ok(false);
        }
        self.budget.step()?;
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        let mut found = false;
        let idle = match (self.play, self.goal.goal, plies) {
            (Play::Help | Play::SeriesHelp, Goal::Mate, 2) if self.prunings.has(Pruning::Idle) => {
                IdleMoves::new(p)
            }
            _ => None,
        };
        for i in start..self.moves.len() {
            if self.path.is_empty() {
                let moves = self.moves.len() - start;
                self.budget.tell(plies.into(), i - start, moves, self.solutions.len());
            }
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

    /// False where the goal is not reached in `plies` moves: a stalemate, as too many men would have to be captured, or in
    /// helpmates a mate, as too few men guard the squares beside the king wherever it goes.
    #[inline]
    pub(super) fn may_reach(&mut self, p: &PackedPosition, plies: u8) -> bool {
        let plies = u32::from(plies);
        // Whether the side to move is the one that the goal is about, its moves, and those of the other side.
        let (is_next, moves, others) = match self.play {
            Play::Help => (plies.is_multiple_of(2), plies / 2, plies.div_ceil(2)),
            Play::SeriesHelp => (true, plies - 1, 1),
            Play::Series => (false, 0, plies),
            _ => return true,
        };
        let side = if is_next { p.turn() } else { p.turn().other() };
        match self.goal.goal {
            Goal::Stalemate if self.prunings.has(Pruning::Stalemate) => {
                p.may_be_stalemated(side, moves, others)
            }
            Goal::Mate => self.may_be_mated(p, side, moves, others),
            _ => true,
        }
    }

    /// False where a side is not mated within this number of its moves and those of the other side.
    #[inline]
    fn may_be_mated(&mut self, p: &PackedPosition, side: Colour, moves: u32, others: u32) -> bool {
        match &mut self.mate_squares {
            Some(squares) if self.prunings.has(Pruning::MateSquares) => {
                squares.may_be_mated(p, side, moves, others)
            }
            _ => true,
        }
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
            play if play.is_series() => (!after.is_in_check(after.turn())).then(|| after.after_pass()),
            _ => Some(after),
        }
    }

    /// Whether a last move reaches the goal.
    pub(super) fn ends(&mut self, p: &PackedPosition) -> Result<bool, Undecided> {
        Ok(!self.last_moves(p, true)?.is_empty())
    }

    /// The last moves that reach the goal, or, if the other side has to reach it, after which it cannot but do so; if
    /// `any`, the first of them.
    fn last_moves(&mut self, p: &PackedPosition, any: bool) -> Result<Vec<PackedMove>, Undecided> {
        let (mut last, mut made) = (Vec::new(), 1);
        if matches!(self.play, Play::HelpSelf | Play::SeriesSelf) {
            self.last_moves_against_itself(p, any, &mut last, &mut made);
        } else if self.may_be_mated(p, p.turn().other(), 0, 1) {
            self.goal.each_move(p, false, &mut made, |mv| {
                last.push(mv);
                any
            });
            made += last.len() as u64;
        }
        self.budget.spend(made)?;
        Ok(last)
    }

    fn last_moves_against_itself(
        &mut self,
        p: &PackedPosition,
        any: bool,
        last: &mut Vec<PackedMove>,
        made: &mut u64,
    ) {
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        let replies = match self.goal.goal == Goal::Mate && self.prunings.has(Pruning::Replies) {
            true => SteadyReplies::new(p),
            false => None,
        };
        for &mv in &self.moves[start..] {
            if replies.as_ref().is_some_and(|replies| replies.answer(p, mv)) {
                continue;
            }
            *made += 1;
            if escape_from_goal(&p.after(mv), self.goal, made).is_none() {
                last.push(mv);
                if any {
                    break;
                }
            }
        }
        self.moves.truncate(start);
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
