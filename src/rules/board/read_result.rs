//! The result of reading a board: pieces, their places in the text, findings.

use crate::board::model::{Board, Colour};
use crate::board::rights::WrittenRights;
use cpz_text::diagnostic::{Code, Finding, Span};

/// The cell of a piece and its span in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The index in [`Board::cells`].
    pub cell: u16,
    /// The span of the piece, or of its entry in coordinates.
    pub span: Span,
}

/// The result of reading a board.
pub struct Reading {
    /// The board. With errors it has the pieces that could be read, or is `None`.
    pub board: Option<Board>,
    /// The spans of its pieces.
    pub places: Vec<Placed>,
    /// The side to move, if a FEN or PDN names it.
    pub turn: Option<Colour>,
    /// The castling rights and the en passant square of a FEN.
    pub rights: WrittenRights,
    /// Whether the board is a FEN or a PDN position.
    pub is_notation: bool,
    /// The counters of a FEN, unless they are neutral (`0 1`).
    pub fen_rest: Option<String>,
    /// What is wrong, by position in the text.
    pub findings: Vec<Finding>,
}

impl Reading {
    pub(crate) fn nothing(finding: Finding) -> Reading {
        Reading {
            board: None,
            places: Vec::new(),
            turn: None,
            rights: WrittenRights::default(),
            is_notation: false,
            fen_rest: None,
            findings: vec![finding],
        }
    }

    /// Whether queries can be answered: the board has no findings other than `king-letter`.
    pub fn is_good(&self) -> bool {
        self.board.is_some() && self.findings.iter().all(|f| f.code == Code::KingLetter)
    }

    /// The span of the piece of a cell.
    pub fn place(&self, cell: usize) -> Option<Span> {
        self.places.iter().find(|p| p.cell as usize == cell).map(|p| p.span)
    }
}

/// Wrong cells of a board that are reported one by one. The rest are only counted.
pub(crate) const MAX_FINDINGS: usize = 100;
