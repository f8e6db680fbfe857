//! Captures of draughts with exactly one solution: a capture is laid out step by step, pieces are added, and what is left are
//! the positions in which the side to move has this capture and no other.

use crate::authoring::generate::kinds::KindWeights;
use crate::authoring::generate::random::Random;
use crate::authoring::generate::{Maker, Rejected};
use crate::authoring::rating::Facts;
use cpz_rules::board::{Board, Colour, Kind, Piece, Rights, Size, Square};
use cpz_rules::games::{Answer, Budget, Dialect, Position, Question, game};
use cpz_text::syntax::{GameId, Verb};

/// The most pieces of a side.
const MAX_OF_SIDE: u32 = 12;

/// The nodes that one attempt counts as besides its search.
const NODES_AN_ATTEMPT: u64 = 64;

const WAYS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Which captures are wanted. White moves, and has exactly one complete capture.
#[derive(Clone, Debug)]
pub struct DraughtsOptions {
    /// The number of pieces, at least one more than are taken.
    pub pieces: u32,
    /// The number of pieces that the capture takes, 1 to 12.
    pub captures: u32,
    /// How often men and kings come.
    pub kinds: KindWeights,
}

/// The number of pieces that the capture takes where it is not given.
const CAPTURES: u32 = 3;

impl DraughtsOptions {
    /// The options with their defaults: a capture of three, and two more pieces than it needs, but six at least.
    pub fn new(pieces: Option<u32>, captures: Option<u32>, kinds: KindWeights) -> DraughtsOptions {
        let captures = captures
            .unwrap_or(pieces.map_or(CAPTURES, |pieces| CAPTURES.min(pieces.saturating_sub(1)).max(1)));
        DraughtsOptions { pieces: pieces.unwrap_or((captures + 3).max(6)), captures, kinds }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// No position has so many pieces.
    pub(super) fn check(&self) -> Result<(), String> {
        if !(1..=MAX_OF_SIDE).contains(&self.captures) {
            return Err(format!("a capture takes 1 to {MAX_OF_SIDE} pieces, not {}", self.captures));
        }
        if !(self.captures + 1..=2 * MAX_OF_SIDE).contains(&self.pieces) {
            let (least, most) = (self.captures + 1, 2 * MAX_OF_SIDE);
            return Err(format!(
                "a capture of {} needs {least} to {most} pieces on the board, not {}",
                self.captures, self.pieces
            ));
        }
        Ok(())
    }

    /// A position with a capture that takes as many as are wanted, and perhaps others; nothing where the way ends before.
    fn laid_out(&self, random: &mut Random) -> Option<Board> {
        let mut board = Board::empty(Size::flat(8, 8));
        let start = dark_square(random);
        let mover = self.piece(random, Colour::White, start)?;
        let (mut at, mut king) = (start, mover.kind == Kind::King);
        let mut entered = vec![start];
        for _ in 0..self.captures {
            let jumps = jumps(&board, &entered, at, king);
            let &(over, to) = random.pick(&jumps)?;
            let cell = board.index(over);
            board.cells[cell] = Some(self.piece(random, Colour::Black, over)?);
            entered.push(to);
            at = to;
            king |= to.y == 7;
        }
        let cell = board.index(start);
        board.cells[cell] = Some(mover);
        for _ in self.captures + 1..self.pieces {
            let square = dark_square(random);
            let colour = [Colour::White, Colour::Black][random.below(2)];
            let piece = self.piece(random, colour, square)?;
            let cell = board.index(square);
            if entered.contains(&square) || board.cells[cell].is_some() {
                return None;
            }
            board.cells[cell] = Some(piece);
        }
        Some(board)
    }

    /// A piece for a square; nothing where it is a man on his last rank.
    fn piece(&self, random: &mut Random, colour: Colour, square: Square) -> Option<Piece> {
        let last = if colour == Colour::White { 7 } else { 0 };
        let kind = self.kinds.pick(random, |_| true)?;
        (kind != Kind::Man || square.y != last).then_some(Piece { colour, kind })
    }
}

/// One of the 32 dark squares.
fn dark_square(random: &mut Random) -> Square {
    let n = random.below(32) as u8;
    let y = n / 4;
    Square::new(2 * (n % 4) + y % 2, y)
}

/// The squares of a piece to take and to land on, all of them free and not entered before.
fn jumps(board: &Board, entered: &[Square], at: Square, king: bool) -> Vec<(Square, Square)> {
    let mut all = Vec::new();
    let reach = if king { 7 } else { 1 };
    let is_free = |s: &Square| board.at(*s).is_none() && !entered.contains(s);
    for way in WAYS {
        let ahead: Vec<Square> = ray(at, way).take_while(is_free).collect();
        for (n, &over) in ahead.iter().enumerate().take(reach) {
            all.extend(ahead[n + 1..].iter().take(reach).map(|&to| (over, to)));
        }
    }
    all
}

fn ray(from: Square, (dx, dy): (i8, i8)) -> impl Iterator<Item = Square> {
    let step = move |s: &Square| {
        let x = s.x.checked_add_signed(dx).filter(|&x| x < 8)?;
        let y = s.y.checked_add_signed(dy).filter(|&y| y < 8)?;
        Some(Square::new(x, y))
    };
    std::iter::successors(step(&from), step)
}

impl Maker for DraughtsOptions {
    fn position(&self, random: &mut Random, budget: &Budget<'_>) -> Result<Position, Rejected> {
        budget.spend(NODES_AN_ATTEMPT)?;
        let board = self.laid_out(random).ok_or(Rejected::Unfit)?;
        let (turn, rights) = (Colour::White, Rights::default());
        let position = Position { board, turn, dialect: Dialect::Default, rights };
        if !game(GameId::Draughts).validate(&position, &[turn]).is_empty() {
            return Err(Rejected::Unfit);
        }
        match captures(&position, budget)? {
            (1, longest) if longest == self.captures => Ok(position),
            _ => Err(Rejected::Unfit),
        }
    }

    fn facts(&self, position: &Position, budget: &Budget<'_>) -> Result<Facts, Rejected> {
        let (captures, longest) = captures(position, budget)?;
        Ok(Facts::Captures { captures, longest })
    }
}

/// How many complete captures there are, and how many pieces the largest takes.
fn captures(position: &Position, budget: &Budget<'_>) -> Result<(u32, u32), Rejected> {
    match game(GameId::Draughts).answer(position, &Question::of(Verb::Capture), budget)? {
        Answer::Capture { lines, .. } => {
            let longest = lines.iter().map(|line| line.taken.len()).max().unwrap_or(0);
            Ok((lines.len() as u32, longest as u32))
        }
        _ => Err(Rejected::Unfit),
    }
}
