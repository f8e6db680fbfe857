//! Edits that the user asks for by a code action or a command: fixes, answers, other board formats, rewritten
//! puzzles.

pub(crate) mod allow;
pub(crate) mod convert_board;
pub(crate) mod dialect;
pub(crate) mod fixes;
pub(crate) mod insert_answer;
pub(crate) mod insert_solution;
pub(crate) mod make_puzzles;
mod rewrite;
pub(crate) mod slips;
pub(crate) mod sort_coordinates;
pub(crate) mod transform;
mod verify_rewrite;

use cpz_check::analysis::{Bound, Defaults, bound_at, position_of, unreadable_property};
use cpz_rules::games::Position;
use cpz_text::syntax::{Property, Puzzle, Tree};

/// Why a puzzle is not rewritten when no more precise reason is known.
pub(crate) const ROUND_TRIP_FAILED: &str = "cpz would not read the rewritten puzzle as the same position";

/// The puzzle at an offset with its defaults and its position.
///
/// # Errors
/// Why there is none, for the user.
fn readable_puzzle(
    tree: &Tree,
    base: Defaults,
    offset: u32,
) -> Result<(Bound<'_>, Defaults, Position), String> {
    let Some((bound, defaults)) = bound_at(tree, base, offset) else {
        return Err("there is no puzzle here".into());
    };
    let position = readable_position(&bound, defaults)?;
    Ok((bound, defaults, position))
}

/// The position of a puzzle of which everything that decides about it can be read. `defaults` are those in force for it.
///
/// # Errors
/// What cannot be read, for the user.
pub(super) fn readable_position(bound: &Bound<'_>, defaults: Defaults) -> Result<Position, String> {
    if has_syntax_errors(bound.puzzle.node().tree(), bound.puzzle) {
        return Err("it has syntax errors".into());
    }
    if bound.puzzle.boards().nth(1).is_some() {
        return Err("it has two boards".into());
    }
    // The rules decide which symmetries keep the answers.
    let decisive = [Property::Size, Property::Origin, Property::Turn, Property::Rules];
    require_readable(bound, defaults, &decisive)?;
    position_of(bound).ok_or_else(|| "its board cannot be read".into())
}

/// Refuses a puzzle with a property that cannot be read: a rewritten board would be a guess, and stay one when the
/// property is corrected.
fn require_readable(bound: &Bound<'_>, defaults: Defaults, properties: &[Property]) -> Result<(), String> {
    let unreadable = unreadable_property(bound, defaults, properties);
    unreadable.map_or(Ok(()), |name| Err(format!("its `{}` cannot be read", name.word())))
}

fn has_syntax_errors(tree: &Tree, puzzle: Puzzle<'_>) -> bool {
    let span = puzzle.span();
    let first = tree.errors().partition_point(|e| e.span.start < span.start);
    tree.errors().get(first).is_some_and(|e| e.span.start < span.end)
}
