//! Puzzles and names that occur more than once.
//!
//! Two puzzles are the same if they have the same game, dialect, side to move, queries and position. Queries are the
//! same if their verbs and arguments are; written answers, properties that are only text, and the order of queries do
//! not count. Positions are the same if one is a mirror image or a rotation of the other under which the game's rules
//! are the same, but only if no query names squares. Of several puzzles that are the same, all later ones refer to the
//! first, and the first to the second, in order of files and positions.
//!
//! Two names are the same if their text without quotes is; they are compared within a file.
//!
//! [`duplicates`] finds them in all files at once, [`DuplicateIndex`] as files change. Both give the same findings.

mod batch;
mod identity;
mod incremental;
mod names;

use crate::diagnostic::{Code, Finding, Related, Span};

pub use batch::{Placed, duplicates, link};
pub(super) use identity::PuzzleIdentity;
pub use incremental::{DuplicateFindings, DuplicateIndex, DuplicateLink};
pub(super) use names::names;

/// The finding of a puzzle at `head` that is the same as the one at `other`; `file` is the other's file, if that is
/// another file, `turned` says that the boards differ by a symmetry, and `place` names the other's place.
fn same_puzzle(head: Span, other: Span, file: Option<u32>, turned: bool, place: &str) -> Finding {
    let turned = if turned { ", turned or mirrored" } else { "" };
    let message = format!("this is the same puzzle as {place}{turned}");
    let mut finding = Finding::new(Code::DuplicatePuzzle, head, message);
    finding.related.push(Related { file, span: other, message: "the other one".into() });
    finding
}

/// The finding of a name, given without quotes, that another puzzle of the file has.
fn same_name(name: &str, span: Span, first: Span) -> Finding {
    let message = format!("the name \"{name}\" is used twice in this file");
    Finding::new(Code::DuplicateName, span, message).related(first, "the first one")
}
