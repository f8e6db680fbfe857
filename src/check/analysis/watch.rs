//! A user who waits for searches sees their progress and can stop them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cpz_rules::games::{Budget, SearchState};

/// The searches that run, for who waits for them, and a flag that stops them. A search that is stopped ends as if its budget
/// were used up, so what it has proved is kept.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    searches: Mutex<Vec<Arc<SearchState>>>,
}

impl Watch {
    /// Stops all searches, those that have not begun as well.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the searches were stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The search that has run for the longest time. One that waits for another, which it needs first, has not visited a node.
    pub fn oldest(&self) -> Option<Arc<SearchState>> {
        let searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        let has_begun = |search: &&Arc<SearchState>| search.nodes().1 > 0;
        searches.iter().find(has_begun).or(searches.first()).cloned()
    }

    /// Runs a search with its budget, among those that are watched. `counts_moves` says whether its first moves are shown.
    pub(super) fn show<T>(
        &self,
        budget: Budget<'_>,
        counts_moves: bool,
        run: impl FnOnce(&Budget<'_>) -> T,
    ) -> T {
        let state = Arc::new(SearchState::new(budget.left(), counts_moves));
        let searches = || self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        searches().push(state.clone());
        let result = run(&budget.watched(&self.stop, &state));
        searches().retain(|other| !Arc::ptr_eq(other, &state));
        result
    }
}
