//! What holds across puzzles, as files come, change and go: duplicates and names used twice, kept up to date
//! at the cost of what changed. It is what [`crate::analysis::link`] finds in all files at once.

use std::cell::OnceCell;
use std::collections::{BTreeMap, hash_map};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::duplicates::batch::{same_name, same_puzzle};
use crate::analysis::segments::PuzzleEntry;
use crate::analysis::unquoted;
use crate::analysis::{PuzzleRef, SegmentedText};
use crate::diagnostic::{Code, Finding, Span};

/// Which puzzles of many files are the same. Files are known by their names, whose order is theirs.
#[derive(Default)]
pub struct DuplicateIndex {
    numbers: FxHashMap<Arc<str>, u32>,
    files: Vec<File>,
    groups: FxHashMap<u128, Group>,
    /// The files whose puzzles may stand elsewhere than others have been told.
    moved: FxHashSet<u32>,
}

struct File {
    name: Arc<str>,
    parts: SegmentedText,
    /// How often each of its names is used, by their hashes; which are used twice, and how often too often.
    names: FxHashMap<u64, u32>,
    repeated: FxHashSet<u64>,
    again: usize,
    /// Its shapes that others have too, or that stand twice in it, with how many puzzles of it have them; and
    /// how many that are.
    shared: FxHashMap<u128, u32>,
    twins: usize,
    /// The first two puzzles of each of those, once another file has asked.
    first: OnceCell<Firsts>,
}

type Firsts = FxHashMap<u128, (PuzzleRef, Option<PuzzleRef>)>;

/// Who has a shape.
enum Group {
    /// One puzzle of this file.
    One(u32),
    /// Files in order, each with its number and that of its puzzles: two puzzles at least.
    Many(BTreeMap<Arc<str>, (u32, u32)>),
}

/// The file and the seat of the first two puzzles of a shape: all later ones point at the first, and the
/// first at the second.
type Heads = [(u32, PuzzleRef); 2];

/// What is said of the puzzles of a file because of others.
pub struct DuplicateFindings {
    /// By their places among the parts, in order.
    pub findings: Vec<((u32, u32), Finding)>,
    /// The head of each that stands twice, with the file of the other one, if that is another, and its head.
    pub twins: Vec<(Span, Option<u32>, Span)>,
    /// How many more names are used again, and how many more puzzles stand twice.
    pub more: [(Code, usize); 2],
}

impl DuplicateIndex {
    /// Puts a file's parts in the place of its last ones; nothing takes the file away. Adds the numbers of
    /// other files whose duplicates may be others now to `touched`.
    ///
    /// Files that go together should go from the last to the first: then few others are touched.
    pub fn put(&mut self, name: &str, parts: Option<&SegmentedText>, touched: &mut FxHashSet<u32>) {
        let number = self.number(name);
        let nothing = SegmentedText::default();
        let parts = parts.unwrap_or(&nothing);
        let old = std::mem::take(&mut self.files[number as usize].parts);
        let (gone, come) = SegmentedText::changes(&old, parts);
        let of = |m: PuzzleEntry<'_>| (m.name_hash, m.canonical_hash);
        let (gone, come): (Vec<_>, Vec<_>) = (gone.map(of).collect(), come.map(of).collect());
        let shapes = |all: &[(u64, Option<u128>)]| all.iter().filter_map(|m| m.1).collect::<Vec<u128>>();
        let (lost, won) = (shapes(&gone), shapes(&come));
        // Others tell of it where it has one of the first two puzzles of a shape, before or after.
        self.touch(lost.iter().chain(&won), number, touched);
        lost.iter().for_each(|&canonical_hash| self.drop_one(canonical_hash, number));
        won.iter().for_each(|&canonical_hash| self.add_one(canonical_hash, number));
        self.touch(lost.iter().chain(&won), number, touched);
        let file = &mut self.files[number as usize];
        gone.iter().for_each(|&(name, _)| file.drop_name(name));
        come.iter().for_each(|&(name, _)| file.add_name(name));
        (file.parts, file.first) = (parts.clone(), OnceCell::new());
        // A long text that went leaves no room behind.
        if lost.len() > 1024 {
            file.names.shrink_to_fit();
            self.groups.shrink_to_fit();
        }
        if !self.files[number as usize].shared.is_empty() {
            self.moved.insert(number);
        }
    }

    /// Adds the numbers of the files that tell where a puzzle of a file stands which was put in since.
    pub fn moved(&mut self, touched: &mut FxHashSet<u32>) {
        for number in std::mem::take(&mut self.moved) {
            self.touch(self.files[number as usize].shared.keys(), number, touched);
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
    ) -> DuplicateFindings {
        let mut told = DuplicateFindings {
            findings: Vec::new(),
            twins: Vec::new(),
            more: [(Code::DuplicateName, 0), (Code::DuplicatePuzzle, 0)],
        };
        let Some(&number) = self.numbers.get(name) else { return told };
        let file = &self.files[number as usize];
        // How many there are is known; so nothing is looked for once these are found.
        let (wanted_names, wanted_twins) = (file.again.min(most), file.twins.min(most));
        told.more[0].1 = file.again - wanted_names;
        told.more[1].1 = file.twins - wanted_twins;
        let mut names: FxHashMap<u64, Span> = FxHashMap::default();
        let (mut same_names, mut twins, mut open) = (0, Vec::new(), 0);
        let mut firsts = Firsts::default();
        for mark in file.parts.marks() {
            if same_names == wanted_names && twins.len() == wanted_twins && open == 0 {
                break;
            }
            if file.repeated.contains(&mark.name_hash)
                && let Some(span) = mark.seat().name
            {
                match names.entry(mark.name_hash) {
                    hash_map::Entry::Vacant(entry) => drop(entry.insert(span)),
                    hash_map::Entry::Occupied(first) if same_names < wanted_names => {
                        same_names += 1;
                        told.findings.push((mark.at(), same_name(unquoted(&read(span)), span, *first.get())));
                    }
                    hash_map::Entry::Occupied(_) => {}
                }
            }
            if let Some(&count) =
                mark.canonical_hash.and_then(|canonical_hash| file.shared.get(&canonical_hash))
            {
                let (seat, canonical_hash) = (mark.seat(), mark.canonical_hash.unwrap_or_default());
                match firsts.get_mut(&canonical_hash) {
                    Some((_, second @ None)) => {
                        *second = Some(seat);
                        open -= 1;
                    }
                    None if twins.len() < wanted_twins => {
                        // The first of several points at the second, which may stand far below.
                        open += usize::from(count > 1);
                        firsts.insert(canonical_hash, (seat, None));
                    }
                    _ => {}
                }
                if twins.len() < wanted_twins {
                    twins.push(seat);
                }
            }
        }
        for seat in twins {
            let Some(key) = seat.key else { continue };
            let Some([first, second]) = self.heads(key.canonical_hash, number, &firsts) else { continue };
            let is_first = (first.0, first.1.at) == (number, seat.at);
            let (of, other) = if is_first { second } else { first };
            let elsewhere = (of != number).then_some(of);
            let there = &self.files[of as usize].name;
            let turned = Some(key.exact_hash) != other.key.map(|k| k.exact_hash);
            let place = describe(there, other.head);
            told.findings.push((seat.at, same_puzzle(seat.head, other.head, elsewhere, turned, &place)));
            told.twins.push((seat.head, elsewhere, other.head));
        }
        told.findings.sort_by_key(|(at, _)| *at);
        told
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let (number, name): (u32, Arc<str>) = (self.files.len() as u32, name.into());
        self.files.push(File {
            name: name.clone(),
            parts: SegmentedText::default(),
            names: FxHashMap::default(),
            repeated: FxHashSet::default(),
            again: 0,
            shared: FxHashMap::default(),
            twins: 0,
            first: OnceCell::new(),
        });
        self.numbers.insert(name, number);
        number
    }

    /// The first two puzzles of a shape that has two; those of the file of this number are told.
    fn heads(&self, canonical_hash: u128, number: u32, own: &Firsts) -> Option<Heads> {
        let Group::Many(files) = self.groups.get(&canonical_hash)? else { return None };
        let mut seats = files.values().take(2).flat_map(|&(file, _)| {
            let firsts = if file == number { own } else { self.files[file as usize].first() };
            let (one, two) = firsts.get(&canonical_hash).copied().unzip();
            one.into_iter().chain(two.flatten()).map(move |seat| (file, seat))
        });
        Some([seats.next()?, seats.next()?])
    }

    /// Adds the other files that have a shape of which a file has one of the first two puzzles.
    fn touch<'a>(&self, shapes: impl Iterator<Item = &'a u128>, number: u32, touched: &mut FxHashSet<u32>) {
        for canonical_hash in shapes {
            match self.groups.get(canonical_hash) {
                None => {}
                Some(&Group::One(file)) => touched.extend((file != number).then_some(file)),
                Some(Group::Many(files)) if files.len() == 1 && files.values().all(|f| f.0 == number) => {}
                Some(Group::Many(files)) => {
                    let mut first = files.values();
                    let heads = match (first.next(), first.next()) {
                        (Some(&(a, 1)), Some(&(b, _))) => [a, b],
                        (Some(&(a, _)), _) => [a, a],
                        (None, _) => continue,
                    };
                    if heads.contains(&number) {
                        touched.extend(files.values().map(|f| f.0).filter(|&f| f != number));
                    }
                }
            }
        }
    }

    fn add_one(&mut self, canonical_hash: u128, number: u32) {
        match self.groups.entry(canonical_hash) {
            hash_map::Entry::Vacant(entry) => drop(entry.insert(Group::One(number))),
            hash_map::Entry::Occupied(mut entry) => {
                let group = entry.get_mut();
                if let Group::One(first) = *group {
                    let file = &mut self.files[first as usize];
                    file.share(canonical_hash, 1);
                    *group = Group::Many(BTreeMap::from([(file.name.clone(), (first, 1))]));
                }
                if let Group::Many(files) = group {
                    let file = &mut self.files[number as usize];
                    let (_, count) = files.entry(file.name.clone()).or_insert((number, 0));
                    *count += 1;
                    file.share(canonical_hash, *count);
                }
            }
        }
    }

    fn drop_one(&mut self, canonical_hash: u128, number: u32) {
        match self.groups.get_mut(&canonical_hash) {
            None => {}
            Some(Group::One(_)) => drop(self.groups.remove(&canonical_hash)),
            Some(group @ Group::Many(_)) => {
                let Group::Many(files) = group else { return };
                let file = &mut self.files[number as usize];
                if let Some((_, count)) = files.get_mut(&file.name) {
                    *count -= 1;
                    file.share(canonical_hash, *count);
                    if *count == 0 {
                        files.remove(&file.name);
                    }
                }
                let mut left = files.values();
                if let (Some(&(last, 1)), None) = (left.next(), left.next()) {
                    *group = Group::One(last);
                    self.files[last as usize].share(canonical_hash, 0);
                }
            }
        }
    }
}

impl File {
    /// So many of its puzzles have a shape that is shared.
    fn share(&mut self, canonical_hash: u128, count: u32) {
        let before = match count {
            0 => self.shared.remove(&canonical_hash),
            _ => self.shared.insert(canonical_hash, count),
        };
        self.twins = self.twins + count as usize - before.unwrap_or(0) as usize;
        self.first = OnceCell::new();
    }

    fn add_name(&mut self, name: u64) {
        if name != 0 {
            let count = self.names.entry(name).or_default();
            *count += 1;
            if *count > 1 {
                self.again += 1;
                self.repeated.insert(name);
            }
        }
    }

    fn drop_name(&mut self, name: u64) {
        if let Some(count) = self.names.get_mut(&name) {
            *count -= 1;
            self.again -= usize::from(*count > 0);
            if *count == 1 {
                self.repeated.remove(&name);
            }
            if *count == 0 {
                self.names.remove(&name);
            }
        }
    }

    fn first(&self) -> &Firsts {
        self.first.get_or_init(|| {
            let mut found = Firsts::default();
            if self.shared.is_empty() {
                return found;
            }
            for mark in self.parts.marks() {
                if let Some(canonical_hash) =
                    mark.canonical_hash.filter(|canonical_hash| self.shared.contains_key(canonical_hash))
                {
                    let seat = mark.seat();
                    let (first, second) = found.entry(canonical_hash).or_insert((seat, None));
                    if first.at != seat.at && second.is_none() {
                        *second = Some(seat);
                    }
                }
            }
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Cache, Defaults, FileReport, Options, analyse, duplicates};
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
            let mut twins = DuplicateIndex::default();
            let mut shown: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            let mut texts: BTreeMap<&str, String> = BTreeMap::new();
            for (file, boards) in steps {
                let name = names[file];
                let text = boards.map(|b| text(&b));
                let report = text.as_ref().map(|t| analyse(&parse(t.clone()), &Options::default()));
                let parts = text.as_ref().map(|t| {
                    let mut parts = SegmentedText::of(t.as_str(), Defaults::default());
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
