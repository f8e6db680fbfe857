//! Duplicates as files are added, edited and removed, at a cost that depends on what changed.

use std::cell::OnceCell;
use std::collections::{BTreeMap, hash_map};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::duplicates::findings::{Difference, same_id, same_name, same_puzzle};
use crate::analysis::file_report::unquoted;
use crate::analysis::segments::{PuzzleEntry, PuzzlePlace, PuzzleRef, SegmentedText};
use cpz_text::diagnostic::{Code, Finding, Span};

/// The puzzles of many files by identity. Files are known by their names, and are in the order of their names.
#[derive(Default)]
pub struct DuplicateIndex {
    numbers: FxHashMap<Arc<str>, u32>,
    files: Vec<IndexedFile>,
    occurrences: FxHashMap<u128, Occurrences>,
    /// The files with duplicates that were put in since the last [`DuplicateIndex::touch_referring_files`]: findings in other files
    /// quote the lines of their puzzles.
    moved_files: FxHashSet<u32>,
}

struct IndexedFile {
    name: Arc<str>,
    text: SegmentedText,
    /// How often each of its names is used, by hash.
    names: FxHashMap<u64, u32>,
    /// The hashes of names that are used more than once.
    repeated_names: FxHashSet<u64>,
    /// The number of puzzles whose name an earlier puzzle has.
    repeated_count: usize,
    /// The keys that several puzzles of all files have, with the number of puzzles of this file that have each. A key is
    /// an identity or an `id`.
    shared: FxHashMap<u128, u32>,
    /// The sums of these numbers, for identities and for ids.
    shared_counts: [usize; 2],
    /// The first two puzzles of each of these, computed when needed.
    first_two: OnceCell<FirstTwoByIdentity>,
}

/// The first puzzle of a file with an identity, and the second one, if there is one.
type FirstTwoByIdentity = FxHashMap<u128, (PuzzleRef, Option<PuzzleRef>)>;

/// The puzzles with an identity.
enum Occurrences {
    /// One puzzle, in the file with this number.
    Single(u32),
    /// Two puzzles or more: for each file, in order, its number and the number of its puzzles.
    Several(BTreeMap<Arc<str>, (u32, u32)>),
}

/// The first two puzzles with an identity in all files, each with the number of its file.
type FirstTwo = [(u32, PuzzleRef); 2];

/// The duplicate puzzles and names in a file.
pub struct DuplicateFindings {
    /// By the places of the puzzles, in order.
    pub findings: Vec<(PuzzlePlace, Finding)>,
    /// For each duplicate puzzle, the place of the other one.
    pub links: Vec<DuplicateLink>,
    /// The number of repeated names without a finding.
    pub more_names: usize,
    /// The number of duplicate puzzles without a finding.
    pub more_puzzles: usize,
    /// The number of repeated ids without a finding.
    pub more_ids: usize,
}

impl DuplicateFindings {
    /// The number of findings of each code that are left out.
    pub fn more(&self) -> [(Code, usize); 3] {
        [
            (Code::DuplicateName, self.more_names),
            (Code::DuplicatePuzzle, self.more_puzzles),
            (Code::DuplicateId, self.more_ids),
        ]
    }
}

/// A duplicate puzzle and the one that its finding refers to.
#[derive(Clone, Copy, Debug)]
pub struct DuplicateLink {
    /// The head of the puzzle.
    pub head: Span,
    /// The number of the other one's file, if that is another file.
    pub file: Option<u32>,
    /// The head of the other one.
    pub other: Span,
}

impl DuplicateIndex {
    /// Replaces the text of a file, or removes it. Adds the numbers of other files whose findings may have changed to
    /// `touched`.
    ///
    /// Of several files the last should be put in first: then fewer others are touched.
    pub fn update(&mut self, name: &str, text: Option<&SegmentedText>, touched: &mut FxHashSet<u32>) {
        let number = self.number(name);
        let nothing = SegmentedText::default();
        let text = text.unwrap_or(&nothing);
        let old = std::mem::take(&mut self.files[number as usize].text);
        let (removed, added) = SegmentedText::changes(&old, text);
        let hashes = |entry: PuzzleEntry<'_>| (entry.name_hash, [entry.canonical_hash, entry.id_key]);
        let (removed, added): (Vec<_>, Vec<_>) = (removed.map(hashes).collect(), added.map(hashes).collect());
        let keys = |all: &[(u64, [Option<u128>; 2])]| all.iter().flat_map(|m| m.1).flatten().collect();
        let (lost, gained): (Vec<u128>, Vec<u128>) = (keys(&removed), keys(&added));
        // Other files refer to this one if it has one of the first two puzzles of an identity, before or after.
        self.touch(lost.iter().chain(&gained), number, touched);
        lost.iter().for_each(|&identity| self.remove(identity, number));
        gained.iter().for_each(|&identity| self.add(identity, number));
        self.touch(lost.iter().chain(&gained), number, touched);
        let file = &mut self.files[number as usize];
        removed.iter().for_each(|&(name, _)| file.remove_name(name));
        added.iter().for_each(|&(name, _)| file.add_name(name));
        (file.text, file.first_two) = (text.clone(), OnceCell::new());
        // Release the memory of a long text that was removed.
        if lost.len() > 1024 {
            file.names.shrink_to_fit();
            self.occurrences.shrink_to_fit();
        }
        if !self.files[number as usize].shared.is_empty() {
            self.moved_files.insert(number);
        }
    }

    /// Adds the numbers of the files whose findings quote a line of a file that was put in since the last call.
    pub fn touch_referring_files(&mut self, touched: &mut FxHashSet<u32>) {
        for number in std::mem::take(&mut self.moved_files) {
            self.touch(self.files[number as usize].shared.keys(), number, touched);
        }
    }

    /// Whether [`DuplicateIndex::touch_referring_files`] may add something.
    pub fn has_moved_files(&self) -> bool {
        !self.moved_files.is_empty()
    }

    /// The name of the file with this number.
    pub fn file_name(&self, file: u32) -> Option<&str> {
        Some(&self.files.get(file as usize)?.name)
    }

    /// The findings of a file, at most `max` of each code. `read` gives a part of its text, and `describe` names the
    /// place of a puzzle's head in a file.
    pub fn findings_of(
        &self,
        name: &str,
        max: usize,
        read: impl Fn(Span) -> String,
        describe: impl Fn(&str, Span) -> String,
    ) -> DuplicateFindings {
        let mut found = DuplicateFindings {
            findings: Vec::new(),
            links: Vec::new(),
            more_names: 0,
            more_puzzles: 0,
            more_ids: 0,
        };
        let Some(&number) = self.numbers.get(name) else { return found };
        let file = &self.files[number as usize];
        let mut names = NameSearch::new(file, max);
        let mut puzzles = PuzzleSearch::new(file, max, KeyKind::Identity);
        let mut ids = PuzzleSearch::new(file, max, KeyKind::Id);
        found.more_names = file.repeated_count - names.wanted;
        found.more_puzzles = file.shared_counts[KeyKind::Identity as usize] - puzzles.wanted;
        found.more_ids = file.shared_counts[KeyKind::Id as usize] - ids.wanted;
        for entry in file.text.entries() {
            if names.is_done() && puzzles.is_done() && ids.is_done() {
                break;
            }
            names.visit(&entry);
            puzzles.visit(&entry);
            ids.visit(&entry);
        }
        let repeated = names.found.into_iter();
        found
            .findings
            .extend(repeated.map(|n| (n.place, same_name(unquoted(&read(n.name)), n.name, n.first))));
        for (_, puzzle) in puzzles.found {
            let Some(identity) = puzzle.identity else { continue };
            let first_two = self.first_two(identity.canonical_hash, number, &puzzles.first_two);
            let Some([first, second]) = first_two else { continue };
            let is_first = (first.0, first.1.place) == (number, puzzle.place);
            let (other_file, other) = if is_first { second } else { first };
            let file = (other_file != number).then_some(other_file);
            let difference = Difference::of(identity, other.identity);
            let place = describe(&self.files[other_file as usize].name, other.head);
            found
                .findings
                .push((puzzle.place, same_puzzle(puzzle.head, other.head, file, difference, &place)));
            found.links.push(DuplicateLink { head: puzzle.head, file, other: other.head });
        }
        for (key, puzzle) in ids.found {
            let Some([(other_file, first), _]) = self.first_two(key, number, &ids.first_two) else {
                continue;
            };
            let is_first = (other_file, first.place) == (number, puzzle.place);
            let (Some(id), Some(first_id), false) = (puzzle.id, first.id, is_first) else { continue };
            let file = (other_file != number).then_some(other_file);
            let place = describe(&self.files[other_file as usize].name, first.head);
            found.findings.push((puzzle.place, same_id(id, first_id, file, &place)));
        }
        found.findings.sort_by_key(|(place, _)| *place);
        found
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let (number, name): (u32, Arc<str>) = (self.files.len() as u32, name.into());
        self.files.push(IndexedFile {
            name: name.clone(),
            text: SegmentedText::default(),
            names: FxHashMap::default(),
            repeated_names: FxHashSet::default(),
            repeated_count: 0,
            shared: FxHashMap::default(),
            shared_counts: [0; 2],
            first_two: OnceCell::new(),
        });
        self.numbers.insert(name, number);
        number
    }

    /// The first two puzzles with an identity; nothing where there are not two. `own` has those of the file with this
    /// number.
    fn first_two(&self, identity: u128, number: u32, own: &FirstTwoByIdentity) -> Option<FirstTwo> {
        let Occurrences::Several(files) = self.occurrences.get(&identity)? else { return None };
        let mut puzzles = files.values().take(2).flat_map(|&(file, _)| {
            let first_two = if file == number { own } else { self.files[file as usize].first_two() };
            let (first, second) = first_two.get(&identity).copied().unzip();
            first.into_iter().chain(second.flatten()).map(move |puzzle| (file, puzzle))
        });
        Some([puzzles.next()?, puzzles.next()?])
    }

    /// Adds the other files that have an identity of which this file has one of the first two puzzles.
    fn touch<'a>(
        &self,
        identities: impl Iterator<Item = &'a u128>,
        number: u32,
        touched: &mut FxHashSet<u32>,
    ) {
        for identity in identities {
            match self.occurrences.get(identity) {
                None => {}
                Some(&Occurrences::Single(file)) => touched.extend((file != number).then_some(file)),
                Some(Occurrences::Several(files))
                    if files.len() == 1 && files.values().all(|f| f.0 == number) => {}
                Some(Occurrences::Several(files)) => {
                    let mut in_order = files.values();
                    let first_two = match (in_order.next(), in_order.next()) {
                        (Some(&(a, 1)), Some(&(b, _))) => [a, b],
                        (Some(&(a, _)), _) => [a, a],
                        (None, _) => continue,
                    };
                    if first_two.contains(&number) {
                        touched.extend(files.values().map(|f| f.0).filter(|&f| f != number));
                    }
                }
            }
        }
    }

    /// Adds a puzzle of a file.
    fn add(&mut self, identity: u128, number: u32) {
        match self.occurrences.entry(identity) {
            hash_map::Entry::Vacant(entry) => drop(entry.insert(Occurrences::Single(number))),
            hash_map::Entry::Occupied(mut entry) => {
                let occurrences = entry.get_mut();
                if let Occurrences::Single(first) = *occurrences {
                    let file = &mut self.files[first as usize];
                    file.set_shared(identity, 1);
                    *occurrences = Occurrences::Several(BTreeMap::from([(file.name.clone(), (first, 1))]));
                }
                if let Occurrences::Several(files) = occurrences {
                    let file = &mut self.files[number as usize];
                    let (_, count) = files.entry(file.name.clone()).or_insert((number, 0));
                    *count += 1;
                    file.set_shared(identity, *count);
                }
            }
        }
    }

    /// Removes a puzzle of a file.
    fn remove(&mut self, identity: u128, number: u32) {
        match self.occurrences.get_mut(&identity) {
            None => {}
            Some(Occurrences::Single(_)) => drop(self.occurrences.remove(&identity)),
            Some(occurrences @ Occurrences::Several(_)) => {
                let Occurrences::Several(files) = occurrences else { return };
                let file = &mut self.files[number as usize];
                if let Some((_, count)) = files.get_mut(&file.name) {
                    *count -= 1;
                    file.set_shared(identity, *count);
                    if *count == 0 {
                        files.remove(&file.name);
                    }
                }
                let mut left = files.values();
                if let (Some(&(last, 1)), None) = (left.next(), left.next()) {
                    *occurrences = Occurrences::Single(last);
                    self.files[last as usize].set_shared(identity, 0);
                }
            }
        }
    }
}

impl IndexedFile {
    /// Sets the number of its puzzles that have a shared identity.
    fn set_shared(&mut self, identity: u128, count: u32) {
        let before = match count {
            0 => self.shared.remove(&identity),
            _ => self.shared.insert(identity, count),
        };
        let sum = &mut self.shared_counts[KeyKind::of(identity) as usize];
        *sum = *sum + count as usize - before.unwrap_or(0) as usize;
        self.first_two = OnceCell::new();
    }

    fn add_name(&mut self, name: u64) {
        if name != 0 {
            let count = self.names.entry(name).or_default();
            *count += 1;
            if *count > 1 {
                self.repeated_count += 1;
                self.repeated_names.insert(name);
            }
        }
    }

    fn remove_name(&mut self, name: u64) {
        if let Some(count) = self.names.get_mut(&name) {
            *count -= 1;
            self.repeated_count -= usize::from(*count > 0);
            if *count == 1 {
                self.repeated_names.remove(&name);
            }
            if *count == 0 {
                self.names.remove(&name);
            }
        }
    }

    fn first_two(&self) -> &FirstTwoByIdentity {
        self.first_two.get_or_init(|| {
            let mut found = FirstTwoByIdentity::default();
            if self.shared.is_empty() {
                return found;
            }
            for entry in self.text.entries() {
                let keys = [entry.canonical_hash, entry.id_key].into_iter().flatten();
                for key in keys.filter(|key| self.shared.contains_key(key)) {
                    let puzzle = entry.puzzle();
                    let (first, second) = found.entry(key).or_insert((puzzle, None));
                    if first.place != puzzle.place && second.is_none() {
                        *second = Some(puzzle);
                    }
                }
            }
            found
        })
    }
}

// Both searches see the puzzles of a file in order. How many there are to find is known, so each ends early.

/// A search for names that are used again.
struct NameSearch<'a> {
    file: &'a IndexedFile,
    /// The number of findings to make.
    wanted: usize,
    found: Vec<RepeatedName>,
    /// The first use of each repeated name, by hash.
    first: FxHashMap<u64, Span>,
}

struct RepeatedName {
    place: PuzzlePlace,
    name: Span,
    first: Span,
}

impl<'a> NameSearch<'a> {
    fn new(file: &'a IndexedFile, max: usize) -> NameSearch<'a> {
        let wanted = file.repeated_count.min(max);
        NameSearch { file, wanted, found: Vec::new(), first: FxHashMap::default() }
    }

    fn is_done(&self) -> bool {
        self.found.len() == self.wanted
    }

    fn visit(&mut self, entry: &PuzzleEntry<'_>) {
        if self.is_done() || !self.file.repeated_names.contains(&entry.name_hash) {
            return;
        }
        let Some(name) = entry.puzzle().name else { return };
        match self.first.entry(entry.name_hash) {
            hash_map::Entry::Vacant(vacant) => drop(vacant.insert(name)),
            hash_map::Entry::Occupied(first) => {
                self.found.push(RepeatedName { place: entry.place(), name, first: *first.get() });
            }
        }
    }
}

/// What a key stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyKind {
    Identity,
    Id,
}

impl KeyKind {
    fn of(key: u128) -> KeyKind {
        if key & 1 == 0 { KeyKind::Identity } else { KeyKind::Id }
    }
}

/// A search for puzzles with a key that several have.
struct PuzzleSearch<'a> {
    file: &'a IndexedFile,
    kind: KeyKind,
    /// The number of findings to make.
    wanted: usize,
    found: Vec<(u128, PuzzleRef)>,
    /// The first two puzzles of each key that was found.
    first_two: FirstTwoByIdentity,
    /// The number of keys in `first_two` whose second puzzle is still to come.
    incomplete: usize,
}

impl<'a> PuzzleSearch<'a> {
    fn new(file: &'a IndexedFile, max: usize, kind: KeyKind) -> PuzzleSearch<'a> {
        let wanted = file.shared_counts[kind as usize].min(max);
        PuzzleSearch {
            file,
            kind,
            wanted,
            found: Vec::new(),
            first_two: FirstTwoByIdentity::default(),
            incomplete: 0,
        }
    }

    /// Whether all wanted ones are found, and the second puzzles, which may be far below: the first refers to it.
    fn is_done(&self) -> bool {
        self.has_all() && self.incomplete == 0
    }

    fn has_all(&self) -> bool {
        self.found.len() == self.wanted
    }

    fn visit(&mut self, entry: &PuzzleEntry<'_>) {
        let key = match self.kind {
            KeyKind::Identity => entry.canonical_hash,
            KeyKind::Id => entry.id_key,
        };
        let Some(key) = key else { return };
        let Some(&count) = self.file.shared.get(&key) else { return };
        let (puzzle, has_all) = (entry.puzzle(), self.has_all());
        match self.first_two.get_mut(&key) {
            Some((_, second @ None)) => {
                *second = Some(puzzle);
                self.incomplete -= 1;
            }
            None if !has_all => {
                self.incomplete += usize::from(count > 1);
                self.first_two.insert(key, (puzzle, None));
            }
            _ => {}
        }
        if !has_all {
            self.found.push((key, puzzle));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Cache, Defaults, FileReport, Options, analyse, duplicates};
    use cpz_text::syntax::parse;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const BOARDS: [&str; 4] = ["BN...", "NB...", "RN.B.", "Q...Q"];
    const IDS: [&str; 3] = ["", "id a", "id 'b'"];

    fn text(puzzles: &[(usize, usize)]) -> String {
        let puzzle = |&(board, id): &(usize, usize)| {
            format!("solitaire {{ {} size 5x1 board {} count }}\n", IDS[id], BOARDS[board])
        };
        puzzles.iter().map(puzzle).collect()
    }

    proptest! {
        /// After any changes the index gives the findings of a search of all files at once, and the findings of a
        /// file change only if the file is in `touched`.
        #[test]
        fn the_index_agrees_with_a_search_of_all_files(
            steps in prop::collection::vec((0usize..4, prop::option::of(prop::collection::vec((0usize..4, 0usize..3), 0..5))), 1..12)
        ) {
            let names = ["b", "a", "d", "c"];
            let mut reports: BTreeMap<&str, FileReport> = BTreeMap::new();
            let mut index = DuplicateIndex::default();
            let mut shown: BTreeMap<&str, Vec<String>> = BTreeMap::new();
            let mut texts: BTreeMap<&str, String> = BTreeMap::new();
            for (file, boards) in steps {
                let name = names[file];
                let text = boards.map(|b| text(&b));
                let report = text.as_ref().map(|t| analyse(&parse(t.clone()), &Options::default()));
                let parts = text.as_ref().map(|t| {
                    let mut parts = SegmentedText::of(t.as_str(), Defaults::default());
                    parts.read(t.as_str());
                    parts.analyse(t.as_str(), &Cache::default(), &Options::default(), 1000, 0, usize::MAX);
                    parts
                });
                texts.insert(name, text.unwrap_or_default());
                let mut touched = Default::default();
                index.update(name, parts.as_ref(), &mut touched);
                index.touch_referring_files(&mut touched);
                let mut touched: BTreeSet<String> =
                    touched.iter().filter_map(|&f| Some(index.file_name(f)?.to_string())).collect();
                touched.insert(name.into());
                match report {
                    Some(report) => drop(reports.insert(name, report)),
                    None => drop(reports.remove(name)),
                }
                let all: Vec<&str> = reports.keys().copied().collect();
                let all_reports: Vec<&FileReport> = reports.values().collect();
                let expected = duplicates(&all_reports, |f, s| format!("{}:{}", all[f], s.start));
                let expected: Vec<(usize, String)> =
                    expected.into_iter().map(|p| (p.puzzle, format!("{} {}", all[p.file], p.finding.message))).collect();
                let mut found = Vec::new();
                for name in &all {
                    let read = |s: Span| texts[name][s.range()].to_string();
                    let found_here = index.findings_of(name, usize::MAX, read, |n, s| format!("{n}:{}", s.start));
                    let mut now = Vec::new();
                    for (place, finding) in found_here.findings {
                        now.push(format!("{} {}", place.segment, finding.message));
                        found.push((place.segment as usize, format!("{name} {}", finding.message)));
                    }
                    if touched.contains(*name) {
                        shown.insert(name, now);
                    } else {
                        prop_assert_eq!(shown.get(name).cloned().unwrap_or_default(), now, "{} was not touched", name);
                    }
                }
                prop_assert_eq!(found, expected);
            }
        }
    }
}
