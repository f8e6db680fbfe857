//! The limit of a search, in nodes.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// The nodes that a search may visit, and a flag that cancels it.
///
/// Nodes and not time are counted, so that an answer does not depend on the machine. A time limit can only set the
/// flag.
pub struct Budget<'a> {
    left: Cell<u64>,
    cancel: Option<&'a AtomicBool>,
    max_solutions: usize,
}

impl<'a> Budget<'a> {
    /// A budget of `nodes`. If another thread sets `cancel`, the search ends with [`Undecided::Cancelled`].
    pub fn new(nodes: u64, cancel: Option<&'a AtomicBool>) -> Budget<'a> {
        Budget { left: Cell::new(nodes), cancel, max_solutions: DEFAULT_MAX_SOLUTIONS }
    }

    /// The same with another number of solutions that a list has at most.
    #[must_use]
    pub fn with_max_solutions(self, max_solutions: usize) -> Budget<'a> {
        Budget { max_solutions, ..self }
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
    /// [`Undecided::Cancelled`] if the flag is set.
    pub fn check_cancelled(&self) -> Result<(), Undecided> {
        match self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            true => Err(Undecided::Cancelled),
            false => Ok(()),
        }
    }

    /// Counts some nodes. The flag is read once in about 1024 nodes.
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
        let crossed = (left ^ (left - nodes)) >= 1024;
        if crossed && self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(Undecided::Cancelled);
        }
        Ok(())
    }
}
