//! Reads the text of a file.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use ropey::Rope;

use cpz_text::syntax::MAX_TEXT;

/// Whether bytes look like UTF-16: they begin with its byte order mark, or a quarter of the first bytes is NUL.
pub fn looks_like_utf16(bytes: &[u8]) -> bool {
    let first = &bytes[..bytes.len().min(4096)];
    let zeros = first.iter().filter(|&&b| b == 0).count();
    first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff") || zeros > 0 && zeros * 4 >= first.len()
}

/// The text of a file. `None` where it is unreadable, not a regular file, not UTF-8, or longer than [`MAX_TEXT`], and
/// for UTF-16, whose bytes may be valid UTF-8.
pub fn load(path: &Path) -> Option<Rope> {
    let fits = |m: &Metadata| m.is_file() && m.len() <= MAX_TEXT as u64;
    std::fs::metadata(path).ok().filter(fits)?;
    let file = File::open(path).ok()?.take(MAX_TEXT as u64 + 1);
    let text = Rope::from_reader(file).ok().filter(|text| text.len_bytes() <= MAX_TEXT)?;
    let is_utf16 = text.chunks().next().is_some_and(|chunk| looks_like_utf16(chunk.as_bytes()));
    (!is_utf16).then_some(text)
}
