//! Puzzles, ids and names that occur more than once.
//!
//! Two puzzles are the same if they have the same game, dialect, side to move, queries and position. Queries are the
//! same if their verbs and arguments are, and two arguments if they mean the same legal moves; written answers,
//! properties that are only text, and the order of queries do not count. Positions are the same if one is a mirror image
//! or a rotation of the other under which the game's rules are the same, but only if no query names squares. In chess
//! without helpmates the colours may be exchanged too, with the side to move. Of several puzzles that are the same, all
//! later ones refer to the first, and the first to the second, in order of files and positions.
//!
//! Ids are compared in all files too, but only a later puzzle refers to the first.
//!
//! Two names are the same if their text without quotes is; they are compared within a file. Names of other files, and
//! boards that are asked something else, are hints of [`add_collection_hints`].
//!
//! [`duplicates`] finds them in all files at once, [`DuplicateIndex`] as files change. Both give the same findings.

mod batch;
mod findings;
mod hints;
mod identity;
mod incremental;
mod names;

pub use batch::{Placed, duplicates, link};
pub use hints::add_collection_hints;
pub use identity::canonical_form;
pub(super) use identity::{board_hash, identity_of};
pub use incremental::{DuplicateFindings, DuplicateIndex, DuplicateLink};
pub(super) use names::report_repeated_names;
