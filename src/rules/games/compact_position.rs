//! A position of chess as a small value, for questions about another position than the diagram.

use crate::board::{Board, Castling, Colour, Kind, Piece, Square};
use std::hash::{Hash, Hasher};

/// A position of chess as a value that can be copied and compared: that of a twin, or of duplex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompactPosition {
    /// Four bits for each square: 0 if it is empty, or else the kind and the colour.
    cells: [u8; 32],
    /// The side to move.
    pub turn: Colour,
    /// The castling rights.
    pub castling: Castling,
    /// The square behind the pawn that may be taken en passant.
    pub en_passant: Option<Square>,
}

/// Files keep these hashes, so one without en passant is that of the other three parts.
impl Hash for CompactPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.cells, self.turn, self.castling).hash(state);
        if let Some(square) = self.en_passant {
            square.hash(state);
        }
    }
}

impl CompactPosition {
    /// A board of 8×8 squares with the side to move, without en passant.
    pub fn new(board: &Board, turn: Colour, castling: Castling) -> CompactPosition {
        let mut cells = [0; 32];
        for (index, man) in board.cells.iter().enumerate().take(64) {
            let code = man.map_or(0, |man| man.kind as u8 + 7 * man.colour as u8);
            cells[index / 2] |= code << (4 * (index % 2));
        }
        CompactPosition { cells, turn, castling, en_passant: None }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn a_board_comes_back_from_its_value() {
        let mut board = Board::empty(Size::flat(8, 8));
        // Each man on squares of both halves of a byte.
        for (cell, code) in (0..28).chain(36..64).enumerate().map(|(i, cell)| (cell, i % 14)) {
            let colour = if code < 7 { Colour::White } else { Colour::Black };
            board.cells[cell] = Some(Piece::new(colour, Kind::ALL[code % 7]));
        }
        board.cells[5] = None;
        let value = CompactPosition::new(&board, Colour::Black, Castling::ALL);
        assert_eq!((value.turn, value.castling), (Colour::Black, Castling::ALL));
        assert_eq!(value.board(&Board::empty(Size::flat(8, 8))), board);
        assert_eq!(value.board(&board), board);
        assert_eq!(value.board(&Board::empty(Size::flat(5, 5))).cells, board.cells[..25]);
        // A board of another size is cut after 64 squares.
        let long = value.board(&Board::empty(Size::flat(10, 10)));
        assert!(long.cells[64..].iter().all(Option::is_none));
    }
}
