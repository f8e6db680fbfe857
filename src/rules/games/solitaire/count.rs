//! The number of solutions and the number of distinct sets of captures, both exact.
//!
//! Sequences are counted by dynamic programming over states. Sets are listed for each state with a
//! solution, from the states of two pieces up: the sets after each capture, joined with it, are merged.
//! A solution leaves each square at most once, so a set has one target for each slot, in four or eight
//! bits: an exact key.

use core::ops::Range;
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, TryLockError};

use rustc_hash::FxHashMap;

use crate::games::budget::{Budget, Undecided};
use crate::games::solitaire::graph::{Cells, Graph, State, bits};

/// Merging this many sets counts as one node.
const SETS_A_NODE: usize = 96;

/// Words of sets that are stored at a time. A count that needs more is undecided. Any ten pieces of a
/// 4×4 board need fewer.
const MAX_WORDS: usize = 1 << 26;

/// Words of states that are stored.
const MAX_STATE_WORDS: usize = 1 << 24;

/// Counts that store more words than this run one at a time, so that their memory does not add up.
const LARGE_WORDS: usize = 1 << 20;

/// A count that is alone as long as this lives.
type Alone = MutexGuard<'static, ()>;

static LARGE: Mutex<()> = Mutex::new(());

/// The interval in which a waiting count tries again.
const PAUSE: Duration = Duration::from_millis(2);

/// The cost of a state in nodes: it is stored with its sets.
const NODES_A_STATE: u64 = 4;

/// Sets that are merged in one pass.
const CHUNK: usize = 1 << 20;

/// The number of solutions and of distinct sets. The second is `None` if the budget ran out for it alone.
///
/// `K` is the number of words of the key of a set: 1 for up to 16 slots, of four bits each; else the words for
/// eight bits each.
pub(super) fn count<const W: usize, const K: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
) -> Result<(Option<u128>, Option<u128>), Undecided> {
    let mut sequences = Sequences { graph, budget, known: FxHashMap::default(), alone: None };
    // The sets need the same states and cost more: if this runs out of budget, so would they.
    let count = sequences.count(graph.start())?;
    if graph.start().solved() || count == Some(0) {
        return Ok((count, count));
    }
    let Sequences { known, alone, .. } = sequences;
    match distinct::<W, K>(graph, budget, known, alone) {
        Ok(n) => Ok((count, Some(n as u128))),
        Err(Undecided::Budget) if count.is_some() => Ok((count, None)),
        Err(why) => Err(why),
    }
}

/// The number of solutions alone. `None` for a number beyond 128 bits.
pub(super) fn count_solutions<const W: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
) -> Result<Option<u128>, Undecided> {
    Sequences { graph, budget, known: FxHashMap::default(), alone: None }.count(graph.start())
}

/// The number of solutions of a state with more than one piece, and its occupied slots.
struct Known {
    occupied: u64,
    /// `None` for a number beyond 128 bits.
    count: Option<u128>,
}

struct Sequences<'g, const W: usize> {
    graph: &'g Graph<W>,
    budget: &'g Budget<'g>,
    known: FxHashMap<Cells<W>, Known>,
    /// Held once there are many states.
    alone: Option<Alone>,
}

impl<const W: usize> Sequences<'_, W> {
    fn count(&mut self, state: State<W>) -> Result<Option<u128>, Undecided> {
        if state.solved() {
            return Ok(Some(1));
        }
        if let Some(known) = self.known.get(&state.cells) {
            return Ok(known.count);
        }
        self.budget.spend(NODES_A_STATE * self.graph.cost())?;
        if self.known.len() * (2 * W + 6) > MAX_STATE_WORDS {
            return Err(Undecided::Budget);
        }
        if self.alone.is_none() && self.known.len() * (W + 5) > LARGE_WORDS {
            self.alone = Some(alone(self.budget)?);
        }
        let mut count = Some(0u128);
        if !self.graph.hopeless(&state) {
            for from in bits(state.occupied) {
                for to in bits(self.graph.targets(&state, from)) {
                    let n = self.count(self.graph.after(&state, from, to))?;
                    count = count.zip(n).and_then(|(a, b)| a.checked_add(b));
                }
            }
        }
        self.known.insert(state.cells, Known { occupied: state.occupied, count });
        Ok(count)
    }
}

/// The sets of the states of one number of pieces. They are in one vector: large ones go back to the system as soon as
/// they are dropped, whereas the memory of many small ones would stay with the process.
struct Layer<const W: usize, const K: usize> {
    sets: Vec<Set<K>>,
    /// The range of the sets of each state.
    of: FxHashMap<Cells<W>, Range<usize>>,
}

/// A set of captures: for each slot the slot of its target.
type Set<const K: usize> = [u64; K];

fn distinct<const W: usize, const K: usize>(
    graph: &Graph<W>,
    budget: &Budget<'_>,
    known: FxHashMap<Cells<W>, Known>,
    mut large: Option<Alone>,
) -> Result<usize, Undecided> {
    // Each capture leads to a state of one piece less, so only two neighbouring layers are stored.
    let mut layers: Vec<Vec<State<W>>> = vec![Vec::new(); graph.len() + 1];
    for (cells, Known { occupied, .. }) in known.into_iter().filter(|(_, k)| k.count != Some(0)) {
        layers[occupied.count_ones() as usize].push(State { cells, occupied });
    }
    let bits_a_slot = if K == 1 { 4 } else { 8 };
    let goal = graph.start().cells;
    let mut below: Layer<W, K> = Layer { sets: Vec::new(), of: FxHashMap::default() };
    for layer in layers.into_iter().skip(2) {
        let mut here = Layer { sets: Vec::new(), of: FxHashMap::default() };
        for state in layer {
            let mut runs = Vec::new();
            for from in bits(state.occupied) {
                let (word, shift) = (from * bits_a_slot / 64, from * bits_a_slot % 64);
                for to in bits(graph.targets(&state, from)) {
                    let next = graph.after(&state, from, to);
                    let mut capture = [0; K];
                    capture[K - 1 - word] = (to as u64) << shift;
                    match below.of.get(&next.cells) {
                        Some(range) => runs.push(Run { capture, sets: &below.sets[range.clone()] }),
                        None if next.solved() => runs.push(Run { capture, sets: &[[0; K]] }),
                        None => {}
                    }
                }
            }
            budget.spend(1 + (runs.iter().map(|r| r.sets.len()).sum::<usize>() / SETS_A_NODE) as u64)?;
            if state.cells == goal {
                let mut count = 0;
                merge(runs, budget, |sets| count += sets.len())?;
                return Ok(count);
            }
            let first = here.sets.len();
            merge(runs, budget, |sets| here.sets.extend_from_slice(sets))?;
            let kept = here.sets.len() * K;
            if kept > LARGE_WORDS && large.is_none() {
                large = Some(alone(budget)?);
            }
            if kept > MAX_WORDS {
                return Err(Undecided::Budget);
            }
            here.of.insert(state.cells, first..here.sets.len());
        }
        below = here;
    }
    Ok(0)
}

/// Sorted sets and a capture of a slot that is empty in all of them: joined with it, they stay sorted.
struct Run<'s, const K: usize> {
    capture: Set<K>,
    sets: &'s [Set<K>],
}

impl<const K: usize> Run<'_, K> {
    fn at(&self, i: usize) -> Set<K> {
        joined(&self.sets[i], &self.capture)
    }
}

fn joined<const K: usize>(set: &Set<K>, capture: &Set<K>) -> Set<K> {
    std::array::from_fn(|w| set[w] | capture[w])
}

/// Passes the union of runs to `take`, in order, without duplicates and in parts: the runs together may be many
/// times as large as their union.
fn merge<const K: usize>(
    mut runs: Vec<Run<'_, K>>,
    budget: &Budget<'_>,
    mut take: impl FnMut(&[Set<K>]),
) -> Result<(), Undecided> {
    let mut part: Vec<Set<K>> = Vec::new();
    while !runs.is_empty() {
        budget.check_cancelled()?;
        // The part ends at the least set at which the share of a run ends: the shares have all smaller ones.
        let share = (CHUNK / runs.len()).max(1);
        let ends = runs.iter().filter(|r| r.sets.len() > share).map(|r| r.at(share));
        let end = ends.min();
        part.clear();
        for run in &mut runs {
            let n = match end {
                Some(end) => {
                    let capture = run.capture;
                    let within = &run.sets[..run.sets.len().min(share)];
                    within.partition_point(|set| joined(set, &capture) < end)
                }
                None => run.sets.len(),
            };
            part.extend((0..n).map(|i| run.at(i)));
            run.sets = &run.sets[n..];
        }
        // The part is a sequence of sorted runs, which this sort merges.
        part.sort();
        part.dedup();
        take(&part);
        runs.retain(|r| !r.sets.is_empty());
    }
    Ok(())
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
