//! Puzzles for other programs: one file for each format.
//!
//! [`Exporter`] writes the puzzles of one file after the other, so that not more than a few puzzles are in memory at a
//! time. A format turns one puzzle into text, and counts in [`Losses`] what it has no place for.
//!
//! [`DeckExporter`] makes a package of them, which is no text.
//!
//! A file imports only files before it: search < query, properties < source < losses, movetext < solution, chosen < each format <
//! format < exporter.

mod anki;
mod chosen;
mod csv;
mod exporter;
mod fen;
mod format;
mod json;
mod losses;
mod markdown;
mod movetext;
mod olv;
mod pdn;
mod pgn;
mod popeye;
mod popeye_play;
mod properties;
mod query;
mod search;
mod solution;
mod source;

pub use anki::{BoardPicture, DeckExporter, DrawBoard};
pub use chosen::Exported;
pub use exporter::Exporter;
pub use format::Format;
pub use losses::Losses;
pub use search::Search;
pub use source::Source;

pub(crate) use markdown::{code_fence, escaped_within};
pub(crate) use properties::in_one_line;
pub(crate) use query::ExportQuery;
pub(crate) use source::{ExportPuzzle, Placed, placed};
