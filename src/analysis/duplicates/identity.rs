//! The identity of a puzzle: hashes that are equal for puzzles that are the same.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::analysis::binding::Bound;
use crate::analysis::report::PuzzleIdentity;
use crate::analysis::verbs::{ParsedQuery, QueryKey};
use crate::board::{Board, Castling, Colour, Piece, Rights, Size, Square};
use crate::games::{Game, Position, Symmetry};

/// The identity of a puzzle with these queries. Of the symmetric forms of its position the least one is hashed.
pub(in crate::analysis) fn identity_of(
    bound: &Bound<'_>,
    position: &Position,
    queries: &[ParsedQuery<'_>],
) -> PuzzleIdentity {
    let rights = rights_that_matter(bound, position, queries);
    let exact = Cells::new(&position.board, rights.en_passant);
    // Castling differs on the two wings.
    let is_turned = rights.castling == Castling::NONE;
    let least = match is_turned && !queries.iter().any(|q| q.rules().argument_names_squares()) {
        true => least_form(&exact, &bound.game.symmetries(position)),
        false => exact.bytes.clone(),
    };
    let mut keys: Vec<QueryKey<'_>> = queries.iter().map(ParsedQuery::key).collect();
    keys.sort();
    let mut common = DefaultHasher::new();
    (bound.id, position.dialect, position.turn, rights.castling, &keys).hash(&mut common);
    let hash = |salt: u8, cells: &[u8]| {
        let mut h = common.clone();
        (cells, salt).hash(&mut h);
        h.finish()
    };
    // The odd keys are those of an `id`.
    let canonical_hash = (u128::from(hash(1, &least)) << 64 | u128::from(hash(2, &least))) & !1;
    PuzzleIdentity { canonical_hash, exact_hash: hash(3, &exact.bytes) }
}

/// The least of the symmetric forms of a position, as bytes: equal for positions of a game that differ by a symmetry.
pub fn canonical_form(game: &dyn Game, position: &Position) -> Vec<u8> {
    least_form(&Cells::new(&position.board, position.rights.en_passant), &game.symmetries(position))
}

/// The least of the forms of some cells under some symmetries.
fn least_form(cells: &Cells, symmetries: &[Symmetry]) -> Vec<u8> {
    let (mut least, mut bytes) = (cells.bytes.clone(), Vec::new());
    for &symmetry in symmetries {
        cells.turned(symmetry, &mut bytes);
        if bytes < least {
            std::mem::swap(&mut bytes, &mut least);
        }
    }
    least
}

/// The rights that can change an answer: en passant if a pawn can capture so, castling if a query may castle.
fn rights_that_matter(bound: &Bound<'_>, position: &Position, queries: &[ParsedQuery<'_>]) -> Rights {
    if position.rights == Rights::default() {
        return Rights::default();
    }
    let rights = bound.game.effective_rights(position);
    let castles = queries.iter().any(|q| q.question.as_ref().is_ok_and(|asked| q.rules().may_castle(asked)));
    Rights { castling: if castles { rights.castling } else { Castling::NONE }, ..rights }
}

/// A board as bytes: its size, and a code for each cell.
struct Cells {
    size: Size,
    pieces: Vec<(Square, u8)>,
    bytes: Vec<u8>,
}

/// The code of an en passant square, which is empty.
const EN_PASSANT: u8 = 16;

impl Cells {
    /// The cells of a board; an en passant square has a code of its own.
    fn new(board: &Board, en_passant: Option<Square>) -> Cells {
        let code = |p: Piece| p.kind as u8 | if p.colour == Colour::Black { 8 } else { 0 };
        let mut pieces: Vec<(Square, u8)> = board.pieces().map(|(s, p)| (s, code(p))).collect();
        pieces.extend(en_passant.map(|square| (square, EN_PASSANT)));
        let mut cells = Cells { size: board.size, pieces, bytes: Vec::new() };
        let mut bytes = Vec::with_capacity(3 + board.cells.len());
        cells.turned(Symmetry::IDENTITY, &mut bytes);
        cells.bytes = bytes;
        cells
    }

    /// Puts the bytes of the board under a symmetry into `bytes`.
    fn turned(&self, symmetry: Symmetry, bytes: &mut Vec<u8>) {
        let Size { w, h, d } = symmetry.size(self.size);
        bytes.clear();
        bytes.extend([w, h, d]);
        bytes.resize(3 + usize::from(w) * usize::from(h) * usize::from(d), 0);
        for &(square, code) in &self.pieces {
            let s = symmetry.apply(square, self.size);
            let cell =
                usize::from(s.x) + usize::from(w) * (usize::from(s.y) + usize::from(h) * usize::from(s.z));
            bytes[3 + cell] = code;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::bind_one;
    use crate::syntax::parse;

    fn identity(puzzle: &str) -> PuzzleIdentity {
        let tree = parse(puzzle);
        let puzzle = tree.puzzles().next().expect("a puzzle");
        let bound = bind_one(puzzle, Default::default()).expect("a known game");
        let queries: Vec<_> = puzzle.queries().filter_map(|q| ParsedQuery::read(q, &bound)).collect();
        identity_of(&bound, &bound.position().expect("a position"), &queries)
    }

    #[test]
    fn puzzles_that_differ_in_an_argument_are_not_the_same() {
        let of = |query: &str| identity(&format!("chess {{ board 8/8/8/4k3/8/8/8/4K2R {query} }}"));
        let queries = ["move Rh2", "move Rh3", "move Rh9", "move Rx9", "mate", "move Rh2 move Rh3"];
        for (i, a) in queries.iter().enumerate() {
            for b in &queries[..i] {
                assert!(of(a).canonical_hash != of(b).canonical_hash, "{a} and {b}");
            }
        }
        assert!(of("move Rh2 mate") == of("mate move \"Rh2\" => legal"), "order, quotes and answers");
    }

    #[test]
    fn rights_count_as_far_as_they_change_an_answer() {
        let same = |a: &str, b: &str| {
            let of = |text: &str| identity(&format!("chess {{ board {text} }}")).canonical_hash;
            of(a) == of(b)
        };
        let home = "r3k2r/8/8/8/8/8/8/R3K2R w";
        assert!(
            same(&format!("{home} KQkq - 0 1 mate"), &format!("{home} - - 0 1 mate")),
            "mate never castles"
        );
        assert!(!same(&format!("{home} KQkq - 0 1 move O-O"), &format!("{home} - - 0 1 move O-O")));
        assert!(!same(&format!("{home} KQ - 0 1 move e1g1"), &format!("{home} kq - 0 1 move e1g1")));
        assert!(same("8/8/8/4k3/8/8/8/4K2R w KQ - 0 1 move O-O", "8/8/8/4k3/8/8/8/4K2R w K - 0 1 move O-O"));
        let passed = "4k3/8/8/3pP3/8/8/8/4K3 w";
        assert!(!same(&format!("{passed} - d6 0 1 mate"), &format!("{passed} - - 0 1 mate")));
        let alone = "4k3/8/8/3p4/8/8/4P3/4K3 w";
        assert!(
            same(&format!("{alone} - d6 0 1 mate"), &format!("{alone} - - 0 1 mate")),
            "no pawn can capture"
        );
        assert!(
            same(&format!("{passed} - d6 0 1 mate"), "3k4/8/8/3Pp3/8/8/8/3K4 w - e6 0 1 mate"),
            "mirrored"
        );
    }

    #[test]
    fn mirrored_boards_are_the_same_unless_a_move_names_squares() {
        let of = |board: &str, query: &str| identity(&format!("chess {{ board {board} {query} }}"));
        let (board, mirrored) = ("8/8/8/4k3/8/8/8/4K2R", "8/8/8/3k4/8/8/8/R2K4");
        let (a, b) = (of(board, "mate"), of(mirrored, "mate"));
        assert!(a.canonical_hash == b.canonical_hash && a.exact_hash != b.exact_hash);
        assert!(of(board, "move Ke2").canonical_hash != of(mirrored, "move Ke2").canonical_hash);
    }
}
