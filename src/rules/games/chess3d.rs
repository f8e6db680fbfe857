//! Chess on n×n×n cubes (source 003): no pawns; a bishop changes all three axes at once.

use crate::board::{Colour, Format, Kind, Notation, Piece, Sizes};
use crate::games::budget::{Budget, Undecided};
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
        &[Verb::Mate]
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

    fn symmetries(&self, _: &Position) -> Vec<Symmetry> {
        Symmetry::cube()
    }
}
