//! What a scan of the workspace gets and what it reports. Who has a disk runs it; the state only applies the results.
//!
//! Invariant: knows nothing of the state. What a scan needs is copied into [`WorkspaceScan`], and its results leave as
//! [`ScanEvent`]s, always in the order: configurations, file list, files, end.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ropey::Rope;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lsp::session::host::ReportProgress;
use crate::lsp::session::settings::Excludes;
use crate::workspace::{ConfigFile, FileStamp};

/// Runs a scan on the calling thread. Always ends with [`ScanEvent::Finished`]: without it the state would never begin
/// another scan.
pub(crate) type RunScan = fn(WorkspaceScan, &dyn Fn(ScanEvent));

/// What a scan reports. A scan that is stopped reports only its end after that.
pub(crate) enum ScanEvent {
    /// The nearest `cpz.toml` of every folder of the workspace and of every open file.
    ConfigsLoaded {
        scan: u64,
        folders: FxHashMap<PathBuf, Option<Arc<ConfigFile>>>,
    },
    Listed(FileList),
    Loaded(LoadedFiles),
    Finished,
}

/// The input of a scan.
pub(crate) struct WorkspaceScan {
    /// Scans are counted from 1.
    pub id: u64,
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
    /// The paths of open documents.
    pub open: Vec<PathBuf>,
    /// Exclusions of the client's settings.
    pub excludes: Excludes,
    /// The last valid version of each `cpz.toml`: it applies while the current one has mistakes.
    pub last_valid_configs: FxHashMap<PathBuf, Arc<ConfigFile>>,
    /// Files that the state has already, with their stamps when they were read.
    pub known: FxHashMap<PathBuf, Option<FileStamp>>,
    /// Set to stop at once, because another scan replaces this one.
    pub stop: Arc<AtomicBool>,
    /// Set when the user cancels: the scan stops reading files, but still completes the file list.
    pub cancel: Arc<AtomicBool>,
    /// Receives (files done, files in all).
    pub progress: Option<ReportProgress>,
}

/// The files that belong to the workspace.
pub(crate) struct FileList {
    pub scan: u64,
    /// Their keys.
    pub files: FxHashSet<String>,
    /// For each open file: exclude it from duplicate detection? True if it lies in a folder of the workspace
    /// but is ignored, or if it is another path of a listed file.
    pub open: Vec<(String, bool)>,
    /// Number of files that are not read because they are too large together.
    pub unread: usize,
    /// For each folder that is skipped, a sentence with the reason.
    pub skipped_folders: Vec<String>,
}

/// Some files that are new or changed since they were read last.
pub(crate) struct LoadedFiles {
    pub scan: u64,
    pub files: Vec<LoadedFile>,
    /// Reports progress when the last of these files has been analysed.
    pub progress: ScanProgress,
}

/// A file that was read; without text if it cannot be read.
pub(crate) struct LoadedFile {
    pub uri: String,
    pub path: PathBuf,
    pub text: Option<Rope>,
    pub stamp: Option<FileStamp>,
}

/// Reports how many files are done when it is dropped, unless the user has cancelled.
pub(crate) struct ScanProgress {
    pub progress: Option<ReportProgress>,
    pub done: usize,
    pub all: usize,
    pub cancel: Arc<AtomicBool>,
}

impl ScanProgress {
    /// Whether the user has cancelled the scan.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

impl Drop for ScanProgress {
    fn drop(&mut self) {
        if let Some(progress) = self.progress.take().filter(|_| !self.is_cancelled()) {
            progress(self.done, self.all);
        }
    }
}
