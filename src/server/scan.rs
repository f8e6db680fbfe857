//! The workspace as it is on the disk: walked and read on a thread of its own, in parts, so that nobody
//! waits for it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, SystemTime};

use ropey::Rope;
use rustc_hash::{FxHashMap, FxHashSet};
use tokio::sync::mpsc::UnboundedSender;

use crate::analysis::config::CONFIG_FILE;
use crate::server::protocol::uris;
use crate::server::session::settings::Excludes;
use crate::server::state::Event;
use crate::workspace::{ConfigFile, Configs, load, real_path, sort_and_dedup, walk};

/// How many files are handed on at a time.
const PART: usize = 16;
/// A file that was changed as lately as this may have changed again without a sign of it.
const RECENT: Duration = Duration::from_secs(3);

/// How much of a workspace is read, in bytes: a text takes about ten times as much memory, and whoever opens a folder
/// that somebody sent wants some for other things.
const MOST_BYTES: u64 = 128 << 20;

/// What tells that a file is the one that was read: its length and when it was changed.
pub(crate) type Stamp = (u64, SystemTime);

/// What is to be looked at.
pub(crate) struct WorkspaceScan {
    /// Counts surveys.
    pub number: u64,
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
    /// What is open.
    pub open: Vec<PathBuf>,
    /// What the client's settings leave out.
    pub excludes: Excludes,
    /// Each `cpz.toml` as it last was without mistakes: while it has some, that holds.
    pub good: FxHashMap<PathBuf, Arc<ConfigFile>>,
    /// The files that are known, and how they were.
    pub known: FxHashMap<PathBuf, Option<Stamp>>,
    /// Ends it: another is to take its place.
    pub stop: Arc<AtomicBool>,
    /// The person wants no more files read and analysed: which there are is found out all the same.
    pub cancel: Arc<AtomicBool>,
    /// Told how many files of how many are done.
    pub progress: Option<UnboundedSender<(usize, usize)>>,
}

/// The configurations of folders, each with the nearest file in it or above it.
pub(crate) type Folders = FxHashMap<PathBuf, Option<Arc<ConfigFile>>>;

/// Files that belong to the workspace.
pub(crate) struct FileList {
    pub number: u64,
    /// All that do, by path.
    pub files: FxHashSet<String>,
    /// Of what was open when it began, each with whether it is none of them although it is a file of the
    /// workspace or one of theirs by another name.
    pub open: Vec<(String, bool)>,
    /// How many files there are beyond what is read.
    pub beyond: usize,
    /// Why folders are left out.
    pub failed: Vec<String>,
}

/// Some files that are new or others than they were.
pub(crate) struct LoadedFiles {
    pub number: u64,
    pub files: Vec<LoadedFile>,
    /// How much is done with them.
    pub step: Option<ScanProgress>,
}

/// A file that was read: nothing for one that cannot be.
pub(crate) struct LoadedFile {
    pub uri: String,
    pub path: PathBuf,
    pub text: Option<Rope>,
    pub stamp: Option<Stamp>,
}

/// A step of a work that the client is shown.
pub(crate) struct ScanProgress {
    progress: Option<UnboundedSender<(usize, usize)>>,
    done: usize,
    all: usize,
    cancel: Arc<AtomicBool>,
}

impl ScanProgress {
    /// Whether it is no longer wanted.
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

impl WorkspaceScan {
    /// Does it, and sends what is found, in this order: configurations, the list, files, the end.
    pub fn run(self, events: &Sender<Event>) {
        self.look(events);
        let _ = events.send(Event::ScanFinished);
    }

    fn look(self, events: &Sender<Event>) {
        let mut configs = Configs::default();
        for folder in
            self.folders.iter().map(PathBuf::as_path).chain(self.open.iter().filter_map(|p| p.parent()))
        {
            configs.of_folder(folder);
        }
        let (mut files, mut failed) = (Vec::new(), Vec::new());
        for folder in &self.folders {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let (found, why) = walk(folder);
            failed.extend(why);
            let found = found.into_iter().filter(|path| !self.is_left_out(path, configs.of(path)));
            files.extend(found.map(|path| (key_of(&path), path)));
        }
        let mut seen = FxHashSet::default();
        let mut files = sort_and_dedup(files, &mut seen);
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        let configured = configs.into_folders();
        let _ = events.send(Event::ConfigsLoaded { folders: configured, survey: Some(self.number) });
        let there: FxHashSet<String> = files.iter().map(|(key, _)| key.clone()).collect();
        let is_apart = |path: &PathBuf| {
            let key = key_of(path);
            let is_other = !there.contains(&key)
                && path.symlink_metadata().is_ok()
                && (self.is_below(path) || !seen.insert(real_path(path)));
            (key, is_other)
        };
        let open = self.open.iter().map(is_apart).collect();
        let beyond = beyond(&mut files);
        let _ = events.send(Event::ScanListed(FileList {
            number: self.number,
            files: there.clone(),
            open,
            beyond,
            failed,
        }));
        for (i, part) in files.chunks(PART).enumerate() {
            if self.cancel.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
                return;
            }
            let step = ScanProgress {
                progress: self.progress.clone(),
                done: i * PART + part.len(),
                all: files.len(),
                cancel: self.cancel.clone(),
            };
            let files = part.iter().filter_map(|(_, path)| self.changed(path)).collect();
            let _ =
                events.send(Event::ScanLoaded(LoadedFiles { number: self.number, files, step: Some(step) }));
        }
    }

    fn is_left_out(&self, path: &Path, config: Option<Arc<ConfigFile>>) -> bool {
        let good = config.as_ref().filter(|c| c.config.is_err()).and_then(|c| self.good.get(&c.path));
        self.excludes.holds(path, good.or(config.as_ref()).map(|c| &**c))
    }

    /// A file's text, unless it is known.
    fn changed(&self, path: &Path) -> Option<LoadedFile> {
        let stamp = stamp(path);
        if let (Some(Some(known)), Some(now)) = (self.known.get(path), &stamp) {
            let recent = now.1.elapsed().is_ok_and(|age| age < RECENT);
            if known == now && !recent {
                return None;
            }
        }
        Some(LoadedFile { uri: uris::uri(path)?, path: path.to_path_buf(), text: load(path), stamp })
    }

    fn is_below(&self, path: &Path) -> bool {
        self.folders.iter().any(|f| path.starts_with(f))
    }
}

/// Takes away the files that are more than is read of a workspace, and says how many they are.
fn beyond(files: &mut Vec<(String, PathBuf)>) -> usize {
    let (mut bytes, all) = (0u64, files.len());
    files.retain(|(_, path)| {
        let length = path.metadata().map_or(0, |m| m.len());
        let fits = bytes + length <= MOST_BYTES;
        bytes += if fits { length } else { 0 };
        fits
    });
    all - files.len()
}

/// A number that is another when a `cpz.toml` in one of these folders is.
pub(crate) fn config_stamps(mut folders: Vec<PathBuf>) -> u64 {
    folders.sort();
    let mut h = DefaultHasher::new();
    for folder in folders {
        if let Some((length, changed)) = stamp(&folder.join(CONFIG_FILE)) {
            (folder, length, changed).hash(&mut h);
        }
    }
    h.finish()
}

/// The configurations of folders, without a walk.
pub(crate) fn configured(folders: &[PathBuf]) -> Event {
    let mut configs = Configs::default();
    for folder in folders {
        configs.of_folder(folder);
    }
    Event::ConfigsLoaded { folders: configs.into_folders(), survey: None }
}

/// What a file is known by.
fn key_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}
