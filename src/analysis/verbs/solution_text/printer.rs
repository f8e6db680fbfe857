//! Prints solutions as PGN movetext.

use crate::games::{ChessMove, Position};

/// A solution of a helpmate as movetext, numbered as composers do: `1. Re3 Bf7 2. Rg7 Rh4#`, and from `1...` on where a
/// half move is missing.
pub(crate) fn helpmate_movetext(_position: &Position, _moves: &[ChessMove]) -> String {
    String::new()
}
