//! All first moves that force a goal.

use crate::games::budget::{Budget, Undecided};
use crate::games::chess_bits::{PackedMove, PackedPosition};
use crate::games::chess_move::ChessMove;
use crate::games::chess_problem::prover::Prover;
use crate::games::game::Position;
use crate::games::stipulation::Stipulation;

/// A move that forces the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The move.
    pub mv: ChessMove,
    /// The moves of the attacker that it needs at most against the best defence, with itself: 1 if it reaches the
    /// goal at once.
    pub mates: u8,
}

/// The first moves that force the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// In the order of `legal_moves`.
    pub keys: Vec<Key>,
    /// Whether these are all; false if the budget ran out.
    pub complete: bool,
}

/// All first moves of the side to move that force the goal in at most the given number of moves.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled. If the budget runs out, the keys are those proved before.
pub fn find_keys(
    position: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> Result<Keys, Undecided> {
    let mut prover = Prover::new(stipulation, position.turn, budget);
    let p = PackedPosition::new(position, position.turn);
    let mut keys = Vec::new();
    let complete = match prover.keys(&p, stipulation.moves(), &mut keys) {
        Ok(()) => true,
        Err(Undecided::Budget) => false,
        Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
    };
    Ok(Keys { keys: unpacked(keys), complete })
}

/// The keys of a problem that has as many of them as `wanted`, each of them with the full length; `None` for any other
/// problem, which is known as soon as there is one key more or a shorter one.
///
/// # Errors
/// [`Undecided`] if the budget ran out or the search was cancelled.
pub fn find_sound_keys(
    position: &Position,
    stipulation: Stipulation,
    wanted: usize,
    budget: &Budget<'_>,
) -> Result<Option<Vec<Key>>, Undecided> {
    let mut prover = Prover::new(stipulation, position.turn, budget);
    let (p, moves) = (PackedPosition::new(position, position.turn), stipulation.moves());
    let mut open = Vec::new();
    p.legal_moves(&mut open);
    let mut keys = Vec::new();
    if prover.must_reach_goal(&p)? {
        return Ok(None);
    }
    for length in 1..=moves {
        for &mv in &open {
            if prover.solves(&p, mv, length - 1)? {
                keys.push((mv, length));
                if length < moves || keys.len() > wanted {
                    return Ok(None);
                }
            }
        }
    }
    Ok((keys.len() == wanted).then(|| unpacked(keys)))
}

/// Keys in the order of `legal_moves`.
pub(super) fn unpacked(mut keys: Vec<(PackedMove, u8)>) -> Vec<Key> {
    keys.sort_unstable_by_key(|(mv, _)| mv.order());
    keys.into_iter().map(|(mv, mates)| Key { mv: mv.unpacked(), mates }).collect()
}

impl Prover<'_> {
    /// Appends the moves that force the goal in at most `moves` moves, the shortest first.
    pub(super) fn keys(
        &mut self,
        p: &PackedPosition,
        moves: u8,
        keys: &mut Vec<(PackedMove, u8)>,
    ) -> Result<(), Undecided> {
        if self.must_reach_goal(p)? {
            return Ok(());
        }
        let mut open = Vec::new();
        p.legal_moves(&mut open);
        let mut growth = Growth { budget: self.nodes_left(), left: self.nodes_left(), last: 0 };
        for length in 1..=moves {
            let mut left = Vec::with_capacity(open.len());
            for (done, &mv) in open.iter().enumerate() {
                self.budget.tell(length.into(), done, open.len(), keys.len());
                match self.solves(p, mv, length - 1)? {
                    true => keys.push((mv, length)),
                    false => left.push(mv),
                }
            }
            open = left;
            if growth.is_hopeless(self.nodes_left(), length, moves) {
                return Err(Undecided::Budget);
            }
        }
        Ok(())
    }
}

/// How the nodes grow with the length of the search.
struct Growth {
    /// The nodes that there were in the beginning.
    budget: u64,
    /// The nodes that were left before the current length.
    left: u64,
    /// The nodes of the length before.
    last: u64,
}

impl Growth {
    /// How many times the budget the rest of a search must need to be given up. Tables and forced lines make the growth
    /// slower than it looks, but never by so much.
    const HOPELESS: f64 = 1000.0;

    /// The share of the budget that is used before. In the first lengths, which cost little, the nodes grow faster than later:
    /// with few men on the board soon nothing is new.
    const SHARE: u64 = 64;

    /// Whether the lengths after this one would need far more nodes than are left: then thousands of long problems do not
    /// take the whole budget each.
    fn is_hopeless(&mut self, left: u64, length: u8, moves: u8) -> bool {
        let spent = self.left.saturating_sub(left);
        let factor = spent as f64 / self.last.max(1) as f64;
        let due = spent as f64 * factor.max(1.0).powi(i32::from(moves - length));
        (self.left, self.last) = (left, spent);
        let is_used = self.budget.saturating_sub(left) >= self.budget / Growth::SHARE;
        is_used && length >= 3 && length + 1 < moves && due > Growth::HOPELESS * left as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess_problem::goal::tests::{Random, small_position};

    #[test]
    fn a_search_of_many_moves_is_given_up_before_the_nodes_are_spent() {
        const NODES: u64 = 5_000;
        let asked = Stipulation::from_short("#9").expect("a stipulation");
        let (mut random, mut given_up) = (Random(79), 0);
        for _ in 0..40 {
            let position = small_position(&mut random);
            let budget = Budget::new(NODES, None);
            let found = find_keys(&position, asked, &budget).expect("not cancelled");
            given_up += u32::from(!found.complete && budget.left() > 0);
        }
        assert_eq!(given_up, 25, "searches that end with nodes left");
    }

    #[test]
    fn a_search_is_given_up_where_its_growth_asks_for_far_more_nodes() {
        // The nodes of the length before, of this one, and those that are left: ten times as many for each length.
        for (budget, last, spent, left, length, moves, due) in [
            (110, 10, 100, 9, 3, 5, true),
            (110, 10, 100, 10, 3, 5, false),
            (110, 10, 1_000, 1, 3, 4, false),
            (110, 10, 100, 9, 2, 5, false),
            (1_099, 0, 100, 999, 3, 5, true),
            (110, 100, 100, 1, 3, 5, false),
            (110, 1_000, 100, 1, 3, 9, false),
            (64_000, 10, 1_000, 63_000, 3, 9, true),
            (64_000, 10, 999, 63_001, 3, 9, false),
        ] {
            let mut growth = Growth { budget, left: left + spent, last };
            let case = (budget, last, spent, left, length, moves);
            assert_eq!(growth.is_hopeless(left, length, moves), due, "{case:?}");
            assert_eq!((growth.left, growth.last), (left, spent), "{case:?}");
        }
    }
}
