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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        folder
    }

    /// The only file of a folder.
    fn only(folder: &Path) -> (String, String) {
        let files: Vec<_> =
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file")).collect();
        let [file] = &files[..] else { panic!("{files:?}") };
        let text = fs::read_to_string(file.path()).expect("a text");
        (file.file_name().to_string_lossy().into_owned(), text)
    }

    fn file(text: &str) -> (String, String) {
        ("file".to_string(), text.to_string())
    }

    #[test]
    fn only_what_was_read_is_replaced() {
        let dir = folder(&[("file", "old")]);
        let path = dir.path().join("file");
        let changed = "not written: another program changed the file in the meantime";
        assert_eq!(replace(&path, "other", "new"), Err(changed.to_string()));
        assert_eq!(only(dir.path()), file("old"));
        assert_eq!(replace(&path, "old", "new"), Ok(()));
        assert_eq!(only(dir.path()), file("new"));
        fs::remove_file(&path).expect("the file");
        assert_eq!(replace(&path, "new", "newer"), Err(changed.to_string()));
        assert!(!path.exists());
    }

    /// What another program writes in between is what the next text is made of.
    #[test]
    fn a_new_text_is_made_of_what_is_there_at_last() {
        for before in [None, Some("a")] {
            let dir = folder(&[]);
            let path = dir.path().join("file");
            before.iter().for_each(|text| fs::write(&path, text).expect("a file"));
            let mut seen = Vec::new();
            let done = update(&path, |now| {
                let now = now.map(|bytes| String::from_utf8(bytes.to_vec()).expect("a text"));
                seen.push(now.clone());
                if seen.len() < 3 {
                    fs::write(&path, seen.len().to_string()).expect("a file");
                }
                Ok(format!("made of {now:?}"))
            });
            assert_eq!(done, Ok(()));
            assert_eq!(seen, [before, Some("1"), Some("2")].map(|text| text.map(str::to_string)));
            assert_eq!(only(dir.path()), file("made of Some(\"2\")"));
        }
    }

    #[test]
    fn a_file_that_never_stays_the_same_is_given_up() {
        let dir = folder(&[("file", "")]);
        let path = dir.path().join("file");
        let mut count = 0;
        let done = update(&path, |_| {
            count += 1;
            fs::write(&path, count.to_string()).expect("a file");
            Ok("ours".to_string())
        });
        assert_eq!(done, Err("not written: other programs keep changing the file".to_string()));
        assert_eq!((count, only(dir.path())), (MAX_TRIES, file(&MAX_TRIES.to_string())));
    }

    #[test]
    fn a_text_that_is_refused_changes_nothing() {
        let dir = folder(&[("file", "old")]);
        for name in ["file", "none"] {
            assert_eq!(update(&dir.path().join(name), |_| Err("no".to_string())), Err("no".to_string()));
        }
        assert_eq!(only(dir.path()), file("old"));
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let dir = folder(&[("file", "old")]);
        let path = dir.path().join("file");
        let mut rights = path.metadata().expect("the file").permissions();
        rights.set_readonly(true);
        fs::set_permissions(&path, rights).expect("a read-only file");
        // Root may open it, and other users may not.
        let why = check_replaceable(&path).expect_err("a refusal");
        assert!(why == "cannot be written: it is read-only" || why.contains("denied"), "{why}");
        assert_eq!(replace(&path, "old", "new"), Err(why));
        assert_eq!(only(dir.path()), file("old"));
    }

    /// A program that runs cannot be opened to be written, by root either.
    #[test]
    #[cfg(target_os = "linux")]
    fn why_a_file_cannot_be_written_is_told() {
        let program = std::env::current_exe().expect("this program");
        let why = "cannot be written: Text file busy (os error 26)";
        assert_eq!(check_replaceable(&program), Err(why.to_string()));
        assert_eq!(check_replaceable(Path::new("/none/file")), Ok(()), "there is nothing to replace");
    }

    /// No file can get a name that ends as that of a folder, however often that is tried.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_name_that_no_file_can_have_is_tried_once() {
        let dir = folder(&[]);
        let mut count = 0;
        let done = update(&dir.path().join("new/"), |now| {
            assert_eq!(now, None);
            count += 1;
            Ok("text".to_string())
        });
        let why = done.expect_err("a refusal");
        assert!(why.starts_with("cannot be written: ") && why.contains("(os error "), "{why}");
        assert_eq!((count, fs::read_dir(dir.path()).expect("a folder").count()), (1, 0));
    }

    #[test]
    #[cfg(unix)]
    fn a_path_leads_through_links_to_a_file_or_to_nothing_yet() {
        let dir = folder(&[("file", "text")]);
        let at = |name: &str| dir.path().join(name);
        for (link, to) in
            [("link", "file"), ("second", "link"), ("lost", "none"), ("round", "round"), ("here", ".")]
        {
            std::os::unix::fs::symlink(to, at(link)).expect("a link");
        }
        let real = at("file").canonicalize().expect("a path");
        let no_file = "cannot be written: it is not a regular file";
        let nowhere = "cannot be written: it is a link that leads nowhere";
        for (name, leads_to) in [
            ("file", Ok(real.clone())),
            ("link", Ok(real.clone())),
            ("second", Ok(real.clone())),
            ("here/link", Ok(real)),
            ("none", Ok(at("none"))),
            ("here", Err(no_file.to_string())),
            (".", Err(no_file.to_string())),
            ("lost", Err(nowhere.to_string())),
        ] {
            assert_eq!(target(&at(name)), leads_to, "{name}");
        }
        for name in ["round", "file/none"] {
            let why = target(&at(name)).expect_err(name);
            assert!(why.starts_with("cannot be written: ") && why.contains("(os error "), "{name}: {why}");
        }
    }
}
