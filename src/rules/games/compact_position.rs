//! A position of chess as a small value, for questions about another position than the diagram.

use crate::board::{Board, Castling, Colour, Kind, Piece};

/// A position of chess as a value that can be copied and compared: that of a twin, or of duplex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CompactPosition {
    /// Four bits for each square: 0 if it is empty, or else the kind and the colour.
    cells: [u8; 32],
    /// The side to move.
    pub turn: Colour,
    /// The castling rights.
    pub castling: Castling,
}

impl CompactPosition {
    /// A board of 8×8 squares with the side to move. En passant is not on the first move of a changed position.
    pub fn new(board: &Board, turn: Colour, castling: Castling) -> CompactPosition {
        let mut cells = [0; 32];
        for (index, man) in board.cells.iter().enumerate().take(64) {
            let code = man.map_or(0, |man| man.kind as u8 + 7 * man.colour as u8);
            cells[index / 2] |= code << (4 * (index % 2));
        }
        CompactPosition { cells, turn, castling }
    }

    /// The board; its size is that of another one.
    pub fn board(&self, like: &Board) -> Board {
        let mut board = like.clone();
        for (index, cell) in board.cells.iter_mut().enumerate().take(64) {
            let code = self.cells[index / 2] >> (4 * (index % 2)) & 15;
            *cell = code.checked_sub(1).map(|code| {
                let colour = if code < 7 { Colour::White } else { Colour::Black };
                Piece::new(colour, Kind::ALL[usize::from(code % 7)])
            });
        }
        board
    }
}
