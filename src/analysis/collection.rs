//! What holds across puzzles: duplicates, names used twice, and which findings are allowed.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::bind::Allow;
use super::{FileReport, PuzzleReport};
use crate::syntax::{Code, Finding, Fix, Related, Span};

/// Names used twice within a file.
pub(super) fn names(text: &str, puzzles: &mut [PuzzleReport]) {
    let mut first: FxHashMap<&str, Span> = FxHashMap::default();
    for puzzle in puzzles.iter_mut() {
        let Some(span) = puzzle.name else { continue };
        let Some(name) = puzzle.name_in(text).filter(|n| !n.is_empty()) else { continue };
        if let Some(&other) = first.get(name) {
            puzzle.findings.push(same_name(name, span, other));
        } else {
            first.insert(name, span);
        }
    }
}

/// What is said of a name that another puzzle of the file has, with or without its quotes.
pub(super) fn same_name(name: &str, span: Span, first: Span) -> Finding {
    let quote = name.chars().next().filter(|&c| c == '"' || c == '\'');
    let name = quote.map_or(name, |q| name[1..].strip_suffix(q).unwrap_or(&name[1..]));
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
    // The first two of each: the later ones point at the first, the first at the second. Each thread takes
    // the shapes of its own, in the order of the files.
    type Groups = FxHashMap<u128, [Option<(u32, u32)>; 2]>;
    let count: usize = files.iter().map(|f| f.puzzles.len()).sum();
    let shares = if count < 1 << 12 { 1 } else { rayon::current_num_threads().clamp(1, 16) as u128 };
    let shared = |share: u128| {
        let mut groups = Groups::default();
        for (f, file) in files.iter().enumerate() {
            for (p, puzzle) in file.puzzles.iter().enumerate() {
                let Some(key) = puzzle.key.filter(|k| k.shape % shares == share) else { continue };
                let seat = Some((f as u32, p as u32));
                match groups.entry(key.shape).or_default() {
                    [first @ None, _] => *first = seat,
                    [_, second @ None] => *second = seat,
                    _ => {}
                }
            }
        }
        groups.retain(|_, g| g[1].is_some());
        groups
    };
    let groups: Vec<Groups> = (0..shares).collect::<Vec<_>>().into_par_iter().map(shared).collect();
    if groups.iter().all(Groups::is_empty) {
        return Vec::new();
    }
    let placed = |f: usize, p: usize, puzzle: &PuzzleReport| {
        let key = puzzle.key?;
        let &[Some(first), Some(second)] = groups[(key.shape % shares) as usize].get(&key.shape)? else {
            return None;
        };
        let (of, op) = if first == (f as u32, p as u32) { second } else { first };
        let other = &files[of as usize].puzzles[op as usize];
        let elsewhere = (of as usize != f).then_some(of);
        let exact = |p: &PuzzleReport| p.key.map(|k| k.exact);
        let (turned, place) = (exact(puzzle) != exact(other), describe(of as usize, other.head));
        let finding = same_puzzle(puzzle.head, other.head, elsewhere, turned, &place);
        Some(Placed { file: f, puzzle: p, finding })
    };
    let of_file = |(f, file): (usize, &&FileReport)| {
        let placed = &placed;
        let puzzles: Vec<Placed> = match file.puzzles.len() {
            0..1024 => {
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
pub(super) fn same_puzzle(head: Span, other: Span, file: Option<u32>, turned: bool, place: &str) -> Finding {
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
    let bit = |code: Code| 1u32 << code as u32;
    for puzzle in &mut file.puzzles {
        if puzzle.findings.is_empty() && puzzle.allows.is_empty() {
            continue;
        }
        let above = puzzle.file_allows as usize;
        let own = puzzle.allows.iter().filter_map(|a| a.code).fold(0, |bits, code| bits | bit(code));
        let mut silenced = 0;
        puzzle.findings.retain(|f| {
            silenced |= own & bit(f.code);
            !(own & bit(f.code) != 0 || shared.silences(f.code, above))
        });
        for a in puzzle.allows.iter_mut().filter(|a| a.code.is_some_and(|c| silenced & bit(c) != 0)) {
            a.used = true;
        }
        // An allow of `unused-allow` itself is there for these.
        if own & bit(Code::UnusedAllow) == 0 {
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
            Fix::new(format!("replace with `{}`", code.name()), allow.span, code.name(), true)
        }
        // What is unused here may be needed beside other files, or with another budget.
        (code, _) => Fix::new("remove it", allow.remove, "", code.is_none()),
    };
    Finding::new(Code::UnusedAllow, allow.span, message).fix(fix)
}
