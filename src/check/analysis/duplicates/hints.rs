//! What is worth knowing about puzzles that are checked together, and no fault: boards that are asked something else
//! elsewhere, and names that another file has. Looked for only where hints are wanted, since it needs all files at once.

use rustc_hash::FxHashMap;

use crate::analysis::duplicates::findings::{name_elsewhere, same_board};
use crate::analysis::file_report::{FileReport, PuzzleReport};
use cpz_text::diagnostic::{Finding, Span};

/// A puzzle: the indices of its file and of itself in the file.
type PuzzleIndex = (usize, usize);

/// Adds these hints to the reports of files, given with their texts. To be called before
/// [`link`](crate::analysis::link); `describe` as there.
pub fn add_collection_hints(
    files: &mut [&mut FileReport],
    texts: &[&str],
    describe: impl Fn(usize, Span) -> String,
) {
    let mut boards: FxHashMap<u64, PuzzleIndex> = FxHashMap::default();
    let mut names: FxHashMap<&str, PuzzleIndex> = FxHashMap::default();
    let mut found: Vec<(PuzzleIndex, Finding)> = Vec::new();
    for (f, (file, text)) in files.iter().zip(texts).enumerate() {
        for (p, puzzle) in file.puzzles.iter().enumerate() {
            let other = |&(file, puzzle): &PuzzleIndex| -> (Option<u32>, &PuzzleReport) {
                ((file != f).then_some(file as u32), &files[file].puzzles[puzzle])
            };
            if puzzle.board_hash != 0 {
                let first = *boards.entry(puzzle.board_hash).or_insert((f, p));
                let (file, first_puzzle) = other(&first);
                if first != (f, p) && is_asked_otherwise(puzzle, first_puzzle) {
                    let place = describe(first.0, first_puzzle.head);
                    found.push(((f, p), same_board(puzzle.head, first_puzzle.head, file, &place)));
                }
            }
            let name = puzzle.name_in(text).filter(|name| !name.trim().is_empty());
            if let Some((name, span)) = name.zip(puzzle.name) {
                let first = *names.entry(name).or_insert((f, p));
                if let (Some(file), first_puzzle) = other(&first) {
                    let place = describe(first.0, first_puzzle.head);
                    let first_span = first_puzzle.name.unwrap_or(first_puzzle.head);
                    found.push(((f, p), name_elsewhere(name, span, first_span, file, &place)));
                }
            }
        }
    }
    for ((f, p), finding) in found {
        files[f].puzzles[p].findings.push(finding);
    }
}

/// Whether two puzzles with one board are known not to be the same.
fn is_asked_otherwise(one: &PuzzleReport, other: &PuzzleReport) -> bool {
    let hash = |puzzle: &PuzzleReport| puzzle.identity.map(|identity| identity.canonical_hash);
    hash(one).zip(hash(other)).is_some_and(|(one, other)| one != other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Options, analyse, link};
    use cpz_text::diagnostic::{Code, Severity};
    use cpz_text::syntax::parse;

    #[test]
    fn boards_and_names_of_other_files_are_hints() {
        let texts = [
            "solitaire \"A\" { board ...N.....R....B. solve }\nsolitaire \"B\" { board ...N.....R....B. count }\n",
            "chess \"A\" { board 8/8/8/4k3/8/8/8/4K2R mate }\nsolitaire { board .B....R.....N... solve }\n",
        ];
        let options = Options { hints: true, ..Options::default() };
        let mut reports = texts.map(|text| analyse(&parse(text), &options));
        let describe = |file: usize, span: Span| format!("{file}:{}", span.start);
        let mut files: Vec<&mut FileReport> = reports.iter_mut().collect();
        add_collection_hints(&mut files, &texts, describe);
        link(&mut files, describe);
        let of = |file: usize, puzzle: usize| -> Vec<(&str, Severity)> {
            let report: &FileReport = &reports[file];
            let findings = report.puzzles[puzzle].findings.iter();
            let mut all: Vec<_> = findings.map(|f| (f.code.name(), report.severities.shown(f))).collect();
            all.sort();
            all
        };
        // The other board is a mirror image of the first one, with the same question.
        assert_eq!(of(0, 0), [("duplicate-puzzle", Severity::Warning)]);
        assert_eq!(of(0, 1), [("duplicate-puzzle", Severity::Hint)]);
        assert_eq!(of(1, 0), [("duplicate-name", Severity::Hint)]);
        assert_eq!(of(1, 1), [("duplicate-puzzle", Severity::Warning)]);
    }

    /// An `allow` that may silence a hint is not called useless where hints are not looked for.
    #[test]
    fn an_allow_of_duplicates_is_judged_where_hints_are_looked_for() {
        let unused = |text: &str, hints: bool| {
            let mut options = Options { hints, ..Options::default() };
            if hints {
                options.config = options.config.with_all_hints().into();
            }
            let mut report = analyse(&parse(text), &options);
            if hints {
                add_collection_hints(&mut [&mut report], &[text], |_, _| String::new());
            }
            link(&mut [&mut report], |_, _| String::new());
            report.findings().iter().filter(|(f, _)| f.code == Code::UnusedAllow).count()
        };
        let one = "solitaire { allow duplicate-puzzle board N..R solve => none }";
        let both = format!("{one} solitaire {{ board N..R count }}");
        assert_eq!([unused(&both, false), unused(&both, true)], [0, 1], "the first of them has no hint");
        let both = format!("solitaire {{ board N..R count }} {one}");
        assert_eq!([unused(&both, false), unused(&both, true)], [0, 0]);
        assert_eq!([unused(one, false), unused(one, true)], [0, 1]);
    }
}
