//! `cpz check --watch`: repeats the check after each change.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::event::ModifyKind;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::cli::args::Check;
use crate::cli::commands::check;
use crate::cli::out::{FAILED, Out, report_error};
use crate::workspace::{IGNORE_FILES, is_collection, is_config};

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
    let baseline = args.baseline.as_ref().and_then(|b| std::path::absolute(b).ok());
    let watched = folders(&args.paths.paths, baseline.as_deref());
    let walked = watched.iter().filter(|(_, how)| **how == RecursiveMode::Recursive);
    let filter = ChangeFilter { baseline, folders: walked.map(|(folder, _)| folder.clone()).collect() };
    let relevant = move |event: notify::Result<Event>| {
        // After an error of the watcher, changes may have been lost.
        if event.map_or(true, |event| filter.is_relevant(&event)) {
            let _ = sender.send(());
        }
    };
    // A walk follows no links to folders either.
    let config = Config::default().with_follow_symlinks(false);
    let watcher = RecommendedWatcher::new(relevant, config).and_then(|mut watcher| {
        for (folder, how) in &watched {
            watcher.watch(folder, *how)?;
        }
        Ok(watcher)
    });
    let _watcher = match watcher {
        Ok(watcher) => watcher,
        Err(error) => {
            report_error("--watch", &error.to_string());
            return Ok(FAILED);
        }
    };
    loop {
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
    /// The folders that are watched recursively.
    folders: Vec<PathBuf>,
}

impl ChangeFilter {
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
        is_collection(path) || is_config(path) || is_ignore_file || Some(path) == self.baseline.as_deref()
    }

    /// Whether a walk enters a folder: it skips hidden ones such as `.git`.
    fn is_walked(&self, path: &Path) -> bool {
        let hidden = |c: Component<'_>| c.as_os_str().to_string_lossy().starts_with('.');
        let mut below = self.folders.iter().filter_map(|f| path.strip_prefix(f).ok());
        below.any(|below| !below.components().any(hidden))
    }
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
            modes.entry(folder.clone()).or_insert(RecursiveMode::NonRecursive);
            folder
        };
        for above in folder.ancestors().skip(1).filter(|f| std::fs::read_dir(f).is_ok()) {
            modes.entry(above.to_path_buf()).or_insert(RecursiveMode::NonRecursive);
        }
    }
    modes
}
