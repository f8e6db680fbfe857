//! Replies that few moves prevent.
//!
//! In a self of one move each reply of the other side has to mate. A reply without check refutes that, and the same one
//! refutes most moves: those that give no check, and neither touch its path nor a line that joins one of its squares with a
//! king. Such a move need not be made.

use crate::games::chess_bits::attacks::{between, line_through};
use crate::games::chess_bits::checks::CheckSquares;
use crate::games::chess_bits::generate::{LAST_RANKS, Man};
use crate::games::chess_bits::packed::{PackedMove, PackedPosition};

/// The replies that are kept at most, each of another man.
const MAX_REPLIES: usize = 4;

#[derive(Clone, Copy)]
struct Reply {
    mv: PackedMove,
    /// A man that leaves one of these squares may change the reply.
    starts: u64,
    /// So may a man that enters one of these.
    targets: u64,
}

/// Replies without check to the moves of the side to move.
pub(crate) struct SteadyReplies {
    checks: CheckSquares,
    replies: [Reply; MAX_REPLIES],
    number: usize,
}

impl SteadyReplies {
    /// `None` where a king is in check or missing, or where there is no such reply.
    pub(crate) fn new(p: &PackedPosition) -> Option<SteadyReplies> {
        let passed = p.after_pass();
        let (checks, threats) = (CheckSquares::new(p)?, CheckSquares::new(&passed)?);
        if p.kings().count_ones() != 2 || checks.is_check_already(p) || threats.is_check_already(&passed) {
            return None;
        }
        // The king of the side that replies, and the one that it must not check.
        let (own, other) = (checks.king, threats.king);
        let none = Reply { mv: PackedMove::NONE, starts: 0, targets: 0 };
        let mut found = SteadyReplies { checks, replies: [none; MAX_REPLIES], number: 0 };
        passed.each_other_man(&passed.restraint(), |man, from, targets| {
            let last = if man == Man::Pawn { LAST_RANKS } else { 0 };
            let quiet = targets & !threats.of(man, from) & !last;
            if quiet == 0 {
                return false;
            }
            let to = quiet.trailing_zeros() as u8;
            // A pin of the man needs a line to its king; a check by it or behind it needs one to the other king.
            let pins = line_through(own, from);
            let starts = 1 << to | pins | line_through(other, from) | between(to, other);
            let targets = 1 << from | 1 << to | between(from, to) | pins;
            found.replies[found.number] = Reply { mv: PackedMove::new(from, to), starts, targets };
            found.number += 1;
            found.number == MAX_REPLIES
        });
        (found.number > 0).then_some(found)
    }

    /// Whether a reply without check certainly answers a move.
    #[inline]
    pub(crate) fn answer(&self, p: &PackedPosition, mv: PackedMove) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let touches = |reply: &Reply| reply.starts >> from & 1 != 0 || reply.targets >> to & 1 != 0;
        let replies = &self.replies[..self.number];
        if p.kings() >> from & 1 == 0 && mv.is_plain() {
            return self.checks.of(p.man(from), from) >> to & 1 == 0 && !replies.iter().all(touches);
        }
        let after = p.after(mv);
        replies.iter().any(|reply| after.is_legal(reply.mv) && !after.after(reply.mv).is_in_check(p.turn()))
    }
}

impl PackedPosition {
    /// How the man of a square moves.
    #[inline(always)]
    pub(crate) fn man(&self, from: u8) -> Man {
        let on = |set: u64| set >> from & 1 != 0;
        if on(self.pawns()) {
            Man::Pawn
        } else if on(self.knights()) {
            Man::Knight
        } else if on(self.kings()) {
            Man::King
        } else {
            Man::Slider { diagonal: on(self.diagonals()), straight: on(self.straights()) }
        }
    }
}
