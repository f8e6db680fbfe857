//! The files of a collection: which ones there are, which `cpz.toml` applies to each, and their texts.
//!
//! Invariant: the command line and the server find, exclude and configure files through this layer alone, so that
//! both report on the same files.

mod config_files;
mod ignore_files;
mod load;
mod walk;

pub(crate) use config_files::{ConfigFile, Configs, is_config};
pub(crate) use ignore_files::IGNORE_FILES;
pub(crate) use load::load;
pub(crate) use walk::{is_collection, real_path, sort_and_dedup, walk};

/// Why a file could not be read; the common reasons without the system's error number.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}
