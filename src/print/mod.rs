//! Pictures, sheets and books: what leaves cpz for paper.
//!
//! Invariant: functions return texts and bytes. Nothing here reads or writes a file, prints, or knows a protocol; boards
//! are drawn by `ide::diagram` alone, as in the editor.

mod entries;
mod file_names;
mod pictures;

pub use crate::ide::Theme;
pub use entries::{Entry, entries};
pub use file_names::FileNames;
pub use pictures::{Moment, PictureOptions, picture, png};
