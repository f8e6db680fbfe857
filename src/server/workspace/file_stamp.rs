//! When a file changed, as far as its metadata shows.

use std::path::Path;
use std::time::{Duration, SystemTime};

/// Length and modification time of a file. Equal stamps mean an unchanged file, unless the modification is
/// recent: clocks of file systems are coarse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileStamp {
    length: u64,
    modified: SystemTime,
}

/// Within this time a file can change twice under one modification time.
const CLOCK_RESOLUTION: Duration = Duration::from_secs(3);

impl FileStamp {
    /// The stamp of a file now; nothing if its metadata cannot be read.
    pub fn of(path: &Path) -> Option<FileStamp> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(FileStamp { length: metadata.len(), modified: metadata.modified().ok()? })
    }

    /// Whether the file may have changed again without a new stamp.
    pub fn is_recent(&self) -> bool {
        self.modified.elapsed().is_ok_and(|age| age < CLOCK_RESOLUTION)
    }
}
