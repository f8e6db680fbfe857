//! How much a search may do.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// The work was used up.
    Budget,
    /// Somebody no longer wants to know.
    Cancelled,
}

/// A search's allowance. It counts work, not time, so that an answer does not depend on the machine;
/// a clock can only cancel.
pub struct Budget<'a> {
    left: Cell<u64>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Budget<'a> {
    /// So many nodes, and a flag that ends the search early.
    pub fn new(nodes: u64, cancel: Option<&'a AtomicBool>) -> Budget<'a> {
        Budget { left: Cell::new(nodes), cancel }
    }

    /// How many nodes are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Counts one node.
    #[inline]
    pub fn step(&self) -> Result<(), Undecided> {
        self.spend(1)
    }

    /// Looks at the flag alone: for work between whose nodes much time goes by.
    pub fn check_cancelled(&self) -> Result<(), Undecided> {
        match self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            true => Err(Undecided::Cancelled),
            false => Ok(()),
        }
    }

    /// Counts what is worth so many nodes.
    #[inline]
    pub fn spend(&self, nodes: u64) -> Result<(), Undecided> {
        let left = self.left.get();
        if left < nodes {
            self.left.set(0);
            return Err(Undecided::Budget);
        }
        self.left.set(left - nodes);
        // The flag is looked at once in a thousand nodes.
        let crossed = (left ^ (left - nodes)) >= 1024;
        if crossed && self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(Undecided::Cancelled);
        }
        Ok(())
    }
}
