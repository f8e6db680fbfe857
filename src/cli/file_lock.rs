//! Locks a file against other commands that write it. Where the file system has no locks, they are not kept out.
//!
//! On Unix the open file is locked. On Windows an open file cannot be replaced, so its name is locked: with a file beside
//! it, which only one program can have open, and which the system deletes when it is closed.

use std::fs::{File, Metadata};
use std::path::Path;
use std::time::{Duration, Instant};

/// Why a file is not written: the lock did not become free.
const LOCKED: &str = "not written: another program has locked the file";

/// The time between two tries.
const RETRY_INTERVAL: Duration = Duration::from_millis(2);

/// A locked name; on Unix, nothing.
pub(super) struct NameLock {
    #[cfg(not(unix))]
    _file: Option<File>,
}

#[cfg(unix)]
impl NameLock {
    /// Locks the name of a file before it is opened.
    pub(super) fn of(_: &Path, _: Instant) -> Result<NameLock, String> {
        Ok(NameLock {})
    }
}

#[cfg(not(unix))]
impl NameLock {
    /// Locks the name of a file before it is opened; waits until `end` for other commands.
    pub(super) fn of(path: &Path, end: Instant) -> Result<NameLock, String> {
        const ERROR_ACCESS_DENIED: i32 = 5;
        const ERROR_SHARING_VIOLATION: i32 = 32;
        let mut name = std::ffi::OsString::from(".cpz-lock-");
        name.push(path.file_name().unwrap_or_default());
        let path = path.with_file_name(name);
        // A folder in which nothing can be created gives the same error as a lock that is being deleted.
        let end_of_denied = end.min(Instant::now() + Duration::from_secs(1));
        loop {
            match open_alone(&path) {
                Ok(file) => return Ok(NameLock { _file: Some(file) }),
                Err(ERROR_SHARING_VIOLATION) if Instant::now() < end => {}
                Err(ERROR_SHARING_VIOLATION) => return Err(LOCKED.into()),
                Err(ERROR_ACCESS_DENIED) if Instant::now() < end_of_denied => {}
                Err(_) => return Ok(NameLock { _file: None }),
            }
            std::thread::sleep(RETRY_INTERVAL);
        }
    }
}

/// Creates a file that nothing else has open, or gives the error number of the system.
#[cfg(not(unix))]
fn open_alone(path: &Path) -> Result<File, i32> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
        options.share_mode(0).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
    }
    options.open(path).map_err(|error| error.raw_os_error().unwrap_or_default())
}

/// Locks an open file until it is closed; waits until `end` for other commands.
#[cfg(unix)]
pub(super) fn lock_open(file: &File, end: Instant) -> Result<(), String> {
    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;
    loop {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK | Errno::INTR) if Instant::now() < end => {
                std::thread::sleep(RETRY_INTERVAL)
            }
            Err(Errno::WOULDBLOCK) => return Err(LOCKED.into()),
            _ => return Ok(()),
        }
    }
}

/// The name is locked already.
#[cfg(not(unix))]
pub(super) fn lock_open(_: &File, _: Instant) -> Result<(), String> {
    Ok(())
}

/// Locks a file until it is closed, unless another process has locked it. Without locks every file can be locked.
#[cfg(unix)]
pub(super) fn try_lock(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    flock(file, FlockOperation::NonBlockingLockExclusive) != Err(rustix::io::Errno::WOULDBLOCK)
}

/// Other systems refuse to remove a file that is open, so no lock is needed.
#[cfg(not(unix))]
pub(super) fn try_lock(_: &File) -> bool {
    true
}

/// Removes a file which its process would have locked, had it not ended; returns false if the file is still in use, or if that
/// cannot be known.
#[cfg(unix)]
pub(super) fn remove_abandoned(path: &Path) -> bool {
    use rustix::fs::{FlockOperation, Mode, OFlags, flock, open};
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let Ok(file) = open(path, flags, Mode::empty()).map(File::from) else { return false };
    file.metadata().is_ok_and(|now| now.is_file())
        && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
        && file.metadata().is_ok_and(|now| is_at(&now, path))
        && std::fs::remove_file(path).is_ok()
}

/// Removes a file unless a program has it open.
#[cfg(not(unix))]
pub(super) fn remove_abandoned(path: &Path) -> bool {
    open_alone(path).is_ok()
}

/// Whether a path still leads to an open file.
#[cfg(unix)]
pub(super) fn is_at(metadata: &Metadata, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    path.metadata().is_ok_and(|now| (now.dev(), now.ino()) == (metadata.dev(), metadata.ino()))
}

/// An open file keeps its name.
#[cfg(not(unix))]
pub(super) fn is_at(_: &Metadata, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_lock_that_is_not_free_at_the_end_of_the_wait_is_an_error() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let [first, second] = [(), ()].map(|()| File::open(file.path()).expect("the file"));
        let now = Instant::now();
        assert_eq!(lock_open(&first, now), Ok(()));
        assert_eq!(lock_open(&second, now), Err(LOCKED.to_string()));
        drop(first);
        assert_eq!(lock_open(&second, now), Ok(()));
    }

    #[test]
    #[cfg(unix)]
    fn only_a_file_of_its_own_that_nothing_has_locked_is_abandoned() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| folder.path().join(name));
        std::fs::write(&file, "text").expect("a file");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        let locked = File::open(&file).expect("the file");
        assert!(try_lock(&locked) && !try_lock(&File::open(&file).expect("the file")));
        for path in [&file, &link, &pipe, &folder.path().join("none")] {
            assert!(!remove_abandoned(path), "{path:?}");
        }
        let all = std::fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(all, 3, "what is not abandoned stays");
        drop(locked);
        assert!(!remove_abandoned(&link) && file.exists());
        assert!(remove_abandoned(&file) && !file.exists());
    }

    #[test]
    #[cfg(unix)]
    fn a_path_leads_to_an_open_file_until_another_one_has_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, other] = ["file", "other"].map(|name| folder.path().join(name));
        std::fs::write(&path, "text").expect("a file");
        std::fs::write(&other, "text").expect("a file");
        let metadata = path.metadata().expect("the file");
        assert!(is_at(&metadata, &path) && !is_at(&metadata, &other));
        std::fs::rename(&other, &path).expect("another file of this name");
        assert!(!is_at(&metadata, &path));
    }
}
