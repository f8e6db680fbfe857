//! Import: the files of other programs become puzzles.
//!
//! A stream is split into records, records are read in parallel, and their puzzles are written in order, so that a file
//! of any length needs little memory. A record that cannot be read is told with its line and the reason.
//!
//! Each file imports only from those before it: `record`, `entry`, `notice`, `reader`, `chess_text`, `yaml`, `task`,
//! `popeye`, `olv`, the other formats, `format`, `detect`, `importer`, `original`.

mod chess_text;
mod detect;
mod entry;
mod epd;
mod fen;
mod format;
mod importer;
mod json;
mod lichess;
mod notice;
mod olv;
mod original;
mod pdn;
mod pgn;
mod popeye;
mod reader;
mod record;
mod solitaire;
mod task;
mod yaml;

pub use detect::detect;
pub use entry::{Answer, BoardText, Entry, QueryText, Value};
pub use format::Format;
pub use importer::{Imported, Tally, import, reader_of};
pub use notice::{Item, Notice};
pub use original::{ImportedFile, Original, import_file};
pub(crate) use popeye::has_popeye_command;
pub use reader::{ImportOptions, LETTERS, Reader};
pub use record::{Boundary, Record};
