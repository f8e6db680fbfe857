//! A file that is written before it gets its name. A process that is killed leaves at most one such file in a folder, which
//! the next one removes.
//!
//! On Linux the file has no name while it is written, and goes away with its process. A new file then gets its name at once.
//! To replace another one it needs a name first, for as long as it takes to rename it. Elsewhere it has this name from the
//! beginning. The names have a number, and a file is locked as long as its process lives: what is not locked is left over.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempPath;

use crate::cli::file_lock::{is_at, remove_abandoned, try_lock};

/// What the names begin with; a number follows, from 1.
const PREFIX: &str = ".cpz-unfinished-";

/// How many names are tried: more than there are processes that write into one folder, or, on a file system without locks,
/// more than there are files left over.
const MAX_NAMES: usize = 1000;

/// How often a name is tried that other processes take and free.
const MAX_TRIES: usize = 100;

/// How long to wait for programs that read the file.
const MAX_WAIT_FOR_READERS: Duration = Duration::from_secs(2);

/// A file that is being written.
pub(super) struct TemporaryFile {
    /// The name that goes away with it, if it has one. It comes before the file, which is locked for as long.
    name: Option<TempPath>,
    file: File,
    folder: PathBuf,
}

impl TemporaryFile {
    /// Begins a file in the folder of `path`. A private one can be read by its owner alone; another one has the access
    /// rights of every new file.
    pub(super) fn beside(path: &Path, is_private: bool) -> io::Result<TemporaryFile> {
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = std::path::absolute(folder)?;
        let mode = if is_private { 0o600 } else { 0o666 };
        if let Some(file) = unnamed::create(&folder, mode)? {
            return Ok(TemporaryFile { name: None, file, folder });
        }
        let (file, name) = with_free_name(&folder, |path| create(path, mode))?;
        Ok(TemporaryFile { name: Some(name), file, folder })
    }

    pub(super) fn as_file(&self) -> &File {
        &self.file
    }

    /// Gives the file a name that no other file has.
    ///
    /// # Errors
    /// `AlreadyExists` if one has it.
    pub(super) fn become_new(mut self, path: &Path) -> io::Result<()> {
        if self.name.is_none() && unnamed::link(&self.file, path)? {
            return Ok(());
        }
        self.name()?.persist_noclobber(path).map_err(|failed| failed.error)
    }

    /// Gives the file the name of another one, which it replaces. Windows refuses that while another program reads the old
    /// file, as virus scanners do for a moment.
    pub(super) fn replace(mut self, path: &Path) -> io::Result<()> {
        let end = Instant::now() + if cfg!(windows) { MAX_WAIT_FOR_READERS } else { Duration::ZERO };
        let mut name = self.name()?;
        loop {
            match name.persist(path) {
                Err(failed) if failed.error.kind() == ErrorKind::PermissionDenied && Instant::now() < end => {
                    name = failed.path;
                    std::thread::sleep(Duration::from_millis(10));
                }
                done => return done.map_err(|failed| failed.error),
            }
        }
    }

    /// Takes the temporary name, after giving it one if it has none.
    fn name(&mut self) -> io::Result<TempPath> {
        if let Some(name) = self.name.take() {
            return Ok(name);
        }
        try_lock(&self.file);
        let (copy, name) = with_free_name(&self.folder, |path| match unnamed::link(&self.file, path)? {
            true => Ok(None),
            false => create(path, 0o600).map(Some),
        })?;
        if let Some(copy) = copy {
            unnamed::copy(&mut self.file, &copy)?;
            self.file = copy;
        }
        Ok(name)
    }
}

impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Calls `make` with the first of our names that is free, or was left over by a process that has ended.
fn with_free_name<T>(
    folder: &Path,
    mut make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<(T, TempPath)> {
    for number in 1..=MAX_NAMES {
        let path = folder.join(format!("{PREFIX}{number}"));
        for _ in 0..MAX_TRIES {
            match make(&path) {
                Ok(made) => return Ok((made, TempPath::try_from_path(path)?)),
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                Err(_) if remove_abandoned(&path) => {}
                Err(_) => break,
            }
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Creates and locks a file.
fn create(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    let file = options.open(path)?;
    // Before it was locked, another process may have taken it for one that is left over.
    if try_lock(&file) && is_at(&file.metadata()?, path) {
        Ok(file)
    } else {
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// Files without a name.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::fs::File;
    use std::io::{self, Seek};
    use std::os::fd::AsRawFd;
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
    use rustix::io::Errno;

    use crate::cli::file_attributes;

    /// Creates a file; nothing where the file system has no such files, or where they cannot get a name later.
    pub(super) fn create(folder: &Path, mode: u32) -> io::Result<Option<File>> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = match open(folder, flags, Mode::from_raw_mode(mode)) {
            Ok(file) => File::from(file),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(path_of(&file).exists().then_some(file))
    }

    /// Gives the file a name, or returns false where the system does not allow it.
    pub(super) fn link(file: &File, path: &Path) -> io::Result<bool> {
        match linkat(CWD, path_of(file), CWD, path, AtFlags::SYMLINK_FOLLOW) {
            Ok(()) => Ok(true),
            // To copy the file would not help.
            Err(error @ (Errno::EXIST | Errno::NOSPC | Errno::DQUOT | Errno::IO | Errno::ROFS)) => {
                Err(error.into())
            }
            Err(_) => Ok(false),
        }
    }

    /// The path that stands for the open file.
    fn path_of(file: &File) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
    }

    /// Copies the contents and the access rights into a file that has a name.
    pub(super) fn copy(file: &mut File, mut copy: &File) -> io::Result<()> {
        file.rewind()?;
        io::copy(file, &mut copy)?;
        let metadata = file.metadata()?;
        file_attributes::copy(file, &metadata, copy).map_err(io::Error::other)?;
        copy.set_permissions(metadata.permissions())?;
        copy.sync_all()
    }
}

/// Other systems have none.
#[cfg(not(target_os = "linux"))]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(super) fn create(_: &Path, _: u32) -> io::Result<Option<File>> {
        Ok(None)
    }

    pub(super) fn link(_: &File, _: &Path) -> io::Result<bool> {
        Ok(false)
    }

    pub(super) fn copy(_: &mut File, _: &File) -> io::Result<()> {
        Ok(())
    }
}
