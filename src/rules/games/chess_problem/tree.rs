//! Tries, set play and the tree of a solution.

use crate::games::budget::Undecided;
use crate::games::chess_bits::{PackedMove, PackedPosition};
use crate::games::chess_move::ChessMove;
use crate::games::chess_problem::keys::{Key, unpacked};
use crate::games::chess_problem::prover::Prover;
use crate::games::game::Position;
use crate::games::stipulation::Stipulation;

/// A first move that one reply alone refutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    /// The move.
    pub mv: ChessMove,
    /// The reply.
    pub refutation: ChessMove,
}

/// The tries of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tries {
    /// In the order of `legal_moves`.
    pub tries: Vec<Try>,
    /// Whether these are all; false if the budget ran out.
    pub complete: bool,
}

/// A reply to a first move that has not been made, and what the attacker has ready for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetPlay {
    /// The move of the defender.
    pub mv: ChessMove,
    /// The moves that force the goal within the moves that would be left; none where the move itself reaches the goal, as
    /// in a selfmate in one.
    pub answers: Vec<Key>,
}

/// A move of the attacker in the tree of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The move.
    pub mv: ChessMove,
    /// The moves of the attacker that it needs at most, with itself.
    pub mates: u8,
    /// What the attacker would force if the defender could pass. None where the move gives check.
    pub threats: Vec<Key>,
    /// Whether the move gives no check and threatens nothing. False for the last move of the attacker.
    pub zugzwang: bool,
    /// The replies; none if the move mates, or if the tree ends here.
    pub defences: Vec<Defence>,
}

/// A reply of the defender in the tree of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defence {
    /// The move.
    pub mv: ChessMove,
    /// The moves that the attacker needs after it; 0 if it mates the attacker of a selfmate.
    pub mates: u8,
    /// All moves that reach the goal within the moves that are left.
    pub answers: Vec<Attack>,
}

/// The tree of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionTree {
    /// The first move.
    pub key: Attack,
    /// Whether the tree is whole; false if the budget ran out or the tree is larger than [`SolutionTree::MAX_MOVES`].
    pub complete: bool,
}

impl SolutionTree {
    /// The number of moves of both sides that a tree holds at most.
    pub const MAX_MOVES: usize = 20_000;
}

impl Prover<'_> {
    fn to_attack(&self, position: &Position) -> PackedPosition {
        PackedPosition::new(position, self.attacker)
    }

    fn to_defend(&self, position: &Position) -> PackedPosition {
        PackedPosition::new(position, self.attacker.other())
    }

    /// The fewest moves, at most `moves`, in which the attacker, which is to move, forces the goal.
    ///
    /// # Errors
    /// [`Undecided`] if the budget ran out or the search was cancelled.
    pub fn attack(&mut self, position: &Position, moves: u8) -> Result<Option<u8>, Undecided> {
        let p = self.to_attack(position);
        for length in 1..=moves {
            if self.attacks(&p, length)? {
                return Ok(Some(length));
            }
        }
        Ok(None)
    }

    /// The fewest moves, at most `moves`, that the attacker still needs with the defender to move: 0 if the goal is reached
    /// in this position. A capture or an arrival that the last move was is not seen: see [`Prover::after_attack`].
    ///
    /// # Errors
    /// As [`Prover::attack`].
    pub fn defence(&mut self, position: &Position, moves: u8) -> Result<Option<u8>, Undecided> {
        let p = self.to_defend(position);
        for length in 0..=moves {
            if self.defends(&p, length)? {
                return Ok(Some(length));
            }
        }
        Ok(None)
    }

    /// The replies that the defender may choose from, in the order of `legal_moves`: in reflex play those that reach the
    /// goal, if there are any.
    ///
    /// # Errors
    /// As [`Prover::attack`].
    pub fn replies(&mut self, position: &Position) -> Result<Vec<ChessMove>, Undecided> {
        let p = self.to_defend(position);
        let replies = self.packed_replies(&p)?;
        Ok(replies.into_iter().map(PackedMove::unpacked).collect())
    }

    fn packed_replies(&mut self, p: &PackedPosition) -> Result<Vec<PackedMove>, Undecided> {
        let mut replies = in_order(p);
        if self.is_ended_by_defender(p)? {
            replies.retain(|&reply| self.goal.is_reached_by(p, reply, &p.after(reply)));
        }
        Ok(replies)
    }

    /// The fewest moves, at most `moves`, that the attacker still needs after its move `mv` from a position: 0 if the move
    /// reaches the goal, in a selfmate if the defender has a reply and every reply reaches it.
    ///
    /// # Errors
    /// As [`Prover::attack`].
    pub fn after_attack(
        &mut self,
        position: &Position,
        mv: ChessMove,
        moves: u8,
    ) -> Result<Option<u8>, Undecided> {
        let p = self.to_attack(position);
        for length in 0..=moves {
            if self.solves(&p, mv.into(), length)? {
                return Ok(Some(length));
            }
        }
        Ok(None)
    }

    /// Whether a reply of the defender reaches the goal of the attacker, as in a selfmate.
    pub fn is_goal_of_reply(&self, position: &Position, reply: ChessMove) -> bool {
        let (p, mv): (_, PackedMove) = (self.to_defend(position), reply.into());
        self.is_against_itself() && self.goal.is_reached_by(&p, mv, &p.after(mv))
    }

    /// A reply with which the defender reaches the goal in reflex play: then he may make no reply that does not reach it.
    ///
    /// # Errors
    /// As [`Prover::attack`].
    pub fn forced_reply(&mut self, position: &Position) -> Result<Option<ChessMove>, Undecided> {
        if !self.forces_defender() {
            return Ok(None);
        }
        let reply = self.goal_in_one(&self.to_defend(position))?;
        Ok(reply.map(PackedMove::unpacked))
    }

    /// All moves of the attacker that force the goal in at most `moves` moves, in the order of `legal_moves`.
    ///
    /// # Errors
    /// As [`Prover::attack`].
    pub fn continuations(&mut self, position: &Position, moves: u8) -> Result<Vec<Key>, Undecided> {
        let mut keys = Vec::new();
        self.keys(&self.to_attack(position), moves, &mut keys)?;
        Ok(unpacked(keys))
    }

    /// The replies after which the attacker does not force the goal with `moves` more moves, at most `limit`, in the
    /// order of `legal_moves`.
    ///
    /// A defender without a reply has no refutation either: [`Prover::defence`] is `None` there if that is a
    /// stalemate, or the end of a selfmate.
    ///
    /// # Errors
    /// As [`Prover::attack`].
    pub fn refutations(
        &mut self,
        position: &Position,
        moves: u8,
        limit: usize,
    ) -> Result<Vec<ChessMove>, Undecided> {
        let p = self.to_defend(position);
        let found = self.packed_refutations(&p, moves, limit)?;
        Ok(found.into_iter().map(PackedMove::unpacked).collect())
    }

    fn packed_refutations(
        &mut self,
        p: &PackedPosition,
        moves: u8,
        limit: usize,
    ) -> Result<Vec<PackedMove>, Undecided> {
        let mut refutations = Vec::new();
        if self.is_ended_by_defender(p)? {
            return Ok(refutations);
        }
        for reply in in_order(p) {
            if refutations.len() == limit {
                break;
            }
            if !self.goal_after_reply(p, reply, moves)? {
                refutations.push(reply);
            }
        }
        Ok(refutations)
    }

    /// The fewest moves that the attacker needs after a reply; `None` if it needs more than `moves`.
    fn after_reply(
        &mut self,
        p: &PackedPosition,
        reply: PackedMove,
        moves: u8,
    ) -> Result<Option<u8>, Undecided> {
        for length in 0..=moves {
            if self.goal_after_reply(p, reply, length)? {
                return Ok(Some(length));
            }
        }
        Ok(None)
    }
}

fn in_order(p: &PackedPosition) -> Vec<PackedMove> {
    let mut moves = Vec::new();
    p.legal_moves(&mut moves);
    moves.sort_unstable_by_key(|mv| mv.order());
    moves
}

/// The first moves that are no keys and are refuted by exactly one reply.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled. If the budget runs out, the tries are those found before.
pub fn tries(
    prover: &mut Prover<'_>,
    position: &Position,
    stipulation: Stipulation,
) -> Result<Tries, Undecided> {
    let moves = stipulation.moves().saturating_sub(1);
    let p = prover.to_attack(position);
    let mut tries = Vec::new();
    match prover.must_reach_goal(&p) {
        Ok(false) => {}
        Ok(true) => return Ok(Tries { tries, complete: true }),
        Err(Undecided::Budget) => return Ok(Tries { tries, complete: false }),
        Err(cancelled) => return Err(cancelled),
    }
    for mv in in_order(&p) {
        if prover.is_goal_of_attack(&p, mv) {
            continue;
        }
        match prover.packed_refutations(&p.after(mv), moves, 2) {
            Ok(found) => {
                if let [refutation] = found[..] {
                    tries.push(Try { mv: mv.unpacked(), refutation: refutation.unpacked() });
                }
            }
            Err(Undecided::Budget) => return Ok(Tries { tries, complete: false }),
            Err(cancelled) => return Err(cancelled),
        }
    }
    Ok(Tries { tries, complete: true })
}

/// What the attacker has ready if the defender had to move first: each reply that it answers in time, and in play for a goal
/// of the defender each reply that has to reach it. Nothing where the attacker is in check, so that the defender cannot have
/// the move.
///
/// # Errors
/// [`Undecided`] if the budget ran out or the search was cancelled.
pub fn set_play(
    prover: &mut Prover<'_>,
    position: &Position,
    stipulation: Stipulation,
) -> Result<Vec<SetPlay>, Undecided> {
    let moves = stipulation.moves().saturating_sub(1);
    let p = prover.to_attack(position).after_pass();
    let mut play = Vec::new();
    if p.is_in_check(prover.attacker) {
        return Ok(play);
    }
    // In reflex play the defender has to reach the goal where it can; in a self play of one move that is all that is set.
    let ends = prover.is_ended_by_defender(&p)? || moves == 0 && prover.is_against_itself();
    for reply in in_order(&p) {
        let mut answers = Vec::new();
        let after = p.after(reply);
        let reaches_goal = ends && prover.goal.is_reached_by(&p, reply, &after);
        if !ends {
            prover.keys(&after, moves, &mut answers)?;
        }
        if reaches_goal || !answers.is_empty() {
            play.push(SetPlay { mv: reply.unpacked(), answers: unpacked(answers) });
        }
    }
    Ok(play)
}

/// The tree below a key: all replies, all continuations after them, and so on.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled. If the budget runs out, the tree is not complete.
pub fn solution_tree(
    prover: &mut Prover<'_>,
    position: &Position,
    stipulation: Stipulation,
    key: ChessMove,
) -> Result<SolutionTree, Undecided> {
    let p = prover.to_attack(position);
    let moves = stipulation.moves();
    let mut mates = moves;
    for length in (1..moves).rev() {
        match prover.solves(&p, key.into(), length - 1) {
            Ok(true) => mates = length,
            Ok(false) => break,
            Err(Undecided::Budget) => break,
            Err(cancelled) => return Err(cancelled),
        }
    }
    let mut builder = Builder { prover, left: SolutionTree::MAX_MOVES, complete: true };
    let key = builder.attack(&p, (key.into(), mates), moves)?;
    Ok(SolutionTree { key, complete: builder.complete })
}

struct Builder<'p, 'b> {
    prover: &'p mut Prover<'b>,
    left: usize,
    complete: bool,
}

impl Builder<'_, '_> {
    /// The value of a search; nothing, and an incomplete tree, if the budget runs out.
    fn unless_spent<T>(&mut self, result: Result<T, Undecided>) -> Result<Option<T>, Undecided> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Undecided::Budget) => {
                self.complete = false;
                Ok(None)
            }
            Err(cancelled) => Err(cancelled),
        }
    }

    fn attack(&mut self, p: &PackedPosition, key: (PackedMove, u8), moves: u8) -> Result<Attack, Undecided> {
        let (mv, mates) = key;
        let after = p.after(mv);
        let mut attack =
            Attack { mv: mv.unpacked(), mates, threats: Vec::new(), zugzwang: false, defences: Vec::new() };
        if mates == 1 && !self.prover.is_against_itself() {
            return Ok(attack);
        }
        let replies = self.prover.packed_replies(&after);
        let replies = self.unless_spent(replies)?.unwrap_or_default();
        if replies.is_empty() {
            return Ok(attack);
        }
        if moves > 1 && !after.is_in_check(after.turn()) {
            let mut threats = Vec::new();
            let result = self.prover.keys(&after.after_pass(), moves - 1, &mut threats);
            if self.unless_spent(result)?.is_some() {
                attack.zugzwang = threats.is_empty();
                attack.threats = unpacked(threats);
            }
        }
        for reply in replies {
            let next = after.after(reply);
            let result = self.prover.after_reply(&after, reply, moves - 1);
            let Some(Some(mates)) = self.unless_spent(result)? else { continue };
            if self.left == 0 {
                self.complete = false;
                break;
            }
            self.left -= 1;
            let mut defence = Defence { mv: reply.unpacked(), mates, answers: Vec::new() };
            if mates > 0 {
                defence.answers = self.answers(&next, moves - 1)?;
            }
            attack.defences.push(defence);
        }
        Ok(attack)
    }

    fn answers(&mut self, p: &PackedPosition, moves: u8) -> Result<Vec<Attack>, Undecided> {
        let mut keys = Vec::new();
        let result = self.prover.keys(p, moves, &mut keys);
        self.unless_spent(result)?;
        keys.sort_unstable_by_key(|(mv, _)| mv.order());
        let mut answers = Vec::new();
        for key in keys {
            if self.left == 0 {
                self.complete = false;
                break;
            }
            self.left -= 1;
            answers.push(self.attack(p, key, moves)?);
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::budget::Budget;
    use crate::games::chess_problem::goal::tests::Random;
    use crate::games::chess_problem::search_tests::crowded_position;

    fn moves(attack: &Attack) -> usize {
        let below =
            |defence: &Defence| 1 + defence.answers.iter().map(|answer| 1 + moves(answer)).sum::<usize>();
        attack.defences.iter().map(below).sum()
    }

    /// The goal is reached, whatever the replies are.
    #[test]
    fn no_reply_follows_a_check_that_is_asked_for() {
        let asked = Stipulation::from_short("+3").expect("a stipulation");
        let (mut random, mut compared) = (Random(101), 0);
        while compared < 20 {
            let position = crowded_position(&mut random);
            let budget = Budget::new(1_000_000, None);
            let prover = &mut Prover::new(asked, position.turn, &budget);
            let keys = prover.continuations(&position, 1).expect("nodes enough");
            for key in keys.iter().take(4) {
                let tree = solution_tree(prover, &position, asked, key.mv).expect("nodes enough");
                assert_eq!((tree.key.mates, tree.key.defences.len()), (1, 0), "{key:?} {position:?}");
                compared += 1;
            }
        }
    }

    #[test]
    fn a_tree_has_no_more_moves_than_it_may() {
        let asked = Stipulation::from_short("#2").expect("a stipulation");
        let (mut random, mut compared) = (Random(67), 0);
        while compared < 5 {
            let position = crowded_position(&mut random);
            let budget = Budget::new(1_000_000, None);
            let prover = &mut Prover::new(asked, position.turn, &budget);
            let p = prover.to_attack(&position);
            let keys = prover.continuations(&position, 2).expect("nodes enough");
            let Some(key) = keys.iter().find(|key| key.mates == 2) else { continue };
            let mut tree = |left| {
                let mut builder = Builder { prover, left, complete: true };
                let attack = builder.attack(&p, (key.mv.into(), 2), 2).expect("nodes enough");
                (moves(&attack), builder.complete)
            };
            let (whole, _) = tree(usize::MAX);
            for left in [whole, whole - 1, whole / 2, 1, 0] {
                assert_eq!(tree(left), (left, left == whole), "{left} of {whole} in {position:?}");
            }
            compared += 1;
        }
    }
}
