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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Rights, Size};
    use crate::games::game::Dialect;

    #[test]
    fn moves_on_a_cube_have_names_and_those_that_are_none_have_reasons() {
        let mut board = Board::empty(Size { w: 3, h: 3, d: 3 });
        let at = |x, y, z| Square { x, y, z };
        for (square, piece) in [
            (at(0, 0, 0), Piece::white(Kind::King)),
            (at(1, 0, 0), Piece::white(Kind::Rook)),
            (at(1, 2, 0), Piece::black(Kind::Bishop)),
            (at(2, 2, 2), Piece::black(Kind::King)),
        ] {
            let cell = board.index(square);
            board.cells[cell] = Some(piece);
        }
        let (turn, dialect, rights) = (Colour::White, Dialect::Default, Rights::default());
        let position = Position { board, turn, dialect, rights };
        let rook = at(1, 0, 0);
        for (to, name, why) in [
            (at(1, 2, 0), "Rb1(I)xb3(I)", None),
            (at(1, 0, 2), "Rb1(I)-b1(III)", None),
            (at(2, 0, 0), "Rb1(I)-c1(I)", None),
            (at(0, 0, 0), "", Some("a1 (I) is occupied by white's own king")),
            (at(1, 0, 0), "", Some("the rook on b1 (I) does not reach b1 (I)")),
            (at(2, 1, 0), "", Some("the rook on b1 (I) does not reach c2 (I)")),
        ] {
            let mv = ChessMove { from: rook, to, ..cube_moves(&position)[0] };
            if why.is_none() {
                assert_eq!(cube_move_name(&position, mv), name);
            }
            assert_eq!(why_illegal_on_cube(&position, rook, to).as_deref(), why, "{to:?}");
        }
        // The rook gives check on the line of levels, and it is White's move again.
        let mv = ChessMove { from: rook, to: at(2, 2, 0), ..cube_moves(&position)[0] };
        let issues = Chess3d.validate(&after_cube_move(&position, mv), &[Colour::White]);
        let issues: Vec<String> = issues.into_iter().map(|issue| issue.message).collect();
        assert_eq!(
            issues,
            ["the king on c3 (III) is in check from the rook on c3 (I), but it is white's turn"]
        );
    }
}
