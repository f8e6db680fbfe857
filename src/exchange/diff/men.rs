//! Which pieces of two boards differ.

use crate::diff::model::ManDiff;
use cpz_rules::board::{Board, Format, Piece, Square, square_name};

/// A difference, with squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Man {
    Moved(Piece, Square, Square),
    Replaced(Square, Piece, Piece),
    Added(Piece, Square),
    Removed(Piece, Square),
}

/// The differences: first the pieces that have moved, each kind of difference in the order of the squares. Of several pieces of one kind the nearest have moved.
pub(super) fn men(old: &Board, new: &Board) -> Vec<Man> {
    let on = |board: &Board, s: Square| if board.size.has(s) { board.at(s) } else { None };
    let gone: Vec<(Square, Piece)> = old.pieces().filter(|&(s, p)| on(new, s) != Some(p)).collect();
    let come: Vec<(Square, Piece)> = new.pieces().filter(|&(s, p)| on(old, s) != Some(p)).collect();
    let mut found: Vec<(Square, Man)> = Vec::new();
    let mut pairs: Vec<(u32, usize, usize)> = Vec::new();
    for (i, &(from, piece)) in gone.iter().enumerate() {
        let same = come.iter().enumerate().filter(|(_, (_, other))| *other == piece);
        pairs.extend(same.map(|(j, &(to, _))| (distance(from, to), i, j)));
    }
    pairs.sort_unstable();
    let (mut left, mut arrived) = (vec![false; gone.len()], vec![false; come.len()]);
    for (_, i, j) in pairs {
        if !left[i] && !arrived[j] {
            (left[i], arrived[j]) = (true, true);
            let ((from, piece), (to, _)) = (gone[i], come[j]);
            found.push((from, Man::Moved(piece, from, to)));
        }
    }
    let rest = |all: Vec<(Square, Piece)>, done: Vec<bool>| -> Vec<(Square, Piece)> {
        all.into_iter().zip(done).filter(|(_, done)| !done).map(|(man, _)| man).collect()
    };
    let (gone, mut come) = (rest(gone, left), rest(come, arrived));
    for (square, piece) in gone {
        match come.iter().position(|&(other, _)| other == square) {
            Some(i) => found.push((square, Man::Replaced(square, piece, come.remove(i).1))),
            None => found.push((square, Man::Removed(piece, square))),
        }
    }
    found.extend(come.into_iter().map(|(square, piece)| (square, Man::Added(piece, square))));
    let rank = |man: &Man| match man {
        Man::Moved(..) => 0,
        Man::Replaced(..) => 1,
        Man::Added(..) => 2,
        Man::Removed(..) => 3,
    };
    found.sort_by_key(|(Square { x, y, z }, man)| (rank(man), *z, *y, *x));
    found.into_iter().map(|(_, man)| man).collect()
}

fn distance(a: Square, b: Square) -> u32 {
    [(a.x, b.x), (a.y, b.y), (a.z, b.z)].iter().map(|&(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

/// A difference with the names of its pieces and squares.
pub(super) fn named(man: Man, format: &Format) -> ManDiff {
    let square = |s: Square| square_name(s, format.is_cube());
    let piece = |p: Piece| format.called(p);
    match man {
        Man::Moved(p, from, to) => ManDiff::Moved { piece: piece(p), from: square(from), to: square(to) },
        Man::Replaced(s, old, new) => {
            ManDiff::Replaced { square: square(s), old: piece(old), new: piece(new) }
        }
        Man::Added(p, s) => ManDiff::Added { piece: piece(p), square: square(s) },
        Man::Removed(p, s) => ManDiff::Removed { piece: piece(p), square: square(s) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_rules::board::{Kind, Size};
    use proptest::prelude::*;

    /// The old board with the differences made.
    fn applied(old: &Board, new: &Board, men: &[Man]) -> Board {
        let mut board = Board::empty(new.size);
        let mut standing: Vec<(Square, Piece)> = old.pieces().collect();
        for &man in men {
            let (square, piece) = match man {
                Man::Moved(p, from, _) | Man::Removed(p, from) => (from, p),
                Man::Replaced(s, p, _) => (s, p),
                Man::Added(..) => continue,
            };
            let at = standing.iter().position(|&other| other == (square, piece)).expect("a piece");
            standing.remove(at);
        }
        for &man in men {
            match man {
                Man::Moved(p, _, s) | Man::Added(p, s) | Man::Replaced(s, _, p) => standing.push((s, p)),
                Man::Removed(..) => {}
            }
        }
        for (square, piece) in standing {
            let cell = board.index(square);
            assert_eq!(board.cells[cell].replace(piece), None, "two pieces on a square");
        }
        board
    }

    fn boards() -> impl Strategy<Value = (Board, Board)> {
        let cell =
            || prop::option::weighted(0.3, prop::sample::select(vec![Kind::King, Kind::Rook, Kind::Pawn]));
        let board = move |w: u8, h: u8| {
            prop::collection::vec(cell(), usize::from(w) * usize::from(h)).prop_map(move |cells| Board {
                size: Size::flat(w, h),
                cells: cells.into_iter().map(|kind| kind.map(Piece::white)).collect(),
            })
        };
        (2u8..5, 2u8..5, 2u8..5, 2u8..5).prop_flat_map(move |(a, b, c, d)| (board(a, b), board(c, d)))
    }

    proptest! {
        #[test]
        fn differences_make_the_new_board_of_the_old_one((old, new) in boards()) {
            let found = men(&old, &new);
            prop_assert_eq!(applied(&old, &new, &found), new.clone());
            prop_assert_eq!(found.is_empty(), old.pieces().eq(new.pieces()));
        }
    }
}
