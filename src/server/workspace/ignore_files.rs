//! Decides whether the `.gitignore` and `.ignore` of a folder are safe to read.

use std::fs::Metadata;
use std::path::Path;

use super::paths::leads_out;

/// The files in which a folder lists what a walk skips.
pub const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The longest ignore file that is read, in bytes.
const MAX_IGNORE_BYTES: u64 = 1 << 20;

/// Why an ignore file of a folder that is walked is unsafe to read: reading a pipe blocks, a device may have no end,
/// and a link out of the folder would read files from elsewhere. Such a folder is skipped, since its ignores are unknown.
pub(super) fn unsafe_ignore(folder: &Path) -> Option<String> {
    let is_safe = |path: &Path| path.metadata().is_ok_and(is_harmless) && !leads_out(path);
    let name = IGNORE_FILES.iter().find(|name| is_unsafe(&folder.join(name), is_safe))?;
    let folder = folder.display();
    Some(format!(
        "{folder}: skipped: its {name} is a link out of the folder, not a regular file, or larger than 1 MiB"
    ))
}

/// The same for a folder above the one that is walked. Its ignore files apply too. It was not received with the
/// collection, so they may be links, and a dangling link ignores nothing.
pub(super) fn unsafe_ignore_above(folder: &Path) -> Option<String> {
    let is_safe = |path: &Path| path.metadata().map_or(true, is_harmless);
    let name = IGNORE_FILES.iter().find(|name| is_unsafe(&folder.join(name), is_safe))?;
    let folder = folder.display();
    Some(format!(
        "{folder}: everything below it is skipped: its {name} is not a regular file, or larger than 1 MiB"
    ))
}

fn is_unsafe(path: &Path, is_safe: impl Fn(&Path) -> bool) -> bool {
    path.symlink_metadata().is_ok() && !is_safe(path)
}

fn is_harmless(metadata: Metadata) -> bool {
    metadata.is_dir() || metadata.is_file() && metadata.len() <= MAX_IGNORE_BYTES
}
