//! What a chess problem asks: mate, selfmate or helpmate, and in how many moves.

/// Who mates whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The side to move mates the other side, whatever that plays.
    Mate,
    /// The side to move makes the other side mate it, against its will.
    Selfmate,
    /// Both sides together reach a mate; the side that makes the last ply mates.
    Helpmate,
}

impl ProblemKind {
    /// The word in a text.
    pub fn word(self) -> &'static str {
        ["mate", "selfmate", "helpmate"][self as usize]
    }
}

/// The stipulation of a chess problem: `#2`, `s#3`, `h#2.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stipulation {
    /// Who mates whom.
    pub kind: ProblemKind,
    /// The length in half moves, twice the number that is written: 4 for `#2`, 5 for `h#2.5`. Odd in helpmates only.
    pub plies: u8,
}

impl Stipulation {
    /// The largest number of moves that may be asked for.
    pub const MAX_MOVES: u8 = 30;

    /// The number of whole moves, a half move counting as one.
    pub fn moves(self) -> u8 {
        self.plies.div_ceil(2)
    }

    /// The length as it is written: `2`, `2.5`.
    pub fn length(self) -> String {
        let half = if self.plies % 2 == 1 { ".5" } else { "" };
        format!("{}{half}", self.plies / 2)
    }

    /// The short form of composers: `#2`, `s#3`, `h#2.5`.
    pub fn short(self) -> String {
        let kind = match self.kind {
            ProblemKind::Mate => "",
            ProblemKind::Selfmate => "s",
            ProblemKind::Helpmate => "h",
        };
        format!("{kind}#{}", self.length())
    }
}
