//! A move of chess.

use crate::board::{Kind, Square, Wing, square_name};

/// A move of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChessMove {
    /// The start; in castling that of the king.
    pub from: Square,
    /// The target; in castling that of the king.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Kind>,
    /// The wing, if it is castling.
    pub castling: Option<Wing>,
    /// Whether it captures en passant.
    pub en_passant: bool,
}

impl ChessMove {
    /// The move in the notation of UCI: `e2e4`, `e7e8q`, `e1g1` for castling.
    pub fn uci(self) -> String {
        let promotion = self.promotion.map_or(String::new(), |k| k.letter().to_ascii_lowercase().to_string());
        format!("{}{}{promotion}", square_name(self.from, false), square_name(self.to, false))
    }
}
