//! What holds across puzzles, as files come, change and go: duplicates and names used twice, kept up to date
//! at the cost of what changed. It is what [`super::link`] finds in all files at once.

use std::cell::OnceCell;
use std::collections::{BTreeMap, hash_map};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::collection::{same_name, same_puzzle};
use super::{Key, Parts, Seat};
use crate::syntax::{Finding, Span};

/// Which puzzles of many files are the same. Files are known by their names, whose order is theirs.
#[derive(Default)]
pub struct Twins {
    numbers: FxHashMap<Arc<str>, u32>,
    files: Vec<File>,
    groups: FxHashMap<u128, Group>,
    /// The files whose puzzles may stand elsewhere than others have been told.
    moved: FxHashSet<u32>,
}

struct File {
    name: Arc<str>,
    parts: Parts,
    /// How often each of its names is used, by their hashes, and how many are used twice.
    names: FxHashMap<u64, u32>,
    repeated: usize,
    /// How many of its shapes are others' too, or stand twice in it.
    shared: usize,
    /// Its first two puzzles of each of those, once somebody has asked.
    first: OnceCell<FxHashMap<u128, (Seat, Option<Seat>)>>,
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

/// What is said of the puzzles of a file because of others.
#[derive(Default)]
pub struct Told {
    /// By their places among the parts, in order.
    pub findings: Vec<((u32, u32), Finding)>,
    /// The head of each that stands twice, with the file of the other one, if that is another, and its head.
    pub twins: Vec<(Span, Option<u32>, Span)>,
    /// How many more findings there are.
    pub more: usize,
}

impl Twins {
    /// Puts a file's parts in the place of its last ones; nothing takes the file away. Adds the numbers of
    /// other files whose duplicates may be others now to `touched`.
    ///
    /// Files that go together should go from the last to the first: then few others are touched.
    pub fn put(&mut self, name: &str, parts: Option<&Parts>, touched: &mut FxHashSet<u32>) {
        let number = self.number(name);
        let nothing = Parts::default();
        let parts = parts.unwrap_or(&nothing);
        let old = std::mem::take(&mut self.files[number as usize].parts);
        let (gone, come) = Parts::changes(&old, parts);
        let (gone, come): (Vec<_>, Vec<_>) = (gone.collect(), come.collect());
        let shapes = |all: &[(u64, Option<u128>)]| all.iter().filter_map(|m| m.1).collect::<Vec<u128>>();
        let (lost, won) = (shapes(&gone), shapes(&come));
        let shared = |shape: &&u128| matches!(self.groups.get(shape), Some(Group::Many(_)));
        self.files[number as usize].parts = old;
        let mut before: FxHashMap<u128, Option<Heads>> =
            lost.iter().chain(&won).filter(shared).map(|&s| (s, self.heads(s))).collect();
        lost.iter().for_each(|&shape| self.drop_one(shape, number));
        won.iter().for_each(|&shape| self.add_one(shape, number));
        let file = &mut self.files[number as usize];
        gone.iter().for_each(|&(name, _)| file.drop_name(name));
        come.iter().for_each(|&(name, _)| file.add_name(name));
        (file.parts, file.first) = (parts.clone(), OnceCell::new());
        // A long text that went leaves no room behind.
        if lost.len() > 1024 {
            file.names.shrink_to_fit();
            self.groups.shrink_to_fit();
        }
        let file = &mut self.files[number as usize];
        if file.shared > 0 {
            self.moved.insert(number);
        }
        for shape in won {
            // What is shared only now was not before.
            if matches!(self.groups.get(&shape), Some(Group::Many(_))) {
                before.entry(shape).or_insert(None);
            }
        }
        for (shape, heads) in before {
            self.touch(shape, number, heads, touched);
        }
    }

    /// Adds the numbers of the files that tell where a puzzle of a file stands which was put in since.
    pub fn moved(&mut self, touched: &mut FxHashSet<u32>) {
        for number in std::mem::take(&mut self.moved) {
            for shape in self.files[number as usize].first(&self.groups).keys() {
                let Some(Group::Many(files)) = self.groups.get(shape) else { continue };
                let is_head = self.heads(*shape).is_some_and(|h| h.iter().any(|h| h.0 == number));
                if files.len() > 1 && is_head {
                    touched.extend(files.values().map(|f| f.0).filter(|&f| f != number));
                }
            }
        }
    }

    /// Whether some file may have moved puzzles that others tell of.
    pub fn has_moved(&self) -> bool {
        !self.moved.is_empty()
    }

    /// The number that findings refer to a file by.
    pub fn name(&self, file: u32) -> Option<&str> {
        Some(&self.files.get(file as usize)?.name)
    }

    /// What is said of a file's puzzles because of others: `most` findings of each kind at most, the others
    /// are counted. `read` gives a text of this file, and `describe` names the place of a puzzle's head.
    pub fn of(
        &self,
        name: &str,
        most: usize,
        read: impl Fn(Span) -> String,
        describe: impl Fn(&str, Span) -> String,
    ) -> Told {
        let mut told = Told::default();
        let Some(&number) = self.numbers.get(name) else { return told };
        let file = &self.files[number as usize];
        if file.shared == 0 && file.repeated == 0 {
            return told;
        }
        let mut names: FxHashMap<u64, Span> = FxHashMap::default();
        let (mut same_names, mut same_puzzles) = (0, 0);
        for seat in file.parts.puzzles() {
            if let Some(span) = seat.name
                && file.names.get(&seat.name_hash).is_some_and(|&n| n > 1)
            {
                match names.entry(seat.name_hash) {
                    hash_map::Entry::Vacant(entry) => drop(entry.insert(span)),
                    hash_map::Entry::Occupied(first) => {
                        same_names += 1;
                        if same_names <= most {
                            told.findings.push((seat.at, same_name(&read(span), span, *first.get())));
                        } else {
                            told.more += 1;
                        }
                    }
                }
            }
            let Some(heads) = seat.key.and_then(|k| self.heads(k.shape)) else { continue };
            same_puzzles += 1;
            if same_puzzles > most {
                told.more += 1;
                continue;
            }
            let [first, second] = heads;
            let is_first = (first.0, first.1.at) == (number, seat.at);
            let (of, other) = if is_first { second } else { first };
            let elsewhere = (of != number).then_some(of);
            let there = &self.files[of as usize].name;
            let exact = |k: Option<Key>| k.map(|k| k.exact);
            let turned = exact(seat.key) != exact(other.key);
            let place = describe(there, other.head);
            told.findings.push((seat.at, same_puzzle(seat.head, other.head, elsewhere, turned, &place)));
            told.twins.push((seat.head, elsewhere, other.head));
        }
        told
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let (number, name): (u32, Arc<str>) = (self.files.len() as u32, name.into());
        self.files.push(File {
            name: name.clone(),
            parts: Parts::default(),
            names: FxHashMap::default(),
            repeated: 0,
            shared: 0,
            first: OnceCell::new(),
        });
        self.numbers.insert(name, number);
        number
    }

    /// The first two puzzles of a shape that has two.
    fn heads(&self, shape: u128) -> Option<Heads> {
        let Group::Many(files) = self.groups.get(&shape)? else { return None };
        let mut seats = files.values().take(2).flat_map(|&(file, _)| {
            let of = &self.files[file as usize];
            let (one, two) = of.first(&self.groups).get(&shape).copied().unzip();
            one.into_iter().chain(two.flatten()).map(move |seat| (file, seat))
        });
        Some([seats.next()?, seats.next()?])
    }

    /// Adds the other files that say something else of a shape now, when its first two were `before`.
    fn touch(&self, shape: u128, number: u32, before: Option<Heads>, touched: &mut FxHashSet<u32>) {
        // Where in its file one stands is told apart, when nobody waits.
        let exact = |s: Seat| s.key.map(|k| k.exact);
        let same = |a: (u32, Seat), b: (u32, Seat)| (a.0, exact(a.1)) == (b.0, exact(b.1));
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
                    self.files[first as usize].share(1);
                }
                if let Group::Many(files) = group {
                    let name = self.files[number as usize].name.clone();
                    let (_, count) = files.entry(name).or_insert((number, 0));
                    *count += 1;
                    if *count == 1 {
                        self.files[number as usize].share(1);
                    }
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
                        self.files[number as usize].share(-1);
                    }
                }
                let mut left = files.values();
                if let (Some(&(last, 1)), None) = (left.next(), left.next()) {
                    *group = Group::One(last);
                    self.files[last as usize].share(-1);
                }
            }
        }
    }
}

impl File {
    /// One shape more or less is shared: those that were found last are no longer all.
    fn share(&mut self, by: isize) {
        self.shared = self.shared.saturating_add_signed(by);
        self.first = OnceCell::new();
    }

    fn add_name(&mut self, name: u64) {
        if name != 0 {
            let count = self.names.entry(name).or_default();
            *count += 1;
            self.repeated += usize::from(*count == 2);
        }
    }

    fn drop_name(&mut self, name: u64) {
        if let Some(count) = self.names.get_mut(&name) {
            *count -= 1;
            self.repeated -= usize::from(*count == 1);
            if *count == 0 {
                self.names.remove(&name);
            }
        }
    }

    fn first(&self, groups: &FxHashMap<u128, Group>) -> &FxHashMap<u128, (Seat, Option<Seat>)> {
        self.first.get_or_init(|| {
            let mut found: FxHashMap<u128, (Seat, Option<Seat>)> = FxHashMap::default();
            if self.shared == 0 {
                return found;
            }
            for seat in self.parts.puzzles() {
                let Some(Key { shape, .. }) = seat.key else { continue };
                if !matches!(groups.get(&shape), Some(Group::Many(_))) {
                    continue;
                }
                let (first, second) = found.entry(shape).or_insert((seat, None));
                if first.at != seat.at && second.is_none() {
                    *second = Some(seat);
                }
            }
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Cache, FileReport, Options, Settings, analyse, duplicates};
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
            let mut reports: BTreeMap<&str, FileReport> = BTreeMap::new();
            let mut twins = Twins::default();
            let mut shown: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            let mut texts: BTreeMap<&str, String> = BTreeMap::new();
            for (file, boards) in steps {
                let name = names[file];
                let text = boards.map(|b| text(&b));
                let report = text.as_ref().map(|t| analyse(&parse(t.clone()), &Options::default()));
                let parts = text.as_ref().map(|t| {
                    let mut parts = Parts::of(t.as_str(), Settings::default());
                    parts.read(t.as_str());
                    parts.analyse(t.as_str(), &Cache::default(), &Options::default(), 1000, (0, usize::MAX));
                    parts
                });
                texts.insert(name, text.unwrap_or_default());
                let mut touched = Default::default();
                twins.put(name, parts.as_ref(), &mut touched);
                twins.moved(&mut touched);
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
                    let read = |s: Span| texts[name][s.range()].to_string();
                    let told = twins.of(name, usize::MAX, read, |n, s| format!("{n}:{}", s.start));
                    let mut now = Vec::new();
                    for ((puzzle, _), finding) in told.findings {
                        now.push(format!("{puzzle} {}", finding.message));
                        found.push((puzzle as usize, format!("{name} {}", finding.message)));
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
