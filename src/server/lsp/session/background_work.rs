//! Limits the searches in files that are not open, all of them together, so that a folder cannot keep the machine busy.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::lsp::session::limits::MAX_BACKGROUND_NODES;
use crate::lsp::session::outbox::Outbox;

/// Counts the nodes of slow searches for files that are not open.
#[derive(Default)]
pub(crate) struct BackgroundWork {
    nodes: AtomicU64,
    is_told: AtomicBool,
}

impl BackgroundWork {
    /// Counts a search.
    pub fn add(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Whether no further search may start. The user is told once.
    pub fn is_used_up(&self, outbox: &Outbox) -> bool {
        let is_used_up = self.nodes.load(Ordering::Relaxed) >= MAX_BACKGROUND_NODES;
        if is_used_up && !self.is_told.swap(true, Ordering::Relaxed) {
            outbox.warn_user(
                "cpz stops searching in files that are not open: this folder needs too much work. \
                 Open a file to have all of it checked, or run `cpz check`."
                    .into(),
            );
        }
        is_used_up
    }

    /// Begins again, with other folders.
    pub fn reset(&self) {
        self.nodes.store(0, Ordering::Relaxed);
        self.is_told.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn background_work_ends_at_its_limit_and_begins_again_with_other_folders() {
        let (work, outbox) = (BackgroundWork::default(), Outbox::default());
        work.add(MAX_BACKGROUND_NODES - 1);
        assert!(!work.is_used_up(&outbox));
        work.add(1);
        assert!(work.is_used_up(&outbox) && work.is_used_up(&outbox));
        assert_eq!(outbox.notices(), 1, "the user is told once");
        work.reset();
        assert!(!work.is_used_up(&outbox));
    }
}
