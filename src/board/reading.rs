//! The result of reading a board: pieces, their places in the text, findings.

use crate::board::model::{Board, Colour};
use crate::diagnostic::{Code, Finding, Span};

/// A piece's cell and its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The index of the cell.
    pub cell: u16,
    /// Where the piece is written.
    pub span: Span,
}

/// A board that was read.
pub struct Reading {
    /// The board; where there are errors, what could be made out, or nothing.
    pub board: Option<Board>,
    /// Where its pieces are written.
    pub places: Vec<Placed>,
    /// The side to move that the notation names.
    pub turn: Option<Colour>,
    /// Whether it is written in the game's one-line notation.
    pub is_notation: bool,
    /// The fields of a FEN that say more than the position and the side, where they do.
    pub fen_rest: Option<String>,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
}

impl Reading {
    pub(super) fn nothing(finding: Finding) -> Reading {
        Reading {
            board: None,
            places: Vec::new(),
            turn: None,
            is_notation: false,
            fen_rest: None,
            findings: vec![finding],
        }
    }

    /// Whether the board can be asked about.
    pub fn is_good(&self) -> bool {
        self.board.is_some() && self.findings.iter().all(|f| f.code == Code::KingLetter)
    }

    /// Where the piece of a cell is written.
    pub fn place(&self, cell: usize) -> Option<Span> {
        self.places.iter().find(|p| p.cell as usize == cell).map(|p| p.span)
    }
}

/// How many wrong cells are told one by one; the rest are counted.
pub(super) const MAX_FINDINGS: usize = 100;
