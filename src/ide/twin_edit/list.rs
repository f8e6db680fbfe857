//! The list of the changes of a twin, and the shortest list that leads to another position.

use crate::twin_edit::item::{Item, words_of};
use crate::twin_edit::trace::{Traced, Wanted};
use cpz_check::analysis::TwinChange;
use cpz_rules::board::{Colour, Kind, Square};
use cpz_rules::games::Change;

/// From this number of changes on, only one of them is changed at a time.
const MANY: usize = 24;

/// How good a list is; less is better: the number of changes, the men captured on the way, the changes that differ from the
/// list before, and the letters.
type Cost = (usize, usize, usize, usize);

/// Finds the shortest list.
pub(super) struct Search<'a> {
    /// The position before the changes.
    start: &'a Traced,
    wanted: &'a Wanted,
    /// The squares that change.
    squares: Vec<Square>,
    before: &'a [Item],
    best: Option<(Cost, Vec<Item>)>,
}

/// The shortest list with the same men on their squares that differs from another one in few changes. `None` if there is none.
pub(super) fn shortest(
    start: &Traced,
    before: &[Item],
    wanted: &Wanted,
    squares: &[Square],
) -> Option<Vec<Item>> {
    let mut search = Search { start, wanted, squares: squares.to_vec(), before, best: None };
    let once = search.variants(before);
    once.iter().for_each(|list| search.consider(list));
    let again = if before.len() < MANY { once } else { search.longer(before) };
    for list in &again {
        for other in search.variants(list) {
            search.consider(&other);
        }
    }
    search.best.map(|(_, list)| list)
}

impl Search<'_> {
    fn consider(&mut self, list: &[Item]) {
        let mut men = self.start.clone();
        let mut captured = 0;
        for item in list {
            let Some(more) = men.change(item.change) else { return };
            captured += more;
        }
        if !self.wanted.is_met(&men) {
            return;
        }
        let kept = list.iter().filter(|item| self.before.contains(item)).count();
        let altered = self.before.len() - kept + list.len() - kept;
        let letters = list.iter().flat_map(|item| words_of(item.change)).map(|word| word.len()).sum();
        let cost = (list.len(), captured, altered, letters);
        if self.best.as_ref().is_none_or(|best| cost < best.0) {
            self.best = Some((cost, list.to_vec()));
        }
    }

    /// The lists with one change less, one other change, or one change more at the end.
    fn variants(&self, list: &[Item]) -> Vec<Vec<Item>> {
        let mut variants = Vec::new();
        for (i, item) in list.iter().enumerate() {
            let TwinChange::Position(change) = item.change else { continue };
            let mut shorter = list.to_vec();
            shorter.remove(i);
            variants.push(shorter);
            for other in self.instead_of(change) {
                let mut changed = list.to_vec();
                changed[i].change = TwinChange::Position(other);
                variants.push(changed);
            }
        }
        variants.extend(self.longer(list));
        variants
    }

    /// What may take the place of a change.
    fn instead_of(&self, change: Change) -> Vec<Change> {
        let targets = || self.squares.iter().copied();
        let mut others = Vec::new();
        match change {
            Change::Move(from, to) => {
                others.extend(targets().filter(|&to| to != from).map(|to| Change::Move(from, to)));
                others.extend([Change::Remove(from), Change::Exchange(from, to)]);
                others.extend(self.kind_on(to).map(|kind| Change::Instead(kind, to, from)));
            }
            Change::Add(piece, square) => {
                others.extend(targets().map(|to| Change::Add(piece, to)));
                others.extend(self.wanted.at(square).map(|man| Change::Add(man.piece, square)));
            }
            Change::Instead(kind, to, from) => {
                others.extend(targets().map(|to| Change::Instead(kind, to, from)));
                others.extend([Change::Remove(from), Change::Move(from, to)]);
                others.extend(targets().filter(|&to| to != from).map(|to| Change::Move(from, to)));
                others.extend(self.kind_on(to).map(|kind| Change::Instead(kind, to, from)));
            }
            Change::Remove(square) => {
                others.extend(self.kind_on(square).map(|kind| Change::Instead(kind, square, square)));
            }
            _ => {}
        }
        others.retain(|other| *other != change);
        others
    }

    /// The kind of the man that shall stand on a square that changes.
    fn kind_on(&self, square: Square) -> Option<Kind> {
        self.wanted.at(square).filter(|_| self.squares.contains(&square)).map(|man| man.piece.kind)
    }

    /// The lists with one change more at the end.
    fn longer(&self, list: &[Item]) -> Vec<Vec<Item>> {
        let mut changes = Vec::new();
        for &square in &self.squares {
            changes.push(Change::Remove(square));
            if let Some(man) = self.wanted.at(square) {
                changes.push(Change::Add(man.piece, square));
                changes.push(Change::Instead(man.piece.kind, square, square));
                let others = self.squares.iter().filter(|other| **other != square);
                changes.extend(others.map(|&from| Change::Move(from, square)));
            }
        }
        let with = |change: Change| {
            let more = Item::new(TwinChange::Position(change));
            list.iter().copied().chain([more]).collect()
        };
        changes.into_iter().map(with).collect()
    }
}

/// The shortest list after which a side begins, by one `turn` less, another one, or one more. `begins` says which side begins
/// after a list.
pub(super) fn with_turn(before: &[Item], turn: Colour, begins: impl Fn(&[Item]) -> Colour) -> Vec<Item> {
    if begins(before) == turn {
        return before.to_vec();
    }
    let is_turn = |item: &Item| matches!(item.change, TwinChange::Turn(_));
    let turns: Vec<usize> = (0..before.len()).rev().filter(|&i| is_turn(&before[i])).collect();
    let mut lists: Vec<Vec<Item>> = Vec::new();
    for &i in &turns {
        let mut shorter = before.to_vec();
        shorter.remove(i);
        lists.push(shorter);
    }
    for &i in &turns {
        let mut changed = before.to_vec();
        changed[i].change = TwinChange::Turn(turn);
        lists.push(changed);
    }
    lists.push(before.iter().copied().chain([Item::new(TwinChange::Turn(turn))]).collect());
    lists.into_iter().find(|list| begins(list) == turn).unwrap_or_default()
}
