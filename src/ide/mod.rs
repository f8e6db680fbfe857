//! What an editor and the command line do with a text: edits, formatting, conversion, answers.
//!
//! Invariant: offsets in, plain data out; nothing here knows a protocol, and nothing writes a file.

mod complete;
mod convert;
pub mod diagram;
mod edit;
mod format;
mod hints;
mod hover;
mod insert;
mod manual;

pub use complete::{Completion, CompletionKind, complete};
pub use convert::{Converted, convert, convert_at};
pub use edit::{apply, keeps_all_else, safe_fixes, set_apart};
pub use format::{format, format_edits};
pub use hints::{Hint, hints, next_move, path, puzzle_state, query_at, query_state, summary};
pub use hover::{Hover, destinations, hover};
pub use insert::{insert_answers, insertion};
pub use manual::manual;
