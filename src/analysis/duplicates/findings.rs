//! The findings of puzzles and names that occur more than once.

use crate::diagnostic::{Code, Finding, Related, Span};

/// The finding of a puzzle at `head` that is the same as the one at `other`; `file` is the other's file, if that is
/// another file, `turned` says that the boards differ by a symmetry, and `place` names the other's place.
pub(super) fn same_puzzle(head: Span, other: Span, file: Option<u32>, turned: bool, place: &str) -> Finding {
    let turned = if turned { ", turned or mirrored" } else { "" };
    let message = format!("this is the same puzzle as {place}{turned}");
    let mut finding = Finding::new(Code::DuplicatePuzzle, head, message);
    finding.related.push(Related { file, span: other, message: "the other one".into() });
    finding
}

/// The finding of a puzzle's `id` that the puzzle with the one at `first` has too; `file` and `place` as above.
pub(super) fn same_id(id: Span, first: Span, file: Option<u32>, place: &str) -> Finding {
    let message = format!("{place} has this `id` already; give each puzzle one of its own");
    let mut finding = Finding::new(Code::DuplicateId, id, message);
    finding.related.push(Related { file, span: first, message: "the first one".into() });
    finding
}

/// The finding of a name, given without quotes, that another puzzle of the file has.
pub(super) fn same_name(name: &str, span: Span, first: Span) -> Finding {
    let message = format!("the name \"{name}\" is used twice in this file");
    Finding::new(Code::DuplicateName, span, message).related(first, "the first one")
}
