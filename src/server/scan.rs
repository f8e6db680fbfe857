//! Scan of the workspace: walks the folders and reads files on a thread of its own, a few at a time.
//!
//! Invariant: knows nothing of the state. What it needs is copied into [`WorkspaceScan`], and its results
//! leave as [`ScanEvent`]s, always in the order: configurations, file list, files, end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ropey::Rope;
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::sync::mpsc::UnboundedSender;

use crate::server::protocol::uris;
use crate::server::session::file_stamp::FileStamp;
use crate::server::session::limits::{FILES_PER_BATCH, MAX_WORKSPACE_BYTES};
use crate::server::session::settings::Excludes;
use crate::workspace::{ConfigFile, Configs, load, real_path, sort_and_dedup, walk};

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
    pub progress: Option<UnboundedSender<(usize, usize)>>,
}

/// The files that belong to the workspace.
pub(crate) struct FileList {
    pub scan: u64,
    /// Their keys.
    pub files: FxHashSet<String>,
    /// For each open file: exclude it from duplicate detection? True if it lies in a folder of the workspace
    /// but is ignored, or if it is another path of a listed file.
    pub open: Vec<(String, bool)>,
    /// Number of files that are not read because of [`MAX_WORKSPACE_BYTES`].
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
    progress: Option<UnboundedSender<(usize, usize)>>,
    done: usize,
    all: usize,
    cancel: Arc<AtomicBool>,
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
            let _ = progress.send((self.done, self.all));
        }
    }
}

/// What the folders of a workspace contain.
struct Walked {
    /// Key and path of each file, in the order of `cpz check`; of a file with several paths only the first.
    files: Vec<(String, PathBuf)>,
    real_paths: FxHashSet<PathBuf>,
    skipped_folders: Vec<String>,
}

impl WorkspaceScan {
    /// Scans, and sends the results. Always ends with [`ScanEvent::Finished`]: without it the state would never
    /// begin another scan.
    pub fn run(self, send: impl Fn(ScanEvent)) {
        // The panic hook has written the panic to the log.
        let _ = catch_unwind(AssertUnwindSafe(|| self.scan(&send)));
        send(ScanEvent::Finished);
    }

    fn scan(self, send: &impl Fn(ScanEvent)) {
        let mut configs = Configs::default();
        let parents = self.open.iter().filter_map(|p| p.parent());
        for folder in self.folders.iter().map(PathBuf::as_path).chain(parents) {
            configs.of_folder(folder);
        }
        let Some(Walked { mut files, mut real_paths, skipped_folders }) = self.walk_folders(&mut configs)
        else {
            return;
        };
        send(ScanEvent::ConfigsLoaded { scan: self.id, folders: configs.into_folders() });
        let listed: FxHashSet<String> = files.iter().map(|(key, _)| key.clone()).collect();
        let is_standalone = |path: &PathBuf| {
            let key = key_of(path);
            let standalone = !listed.contains(&key)
                && path.symlink_metadata().is_ok()
                && (self.is_in_workspace(path) || !real_paths.insert(real_path(path)));
            (key, standalone)
        };
        let open = self.open.iter().map(is_standalone).collect();
        let unread = drop_unread(&mut files);
        send(ScanEvent::Listed(FileList { scan: self.id, files: listed, open, unread, skipped_folders }));
        for (i, batch) in files.chunks(FILES_PER_BATCH).enumerate() {
            if self.cancel.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
                return;
            }
            let progress = ScanProgress {
                progress: self.progress.clone(),
                done: i * FILES_PER_BATCH + batch.len(),
                all: files.len(),
                cancel: self.cancel.clone(),
            };
            let files = batch.iter().filter_map(|(_, path)| self.load_if_changed(path)).collect();
            send(ScanEvent::Loaded(LoadedFiles { scan: self.id, files, progress }));
        }
    }

    /// Finds the files of all folders; nothing if the scan is stopped.
    fn walk_folders(&self, configs: &mut Configs) -> Option<Walked> {
        let (mut files, mut skipped_folders) = (Vec::new(), Vec::new());
        for folder in &self.folders {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let (found, reasons) = walk(folder);
            skipped_folders.extend(reasons);
            let found = found.into_iter().filter(|path| !self.is_excluded(path, configs.of(path)));
            files.extend(found.map(|path| (key_of(&path), path)));
        }
        let mut real_paths = FxHashSet::default();
        let files = sort_and_dedup(files, &mut real_paths);
        (!self.stop.load(Ordering::Relaxed)).then_some(Walked { files, real_paths, skipped_folders })
    }

    fn is_excluded(&self, path: &Path, config: Option<Arc<ConfigFile>>) -> bool {
        let invalid = config.as_ref().filter(|c| c.config.is_err());
        let last_valid = invalid.and_then(|c| self.last_valid_configs.get(&c.path));
        self.excludes.holds(path, last_valid.or(config.as_ref()).map(|c| &**c))
    }

    fn load_if_changed(&self, path: &Path) -> Option<LoadedFile> {
        let stamp = FileStamp::of(path);
        if let (Some(Some(known)), Some(now)) = (self.known.get(path), &stamp)
            && known == now
            && !now.is_recent()
        {
            return None;
        }
        Some(LoadedFile { uri: uris::uri(path)?, path: path.to_path_buf(), text: load(path), stamp })
    }

    fn is_in_workspace(&self, path: &Path) -> bool {
        self.folders.iter().any(|f| path.starts_with(f))
    }
}

/// Removes the files that exceed [`MAX_WORKSPACE_BYTES`] together, and returns their number. A small file
/// after a large one may still fit.
fn drop_unread(files: &mut Vec<(String, PathBuf)>) -> usize {
    let (mut bytes, all) = (0u64, files.len());
    files.retain(|(_, path)| {
        let length = path.metadata().map_or(0, |m| m.len());
        let fits = bytes + length <= MAX_WORKSPACE_BYTES;
        bytes += if fits { length } else { 0 };
        fits
    });
    all - files.len()
}

fn key_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
