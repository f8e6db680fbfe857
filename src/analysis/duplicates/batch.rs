//! What holds across puzzles: duplicates, names used twice, and which findings are allowed.

use std::hash::BuildHasher;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::analysis::binding::Allow;
use crate::analysis::{FileReport, PuzzleReport};
use crate::diagnostic::{Code, CodeSet, Finding, Fix, Related, Span};

/// From here on threads share what is done for each puzzle.
const MANY: usize = 4096;

/// Names used twice within a file.
pub(crate) fn names(text: &str, puzzles: &mut [PuzzleReport]) {
    let hashed = |(i, puzzle): (usize, &PuzzleReport)| {
        let name = puzzle.name_in(text).filter(|n| !n.is_empty())?;
        Some((FxBuildHasher.hash_one(name), i))
    };
    let mut named: Vec<(u64, usize)> = match puzzles.len() {
        0..MANY => puzzles.iter().enumerate().filter_map(hashed).collect(),
        _ => puzzles.par_iter().enumerate().filter_map(hashed).collect(),
    };
    sort(&mut named);
    for alike in named.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let mut first: FxHashMap<&str, Span> = FxHashMap::default();
        for &(_, i) in alike {
            let (Some(name), Some(span)) = (puzzles[i].name_in(text), puzzles[i].name) else { continue };
            if let Some(&other) = first.get(name) {
                puzzles[i].findings.push(same_name(name, span, other));
            } else {
                first.insert(name, span);
            }
        }
    }
}

fn sort<T: Ord + Send>(all: &mut [T]) {
    match all.len() {
        0..MANY => all.sort_unstable(),
        _ => all.par_sort_unstable(),
    }
}

/// What is said of a name, without its quotes, that another puzzle of the file has.
pub(crate) fn same_name(name: &str, span: Span, first: Span) -> Finding {
    let message = format!("the name \"{name}\" is used twice in this file");
    Finding::new(Code::DuplicateName, span, message).related(first, "the first one")
}

/// Adds what holds across files, and takes away what is allowed. To be called once, with all files
/// that are checked together; `describe` names a place: a file and the span of a puzzle's head.
pub fn link(files: &mut [&mut FileReport], describe: impl Fn(usize, Span) -> String + Sync) {
    let plain: Vec<&FileReport> = files.iter().map(|f| &**f).collect();
    for Placed { file, puzzle, finding } in duplicates(&plain, describe) {
        files[file].puzzles[puzzle].findings.push(finding);
    }
    files.par_iter_mut().for_each(|file| allow(file));
}

/// A finding on a puzzle of one of several files.
pub struct Placed {
    /// The index of the file.
    pub file: usize,
    /// The index of the puzzle.
    pub puzzle: usize,
    /// What is found.
    pub finding: Finding,
}

/// The puzzles that stand twice in what is checked together, in order; `describe` as for [`link`].
pub fn duplicates(files: &[&FileReport], describe: impl Fn(usize, Span) -> String + Sync) -> Vec<Placed> {
    let seats = files.par_iter().enumerate().flat_map(|(f, file)| {
        let seat =
            move |(p, puzzle): (usize, &PuzzleReport)| Some((puzzle.key?.canonical_hash, f as u32, p as u32));
        file.puzzles.par_iter().with_min_len(MANY).enumerate().filter_map(seat)
    });
    let mut seats: Vec<(u128, u32, u32)> = seats.collect();
    sort(&mut seats);
    // Of each shape the first two: the later ones point at the first, the first at the second.
    let alike = seats.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
    let groups: FxHashMap<u128, [(u32, u32); 2]> =
        alike.map(|group| (group[0].0, [group[0], group[1]].map(|(_, f, p)| (f, p)))).collect();
    if groups.is_empty() {
        return Vec::new();
    }
    drop(seats);
    let placed = |f: usize, p: usize, puzzle: &PuzzleReport| {
        let key = puzzle.key?;
        let &[first, second] = groups.get(&key.canonical_hash)?;
        let (of, op) = if first == (f as u32, p as u32) { second } else { first };
        let other = &files[of as usize].puzzles[op as usize];
        let elsewhere = (of as usize != f).then_some(of);
        let exact_hash = |p: &PuzzleReport| p.key.map(|k| k.exact_hash);
        let (turned, place) = (exact_hash(puzzle) != exact_hash(other), describe(of as usize, other.head));
        let finding = same_puzzle(puzzle.head, other.head, elsewhere, turned, &place);
        Some(Placed { file: f, puzzle: p, finding })
    };
    let of_file = |(f, file): (usize, &&FileReport)| {
        let placed = &placed;
        let puzzles: Vec<Placed> = match file.puzzles.len() {
            0..MANY => {
                let all = file.puzzles.iter().enumerate();
                all.filter_map(|(p, puzzle)| placed(f, p, puzzle)).collect()
            }
            _ => {
                let all = file.puzzles.par_iter().enumerate();
                all.filter_map(|(p, puzzle)| placed(f, p, puzzle)).collect()
            }
        };
        puzzles
    };
    files.par_iter().enumerate().flat_map_iter(of_file).collect()
}

/// What is said of a puzzle that is the same as another, turned or not, which may stand in another file.
pub(crate) fn same_puzzle(head: Span, other: Span, file: Option<u32>, turned: bool, place: &str) -> Finding {
    let turned = if turned { ", turned or mirrored" } else { "" };
    let message = format!("this is the same puzzle as {place}{turned}");
    let mut finding = Finding::new(Code::DuplicatePuzzle, head, message);
    finding.related.push(Related { file, span: other, message: "the other one".into() });
    finding
}

/// The allows of a file by code, so that a finding costs the same however many there are.
struct Shared<'a> {
    allows: &'a mut [Allow],
    /// For each code the indices of its allows, in order, and how many of them are known to be used.
    by_code: Vec<(Vec<u32>, usize)>,
}

impl<'a> Shared<'a> {
    fn new(allows: &'a mut [Allow]) -> Shared<'a> {
        let mut by_code = vec![(Vec::new(), 0); Code::ALL.len()];
        for (i, allow) in allows.iter().enumerate() {
            if let Some(code) = allow.code {
                by_code[code as usize].0.push(i as u32);
            }
        }
        Shared { allows, by_code }
    }

    /// Whether one of the first `above` allows silences a code.
    fn silences(&mut self, code: Code, above: usize) -> bool {
        let (indices, used) = &mut self.by_code[code as usize];
        while let Some(&i) = indices.get(*used).filter(|&&i| (i as usize) < above) {
            self.allows[i as usize].used = true;
            *used += 1;
        }
        indices.first().is_some_and(|&i| (i as usize) < above)
    }
}

/// Takes away what is allowed or turned off, and says which allows were for nothing. To be called once.
pub fn allow(file: &mut FileReport) {
    let mut shared = Shared::new(&mut file.allows);
    for puzzle in &mut file.puzzles {
        if puzzle.findings.is_empty() && puzzle.allows.is_empty() {
            continue;
        }
        let above = puzzle.file_allows as usize;
        let own: CodeSet = puzzle.allows.iter().filter_map(|a| a.code).collect();
        let mut silenced = CodeSet::default();
        puzzle.findings.retain(|f| {
            if own.contains(f.code) {
                silenced.insert(f.code);
                return false;
            }
            !shared.silences(f.code, above)
        });
        for a in puzzle.allows.iter_mut().filter(|a| a.code.is_some_and(|c| silenced.contains(c))) {
            a.used = true;
        }
        // An allow of `unused-allow` itself is there for these.
        if !own.contains(Code::UnusedAllow) {
            for finding in puzzle.allows.iter().filter(|a| !a.used).map(unused) {
                if !shared.silences(Code::UnusedAllow, above) {
                    puzzle.findings.push(finding);
                }
            }
        }
    }
    let starts: Vec<u32> = shared.allows.iter().map(|a| a.span.start).collect();
    file.top.retain(|f| {
        let above = starts.partition_point(|&s| s < f.span.start);
        !shared.silences(f.code, above)
    });
    if shared.by_code[Code::UnusedAllow as usize].0.is_empty() {
        file.top.extend(file.allows.iter().filter(|a| !a.used).map(unused));
    }
    // What is turned off was found all the same: an allow of it is no mistake.
    let severities = file.severities;
    let on = |f: &Finding| severities.of(f.code).is_some();
    file.puzzles.iter_mut().for_each(|p| p.findings.retain(on));
    file.top.retain(on);
}

fn unused(allow: &Allow) -> Finding {
    let message = match (allow.code, allow.meant) {
        (Some(code), _) => format!("`{}` was not found here; this allow silences nothing", code.name()),
        (None, Some(code)) => format!("there is no such code; did you mean `{}`?", code.name()),
        (None, None) => "there is no such code; this allow silences nothing".to_string(),
    };
    let fix = match (allow.code, allow.meant) {
        (None, Some(code)) => {
            // What it would silence is to be seen first.
            Fix::new(format!("replace with `{}`", code.name()), allow.word, code.name(), false)
        }
        // What is unused here may be needed beside other files, or with another budget.
        _ => Fix::new("remove it", allow.remove, "", false),
    };
    Finding::new(Code::UnusedAllow, allow.span, message).fix(fix)
}

#[cfg(test)]
mod tests {
    use crate::check_test::check;

    #[test]
    fn a_repeated_name_is_reported_at_the_second_puzzle() {
        check(
            r#"
chess "a" { board 8/8/8/4k3/8/8/8/4K2R mate }
chess "a" { board 8/8/8/3k4/8/8/8/4K2R mate }
//    ^^^ warning[duplicate-name]
"#,
        );
    }

    #[test]
    fn an_allow_that_silences_nothing_is_a_hint() {
        check(
            r#"
solitaire { allow kings board ...N.....R....B. solve }
//                ^^^^^ hint[unused-allow]
"#,
        );
    }
}
