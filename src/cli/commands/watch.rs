//! `cpz check --watch`: the same again whenever something changes.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::event::ModifyKind;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::cli::args::Check;
use crate::cli::commands::check;
use crate::cli::{FAILED, Out, complain};
use crate::workspace::{IGNORE_FILES, is_collection, is_config};

/// How long nothing more must change: editors write in several steps.
const QUIET: Duration = Duration::from_millis(100);
/// How often that is waited for, if something changes all the time.
const MOST_WAITS: usize = 10;

/// Checks, and again after each change, until nobody listens any more.
pub fn run(args: &Check, out: &mut Out) -> io::Result<u8> {
    if args.paths.paths.iter().any(|p| p == "-") {
        complain("-", "standard input cannot be watched");
        return Ok(FAILED);
    }
    if let Some(missing) = args.paths.paths.iter().find(|p| !Path::new(p).exists()) {
        complain(missing, "no such file or folder");
        return Ok(FAILED);
    }
    let (sender, changes) = channel();
    let baseline = args.baseline.as_ref().and_then(|b| std::path::absolute(b).ok());
    let watched = folders(&args.paths.paths, baseline.as_deref());
    let whole = watched.iter().filter(|(_, how)| **how == RecursiveMode::Recursive);
    let known = Known { baseline, folders: whole.map(|(folder, _)| folder.clone()).collect() };
    let relevant = move |event: notify::Result<Event>| {
        // What is not known may be anything.
        if event.map_or(true, |event| known.concerns(&event)) {
            let _ = sender.send(());
        }
    };
    // As a check does, it follows no links.
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
            complain("--watch", &error.to_string());
            return Ok(FAILED);
        }
    };
    loop {
        if out.clears {
            // Screen, what was scrolled away, and back to the first line.
            write!(out.stdout, "\x1b[2J\x1b[3J\x1b[H")?;
        }
        check::once(args, out)?;
        out.stdout.flush()?;
        if io::stderr().is_terminal() {
            let _ = writeln!(anstream::stderr(), "cpz: watching; Ctrl+C ends it");
        }
        if !wait(&changes) {
            return Ok(out.code);
        }
    }
}

/// Waits for a change and then until nothing more changes; false at the end.
fn wait(changes: &Receiver<()>) -> bool {
    if changes.recv().is_err() {
        return false;
    }
    (0..MOST_WAITS).find(|_| changes.recv_timeout(QUIET).is_err());
    true
}

/// What decides which changes are of what is checked.
struct Known {
    baseline: Option<PathBuf>,
    /// The folders that are watched with what is below them.
    folders: Vec<PathBuf>,
}

impl Known {
    /// Whether a change may be one of what is checked: of files that count, or of folders, which come and go with
    /// theirs.
    fn concerns(&self, event: &Event) -> bool {
        let gone = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        let written = !matches!(event.kind, EventKind::Access(_));
        let one = |p: &PathBuf| {
            self.counts(p) || (p.is_dir() || gone && p.extension().is_none()) && self.is_looked_into(p)
        };
        event.need_rescan() || written && event.paths.iter().any(one)
    }

    fn counts(&self, path: &Path) -> bool {
        let decides = path.file_name().is_some_and(|n| IGNORE_FILES.iter().any(|i| n == *i));
        is_collection(path) || is_config(path) || decides || Some(path) == self.baseline.as_deref()
    }

    /// Whether a check would look into a folder: into `.git` it does not.
    fn is_looked_into(&self, path: &Path) -> bool {
        let hidden = |c: Component<'_>| c.as_os_str().to_string_lossy().starts_with('.');
        let mut below = self.folders.iter().filter_map(|f| path.strip_prefix(f).ok());
        below.any(|below| !below.components().any(hidden))
    }
}

/// The folders to be watched: with what is below them those that are named, and alone those of files and of the
/// baseline, and all above, in which a `cpz.toml` may come to be.
fn folders(paths: &[String], baseline: Option<&Path>) -> BTreeMap<PathBuf, RecursiveMode> {
    let here = [".".to_string()];
    let mut all = BTreeMap::new();
    if let Some(folder) = baseline.and_then(Path::parent).filter(|f| f.is_dir()) {
        all.insert(folder.to_path_buf(), RecursiveMode::NonRecursive);
    }
    for path in if paths.is_empty() { &here[..] } else { paths } {
        let whole = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
        let folder = if whole.is_dir() {
            all.insert(whole.clone(), RecursiveMode::Recursive);
            whole
        } else {
            let folder = whole.parent().unwrap_or(Path::new("/")).to_path_buf();
            all.entry(folder.clone()).or_insert(RecursiveMode::NonRecursive);
            folder
        };
        for above in folder.ancestors().skip(1).filter(|f| std::fs::read_dir(f).is_ok()) {
            all.entry(above.to_path_buf()).or_insert(RecursiveMode::NonRecursive);
        }
    }
    all
}
