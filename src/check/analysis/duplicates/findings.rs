//! The findings of puzzles and names that occur more than once.

use crate::analysis::file_report::PuzzleIdentity;
use cpz_text::diagnostic::{Code, Finding, Related, Severity, Span};

/// How the boards of two puzzles that are the same differ.
#[derive(Clone, Copy)]
pub(super) enum Difference {
    None,
    /// By a symmetry.
    Turned,
    /// By their colours, and perhaps by a symmetry.
    Colours,
}

impl Difference {
    pub fn of(one: PuzzleIdentity, other: Option<PuzzleIdentity>) -> Difference {
        match other {
            Some(other) if other.exact_hash == one.exact_hash => Difference::None,
            Some(other) if (other.exact_hash ^ one.exact_hash) & 1 == 1 => Difference::Colours,
            _ => Difference::Turned,
        }
    }
}

/// The finding of a puzzle at `head` that is the same as the one at `other`; `file` is the other's file, if that is
/// another file, `difference` says how the boards differ, and `place` names the other's place.
pub(super) fn same_puzzle(
    head: Span,
    other: Span,
    file: Option<u32>,
    difference: Difference,
    place: &str,
) -> Finding {
    let difference = match difference {
        Difference::None => "",
        Difference::Turned => ", turned or mirrored",
        Difference::Colours => ", with the colours exchanged",
    };
    let message = format!("this is the same puzzle as {place}{difference}");
    let mut finding = Finding::new(Code::DuplicatePuzzle, head, message);
    finding.related = vec![Related { file, span: other, message: "the other one".into() }];
    finding
}

/// The finding of a puzzle's `id` that the puzzle with the one at `first` has too; `file` and `place` as above.
pub(super) fn same_id(id: Span, first: Span, file: Option<u32>, place: &str) -> Finding {
    let message = format!("{place} has this `id` already; give each puzzle one of its own");
    let mut finding = Finding::new(Code::DuplicateId, id, message);
    finding.related = vec![Related { file, span: first, message: "the first one".into() }];
    finding
}

/// The finding of a name, given without quotes, that another puzzle of the file has.
pub(super) fn same_name(name: &str, span: Span, first: Span) -> Finding {
    let message = format!("the name \"{name}\" is used twice in this file");
    Finding::new(Code::DuplicateName, span, message).related(first, "the first one")
}

/// The hint at a puzzle whose board another one has that is asked something else; the arguments as above.
pub(super) fn same_board(head: Span, other: Span, file: Option<u32>, place: &str) -> Finding {
    let message = format!("{place} has the same board, with another question or other castling rights");
    let mut finding = Finding::new(Code::DuplicatePuzzle, head, message);
    finding.severity = Some(Severity::Hint);
    finding.related = vec![Related { file, span: other, message: "the other one".into() }];
    finding
}

/// The hint at a name, given without quotes, that a puzzle of another file has.
pub(super) fn name_elsewhere(name: &str, span: Span, first: Span, file: u32, place: &str) -> Finding {
    let message = format!("{place} has the name \"{name}\" too");
    let mut finding = Finding::new(Code::DuplicateName, span, message);
    finding.severity = Some(Severity::Hint);
    finding.related.push(Related { file: Some(file), span: first, message: "the first one".into() });
    finding
}
