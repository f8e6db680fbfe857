//! Writes a file that must not exist yet: it appears whole, or not at all.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::cli::atomic_write::{check_replaceable, not_written, replace_by, target};
use crate::cli::temporary_file::TemporaryFile;

/// Why a file is not written: there is one already.
pub const EXISTS: &str = "not written: there is a file already; `--force` replaces it";
/// Why a file is not written: its path is that of a folder.
pub const FOLDER: &str = "not written: this is a folder; name a file";
/// Why a file is not replaced: what was made holds only a part of what was asked for.
pub const NOT_ALL_READ: &str =
    "not replaced: not everything could be read, and a part is not to replace the whole; write to a new file";

/// A file that is being written.
pub struct NewFile {
    path: PathBuf,
    file: io::BufWriter<TemporaryFile>,
    force: bool,
}

impl NewFile {
    /// Begins a file. With `force` it may replace one, which it does not do before it is whole; then it gets the access
    /// rights of the one that it replaces.
    ///
    /// # Errors
    /// A message that says why it cannot be written.
    pub fn create(path: &Path, force: bool) -> Result<NewFile, String> {
        if path.is_dir() {
            return Err(FOLDER.into());
        }
        if !force && path.symlink_metadata().is_ok() {
            return Err(EXISTS.into());
        }
        let path = target(path)?;
        let replaces = path.exists();
        if replaces {
            // Before the work that the file is made by.
            check_replaceable(&path)?;
        }
        // A new file gets 0666 & umask. Another one stays private until it has the rights of the old one.
        let file = TemporaryFile::beside(&path, replaces).map_err(not_written)?;
        Ok(NewFile { path, file: io::BufWriter::with_capacity(1 << 16, file), force })
    }

    /// Whether it would take the place of a file that exists.
    pub fn replaces(&self) -> bool {
        self.force && self.path.exists()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// A message that says why it cannot be written.
    pub fn finish(self) -> Result<(), String> {
        let file = self.file.into_inner().map_err(|e| not_written(e.error()))?;
        file.as_file().sync_all().map_err(|e| not_written(&e))?;
        if self.force {
            return replace_by(file, &self.path);
        }
        match file.become_new(&self.path) {
            Ok(()) => Ok(()),
            // Another program was faster.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(EXISTS.into()),
            Err(error) => Err(not_written(&error)),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file at once.
///
/// # Errors
/// A message that says why it is not written.
pub fn write_new(path: &Path, contents: &[u8], force: bool) -> Result<(), String> {
    let mut file = NewFile::create(path, force)?;
    file.write_all(contents).map_err(|error| not_written(&error))?;
    file.finish()
}
