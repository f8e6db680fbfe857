//! What an editor and the command line do with a text: edits, formatting, conversion, answers.
//!
//! Invariant: offsets in, plain data out; nothing here knows a protocol, and nothing writes a file.

mod complete;
mod convert;
pub mod diagram;
mod edit;
mod folding;
mod format;
mod highlight;
mod hints;
mod hover;
mod insert;
mod links;
mod manual;
mod markdown;
mod names;
mod on_type;
mod panel;
mod picture;
mod place;
mod play;
mod rewrite;
mod selection;
mod symbols;
mod tokens;
mod transform;

pub use complete::{Completion, CompletionKind, complete};
pub use convert::{Converted, convert, convert_at};
pub use edit::{apply, keeps_all_else, safe_fixes};
pub use folding::{FoldKind, folds};
pub use format::{format, format_edits, format_range};
pub use highlight::highlights;
pub use hints::{Hint, hints, next_move, path, puzzle_state, query_at, query_state, summary};
pub use hover::{Hover, hover};
pub use insert::{answers_not_written, insert_answers, insertion};
pub use links::links;
pub use manual::manual;
pub use markdown::plain;
pub use names::{name_at, references, rename};
pub use on_type::on_type;
pub use panel::{Frame, Panel, PanelQuery, panel, written_at};
pub use picture::{Arrow, Mark, Picture};
pub use selection::selection;
pub use symbols::{Symbol, SymbolKind, document_symbols};
pub use tokens::{SemanticToken, TokenClass, semantic_tokens};
pub use transform::{Transform, sort_coordinates, switch_dialect, transform};
