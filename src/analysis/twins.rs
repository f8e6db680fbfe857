//! Duplicates as files come, change and go: what [`super::duplicates`] finds in all files at once, kept
//! up to date at the cost of the file that changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

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
    /// The shapes of its puzzles, in order, each with what tells where it stands.
    puzzles: Vec<(u128, u64)>,
}

/// Who has a shape.
enum Group {
    /// One puzzle of this file.
    One(u32),
    /// Files, each with the number of its puzzles.
    Many(Vec<(u32, u32)>),
}

/// The first two puzzles of a file with a shape.
type First = FxHashMap<u128, (u32, Option<u32>)>;

impl Twins {
    /// Puts a file's report in the place of its last one; nothing takes the file away. Returns the other
    /// files whose duplicates may be others now, or stand elsewhere: `place` gives for a puzzle's head a
    /// number that is another where others would say another place.
    pub fn put(
        &mut self,
        name: &str,
        report: Option<&FileReport>,
        place: impl Fn(Span) -> u64,
    ) -> BTreeSet<Arc<str>> {
        let number = self.number(name);
        let puzzles = report.map_or(Vec::new(), |r| {
            r.puzzles.iter().filter_map(|p| Some((p.key?.shape, place(p.head)))).collect()
        });
        let new: Vec<(u128, u64)> = puzzles;
        let old = std::mem::take(&mut self.files[number as usize].puzzles);
        let ahead = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let left = old.len().min(new.len()) - ahead;
        let behind = old.iter().rev().zip(new.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
        let (gone, come) = (&old[ahead..old.len() - behind], &new[ahead..new.len() - behind]);
        let mut touched = BTreeSet::new();
        gone.iter().for_each(|&(shape, _)| self.beside(shape, number, &mut touched));
        gone.iter().for_each(|&(shape, _)| self.drop_one(shape, number));
        come.iter().for_each(|&(shape, _)| self.add_one(shape, number));
        come.iter().for_each(|&(shape, _)| self.beside(shape, number, &mut touched));
        self.files[number as usize].puzzles = new;
        touched
    }

    /// The name of a file by the number that findings refer to it by.
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
        let mut firsts: FxHashMap<u32, First> = FxHashMap::default();
        for (p, puzzle) in report.puzzles.iter().enumerate() {
            let Some(key) = puzzle.key else { continue };
            let Some(Group::Many(files)) = self.groups.get(&key.shape) else { continue };
            let mut in_order: Vec<&(u32, u32)> = files.iter().collect();
            in_order.sort_by_key(|(f, _)| &self.files[*f as usize].name);
            let mut places = in_order.iter().take(2).flat_map(|&&(file, _)| {
                let of_file = firsts.entry(file).or_insert_with(|| {
                    reports(&self.files[file as usize].name).map(first_two).unwrap_or_default()
                });
                let (one, two) = of_file.get(&key.shape).copied().unzip();
                let both = one.into_iter().chain(two.flatten());
                both.map(|i| (file, i)).collect::<Vec<_>>()
            });
            let (Some(first), Some(second)) = (places.next(), places.next()) else { continue };
            let (of, index) = if first == (number, p as u32) { second } else { first };
            let there = &self.files[of as usize].name;
            let Some(other) = reports(there).and_then(|r| r.puzzles.get(index as usize)) else { continue };
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
        self.files.push(File { name: name.clone(), puzzles: Vec::new() });
        self.numbers.insert(name, number);
        number
    }

    /// Adds the names of the other files that have a shape, if what they say of it rests on this one: all
    /// point at the first two.
    fn beside(&self, shape: u128, number: u32, found: &mut BTreeSet<Arc<str>>) {
        let Some(Group::Many(files)) = self.groups.get(&shape) else { return };
        let name = |f: u32| &self.files[f as usize].name;
        let before = files.iter().filter(|(f, _)| name(*f) < name(number)).map(|(_, n)| n).sum::<u32>();
        if before < 2 {
            found.extend(files.iter().filter(|(f, _)| *f != number).map(|(f, _)| name(*f).clone()));
        }
    }

    fn add_one(&mut self, shape: u128, file: u32) {
        use std::collections::hash_map::Entry;
        match self.groups.entry(shape) {
            Entry::Vacant(entry) => {
                entry.insert(Group::One(file));
            }
            Entry::Occupied(mut entry) => {
                let group = entry.get_mut();
                if let Group::One(first) = *group {
                    *group = Group::Many(vec![(first, 1)]);
                }
                if let Group::Many(files) = group {
                    match files.iter_mut().find(|(f, _)| *f == file) {
                        Some((_, count)) => *count += 1,
                        None => files.push((file, 1)),
                    }
                }
            }
        }
    }

    fn drop_one(&mut self, shape: u128, file: u32) {
        let Some(group) = self.groups.get_mut(&shape) else { return };
        if let Group::Many(files) = group {
            if let Some(i) = files.iter().position(|(f, _)| *f == file) {
                files[i].1 -= 1;
                if files[i].1 == 0 {
                    files.remove(i);
                }
            }
            match files[..] {
                [(last, 1)] => *group = Group::One(last),
                [] => drop(self.groups.remove(&shape)),
                _ => {}
            }
        } else {
            self.groups.remove(&shape);
        }
    }
}

fn first_two(report: &FileReport) -> First {
    let mut found = First::default();
    for (i, puzzle) in report.puzzles.iter().enumerate() {
        let Some(key) = puzzle.key else { continue };
        let entry = found.entry(key.shape).or_insert((i as u32, None));
        if entry.0 != i as u32 && entry.1.is_none() {
            entry.1 = Some(i as u32);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Options, analyse, duplicates};
    use crate::syntax::parse;
    use proptest::prelude::*;

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
                let mut touched = twins.put(name, report.as_ref(), |s| s.start.into());
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
