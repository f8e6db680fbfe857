//! The workspace as it is on the disk: walked and read on a thread of its own, in parts, so that nobody
//! waits for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, SystemTime};

use rustc_hash::{FxHashMap, FxHashSet};
use tokio::sync::mpsc::UnboundedSender;

use super::files::{ConfigFile, Configs, is_collection, is_config, load, walk};
use super::settings::Excludes;
use super::state::Event;
use super::uris;

/// How many files are handed on at a time.
const PART: usize = 16;
/// A file that was changed as lately as this may have changed again without a sign of it.
const RECENT: Duration = Duration::from_secs(3);

/// What tells that a file is the one that was read: its length and when it was changed.
pub(super) type Stamp = (u64, SystemTime);

/// What is to be looked at.
pub(super) struct Survey {
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
    /// Other folders whose configuration is wanted.
    pub others: Vec<PathBuf>,
    /// What is left out.
    pub excludes: Excludes,
    /// The files that are known, and how they were.
    pub known: FxHashMap<PathBuf, Option<Stamp>>,
    /// Ends it early.
    pub cancel: Arc<AtomicBool>,
    /// Told how many files of how many are done.
    pub progress: Option<UnboundedSender<(usize, usize)>>,
}

/// The configurations of folders, each with the nearest file in it or above it.
pub(super) type Folders = FxHashMap<PathBuf, Option<Arc<ConfigFile>>>;

/// A file of the workspace: nothing for one that is gone or left out.
pub(super) struct Found {
    pub uri: String,
    pub path: PathBuf,
    pub text: Option<String>,
    pub stamp: Option<Stamp>,
    /// Whether nothing is to be said of it yet.
    pub quiet: bool,
}

impl Survey {
    /// Does it, and sends what is found.
    pub fn run(self, events: &Sender<Event>) {
        let mut configs = Configs::default();
        for folder in self.folders.iter().chain(&self.others) {
            configs.of_folder(folder);
        }
        let mut files = Vec::new();
        let mut seen = FxHashSet::default();
        for folder in &self.folders {
            for path in walk(folder).0 {
                if self.cancel.load(Ordering::Relaxed) {
                    break;
                }
                let config = configs.of(&path);
                // One file under two names is one file, and what links lead to outside is none of ours.
                let real = path.canonicalize().unwrap_or_else(|_| path.clone());
                let inside = !path.is_symlink() || self.is_inside(&real);
                if inside && !self.excludes.holds(&path, config.as_deref()) && seen.insert(real) {
                    files.push(path);
                }
            }
        }
        let cancelled = self.cancel.load(Ordering::Relaxed);
        let _ = events.send(Event::Configured { folders: configs.into_folders(), whole: !cancelled });
        if cancelled {
            return;
        }
        let there: FxHashSet<&PathBuf> = files.iter().collect();
        let gone = self.known.keys().filter(|path| !there.contains(path) && self.is_below(path));
        let gone = gone.filter(|path| !is_config(path));
        let gone: Vec<Found> = gone.filter_map(|path| found(path, None, None)).collect();
        let _ = events.send(Event::Read(gone));
        for (i, part) in files.chunks(PART).enumerate() {
            if self.cancel.load(Ordering::Relaxed) {
                break;
            }
            let changed = part.iter().filter_map(|path| self.changed(path)).collect::<Vec<_>>();
            let (done, all) = ((i * PART + part.len()).min(files.len()), files.len());
            let _ = events.send(Event::Read(changed));
            if let Some(progress) = &self.progress {
                let _ = progress.send((done, all));
            }
        }
    }

    /// A file's text, unless it is known.
    fn changed(&self, path: &Path) -> Option<Found> {
        let stamp = stamp(path);
        if let (Some(Some(known)), Some(now)) = (self.known.get(path), &stamp) {
            let recent = now.1.elapsed().is_ok_and(|age| age < RECENT);
            if known == now && !recent {
                return None;
            }
        }
        found(path, load(path), stamp)
    }

    fn is_below(&self, path: &Path) -> bool {
        self.folders.iter().any(|f| path.starts_with(f))
    }

    fn is_inside(&self, real: &Path) -> bool {
        self.folders.iter().any(|f| f.canonicalize().is_ok_and(|f| real.starts_with(f)))
    }
}

/// Reads single files of the workspace; those that are no collections or left out are none of it.
pub(super) fn read(paths: Vec<PathBuf>, excludes: &Excludes, quiet: bool) -> Event {
    let mut configs = Configs::default();
    let one = |path: &PathBuf| {
        let config = configs.of(path);
        let wanted = is_collection(path) && !excludes.holds(path, config.as_deref());
        let found = found(path, wanted.then(|| load(path)).flatten(), stamp(path))?;
        Some(Found { quiet, ..found })
    };
    Event::Read(paths.iter().filter_map(one).collect())
}

/// The configurations of folders, without a walk.
pub(super) fn configured(folders: &[PathBuf]) -> Event {
    let mut configs = Configs::default();
    for folder in folders {
        configs.of_folder(folder);
    }
    Event::Configured { folders: configs.into_folders(), whole: false }
}

fn found(path: &Path, text: Option<String>, stamp: Option<Stamp>) -> Option<Found> {
    Some(Found { uri: uris::uri(path)?, path: path.to_path_buf(), text, stamp, quiet: false })
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}
