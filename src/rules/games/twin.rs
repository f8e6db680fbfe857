//! The changes that make a twin of a chess problem (Codex for Chess Composition, article 9; Popeye's manual, `Twin`).

use crate::board::{Board, Kind, Piece, Square, square_name};

/// A change of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The man on the first square goes to the second one, and takes what stands there, in its own colour too, as in published
    /// twins.
    Move(Square, Square),
    /// The man on a square is taken away.
    Remove(Square),
    /// A man is put on an empty square.
    Add(Piece, Square),
    /// The men on two squares change places.
    Exchange(Square, Square),
    /// A man of this kind on the first square stands for the man on the second one, in its colour.
    Instead(Kind, Square, Square),
    /// All men go as far as from the first square to the second one.
    Shift(Square, Square),
    /// The board is turned by 90, 180 or 270 degrees, counterclockwise as in Popeye: by 90, a1 becomes h1.
    Rotate(u16),
    /// The board is mirrored so that one corner becomes another one.
    Mirror(Square, Square),
    /// All men change their colours.
    SwapColours,
    /// All men of a kind become men of another one.
    Substitute(Kind, Kind),
}

impl Change {
    /// The mirrors by the corners that they exchange.
    pub const MIRRORS: [(Square, Square); 4] = [
        (Square::new(0, 0), Square::new(7, 0)),
        (Square::new(0, 0), Square::new(0, 7)),
        (Square::new(0, 0), Square::new(7, 7)),
        (Square::new(0, 7), Square::new(7, 0)),
    ];

    /// Whether two corners name a mirror: `a1 h1`, `a1 a8`, `a1 h8`, `a8 h1`.
    pub fn is_mirror(from: Square, to: Square) -> bool {
        mirror_of(from, to).is_some()
    }

    /// Changes a board of 8×8 squares.
    ///
    /// # Errors
    /// Why it cannot be changed so: a square is empty or occupied, a man would leave the board, or it is no board of this
    /// size.
    pub fn apply(self, board: &mut Board) -> Result<(), String> {
        // A puzzle that is being written may ask for a twin of a board of another game.
        if (board.size.w, board.size.h, board.size.d) != (8, 8, 1) {
            return Err("a twin is made of a board of 8 by 8 squares".to_string());
        }
        match self {
            Change::Move(from, to) => {
                let man = take(board, from)?;
                put(board, to, Some(man));
            }
            Change::Remove(square) => {
                take(board, square)?;
            }
            Change::Add(man, square) => match board.at(square) {
                None => put(board, square, Some(man)),
                Some(_) => return Err(format!("a man stands on {} already", name(square))),
            },
            Change::Exchange(a, b) if a == b => {
                return Err(format!("{} is named twice; an exchange is of two squares", name(a)));
            }
            Change::Exchange(a, b) => {
                let (first, second) = (take(board, a)?, take(board, b)?);
                put(board, a, Some(second));
                put(board, b, Some(first));
            }
            Change::Instead(kind, to, from) => {
                let man = take(board, from)?;
                Change::Add(Piece::new(man.colour, kind), to).apply(board)?;
            }
            Change::Shift(from, to) => {
                let (dx, dy) = (i16::from(to.x) - i16::from(from.x), i16::from(to.y) - i16::from(from.y));
                transform(board, |x, y| (x + dx, y + dy))?;
            }
            Change::Rotate(90) => transform(board, |x, y| (7 - y, x))?,
            Change::Rotate(180) => transform(board, |x, y| (7 - x, 7 - y))?,
            Change::Rotate(_) => transform(board, |x, y| (y, 7 - x))?,
            Change::Mirror(from, to) => match mirror_of(from, to) {
                Some(0) => transform(board, |x, y| (7 - x, y))?,
                Some(1) => transform(board, |x, y| (x, 7 - y))?,
                Some(2) => transform(board, |x, y| (7 - y, 7 - x))?,
                _ => transform(board, |x, y| (y, x))?,
            },
            Change::SwapColours => {
                for man in board.cells.iter_mut().flatten() {
                    man.colour = man.colour.other();
                }
            }
            Change::Substitute(from, to) if from == to => {
                return Err(format!("a {} for a {} changes nothing", to.name(), from.name()));
            }
            Change::Substitute(from, to) => {
                let before = board.clone();
                for man in board.cells.iter_mut().flatten().filter(|man| man.kind == from) {
                    man.kind = to;
                }
                if *board == before {
                    return Err(format!("there is no {} to substitute", from.name()));
                }
            }
        }
        Ok(())
    }
}

fn mirror_of(from: Square, to: Square) -> Option<usize> {
    Change::MIRRORS.iter().position(|&(a, b)| (a, b) == (from, to) || (b, a) == (from, to))
}

fn name(square: Square) -> String {
    square_name(square, false)
}

fn put(board: &mut Board, square: Square, man: Option<Piece>) {
    let index = board.index(square);
    board.cells[index] = man;
}

fn take(board: &mut Board, square: Square) -> Result<Piece, String> {
    let man = board.at(square).ok_or_else(|| format!("nothing stands on {}", name(square)))?;
    put(board, square, None);
    Ok(man)
}

/// Moves all men at once.
fn transform(board: &mut Board, to: impl Fn(i16, i16) -> (i16, i16)) -> Result<(), String> {
    let mut changed = Board::empty(board.size);
    for (square, man) in board.pieces() {
        let (x, y) = to(i16::from(square.x), i16::from(square.y));
        let on_board = |v: i16| u8::try_from(v).ok().filter(|v| *v < 8);
        let (Some(x), Some(y)) = (on_board(x), on_board(y)) else {
            return Err(format!("the man on {} would leave the board", name(square)));
        };
        put(&mut changed, Square::new(x, y), Some(man));
    }
    *board = changed;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Colour, Size, chess_square};

    #[test]
    fn a_change_of_the_board_moves_each_man() {
        let square = |name: &str| chess_square(name).expect("a square");
        let mirror = |a, b| Change::Mirror(square(a), square(b));
        for (change, due) in [
            (Change::Shift(square("a1"), square("c2")), "d4"),
            (Change::Shift(square("c3"), square("b1")), "a1"),
            (Change::Rotate(90), "f2"),
            (Change::Rotate(180), "g6"),
            (Change::Rotate(270), "c7"),
            (mirror("a1", "h1"), "g3"),
            (mirror("h1", "a1"), "g3"),
            (mirror("a1", "a8"), "b6"),
            (mirror("a8", "a1"), "b6"),
            (mirror("a1", "h8"), "f7"),
            (mirror("h8", "a1"), "f7"),
            (mirror("a8", "h1"), "c2"),
            (mirror("h1", "a8"), "c2"),
        ] {
            let mut board = Board::empty(Size::flat(8, 8));
            put(&mut board, square("b3"), Some(Piece::new(Colour::White, Kind::Rook)));
            change.apply(&mut board).expect("a board");
            let found: Vec<String> = board.pieces().map(|(square, _)| name(square)).collect();
            assert_eq!(found, [due], "{change:?} of b3");
        }
        for (a, b) in Change::MIRRORS {
            assert!(Change::is_mirror(a, b) && Change::is_mirror(b, a));
        }
        assert!(!Change::is_mirror(square("a1"), square("a1")));
        assert!(!Change::is_mirror(square("a1"), square("b1")));
    }

    #[test]
    fn a_change_is_made_or_has_its_reason() {
        let square = |name: &str| chess_square(name).expect("a square");
        let (a1, b2, c3, h8) = (square("a1"), square("b2"), square("c3"), square("h8"));
        let queen = Piece::new(Colour::Black, Kind::Queen);
        for (change, due) in [
            (Change::Move(a1, c3), "b2 black knight, c3 white rook"),
            (Change::Move(a1, b2), "b2 white rook"),
            (Change::Move(c3, a1), "nothing stands on c3"),
            (Change::Remove(b2), "a1 white rook"),
            (Change::Remove(c3), "nothing stands on c3"),
            (Change::Add(queen, c3), "a1 white rook, b2 black knight, c3 black queen"),
            (Change::Add(queen, b2), "a man stands on b2 already"),
            (Change::Exchange(a1, b2), "a1 black knight, b2 white rook"),
            (Change::Exchange(a1, a1), "a1 is named twice; an exchange is of two squares"),
            (Change::Exchange(a1, c3), "nothing stands on c3"),
            (Change::Instead(Kind::Queen, c3, b2), "a1 white rook, c3 black queen"),
            (Change::Instead(Kind::Queen, b2, b2), "a1 white rook, b2 black queen"),
            (Change::Instead(Kind::Queen, a1, b2), "a man stands on a1 already"),
            (Change::Shift(a1, b2), "b2 white rook, c3 black knight"),
            (Change::Shift(a1, h8), "the man on b2 would leave the board"),
            (Change::Shift(b2, a1), "the man on a1 would leave the board"),
            (Change::SwapColours, "a1 black rook, b2 white knight"),
            (Change::Substitute(Kind::Rook, Kind::Pawn), "a1 white pawn, b2 black knight"),
            (Change::Substitute(Kind::Rook, Kind::Rook), "a rook for a rook changes nothing"),
            (Change::Substitute(Kind::Queen, Kind::Rook), "there is no queen to substitute"),
        ] {
            let mut board = Board::empty(Size::flat(8, 8));
            put(&mut board, a1, Some(Piece::new(Colour::White, Kind::Rook)));
            put(&mut board, b2, Some(Piece::new(Colour::Black, Kind::Knight)));
            let shown = |(square, man): (Square, Piece)| format!("{} {man}", name(square));
            let found = change.apply(&mut board).map(|()| board.pieces().map(shown).collect::<Vec<_>>());
            assert_eq!(found.map_or_else(|why| why, |men| men.join(", ")), due, "{change:?}");
        }
        for size in [Size::flat(8, 7), Size::flat(7, 8), Size { w: 8, h: 8, d: 8 }] {
            assert!(Change::SwapColours.apply(&mut Board::empty(size)).is_err(), "{size}");
        }
    }
}
