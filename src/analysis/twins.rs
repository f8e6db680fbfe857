//! Duplicates as files come, change and go: what [`super::duplicates`] finds in all files at once, kept
//! up to date at the cost of the file that changed.

use std::cell::OnceCell;
use std::collections::{BTreeMap, hash_map};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::collection::same_puzzle;
use super::{FileReport, Placed};
use crate::syntax::Span;

/// Which puzzles of many files are the same. Files are known by their names, whose order is theirs.
#[derive(Default)]
pub struct Twins {
    numbers: FxHashMap<Arc<str>, u32>,
    files: Vec<File>,
    groups: FxHashMap<u128, Group>,
}

struct File {
    name: Arc<str>,
    /// Its puzzles that have a shape, in order.
    puzzles: Vec<Seat>,
    /// The first two seats of each shape, once somebody has asked.
    first: OnceCell<FxHashMap<u128, (u32, Option<u32>)>>,
}

/// Where a puzzle stands.
#[derive(Clone, Copy)]
struct Seat {
    shape: u128,
    /// Another number where others would say something else of it.
    place: u64,
    /// Which of the report's puzzles it is.
    index: u32,
}

/// Who has a shape.
enum Group {
    /// One puzzle of this file.
    One(u32),
    /// Files in order, each with its number and that of its puzzles: two puzzles at least.
    Many(BTreeMap<Arc<str>, (u32, u32)>),
}

/// The file and the seat of the first two puzzles of a shape: all later ones point at the first, and the
/// first at the second.
type Heads = [(u32, Seat); 2];

impl Twins {
    /// Puts a file's report in the place of its last one; nothing takes the file away. Adds the numbers
    /// of other files whose duplicates may be others now, or stand elsewhere, to `touched`: `place` gives
    /// for a puzzle's head a number that is another where others would say another place.
    ///
    /// Files that go together should go from the last to the first: then few others are touched.
    pub fn put(
        &mut self,
        name: &str,
        report: Option<&FileReport>,
        place: impl Fn(Span) -> u64,
        touched: &mut FxHashSet<u32>,
    ) {
        let number = self.number(name);
        let seat = |(index, p): (usize, &super::PuzzleReport)| {
            let key = p.key?;
            let mut h = DefaultHasher::new();
            (place(p.head), key.exact).hash(&mut h);
            Some(Seat { shape: key.shape, place: h.finish(), index: index as u32 })
        };
        let new: Vec<Seat> =
            report.map_or(Vec::new(), |r| r.puzzles.iter().enumerate().filter_map(seat).collect());
        let old = &self.files[number as usize].puzzles;
        let same = |(a, b): &(&Seat, &Seat)| (a.shape, a.place) == (b.shape, b.place);
        let ahead = old.iter().zip(&new).take_while(same).count();
        let left = old.len().min(new.len()) - ahead;
        let behind = old.iter().rev().zip(new.iter().rev()).take(left).take_while(same).count();
        let gone: Vec<u128> = old[ahead..old.len() - behind].iter().map(|s| s.shape).collect();
        let come: Vec<u128> = new[ahead..new.len() - behind].iter().map(|s| s.shape).collect();
        let shared = |shape: &&u128| matches!(self.groups.get(shape), Some(Group::Many(_)));
        let mut before: FxHashMap<u128, Option<Heads>> =
            gone.iter().chain(&come).filter(shared).map(|&s| (s, self.heads(s))).collect();
        gone.iter().for_each(|&shape| self.drop_one(shape, number));
        come.iter().for_each(|&shape| self.add_one(shape, number));
        let file = &mut self.files[number as usize];
        (file.puzzles, file.first) = (new, OnceCell::new());
        for shape in come {
            // What is shared only now was not before.
            if matches!(self.groups.get(&shape), Some(Group::Many(_))) {
                before.entry(shape).or_insert(None);
            }
        }
        for (shape, heads) in before {
            self.touch(shape, number, heads, touched);
        }
    }

    /// The number that findings refer to a file by.
    pub fn name(&self, file: u32) -> Option<&str> {
        Some(&self.files.get(file as usize)?.name)
    }

    /// The duplicates in a file, as [`super::duplicates`] has them; `reports` gives the reports as they
    /// were put in, and `describe` names a place.
    pub fn of<'r>(
        &self,
        name: &str,
        reports: impl Fn(&str) -> Option<&'r FileReport>,
        describe: impl Fn(&str, Span) -> String,
    ) -> Vec<Placed> {
        let mut found = Vec::new();
        let (Some(&number), Some(report)) = (self.numbers.get(name), reports(name)) else { return found };
        for (p, puzzle) in report.puzzles.iter().enumerate() {
            let Some(key) = puzzle.key else { continue };
            let Some([first, second]) = self.heads(key.shape) else { continue };
            let is_first = (first.0, first.1.index) == (number, p as u32);
            let (of, seat) = if is_first { second } else { first };
            let there = &self.files[of as usize].name;
            let Some(other) = reports(there).and_then(|r| r.puzzles.get(seat.index as usize)) else {
                continue;
            };
            let elsewhere = (of != number).then_some(of);
            let finding = same_puzzle(puzzle, other, elsewhere, &describe(there, other.head));
            found.push(Placed { file: number as usize, puzzle: p, finding });
        }
        found
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let (number, name): (u32, Arc<str>) = (self.files.len() as u32, name.into());
        self.files.push(File { name: name.clone(), puzzles: Vec::new(), first: OnceCell::new() });
        self.numbers.insert(name, number);
        number
    }

    /// The first two puzzles of a shape that has two.
    fn heads(&self, shape: u128) -> Option<Heads> {
        let Group::Many(files) = self.groups.get(&shape)? else { return None };
        let mut seats = files.values().take(2).flat_map(|&(file, _)| {
            let of = &self.files[file as usize];
            let (one, two) = of.first().get(&shape).copied().unzip();
            one.into_iter().chain(two.flatten()).map(move |i| (file, of.puzzles[i as usize]))
        });
        Some([seats.next()?, seats.next()?])
    }

    /// Adds the other files that say something else of a shape now, when its first two were `before`.
    fn touch(&self, shape: u128, number: u32, before: Option<Heads>, touched: &mut FxHashSet<u32>) {
        let same = |a: (u32, Seat), b: (u32, Seat)| (a.0, a.1.place) == (b.0, b.1.place);
        let now = self.heads(shape);
        if let (Some(before), Some(now)) = (before, now)
            && same(before[0], now[0])
        {
            if !same(before[1], now[1]) && now[0].0 != number {
                touched.insert(now[0].0);
            }
            return;
        }
        match self.groups.get(&shape) {
            None => {}
            Some(&Group::One(file)) => touched.extend((file != number).then_some(file)),
            Some(Group::Many(files)) => {
                touched.extend(files.values().map(|f| f.0).filter(|&f| f != number));
            }
        }
    }

    fn add_one(&mut self, shape: u128, number: u32) {
        let name = |number: u32| self.files[number as usize].name.clone();
        match self.groups.entry(shape) {
            hash_map::Entry::Vacant(entry) => drop(entry.insert(Group::One(number))),
            hash_map::Entry::Occupied(mut entry) => {
                let group = entry.get_mut();
                if let Group::One(first) = *group {
                    *group = Group::Many(BTreeMap::from([(name(first), (first, 1))]));
                }
                if let Group::Many(files) = group {
                    files.entry(name(number)).or_insert((number, 0)).1 += 1;
                }
            }
        }
    }

    fn drop_one(&mut self, shape: u128, number: u32) {
        match self.groups.get_mut(&shape) {
            None => {}
            Some(Group::One(_)) => drop(self.groups.remove(&shape)),
            Some(group @ Group::Many(_)) => {
                let Group::Many(files) = group else { return };
                let name = &self.files[number as usize].name;
                if let Some((_, count)) = files.get_mut(name) {
                    *count -= 1;
                    if *count == 0 {
                        files.remove(name);
                    }
                }
                let mut left = files.values();
                if let (Some(&(last, 1)), None) = (left.next(), left.next()) {
                    *group = Group::One(last);
                }
            }
        }
    }
}

impl File {
    fn first(&self) -> &FxHashMap<u128, (u32, Option<u32>)> {
        self.first.get_or_init(|| {
            let mut found = FxHashMap::default();
            for (i, seat) in self.puzzles.iter().enumerate() {
                let entry = found.entry(seat.shape).or_insert((i as u32, None));
                if entry.0 != i as u32 && entry.1.is_none() {
                    entry.1 = Some(i as u32);
                }
            }
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Options, analyse, duplicates};
    use crate::syntax::parse;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const BOARDS: [&str; 4] = ["BN...", "NB...", "RN.B.", "Q...Q"];

    fn text(boards: &[usize]) -> String {
        boards.iter().map(|&b| format!("solitaire {{ size 5x1 board {} count }}\n", BOARDS[b])).collect()
    }

    proptest! {
        /// However files come and go, the duplicates are those of all files at once, and no file that
        /// was not named has others than before.
        #[test]
        fn they_are_those_of_all_files_at_once(
            steps in prop::collection::vec((0usize..4, prop::option::of(prop::collection::vec(0usize..4, 0..5))), 1..12)
        ) {
            let names = ["b", "a", "d", "c"];
            let mut reports: std::collections::BTreeMap<&str, FileReport> = Default::default();
            let mut twins = Twins::default();
            let mut shown: std::collections::BTreeMap<&str, Vec<String>> = Default::default();
            for (file, boards) in steps {
                let name = names[file];
                let report = boards.map(|b| analyse(&parse(text(&b)), &Options::default()));
                let mut touched = Default::default();
                twins.put(name, report.as_ref(), |s| s.start.into(), &mut touched);
                let mut touched: BTreeSet<String> =
                    touched.iter().filter_map(|&f| Some(twins.name(f)?.to_string())).collect();
                touched.insert(name.into());
                match report {
                    Some(report) => drop(reports.insert(name, report)),
                    None => drop(reports.remove(name)),
                }
                let all: Vec<&str> = reports.keys().copied().collect();
                let whole: Vec<&FileReport> = reports.values().collect();
                let expected = duplicates(&whole, |f, s| format!("{}:{}", all[f], s.start));
                let expected: Vec<(usize, String)> =
                    expected.into_iter().map(|p| (p.puzzle, format!("{} {}", all[p.file], p.finding.message))).collect();
                let mut found = Vec::new();
                for name in &all {
                    let placed = twins.of(name, |n| reports.get(n), |n, s| format!("{n}:{}", s.start));
                    let mut now = Vec::new();
                    for p in placed {
                        now.push(format!("{} {}", p.puzzle, p.finding.message));
                        found.push((p.puzzle, format!("{name} {}", p.finding.message)));
                    }
                    if touched.contains(*name) {
                        shown.insert(name, now);
                    } else {
                        prop_assert_eq!(shown.get(name).cloned().unwrap_or_default(), now, "{} was not named", name);
                    }
                }
                prop_assert_eq!(found, expected);
            }
        }
    }
}
