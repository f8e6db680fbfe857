//! What holds across puzzles: duplicates, names used twice, and which findings are allowed.

use rustc_hash::FxHashMap;

use super::bind::Allow;
use super::{FileReport, PuzzleReport};
use crate::syntax::{Code, Finding, Fix, Related, Span};

/// Names used twice within a file.
pub(super) fn names(text: &str, puzzles: &mut [PuzzleReport]) {
    let mut first: FxHashMap<&str, Span> = FxHashMap::default();
    for puzzle in puzzles.iter_mut() {
        let Some(span) = puzzle.name else { continue };
        let name = text[span.range()].trim_matches(['"', '\'']);
        if name.is_empty() {
            continue;
        }
        if let Some(&other) = first.get(name) {
            let message = format!("the name \"{name}\" is used twice in this file");
            puzzle
                .findings
                .push(Finding::new(Code::DuplicateName, span, message).related(other, "the first one"));
        } else {
            first.insert(name, span);
        }
    }
}

/// Adds what holds across files, and takes away what is allowed. To be called once, with all files
/// that are checked together; `describe` names a place: a file and the span of a puzzle's head.
pub fn link(files: &mut [&mut FileReport], describe: impl Fn(usize, Span) -> String) {
    duplicates(files, describe);
    for file in files {
        allow(file);
    }
}

fn duplicates(files: &mut [&mut FileReport], describe: impl Fn(usize, Span) -> String) {
    // The first two of each: the later ones point at the first, the first at the second.
    let mut groups: FxHashMap<u128, [Option<(u32, u32)>; 2]> = FxHashMap::default();
    let mut any = false;
    for (f, file) in files.iter().enumerate() {
        for (p, puzzle) in file.puzzles.iter().enumerate() {
            let Some(key) = puzzle.key else { continue };
            let group = groups.entry(key.shape).or_default();
            match group {
                [None, _] => group[0] = Some((f as u32, p as u32)),
                [_, None] => {
                    group[1] = Some((f as u32, p as u32));
                    any = true;
                }
                _ => {}
            }
        }
    }
    if !any {
        return;
    }
    let mut found: Vec<(usize, usize, Finding)> = Vec::new();
    for (f, file) in files.iter().enumerate() {
        for (p, puzzle) in file.puzzles.iter().enumerate() {
            let Some(key) = puzzle.key else { continue };
            let Some(&[Some(first), Some(second)]) = groups.get(&key.shape) else { continue };
            let (of, op) = if first == (f as u32, p as u32) { second } else { first };
            let other = &files[of as usize].puzzles[op as usize];
            let same = other.key.is_some_and(|k| k.exact == key.exact);
            let turned = if same { "" } else { ", turned or mirrored" };
            let place = describe(of as usize, other.head);
            let message = format!("this is the same puzzle as {place}{turned}");
            let mut finding = Finding::new(Code::DuplicatePuzzle, puzzle.head, message);
            let file = (of as usize != f).then_some(of);
            finding.related.push(Related { file, span: other.head, message: "the other one".into() });
            found.push((f, p, finding));
        }
    }
    for (f, p, finding) in found {
        files[f].puzzles[p].findings.push(finding);
    }
}

/// Takes away what is allowed, and says which allows were for nothing.
fn allow(file: &mut FileReport) {
    let shared = &mut file.allows;
    let silence = |allows: &mut [Allow], code: Code| {
        let mut found = false;
        for a in allows.iter_mut().filter(|a| a.code == Some(code)) {
            a.used = true;
            found = true;
        }
        found
    };
    for puzzle in &mut file.puzzles {
        let above = puzzle.file_allows as usize;
        let own = &mut puzzle.allows;
        puzzle.findings.retain(|f| !(silence(own, f.code) || silence(&mut shared[..above], f.code)));
        let unused: Vec<Finding> = own.iter().filter(|a| !a.used).map(unused).collect();
        // An allow of `unused-allow` itself is used if it silences one.
        for finding in unused {
            let itself = own.iter().any(|a| a.code == Some(Code::UnusedAllow));
            if !itself && !silence(&mut shared[..above], Code::UnusedAllow) {
                puzzle.findings.push(finding);
            }
        }
    }
    file.top.retain(|f| {
        let above = shared.iter().take_while(|a| a.span.start < f.span.start).count();
        !silence(&mut shared[..above], f.code)
    });
    let itself = shared.iter().any(|a| a.code == Some(Code::UnusedAllow));
    if !itself {
        file.top.extend(shared.iter().filter(|a| !a.used).map(unused));
    }
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
        _ => Fix::new("remove it", allow.remove, "", true),
    };
    Finding::new(Code::UnusedAllow, allow.span, message).fix(fix)
}
