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
//! judged likewise. So after most first moves it is sure that no man mates, and after the others only a few men have to be
//! asked. What the first move captures changes nothing before it moves on: its square stays occupied.

use crate::board::Colour;
use crate::games::chess_bits::attacks::{
    KNIGHT, PAWN, between, diagonal_attacks, each_square, line_through, straight_attacks,
};
use crate::games::chess_bits::checks::{CheckSquares, Net};
use crate::games::chess_bits::generate::{BEFORE_LAST, Man};
use crate::games::chess_bits::packed::{PackedMove, PackedPosition};

/// The most checks that are listed; positions of games have fewer.
const MAX_CHECKS: usize = 24;

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
    /// What is known of the man whose first moves are asked for.
    mover: Mover,
}

/// A check, with what the first move must do to make it a mate: guard these flights, and enter one of these squares.
#[derive(Clone, Copy)]
struct Check {
    mv: PackedMove,
    flights: u64,
    targets: u64,
}

/// What follows if a man makes the first move.
#[derive(Clone, Copy)]
struct Mover {
    from: u8,
    man: Man,
    /// The squares from which this man may prevent the reply; all if it does so by leaving its start.
    preventing: u64,
    /// The squares from which this man may mate, if it is a slider, a knight or a pawn.
    mating: u64,
    /// The checks by other men.
    checks: [Check; MAX_CHECKS],
    number: usize,
    /// Whether these are not all.
    is_unknown: bool,
}

impl Followups {
    /// `None` where the reply is special or a double step, or not legal if the attacker passes, or where a king is missing.
    pub(crate) fn new(p: &PackedPosition, reply: PackedMove) -> Option<Followups> {
        let side = p.turn;
        let (start, pawns) = (1u64 << reply.from(), p.pawns());
        let is_double_step = pawns & start != 0 && reply.from().abs_diff(reply.to()) == 16;
        if !reply.is_plain()
            || is_double_step
            || p.men(side.other()) & start == 0
            || p.kings().count_ones() != 2
        {
            return None;
        }
        let passing = p.after_pass();
        if !passing.is_legal(reply) {
            return None;
        }
        let passed = passing.after(reply);
        let (king, own_king) = (passed.king(side.other())?, passed.king(side)?);
        let (occupied, own) = (passed.occupied(), passed.men(side));
        let screen = occupied & !own & !(1 << king);
        let (diagonals, straights) = (passed.diagonals() & own, passed.straights() & own);
        let mut batteries = 0;
        let behind = diagonal_attacks(king, screen) & diagonals | straight_attacks(king, screen) & straights;
        each_square(behind, |slider| {
            batteries |= between(king, slider);
            false
        });
        let mut always = pawns & own & BEFORE_LAST[side as usize];
        if passed.has_any_right() || batteries >> own_king & 1 != 0 {
            always |= 1 << own_king;
        }
        let net = Net::whole(&passed, king);
        let none = Check { mv: PackedMove::NONE, flights: 0, targets: 0 };
        let mover = Mover {
            from: 64,
            man: Man::King,
            preventing: !0,
            mating: 0,
            checks: [none; MAX_CHECKS],
            number: 0,
            is_unknown: true,
        };
        Some(Followups { passed, reply, king, always, batteries, net, mover })
    }

    /// The reply that these follow.
    pub(crate) fn reply(&self) -> PackedMove {
        self.reply
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
        let (side, target) = (self.passed.turn, 1u64 << to);
        let is_captured = to == self.reply.to();
        let guarded = if is_captured { 0 } else { self.net.covered(mover.man, to) };
        if (mover.preventing & target != 0 || is_captured || guarded >> self.king & 1 != 0)
            && !p.after(first).is_legal(self.reply)
        {
            return None;
        }
        let mut next = None;
        let mut next = || *next.get_or_insert_with(|| p.after(first).after(self.reply));
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
            if guarded >> self.king & 1 != 0 {
                men |= between(to, self.king);
            }
            match mover.man {
                Man::King => {}
                Man::Pawn => {
                    let reached = guarded | advanced(target, side);
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
        Some(mover.checks[..mover.number].iter().any(|check| {
            check.flights & !guarded == 0
                && check.targets & target != 0
                && next().is_mate_after(check.mv, made)
        }))
    }

    /// Finds what follows the first moves of a man.
    fn look_at(&mut self, p: &PackedPosition, from: u8) {
        let (side, start) = (self.passed.turn, 1u64 << from);
        let man = p.man(from);
        let Followups { passed, reply, king, net, mover, .. } = self;
        let (reply, king) = (*reply, *king);
        (mover.from, mover.man, mover.preventing, mover.mating) = (from, man, !0, 0);
        (mover.number, mover.is_unknown) = (0, true);
        let start_of_reply = 1u64 << reply.from();
        if p.after_pass().without(from).is_legal(reply) {
            let line = match p.kings() & start_of_reply {
                0 => line_through(king, reply.from()),
                _ => 0,
            };
            mover.preventing = start_of_reply | between(reply.from(), reply.to()) | line;
        }
        let without = if reply.to() == from { *passed } else { passed.without(from) };
        let Some(squares) = CheckSquares::new(&without) else { return };
        if squares.is_check_already(&without) {
            return;
        }
        mover.is_unknown = without.each_check(&squares, !0, |man, from, to| {
            if mover.number == MAX_CHECKS {
                return true;
            }
            let flights = net.unguarded(start | 1 << from) & !net.covered(man, to);
            let targets = match flights {
                0 => targets_against(king, &without.after(PackedMove::new(from, to))),
                _ => !0,
            };
            mover.checks[mover.number] = Check { mv: PackedMove::new(from, to), flights, targets };
            mover.number += 1;
            false
        });
        let at = usize::from(king & 63);
        mover.mating = match man {
            Man::Slider { .. } => net.covered(man, king),
            Man::Knight => KNIGHT[at],
            Man::Pawn => PAWN[side.other() as usize][at],
            Man::King => 0,
        };
        // A square covers another one if this covers it in turn.
        each_square(net.unguarded(start), |flight| {
            mover.mating &= man.covered(flight, side.other(), net.screen());
            mover.mating == 0
        });
    }
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
