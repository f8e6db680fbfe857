//! Mates on cubes in which no piece is idle: pieces are added until a side is mated, and then those are taken away without
//! which it still is.

use crate::authoring::generate::kinds::KindWeights;
use crate::authoring::generate::random::Random;
use crate::authoring::generate::{Maker, Rejected};
use crate::authoring::rating::Facts;
use cpz_rules::board::{Board, Colour, Kind, Piece, Rights, Size, Square};
use cpz_rules::games::{Answer, Budget, Dialect, Position, Question, Status, game};
use cpz_text::syntax::{GameId, Verb};

/// The nodes that looking at one position counts as.
const NODES_A_POSITION: u64 = 16;

/// The most pieces that are added to the kings before an attempt ends.
const MAX_ADDED: usize = 24;

/// Which mates on cubes are wanted. White is to move and mated, and without any one of the pieces but the kings it would not be.
#[derive(Clone, Debug)]
pub struct CubeOptions {
    /// Files, ranks and levels, 3 to 8: on a smaller cube the kings stand side by side.
    pub side: u8,
    /// The number of pieces with both kings, if it matters.
    pub pieces: Option<u32>,
    /// How often each kind of piece comes.
    pub kinds: KindWeights,
}

impl CubeOptions {
    /// The options with their defaults: a cube of 3×3×3.
    pub fn new(side: Option<u8>, pieces: Option<u32>, kinds: KindWeights) -> CubeOptions {
        CubeOptions { side: side.unwrap_or(3), pieces, kinds }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// No position has so many pieces.
    pub(super) fn check(&self) -> Result<(), String> {
        if !(3..=8).contains(&self.side) {
            let side = self.side;
            return Err(format!(
                "a cube for mates has a side of 3 to 8, not {side}: on a smaller one the kings touch"
            ));
        }
        match self.pieces {
            Some(pieces) if pieces < 3 => {
                Err("a mate has 3 pieces at least: two kings and one that gives check".into())
            }
            Some(pieces) if pieces as usize > MAX_ADDED + 2 => Err(format!(
                "a mate of {pieces} pieces none of which is idle is not found; ask for {} at most",
                MAX_ADDED + 2
            )),
            _ => Ok(()),
        }
    }

    /// A position in which white is mated, perhaps with idle pieces; nothing where the attempt ends before.
    fn grown(&self, random: &mut Random, budget: &Budget<'_>) -> Result<Option<Position>, Rejected> {
        let side = self.side;
        let mut board = Board::empty(Size { w: side, h: side, d: side });
        // Near the edges a king has fewer squares to flee to.
        let edge = |random: &mut Random| match random.below(4) {
            0 => random.below(usize::from(side)) as u8,
            n => [0, side - 1][n % 2],
        };
        let king = Square { x: edge(random), y: edge(random), z: edge(random) };
        let at = board.index(king);
        board.cells[at] = Some(Piece::white(Kind::King));
        let add = |board: &mut Board, random: &mut Random, piece: Piece| {
            let cell = random.below(board.cells.len());
            board.cells[cell].is_none().then(|| board.cells[cell] = Some(piece))
        };
        if add(&mut board, random, Piece::black(Kind::King)).is_none() {
            return Ok(None);
        }
        let mut position =
            Position { board, turn: Colour::White, dialect: Dialect::Default, rights: Rights::default() };
        for _ in 0..MAX_ADDED.min(position.board.cells.len()) {
            let Some(kind) = self.kinds.pick(random, |_| true) else { return Ok(None) };
            // A piece of the mated side can take a square from its king.
            let colour = if random.below(4) == 0 { Colour::White } else { Colour::Black };
            if add(&mut position.board, random, Piece { colour, kind }).is_some()
                && is_mate(&position, budget)?
            {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// Whether the side to move is mated.
fn is_mate(position: &Position, budget: &Budget<'_>) -> Result<bool, Rejected> {
    budget.spend(NODES_A_POSITION)?;
    Ok(game(GameId::Chess3d).status(position) == Some(Status::Checkmate))
}

/// Takes away, in a random order, the pieces without which the side to move is still mated.
fn without_idle(
    mut position: Position,
    random: &mut Random,
    budget: &Budget<'_>,
) -> Result<Position, Rejected> {
    let is_man = |cell: &Option<Piece>| cell.is_some_and(|piece| piece.kind != Kind::King);
    loop {
        let mut men: Vec<usize> =
            (0..position.board.cells.len()).filter(|&cell| is_man(&position.board.cells[cell])).collect();
        let mut removed = false;
        while !men.is_empty() {
            let cell = men.swap_remove(random.below(men.len()));
            let man = position.board.cells[cell].take();
            match is_mate(&position, budget)? {
                true => removed = true,
                false => position.board.cells[cell] = man,
            }
        }
        // A piece can become idle when another one is gone.
        if !removed {
            return Ok(position);
        }
    }
}

impl Maker for CubeOptions {
    fn position(&self, random: &mut Random, budget: &Budget<'_>) -> Result<Position, Rejected> {
        budget.spend(NODES_A_POSITION)?;
        let grown = self.grown(random, budget)?.ok_or(Rejected::Unfit)?;
        let position = without_idle(grown, random, budget)?;
        let is_wrong = self.pieces.is_some_and(|n| n as usize != position.board.count());
        if is_wrong || !game(GameId::Chess3d).validate(&position, &[position.turn]).is_empty() {
            return Err(Rejected::Unfit);
        }
        Ok(position)
    }

    fn facts(&self, position: &Position, budget: &Budget<'_>) -> Result<Facts, Rejected> {
        match game(GameId::Chess3d).answer(position, &Question::of(Verb::Mate), budget)? {
            Answer::Mate { status, reasons, .. } => {
                Ok(Facts::Status { status, reasons: reasons.len() as u32 })
            }
            _ => Err(Rejected::Unfit),
        }
    }
}
