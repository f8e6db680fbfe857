//! The limit of a search, in nodes.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The budget is used up.
    Budget,
    /// The flag was set.
    Cancelled,
}

/// The number of solutions of a chess problem that are listed unless a setting says otherwise.
pub const DEFAULT_MAX_SOLUTIONS: usize = 1_000;

/// How far a search is, for who waits for it. Another thread may read it.
#[derive(Debug, Default)]
pub struct SearchState {
    counts_moves: bool,
    nodes: u64,
    visited: AtomicU64,
    length: AtomicU32,
    done: AtomicU32,
    moves: AtomicU32,
    found: AtomicU32,
}

/// The first moves of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FirstMoves {
    /// The length of the solutions that are looked for, in moves; in half moves where both sides help.
    pub length: u32,
    /// How many moves were tried with this length.
    pub done: u32,
    /// How many there are.
    pub all: u32,
    /// The keys or solutions that were found.
    pub found: u32,
}

impl SearchState {
    /// The state of a search that has not begun. Only one that `counts_moves` has first moves.
    pub fn new(nodes: u64, counts_moves: bool) -> SearchState {
        SearchState { counts_moves, nodes, ..SearchState::default() }
    }

    /// The budget in nodes, and about how many of them were visited.
    pub fn nodes(&self) -> (u64, u64) {
        (self.nodes, self.visited.load(Ordering::Relaxed).min(self.nodes))
    }

    /// The first moves; none where the search has no list of them.
    pub fn first_moves(&self) -> FirstMoves {
        let [length, done, all, found] =
            [&self.length, &self.done, &self.moves, &self.found].map(|n| n.load(Ordering::Relaxed));
        FirstMoves { length, done, all, found }
    }
}

/// Every how many nodes a search looks whether it is to end.
const INTERVAL: u64 = 1024;

/// The nodes that a search may visit, and a flag that cancels it.
///
/// Nodes and not time are counted, so that an answer does not depend on the machine. A time limit can only set the
/// flag.
pub struct Budget<'a> {
    left: Cell<u64>,
    cancel: Option<&'a AtomicBool>,
    watch: Option<(&'a AtomicBool, &'a SearchState)>,
    max_solutions: usize,
    at_least: Cell<u128>,
}

impl<'a> Budget<'a> {
    /// A budget of `nodes`. If another thread sets `cancel`, the search ends with [`Undecided::Cancelled`].
    pub fn new(nodes: u64, cancel: Option<&'a AtomicBool>) -> Budget<'a> {
        Budget {
            left: Cell::new(nodes),
            cancel,
            watch: None,
            max_solutions: DEFAULT_MAX_SOLUTIONS,
            at_least: Cell::new(0),
        }
    }

    /// The same with another number of solutions that a list has at most.
    #[must_use]
    pub fn with_max_solutions(self, max_solutions: usize) -> Budget<'a> {
        Budget { max_solutions, ..self }
    }

    /// The same budget for a search that reports its progress in `state`. If another thread sets `stop`, the search ends as if
    /// it had used up its nodes, so that it keeps what it has found.
    #[must_use]
    pub fn watched(self, stop: &'a AtomicBool, state: &'a SearchState) -> Self {
        if stop.load(Ordering::Relaxed) {
            self.left.set(0);
        }
        Budget { watch: Some((stop, state)), ..self }
    }

    /// Tells how far the list of first moves is.
    pub(super) fn tell(&self, length: usize, done: usize, all: usize, found: usize) {
        let Some((_, state)) = self.watch.filter(|(_, state)| state.counts_moves) else { return };
        let told = [(&state.length, length), (&state.done, done), (&state.moves, all), (&state.found, found)];
        told.into_iter().for_each(|(counter, n)| counter.store(n as u32, Ordering::Relaxed));
    }

    /// Tells how many solutions a count had found when its nodes were used up.
    pub(super) fn tell_at_least(&self, solutions: u128) {
        self.at_least.set(solutions);
    }

    /// How many solutions there are at the least, where a count of them used up the nodes; otherwise 0.
    pub fn at_least(&self) -> u128 {
        self.at_least.get()
    }

    /// The number of solutions that a list has at most.
    pub fn max_solutions(&self) -> usize {
        self.max_solutions
    }

    /// The number of nodes that are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Runs a search that may take at most some of the nodes that are left.
    pub fn within<T>(&self, nodes: u64, run: impl FnOnce() -> T) -> T {
        let left = self.left.get();
        let part = nodes.min(left);
        self.left.set(part);
        let result = run();
        self.left.set(left - (part - self.left.get()));
        result
    }

    /// Counts one node.
    ///
    /// # Errors
    /// See [`Budget::spend`].
    #[inline]
    pub fn step(&self) -> Result<(), Undecided> {
        self.spend(1)
    }

    /// Checks the flag without counting a node: for loops that take long between two nodes.
    ///
    /// # Errors
    /// [`Undecided::Cancelled`] if the flag is set; [`Undecided::Budget`] if the search was stopped.
    pub fn check_cancelled(&self) -> Result<(), Undecided> {
        if self.watch.is_some_and(|(stop, _)| stop.load(Ordering::Relaxed)) {
            self.left.set(0);
            return Err(Undecided::Budget);
        }
        match self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            true => Err(Undecided::Cancelled),
            false => Ok(()),
        }
    }

    /// Counts some nodes. The flags are read once in about 1024 nodes.
    ///
    /// # Errors
    /// [`Undecided::Budget`] if fewer nodes are left; then none is left. [`Undecided::Cancelled`] if the flag is set.
    #[inline]
    pub fn spend(&self, nodes: u64) -> Result<(), Undecided> {
        let left = self.left.get();
        if left < nodes {
            self.left.set(0);
            return Err(Undecided::Budget);
        }
        self.left.set(left - nodes);
        // Reading the flag at every node would cost too much.
        let crossed = (left ^ (left - nodes)) >= INTERVAL;
        if crossed { self.look_up() } else { Ok(()) }
    }

    /// Tells the nodes, and checks the flags.
    #[cold]
    fn look_up(&self) -> Result<(), Undecided> {
        if let Some((_, state)) = self.watch {
            state.visited.fetch_add(INTERVAL, Ordering::Relaxed);
        }
        self.check_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_node_can_be_spent_and_no_other() {
        for (nodes, spent, due, left) in [
            (5, 2, Ok(()), 3),
            (5, 5, Ok(()), 0),
            (5, 6, Err(Undecided::Budget), 0),
            (0, 0, Ok(()), 0),
            (0, 1, Err(Undecided::Budget), 0),
        ] {
            let budget = Budget::new(nodes, None);
            assert_eq!((budget.spend(spent), budget.left()), (due, left), "{spent} of {nodes}");
        }
        let budget = Budget::new(5, None).with_max_solutions(7);
        budget.tell_at_least(9);
        assert_eq!((budget.max_solutions(), budget.at_least()), (7, 9));
        assert_eq!((Budget::new(5, None).max_solutions(), budget.left()), (DEFAULT_MAX_SOLUTIONS, 5));
    }

    #[test]
    fn a_part_of_the_nodes_is_taken_from_all() {
        let budget = Budget::new(10, None);
        for (part, open, spent, left) in [(4, 4, 3, 7), (20, 7, 5, 2), (1, 1, 2, 1)] {
            budget.within(part, || {
                assert_eq!(budget.left(), open);
                let _ = budget.spend(spent);
            });
            assert_eq!(budget.left(), left, "{spent} of a part of {part}");
        }
    }

    #[test]
    fn first_moves_are_told_where_they_are_counted() {
        let stop = AtomicBool::new(false);
        for (counts, due) in
            [(true, FirstMoves { length: 3, done: 4, all: 5, found: 6 }), (false, FirstMoves::default())]
        {
            let state = SearchState::new(9, counts);
            Budget::new(9, None).watched(&stop, &state).tell(3, 4, 5, 6);
            assert_eq!(state.first_moves(), due);
        }
    }

    #[test]
    fn flags_are_read_once_in_an_interval() {
        let (flag, state) = (AtomicBool::new(false), SearchState::new(9_000, true));
        let budget = Budget::new(9_000, Some(&flag)).watched(&flag, &state);
        (0..5_000).for_each(|_| budget.step().expect("no flag is set"));
        assert_eq!(state.nodes(), (9_000, 5 * INTERVAL));
        for (budget, due) in [
            (Budget::new(9_000, Some(&flag)), Undecided::Cancelled),
            (Budget::new(9_000, None).watched(&flag, &state), Undecided::Budget),
        ] {
            flag.store(true, Ordering::Relaxed);
            let ended = (0..=INTERVAL).find_map(|_| budget.step().err());
            assert_eq!((ended, budget.left() > 0), (Some(due), due == Undecided::Cancelled));
            flag.store(false, Ordering::Relaxed);
        }
    }
}
