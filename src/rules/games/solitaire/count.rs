//! The number of solutions and the number of distinct sets of captures, both exact.
//!
//! Solutions are counted by dynamic programming over states. Sets are collected in a second pass through the states with a
//! solution, depth first, that leaves out what only changes the order of captures: sleep sets (P. Godefroid, Partial-Order
//! Methods for the Verification of Concurrent Systems, 1996).

use core::time::Duration;
use std::sync::{Mutex, MutexGuard, TryLockError};

use rustc_hash::FxHashMap;

use crate::games::budget::{Budget, Undecided};
use crate::games::solitaire::graph::{Cells, Graph, State, bits};

/// The cost of a state in nodes.
const NODES_A_STATE: u64 = 4;

/// Steps of the second pass that count as one node.
const STEPS_A_NODE: u64 = 64;

/// The words of 8 bytes that are stored, and how many of them states and their captures take at most. A count that needs more
/// is undecided. Any ten pieces of a 4×4 board need less.
const MAX_WORDS: usize = 25 << 20;
const MAX_STATE_WORDS: usize = 8 << 20;
const MAX_CAPTURES: usize = 4 << 20;

/// Sets that are stored before those that are there more than once are taken out.
const MIN_ROOM: usize = 1 << 14;

/// Counts that store more words than this run one at a time, so that their memory does not add up.
const LARGE_WORDS: usize = 1 << 20;

/// A count that is alone as long as this lives.
type Alone = MutexGuard<'static, ()>;

static LARGE: Mutex<()> = Mutex::new(());

/// The interval in which a waiting count tries again.
const PAUSE: Duration = Duration::from_millis(2);

/// The number of solutions and of distinct sets. The second is `None` if the budget ran out for it alone; each is `None`
/// beyond 128 bits.
///
/// `K` is the number of words of a set: 1 for up to 16 slots, of four bits each; else the words for eight bits each. `M` is
/// the number of words that have a bit for each capture, from each slot to each slot.
pub(super) fn count<const W: usize, const K: usize, const M: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
) -> Result<(Option<u128>, Option<u128>), Undecided> {
    let mut solutions = Solutions::new(graph, budget, true);
    let (count, index) = solutions.count_all()?;
    // All other states are known by their indices.
    solutions.indices = FxHashMap::default();
    if index == SOLVED || count == 0 {
        return Ok((exact(count), exact(count)));
    }
    if !solutions.lists_captures {
        return exact(count).map_or(Err(Undecided::Budget), |count| Ok((Some(count), None)));
    }
    match Sets::<W, K, M>::new(solutions).count(index) {
        Ok(sets) => Ok((exact(count), Some(sets as u128))),
        Err(Undecided::Budget) if count < u128::MAX => Ok((Some(count), None)),
        Err(why) => Err(why),
    }
}

/// The number of solutions alone. `None` for a number beyond 128 bits.
pub(super) fn count_solutions<const W: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
) -> Result<Option<u128>, Undecided> {
    Solutions::new(graph, budget, false).count_all().map(|(count, _)| exact(count))
}

/// A number that was counted; a number beyond 128 bits was counted as the greatest.
fn exact(count: u128) -> Option<u128> {
    (count < u128::MAX).then_some(count)
}

/// The number of a capture.
fn number<const W: usize>(from: usize, to: usize) -> usize {
    from * 16 * W + to
}

fn set_bit<const M: usize>(captures: &mut [u64; M], i: usize) {
    captures[i / 64] |= 1 << (i % 64);
}

fn has_bit<const M: usize>(captures: &[u64; M], i: usize) -> bool {
    captures[i / 64] >> (i % 64) & 1 != 0
}

/// What is known of a state.
struct Known {
    /// The number of solutions: the high and the low word.
    count: [u64; 2],
    /// The place of the first of the captures that keep a solution in `Solutions::captures`.
    first: u32,
    /// How many there are.
    captures: u16,
}

/// The index in `Solutions::known` of all states with one piece.
const SOLVED: u32 = 0;

/// A capture that keeps a solution, and the index of the state after it.
#[derive(Clone, Copy)]
struct Step {
    capture: u16,
    next: u32,
}

/// Counts solutions.
struct Solutions<'g, const W: usize> {
    graph: &'g Graph<W>,
    budget: &'g Budget<'g>,
    /// The indices of states in `known`.
    indices: FxHashMap<Cells<W>, u32>,
    known: Vec<Known>,
    /// The captures that keep a solution, by state, if they are listed.
    captures: Vec<Step>,
    lists_captures: bool,
    /// The captures of the states between the first and the current one.
    pending: Vec<Step>,
    /// Held once there are many states.
    alone: Option<Alone>,
}

impl<'g, const W: usize> Solutions<'g, W> {
    fn new(graph: &'g Graph<W>, budget: &'g Budget<'g>, lists_captures: bool) -> Solutions<'g, W> {
        Solutions {
            graph,
            budget,
            indices: FxHashMap::default(),
            known: vec![Known { count: [0, 1], first: 0, captures: 0 }],
            captures: Vec::new(),
            lists_captures,
            pending: Vec::new(),
            alone: None,
        }
    }

    /// The number of solutions of the first state, and its index; those that were counted are told where the budget runs out.
    fn count_all(&mut self) -> Result<(u128, u32), Undecided> {
        let mut counted = 0;
        let index = self.count(self.graph.start(), &mut counted);
        if index == Err(Undecided::Budget) {
            self.budget.tell_at_least(counted);
        }
        index.map(|index| (self.count_of(index), index))
    }

    /// The words that are stored once all is counted.
    fn words(&self) -> usize {
        3 * self.known.capacity() + self.captures.capacity()
    }

    fn count_of(&self, index: u32) -> u128 {
        let [high, low] = self.known[index as usize].count;
        u128::from(high) << 64 | u128::from(low)
    }

    /// The index of a state whose solutions are counted; `counted` grows meanwhile.
    fn count(&mut self, state: State<W>, counted: &mut u128) -> Result<u32, Undecided> {
        if state.solved() {
            return Ok(SOLVED);
        }
        if let Some(&index) = self.indices.get(&state.cells) {
            return Ok(index);
        }
        self.budget.spend(NODES_A_STATE * self.graph.cost())?;
        let words = self.known.len() * (W + 4);
        if words > MAX_STATE_WORDS {
            return Err(Undecided::Budget);
        }
        if self.captures.len() > MAX_CAPTURES {
            // The sets are not counted then.
            (self.lists_captures, self.captures, self.pending) = (false, Vec::new(), Vec::new());
        }
        if self.alone.is_none() && words + self.captures.len() > LARGE_WORDS {
            self.alone = Some(alone(self.budget)?);
        }
        let (mut count, pending) = (0u128, self.pending.len());
        if !self.graph.hopeless(&state) {
            for from in bits(state.occupied) {
                for to in bits(self.graph.targets(&state, from)) {
                    let mut part = 0;
                    let next = self.count(self.graph.after(&state, from, to), &mut part);
                    let n = next.map_or(part, |next| self.count_of(next));
                    count = count.saturating_add(n);
                    *counted = count;
                    let next = next?;
                    if self.lists_captures && n > 0 {
                        self.pending.push(Step { capture: number::<W>(from, to) as u16, next });
                    }
                }
            }
        }
        let listed = self.pending.drain(pending.min(self.pending.len())..);
        let known = Known {
            count: [(count >> 64) as u64, count as u64],
            first: self.captures.len() as u32,
            captures: listed.len() as u16,
        };
        self.captures.extend(listed);
        let index = self.known.len() as u32;
        self.known.push(known);
        self.indices.insert(state.cells, index);
        Ok(index)
    }
}

/// A set of captures: for each slot the slot of its target. A solution leaves each slot at most once.
type Set<const K: usize> = [u64; K];

/// Collects sets.
///
/// Proof that none is lost. The captures of a state are tried in one order. Let `a` come before `b` there. A solution that
/// begins with `b` and makes `a` later has the same set as one that begins with `a`, if none of the captures before `a` has a
/// square of `a`: such captures change neither whether `a` is possible nor what it does; made first, `a` empties a square that
/// no other of them needs, and an empty square hinders none. So `a` sleeps after `b` until a capture has one of its squares.
///
/// Captures on the same square as `a` change nothing either if in the end the square has the same piece, because no piece leaves
/// it meanwhile. It has if the last of these captures was by a piece like that of `a`: then `a` sleeps on. It has, too, if another
/// capture on that square comes after `a`. So otherwise `a` is drowsy: if it is made, the square is closed. (A king that may not be
/// captured makes the last capture on a square anyway.)
///
/// Of the solutions with one set, the first in the order of the search is never left out, because what is left out has a solution
/// with the same set before it.
struct Sets<'g, const W: usize, const K: usize, const M: usize> {
    solutions: Solutions<'g, W>,
    /// The captures from a slot or to it.
    touching: Vec<[u64; M]>,
    /// The captures to a slot.
    into: Vec<[u64; M]>,
    /// The sets, with some of them more than once.
    found: Vec<Set<K>>,
    /// How many there may be before those that are there more than once are taken out.
    room: usize,
    steps: u64,
}

/// What is left out below a state.
struct LeftOut<const M: usize> {
    asleep: [u64; M],
    drowsy: [u64; M],
    /// Slots to which no capture is made any more.
    closed: u64,
}

impl<'g, const W: usize, const K: usize, const M: usize> Sets<'g, W, K, M> {
    fn new(solutions: Solutions<'g, W>) -> Sets<'g, W, K, M> {
        let of_each_slot = |add: fn(&mut [u64; M], usize, usize)| {
            let of_slot = |slot| {
                let mut captures = [0; M];
                (0..16 * W).for_each(|other| add(&mut captures, slot, other));
                captures
            };
            (0..solutions.graph.len()).map(of_slot).collect::<Vec<_>>()
        };
        let into = of_each_slot(|captures, slot, other| set_bit(captures, number::<W>(other, slot)));
        let touching = of_each_slot(|captures, slot, other| {
            set_bit(captures, number::<W>(other, slot));
            set_bit(captures, number::<W>(slot, other));
        });
        Sets { solutions, touching, into, found: Vec::new(), room: MIN_ROOM, steps: 0 }
    }

    /// The number of sets of the first state, whose index is given.
    fn count(&mut self, index: u32) -> Result<usize, Undecided> {
        let first = (self.solutions.graph.start(), index);
        self.collect(first, &LeftOut { asleep: [0; M], drowsy: [0; M], closed: 0 }, [0; K])?;
        self.merge();
        Ok(self.found.len())
    }

    /// Collects the sets of a state, whose index is given, joined with the captures `made` before.
    fn collect(
        &mut self,
        (state, index): (State<W>, u32),
        left_out: &LeftOut<M>,
        made: Set<K>,
    ) -> Result<(), Undecided> {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_A_NODE) {
            self.solutions.budget.step()?;
        }
        if index == SOLVED {
            return self.keep(made);
        }
        let Known { first, captures, .. } = self.solutions.known[index as usize];
        let mut earlier = left_out.asleep;
        for i in first as usize..first as usize + usize::from(captures) {
            let Step { capture, next } = self.solutions.captures[i];
            let capture = usize::from(capture);
            let (from, to) = (capture / (16 * W), capture % (16 * W));
            if !has_bit(&left_out.asleep, capture) && left_out.closed >> to & 1 == 0 {
                let graph = self.solutions.graph;
                let (a, b, into) = (&self.touching[from], &self.touching[to], &self.into[to]);
                let drowsy = &left_out.drowsy;
                let mut below = LeftOut {
                    asleep: std::array::from_fn(|w| earlier[w] & !(a[w] | b[w])),
                    drowsy: std::array::from_fn(|w| drowsy[w] & !(a[w] | b[w])),
                    closed: left_out.closed | u64::from(has_bit(drowsy, capture)) << to,
                };
                for w in 0..M {
                    for bit in bits((drowsy[w] | earlier[w]) & into[w] & !a[w]) {
                        let other = w * 64 + bit;
                        let is_alike = graph.leaves_alike(&state, from, other / (16 * W));
                        set_bit(if is_alike { &mut below.asleep } else { &mut below.drowsy }, other);
                    }
                }
                let bits_a_slot = if K == 1 { 4 } else { 8 };
                let mut made = made;
                made[from * bits_a_slot / 64] |= (to as u64) << (from * bits_a_slot % 64);
                self.collect((graph.after(&state, from, to), next), &below, made)?;
            }
            set_bit(&mut earlier, capture);
        }
        Ok(())
    }

    fn keep(&mut self, set: Set<K>) -> Result<(), Undecided> {
        if self.found.len() == self.room {
            self.solutions.budget.check_cancelled()?;
            self.merge();
            let max = (MAX_WORDS - self.solutions.words()) / K;
            self.room = (2 * self.found.len()).max(MIN_ROOM).min(max);
            // Merging often without finding more takes too long.
            if self.found.len() > max / 5 * 4 {
                return Err(Undecided::Budget);
            }
            self.found.reserve_exact(self.room - self.found.len());
        }
        self.found.push(set);
        Ok(())
    }

    fn merge(&mut self) {
        self.found.sort_unstable();
        self.found.dedup();
    }
}

/// Waits until no other large count runs.
fn alone(budget: &Budget<'_>) -> Result<Alone, Undecided> {
    loop {
        match LARGE.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(guard)) => return Ok(guard.into_inner()),
            Err(TryLockError::WouldBlock) => {
                budget.check_cancelled()?;
                std::thread::park_timeout(PAUSE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Colour, Kind, Piece, Rights, Size};
    use crate::games::game::{Dialect, Position};
    use proptest::prelude::*;

    fn positions() -> impl Strategy<Value = Position> {
        let cells = prop::collection::vec(prop::option::weighted(0.55, 0..6_usize), 16);
        (cells, 0..3_usize).prop_map(|(cells, dialect)| {
            let mut board = Board::empty(Size::flat(4, 4));
            let pieces = cells.iter().map(|kind| kind.map(|kind| Piece::white(Kind::ALL[kind])));
            // Counts of ten pieces take long without optimization.
            let mut left = 9;
            for (cell, piece) in board.cells.iter_mut().zip(pieces) {
                *cell = piece.filter(|_| left > 0);
                left -= usize::from(cell.is_some());
            }
            let (turn, dialect, rights) = (Colour::White, Dialect::ALL[dialect], Rights::default());
            Position { board, turn, dialect, rights }
        })
    }

    /// The solutions of queens that fill a board, and their sets of captures: by the squares that are left, from one square to all.
    fn plain(w: usize, h: usize, asks_for_sets: bool) -> (u128, usize) {
        let squares = w * h;
        let targets = |men: usize, from: usize| {
            let mut found = Vec::new();
            for (dx, dy) in (0..9).map(|way| (way % 3 - 1, way / 3 - 1)).filter(|&way| way != (0, 0)) {
                let (mut x, mut y) = ((from % w) as isize + dx, (from / w) as isize + dy);
                while (0..w as isize).contains(&x) && (0..h as isize).contains(&y) {
                    let to = x as usize + y as usize * w;
                    if men >> to & 1 != 0 {
                        found.push(to);
                        break;
                    }
                    (x, y) = (x + dx, y + dy);
                }
            }
            found
        };
        let mut counts = vec![0u128; 1 << squares];
        // Four bits for the target of each square.
        let mut sets: Vec<Vec<u64>> = vec![Vec::new(); 1 << squares];
        for men in 1..1usize << squares {
            if men & (men - 1) == 0 {
                counts[men] = 1;
                sets[men].push(0);
                continue;
            }
            let mut found = Vec::new();
            for from in (0..squares).filter(|from| men >> from & 1 != 0) {
                for to in targets(men, from) {
                    let left = men & !(1 << from);
                    counts[men] += counts[left];
                    if asks_for_sets {
                        found.extend(sets[left].iter().map(|set| set | (to as u64) << (4 * from)));
                    }
                }
            }
            found.sort_unstable();
            found.dedup();
            sets[men] = found;
        }
        (counts[(1 << squares) - 1], sets[(1 << squares) - 1].len())
    }

    fn queens(w: u8, h: u8) -> Position {
        let mut board = Board::empty(Size::flat(w, h));
        board.cells.fill(Some(Piece::white(Kind::Queen)));
        let (turn, rights) = (Colour::White, Rights::default());
        Position { board, turn, dialect: Dialect::Default, rights }
    }

    /// Sets that need more room than there is at first are there once, and a number of solutions has two words.
    #[test]
    fn boards_full_of_queens_have_the_counts_of_a_plain_recursion() {
        let unlimited = Budget::new(u64::MAX, None);
        for (w, h) in [(2, 2), (3, 2), (4, 2)] {
            let (solutions, sets) = plain(w.into(), h.into(), true);
            let found = count::<1, 1, 4>(&Graph::new(&queens(w, h)), &unlimited);
            assert_eq!(found, Ok((Some(solutions), Some(sets as u128))), "{w} by {h}");
        }
        let (solutions, _) = plain(4, 4, false);
        assert!(solutions > 1 << 64);
        let graph = Graph::<1>::new(&queens(4, 4));
        assert_eq!(count_solutions(&graph, &unlimited), Ok(Some(solutions)));
        // The nodes suffice for the solutions, and not for the sets.
        let budget = Budget::new(300_000, None);
        assert_eq!(count::<1, 1, 4>(&graph, &budget), Ok((Some(solutions), None)));
    }

    #[test]
    fn the_greatest_number_stands_for_all_beyond() {
        assert_eq!([exact(u128::MAX), exact(u128::MAX - 1)], [None, Some(u128::MAX - 1)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Boards of more pieces have more words for each state and set; what is counted must not depend on them.
        #[test]
        fn counts_are_the_same_with_more_words(position in positions()) {
            prop_assume!(position.board.count() > 0);
            let budget = Budget::new(u64::MAX, None);
            let small = count::<1, 1, 4>(&Graph::new(&position), &budget);
            prop_assert_eq!(small, count::<2, 4, 16>(&Graph::new(&position), &budget));
            prop_assert_eq!(small, count::<4, 8, 64>(&Graph::new(&position), &budget));
        }

        /// A count that uses up its budget says how many solutions there are at the least.
        #[test]
        fn bounds_of_undecided_counts_hold(position in positions(), nodes in 1..5_000_u64) {
            prop_assume!(position.board.count() > 0);
            let graph = Graph::<1>::new(&position);
            let all = count_solutions(&graph, &Budget::new(u64::MAX, None)).expect("no limit").expect("128 bits");
            let budget = Budget::new(nodes, None);
            match count_solutions(&graph, &budget) {
                Ok(count) => prop_assert_eq!((count, budget.at_least()), (Some(all), 0)),
                Err(_) => prop_assert!(budget.at_least() <= all),
            }
        }
    }
}
