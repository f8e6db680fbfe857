//! The files of a collection: which ones there are, which `cpz.toml` applies to each, and their texts.
//!
//! Invariant: the command line and the server find, exclude and configure files through this layer alone, so that
//! both report on the same files.

mod config_files;
mod file_stamp;
mod ignore_files;
mod load;
mod paths;
#[cfg(feature = "native")]
mod walk;

pub use config_files::{ConfigFile, Configs, READS_CONFIG, is_config};
pub(crate) use file_stamp::FileStamp;
pub use ignore_files::IGNORE_FILES;
pub use load::{load, looks_like_utf16};
pub use paths::{real_path, reason};
#[cfg(feature = "native")]
pub use walk::{is_collection, sort_and_dedup, walk, walk_for};
