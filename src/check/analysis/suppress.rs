//! `allow` and severities `off`: which findings are suppressed, and which `allow` words suppress nothing.

use crate::analysis::allow_word::Allow;
use crate::analysis::file_report::{FileReport, PuzzleReport};
use crate::parallel::*;
use cpz_text::diagnostic::{Code, CodeSet, Edit, Finding, Fix, Span};

/// Applies [`allow`] to several files.
pub(super) fn allow_all(files: &mut [&mut FileReport]) {
    files.par_iter_mut().for_each(|file| allow(file));
}

/// The `allow` words of a file by code, so that the cost of a finding does not depend on their number.
struct FileAllows<'a> {
    allows: &'a mut [Allow],
    /// For each code, the indices of its words in order, and how many of these are marked as used.
    by_code: Vec<(Vec<u32>, usize)>,
}

impl<'a> FileAllows<'a> {
    fn new(allows: &'a mut [Allow]) -> FileAllows<'a> {
        let mut by_code = vec![(Vec::new(), 0); Code::ALL.len()];
        for (i, allow) in allows.iter().enumerate() {
            if let Some(code) = allow.code {
                by_code[code as usize].0.push(i as u32);
            }
        }
        FileAllows { allows, by_code }
    }

    /// Whether one of the first `above` words suppresses a code. Marks those that do as used.
    fn suppress(&mut self, code: Code, above: usize) -> bool {
        let (indices, used) = &mut self.by_code[code as usize];
        while let Some(&i) = indices.get(*used).filter(|&&i| (i as usize) < above) {
            self.allows[i as usize].used = true;
            *used += 1;
        }
        indices.first().is_some_and(|&i| (i as usize) < above)
    }
}

/// Removes the findings that are allowed or turned off, and reports `allow` words that suppress nothing.
/// To be called once for each report.
pub fn allow(file: &mut FileReport) {
    let severities = file.severities;
    let is_sought = |a: &Allow| a.code.is_none_or(|code| severities.looks_for(code));
    let mut shared = FileAllows::new(&mut file.allows);
    // Codes that are off are removed last: an `allow` of one that occurs is not unused.
    let on = |f: &Finding| severities.of(f.code).is_some();
    let keep = |puzzle: &mut PuzzleReport| {
        puzzle.silenced.extend(puzzle.findings.iter().filter(|f| !on(f)).map(|f| (f.code, f.span)));
        puzzle.findings.retain(on);
        without_consequences(&mut puzzle.findings);
    };
    match file.puzzles.len() {
        // Without `allow` words of the file no puzzle has to do with another one.
        PARALLEL_FROM.. if shared.allows.is_empty() => file.puzzles.par_iter_mut().for_each(|puzzle| {
            allow_in_puzzle(puzzle, &is_sought, |_, _| false);
            keep(puzzle);
        }),
        _ => {
            let mut suppress = |code, above| shared.suppress(code, above);
            file.puzzles.iter_mut().for_each(|puzzle| {
                allow_in_puzzle(puzzle, &is_sought, &mut suppress);
                keep(puzzle);
            });
        }
    }
    let starts: Vec<u32> = shared.allows.iter().map(|a| a.span.start).collect();
    file.top.retain(|f| {
        let above = starts.partition_point(|&s| s < f.span.start);
        !shared.suppress(f.code, above)
    });
    if shared.by_code[Code::UnusedAllow as usize].0.is_empty() {
        file.top.extend(file.allows.iter().filter(|a| !a.used && is_sought(a)).map(unused));
    }
    file.top.retain(on);
}

/// Removes the findings that follow from others which are shown: a problem that is solved in fewer moves has other keys for that
/// reason, and one slip is one finding.
pub(crate) fn without_consequences(findings: &mut Vec<Finding>) {
    let short = findings.iter().filter(|f| f.code == Code::ShortSolution);
    let short: Vec<Span> = short.map(|f| f.span).collect();
    // A finding about the length has its place within the question.
    findings.retain(|f| f.code != Code::Cook || !short.iter().any(|short| f.span.cover(*short) == f.span));
}

/// Applies the `allow` words of a puzzle. `suppress` says whether one of the file, of which so many are above, suppresses
/// a code.
fn allow_in_puzzle(
    puzzle: &mut PuzzleReport,
    is_sought: &impl Fn(&Allow) -> bool,
    mut suppress: impl FnMut(Code, usize) -> bool,
) {
    if puzzle.findings.is_empty() && puzzle.allows.is_empty() {
        return;
    }
    let above = puzzle.file_allows as usize;
    let own: CodeSet = puzzle.allows.iter().filter_map(|a| a.code).collect();
    let mut suppressed = CodeSet::default();
    let silenced = &mut puzzle.silenced;
    puzzle.findings.retain(|f| {
        let is_own = own.contains(f.code);
        if is_own {
            suppressed.insert(f.code);
        }
        let is_allowed = is_own || suppress(f.code, above);
        silenced.extend(is_allowed.then_some((f.code, f.span)));
        !is_allowed
    });
    for a in puzzle.allows.iter_mut().filter(|a| a.code.is_some_and(|c| suppressed.contains(c))) {
        a.used = true;
    }
    // `allow unused-allow` in a puzzle suppresses these findings, and is itself never unused.
    if own.contains(Code::UnusedAllow) {
        return;
    }
    // Where the board or a word cannot be read, or a search ended early, what the others are for was not looked for.
    let is_known = !puzzle.broken && !puzzle.unreadable && !puzzle.hit_budget;
    let is_unused = |a: &&Allow| !a.used && (is_known || a.code.is_none()) && is_sought(a);
    for finding in puzzle.allows.iter().filter(is_unused).map(unused) {
        if !suppress(Code::UnusedAllow, above) {
            puzzle.findings.push(finding);
        }
    }
}

fn unused(allow: &Allow) -> Finding {
    let message = match (allow.code, allow.meant) {
        (Some(code), _) => format!("`{}` was not found here; this allow silences nothing", code.name()),
        (None, Some(code)) => format!("there is no such code; did you mean `{}`?", code.name()),
        (None, None) => "there is no such code; this allow silences nothing".to_string(),
    };
    let fix = match (allow.code, allow.meant, allow.remove) {
        (None, Some(code), _) => {
            // Not safe: the corrected code may suppress findings that the author has not seen.
            Some(Fix::new(format!("replace with `{}`", code.name()), allow.word, code.name(), false))
        }
        // Not safe: with other files, or with another budget, the code may occur.
        (.., Some(remove)) => {
            let edit = |&span: &Span| Edit { span, text: String::new() };
            let mut spans: Vec<Span> = allow.comma.into_iter().chain([remove]).collect();
            spans.sort_by_key(|span| span.start);
            let edits = spans.iter().map(edit).collect();
            Some(Fix { title: "remove it".into(), edits, safe: false })
        }
        (.., None) => None,
    };
    let mut finding = Finding::new(Code::UnusedAllow, allow.span, message);
    finding.fixes.extend(fix);
    finding
}
