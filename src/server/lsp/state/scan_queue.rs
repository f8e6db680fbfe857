//! When the workspace is scanned: one scan at a time, and one more if something changed meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

/// A scan that should be done.
#[derive(Clone, Copy, Default)]
pub(crate) struct ScanRequest {
    /// Whether the client shows its progress.
    pub show_progress: bool,
    /// Whether it re-enables diagnostics of files that were closed before it begins.
    pub ends_suppression: bool,
}

/// A scan that runs.
struct ActiveScan {
    /// Set to stop it.
    stop: Arc<AtomicBool>,
    ends_suppression: bool,
}

/// The queue, after the `OpQueue` of rust-analyzer: requests that come while a scan runs are merged into one
/// that begins when it has finished.
///
/// Invariants: ids grow by one with each scan; only the scan `last_scan_id` can be in progress; events of scans
/// below `min_valid_scan` are dropped, but their end still completes the operation.
#[derive(Default)]
pub(crate) struct ScanQueue {
    requested: Option<ScanRequest>,
    in_progress: Option<ActiveScan>,
    /// 0 before the first scan.
    last_scan_id: u64,
    /// Scans with a smaller id are stale (folders or settings changed); their results are dropped.
    min_valid_scan: u64,
    /// The last completed result: the keys of the files that belong to the workspace.
    files: Option<FxHashSet<String>>,
    /// Closed file → id of the first scan after the close; suppressed until such a scan has listed the files.
    suppressed_until: FxHashMap<String, u64>,
}

impl ScanQueue {
    /// Requests a scan. It begins at the next [`ScanQueue::begin`] when none is in progress.
    pub fn request(&mut self, request: ScanRequest) {
        let merged = self.requested.unwrap_or_default();
        self.requested = Some(ScanRequest {
            show_progress: merged.show_progress | request.show_progress,
            ends_suppression: merged.ends_suppression | request.ends_suppression,
        });
    }

    /// Stops the scan in progress, and makes its results and those of all before it stale.
    pub fn invalidate(&mut self) {
        self.min_valid_scan = self.last_scan_id + 1;
        if let Some(active) = &self.in_progress {
            active.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Begins the requested scan unless one is in progress. Returns the request, its id, and the flag that
    /// stops it.
    pub fn begin(&mut self) -> Option<(ScanRequest, u64, Arc<AtomicBool>)> {
        if self.in_progress.is_some() {
            return None;
        }
        let request = self.requested.take()?;
        self.last_scan_id += 1;
        let stop = Arc::new(AtomicBool::new(false));
        self.in_progress =
            Some(ActiveScan { stop: stop.clone(), ends_suppression: request.ends_suppression });
        Some((request, self.last_scan_id, stop))
    }

    /// The scan in progress has ended.
    pub fn complete(&mut self) {
        debug_assert!(self.in_progress.is_some(), "one end for each beginning");
        self.in_progress = None;
    }

    /// Whether the results of a scan are used.
    pub fn is_valid(&self, scan: u64) -> bool {
        scan >= self.min_valid_scan
    }

    /// Takes the file list of a valid scan.
    pub fn set_files(&mut self, files: FxHashSet<String>) {
        self.files = Some(files);
    }

    /// Whether a scan has listed the files yet.
    pub fn has_listed(&self) -> bool {
        self.files.is_some()
    }

    /// Whether a key belongs to the workspace, as far as that is known.
    pub fn lists(&self, key: &str) -> bool {
        self.files.as_ref().is_some_and(|files| files.contains(key))
    }

    /// A file was closed: its diagnostics are suppressed until a scan that begins from now on has listed it.
    pub fn suppress(&mut self, key: &str) {
        self.suppressed_until.insert(key.to_string(), self.last_scan_id + 1);
    }

    /// A file was opened again.
    pub fn end_suppression_of(&mut self, key: &str) {
        self.suppressed_until.remove(key);
    }

    pub fn is_suppressed(&self, key: &str) -> bool {
        self.suppressed_until.contains_key(key)
    }

    /// A valid scan has listed the files: returns those whose suppression it ends.
    pub fn end_suppression(&mut self, scan: u64) -> Vec<String> {
        if self.in_progress.as_ref().is_none_or(|active| !active.ends_suppression) {
            return Vec::new();
        }
        let ended = self.suppressed_until.iter().filter(|(_, first)| **first <= scan);
        let ended: Vec<String> = ended.map(|(key, _)| key.clone()).collect();
        for key in &ended {
            self.suppressed_until.remove(key);
        }
        ended
    }
}
