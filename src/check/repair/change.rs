//! Changes of one piece: another kind, removed, moved, added.

use cpz_rules::board::{Board, Colour, Format, Kind, Piece, Square, square_name};

/// A change of one piece of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// A piece becomes one of another kind and of its own colour.
    Kind {
        /// Where it stands.
        at: Square,
        /// What it is.
        piece: Piece,
        /// What it becomes.
        to: Kind,
    },
    /// A piece is taken away.
    Remove {
        /// Where it stands.
        at: Square,
        /// What it is.
        piece: Piece,
    },
    /// A piece goes to an empty square.
    Move {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
        /// What it is.
        piece: Piece,
    },
    /// A new piece comes to an empty square.
    Add {
        /// Where it comes.
        at: Square,
        /// What it is.
        piece: Piece,
    },
}

impl Change {
    /// The squares that change, each with what stands there afterwards.
    pub fn squares(&self) -> Vec<(Square, Option<Piece>)> {
        match *self {
            Change::Kind { at, piece, to } => vec![(at, Some(Piece::new(piece.colour, to)))],
            Change::Remove { at, .. } => vec![(at, None)],
            Change::Move { from, to, piece } => vec![(from, None), (to, Some(piece))],
            Change::Add { at, piece } => vec![(at, Some(piece))],
        }
    }

    /// Changes a board, which must have the squares.
    pub fn apply(&self, board: &mut Board) {
        for (square, piece) in self.squares() {
            let cell = board.index(square);
            board.cells[cell] = piece;
        }
    }

    /// How far the changed board is from the old one: 1 for another kind, 2 for a piece less, 3 for a piece on a
    /// neighbouring square, 4 for a piece more, and `3 + d` for a piece that goes `d` squares away, 2 at least. The
    /// distance is that of a king.
    pub fn cost(&self) -> u32 {
        match *self {
            Change::Kind { .. } => 1,
            Change::Remove { .. } => 2,
            Change::Add { .. } => 4,
            Change::Move { from, to, .. } => {
                let distance =
                    [(from.x, to.x), (from.y, to.y), (from.z, to.z)].map(|(a, b)| u32::from(a.abs_diff(b)));
                match distance.into_iter().max() {
                    None | Some(0 | 1) => 3,
                    Some(d) => 3 + d,
                }
            }
        }
    }

    /// `move the knight from b2 to c3`; with colours in games that have them.
    pub fn in_words(&self, format: &Format) -> String {
        let name = |s: Square| square_name(s, format.is_cube());
        let article = |piece: Piece| {
            let called = format.called(piece);
            if called.starts_with(['a', 'e', 'i', 'o', 'u']) {
                format!("an {called}")
            } else {
                format!("a {called}")
            }
        };
        match *self {
            Change::Kind { at, piece, to } => {
                format!("make the {} on {} a {}", format.called(piece), name(at), to.name())
            }
            Change::Remove { at, piece } => format!("remove the {} from {}", format.called(piece), name(at)),
            Change::Move { from, to, piece } => {
                format!("move the {} from {} to {}", format.called(piece), name(from), name(to))
            }
            Change::Add { at, piece } => format!("add {} on {}", article(piece), name(at)),
        }
    }
}

/// Every square that differs between a board and the one after some changes, in the order of the cells, with what stands
/// there afterwards.
pub fn changed_squares(board: &Board, changes: &[Change]) -> Vec<(Square, Option<Piece>)> {
    let mut new = board.clone();
    changes.iter().for_each(|change| change.apply(&mut new));
    let differs = |cell: &usize| new.cells[*cell] != board.cells[*cell];
    (0..board.cells.len()).filter(differs).map(|cell| (board.square(cell), new.cells[cell])).collect()
}

/// All changes of one piece, the closest first; among equally close ones in the order of the squares (a1, b1, …), the
/// one of the piece before the one that it goes to, then in the order of the kinds.
///
/// A game of two colours keeps its kings, each of which may move or, if a colour has none, be added; its pawns stand on no
/// first or last rank.
pub fn single_changes(board: &Board, format: &Format) -> Vec<Change> {
    let mut all = Vec::new();
    let squares: Vec<Square> = (0..board.cells.len()).map(|cell| board.square(cell)).collect();
    let fits = |piece: Piece, at: Square| {
        let is_edge = at.y == 0 || at.y + 1 == board.size.h;
        let is_dark = (at.x + at.y).is_multiple_of(2);
        !(format.coloured && piece.kind == Kind::Pawn && is_edge) && (is_dark || !format.dark_only)
    };
    let is_fixed = |kind: Kind| format.coloured && kind == Kind::King && format.kinds.len() > 2;
    let colours: &[Colour] = if format.coloured { &[Colour::White, Colour::Black] } else { &[Colour::White] };
    let new_pieces: Vec<Piece> = colours
        .iter()
        .flat_map(|&colour| format.kinds.iter().map(move |&kind| Piece::new(colour, kind)))
        .filter(|&piece| !is_fixed(piece.kind) || !board.cells.contains(&Some(piece)))
        .collect();
    for &at in &squares {
        let Some(piece) = board.at(at) else {
            all.extend(new_pieces.iter().filter(|&&p| fits(p, at)).map(|&piece| Change::Add { at, piece }));
            continue;
        };
        let free = squares.iter().filter(|&&to| board.at(to).is_none() && fits(piece, to));
        all.extend(free.map(|&to| Change::Move { from: at, to, piece }));
        if is_fixed(piece.kind) {
            continue;
        }
        all.push(Change::Remove { at, piece });
        let others = format.kinds.iter().filter(|&&kind| kind != piece.kind && !is_fixed(kind));
        let others = others.filter(|&&kind| fits(Piece::new(piece.colour, kind), at));
        all.extend(others.map(|&to| Change::Kind { at, piece, to }));
    }
    // Stable: the order of the squares stays.
    all.sort_by_key(Change::cost);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_rules::board::Size;
    use cpz_rules::games::game;
    use cpz_text::syntax::GameId;

    #[test]
    fn a_board_of_solitaire_has_every_change_once() {
        let format = game(GameId::Solitaire).format();
        let mut board = Board::empty(Size::flat(4, 3));
        board.cells[0] = Some(Piece::white(Kind::King));
        board.cells[5] = Some(Piece::white(Kind::Pawn));
        let changes = single_changes(&board, format);
        // Two pieces: five other kinds, one removal, ten empty squares; ten squares for six new pieces.
        assert_eq!(changes.len(), 2 * (5 + 1 + 10) + 10 * 6);
        let mut boards: Vec<Vec<_>> = changes.iter().map(|c| changed_squares(&board, &[*c])).collect();
        boards.sort();
        boards.dedup();
        assert_eq!(boards.len(), changes.len());
        assert!(changes.is_sorted_by_key(Change::cost));
    }

    #[test]
    fn another_kind_costs_least_and_a_distant_square_most() {
        let piece = Piece::white(Kind::Rook);
        let square = |x, y, z| Square { x, y, z };
        let to = |to| Change::Move { from: square(1, 1, 0), to, piece };
        assert_eq!(Change::Kind { at: square(0, 0, 0), piece, to: Kind::Knight }.cost(), 1);
        assert_eq!(Change::Remove { at: square(0, 0, 0), piece }.cost(), 2);
        assert_eq!(Change::Add { at: square(0, 0, 0), piece }.cost(), 4);
        assert_eq!(
            [to(square(0, 0, 1)), to(square(1, 3, 0)), to(square(6, 0, 7))].map(|c| c.cost()),
            [3, 5, 10]
        );
    }

    #[test]
    fn pieces_of_draughts_stay_on_dark_squares() {
        let mut board = Board::empty(Size::flat(8, 8));
        board.cells[18] = Some(Piece::white(Kind::King));
        let changes = single_changes(&board, game(GameId::Draughts).format());
        // A man of it, none, 31 squares to go to; on each of those a man or a king of either colour.
        assert_eq!(changes.len(), 1 + 1 + 31 + 31 * 4);
        let mut squares = changes.iter().flat_map(Change::squares);
        assert!(squares.all(|(at, _)| (at.x + at.y).is_multiple_of(2)));
    }

    #[test]
    fn kings_of_chess_stay_and_pawns_keep_off_the_edge() {
        let format = game(GameId::Chess).format();
        let mut board = Board::empty(Size::flat(8, 8));
        board.cells[4] = Some(Piece::white(Kind::King));
        board.cells[60] = Some(Piece::black(Kind::King));
        for change in single_changes(&board, format) {
            let mut new = board.clone();
            change.apply(&mut new);
            let count = |piece| new.cells.iter().filter(|&&p| p == Some(piece)).count();
            assert_eq!((count(Piece::white(Kind::King)), count(Piece::black(Kind::King))), (1, 1));
            let edge = new.cells[..8].iter().chain(&new.cells[56..]);
            assert!(edge.flatten().all(|p| p.kind != Kind::Pawn), "{change:?}");
        }
    }
}
