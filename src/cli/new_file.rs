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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is in a folder: names and texts.
    fn contents(folder: &Path) -> Vec<(String, String)> {
        let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file"));
        let mut files: Vec<_> = files
            .map(|file| {
                let text = std::fs::read_to_string(file.path()).expect("a text");
                (file.file_name().to_string_lossy().into_owned(), text)
            })
            .collect();
        files.sort();
        files
    }

    /// One more than fits into the buffer, so that a part is written before the end.
    fn long() -> String {
        "0123456789abcdef".repeat((1 << 12) + 1)
    }

    #[test]
    fn a_file_appears_whole_and_takes_the_place_of_another_one_only_by_force() {
        for (before, force) in [(None, false), (None, true), (Some("old"), false), (Some("old"), true)] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("file");
            let old: Vec<_> = before.iter().map(|&text| ("file".to_string(), text.to_string())).collect();
            if let Some(text) = before {
                std::fs::write(&path, text).expect("a file");
            }
            let case = format!("{before:?} {force}");
            let mut file = match NewFile::create(&path, force) {
                Ok(file) => file,
                Err(why) => {
                    assert_eq!((why.as_str(), before, force), (EXISTS, Some("old"), false));
                    assert_eq!(contents(folder.path()), old);
                    continue;
                }
            };
            assert!(before.is_none() || force, "{case}");
            assert_eq!(file.replaces(), before.is_some() && force, "{case}");
            file.write_all(long().as_bytes()).expect("it can be written");
            file.flush().expect("it can be written");
            assert!(before.is_some() || !path.exists(), "{case}: the name comes last");
            assert_eq!(file.finish(), Ok(()), "{case}");
            assert_eq!(contents(folder.path()), [("file".to_string(), long())], "{case}");
        }
    }

    /// Another program takes the name while the file is being written.
    #[test]
    fn a_name_that_is_taken_meanwhile_is_kept_unless_forced() {
        for force in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("file");
            let mut file = NewFile::create(&path, force).expect("a file");
            assert!(!file.replaces());
            file.write_all(b"ours").expect("it can be written");
            std::fs::write(&path, "theirs").expect("a file");
            assert_eq!(file.replaces(), force);
            assert_eq!(file.finish(), if force { Ok(()) } else { Err(EXISTS.to_string()) });
            let kept = if force { "ours" } else { "theirs" };
            assert_eq!(contents(folder.path()), [("file".to_string(), kept.to_string())]);
        }
    }

    #[test]
    fn what_is_no_name_of_a_file_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, force| write_new(&folder.path().join(name), b"text", force);
        assert_eq!(write("", false), Err(FOLDER.to_string()));
        assert_eq!(write("", true), Err(FOLDER.to_string()));
        for force in [false, true] {
            for name in ["none/file", "none/"] {
                let why = write(name, force).expect_err(name);
                assert!(
                    why.starts_with("cannot be written: ") && why.contains("(os error "),
                    "{name}: {why}"
                );
            }
        }
        assert_eq!(contents(folder.path()), []);
        assert_eq!(write("file", false), Ok(()));
        assert_eq!(write("file", false), Err(EXISTS.to_string()));
        assert_eq!(contents(folder.path()), [("file".to_string(), "text".to_string())]);
    }
}
