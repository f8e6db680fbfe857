//! Squares on which a king can be mated at all.
//!
//! At a mate each square beside the king is guarded by the side that mates, or has a man of the king's side on it, and a man other
//! than the king that mates gives check. What a few men guard at most, wherever they stand and even if no man hid a square from
//! them, does not depend on the position: so it is worked out once for each set of men and each square of the king. For each
//! number of squares that men of its own side block, this gives the squares where the king of the side that mates can stand.
//!
//! There is no mate in some moves if, for each square that the king reaches with some of its side's moves, the other king does not
//! reach such a square, though each move that is left to the king's side blocks one more square. This is certain, as
//! - a move moves one man, but for castling: where it may happen, nothing is ruled out;
//! - captures take men away, and fewer men guard no more squares;
//! - a pawn that becomes another man has to use up the moves to the last rank: with what is left of them the same is asked about
//!   the men with a queen or a knight instead, and two such pawns rule nothing out;
//! - moves of the men that give the mate are not counted at all.

use crate::board::Colour;
use crate::games::chess_bits::attacks::{DIAGONALS, KING, KNIGHT, PAWN, STRAIGHTS, each_square};
use crate::games::chess_bits::packed::PackedPosition;
use rustc_hash::FxHashMap;

/// A king and the eight squares around it: three rows of three bits, from below; the king is bit 4.
const FIELD: u16 = 0x1FF;
const CENTRE: u16 = 1 << 4;
const DARK: u64 = 0xAA55_AA55_AA55_AA55;
/// More men than these guard everything.
const MAX_MEN: u32 = 15;
/// How many questions are asked before it is known whether they are worth their time, and the part that has to rule something
/// out.
const TRIAL: u64 = 256;
const WORTH: u64 = 8;

/// The kinds of men that guard differently: queens, rooks, bishops of two colours, knights, pawns, and pawns that have become
/// a queen or a knight. Other promotions guard less than a queen.
const KINDS: usize = 7;
const PAWNS: usize = 5;
const PROMOTED: usize = 6;

/// The men of a side without its king: the number of each kind, four bits each, and the side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Material(u32);

impl Material {
    fn new(p: &PackedPosition, side: Colour) -> Material {
        let men = p.men(side);
        let (diagonals, straights) = (p.diagonals() & men, p.straights() & men);
        let bishops = diagonals & !straights;
        let sets = [
            diagonals & straights,
            straights & !diagonals,
            bishops & DARK,
            bishops & !DARK,
            p.knights() & men,
            p.pawns() & men,
        ];
        let numbers = sets.iter().rev().fold(0, |all, set| all << 4 | set.count_ones());
        Material(numbers | (side as u32) << 28)
    }

    fn with_promotion(self) -> Material {
        Material(self.0 - (1 << (4 * PAWNS)) + (1 << (4 * PROMOTED)))
    }

    fn number(self, kind: usize) -> u32 {
        self.0 >> (4 * kind) & 15
    }

    fn side(self) -> Colour {
        if self.0 >> 28 == Colour::White as u32 { Colour::White } else { Colour::Black }
    }
}

/// What is known of a set of men.
struct Cover {
    material: Material,
    /// The squares of the king for which the rest is known.
    known: u64,
    /// For each square of the king and each number of squares beside it that its own men block: where the other king can stand
    /// at a mate.
    kings: [[u64; 9]; 64],
}

/// Whether mates are possible, for the sets of men that a search meets.
pub(crate) struct MateSquares {
    places: FxHashMap<Material, usize>,
    covers: Vec<Cover>,
    /// The men of the last question and their place in `covers`: the next one is often about the same men.
    last: ([u64; 3], Colour, usize),
    /// The questions so far, and those that ruled a mate out.
    asked: u64,
    ruled_out: u64,
}

impl MateSquares {
    pub(crate) fn new() -> MateSquares {
        let last = ([0; 3], Colour::White, usize::MAX);
        MateSquares { places: FxHashMap::default(), covers: Vec::new(), last, asked: 0, ruled_out: 0 }
    }

    /// Whether a side can be mated after it has made at most some moves and the other side at most some: false is certain.
    #[inline]
    pub(crate) fn may_be_mated(&mut self, p: &PackedPosition, side: Colour, moves: u32, others: u32) -> bool {
        // Where a side has many men, hardly any question helps.
        let is_useless = self.asked >= TRIAL && self.ruled_out * WORTH < self.asked;
        is_useless || self.is_possible(p, side, moves, others)
    }

    fn is_possible(&mut self, p: &PackedPosition, side: Colour, moves: u32, others: u32) -> bool {
        let (Some(king), Some(mater)) = (p.king(side), p.king(side.other())) else { return true };
        let men = p.men(side.other());
        if p.may_castle() || p.kings() != 1 << king | 1 << mater {
            return true;
        }
        let Some(i) = self.place_of(p, side.other()) else { return true };
        let blocks = p.men(side) & !(1 << king);
        self.asked += 1;
        if self.is_possible_with(i, (king, blocks, moves), (mater, others)) {
            return true;
        }
        // A promotion takes the moves of the pawn.
        let (mut fastest, mut is_possible) = (u32::MAX, false);
        each_square(p.pawns() & men, |pawn| {
            let rank = u32::from(if side == Colour::Black { pawn >> 3 } else { 7 - (pawn >> 3) });
            let steps = 7 - rank - u32::from(rank == 1);
            if steps <= others {
                is_possible = fastest.saturating_add(steps) <= others || {
                    let i = self.place_with(self.covers[i].material.with_promotion());
                    self.is_possible_with(i, (king, blocks, moves), (mater, others - steps))
                };
                fastest = fastest.min(steps);
            }
            is_possible
        });
        self.ruled_out += u64::from(!is_possible);
        is_possible
    }

    /// The place of what is known of the men of a side; none if they are too many.
    #[inline]
    fn place_of(&mut self, p: &PackedPosition, side: Colour) -> Option<usize> {
        let men = p.men(side);
        let sets = [p.diagonals() & men, p.straights() & men, p.knights() & men];
        let pawns = p.pawns() & men;
        // The pawns of a side stand where no other man of it does.
        let key = [sets[0] | pawns, sets[1] | pawns, sets[2] | pawns];
        if self.last.2 == usize::MAX || (self.last.0, self.last.1) != (key, side) {
            if men.count_ones() > MAX_MEN {
                return None;
            }
            let i = self.place_with(Material::new(p, side));
            self.last = (key, side, i);
        }
        Some(self.last.2)
    }

    fn place_with(&mut self, material: Material) -> usize {
        let MateSquares { places, covers, .. } = self;
        *places.entry(material).or_insert_with(|| {
            covers.push(Cover { material, known: 0, kings: [[0; 9]; 64] });
            covers.len() - 1
        })
    }

    fn is_possible_with(
        &mut self,
        i: usize,
        (king, blocks, moves): (u8, u64, u32),
        (mater, others): (u8, u32),
    ) -> bool {
        let cover = &mut self.covers[i];
        let near = (0..others.min(7)).fold(1 << mater, |squares, _| around(squares));
        let (mut reached, mut ring) = (0, 1u64 << king);
        let mut is_possible = false;
        for left in (0..=moves).rev() {
            is_possible = each_square(ring, |at| {
                let i = usize::from(at & 63);
                if cover.known >> at & 1 == 0 {
                    cover.look_at(at);
                }
                // With eight blocks there are the most places for the other king.
                cover.kings[i][8] & near != 0 && {
                    let blocked = (blocks & KING[i]).count_ones() + left;
                    cover.kings[i][blocked.min(8) as usize] & near != 0
                }
            });
            reached |= ring;
            ring = around(ring) & !reached;
            if is_possible || ring == 0 {
                break;
            }
        }
        is_possible
    }
}

impl Cover {
    /// Finds where the other king can stand if the king is mated on a square.
    #[cold]
    fn look_at(&mut self, king: u8) {
        let material = self.material;
        let at = usize::from(king & 63);
        let centre = 1u64 << king;
        let field = KING[at] | centre;
        let seen = |squares: u64| packed(squares & field, king);
        // Squares off the board need no guard.
        let mut guarded = vec![!seen(!0) & FIELD];
        for kind in 0..KINDS {
            let number = material.number(kind);
            if number == 0 || guarded.contains(&FIELD) {
                continue;
            }
            let mut ways = Vec::new();
            each_square(!centre, |from| {
                let i = usize::from(from & 63);
                let is_dark = DARK >> from & 1 != 0;
                let mut push = |squares: u64| ways.push(seen(squares));
                match kind {
                    0 => push(DIAGONALS[i] | STRAIGHTS[i]),
                    1 => push(STRAIGHTS[i]),
                    2 if is_dark => push(DIAGONALS[i]),
                    3 if !is_dark => push(DIAGONALS[i]),
                    4 => push(KNIGHT[i]),
                    PAWNS => push(PAWN[material.side() as usize][i]),
                    PROMOTED => {
                        push(DIAGONALS[i] | STRAIGHTS[i]);
                        push(KNIGHT[i]);
                    }
                    _ => {}
                }
                false
            });
            let ways = largest(ways.into_iter());
            for _ in 0..number {
                guarded = largest(guarded.iter().flat_map(|&a| ways.iter().map(move |&b| a | b)));
            }
        }
        let near = around(around(centre));
        // A king farther away than two squares guards nothing of the field.
        let mut stand = |squares: u64, covered: u16| {
            let checks = guarded.iter().filter(|&&all| all & CENTRE != 0);
            if let Some(open) = checks.map(|&all| (!(all | covered) & FIELD).count_ones()).min() {
                self.kings[at][open as usize..].iter_mut().for_each(|kings| *kings |= squares);
            }
        };
        stand(!near, 0);
        each_square(near & !field, |other| {
            stand(1 << other, seen(KING[usize::from(other & 63)]));
            false
        });
        self.known |= centre;
    }
}

/// The bits of a field around a king.
#[inline(always)]
fn packed(squares: u64, king: u8) -> u16 {
    let turned = squares.rotate_right(u32::from(king).wrapping_sub(9) & 63);
    (turned & 7 | turned >> 5 & 0o70 | turned >> 10 & 0o700) as u16
}

/// The sets that are in no other one.
fn largest(sets: impl Iterator<Item = u16>) -> Vec<u16> {
    let mut is_there = [false; 1 + FIELD as usize];
    sets.for_each(|set| is_there[usize::from(set)] = true);
    let mut kept: Vec<u16> = Vec::new();
    // A larger set has a larger number.
    for set in (0..=FIELD).rev().filter(|&set| is_there[usize::from(set)]) {
        if kept.iter().all(|&other| set & !other != 0) {
            kept.push(set);
        }
    }
    kept
}

/// Some squares and those beside them.
#[inline(always)]
fn around(squares: u64) -> u64 {
    const FIRST_FILE: u64 = 0x0101_0101_0101_0101;
    let row = squares | squares << 1 & !FIRST_FILE | squares >> 1 & !(FIRST_FILE << 7);
    row | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Castling, Kind, Piece, Rights, Size};
    use crate::games::game::{Dialect, Position};

    #[test]
    fn questions_that_rule_out_less_than_an_eighth_are_given_up() {
        let mut board = Board::empty(Size::flat(8, 8));
        board.cells[0] = Some(Piece::new(Colour::White, Kind::King));
        board.cells[63] = Some(Piece::new(Colour::Black, Kind::King));
        let (turn, dialect, rights) = (Colour::White, Dialect::Default, Rights::default());
        let p = PackedPosition::new(&Position { board, turn, dialect, rights }, turn);
        for (asked, ruled_out, is_asked) in
            [(255, 0, true), (256, 31, false), (256, 32, true), (800, 99, false)]
        {
            let mut squares = MateSquares { asked, ruled_out, ..MateSquares::new() };
            // A king alone gives no mate.
            assert_eq!(squares.may_be_mated(&p, Colour::Black, 1, 1), !is_asked, "{asked} {ruled_out}");
            assert_eq!(squares.asked, asked + u64::from(is_asked));
        }
    }

    /// White to move, with men on cells.
    fn position(men: &[(usize, Colour, Kind)]) -> PackedPosition {
        let mut board = Board::empty(Size::flat(8, 8));
        for &(cell, colour, kind) in men {
            board.cells[cell] = Some(Piece::new(colour, kind));
        }
        let (turn, dialect, rights) = (Colour::White, Dialect::Default, Rights::default());
        PackedPosition::new(&Position { board, turn, dialect, rights }, turn)
    }

    /// A pawn that promotes takes five moves from its first rank, and six from the next one but one move less.
    #[test]
    fn a_pawn_needs_its_moves_to_promote() {
        for (rank, moves) in [(1, 5), (2, 5), (3, 4), (6, 1)] {
            for (side, pawn, king, mater) in
                [(Colour::White, 8 * rank, 56, 42), (Colour::Black, 8 * (7 - rank), 0, 18)]
            {
                let p = position(&[
                    (king, side.other(), Kind::King),
                    (mater, side, Kind::King),
                    (pawn, side, Kind::Pawn),
                ]);
                let may_be = |others| MateSquares::new().may_be_mated(&p, side.other(), 0, others);
                assert_eq!((may_be(moves - 1), may_be(moves)), (false, true), "rank {rank} of {side:?}");
            }
        }
    }

    /// The answer to each question is that of a first one, also where other men stood on the same squares before.
    #[test]
    fn the_men_of_the_last_question_are_not_those_of_this_one() {
        let kinds = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
        let mut squares = MateSquares::new();
        for (one, other) in kinds.into_iter().flat_map(|one| kinds.map(|other| (one, other))) {
            for kind in [one, other] {
                let p = position(&[
                    (56, Colour::Black, Kind::King),
                    (42, Colour::White, Kind::King),
                    (20, Colour::White, kind),
                ]);
                let due = MateSquares::new().may_be_mated(&p, Colour::Black, 0, 1);
                assert_eq!(squares.is_possible(&p, Colour::Black, 0, 1), due, "{kind:?} after {one:?}");
            }
        }
    }

    #[test]
    fn nothing_is_ruled_out_against_seventeen_men() {
        let mut men = vec![(27, Colour::Black, Kind::King), (63, Colour::White, Kind::King)];
        men.extend((40..56).map(|cell| (cell, Colour::White, Kind::Pawn)));
        assert!(MateSquares::new().may_be_mated(&position(&men), Colour::Black, 0, 0));
    }

    #[test]
    fn nothing_is_ruled_out_where_castling_may_happen() {
        let mut board = Board::empty(Size::flat(8, 8));
        let men =
            [(4, Colour::White, Kind::King), (7, Colour::White, Kind::Rook), (63, Colour::Black, Kind::King)];
        for (cell, colour, kind) in men {
            board.cells[cell] = Some(Piece::new(colour, kind));
        }
        let (turn, dialect) = (Colour::White, Dialect::Default);
        for (castling, may_be) in [(Castling::NONE, false), (Castling::ALL, true)] {
            let rights = Rights { castling, en_passant: None };
            let position = Position { board: board.clone(), turn, dialect, rights };
            let p = PackedPosition::new(&position, turn);
            let mut squares = MateSquares::new();
            assert_eq!(squares.may_be_mated(&p, Colour::Black, 0, 1), may_be);
            assert_eq!((squares.asked, squares.ruled_out), (u64::from(!may_be), u64::from(!may_be)));
        }
    }
}
