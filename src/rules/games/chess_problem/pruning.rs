//! Parts of the searches that leave something out.

/// A part of the search that leaves something out, for tests that compare the answers with and without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pruning {
    /// Series by layers.
    Layers,
    /// Moves that change nothing before a mate.
    Idle,
    /// Bounds on what stalemates need.
    Stalemate,
    /// Replies that refute a self of one move.
    Replies,
    /// Mates in two ruled out for all moves of a man at once.
    Followups,
    /// Positions that were refuted before.
    Refuted,
}
