//! Locks a file against other commands that write it. Where the file system has no locks, they are not kept out.

#[cfg(unix)]
pub(super) use unix::{NameLock, lock_open};
#[cfg(not(unix))]
pub(super) use windows::{NameLock, lock_open};

/// Why a file is not written: the lock did not become free.
const LOCKED: &str = "not written: another program has locked the file";

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::path::Path;
    use std::time::{Duration, Instant};

    use rustix::fs::{FlockOperation, flock};
    use rustix::io::Errno;

    /// An open file is locked instead of its name.
    pub(crate) struct NameLock;

    impl NameLock {
        pub(crate) fn of(_: &Path, _: Instant) -> Result<NameLock, String> {
            Ok(NameLock)
        }
    }

    /// Locks an open file until it is closed; waits until `end` for other commands.
    pub(crate) fn lock_open(file: &File, end: Instant) -> Result<(), String> {
        loop {
            match flock(file, FlockOperation::NonBlockingLockExclusive) {
                Err(Errno::WOULDBLOCK | Errno::INTR) if Instant::now() < end => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(Errno::WOULDBLOCK) => return Err(super::LOCKED.into()),
                _ => return Ok(()),
            }
        }
    }
}

#[cfg(not(unix))]
mod windows {
    use std::ffi::OsString;
    use std::fs::{File, OpenOptions};
    use std::path::Path;
    use std::time::{Duration, Instant};

    const ERROR_ACCESS_DENIED: i32 = 5;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    /// A file beside the one that is written, which only one program can have open, and which the system deletes when it
    /// is closed. The file itself cannot be the lock, because an open file cannot be replaced.
    pub(crate) struct NameLock(#[allow(dead_code)] Option<File>);

    impl NameLock {
        /// Locks the name of a file before it is opened; waits until `end` for other commands.
        pub(crate) fn of(path: &Path, end: Instant) -> Result<NameLock, String> {
            let mut name = OsString::from(".cpz-lock-");
            name.push(path.file_name().unwrap_or_default());
            let path = path.with_file_name(name);
            // A folder in which nothing can be created gives the same error as a lock that is being deleted.
            let end_of_denied = end.min(Instant::now() + Duration::from_secs(1));
            loop {
                match exclusive(&path) {
                    Ok(file) => return Ok(NameLock(Some(file))),
                    Err(ERROR_SHARING_VIOLATION) if Instant::now() < end => {}
                    Err(ERROR_SHARING_VIOLATION) => return Err(super::LOCKED.into()),
                    Err(ERROR_ACCESS_DENIED) if Instant::now() < end_of_denied => {}
                    Err(_) => return Ok(NameLock(None)),
                }
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }

    /// The name is locked already.
    pub(crate) fn lock_open(_: &File, _: Instant) -> Result<(), String> {
        Ok(())
    }

    /// Opens a file that nothing else has open, or gives the error number of the system.
    fn exclusive(path: &Path) -> Result<File, i32> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
            options.share_mode(0).custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
        }
        options.open(path).map_err(|error| error.raw_os_error().unwrap_or_default())
    }
}
