//! Mates in two: one reply refutes most first moves of the attacker at once.

use crate::games::budget::Undecided;
use crate::games::chess_bits::{Followups, LAST_RANKS, Man, PROMOTIONS, PackedMove, PackedPosition};
use crate::games::chess_problem::prover::Prover;
use crate::games::chess_problem::pruning::Pruning;
use crate::games::chess_problem::table::Known;

/// The replies that are kept for a position: few refute nearly all moves.
const MAX_REFUTERS: usize = 4;

impl Prover<'_> {
    /// A move after which the attacker mates in one whatever the reply is.
    pub(super) fn mates_in_two(
        &mut self,
        p: &PackedPosition,
        known: Known,
    ) -> Result<Option<PackedMove>, Undecided> {
        self.room.extend(self.refuters.drain(..).map(|(followups, _)| followups));
        self.unfit.clear();
        let slots = self.solvers[2];
        let first = [known.best, slots[0], slots[1]];
        for (i, mv) in first.into_iter().enumerate() {
            if mv != PackedMove::NONE
                && !first[..i].contains(&mv)
                && p.is_legal(mv)
                && self.solves(p, mv, 1)?
            {
                return Ok(Some(mv));
            }
        }
        let mut men = std::mem::take(&mut self.men);
        men.clear();
        p.each_man(&p.restraint(), |man, from, targets| {
            men.push((man, from, targets));
            false
        });
        let found = self.mates_in_two_by(p, &men, &first);
        self.men = men;
        found
    }

    /// As [`Prover::mates_in_two`], by men with their legal targets, without some moves.
    fn mates_in_two_by(
        &mut self,
        p: &PackedPosition,
        men: &[(Man, u8, u64)],
        tried: &[PackedMove],
    ) -> Result<Option<PackedMove>, Undecided> {
        for &(man, from, targets) in men {
            let last = if man == Man::Pawn { LAST_RANKS } else { 0 };
            let mut open = targets & !last;
            for (followups, refuted) in &mut self.refuters {
                if open != 0 {
                    let left = followups.open(p, from, open);
                    *refuted += (open & !left).count_ones();
                    open = left;
                    self.budget.step()?;
                }
            }
            while open != 0 {
                let mv = PackedMove::new(from, open.trailing_zeros() as u8);
                open &= open - 1;
                if tried.contains(&mv) {
                    continue;
                }
                let after = p.after(mv);
                let hash = after.hash();
                if self.prunings.has(Pruning::Refuted) && self.refuted.contains(&after, hash) {
                    continue;
                }
                let known = self.refuters.len();
                if self.solves_by_mate(p, mv)? {
                    return Ok(Some(mv));
                }
                self.refuted.insert(&after, hash);
                for (followups, _) in &mut self.refuters[known..] {
                    open = followups.open(p, from, open);
                }
            }
            let mut promotions = targets & last;
            while promotions != 0 {
                let to = promotions.trailing_zeros() as u8;
                promotions &= promotions - 1;
                for kind in PROMOTIONS {
                    let mv = PackedMove::promotion(from, to, kind);
                    if !tried.contains(&mv) && self.solves(p, mv, 1)? {
                        return Ok(Some(mv));
                    }
                }
            }
        }
        let start = self.moves.len();
        let moves = &mut self.moves;
        let mut push = |mv| {
            moves.push(mv);
            false
        };
        p.each_en_passant(&mut push);
        p.each_castling(&mut push);
        let mut found = None;
        for i in start..self.moves.len() {
            let mv = self.moves[i];
            if !tried.contains(&mv) && self.solves(p, mv, 1)? {
                found = Some(mv);
                break;
            }
        }
        self.moves.truncate(start);
        Ok(found)
    }

    /// Whether the attacker mates in one after this move and every reply, where replies have refuted other moves.
    fn solves_by_mate(&mut self, p: &PackedPosition, mv: PackedMove) -> Result<bool, Undecided> {
        if self.is_refuted_again(p, mv)? {
            return Ok(false);
        }
        let answered = std::mem::take(&mut self.answered);
        let holds = self.defends_otherwise(&p.after(mv), 1, &answered)?;
        self.answered = answered;
        Ok(holds)
    }

    /// Whether a reply that has refuted other moves of the attacker surely refutes this one, the first of two of which the
    /// second is to mate. Lists the replies that do not.
    fn is_refuted_again(&mut self, p: &PackedPosition, mv: PackedMove) -> Result<bool, Undecided> {
        self.answered.clear();
        if !mv.is_plain() {
            return Ok(false);
        }
        // The reply that has refuted most comes first.
        for i in 0..self.refuters.len() {
            if self.is_refuted_by(i, p, mv)? {
                if i > 0 && self.refuters[i].1 > self.refuters[i - 1].1 {
                    self.refuters.swap(i, i - 1);
                }
                return Ok(true);
            }
        }
        for reply in self.refutations[1] {
            if reply == PackedMove::NONE
                || self.refuters.len() == MAX_REFUTERS
                || self.unfit.contains(&reply)
                || self.refuters.iter().any(|(f, _)| f.reply() == reply)
            {
                continue;
            }
            let mut followups = self.room.pop().unwrap_or_else(|| Box::new(Followups::new()));
            if !followups.look_behind(p, reply) {
                self.room.push(followups);
                self.unfit.push(reply);
                continue;
            }
            self.refuters.push((followups, 0));
            if self.is_refuted_by(self.refuters.len() - 1, p, mv)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether one of these replies refutes a move.
    fn is_refuted_by(&mut self, i: usize, p: &PackedPosition, mv: PackedMove) -> Result<bool, Undecided> {
        let (followups, refuted) = &mut self.refuters[i];
        let mut made = 1;
        let mates = followups.mates(p, mv, &mut made);
        *refuted += u32::from(mates == Some(false));
        if mates == Some(true) {
            self.answered.push(followups.reply());
        }
        self.budget.spend(made)?;
        Ok(mates == Some(false))
    }
}
