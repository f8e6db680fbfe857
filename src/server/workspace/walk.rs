//! Lists the collections below a folder.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::WalkBuilder;
use rustc_hash::FxHashSet;

use super::ignore_files::{unsafe_ignore, unsafe_ignore_above};
use super::paths::{real_path, reason};

/// What the names of collections end in.
const COLLECTION: &str = "cpz";

/// The deepest folder level that is walked: resolving a path costs more the deeper it lies.
const MAX_DEPTH: usize = 200;

/// The collections below a folder, in any order, and a message for each folder that was skipped.
///
/// Folders are walked as ripgrep walks them. A link counts if its target is a file inside the folder: a folder
/// received from elsewhere must not make cpz read files outside it. Nothing is read through `.git` either.
pub fn walk(folder: &Path) -> (Vec<PathBuf>, Vec<String>) {
    walk_for(folder, &[COLLECTION])
}

/// The same for other files: those whose names have one of these endings, in upper or lower case.
pub fn walk_for(folder: &Path, endings: &[&str]) -> (Vec<PathBuf>, Vec<String>) {
    let wanted = |path: &Path| endings.iter().any(|ending| has_ending(path, ending));
    let absolute = std::path::absolute(folder).unwrap_or_default();
    let above = || absolute.ancestors().skip(1).find_map(unsafe_ignore_above);
    if let Some(message) = unsafe_ignore(folder).or_else(above) {
        return (Vec::new(), vec![message]);
    }
    let skipped = Arc::new(Mutex::new(Vec::new()));
    let messages = skipped.clone();
    let mut walk = WalkBuilder::new(folder);
    // A copy without its repository has the same files.
    walk.git_exclude(false).require_git(false).max_depth(Some(MAX_DEPTH)).filter_entry(move |entry| {
        if !entry.file_type().is_some_and(|t| t.is_dir()) {
            return true;
        }
        let too_deep = || format!("{}: skipped: it is {MAX_DEPTH} folders deep", entry.path().display());
        let message = (entry.depth() == MAX_DEPTH).then(too_deep).or_else(|| unsafe_ignore(entry.path()));
        let is_walked = message.is_none();
        messages.lock().unwrap_or_else(PoisonError::into_inner).extend(message);
        is_walked
    });
    let real = folder.canonicalize();
    let leads_inside = |link: &Path| {
        let target = link.canonicalize().ok().filter(|t| t.is_file());
        target.zip(real.as_ref().ok()).is_some_and(|(target, real)| target.starts_with(real))
    };
    let (mut files, mut failed) = (Vec::new(), Vec::new());
    for entry in walk.build() {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                let is_file = entry.file_type().is_some_and(|t| t.is_file());
                if wanted(path) && (is_file || entry.path_is_symlink() && leads_inside(path)) {
                    files.push(entry.into_path());
                }
            }
            Err(error) => failed.push(walk_error(&error)),
        }
    }
    failed.append(&mut skipped.lock().unwrap_or_else(PoisonError::into_inner));
    (files, failed)
}

/// Which folder could not be walked, and why.
fn walk_error(error: &ignore::Error) -> String {
    use ignore::Error;
    match error {
        Error::WithDepth { err, .. } => walk_error(err),
        Error::WithPath { path, err } => format!("{}: skipped: {}", path.display(), walk_error(err)),
        _ => error.io_error().map_or_else(|| error.to_string(), reason),
    }
}

/// Sorts named files by name and drops every further name of a file. `seen` holds the real paths of files that
/// count as named already; the real path of each file kept is added to it.
pub fn sort_and_dedup(
    mut files: Vec<(String, PathBuf)>,
    seen: &mut FxHashSet<PathBuf>,
) -> Vec<(String, PathBuf)> {
    files.sort();
    files.retain(|(_, path)| seen.insert(real_path(path)));
    files
}

/// Whether a path has the extension of a collection.
pub fn is_collection(path: &Path) -> bool {
    has_ending(path, COLLECTION)
}

fn has_ending(path: &Path, ending: &str) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let (stem, own) = name.split_at(name.len().saturating_sub(ending.len()));
    stem.len() > 1 && stem.ends_with(b".") && own.eq_ignore_ascii_case(ending.as_bytes())
}
