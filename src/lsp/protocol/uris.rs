//! Paths ↔ URIs.

use std::path::{Path, PathBuf};

use ls_types::Uri;

/// The URI of a path.
pub(crate) fn uri(path: &Path) -> Option<String> {
    // A path that is not UTF-8 has no URI that converts back to it.
    path.to_str()?;
    Uri::from_file_path(path).map(|u| u.as_str().to_string())
}

/// The absolute path in a URI of any scheme.
pub(crate) fn path_of_any(uri: &str) -> Option<String> {
    let uri: Uri = uri.parse().ok()?;
    let path = uri.path().decode().to_string_lossy();
    Some(path.into_owned()).filter(|p| p.starts_with('/'))
}

/// The path of a `file:` URI.
pub(crate) fn path(uri: &str) -> Option<PathBuf> {
    let uri: Uri = uri.parse().ok()?;
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    is_file.then(|| uri.to_file_path().map(|p| p.into_owned())).flatten()
}
