//! Mates that follow a reply, for all moves before it at once.
//!
//! Of two moves of the attacker, the second of which is to mate, the first ones are many, and one reply refutes nearly all of
//! them. So the position after this reply is looked at once for each man that may have moved before, with that man taken off
//! the board. Each check by another man there has a refutation, in most cases, that does not depend on where the first move
//! went:
//!
//! - flights, the squares beside the king that no man of the attacker guards and the check does not cover, even if men of the
//!   attacker did not hide squares from one another; so they stay flights whatever man of the attacker moves, and the first
//!   move has to guard all of them from its target;
//! - or a capture or interposition, which the first move prevents only from the square of the man that makes it, from its
//!   path, or from the line that joins this man and the king.
//!
//! The man of the first move adds no check by another man but where one stands between it and the king. Its own checks are
//! judged likewise. So no man mates after most first moves of a man: [`Followups::open`] gives the targets of the others, at
//! which [`Followups::mates`] has to ask a few men. What the first move captures changes nothing before it moves on: its square stays occupied.

use core::cell::OnceCell;

use crate::board::Colour;
use crate::games::chess_bits::attacks::{
    KNIGHT, PAWN, between, diagonal_attacks, each_square, line_through, straight_attacks,
};
use crate::games::chess_bits::checks::{BESIDE, CheckSquares, Net};
use crate::games::chess_bits::generate::{BEFORE_LAST, LAST_RANKS, Man};
use crate::games::chess_bits::packed::{PackedMove, PackedPosition};

/// The most checks that are listed; positions of games have fewer.
const MAX_CHECKS: usize = 40;
const NO_SQUARE: u8 = 64;

/// What the attacker can do after a reply if it passed before.
pub(crate) struct Followups {
    /// The position after the reply, the attacker having passed.
    passed: PackedPosition,
    reply: PackedMove,
    /// The king that is to be mated.
    king: u8,
    /// Men that may mate in ways that are not listed: by promotion, castling, or a king's discovered check.
    always: u64,
    /// The squares between the king and a slider of the attacker on its line, with no man of the defender there.
    batteries: u64,
    net: Net,
    /// The squares on which a man of the attacker may hide the king from a slider behind it.
    screens: u64,
    /// The squares that diagonal and straight lines join to the king through men of the attacker.
    to_king: (u64, u64),
    /// The same for the squares beside the king, turned.
    lines: [(u64, u64); BESIDE],
    /// The checks by all men, if no man of the attacker stood in the way.
    possible: [Possible; MAX_CHECKS],
    number: usize,
    /// Whether these are not all.
    is_unknown: bool,
    /// What is known of the man whose first moves are asked for.
    mover: Mover,
}

/// A check, with what the man covers then.
#[derive(Clone, Copy)]
struct Possible {
    mv: PackedMove,
    covered: u32,
}

/// What follows if a man makes the first move.
#[derive(Clone, Copy)]
struct Mover {
    from: u8,
    man: Man,
    /// The squares from which this man may prevent the reply; all if it does so by leaving its start.
    preventing: u64,
    /// The squares from which this man may mate.
    mating: u64,
    /// Whether so many checks may follow that they are not listed.
    is_unknown: bool,
}

impl Followups {
    /// Nothing yet.
    pub(crate) fn new() -> Followups {
        Followups {
            passed: PackedPosition::EMPTY,
            reply: PackedMove::NONE,
            king: 0,
            always: 0,
            batteries: 0,
            net: Net::NONE,
            screens: 0,
            to_king: (0, 0),
            lines: [(0, 0); BESIDE],
            possible: [Possible { mv: PackedMove::NONE, covered: 0 }; MAX_CHECKS],
            number: 0,
            is_unknown: true,
            mover: Mover { from: NO_SQUARE, man: Man::King, preventing: !0, mating: 0, is_unknown: true },
        }
    }

    /// Looks at what follows a reply to the moves of a position. False where the reply is special or a double step, or not legal
    /// if the attacker passes, or where a king is missing.
    pub(crate) fn look_behind(&mut self, p: &PackedPosition, reply: PackedMove) -> bool {
        let side = p.turn();
        let (start, pawns) = (1u64 << reply.from(), p.pawns());
        let is_double_step = pawns & start != 0 && reply.from().abs_diff(reply.to()) == 16;
        if !reply.is_plain()
            || is_double_step
            || p.men(side.other()) & start == 0
            || p.kings().count_ones() != 2
        {
            return false;
        }
        let passing = p.after_pass();
        if !passing.is_legal(reply) {
            return false;
        }
        let passed = passing.after(reply);
        let (Some(king), Some(own_king)) = (passed.king(side.other()), passed.king(side)) else {
            return false;
        };
        let (occupied, own) = (passed.occupied(), passed.men(side));
        let screen = occupied & !own & !(1 << king);
        let (diagonals, straights) = (passed.diagonals() & own, passed.straights() & own);
        self.to_king = (diagonal_attacks(king, screen), straight_attacks(king, screen));
        let behind = self.to_king.0 & diagonals | self.to_king.1 & straights;
        self.batteries = lines_from(king, behind);
        self.screens = lines_from(king, diagonals | straights);
        self.always = pawns & own & BEFORE_LAST[side as usize];
        if passed.has_any_right() || self.batteries >> own_king & 1 != 0 {
            self.always |= 1 << own_king;
        }
        (self.passed, self.reply, self.king) = (passed, reply, king);
        self.net.surround(&passed, king);
        let mut ring = self.net.ring();
        while ring != 0 {
            let bit = ring.trailing_zeros() as u8;
            let square = self.net.square(bit);
            self.lines[usize::from(bit)] =
                (diagonal_attacks(square, screen), straight_attacks(square, screen));
            ring &= ring - 1;
        }
        self.mover.from = NO_SQUARE;
        self.list_checks();
        true
    }

    /// Lists the checks by all men but the king, as if no man of the attacker stood in the way.
    fn list_checks(&mut self) {
        let Followups { passed, king, batteries, net, to_king, possible, number, .. } = self;
        let (king, side, screen) = (*king, passed.turn(), net.screen());
        let (at, enemies) = (usize::from(king & 63), passed.men(side.other()));
        let (diagonal, straight) = *to_king;
        *number = 0;
        self.is_unknown = each_square(passed.men(side) & !(1 << king) & !passed.kings(), |from| {
            let man = passed.man(from);
            let (reached, checks) = match man {
                Man::Slider { diagonal: d, straight: s } => {
                    let checks = (if d { diagonal } else { 0 }) | if s { straight } else { 0 };
                    (man.covered(from, side, screen), checks)
                }
                Man::Pawn => {
                    let one = advanced(1 << from, side) & !enemies;
                    let captures = PAWN[side as usize][usize::from(from & 63)] & enemies;
                    ((one | captures) & !LAST_RANKS, PAWN[side.other() as usize][at])
                }
                Man::Knight => (KNIGHT[usize::from(from & 63)], KNIGHT[at]),
                Man::King => (0, 0),
            };
            let opened = match *batteries >> from & 1 {
                0 => 0,
                _ => !line_through(king, from),
            };
            each_square(reached & (checks | opened), |to| {
                if *number == MAX_CHECKS {
                    return true;
                }
                let covered = net.turned(net.covered(man, to));
                possible[*number] = Possible { mv: PackedMove::new(from, to), covered };
                *number += 1;
                false
            })
        });
    }

    /// The reply that these follow.
    pub(crate) fn reply(&self) -> PackedMove {
        self.reply
    }

    /// Of some targets of plain first moves of a man, those after which the reply may not refute: all after which
    /// [`Followups::mates`] asks anything.
    pub(crate) fn open(&mut self, p: &PackedPosition, from: u8, targets: u64) -> u64 {
        if self.mover.from != from {
            self.look_at(p, from);
        }
        let Followups { passed, net, mover, .. } = &*self;
        if mover.is_unknown || self.always != 0 {
            return targets;
        }
        let (side, other) = (passed.turn(), passed.turn().other());
        let mut open = mover.preventing
            | 1 << self.reply.to()
            | self.batteries
            | net.screen()
            | self.joins_king(mover.man);
        match mover.man {
            Man::King => {}
            Man::Pawn => {
                open |= BEFORE_LAST[side as usize] | advanced(mover.mating, other);
                each_square(mover.mating, |square| {
                    open |= PAWN[other as usize][usize::from(square & 63)];
                    false
                });
            }
            man => {
                let occupied = passed.occupied() & !(1 << from);
                each_square(mover.mating, |square| {
                    open |= man.covered(square, other, occupied);
                    false
                });
            }
        }
        open &= targets;
        for check in &self.possible[..self.number] {
            let mut left = targets & !open;
            if left == 0 {
                break;
            }
            if check.mv.from() == from {
                continue;
            }
            let flights = self.flights(check);
            let mut squares = flights;
            while squares != 0 && left != 0 {
                left &= self.joins(mover.man, squares.trailing_zeros() as u8);
                squares &= squares - 1;
            }
            if left != 0 {
                let without = self.without(from);
                if !self.is_free(check.mv, &without) {
                    continue;
                }
                if flights == 0 {
                    left &= targets_against(self.king, &without.after(check.mv));
                }
                open |= left;
            }
        }
        open
    }

    /// Whether the path of a check by another man is free, when that of the first move has left its square.
    fn is_free(&self, check: PackedMove, without: &PackedPosition) -> bool {
        let path = between(check.from(), check.to());
        path & without.occupied() | 1 << check.to() & without.men(without.turn()) == 0
    }

    /// The flights of the king, turned, if a man makes the first move and another one gives check.
    #[inline(always)]
    fn flights(&self, check: &Possible) -> u32 {
        self.net.unguarded_but_by(self.mover.from, check.mv.from()) & !check.covered
    }

    /// The position after the reply without the man of the first move.
    fn without(&self, from: u8) -> PackedPosition {
        if self.reply.to() == from { self.passed } else { self.passed.without(from) }
    }

    /// Whether a move mates after a plain first move in `p` and the reply; nothing if the reply is not legal then. Adds the
    /// positions that it made.
    #[inline]
    pub(crate) fn mates(&mut self, p: &PackedPosition, first: PackedMove, made: &mut u64) -> Option<bool> {
        let (from, to) = (first.from(), first.to());
        if self.mover.from != from {
            self.look_at(p, from);
        }
        let mover = &self.mover;
        let (side, target) = (self.passed.turn(), 1u64 << to);
        let is_captured = to == self.reply.to();
        let covered = if is_captured { 0 } else { self.net.covered(mover.man, to) };
        let (guarded, is_check) = (self.net.turned(covered), covered >> self.king & 1 != 0);
        if (mover.preventing & target != 0 || is_captured || is_check) && !p.after(first).is_legal(self.reply)
        {
            return None;
        }
        let next = OnceCell::new();
        let next = || next.get_or_init(|| p.after(first).after(self.reply));
        if mover.is_unknown {
            return Some(next().each_mate(true, made, |_| true));
        }
        // A man that the reply captures does nothing more.
        let (mut men, mut own) = (self.always, 0);
        if !is_captured {
            // Behind one that captures the line of the captured man opens when it moves on.
            if (self.batteries | self.net.screen()) & target != 0 {
                men |= target;
            }
            if is_check {
                men |= between(to, self.king);
            }
            match mover.man {
                Man::King => {}
                Man::Pawn => {
                    let reached = covered | advanced(target, side);
                    if reached & mover.mating != 0 || target & BEFORE_LAST[side as usize] != 0 {
                        men |= target;
                    }
                }
                man => own = man.covered(to, side, self.passed.occupied() & !(1 << from)) & mover.mating,
            }
        }
        if men != 0 && next().each_mate_by(men, true, made, |_| true) {
            return Some(true);
        }
        if men & target == 0
            && each_square(own, |square| next().is_mate_after(PackedMove::new(to, square), made))
        {
            return Some(true);
        }
        let without = self.without(from);
        Some(self.possible[..self.number].iter().any(|check| {
            self.flights(check) & !guarded == 0
                && check.mv.from() != from
                && self.is_free(check.mv, &without)
                && next().is_mate_after(check.mv, made)
        }))
    }

    /// Finds what follows the first moves of a man.
    fn look_at(&mut self, p: &PackedPosition, from: u8) {
        let start = 1u64 << from;
        let man = p.man(from);
        let (reply, king) = (self.reply, self.king);
        let start_of_reply = 1u64 << reply.from();
        let is_steady = reply.to() != from && self.screens & start == 0;
        let mut preventing = !0;
        if is_steady || p.after_pass().without(from).is_legal(reply) {
            let line = match p.kings() & start_of_reply {
                0 => line_through(king, reply.from()),
                _ => 0,
            };
            preventing = start_of_reply | between(reply.from(), reply.to()) | line;
        }
        let is_unknown = self.is_unknown
            || self.batteries & start != 0 && {
                let without = self.without(from);
                CheckSquares::new(&without).is_none_or(|squares| squares.is_check_already(&without))
            };
        let mover = &mut self.mover;
        (mover.from, mover.man, mover.preventing) = (from, man, preventing);
        mover.is_unknown = is_unknown;
        mover.mating = 0;
        if man != Man::King {
            let mut mating = self.joins_king(man);
            let mut unguarded = self.net.unguarded(from);
            while unguarded != 0 && mating != 0 {
                mating &= self.joins(man, unguarded.trailing_zeros() as u8);
                unguarded &= unguarded - 1;
            }
            self.mover.mating = mating;
        }
    }

    /// The squares from which a man covers the king, since a square covers another one if that covers it.
    #[inline(always)]
    fn joins_king(&self, man: Man) -> u64 {
        self.joined(man, self.king, self.to_king)
    }

    /// The same for a square beside the king, turned.
    #[inline(always)]
    fn joins(&self, man: Man, bit: u8) -> u64 {
        self.joined(man, self.net.square(bit), self.lines[usize::from(bit)])
    }

    #[inline(always)]
    fn joined(&self, man: Man, square: u8, (diagonal, straight): (u64, u64)) -> u64 {
        match man {
            Man::Slider { diagonal: d, straight: s } => {
                (if d { diagonal } else { 0 }) | if s { straight } else { 0 }
            }
            man => man.covered(square, self.passed.turn().other(), 0),
        }
    }
}

/// The squares between the king and sliders.
fn lines_from(king: u8, sliders: u64) -> u64 {
    let mut lines = 0;
    each_square(sliders, |slider| {
        lines |= between(king, slider);
        false
    });
    lines
}

/// The squares from which a man may prevent all captures and interpositions in this position, which is in check.
fn targets_against(king: u8, checked: &PackedPosition) -> u64 {
    let mut targets = !0;
    checked.each_other_man(&checked.restraint(), |_, from, to| {
        if to == 0 {
            return false;
        }
        let path = between(from, to.trailing_zeros() as u8);
        targets &= 1 << from | path | line_through(king, from);
        targets == 0
    });
    targets
}

/// One step and two steps of pawns.
#[inline(always)]
fn advanced(squares: u64, side: Colour) -> u64 {
    match side {
        Colour::White => squares << 8 | squares << 16,
        Colour::Black => squares >> 8 | squares >> 16,
    }
}
