//! The steps of each kind of piece in each dialect.

use crate::board::Kind;
use crate::games::game::Dialect;

/// The steps in which a kind captures, as (x, y), and whether it slides: then it repeats a step until it
/// meets a piece.
pub(super) fn directions(kind: Kind, dialect: Dialect) -> (&'static [(i8, i8)], bool) {
    const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
    const ALL: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
    const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    const UP: [(i8, i8); 2] = [(-1, 1), (1, 1)];
    match (kind, dialect) {
        (Kind::King, _) => (&ALL, false),
        (Kind::Queen, _) => (&ALL, true),
        (Kind::Rook, _) => (&ROOK, true),
        (Kind::Bishop, _) => (&BISHOP, true),
        (Kind::Knight, _) => (&KNIGHT, false),
        (Kind::Pawn, Dialect::Default) => (&BISHOP, false),
        (Kind::Pawn, _) => (&UP, false),
        (Kind::Man, _) => (&[], false),
    }
}
