//! Which puzzle of the old collection each puzzle of the new one was.
//!
//! The surest sign comes first: the same text, then the `id`, the same question on the same board, the name, the same board;
//! each in the same file before another one. Between puzzles that are recognised, those that look alike are, in their order.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diff::item::{Item, Side};
use crate::diff::men::men;

/// How many puzzles behind the next one are looked at for one that looks alike.
const MAX_AHEAD: usize = 64;

/// The pairs of puzzles.
pub(super) struct Matching {
    /// For each puzzle of the old collection its index in the new one.
    pub new_of: Vec<Option<usize>>,
    /// For each puzzle of the new collection its index in the old one.
    pub old_of: Vec<Option<usize>>,
    /// Whether a puzzle of the new collection stands in another file, or at another place among those of its file.
    pub moved: Vec<bool>,
}

/// What two items have in common that are recognised as one puzzle.
type Sign<'i, K> = dyn Fn(&'i Item, &'i str) -> Option<K> + 'i;

impl Matching {
    pub fn of(old: &Side<'_>, new: &Side<'_>) -> Matching {
        let mut matching = Matching {
            new_of: vec![None; old.items.len()],
            old_of: vec![None; new.items.len()],
            moved: vec![false; new.items.len()],
        };
        for here in [true, false] {
            matching.join(old, new, &|item, file| Some((here.then_some(file), item.tokens)));
        }
        matching.join(old, new, &|item, _| Some((item.id.as_deref()?, item.game)));
        let same = |here: bool, named: bool| {
            move |item: &Item, file: &str| {
                let name = if named { item.name.clone()? } else { String::new() };
                Some((here.then(|| file.to_string()), item.canonical.clone()?, name))
            }
        };
        for (here, named) in [(true, true), (false, true), (true, false), (false, false)] {
            matching.join(old, new, &same(here, named));
        }
        for here in [true, false] {
            matching.join(old, new, &|item, file| {
                Some((here.then_some(file), item.game?, item.name.as_deref()?))
            });
        }
        for here in [true, false] {
            matching.join(old, new, &|item, file| Some((here.then_some(file), item.board_hash?)));
        }
        matching.join_alike(old, new);
        matching.find_moved(old, new);
        matching
    }

    fn pair(&mut self, old: usize, new: usize) {
        (self.new_of[old], self.old_of[new]) = (Some(new), Some(old));
    }

    /// Pairs the puzzles that are left and have the same sign, in their order.
    fn join<'i, K: Hash + Eq>(&mut self, old: &'i Side<'_>, new: &'i Side<'_>, sign: &Sign<'i, K>) {
        let mut known: FxHashMap<K, Vec<usize>> = FxHashMap::default();
        for (i, item) in old.items.iter().enumerate().rev().filter(|(i, _)| self.new_of[*i].is_none()) {
            if let Some(sign) = sign(item, old.files[item.file].key) {
                known.entry(sign).or_default().push(i);
            }
        }
        for (j, item) in new.items.iter().enumerate() {
            let Some(sign) = sign(item, new.files[item.file].key).filter(|_| self.old_of[j].is_none()) else {
                continue;
            };
            if let Some(i) = known.get_mut(&sign).and_then(Vec::pop) {
                self.pair(i, j);
            }
        }
    }

    /// Pairs puzzles that look alike and stand between the same neighbours.
    fn join_alike(&mut self, old: &Side<'_>, new: &Side<'_>) {
        let anchors = self.in_order(old, new);
        // The gap of a puzzle: its file, and the last puzzle before it that is recognised in its place.
        let mut gaps: FxHashMap<(&str, Option<usize>), Vec<usize>> = FxHashMap::default();
        let mut last = None;
        for (i, item) in old.items.iter().enumerate() {
            if item.index == 0 {
                last = None;
            }
            match self.new_of[i] {
                None => gaps.entry((old.files[item.file].key, last)).or_default().push(i),
                Some(j) if anchors.contains(&j) => last = Some(j),
                Some(_) => {}
            }
        }
        let mut last = None;
        for (j, item) in new.items.iter().enumerate() {
            if item.index == 0 {
                last = None;
            }
            if self.old_of[j].is_some() {
                last = if anchors.contains(&j) { Some(j) } else { last };
                continue;
            }
            let Some(gap) = gaps.get_mut(&(new.files[item.file].key, last)) else { continue };
            let found = gap.iter().take(MAX_AHEAD).position(|&i| looks_like(&old.items[i], item));
            if let Some(at) = found {
                let i = gap[at];
                gap.drain(..=at);
                self.pair(i, j);
            }
        }
    }

    /// The puzzles of the new collection that are recognised and stand in the order of the old one: as many as can be.
    fn in_order(&self, old: &Side<'_>, new: &Side<'_>) -> FxHashSet<usize> {
        let mut all = FxHashSet::default();
        let mut start = 0;
        for file in new.items.chunk_by(|a, b| a.file == b.file) {
            let range = start..start + file.len();
            start = range.end;
            let is_here = |&(i, j): &(usize, usize)| {
                old.files[old.items[i].file].key == new.files[new.items[j].file].key
            };
            let pairs = range.filter_map(|j| Some((self.old_of[j]?, j))).filter(is_here);
            all.extend(longest_increasing(&pairs.collect::<Vec<_>>()));
        }
        all
    }

    fn find_moved(&mut self, old: &Side<'_>, new: &Side<'_>) {
        let in_order = self.in_order(old, new);
        for (j, moved) in self.moved.iter_mut().enumerate() {
            *moved = self.old_of[j].is_some() && !in_order.contains(&j);
        }
    }
}

/// The second numbers of a longest series of pairs in which the first numbers grow.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<usize> {
    // The index of the last pair of the best series of each length, and the pair before each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].0 < pair.0);
        before.push(length.checked_sub(1).map(|i| ends[i]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut series = Vec::new();
    let mut at = ends.last().copied();
    while let Some(i) = at {
        series.push(pairs[i].1);
        at = before[i];
    }
    series
}

/// Whether two puzzles of a gap are versions of one: at least half of the pieces stand as they stood. What cannot be read is
/// compared with what stands in its place.
fn looks_like(old: &Item, new: &Item) -> bool {
    if old.game.zip(new.game).is_some_and(|(old, new)| old != new) {
        return false;
    }
    match (old.board(), new.board()) {
        (Some(a), Some(b)) => men(a, b).len() * 2 <= a.count().max(b.count()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_series_keeps_as_many_as_it_can() {
        let of = |firsts: &[usize]| {
            let pairs: Vec<_> = firsts.iter().copied().enumerate().map(|(j, i)| (i, j)).collect();
            let mut found = longest_increasing(&pairs);
            found.reverse();
            found.into_iter().map(|j| firsts[j]).collect::<Vec<_>>()
        };
        assert!(of(&[]).is_empty());
        assert_eq!(of(&[0, 1, 2]), [0, 1, 2]);
        assert_eq!(of(&[3, 0, 1, 2]), [0, 1, 2]);
        assert_eq!(of(&[1, 2, 3, 0]), [1, 2, 3]);
        assert_eq!(of(&[2, 1, 0]).len(), 1);
    }
}
