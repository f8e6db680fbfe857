//! Forced goals: what the attacker can force whatever the defender plays.
//!
//! In a selfmate the attacker forces the defender to mate it; in reflex play a side that can reach the goal has to. The
//! attacker always moves first and the number of moves counts its own.

use crate::board::Colour;
use crate::games::budget::{Budget, Undecided};
use crate::games::chess_bits::{
    CheckSquares, Followups, LAST_RANKS, Man, PackedMove, PackedPosition, SteadyReplies, each_square,
};
use crate::games::chess_problem::goal::GoalTest;
use crate::games::chess_problem::pruning::{Pruning, Prunings};
use crate::games::chess_problem::table::{Known, PositionSet, Table};
use crate::games::stipulation::Stipulation;
use cpz_text::syntax::{Goal, Play};

/// Numbers of moves that a search may look ahead: those that may be asked for, and one more.
const DEPTHS: usize = Stipulation::MAX_MOVES as usize + 2;

/// A search for forced goals, that keeps what it has learnt from one question to the next.
pub struct Prover<'b> {
    play: Play,
    pub(super) goal: GoalTest,
    pub(super) attacker: Colour,
    pub(super) budget: &'b Budget<'b>,
    table: Table,
    /// Positions in which the defender, which is to move, has a reply that refutes: one after which the goal is not reached in
    /// one move, or in selfmates one that does not reach it. Two moves of the attacker reach them in either order.
    pub(super) refuted: PositionSet,
    /// The moves of all nodes from the root to the current one.
    pub(super) moves: Vec<PackedMove>,
    /// The replies that refuted last, by the number of moves that are left; the latest first.
    pub(super) refutations: [[PackedMove; 2]; DEPTHS],
    /// How often replies refuted where more than one move is left, by their squares.
    refuted_by: Vec<u32>,
    /// The moves that reached the goal last, likewise.
    pub(super) solvers: [[PackedMove; 2]; DEPTHS],
    /// Replies to the first of two moves in the current position, with what follows them and how many moves they refute.
    pub(super) refuters: Vec<(Box<Followups>, u32)>,
    /// Room for more of them.
    #[expect(clippy::vec_box, reason = "they move between this list and that of the refuters")]
    pub(super) room: Vec<Box<Followups>>,
    /// Replies that cannot be such.
    pub(super) unfit: Vec<PackedMove>,
    /// The men of the attacker in the current position, with their legal targets.
    pub(super) men: Vec<(Man, u8, u64)>,
    /// Replies to the current move that were found to lose.
    pub(super) answered: Vec<PackedMove>,
    pub(super) prunings: Prunings,
}

/// Puts a move in front of two that are tried first.
#[inline]
fn remember(slots: &mut [PackedMove; 2], mv: PackedMove) {
    if slots[0] != mv {
        *slots = [mv, slots[0]];
    }
}

impl<'b> Prover<'b> {
    /// A search for an attacker that forces what is asked, in any number of moves. The play has keys.
    pub fn new(asked: Stipulation, attacker: Colour, budget: &'b Budget<'b>) -> Prover<'b> {
        debug_assert!(!asked.play().has_sequences());
        Prover {
            play: asked.play(),
            goal: GoalTest::new(asked),
            attacker,
            budget,
            table: Table::new(),
            refuted: PositionSet::new(),
            moves: Vec::new(),
            refutations: [[PackedMove::NONE; 2]; DEPTHS],
            refuted_by: vec![0; 1 << 12],
            solvers: [[PackedMove::NONE; 2]; DEPTHS],
            refuters: Vec::new(),
            room: Vec::new(),
            unfit: Vec::new(),
            men: Vec::new(),
            answered: Vec::new(),
            prunings: Prunings::default(),
        }
    }

    /// Whether the defender reaches the goal, against its will.
    pub fn is_against_itself(&self) -> bool {
        self.play.is_against_itself()
    }

    /// The nodes that the budget has left.
    pub(super) fn nodes_left(&self) -> u64 {
        self.budget.left()
    }

    /// Whether the attacker, which is to move, forces the goal in at most `moves` moves.
    pub(super) fn attacks(&mut self, p: &PackedPosition, moves: u8) -> Result<bool, Undecided> {
        match (self.play, moves) {
            (_, 0) => Ok(false),
            (Play::Direct, 1) => Ok(self.goal_in_one(p)?.is_some()),
            (Play::Direct, _) => self.attacks_by_length(p, moves),
            (Play::SelfPlay, 1) => self.ends_in_goal_of_defender(p),
            _ if self.must_reach_goal(p)? => Ok(false),
            _ => self.attacks_deep(p, moves),
        }
    }

    /// As [`Prover::attacks`] in direct play, by the shortest way first. What is known of the position is asked before a move. No
    /// answer changes: the table compares positions, and an entry says that the attacker reaches the goal in at most so many
    /// moves, or that it does not.
    fn attacks_by_length(&mut self, p: &PackedPosition, moves: u8) -> Result<bool, Undecided> {
        let known = self.table.get(p);
        if known.within <= moves {
            return Ok(true);
        }
        if known.fails >> moves & 1 != 0 {
            return Ok(false);
        }
        let is_shorter = known.fails >> (moves - 1) & 1 == 0
            && match moves {
                2 => self.goal_in_one(p)?.is_some(),
                _ => self.attacks_by_length(p, moves - 1)?,
            };
        Ok(is_shorter || self.attacks_deep(p, moves)?)
    }

    /// Whether the attacker, which is to move, has to reach the goal of reflex play at once, and so fails.
    pub(super) fn must_reach_goal(&mut self, p: &PackedPosition) -> Result<bool, Undecided> {
        Ok(self.play == Play::Reflex && self.goal_in_one(p)?.is_some())
    }

    /// Whether the defender has to reach the goal if it can.
    pub(super) fn forces_defender(&self) -> bool {
        matches!(self.play, Play::Reflex | Play::SemiReflex)
    }

    /// Whether the goal of the defender ends reflex play: it has to reach it if it can.
    pub(super) fn is_ended_by_defender(&mut self, p: &PackedPosition) -> Result<bool, Undecided> {
        Ok(self.forces_defender() && self.goal_in_one(p)?.is_some())
    }

    /// A move that reaches the goal at once. The positions of moves that may reach it are counted, others are not made.
    pub(super) fn goal_in_one(&mut self, p: &PackedPosition) -> Result<Option<PackedMove>, Undecided> {
        let mut made = 1;
        let mut found = None;
        self.goal.each_move(p, true, &mut made, |mv| {
            found = Some(mv);
            true
        });
        self.budget.spend(made)?;
        Ok(found)
    }

    /// Whether a move of the attacker forces the goal with at most `moves` more moves.
    pub(super) fn solves(
        &mut self,
        p: &PackedPosition,
        mv: PackedMove,
        moves: u8,
    ) -> Result<bool, Undecided> {
        if !self.goal.is_of_position() && self.is_goal_of_attack(p, mv) {
            return Ok(true);
        }
        self.defends(&p.after(mv), moves)
    }

    /// Whether a move of the attacker itself reaches the goal of direct play.
    pub(super) fn is_goal_of_attack(&self, p: &PackedPosition, mv: PackedMove) -> bool {
        self.play == Play::Direct && self.goal.is_reached_by(p, mv, &p.after(mv))
    }

    fn attacks_deep(&mut self, p: &PackedPosition, moves: u8) -> Result<bool, Undecided> {
        let known = if moves > 1 { self.table.get(p) } else { Known::NOTHING };
        if known.within <= moves {
            return Ok(true);
        }
        if known.fails >> moves & 1 != 0 {
            return Ok(false);
        }
        let is_in_two = self.play == Play::Direct && self.goal.goal == Goal::Mate && moves == 2;
        let best = match is_in_two && self.prunings.has(Pruning::Followups) {
            true => self.mates_in_two(p, known)?,
            false => self.first_that_solves(p, known, moves)?,
        };
        if let Some(mv) = best {
            remember(&mut self.solvers[usize::from(moves)], mv);
        }
        self.learn(p, known, moves, best.is_some(), best);
        Ok(best.is_some())
    }

    /// A move that forces the goal in at most `moves` moves.
    fn first_that_solves(
        &mut self,
        p: &PackedPosition,
        known: Known,
        moves: u8,
    ) -> Result<Option<PackedMove>, Undecided> {
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        let slots = self.solvers[usize::from(moves)];
        self.bring_to_front(start, &[known.best, slots[0], slots[1]]);
        let mut best = None;
        for i in start..self.moves.len() {
            let mv = self.moves[i];
            if self.solves(p, mv, moves - 1)? {
                best = Some(mv);
                break;
            }
        }
        self.moves.truncate(start);
        Ok(best)
    }

    /// Whether the attacker forces the goal with `moves` more moves after every reply of the defender, which is to
    /// move; with none, whether the goal is reached now. A goal that the last move itself reaches is for
    /// [`Prover::solves`].
    pub(super) fn defends(&mut self, p: &PackedPosition, moves: u8) -> Result<bool, Undecided> {
        self.defends_otherwise(p, moves, &[])
    }

    /// As [`Prover::defends`], where some replies are known to lose.
    pub(super) fn defends_otherwise(
        &mut self,
        p: &PackedPosition,
        moves: u8,
        answered: &[PackedMove],
    ) -> Result<bool, Undecided> {
        match (self.play, moves) {
            (Play::Direct, 0) => {
                self.budget.step()?;
                return Ok(self.goal.holds_in(p));
            }
            (Play::SelfPlay, 0) => return self.has_only_goals(p),
            (Play::Reflex | Play::SemiReflex, 0) => return self.is_ended_by_defender(p),
            _ => {}
        }
        let known = if moves > 1 { self.table.get(p) } else { Known::NOTHING };
        if known.within <= moves {
            return Ok(true);
        }
        if known.fails >> moves & 1 != 0 {
            return Ok(false);
        }
        self.budget.step()?;
        if self.play == Play::Direct && self.goal.goal == Goal::Check && self.goal.holds_in(p)
            || self.is_ended_by_defender(p)?
        {
            return Ok(true);
        }
        let start = self.moves.len();
        let first =
            [known.best, self.refutations[usize::from(moves)][0], self.refutations[usize::from(moves)][1]];
        for mv in first {
            if mv != PackedMove::NONE
                && !answered.contains(&mv)
                && p.is_legal(mv)
                && !self.goal_after_reply(p, mv, moves)?
            {
                remember(&mut self.refutations[usize::from(moves)], mv);
                self.learn(p, known, moves, false, Some(mv));
                return Ok(false);
            }
        }
        p.legal_moves(&mut self.moves);
        let none = self.moves.len() == start;
        let refutation = match self.known_refutation(p, start, moves, &first) {
            None => self.first_that_refutes(p, start, moves, &first, answered)?,
            known => known,
        };
        self.moves.truncate(start);
        let holds = match none {
            true => self.play == Play::Direct && self.goal.holds_in(p),
            false => refutation.is_none(),
        };
        if let Some(mv) = refutation {
            remember(&mut self.refutations[usize::from(moves)], mv);
        }
        self.learn(p, known, moves, holds, refutation);
        Ok(holds)
    }

    /// A reply after which the attacker is known to fail. It refutes: in direct play a reply holds exactly if the attacker then
    /// does not reach the goal in at most `moves` moves, and that is what the table says of the position after it.
    fn known_refutation(
        &self,
        p: &PackedPosition,
        start: usize,
        moves: u8,
        tried: &[PackedMove],
    ) -> Option<PackedMove> {
        if moves < 2 || self.play != Play::Direct || !self.prunings.has(Pruning::KnownReplies) {
            return None;
        }
        let fails = |&&mv: &&PackedMove| self.table.get(&p.after(mv)).fails >> moves & 1 != 0;
        self.moves[start..].iter().filter(|mv| !tried.contains(mv)).find(fails).copied()
    }

    /// A reply from the listed ones that refutes. What has refuted most in the search comes first.
    fn first_that_refutes(
        &mut self,
        p: &PackedPosition,
        start: usize,
        moves: u8,
        tried: &[PackedMove],
        answered: &[PackedMove],
    ) -> Result<Option<PackedMove>, Undecided> {
        for i in start..self.moves.len() {
            if moves > 1 && self.play == Play::Direct {
                let most = (i..self.moves.len())
                    .max_by_key(|&j| (self.refuted_by[self.moves[j].index()], std::cmp::Reverse(j)));
                self.moves.swap(i, most.unwrap_or(i));
            }
            let mv = self.moves[i];
            if !tried.contains(&mv) && !answered.contains(&mv) && !self.goal_after_reply(p, mv, moves)? {
                if moves > 1 {
                    self.refuted_by[mv.index()] += 1;
                }
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    /// Whether the goal is reached by a reply of the defender, or forced with `moves` more moves after it.
    pub(super) fn goal_after_reply(
        &mut self,
        p: &PackedPosition,
        reply: PackedMove,
        moves: u8,
    ) -> Result<bool, Undecided> {
        let after = p.after(reply);
        if self.play != Play::Direct {
            self.budget.step()?;
            if self.goal.is_reached_by(p, reply, &after) {
                return Ok(true);
            }
        }
        self.attacks(&after, moves)
    }

    /// Whether a move of the attacker leaves the defender of a selfmate with nothing but moves that reach the goal.
    fn ends_in_goal_of_defender(&mut self, p: &PackedPosition) -> Result<bool, Undecided> {
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        let slots = self.solvers[1];
        self.bring_to_front(start, &slots);
        let mut best = None;
        let mut steady = None;
        for i in start..self.moves.len() {
            let mv = self.moves[i];
            // The first moves may do it; it is worth while to look for replies when they do not.
            if i == start + 2 && self.goal.goal == Goal::Mate && self.prunings.has(Pruning::Replies) {
                steady = SteadyReplies::new(p);
            }
            if steady.as_ref().is_some_and(|replies| replies.answer(p, mv)) {
                continue;
            }
            let after = p.after(mv);
            let hash = after.hash();
            if self.prunings.has(Pruning::Refuted) && self.refuted.contains(&after, hash) {
                continue;
            }
            if self.has_only_goals(&after)? {
                best = Some(mv);
                break;
            }
            self.refuted.insert(&after, hash);
        }
        self.moves.truncate(start);
        if let Some(mv) = best {
            remember(&mut self.solvers[1], mv);
        }
        Ok(best.is_some())
    }

    /// Whether the defender, which is to move, has a reply and each of its replies reaches the goal.
    fn has_only_goals(&mut self, p: &PackedPosition) -> Result<bool, Undecided> {
        self.budget.step()?;
        for mv in self.refutations[0] {
            if mv != PackedMove::NONE && p.is_legal(mv) && !self.goal.is_reached_by(p, mv, &p.after(mv)) {
                return Ok(false);
            }
        }
        let mut made = 0;
        let escape = escape_from_goal(p, self.goal, &mut made);
        self.budget.spend(made)?;
        match escape {
            Some(mv) if mv == PackedMove::NONE => Ok(false),
            Some(mv) => {
                remember(&mut self.refutations[0], mv);
                Ok(false)
            }
            None => Ok(true),
        }
    }

    fn bring_to_front(&mut self, start: usize, wanted: &[PackedMove]) {
        let moves = &mut self.moves[start..];
        let mut front = 0;
        for &mv in wanted {
            if mv != PackedMove::NONE
                && let Some(i) = moves[front..].iter().position(|&m| m == mv)
            {
                moves.swap(front, front + i);
                front += 1;
            }
        }
    }

    fn learn(&mut self, p: &PackedPosition, known: Known, moves: u8, goal: bool, best: Option<PackedMove>) {
        if moves < 2 {
            return;
        }
        let mut known = Known { best: best.unwrap_or(known.best), ..known };
        match goal {
            true => known.within = known.within.min(moves),
            false => known.fails |= (2u64 << moves) - 1,
        }
        self.table.set(p, known);
    }
}

/// A reply that does not reach the goal: `NONE` if there is no reply at all, nothing if every reply reaches it. Counts the
/// positions that it makes.
pub(super) fn escape_from_goal(p: &PackedPosition, goal: GoalTest, made: &mut u64) -> Option<PackedMove> {
    let r = &p.restraint();
    if goal.goal == Goal::Mate {
        let squares = CheckSquares::new(p);
        let mut quiet = None;
        // A reply without check does not mate, and need not be made, unless an odd position begins with a check.
        let _ = !p.is_in_check(p.turn().other())
            && p.each_man(r, |man, from, targets| {
                let checks = squares.map_or(0, |s| s.of(man, from));
                let last = if man == Man::Pawn { LAST_RANKS } else { 0 };
                each_square(targets & !checks & !last, |to| {
                    quiet = Some(PackedMove::new(from, to));
                    true
                })
            });
        if quiet.is_some() {
            return quiet;
        }
    }
    let mut moves = Vec::new();
    p.legal_moves_bound(r, &mut moves);
    if moves.is_empty() {
        return Some(PackedMove::NONE);
    }
    moves.into_iter().find(|&mv| {
        *made += 1;
        !goal.is_reached_by(p, mv, &p.after(mv))
    })
}
