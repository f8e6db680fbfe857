//! Boards of solitaire, made backwards: from the piece that remains, one capture is taken back after the other, so that
//! every board has a solution.

use crate::authoring::generate::kinds::KindWeights;
use crate::authoring::generate::random::Random;
use crate::authoring::generate::{Maker, Rejected};
use cpz_rules::board::{Board, Colour, Kind, Piece, Rights, Size, Square};
use cpz_rules::games::{
    Answer, Budget, Dialect, Position, Question, game, solitaire_facts, solitaire_origins,
};
use cpz_text::syntax::{GameId, Verb};

/// Which boards of solitaire are wanted.
#[derive(Clone, Debug)]
pub struct SolitaireOptions {
    /// The number of pieces, 1 to the number of cells.
    pub pieces: u32,
    /// The size of the board: one level, 1×2 to 8×8.
    pub size: Size,
    /// The rules.
    pub dialect: Dialect,
    /// How often each kind of piece comes.
    pub kinds: KindWeights,
    /// Whether all solutions must have the same set of captures.
    pub unique: bool,
}

/// The nodes that one attempt counts as besides its searches.
const NODES_AN_ATTEMPT: u64 = 64;

impl Maker for SolitaireOptions {
    fn position(&self, random: &mut Random, budget: &Budget<'_>) -> Result<Position, Rejected> {
        budget.spend(NODES_AN_ATTEMPT)?;
        let position = self.backwards(random).ok_or(Rejected::Unfit)?;
        if self.unique {
            let game = game(GameId::Solitaire);
            let question = Question::of(Verb::Solve);
            let Answer::Solve(Some(first)) = game.answer(&position, &question, budget)? else {
                return Err(Rejected::Unfit);
            };
            if game.second(&position, &first, budget)?.is_some() {
                return Err(Rejected::Unfit);
            }
        }
        Ok(position)
    }

    fn facts(&self, position: &Position, budget: &Budget<'_>) -> Result<crate::authoring::Facts, Rejected> {
        Ok(crate::authoring::Facts::Solitaire(solitaire_facts(position, budget)?))
    }
}

impl SolitaireOptions {
    /// A board with a solution; nothing where the way back ends before all pieces stand.
    fn backwards(&self, random: &mut Random) -> Option<Position> {
        let mut board = Board::empty(self.size);
        let mut captures = vec![0u8; board.cells.len()];
        let is_solo = self.dialect == Dialect::Solo;
        // A king is never captured under `rules solo`, so that only the last piece may be one.
        let last = self.kinds.pick(random, |_| true)?;
        board.cells[random.below(captures.len())] = Some(Piece::white(last));
        for _ in 1..self.pieces {
            let retreats = self.retreats(&board, &captures);
            let &(from, to) = random.pick(&retreats)?;
            let taken = self.kinds.pick(random, |kind| !is_solo || kind != Kind::King)?;
            let (from, to) = (board.index(from), board.index(to));
            board.cells[from] = board.cells[to].replace(Piece::white(taken));
            captures[from] = captures[to] + 1;
            captures[to] = 0;
        }
        Some(Position { board, turn: Colour::White, dialect: self.dialect, rights: Rights::default() })
    }

    /// The captures that may have been the last one: the empty square that the piece came from, and where it stands now.
    fn retreats(&self, board: &Board, captures: &[u8]) -> Vec<(Square, Square)> {
        let may_capture = |s: Square| self.dialect != Dialect::Solo || captures[board.index(s)] < 2;
        let mut all = Vec::new();
        for (to, piece) in board.pieces().filter(|&(s, _)| may_capture(s)) {
            all.extend(
                solitaire_origins(board, piece.kind, to, self.dialect).into_iter().map(|from| (from, to)),
            );
        }
        all
    }
}
