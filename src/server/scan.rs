//! The `.cpz` files below the workspace's folders.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use tower_lsp::ls_types::Uri;

use crate::syntax::MAX_TEXT;

/// The files of a folder as `cpz check` walks it, sorted.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = WalkBuilder::new(folder)
        .build()
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|t| t.is_file()))
        .map(ignore::DirEntry::into_path)
        .filter(|path| is_collection(path))
        .collect();
    files.sort();
    files
}

/// Whether a path is that of a collection.
pub(super) fn is_collection(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("cpz"))
}

/// The text of a file; nothing where it cannot be read or is none.
pub(super) fn load(path: &Path) -> Option<String> {
    let length = std::fs::metadata(path).ok().filter(|m| m.is_file())?.len();
    if length > MAX_TEXT as u64 {
        return None;
    }
    String::from_utf8(std::fs::read(path).ok()?).ok()
}

/// The URI of a path.
pub(super) fn uri(path: &Path) -> Option<String> {
    Uri::from_file_path(path).map(|u| u.as_str().to_string())
}

/// The path of a `file:` URI.
pub(super) fn path(uri: &str) -> Option<PathBuf> {
    let uri: Uri = uri.parse().ok()?;
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    is_file.then(|| uri.to_file_path().map(|p| p.into_owned())).flatten()
}
