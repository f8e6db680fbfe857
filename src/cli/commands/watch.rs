//! `cpz check --watch`: repeats the check after each change.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use notify::event::ModifyKind;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::cli::args::Check;
use crate::cli::commands::check;
use crate::cli::out::{FAILED, Out, report_error};
use cpz_server::workspace::{IGNORE_FILES, is_collection, is_config};

/// Check after this long without a further change: editors write in several steps.
const QUIET: Duration = Duration::from_millis(100);
/// The most changes to wait for, in case something changes all the time.
const MAX_WAITS: usize = 10;

/// Checks once, and again after each change. Returns only on an error.
pub fn run(args: &Check, out: &mut Out) -> io::Result<u8> {
    if args.paths.paths.iter().any(|p| p == "-") {
        report_error("-", "standard input cannot be watched");
        return Ok(FAILED);
    }
    if let Some(missing) = args.paths.paths.iter().find(|p| !Path::new(p).exists()) {
        report_error(missing, "no such file or folder");
        return Ok(FAILED);
    }
    let (sender, changes) = channel();
    let is_lost = Arc::new(AtomicBool::new(true));
    let mut watcher = None;
    loop {
        // Before the check, so that no change is missed in between.
        if is_lost.swap(false, Ordering::Relaxed) {
            drop(watcher.take());
            match watch(args, sender.clone(), is_lost.clone()) {
                Ok(new) => watcher = Some(new),
                Err(error) => {
                    report_error("--watch", &error.to_string());
                    return Ok(FAILED);
                }
            }
        }
        if out.clear_screen {
            // Clear the screen, clear the scrollback, move to the first line.
            write!(out.stdout, "\x1b[2J\x1b[3J\x1b[H")?;
        }
        check::run_once(args, out)?;
        out.stdout.flush()?;
        if io::stderr().is_terminal() {
            let _ = writeln!(anstream::stderr(), "cpz: watching for changes; press Ctrl+C to stop");
        }
        if !wait(&changes) {
            return Ok(out.code);
        }
    }
}

/// Watches what may affect the check. Sends for each change, and sets `is_lost` where a watched folder has been removed,
/// renamed or made again: the system watches folders and not their names.
fn watch(args: &Check, changed: Sender<()>, is_lost: Arc<AtomicBool>) -> notify::Result<RecommendedWatcher> {
    let baseline = args.baseline.as_ref().and_then(|b| std::path::absolute(b).ok());
    let watched = folders(&args.paths.paths, baseline.as_deref());
    let walked = watched.iter().filter(|(_, how)| **how == RecursiveMode::Recursive);
    let walked = walked.map(|(folder, _)| folder.clone()).collect();
    let (files, named): (Vec<PathBuf>, _) = named_paths(&args.paths.paths).partition(|path| path.is_file());
    let watched_or_named = watched.keys().cloned().chain(named).collect();
    let filter = ChangeFilter { baseline, files, folders: walked, watched: watched_or_named };
    let on_event = move |event: notify::Result<Event>| {
        let loses_a_folder = event.as_ref().map_or(true, |event| filter.loses_a_folder(event));
        is_lost.fetch_or(loses_a_folder, Ordering::Relaxed);
        // After an error of the watcher, changes may have been lost.
        if loses_a_folder || event.map_or(true, |event| filter.is_relevant(&event)) {
            let _ = changed.send(());
        }
    };
    // A walk follows no links to folders either.
    let config = Config::default().with_follow_symlinks(false);
    let mut watcher = RecommendedWatcher::new(on_event, config)?;
    for (folder, how) in &watched {
        match watcher.watch(folder, *how) {
            // Removed just now: the folder above it is watched.
            Err(_) if !folder.exists() => {}
            result => result?,
        }
    }
    Ok(watcher)
}

/// Waits for a change, then until the changes pause. Returns false if there can be no more changes.
fn wait(changes: &Receiver<()>) -> bool {
    if changes.recv().is_err() {
        return false;
    }
    (0..MAX_WAITS).find(|_| changes.recv_timeout(QUIET).is_err());
    true
}

/// Decides which changes may affect the check.
struct ChangeFilter {
    baseline: Option<PathBuf>,
    /// The files that are named.
    files: Vec<PathBuf>,
    /// The folders that are watched recursively.
    folders: Vec<PathBuf>,
    /// All folders that are watched, and those that are named but do not exist.
    watched: Vec<PathBuf>,
}

impl ChangeFilter {
    /// Whether a watched folder, or one above it, has been removed, renamed or made.
    fn loses_a_folder(&self, event: &Event) -> bool {
        let comes_or_goes = matches!(
            event.kind,
            EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        comes_or_goes && event.paths.iter().any(|path| self.watched.iter().any(|w| w.starts_with(path)))
    }

    /// Whether a change may affect the check: a change of a relevant file, or of a folder, since files come and go with
    /// it.
    fn is_relevant(&self, event: &Event) -> bool {
        let is_gone = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        let is_change = !matches!(event.kind, EventKind::Access(_));
        let is_relevant = |p: &PathBuf| {
            // What is gone without an extension may have been a folder.
            let may_be_folder = p.is_dir() || is_gone && p.extension().is_none();
            self.is_relevant_file(p) || may_be_folder && self.is_walked(p)
        };
        event.need_rescan() || is_change && event.paths.iter().any(is_relevant)
    }

    fn is_relevant_file(&self, path: &Path) -> bool {
        let is_ignore_file = path.file_name().is_some_and(|n| IGNORE_FILES.iter().any(|i| n == *i));
        // A folder is watched for a named file, and for configurations: other collections in it are not checked.
        let is_checked = || self.files.iter().any(|file| file == path) || self.is_walked(path);
        is_collection(path) && is_checked()
            || is_config(path)
            || is_ignore_file
            || Some(path) == self.baseline.as_deref()
    }

    /// Whether a walk enters a folder: it skips hidden ones such as `.git`.
    fn is_walked(&self, path: &Path) -> bool {
        let hidden = |c: Component<'_>| c.as_os_str().to_string_lossy().starts_with('.');
        let mut below = self.folders.iter().filter_map(|f| path.strip_prefix(f).ok());
        below.any(|below| !below.components().any(hidden))
    }
}

/// The paths that are named, in full. One that does not exist may become a folder.
fn named_paths(paths: &[String]) -> impl Iterator<Item = PathBuf> {
    paths.iter().filter_map(|path| std::path::absolute(path).ok())
}

/// The folders to watch: recursively those that are named; without their subfolders those of named files and of the
/// baseline, and all folders above, in which a `cpz.toml` may appear.
fn folders(paths: &[String], baseline: Option<&Path>) -> BTreeMap<PathBuf, RecursiveMode> {
    let current = [".".to_string()];
    let mut modes = BTreeMap::new();
    if let Some(folder) = baseline.and_then(Path::parent).filter(|f| f.is_dir()) {
        modes.insert(folder.to_path_buf(), RecursiveMode::NonRecursive);
    }
    for path in if paths.is_empty() { &current[..] } else { paths } {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
        let folder = if absolute.is_dir() {
            modes.insert(absolute.clone(), RecursiveMode::Recursive);
            absolute
        } else {
            let folder = absolute.parent().unwrap_or(Path::new("/")).to_path_buf();
            if folder.is_dir() {
                modes.entry(folder.clone()).or_insert(RecursiveMode::NonRecursive);
            }
            folder
        };
        for above in folder.ancestors().skip(1).filter(|f| std::fs::read_dir(f).is_ok()) {
            modes.entry(above.to_path_buf()).or_insert(RecursiveMode::NonRecursive);
        }
    }
    modes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_matters_that_is_named_or_below_a_folder_that_is_named() {
        let filter = ChangeFilter {
            baseline: None,
            files: vec!["/a/one.cpz".into()],
            folders: vec!["/a/all".into()],
            watched: Vec::new(),
        };
        let is_relevant = |path: &str| {
            filter.is_relevant(&Event::new(EventKind::Modify(ModifyKind::Any)).add_path(path.into()))
        };
        for path in ["/a/one.cpz", "/a/all/x.cpz", "/a/all/b/x.cpz", "/a/cpz.toml", "/cpz.toml"] {
            assert!(is_relevant(path), "{path}");
        }
        for path in ["/a/two.cpz", "/a/x.cpz", "/a/all/.git/x.cpz", "/a/all/x.txt"] {
            assert!(!is_relevant(path), "{path}");
        }
    }
}
