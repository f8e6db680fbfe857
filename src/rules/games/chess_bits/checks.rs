//! Checks, and the test for mate.

use crate::board::{Colour, Kind};
use crate::games::chess_bits::attacks::{
    DIAGONALS, KING, KNIGHT, PAWN, STRAIGHTS, between, diagonal_attacks, each_square, line_through,
    straight_attacks,
};
use crate::games::chess_bits::generate::{BEFORE_LAST, LAST_RANKS, Man, PROMOTIONS};
use crate::games::chess_bits::packed::{PackedMove, PackedPosition};

/// Where the side to move gives check.
#[derive(Clone, Copy)]
pub(crate) struct CheckSquares {
    /// The square of the other king.
    pub king: u8,
    pub diagonal: u64,
    pub straight: u64,
    pub knight: u64,
    pub pawn: u64,
    /// The own men that open a line to the king by leaving it.
    pub discoverers: u64,
}

impl CheckSquares {
    /// `None` if the other side has no king.
    #[inline(always)]
    pub(crate) fn new(position: &PackedPosition) -> Option<CheckSquares> {
        let side = position.turn();
        let king = position.king(side.other())?;
        let (occupied, own) = (position.occupied(), position.men(side));
        let (diagonal, straight) = (diagonal_attacks(king, occupied), straight_attacks(king, occupied));
        let mut discoverers = 0;
        // A slider that would reach the king with the nearest own men gone stands behind one of them.
        let screens = (diagonal | straight) & own;
        if screens != 0 {
            let open = occupied & !screens;
            let behind = diagonal_attacks(king, open) & position.diagonals()
                | straight_attacks(king, open) & position.straights();
            each_square(behind & own & !screens, |slider| {
                discoverers |= between(king, slider) & screens;
                false
            });
        }
        let i = usize::from(king & 63);
        Some(CheckSquares {
            king,
            diagonal,
            straight,
            knight: KNIGHT[i],
            pawn: PAWN[side.other() as usize][i],
            discoverers,
        })
    }

    /// Whether the other king is in check before the move, as no game allows.
    #[inline(always)]
    pub(crate) fn is_check_already(&self, position: &PackedPosition) -> bool {
        let sliders = self.diagonal & position.diagonals() | self.straight & position.straights();
        let leapers = self.knight & position.knights()
            | self.pawn & position.pawns()
            | KING[usize::from(self.king & 63)] & position.kings();
        (sliders | leapers) & position.men(position.turn()) != 0
    }

    /// The targets from which a man gives check, by itself or by opening a line.
    #[inline(always)]
    pub(crate) fn of(&self, man: Man, from: u8) -> u64 {
        let direct = match man {
            Man::Slider { diagonal, straight } => {
                (if diagonal { self.diagonal } else { 0 }) | if straight { self.straight } else { 0 }
            }
            Man::Knight => self.knight,
            Man::Pawn => self.pawn,
            Man::King => 0,
        };
        match self.discoverers >> from & 1 {
            0 => direct,
            _ => direct | !line_through(self.king, from),
        }
    }
}

impl PackedPosition {
    /// Whether the side to move is mated.
    #[inline]
    pub(crate) fn is_mate(&self) -> bool {
        let Some(king) = self.king(self.turn()) else { return false };
        let (occupied, own) = (self.occupied(), self.men(self.turn()));
        let them = self.turn().other();
        let checkers = self.attackers(king, them, occupied);
        if checkers == 0 || self.a_king_can_move(king, occupied, own) {
            return false;
        }
        if checkers & (checkers - 1) != 0 {
            return true;
        }
        let checker = checkers.trailing_zeros() as u8;
        !(self.can_capture(king, checker, occupied, own)
            || self.can_interpose(king, between(king, checker), occupied, own)
            || self.each_en_passant(|_| true))
    }

    #[inline(always)]
    pub(super) fn a_king_can_move(&self, king: u8, occupied: u64, own: u64) -> bool {
        let them = self.turn().other();
        let open = occupied & !(1 << king);
        each_square(KING[usize::from(king & 63)] & !own, |to| !self.is_attacked(to, them, open))
            || self.kings() & own & !(1 << king) != 0
                && each_square(self.kings() & own & !(1 << king), |other| self.king_targets(other) != 0)
    }

    /// Whether the king is safe after a man other than it goes from a square to another.
    #[inline(always)]
    fn is_safe_after(&self, king: u8, from: u8, to: u8, occupied: u64) -> bool {
        let after = occupied & !(1 << from) | 1 << to;
        let enemy = self.men(self.turn().other()) & !(1 << to);
        diagonal_attacks(king, after) & self.diagonals() & enemy == 0
            && straight_attacks(king, after) & self.straights() & enemy == 0
    }

    /// Whether a man other than the king can capture the only checker.
    #[inline(always)]
    fn can_capture(&self, king: u8, checker: u8, occupied: u64, own: u64) -> bool {
        let men = self.attackers(checker, self.turn(), occupied) & own & !self.kings();
        each_square(men, |from| self.is_safe_after(king, from, checker, occupied))
    }

    /// Whether a man other than the king can go between it and the only checker.
    #[inline(always)]
    fn can_interpose(&self, king: u8, line: u64, occupied: u64, own: u64) -> bool {
        let blocks = own & !self.kings() & !self.pawns();
        let pawns = own & self.pawns();
        each_square(line, |to| {
            let bit = 1u64 << to;
            let (one, two) = match self.turn() {
                Colour::White => (bit >> 8, bit >> 16 & 0xFF00),
                Colour::Black => (bit << 8, bit << 16 & 0x00FF_0000_0000_0000),
            };
            let step = if one & occupied == 0 { two } else { 0 };
            let men = self.attackers(to, self.turn(), occupied) & blocks | (one | step) & pawns;
            each_square(men, |from| self.is_safe_after(king, from, to, occupied))
        })
    }

    /// Calls `f` with each legal move that mates until it returns true; whether it did. With `best_only`, promotions
    /// to rook and bishop are left out: where they mate, the queen mates too. Adds the positions that it made.
    #[inline]
    pub(crate) fn each_mate(
        &self,
        best_only: bool,
        made: &mut u64,
        f: impl FnMut(PackedMove) -> bool,
    ) -> bool {
        self.each_mate_by(!0, best_only, made, f)
    }

    /// As [`PackedPosition::each_mate`], by the men on some squares.
    #[inline]
    pub(crate) fn each_mate_by(
        &self,
        men: u64,
        best_only: bool,
        made: &mut u64,
        mut f: impl FnMut(PackedMove) -> bool,
    ) -> bool {
        let Some(squares) = CheckSquares::new(self) else { return false };
        if squares.is_check_already(self) {
            return self.each_mate_of_all(made, f);
        }
        let (mut net, mut is_surrounded) = (Net::NONE, false);
        let mut restraint = None;
        // Most checks leave a flight open, so that is asked first; what binds the mover to its own king is asked late.
        self.each_check(&squares, men, |man, from, to| {
            if !is_surrounded {
                net.surround(self, squares.king);
                is_surrounded = true;
            }
            if net.leaves_flight(man, (from, to))
                || !restraint.get_or_insert_with(|| self.restraint()).allows(from, to)
            {
                return false;
            }
            let mv = PackedMove::new(from, to);
            *made += 1;
            self.after(mv).is_mate() && f(mv)
        }) || self.each_special_mate(&squares, men, best_only, made, f)
    }

    /// Whether a plain move is legal and mates. Adds the position that it made.
    pub(super) fn is_mate_after(&self, mv: PackedMove, made: &mut u64) -> bool {
        *made += 1;
        self.is_legal(mv) && self.after(mv).is_mate()
    }

    /// Calls `f` with each move of a man on some squares, other than the king, that gives check, or would but for its own
    /// king. Without promotions, castling and en passant.
    #[inline(always)]
    pub(super) fn each_check(
        &self,
        squares: &CheckSquares,
        men: u64,
        mut f: impl FnMut(Man, u8, u8) -> bool,
    ) -> bool {
        let (occupied, own) = (self.occupied(), self.men(self.turn()));
        let movers = own & men;
        let (diagonals, straights) = (self.diagonals() & movers, self.straights() & movers);
        let discovers = |from: u8| squares.discoverers >> from & 1 != 0;
        let mut crossing = |man: Man, from: u8, to: u64| {
            each_square(to & !own, |to| between(from, to) & occupied == 0 && f(man, from, to))
        };
        let rook = Man::Slider { diagonal: false, straight: true };
        let bishop = Man::Slider { diagonal: true, straight: false };
        let single = !squares.discoverers;
        // A rook or a bishop crosses the lines of the king on few squares.
        each_square(straights & !diagonals & single, |from| {
            crossing(rook, from, STRAIGHTS[usize::from(from & 63)] & squares.straight)
        }) || each_square(diagonals & !straights & single, |from| {
            crossing(bishop, from, DIAGONALS[usize::from(from & 63)] & squares.diagonal)
        }) || each_square(diagonals & straights | (diagonals | straights) & squares.discoverers, |from| {
            let (diagonal, straight) = (diagonals >> from & 1 != 0, straights >> from & 1 != 0);
            let man = Man::Slider { diagonal, straight };
            let mut to = if diagonal { diagonal_attacks(from, occupied) } else { 0 };
            to |= if straight { straight_attacks(from, occupied) } else { 0 };
            each_square(to & squares.of(man, from) & !own, |to| f(man, from, to))
        }) || each_square(self.knights() & movers, |from| {
            let to = KNIGHT[usize::from(from & 63)] & squares.of(Man::Knight, from) & !own;
            each_square(to, |to| f(Man::Knight, from, to))
        }) || each_square(self.pawns() & movers, |from| {
            let near = match self.turn() {
                Colour::White => {
                    squares.pawn >> 8 | squares.pawn >> 16 | squares.pawn >> 7 | squares.pawn >> 9
                }
                Colour::Black => {
                    squares.pawn << 8 | squares.pawn << 16 | squares.pawn << 7 | squares.pawn << 9
                }
            };
            if near >> from & 1 == 0 && !discovers(from) {
                return false;
            }
            let to = self.pawn_targets(from, occupied) & !LAST_RANKS & squares.of(Man::Pawn, from);
            each_square(to, |to| f(Man::Pawn, from, to))
        })
    }

    /// The mates by a king that opens a line, by promotion, castling and en passant.
    #[inline]
    fn each_special_mate(
        &self,
        squares: &CheckSquares,
        men: u64,
        best_only: bool,
        made: &mut u64,
        mut f: impl FnMut(PackedMove) -> bool,
    ) -> bool {
        let own = self.men(self.turn()) & men;
        let mut test = |mv: PackedMove| {
            *made += 1;
            self.after(mv).is_mate() && f(mv)
        };
        let pawns = self.pawns() & own & BEFORE_LAST[self.turn() as usize];
        let kinds: &[Kind] = if best_only { &[Kind::Queen, Kind::Knight] } else { &PROMOTIONS };
        each_square(self.kings() & squares.discoverers & men, |from| {
            let targets = self.king_targets(from) & !line_through(squares.king, from);
            each_square(targets, |to| test(PackedMove::new(from, to)))
        }) || pawns != 0 && {
            let r = self.restraint();
            each_square(pawns, |from| {
                each_square(self.pawn_targets(from, self.occupied()), |to| {
                    r.allows(from, to)
                        && kinds.iter().any(|&kind| test(PackedMove::promotion(from, to, kind)))
                })
            })
        } || self.each_en_passant(&mut test)
            || self.kings() & own != 0 && self.each_castling(&mut test)
    }

    /// As [`PackedPosition::each_mate`], where the other king is in check before the move.
    #[cold]
    fn each_mate_of_all(&self, made: &mut u64, mut f: impl FnMut(PackedMove) -> bool) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        *made += moves.len() as u64;
        moves.into_iter().any(|mv| self.after(mv).is_mate() && f(mv))
    }

    /// A flight of the other king that surely stays open after a move. There may be one where none is found.
    #[inline(always)]
    pub(super) fn flight_left(&self, man: Man, (from, to): (u8, u8), zone: &mut Zone) -> Option<u8> {
        let occupied = self.occupied() & !(1 << from) & !(1 << zone.king) | 1 << to;
        let covered = match man {
            Man::Slider { diagonal, straight } => {
                (if diagonal { diagonal_attacks(to, occupied) } else { 0 })
                    | if straight { straight_attacks(to, occupied) } else { 0 }
            }
            Man::Knight => KNIGHT[usize::from(to & 63)],
            Man::King => KING[usize::from(to & 63)],
            Man::Pawn => PAWN[self.turn() as usize][usize::from(to & 63)],
        };
        let side = self.turn();
        let around = KING[usize::from(zone.king & 63)] & !self.men(side.other()) & !covered & !(1 << to);
        if around & zone.flights == 0 {
            let open = self.occupied() & !(1 << zone.king);
            each_square(around & !zone.guarded, |square| {
                let guarded = self.is_attacked(square, side, open);
                *(if guarded { &mut zone.guarded } else { &mut zone.flights }) |= 1 << square;
                !guarded
            });
        }
        let flights = around & zone.flights;
        if flights == 0 {
            return None;
        }
        // A line that the move opens may cover the square.
        let square = flights.trailing_zeros() as u8;
        let own = self.men(side) & !(1 << from);
        let open = diagonal_attacks(square, occupied) & self.diagonals() & own == 0
            && straight_attacks(square, occupied) & self.straights() & own == 0;
        open.then_some(square)
    }
}

/// From the square below and left of a king to that above and right of it there are so many.
pub(super) const BESIDE: usize = 19;

/// The guards of the squares to which a king may go. Men of the side that guards do not hide squares from one another, so that
/// a square without a guard stays so whatever of them leave their squares.
pub(super) struct Net {
    /// The men of the king's side without it.
    screen: u64,
    /// The side that guards.
    side: Colour,
    /// How far squares are turned, so that those beside the king are the first ones.
    turn: u32,
    /// The squares beside the king without a man of its side, turned, as all that follow.
    ring: u32,
    /// Those with at least one guard, two, and three.
    once: u32,
    twice: u32,
    thrice: u32,
    /// What each man guards of the ring, by its square.
    guarded: [u32; 64],
}

impl Net {
    /// No net yet.
    pub(super) const NONE: Net = Net {
        screen: 0,
        side: Colour::White,
        turn: 0,
        ring: 0,
        once: 0,
        twice: 0,
        thrice: 0,
        guarded: [0; 64],
    };

    /// Becomes the net around the king of the side that is not to move. In place, since a copy takes longer than the rest.
    #[inline]
    pub(super) fn surround(&mut self, p: &PackedPosition, king: u8) {
        let (occupied, own) = (p.occupied(), p.men(p.turn()));
        self.side = p.turn();
        self.screen = occupied & !own & !(1 << king);
        self.turn = u32::from(king).wrapping_sub(9) & 63;
        self.ring = self.turned(KING[usize::from(king & 63)] & (own | !occupied));
        (self.once, self.twice, self.thrice) = (0, 0, 0);
        self.guarded = [0; 64];
        let (screen, ring) = (self.screen, KING[usize::from(king & 63)]);
        each_square((p.diagonals() | p.straights()) & own, |from| {
            let at = usize::from(from & 63);
            let mut to = 0;
            if p.diagonals() >> from & 1 != 0 && DIAGONALS[at] & ring != 0 {
                to |= diagonal_attacks(from, screen);
            }
            if p.straights() >> from & 1 != 0 && STRAIGHTS[at] & ring != 0 {
                to |= straight_attacks(from, screen);
            }
            self.add(from, to);
            false
        });
        for (men, targets) in
            [(p.knights(), &KNIGHT), (p.pawns(), &PAWN[p.turn() as usize]), (p.kings(), &KING)]
        {
            each_square(men & own, |from| {
                self.add(from, targets[usize::from(from & 63)]);
                false
            });
        }
    }

    #[inline(always)]
    fn add(&mut self, from: u8, covered: u64) {
        let guarded = self.turned(covered) & self.ring;
        self.guarded[usize::from(from & 63)] = guarded;
        self.thrice |= self.twice & guarded;
        self.twice |= self.once & guarded;
        self.once |= guarded;
    }

    /// Whether a move surely leaves the king a flight.
    #[inline]
    pub(super) fn leaves_flight(&self, man: Man, (from, to): (u8, u8)) -> bool {
        let unguarded = self.unguarded(from);
        unguarded != 0 && unguarded & !self.turned(self.covered(man, to)) != 0
    }

    /// The squares that the king may go to, turned.
    #[inline(always)]
    pub(super) fn ring(&self) -> u32 {
        self.ring
    }

    /// Squares turned, so that those beside the king are the first [`BESIDE`].
    #[inline(always)]
    pub(super) fn turned(&self, squares: u64) -> u32 {
        squares.rotate_right(self.turn) as u32
    }

    /// The square of a bit of turned squares.
    #[inline(always)]
    pub(super) fn square(&self, bit: u8) -> u8 {
        bit.wrapping_add(self.turn as u8) & 63
    }

    /// The men that hide squares.
    #[inline(always)]
    pub(super) fn screen(&self) -> u64 {
        self.screen
    }

    /// The squares that no man guards but perhaps that of a square, turned.
    #[inline(always)]
    pub(super) fn unguarded(&self, man: u8) -> u32 {
        self.ring & !self.twice & !(self.once & !self.guarded[usize::from(man & 63)])
    }

    /// The squares that no man guards but perhaps those of two squares, turned.
    #[inline(always)]
    pub(super) fn unguarded_but_by(&self, one: u8, other: u8) -> u32 {
        let (one, other) = (self.guarded[usize::from(one & 63)], self.guarded[usize::from(other & 63)]);
        let by_one = self.once & !self.twice & (one | other);
        let by_two = self.twice & !self.thrice & one & other;
        self.ring & !self.once | by_one | by_two
    }

    /// What a man of the side that guards covers from a square.
    #[inline]
    pub(super) fn covered(&self, man: Man, square: u8) -> u64 {
        man.covered(square, self.side, self.screen)
    }
}

/// What is known about the squares beside the king that is to be mated, before the move.
pub(super) struct Zone {
    king: u8,
    /// Those to which it can go.
    flights: u64,
    /// Those that the other side guards.
    guarded: u64,
}

impl Zone {
    pub(super) fn new(king: u8) -> Zone {
        Zone { king, flights: 0, guarded: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Piece;
    use crate::games::chess_problem::{Random, crowded_position, turned};

    #[test]
    fn checks_are_the_moves_that_give_check_and_flights_stay_open() {
        let (mut random, mut found) = (Random(83), [0u32; 5]);
        for i in 0..40_000 {
            let mut position = crowded_position(&mut random);
            for _ in 0..random.below(6) {
                let cell = &mut position.board.cells[8 + random.below(48) as usize];
                *cell = cell.or(Some(Piece::new(Colour::White, Kind::Pawn)));
            }
            if i % 2 == 1 {
                position = turned(&position);
            }
            let p = PackedPosition::new(&position, position.turn);
            let Some(squares) = CheckSquares::new(&p).filter(|squares| !squares.is_check_already(&p)) else {
                continue;
            };
            let (mut zone, mut checks) = (Zone::new(squares.king), Vec::new());
            p.each_check(&squares, !0, |man, from, to| {
                let mv = PackedMove::new(from, to);
                if !p.is_legal(mv) {
                    return false;
                }
                checks.push(mv);
                match p.flight_left(man, (from, to), &mut zone) {
                    None => found[2] += 1,
                    Some(square) => {
                        assert!(p.after(mv).is_legal(PackedMove::new(squares.king, square)), "{position:?}");
                        found[3] += 1;
                        found[4] += u32::from(square == to);
                    }
                }
                false
            });
            let mut due = Vec::new();
            p.legal_moves(&mut due);
            due.retain(|&mv| {
                let after = p.after(mv);
                mv.is_plain() && p.kings() >> mv.from() & 1 == 0 && after.is_in_check(after.turn())
            });
            due.sort_unstable();
            checks.sort_unstable();
            assert!(checks == due, "{position:?}");
            let by_pawns = due.iter().filter(|mv| p.pawns() >> mv.from() & 1 != 0).count() as u32;
            found[i % 2] += by_pawns;
        }
        assert_eq!(found[4], 0, "the square of the man that gives check is none of the flights");
        assert_eq!(
            found[..4],
            [564, 564, 6_575, 26_609],
            "checks by pawns of both sides, checks without a flight, and checks with one"
        );
    }
}
