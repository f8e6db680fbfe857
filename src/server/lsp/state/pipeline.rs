//! Which documents are at which stage between an edit and its diagnostics.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::lsp::session::limits::FILES_PER_BATCH;

/// The stages, by document key:
///
/// ```text
/// needs_analysis ──► partially_analysed ──► needs_publish ──► published
///        └───────────────────────────────────────▲               │ changed_since_pull
///                                                 affected_files ─┘ (by file number)
/// ```
///
/// Invariants, between two turns of the run loop:
/// - `needs_publish` is empty: each batch ends with [`Pipeline::take_needs_publish`].
/// - `needs_analysis` has only documents whose configuration is still being read.
/// - `client_edited` is a subset of `needs_analysis` and `partially_analysed`.
///
/// Within a turn, stages of one document overlap:
/// - `needs_analysis` and `partially_analysed`: edited again before the last edit was analysed completely.
/// - `partially_analysed` and `needs_publish`: a text that was analysed completely once publishes partial
///   results while the user types.
/// - `needs_analysis` and `needs_publish`: the file list changed how the document is compared while its
///   configuration is being read. `publish_document` then waits for the analysis.
#[derive(Default)]
pub(crate) struct Pipeline {
    needs_analysis: BTreeSet<String>,
    /// Open documents of which some puzzles are analysed; the run loop continues with them when idle.
    partially_analysed: BTreeSet<String>,
    /// Documents with new results, to be compared with the others and published.
    needs_publish: BTreeSet<String>,
    /// Numbers in the duplicate index of files whose duplicate findings an edit elsewhere may have changed.
    pub affected_files: FxHashSet<u32>,
    /// Documents whose diagnostics changed since the last answer to workspace pulls.
    changed_since_pull: FxHashSet<String>,
    /// Documents that the client itself opened or changed: it expects diagnostics for that version even if
    /// they are the same.
    client_edited: FxHashSet<String>,
}

impl Pipeline {
    /// A document's text, configuration or exclusion changed.
    pub fn request_analysis(&mut self, key: &str) {
        self.needs_analysis.insert(key.to_string());
    }

    /// The client opened or edited a document.
    pub fn request_analysis_of_edit(&mut self, key: &str) {
        self.client_edited.insert(key.to_string());
        self.request_analysis(key);
    }

    /// Takes all documents that need analysis. Those that must wait are put back by `request_analysis`.
    pub fn take_needs_analysis(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.needs_analysis)
    }

    /// A first batch of an open document's puzzles is analysed.
    pub fn mark_partially_analysed(&mut self, key: &str) {
        debug_assert!(!self.needs_analysis.contains(key), "the batch has taken {key}");
        self.partially_analysed.insert(key.to_string());
    }

    /// The next document to continue with.
    pub fn next_partially_analysed(&self) -> Option<String> {
        self.partially_analysed.first().cloned()
    }

    pub fn has_partially_analysed(&self) -> bool {
        !self.partially_analysed.is_empty()
    }

    /// A document is analysed completely, needs no analysis, or cannot be analysed further.
    pub fn end_analysis(&mut self, key: &str) {
        self.partially_analysed.remove(key);
    }

    /// A document has new results, or is to be published under new circumstances.
    pub fn request_publish(&mut self, key: &str) {
        self.needs_publish.insert(key.to_string());
    }

    /// Takes all documents that are to be compared and published.
    pub fn take_needs_publish(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.needs_publish)
    }

    /// Whether results of the present text are still to come. Not so for a document that waits for a save.
    pub fn is_pending(&self, key: &str) -> bool {
        self.needs_analysis.contains(key) || self.partially_analysed.contains(key)
    }

    pub fn needs_analysis(&self, key: &str) -> bool {
        self.needs_analysis.contains(key)
    }

    pub fn is_partially_analysed(&self, key: &str) -> bool {
        self.partially_analysed.contains(key)
    }

    pub fn is_client_edited(&self, key: &str) -> bool {
        self.client_edited.contains(key)
    }

    /// Everything that can be published is: an edit stays the client's own only while its results are pending.
    pub fn end_batch(&mut self) {
        debug_assert!(self.needs_publish.is_empty(), "published at the end of each batch");
        let (needs_analysis, partially) = (&self.needs_analysis, &self.partially_analysed);
        self.client_edited.retain(|key| needs_analysis.contains(key) || partially.contains(key));
    }

    /// Takes up to [`FILES_PER_BATCH`] of the affected files.
    pub fn take_some_affected(&mut self) -> Vec<u32> {
        let some: Vec<u32> = self.affected_files.iter().take(FILES_PER_BATCH).copied().collect();
        for file in &some {
            self.affected_files.remove(file);
        }
        some
    }

    /// A document's diagnostics changed or disappeared.
    pub fn mark_changed(&mut self, key: &str) {
        self.changed_since_pull.insert(key.to_string());
    }

    pub fn take_changed(&mut self) -> FxHashSet<String> {
        std::mem::take(&mut self.changed_since_pull)
    }

    /// A document is gone: it leaves all stages, and workspace pulls report that it has no diagnostics.
    pub fn remove(&mut self, key: &str) {
        self.needs_analysis.remove(key);
        self.partially_analysed.remove(key);
        self.needs_publish.remove(key);
        self.mark_changed(key);
    }
}
