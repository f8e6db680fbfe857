//! Replaces files in one step: a reader sees the old text or the new one, never a mixture.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Replaces the text of a puzzle file. A file that no longer holds `old` is not touched.
///
/// # Errors
/// A message that says why the file was not written.
pub fn replace(path: &Path, old: &str, new: &str) -> Result<(), String> {
    // Replace the target of a link, so that the link stays a link.
    let path = path.canonicalize().map_err(not_written)?;
    let metadata = path.metadata().map_err(not_written)?;
    require_writable(&metadata)?;
    let require_unchanged = || match std::fs::read(&path).map_err(not_written)? == old.as_bytes() {
        true => Ok(()),
        false => Err("not written: another program changed the file in the meantime".to_string()),
    };
    require_unchanged()?;
    let file = temporary_file(&path, new, Some(&metadata))?;
    // Writing may have taken a while.
    require_unchanged()?;
    file.persist(&path).map(drop).map_err(|e| not_written(e.error))
}

/// Writes a file of the program's own, such as a baseline, whether or not it exists.
///
/// # Errors
/// A message that says why the file was not written.
pub fn write(path: &Path, new: &str) -> Result<(), String> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let metadata = path.metadata().ok();
    metadata.as_ref().map_or(Ok(()), require_writable)?;
    let file = temporary_file(path, new, metadata.as_ref())?;
    file.persist(path).map(drop).map_err(|e| not_written(e.error))
}

fn not_written(error: io::Error) -> String {
    format!("cannot be written: {error}")
}

/// Without this check a rename would replace a read-only file too.
fn require_writable(metadata: &Metadata) -> Result<(), String> {
    if metadata.permissions().readonly() {
        return Err("cannot be written: it is read-only".into());
    }
    Ok(())
}

/// A temporary file in the folder of `path`, with the permissions and the owner of `original`.
fn temporary_file(path: &Path, text: &str, original: Option<&Metadata>) -> Result<NamedTempFile, String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cpz-");
    #[cfg(unix)]
    if original.is_none() {
        // A new file gets 0666 & umask. A copy stays private (0600) until it has the mode of the original.
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(not_written)?;
    file.write_all(text.as_bytes()).map_err(not_written)?;
    if let Some(original) = original {
        #[cfg(unix)]
        keep_owner(file.as_file(), original);
        file.as_file().set_permissions(original.permissions()).map_err(not_written)?;
    }
    file.as_file().sync_all().map_err(not_written)?;
    Ok(file)
}

/// Gives a file the owner and group of the original, or its group alone. Root may rewrite files of other users, which
/// must stay theirs; any other user is not allowed to change the owner, so failure is ignored.
#[cfg(unix)]
fn keep_owner(file: &File, original: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    if fchown(file, Some(original.uid()), Some(original.gid())).is_err() {
        let _ = fchown(file, None, Some(original.gid()));
    }
}
