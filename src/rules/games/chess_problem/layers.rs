//! Series play by layers: the positions that one move reaches, then those that two moves reach at the least, and so on.
//!
//! If no series of fewer moves is a solution, each position of a solution is reached by no fewer moves than the solution
//! makes up to it: fewer moves and the rest of the solution would be a shorter one. So each position is looked at once,
//! and the first layer that reaches the goal has all shortest solutions.

use crate::games::budget::Undecided;
use crate::games::chess_bits::{CheckSquares, IdleMoves, PackedMove, PackedPosition};
use crate::games::chess_problem::pruning::Pruning;
use crate::games::chess_problem::search::Search;
use cpz_text::syntax::{Goal, Play};
use rustc_hash::FxHashMap;

/// The positions that are kept at most.
const MAX_POSITIONS: usize = 3 << 18;

/// The lengths of a series that solve it.
pub(super) enum Shortest {
    /// No number of moves up to the one that is asked for.
    None,
    /// A number of moves, and no smaller one.
    Moves(u8),
    /// There are too many positions.
    Unknown,
}

/// The positions that were reached, layer by layer, before each move that is not the last one of its series.
struct Layers {
    positions: Vec<PackedPosition>,
    /// Places in a table of `positions`: the upper half of the hash, and the index plus one; 0 if free.
    places: Vec<u64>,
    /// The positions of the newest length from which the last move reaches the goal.
    targets: Vec<PackedPosition>,
}

impl Layers {
    /// Keeps a position; whether it is new, or there is no room for it.
    fn insert(&mut self, position: PackedPosition) -> bool {
        if self.positions.len() * 2 >= self.places.len() {
            self.make_room();
        }
        let hash = position.hash();
        let mask = self.places.len() - 1;
        let mut at = hash as usize & mask;
        while self.places[at] != 0 {
            let place = self.places[at];
            if (place ^ hash) >> 32 == 0 && self.positions[place as u32 as usize - 1] == position {
                return false;
            }
            at = (at + 1) & mask;
        }
        if self.positions.len() < MAX_POSITIONS {
            self.positions.push(position);
            self.places[at] = hash >> 32 << 32 | self.positions.len() as u64;
        }
        true
    }

    fn make_room(&mut self) {
        let size = (self.places.len() * 4).max(1 << 8);
        self.places = vec![0; size];
        for (i, position) in self.positions.iter().enumerate() {
            let hash = position.hash();
            let mut at = hash as usize & (size - 1);
            while self.places[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.places[at] = hash >> 32 << 32 | (i as u64 + 1);
        }
    }
}

impl Search<'_> {
    /// Finds the least number of moves up to `moves` that solve a series, and collects these solutions.
    pub(super) fn shortest_series(
        &mut self,
        root: &PackedPosition,
        moves: u8,
    ) -> Result<Shortest, Undecided> {
        let mut layers = Layers { positions: Vec::new(), places: Vec::new(), targets: Vec::new() };
        let is_help = self.play == Play::SeriesHelp;
        layers.insert(*root);
        if !is_help && self.ends(root)? {
            layers.targets.push(*root);
        }
        let mut ends = vec![0, 1];
        // In help play the move of the other side follows the series.
        let steps = if is_help { moves } else { moves - 1 };
        for made in 0..=steps {
            if !layers.targets.is_empty() {
                let length = if is_help { made } else { made + 1 };
                self.collect(&layers, &ends, length)?;
                return Ok(Shortest::Moves(length));
            }
            let (start, end) = (ends[ends.len() - 2], ends[ends.len() - 1]);
            if made == steps {
                break;
            }
            for i in start..end {
                let p = layers.positions[i];
                self.expand(&mut layers, &p, steps - made - 1)?;
            }
            let is_last = made + 1 == steps;
            if layers.positions.len() >= MAX_POSITIONS && !is_last && layers.targets.is_empty() {
                return Ok(Shortest::Unknown);
            }
            ends.push(layers.positions.len());
        }
        Ok(Shortest::None)
    }

    /// Adds what the moves of a position reach, with `left` more steps to go.
    fn expand(&mut self, layers: &mut Layers, p: &PackedPosition, left: u8) -> Result<(), Undecided> {
        // A position of the other side is only there to be tested once.
        if p.turn() != layers.positions[0].turn() {
            return Ok(());
        }
        self.budget.step()?;
        let is_help = self.play == Play::SeriesHelp;
        let idle = match is_help && self.goal.goal == Goal::Mate && self.prunings.has(Pruning::Idle) {
            true => IdleMoves::new(p),
            false => None,
        };
        // Where the moves give check, unless an odd position begins with one.
        let squares = CheckSquares::new(p).filter(|squares| !squares.is_check_already(p));
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        for i in start..self.moves.len() {
            let mv = self.moves[i];
            let is_idle = idle.as_ref().is_some_and(|idle| idle.contain(p, mv));
            // The positions of the last layer are there to be tested, and no mate follows an idle move.
            if left == 0 && is_idle {
                continue;
            }
            let after = p.after(mv);
            let checks = match &squares {
                Some(squares) if mv.is_plain() => squares.of(p.man(mv.from()), mv.from()) >> mv.to() & 1 != 0,
                _ => after.is_in_check(after.turn()),
            };
            if checks && !is_help {
                continue;
            }
            let next = after.after_pass();
            // A check ends a series.
            let plies = if is_help { u8::from(!checks) * left + 1 } else { left + 1 };
            if !self.may_reach(&next, plies) {
                continue;
            }
            let is_new = layers.insert(if checks { after } else { next });
            if is_help {
                // The position without the right to capture en passant may be known, and the root was not tested.
                let is_open = is_new || after.passed().is_some() || next == layers.positions[0];
                if is_open && !is_idle && self.ends(&after)? {
                    layers.targets.push(after);
                }
            } else if is_new && self.ends(&next)? {
                layers.targets.push(next);
            }
        }
        self.moves.truncate(start);
        Ok(())
    }

    /// Collects the solutions whose last but one positions are the targets.
    fn collect(&mut self, layers: &Layers, ends: &[usize], length: u8) -> Result<(), Undecided> {
        let is_help = self.play == Play::SeriesHelp;
        let last = if is_help { length } else { length - 1 };
        let mut due: Vec<PackedPosition> = layers.targets.clone();
        let mut on_way: FxHashMap<PackedPosition, u8> = due.iter().map(|p| (*p, last)).collect();
        for made in (0..last).rev() {
            let (start, end) = (ends[usize::from(made)], ends[usize::from(made) + 1]);
            let mut before = Vec::new();
            for p in &layers.positions[start..end] {
                if p.turn() == layers.positions[0].turn()
                    && self.leads_to(p, &due, &on_way, made + 1, last)?
                {
                    before.push(*p);
                }
            }
            on_way.extend(before.iter().map(|p| (*p, made)));
            due = before;
        }
        drop(due);
        self.walk(&layers.positions[0], 0, last, &on_way)
    }

    /// Whether a move leads to one of some positions, which `made` moves reach.
    fn leads_to(
        &mut self,
        p: &PackedPosition,
        due: &[PackedPosition],
        on_way: &FxHashMap<PackedPosition, u8>,
        made: u8,
        last: u8,
    ) -> Result<bool, Undecided> {
        // One move leaves one square and enters another one, castling two.
        let is_near = |to: &PackedPosition| {
            let (own, other) = (p.men(p.turn()), p.men(p.turn().other()));
            (own ^ to.men(p.turn())).count_ones() <= 4 && to.men(p.turn().other()) & !other == 0
        };
        if due.len() <= 32 && !due.iter().any(is_near) {
            return Ok(false);
        }
        self.budget.step()?;
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        let mut found = false;
        for i in start..self.moves.len() {
            let next = self.key_after(p, self.moves[i], made == last);
            found |= on_way.get(&next) == Some(&made);
        }
        self.moves.truncate(start);
        Ok(found)
    }

    /// What stands for the position after a move.
    fn key_after(&self, p: &PackedPosition, mv: PackedMove, is_last: bool) -> PackedPosition {
        let after = p.after(mv);
        if is_last && self.play == Play::SeriesHelp { after } else { after.after_pass() }
    }

    /// Collects the solutions through some positions, each with the number of moves that reach it.
    fn walk(
        &mut self,
        p: &PackedPosition,
        made: u8,
        last: u8,
        on_way: &FxHashMap<PackedPosition, u8>,
    ) -> Result<(), Undecided> {
        self.budget.step()?;
        if made == last {
            return self.reaches(p, 1).map(|_| ());
        }
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        for i in start..self.moves.len() {
            let mv = self.moves[i];
            let next = self.key_after(p, mv, made + 1 == last);
            if on_way.get(&next) == Some(&(made + 1)) {
                self.path.push(mv);
                self.walk(&next, made + 1, last, on_way)?;
                self.path.pop();
            }
        }
        self.moves.truncate(start);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess_problem::goal::tests::{Random, small_position};
    use rustc_hash::FxHashSet;

    #[test]
    fn layers_have_each_position_once() {
        let (mut random, mut seen) = (Random(41), FxHashSet::default());
        let mut layers = Layers { positions: Vec::new(), places: Vec::new(), targets: Vec::new() };
        for _ in 0..5_000 {
            let position = small_position(&mut random);
            let p = PackedPosition::new(&position, position.turn);
            assert_eq!(layers.insert(p), seen.insert(p), "{position:?}");
        }
        assert!(layers.positions.iter().all(|p| seen.remove(p)) && seen.is_empty());
    }
}
