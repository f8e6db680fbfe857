//! Scan of the workspace: walks the folders and reads files on a thread of its own, a few at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rustc_hash::FxHashSet;

use crate::lsp::protocol::uris;
use crate::lsp::scan::{FileList, LoadedFile, LoadedFiles, ScanEvent, ScanProgress, WorkspaceScan};
use crate::lsp::session::limits::{FILES_PER_BATCH, MAX_WORKSPACE_BYTES};
use crate::workspace::{ConfigFile, Configs, FileStamp, load, real_path, sort_and_dedup, walk};

/// What the folders of a workspace contain.
struct Walked {
    /// Key and path of each file, in the order of `cpz check`; of a file with several paths only the first.
    files: Vec<(String, PathBuf)>,
    real_paths: FxHashSet<PathBuf>,
    skipped_folders: Vec<String>,
}

/// Scans, and sends the results. Always ends with [`ScanEvent::Finished`].
pub(crate) fn run_scan(scan: WorkspaceScan, send: &dyn Fn(ScanEvent)) {
    // The panic hook has written the panic to the log.
    let _ = catch_unwind(AssertUnwindSafe(|| DiskScan(scan).scan(send)));
    send(ScanEvent::Finished);
}

/// A scan that reads the disk.
struct DiskScan(WorkspaceScan);

impl DiskScan {
    fn scan(&self, send: &dyn Fn(ScanEvent)) {
        let mut configs = Configs::default();
        let parents = self.0.open.iter().filter_map(|p| p.parent());
        for folder in self.0.folders.iter().map(PathBuf::as_path).chain(parents) {
            configs.of_folder(folder);
        }
        let Some(Walked { mut files, mut real_paths, skipped_folders }) = self.walk_folders(&mut configs)
        else {
            return;
        };
        send(ScanEvent::ConfigsLoaded { scan: self.0.id, folders: configs.into_folders() });
        let listed: FxHashSet<String> = files.iter().map(|(key, _)| key.clone()).collect();
        let is_standalone = |path: &PathBuf| {
            let key = key_of(path);
            let standalone = !listed.contains(&key)
                && path.symlink_metadata().is_ok()
                && (self.is_in_workspace(path) || !real_paths.insert(real_path(path)));
            (key, standalone)
        };
        let open = self.0.open.iter().map(is_standalone).collect();
        let unread = drop_unread(&mut files);
        send(ScanEvent::Listed(FileList { scan: self.0.id, files: listed, open, unread, skipped_folders }));
        for (i, batch) in files.chunks(FILES_PER_BATCH).enumerate() {
            if self.0.cancel.load(Ordering::Relaxed) || self.0.stop.load(Ordering::Relaxed) {
                return;
            }
            let progress = ScanProgress {
                progress: self.0.progress.clone(),
                done: i * FILES_PER_BATCH + batch.len(),
                all: files.len(),
                cancel: self.0.cancel.clone(),
            };
            let files = batch.iter().filter_map(|(_, path)| self.load_if_changed(path)).collect();
            send(ScanEvent::Loaded(LoadedFiles { scan: self.0.id, files, progress }));
        }
    }

    /// Finds the files of all folders; nothing if the scan is stopped.
    fn walk_folders(&self, configs: &mut Configs) -> Option<Walked> {
        let (mut files, mut skipped_folders) = (Vec::new(), Vec::new());
        for folder in &self.0.folders {
            if self.0.stop.load(Ordering::Relaxed) {
                return None;
            }
            let (found, reasons) = walk(folder);
            skipped_folders.extend(reasons);
            let found = found.into_iter().filter(|path| !self.is_excluded(path, configs.of(path)));
            files.extend(found.map(|path| (key_of(&path), path)));
        }
        let mut real_paths = FxHashSet::default();
        let files = sort_and_dedup(files, &mut real_paths);
        (!self.0.stop.load(Ordering::Relaxed)).then_some(Walked { files, real_paths, skipped_folders })
    }

    fn is_excluded(&self, path: &Path, config: Option<Arc<ConfigFile>>) -> bool {
        let invalid = config.as_ref().filter(|c| c.config.is_err());
        let last_valid = invalid.and_then(|c| self.0.last_valid_configs.get(&c.path));
        self.0.excludes.holds(path, last_valid.or(config.as_ref()).map(|c| &**c))
    }

    fn load_if_changed(&self, path: &Path) -> Option<LoadedFile> {
        let stamp = FileStamp::of(path);
        if let (Some(Some(known)), Some(now)) = (self.0.known.get(path), &stamp)
            && known == now
            && !now.is_recent()
        {
            return None;
        }
        Some(LoadedFile { uri: uris::uri(path)?, path: path.to_path_buf(), text: load(path), stamp })
    }

    fn is_in_workspace(&self, path: &Path) -> bool {
        self.0.folders.iter().any(|f| path.starts_with(f))
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
