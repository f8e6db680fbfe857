//! A board that knows where each man comes from, so that two men of one kind are not taken for each other.

use cpz_check::analysis::TwinChange;
use cpz_rules::board::{Board, Piece, Square};
use cpz_rules::games::Change;

/// The squares of a chess board.
const SQUARES: usize = 64;

/// A man, and the square where it stood before the changes; none if a change added it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    pub piece: Piece,
    pub from: Option<Square>,
}

/// The men on a board of 8×8 squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Traced([Option<Man>; SQUARES]);

fn index(square: Square) -> usize {
    usize::from(square.y) * 8 + usize::from(square.x)
}

/// All squares of a chess board.
pub(super) fn squares() -> impl Iterator<Item = Square> {
    (0..8).flat_map(|y| (0..8).map(move |x| Square::new(x, y)))
}

impl Traced {
    /// A board before the changes.
    pub fn new(board: &Board) -> Traced {
        let mut men = [None; SQUARES];
        for (square, piece) in board.pieces() {
            men[index(square)] = Some(Man { piece, from: Some(square) });
        }
        Traced(men)
    }

    pub fn at(&self, square: Square) -> Option<Man> {
        self.0[index(square)]
    }

    pub fn put(&mut self, square: Square, man: Option<Man>) {
        self.0[index(square)] = man;
    }

    fn take(&mut self, square: Square) -> Option<Man> {
        self.0[index(square)].take()
    }

    fn add(&mut self, square: Square, man: Man) -> Option<()> {
        self.at(square).is_none().then(|| self.put(square, Some(man)))
    }

    /// Makes a change that concerns single men, and returns how many it captures. `None` if it cannot be made so.
    pub fn change(&mut self, change: TwinChange) -> Option<usize> {
        let TwinChange::Position(change) = change else { return Some(0) };
        match change {
            Change::Move(from, to) => {
                let man = self.take(from)?;
                let captured = usize::from(self.at(to).is_some());
                self.put(to, Some(man));
                return Some(captured);
            }
            Change::Remove(square) => {
                self.take(square)?;
            }
            Change::Add(piece, square) => self.add(square, Man { piece, from: None })?,
            Change::Exchange(a, b) => {
                let (first, second) = (self.take(a)?, self.take(b)?);
                self.put(a, Some(second));
                self.put(b, Some(first));
            }
            Change::Instead(kind, to, from) => {
                let man = self.take(from)?;
                self.add(to, Man { piece: Piece::new(man.piece.colour, kind), ..man })?;
            }
            _ => return None,
        }
        Some(0)
    }
}

/// What shall stand on the squares.
pub(super) struct Wanted {
    men: Traced,
    /// A square whose man may come from anywhere, since it was put there.
    put: Option<Square>,
}

impl Wanted {
    pub fn new(men: Traced, put: Option<Square>) -> Wanted {
        Wanted { men, put }
    }

    pub fn at(&self, square: Square) -> Option<Man> {
        self.men.at(square)
    }

    pub fn is_met(&self, found: &Traced) -> bool {
        if *found == self.men {
            return true;
        }
        let Some(put) = self.put else { return false };
        let piece = |traced: &Traced| traced.at(put).map(|man| man.piece);
        let mut found = found.clone();
        let is_put = piece(&found) == piece(&self.men);
        found.put(put, self.men.at(put));
        is_put && found == self.men
    }
}
