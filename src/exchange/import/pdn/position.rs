//! Positions of draughts: `W:W18,K24:Bc3`, with named or numbered squares.

use crate::import::pdn::numbering::Numbering;
use cpz_rules::board::{Board, Colour, Kind, Piece, Size, Square, square_name};

/// A square as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenSquare {
    Named(Square),
    Number(u8),
}

/// A position as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenPosition {
    pub turn: Colour,
    pub men: Vec<(WrittenSquare, Piece)>,
}

impl WrittenSquare {
    /// Reads a name or a number.
    pub fn read(text: &str) -> Option<WrittenSquare> {
        match *text.as_bytes() {
            [x, y @ b'1'..=b'8'] if (b'a'..=b'h').contains(&x.to_ascii_lowercase()) => {
                let square = Square::new(x.to_ascii_lowercase() - b'a', y - b'1');
                Some(WrittenSquare::Named(square))
            }
            _ if !text.is_empty() && text.len() <= 2 && text.bytes().all(|b| b.is_ascii_digit()) => {
                text.parse().ok().filter(|n| (1..=32).contains(n)).map(WrittenSquare::Number)
            }
            _ => None,
        }
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        matches!(self, WrittenSquare::Number(_))
    }

    /// The square.
    pub fn on(self, numbering: Numbering) -> Option<Square> {
        match self {
            WrittenSquare::Named(square) => Some(square),
            WrittenSquare::Number(number) => numbering.square(number),
        }
    }
}

/// Reads a position.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read_position(text: &str) -> Result<WrittenPosition, String> {
    let mut sections = text.trim().trim_end_matches('.').split(':').map(str::trim);
    let colour = |c: Option<char>| match c {
        Some('W' | 'w') => Some(Colour::White),
        Some('B' | 'b') => Some(Colour::Black),
        _ => None,
    };
    let first = sections.next().unwrap_or_default();
    let turn = colour(first.chars().next()).filter(|_| first.len() == 1);
    let turn =
        turn.ok_or_else(|| format!("the FEN does not begin with the side to move, `W:` or `B:`: {text}"))?;
    let mut men = Vec::new();
    for section in sections {
        let mut chars = section.chars();
        let Some(colour) = colour(chars.next()) else {
            // Lidraughts counts half moves and moves in sections of their own.
            let is_counter =
                section.starts_with(['H', 'F']) && section[1..].bytes().all(|b| b.is_ascii_digit());
            if is_counter || section.is_empty() {
                continue;
            }
            return Err(format!("`{section}` has no colour: the squares of a side begin with W or B"));
        };
        for word in chars.as_str().split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (kind, name) = match word.strip_prefix(['K', 'k']) {
                Some(name) => (Kind::King, name),
                None => (Kind::Man, word),
            };
            let piece = Piece::new(colour, kind);
            let ends = match name.split_once('-') {
                Some((from, to)) => (from, to),
                None => (name, name),
            };
            match (WrittenSquare::read(ends.0), WrittenSquare::read(ends.1)) {
                (Some(WrittenSquare::Number(from)), Some(WrittenSquare::Number(to))) => {
                    men.extend((from..=to).map(|n| (WrittenSquare::Number(n), piece)));
                }
                (Some(square), Some(_)) if ends.0 == ends.1 => men.push((square, piece)),
                _ => return Err(format!("`{word}` is no square of a board of 8 by 8")),
            }
        }
    }
    match men.len() {
        0 => Err("the FEN has no men".to_string()),
        _ => Ok(WrittenPosition { turn, men }),
    }
}

impl WrittenPosition {
    /// Whether any square is a number.
    pub fn has_numbers(&self) -> bool {
        self.men.iter().any(|(square, _)| square.is_number())
    }

    /// The board by a numbering.
    ///
    /// # Errors
    /// Two men on one square, or one on a light square.
    pub fn board(&self, numbering: Numbering) -> Result<Board, String> {
        let mut board = Board::empty(Size::flat(8, 8));
        for (written, piece) in &self.men {
            let square = written.on(numbering).ok_or("a square is not on the board")?;
            let name = square_name(square, false);
            if (square.x + square.y) % 2 == 1 {
                return Err(format!("{name} is a light square"));
            }
            let index = board.index(square);
            if board.cells[index].replace(*piece).is_some() {
                return Err(format!("two men stand on {name}"));
            }
        }
        Ok(board)
    }
}

/// Whether a man stands on the rank where it would be a king.
pub(super) fn has_man_at_home_of_kings(board: &Board) -> bool {
    board.pieces().any(|(square, piece)| {
        piece.kind == Kind::Man && square.y == if piece.colour == Colour::White { 7 } else { 0 }
    })
}

/// The position as it is written in a puzzle.
pub(super) fn board_text(board: &Board, turn: Colour) -> String {
    let side = |colour: Colour| {
        let men = board.pieces().filter(|(_, piece)| piece.colour == colour).map(|(square, piece)| {
            let king = if piece.kind == Kind::King { "K" } else { "" };
            format!("{king}{}", square_name(square, false))
        });
        men.collect::<Vec<_>>().join(",")
    };
    let turn = if turn == Colour::White { 'W' } else { 'B' };
    format!("\"{turn}:W{}:B{}\"", side(Colour::White), side(Colour::Black))
}
