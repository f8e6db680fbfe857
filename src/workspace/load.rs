//! Reads the text of a file.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use ropey::Rope;

use crate::syntax::MAX_TEXT;

/// The text of a file. `None` where it is unreadable, not a regular file, not UTF-8, or longer than [`MAX_TEXT`].
pub(crate) fn load(path: &Path) -> Option<Rope> {
    let fits = |m: &Metadata| m.is_file() && m.len() <= MAX_TEXT as u64;
    std::fs::metadata(path).ok().filter(fits)?;
    let file = File::open(path).ok()?.take(MAX_TEXT as u64 + 1);
    Rope::from_reader(file).ok().filter(|text| text.len_bytes() <= MAX_TEXT)
}
