//! Replaces files in one step: a reader sees the old text or the new one, never a mixture. Of two commands that write
//! one file at the same time, each sees what the other has written.

use std::borrow::Borrow;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[cfg(unix)]
use super::file_attributes;
use crate::cli::file_lock::{NameLock, is_at, lock_open};
use crate::cli::temporary_file::TemporaryFile;

/// How often a file is read again because another program replaced it in between.
const MAX_TRIES: usize = 100;

/// How long to wait for another command that writes the same file.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Replaces the text of a puzzle file. A file that no longer holds `old` is not touched.
///
/// # Errors
/// A message that says why the file was not written.
pub fn replace(path: &Path, old: &str, new: &str) -> Result<(), String> {
    update(path, |now| match now {
        Some(text) if text == old.as_bytes() => Ok(new.to_string()),
        _ => Err("not written: another program changed the file in the meantime".to_string()),
    })
}

/// Replaces the text of a file with what `new_text` makes of its present one, or creates it: `None` is a file that does
/// not exist. Where another program changes the file in between, `new_text` is called again.
///
/// # Errors
/// A message that says why the file was not written; that of `new_text` if it has one.
pub fn update(
    path: &Path,
    mut new_text: impl FnMut(Option<&[u8]>) -> Result<String, String>,
) -> Result<(), String> {
    let path = &target(path)?;
    for _ in 0..MAX_TRIES {
        let Some(mut original) = Original::open(path)? else {
            let file = temporary_file(path, new_text(None)?.as_bytes(), None)?;
            match file.become_new(path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                created => return created.map_err(not_written),
            }
        };
        let mut text = Vec::new();
        original.file.read_to_end(&mut text).map_err(not_written)?;
        let file = temporary_file(path, new_text(Some(&text))?.as_bytes(), Some(&original))?;
        // Writing may have taken a while, and other programs take no lock.
        if std::fs::read(path).map_err(not_written)? != text {
            continue;
        }
        let Original { file: old, lock, .. } = original;
        // Windows does not replace an open file; elsewhere the open file is the lock.
        let _lock = (lock, (!cfg!(windows)).then_some(old));
        return file.replace(path).map_err(not_written);
    }
    Err("not written: other programs keep changing the file".into())
}

/// Gives a written temporary file the name of another file, and its access rights; or the name alone where there is no
/// file of this name.
///
/// # Errors
/// A message that says why the file is not replaced.
pub(super) fn replace_by(file: TemporaryFile, path: &Path) -> Result<(), String> {
    let Some(original) = Original::open(path)? else { return file.replace(path).map_err(not_written) };
    original.give_rights(file.as_file())?;
    file.as_file().sync_all().map_err(not_written)?;
    let Original { file: old, lock, .. } = original;
    let _lock = (lock, (!cfg!(windows)).then_some(old));
    file.replace(path).map_err(not_written)
}

/// Whether a file may be replaced: this user may write it, and it is not read-only.
///
/// # Errors
/// A message that says why not.
pub(super) fn check_replaceable(path: &Path) -> Result<(), String> {
    open_writable(path).map(drop)
}

/// Opens a file that this user may write: another one must not be replaced by a rename. `None` if there is none.
fn open_writable(path: &Path) -> Result<Option<(File, Metadata)>, String> {
    let file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(not_written(error)),
    };
    let metadata = file.metadata().map_err(not_written)?;
    // Root may open it all the same.
    if metadata.permissions().readonly() {
        return Err("cannot be written: it is read-only".into());
    }
    Ok(Some((file, metadata)))
}

/// The file that a path leads to: a link stays a link.
pub fn target(path: &Path) -> Result<PathBuf, String> {
    match path.canonicalize() {
        Ok(path) if path.is_file() => Ok(path),
        Ok(_) => Err("cannot be written: it is not a regular file".into()),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(not_written(error)),
        Err(_) if path.is_symlink() => Err("cannot be written: it is a link that leads nowhere".into()),
        Err(_) => Ok(path.to_path_buf()),
    }
}

/// Why a file cannot be written.
pub fn not_written(error: impl Borrow<io::Error>) -> String {
    format!("cannot be written: {}", error.borrow())
}

/// A file that is about to be replaced. As long as it is open, no other command replaces it.
struct Original {
    file: File,
    metadata: Metadata,
    lock: NameLock,
}

impl Original {
    /// Opens and locks a file; `None` if there is none.
    fn open(path: &Path) -> Result<Option<Original>, String> {
        let end = Instant::now() + MAX_WAIT;
        loop {
            let lock = NameLock::of(path, end)?;
            let Some((file, metadata)) = open_writable(path)? else { return Ok(None) };
            lock_open(&file, end)?;
            if is_at(&metadata, path) {
                return Ok(Some(Original { file, metadata, lock }));
            }
            // Another command has replaced the file while this one waited for the lock.
        }
    }

    /// Lets the same people read and write a copy as the original.
    fn give_rights(&self, copy: &File) -> Result<(), String> {
        #[cfg(unix)]
        file_attributes::copy(&self.file, &self.metadata, copy)?;
        copy.set_permissions(self.metadata.permissions()).map_err(not_written)
    }
}

/// A temporary file in the folder of `path`, which the same people may read and write as the original.
fn temporary_file(
    path: &Path,
    contents: &[u8],
    original: Option<&Original>,
) -> Result<TemporaryFile, String> {
    // A new file gets 0666 & umask. A copy stays private until it has the access rights of the original.
    let mut file = TemporaryFile::beside(path, original.is_some()).map_err(not_written)?;
    file.write_all(contents).map_err(not_written)?;
    if let Some(original) = original {
        original.give_rights(file.as_file())?;
    }
    file.as_file().sync_all().map_err(not_written)?;
    Ok(file)
}
