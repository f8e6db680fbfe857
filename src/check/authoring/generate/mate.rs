//! Mates in a number of moves, made by changing known positions.

use crate::analysis::Options;
use crate::authoring::generate::random::Random;
use crate::authoring::generate::{Maker, Rejected};
use crate::authoring::rating::{Facts, facts_of_problem};
use cpz_rules::board::{Board, Castling, Colour, Kind, Piece, Rights};
use cpz_rules::games::{Budget, Position, ProblemKind, Stipulation, find_keys, game};
use cpz_text::syntax::GameId;

/// Which mates are wanted.
#[derive(Clone, Debug)]
pub struct MateOptions {
    /// The moves in which the side to move mates: exactly one key, and no shorter mate.
    pub moves: u8,
    /// The positions that are changed; not empty.
    pub from: Vec<Position>,
    /// The number of pieces, if it matters.
    pub pieces: Option<u32>,
}

/// The most changes of one position.
const MAX_CHANGES: usize = 3;

/// The nodes that a rating counts as, which is made of sound positions only.
const NODES_A_RATING: u64 = 100_000;

/// The nodes that one position may take.
const NODES_A_POSITION: u64 = 400_000;

impl Maker for MateOptions {
    fn position(&self, random: &mut Random, budget: &Budget<'_>) -> Result<Position, Rejected> {
        budget.spend(64)?;
        let position = self.changed(random).ok_or(Rejected::Unfit)?;
        let is_wrong = self.pieces.is_some_and(|n| n as usize != position.board.count());
        if is_wrong || !game(GameId::Chess).validate(&position, &[position.turn]).is_empty() {
            return Err(Rejected::Unfit);
        }
        let within = Budget::new(NODES_A_POSITION.min(budget.left()), None);
        let left = within.left();
        let found = find_keys(&position, self.stipulation(), &within);
        budget.spend(left - within.left())?;
        match found {
            Ok(found) if found.complete => match found.keys[..] {
                [key] if key.mates == self.moves => Ok(position),
                _ => Err(Rejected::Unfit),
            },
            _ => Err(Rejected::Unfit),
        }
    }

    fn facts(&self, position: &Position, budget: &Budget<'_>) -> Result<Facts, Rejected> {
        budget.spend(NODES_A_RATING)?;
        let options = Options { nodes: NODES_A_POSITION, ..Options::default() };
        Ok(Facts::Problem(facts_of_problem(position, self.stipulation(), &options)?))
    }
}

impl MateOptions {
    fn stipulation(&self) -> Stipulation {
        Stipulation::new(ProblemKind::MATE, 2 * self.moves)
    }

    /// A known position with one to three changes. Castling and en passant are not kept: the pieces that they speak of
    /// may have moved.
    fn changed(&self, random: &mut Random) -> Option<Position> {
        let known = random.pick(&self.from)?;
        let mut board = known.board.clone();
        for _ in 0..=random.below(MAX_CHANGES) {
            change(&mut board, random)?;
        }
        let kings =
            |colour| board.cells.iter().flatten().filter(|&&p| p == Piece::new(colour, Kind::King)).count();
        if board == known.board || kings(Colour::White) != 1 || kings(Colour::Black) != 1 {
            return None;
        }
        let rights = Rights { castling: Castling::NONE, en_passant: None };
        Some(Position { board, turn: known.turn, dialect: known.dialect, rights })
    }
}

/// Moves a piece, removes one, adds one, or makes one of another kind.
fn change(board: &mut Board, random: &mut Random) -> Option<()> {
    const KINDS: [Kind; 5] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
    let is_king = |cell: usize| board.cells[cell].is_some_and(|piece| piece.kind == Kind::King);
    let men: Vec<usize> = (0..board.cells.len()).filter(|&cell| board.cells[cell].is_some()).collect();
    let free: Vec<usize> = (0..board.cells.len()).filter(|&cell| board.cells[cell].is_none()).collect();
    let &man = random.pick(&men)?;
    let &empty = random.pick(&free)?;
    let kind = *random.pick(&KINDS)?;
    let old = board.cells[man]?;
    match random.below(6) {
        0 if !is_king(man) => board.cells[man] = None,
        1 => board.cells[empty] = Some(Piece::new([Colour::White, Colour::Black][random.below(2)], kind)),
        2 if !is_king(man) => board.cells[man] = Some(Piece { kind, ..old }),
        _ => board.cells.swap(man, empty),
    }
    let is_on_last_rank = |cell: &usize| matches!(cell / 8, 0 | 7);
    let pawn = |cell: &usize| board.cells[*cell].is_some_and(|piece| piece.kind == Kind::Pawn);
    (!(0..board.cells.len()).any(|cell| is_on_last_rank(&cell) && pawn(&cell))).then_some(())
}
