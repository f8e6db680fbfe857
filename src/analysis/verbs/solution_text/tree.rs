//! The tree of a written solution.

use crate::diagnostic::{Finding, Span};
use crate::games::Mark;

/// A solution as it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrittenSolution<'t> {
    /// The moves in the order of the text, each behind its parent.
    pub nodes: Vec<SolutionNode<'t>>,
    /// What cannot be read, such as a variation that is not closed or a number that contradicts its place.
    pub findings: Vec<Finding>,
}

/// A move of a written solution, or several with the same continuation: `1...a/b/c`.
#[derive(Clone, Debug)]
pub(crate) struct SolutionNode<'t> {
    /// The index of the move before it; none where the solution begins.
    pub parent: Option<usize>,
    /// Half moves before it, counted from the first move of the side that begins: 0 for a key, 1 for a defence.
    pub ply: u32,
    /// At least one.
    pub moves: Vec<WrittenMove<'t>>,
    /// What the move is, as far as its place says it.
    pub role: Role,
    /// The place of a `!` behind it, which makes a first move a key and a defence a refutation.
    pub good: Option<Span>,
    /// The place of a `?` behind it, which makes a first move a try.
    pub bad: Option<Span>,
    /// The place of `zugzwang` or `zz` behind it.
    pub zugzwang: Option<Span>,
    /// The place of `threat:` behind it.
    pub threat: Option<Span>,
}

/// What a move is by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It answers the move before it, or is a first move.
    Move,
    /// It follows a move of its own side, as if the other side had passed.
    Threat,
    /// A move of the other side where the solution begins, as if the side to move had passed.
    SetPlay,
    /// Behind `but`: it refutes the move before it.
    Refutation,
}

/// A move as it is written, without its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenMove<'t> {
    /// The move, with a mark and `ep.` that follow it.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
    /// A mark that something parts from the move.
    pub mark: Option<(Mark, Span)>,
    /// Whether it is `~`, which stands for every move that is not written beside it.
    pub is_any: bool,
}
