//! Chess on n×n×n cubes (source 003): no pawns; a bishop changes all three axes at once.

use crate::board::{Colour, Format, Kind, Notation, Piece, Sizes, Square, square_name};
use crate::games::budget::{Budget, Undecided};
use crate::games::chess_move::ChessMove;
use crate::games::chess_rules::ChessRules;
use crate::games::game::{Answer, Game, Position, PositionIssue, Question, Status};
use crate::games::symmetry::Symmetry;
use cpz_text::syntax::{Property, Verb};

/// Chess on a cube.
pub struct Chess3d;

static FORMAT: Format = Format {
    game: "chess3d",
    origin: 1,
    sizes: Sizes::Cube(2, 10),
    empty: '#',
    letters: &[
        ('K', Piece::white(Kind::King)),
        ('Q', Piece::white(Kind::Queen)),
        ('R', Piece::white(Kind::Rook)),
        ('B', Piece::white(Kind::Bishop)),
        ('N', Piece::white(Kind::Knight)),
        ('k', Piece::black(Kind::King)),
        ('q', Piece::black(Kind::Queen)),
        ('r', Piece::black(Kind::Rook)),
        ('b', Piece::black(Kind::Bishop)),
        ('n', Piece::black(Kind::Knight)),
    ],
    kinds: &[Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight],
    numbers: &[Kind::King, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight],
    coloured: true,
    dark_only: false,
    notation: Notation::None,
};

impl Game for Chess3d {
    fn format(&self) -> &'static Format {
        &FORMAT
    }

    fn verbs(&self) -> &'static [Verb] {
        &[Verb::Mate, Verb::Line]
    }

    fn takes(&self, property: Property) -> bool {
        !matches!(
            property,
            Property::Rules
                | Property::Unique
                | Property::Castling
                | Property::EnPassant
                | Property::Solutions
                | Property::Condition
                | Property::HalfDuplex
                | Property::ZeroPosition
        )
    }

    fn validate(&self, position: &Position, sides: &[Colour]) -> Vec<PositionIssue> {
        ChessRules::new(&position.board).validate(sides)
    }

    fn answer(&self, position: &Position, _: &Question, budget: &Budget<'_>) -> Result<Answer, Undecided> {
        budget.step()?;
        let (status, reasons) = ChessRules::new(&position.board).explained(position.turn);
        Ok(Answer::Mate { status, side: position.turn, reasons })
    }

    fn status(&self, position: &Position) -> Option<Status> {
        Some(ChessRules::new(&position.board).status(position.turn))
    }

    fn symmetries(&self, _: &Position) -> &'static [Symmetry] {
        Symmetry::cube()
    }
}

/// The legal moves of the side to move on a cube.
pub fn cube_moves(position: &Position) -> Vec<ChessMove> {
    ChessRules::new(&position.board).plain_moves(position.turn)
}

/// The position after a move on a cube, where no position has rights.
pub fn after_cube_move(position: &Position, mv: ChessMove) -> Position {
    let mut board = position.board.clone();
    let (from, to) = (board.index(mv.from), board.index(mv.to));
    board.cells[to] = board.cells[from].take();
    Position { board, turn: position.turn.other(), ..position.clone() }
}

/// A move on a cube in long notation, with the levels and its mark: `Kc1(I)-c2(I)`, `Ra1(I)xa1(III)+`.
pub fn cube_move_name(position: &Position, mv: ChessMove) -> String {
    let name = |square: Square| square_name(square, true).replace(' ', "");
    let letter = position.board.at(mv.from).map_or(' ', |piece| piece.kind.letter());
    let sign = if position.board.at(mv.to).is_some() { 'x' } else { '-' };
    let after = after_cube_move(position, mv);
    let mark = match ChessRules::new(&after.board).status(after.turn) {
        Status::Checkmate => "#",
        Status::Check => "+",
        Status::Stalemate | Status::None => "",
    };
    format!("{letter}{}{sign}{}{mark}", name(mv.from), name(mv.to))
}

/// Why the piece of a square of a cube cannot go to another square; `None` if it can.
pub fn why_illegal_on_cube(position: &Position, from: Square, to: Square) -> Option<String> {
    let rules = ChessRules::new(&position.board);
    rules.obstacle(position.board.index(from), position.board.index(to))
}
