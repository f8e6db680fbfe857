//! Paths: where links lead, and why a file cannot be read.

use std::path::{Path, PathBuf};

/// A path with its links resolved; the path itself where that fails.
pub fn real_path(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Whether a path is a link whose target is not below its folder.
pub(super) fn leads_out(path: &Path) -> bool {
    let folder = path.parent().and_then(|f| f.canonicalize().ok());
    path.is_symlink() && !folder.is_some_and(|folder| real_path(path).starts_with(folder))
}

/// Why a file could not be read; the common reasons without the system's error number.
pub fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        // The shells of Windows leave `*.cpz` to the program.
        std::io::ErrorKind::InvalidFilename if cfg!(windows) => {
            "no file can have this name; in place of `*`, name the folder".into()
        }
        _ => error.to_string(),
    }
}
