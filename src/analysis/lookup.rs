//! Where things are in a tree: puzzles with what is in force above them, positions, moves, written answers.

use crate::analysis::binding::{Bound, bind};
use crate::analysis::defaults::{Defaults, PropertyScope};
use crate::analysis::verbs::{self, AnswerPart, ParsedAnswer, ParsedQuery};
use crate::board::Board;
use crate::diagnostic::Span;
use crate::games::{Position, Request, Step};
use crate::syntax::{PropertyNode, Puzzle, Query, Tree};

/// Every puzzle of a known game with its properties and board, and the defaults above it, to which
/// `base` is added: what is configured.
pub fn bind_all(tree: &Tree, base: Defaults) -> Vec<(Bound<'_>, Defaults)> {
    puzzles(tree, base)
        .filter_map(|(puzzle, settings)| Some((bind_one(puzzle, settings)?, settings)))
        .collect()
}

/// Every puzzle with the defaults above it, added to what is configured.
pub fn puzzles(tree: &Tree, base: Defaults) -> impl Iterator<Item = (Puzzle<'_>, Defaults)> {
    let mut settings = base;
    tree.root().children().filter_map(move |node| {
        if let Some(property) = PropertyNode::cast(node) {
            settings.set(property, PropertyScope::File);
        }
        Puzzle::cast(node).map(|puzzle| (puzzle, settings))
    })
}

/// A puzzle with its properties and board; nothing where its game is unknown.
pub fn bind_one(puzzle: Puzzle<'_>, defaults: Defaults) -> Option<Bound<'_>> {
    bind(puzzle, defaults).bound
}

/// The puzzle round an offset with its properties and board, and the defaults above it.
pub fn bound_at(tree: &Tree, base: Defaults, offset: u32) -> Option<(Bound<'_>, Defaults)> {
    let (puzzle, settings) = puzzle_at(tree, base, offset)?;
    Some((bind_one(puzzle, settings)?, settings))
}

/// The puzzle round an offset, its end included, with the defaults above it.
pub fn puzzle_at(tree: &Tree, base: Defaults, offset: u32) -> Option<(Puzzle<'_>, Defaults)> {
    let mut settings = base;
    for node in tree.root().children() {
        let span = node.span();
        if span.start > offset {
            return None;
        }
        if let Some(puzzle) = Puzzle::cast(node) {
            if offset <= span.end {
                return Some((puzzle, settings));
            }
        } else if let Some(property) = PropertyNode::cast(node) {
            settings.set(property, PropertyScope::File);
        }
    }
    None
}

/// The puzzles that touch a range, each with the defaults above it; `most` at most.
pub fn puzzles_in(tree: &Tree, base: Defaults, range: Span, most: usize) -> Vec<(Puzzle<'_>, Defaults)> {
    let mut settings = base;
    let mut found = Vec::new();
    for node in tree.root().children() {
        let span = node.span();
        if span.start > range.end || found.len() == most {
            break;
        }
        if let Some(puzzle) = Puzzle::cast(node) {
            found.extend((span.end >= range.start).then_some((puzzle, settings)));
        } else if let Some(property) = PropertyNode::cast(node) {
            settings.set(property, PropertyScope::File);
        }
    }
    found
}

/// The position that a puzzle's queries are asked of, if its board can be asked about.
pub fn position_of(bound: &Bound<'_>) -> Option<Position> {
    bound.position().ok()
}

/// The move of a `move` query, if it can be read.
pub fn request_of(bound: &Bound<'_>, query: Query<'_>) -> Option<Request> {
    ParsedQuery::read(query, bound)?.question.ok()?.request
}

/// A written solution or draughts path.
pub enum Played {
    /// Its steps with their places: those before the first that cannot be read.
    Steps(Vec<(Step, Span)>),
    /// Boards from start to end with their places.
    Boards(Vec<(Board, Span)>),
}

/// The solution or draughts path that is written after a query, if any of it can be read.
pub fn played_of(bound: &Bound<'_>, query: Query<'_>) -> Option<Played> {
    let (verb, value, position) = (query.verb()?, query.answer()?, position_of(bound)?);
    match verbs::read_answer(value, verb, bound, &position.board).ok()? {
        ParsedAnswer::Steps(steps, _) if !steps.is_empty() => Some(Played::Steps(steps)),
        ParsedAnswer::Boards(boards) if !boards.is_empty() => Some(Played::Boards(boards)),
        _ => None,
    }
}

/// The steps of a written solution or draughts path with their places: those before the first that
/// cannot be read. Boards are no steps.
pub fn steps_of(bound: &Bound<'_>, query: Query<'_>) -> Vec<(Step, Span)> {
    match played_of(bound, query) {
        Some(Played::Steps(steps)) => steps,
        _ => Vec::new(),
    }
}

/// The puzzle that is looked at from an offset, with the defaults above it: the one round it, or else the
/// one whose description it is in, the last one before it, or the first.
pub fn puzzle_near(tree: &Tree, base: Defaults, offset: u32) -> Option<(Puzzle<'_>, Defaults)> {
    let mut before = None;
    for (puzzle, settings) in puzzles(tree, base) {
        let span = puzzle.span();
        if span.start > offset {
            let described = puzzle.described_from() <= offset;
            return if described { Some((puzzle, settings)) } else { before.or(Some((puzzle, settings))) };
        }
        before = Some((puzzle, settings));
        if offset <= span.end {
            break;
        }
    }
    before
}

/// The squares and boards that a written answer is made of, in order.
pub fn answer_parts(query: Query<'_>) -> Vec<AnswerPart<'_>> {
    let parts = query.verb().zip(query.answer()).map(|(verb, value)| verbs::answer_parts(value, verb));
    parts.unwrap_or_default()
}
