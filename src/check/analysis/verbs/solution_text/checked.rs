//! What is found out about a written solution.

use cpz_rules::games::{ChessMove, Undecided};
use cpz_text::diagnostic::{Code, Finding, Span};

/// What a written solution says and whether it holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct CheckedSolution {
    /// The first moves that the text gives as keys, in its order. No finding says that one of them does not solve.
    pub keys: Vec<NamedKey>,
    /// The first moves that the text gives as tries: with `?`, or with a refutation.
    pub tries: Vec<NamedKey>,
    /// The lines of a helpmate that reach mate in the stipulated length, in the order of the text.
    pub lines: Vec<NamedLine>,
    /// The legal moves of the text in its order, for whoever shows the position after a move.
    pub moves: Vec<SolutionMove>,
    /// In the order of the text: what cannot be read, at most one `wrong-solution`, marks, and left-out variations.
    pub findings: Vec<Finding>,
    /// Whether a search ended early, so that not all was proved.
    pub undecided: Option<Undecided>,
}

impl CheckedSolution {
    /// Whether something is wrong with the text; a left-out variation and a mark are not.
    pub fn has_error(&self) -> bool {
        self.findings.iter().any(|f| f.code != Code::MissingVariation && f.code != Code::WrongMark)
    }
}

/// A first move that a solution names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedKey {
    /// The move.
    pub mv: ChessMove,
    /// Its place.
    pub span: Span,
    /// How many moves the side that begins needs with it, itself included; none where it does not solve.
    pub mates: Option<u8>,
    /// A reply that refutes it; none where it solves, or stalemates.
    pub refutation: Option<ChessMove>,
}

/// A solution of a helpmate.
#[derive(Clone, Debug)]
pub(crate) struct NamedLine {
    /// All its moves.
    pub moves: Vec<ChessMove>,
    /// The place of the last one.
    pub span: Span,
    /// Whether it is set play: the other side begins, and it is a half move shorter.
    pub is_set_play: bool,
}

/// A legal move of a written solution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolutionMove {
    /// The move.
    pub mv: ChessMove,
    /// Its place.
    pub span: Span,
    /// The index of the move before it in [`CheckedSolution::moves`].
    pub parent: Option<usize>,
    /// Whether the other side passed before it: it is a threat, or begins set play.
    pub after_pass: bool,
}
