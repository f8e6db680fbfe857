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
    /// Squares where no king can be mated.
    MateSquares,
    /// Replies that refute a self of one move.
    Replies,
    /// Mates in two ruled out for all moves of a man at once.
    Followups,
    /// Positions that were refuted before.
    Refuted,
    /// Replies to positions from which the attacker is known to fail.
    KnownReplies,
}

/// The prunings of a search: all of them, but for the one that a test has turned off.
#[derive(Default)]
pub(super) struct Prunings {
    #[cfg(test)]
    pub without: Option<Pruning>,
}

impl Prunings {
    /// Whether a part of the search may leave something out.
    #[inline(always)]
    pub(super) fn has(&self, _pruning: Pruning) -> bool {
        #[cfg(test)]
        return self.without != Some(_pruning);
        #[cfg(not(test))]
        true
    }
}
