//! What has changed between two collections, puzzle by puzzle.
//!
//! Puzzles are recognised wherever they stand ([`matching`]); their positions, properties, questions, answers and findings are
//! compared, not their texts. White space, and the form in which a board is written, are no differences.
//!
//! A file imports only files before it: model < men < item < matching, details < boards < words < markdown.

mod boards;
mod details;
mod item;
mod markdown;
mod matching;
mod men;
mod model;
mod words;

use std::collections::BTreeMap;

use crate::diff::details::{Found, Version, board, comments, findings, properties, queries};
use crate::diff::item::Side;
use crate::diff::matching::Matching;
use crate::export::{ExportPuzzle, Placed, Search, Source, placed};
use crate::range_json::range_document;
use cpz_check::parallel::*;
use cpz_text::diagnostic::Finding;

pub use boards::two_boards;
pub use item::DiffFile;
pub use markdown::diff_in_markdown;
pub use model::{
    BoardDiff, BoardRows, BoardSize, Change, CommentsDiff, Diff, DiffSummary, FileDiff, FindingState,
    FindingsDiff, ManDiff, PlainBoard, PropertyDiff, PuzzleDiff, PuzzlePlace, QueryDiff, QuestionState,
};
pub use words::{
    comments_in_words, diff_in_words, finding_in_words, findings_in_words, more_in_words, summary_in_words,
};

/// Compares two collections. `nodes` is the budget of each search, instead of those of the configurations.
pub fn diff(old: &[DiffFile<'_>], new: &[DiffFile<'_>], nodes: Option<u64>) -> Diff {
    let (mut old, mut new) = (Side::read(old, nodes), Side::read(new, nodes));
    let matching = Matching::of(&old, &new);
    let is_changed = |i: Option<usize>, j: Option<usize>| match (i, j) {
        (Some(i), Some(j)) => {
            let (a, b) = (&old.items[i], &new.items[j]);
            a.tokens != b.tokens || a.position != b.position
        }
        _ => true,
    };
    let of_old: Vec<bool> = (0..old.items.len()).map(|i| is_changed(Some(i), matching.new_of[i])).collect();
    let of_new: Vec<bool> = (0..new.items.len()).map(|j| is_changed(matching.old_of[j], Some(j))).collect();
    old.search_further(&of_old);
    new.search_further(&of_new);
    old.link();
    new.link();
    let (old_sources, new_sources) = (sources(&old), sources(&new));
    let (old_placed, new_placed) = (all_placed(&old, &old_sources), all_placed(&new, &new_sources));
    let pairs = order(&old, &new, &matching);
    let compare = |&(i, j): &(Option<usize>, Option<usize>)| {
        let read =
            |side: &Side<'_>, sources, placed, i: Option<usize>| i.map(|i| puzzle(side, sources, placed, i));
        let (a, b) = (read(&old, &old_sources, &old_placed, i), read(&new, &new_sources, &new_placed, j));
        let moved = j.is_some_and(|j| matching.moved[j]);
        let place = |side: &Side<'_>, version: Version<'_, '_>, i: Option<usize>| {
            version.zip(i).map(|(puzzle, i)| place(side, puzzle, i))
        };
        let change = match (i, j) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            _ => Change::Changed,
        };
        let (a, b) = (a.as_ref(), b.as_ref());
        let diff = PuzzleDiff {
            change,
            old: place(&old, a, i),
            new: place(&new, b, j),
            moved,
            board: board(a, b),
            properties: properties(a, b),
            queries: queries(a, b),
            findings: findings(of_puzzle(a), of_puzzle(b)),
        };
        let is_same = change == Change::Changed
            && !moved
            && diff.board.is_none()
            && diff.properties.is_empty()
            && diff.queries.is_empty()
            && diff.findings.is_empty();
        (!is_same).then_some(diff)
    };
    let compared: Vec<Option<PuzzleDiff>> = pairs.par_iter().map(compare).collect();
    let all = compared.len();
    let puzzles: Vec<PuzzleDiff> = compared.into_iter().flatten().collect();
    let count = |change: Change| puzzles.iter().filter(|puzzle| puzzle.change == change).count();
    let summary = DiffSummary {
        added: count(Change::Added),
        removed: count(Change::Removed),
        changed: count(Change::Changed),
        unchanged: all - puzzles.len(),
    };
    Diff { version: 1, summary, puzzles, files: files(&old, &new) }
}

/// The files of a side with their reports.
fn sources<'a>(side: &'a Side<'a>) -> Vec<Source<'a>> {
    let source = |(i, file): (usize, &'a DiffFile<'a>)| Source {
        path: file.path,
        text: file.text,
        index: &side.indexes[i],
        report: &side.reports[i],
        config: file.config,
        search: Search::Full(file.config.nodes()),
        watch: None,
    };
    side.files.iter().enumerate().map(source).collect()
}

/// The puzzles of each file of a side.
fn all_placed<'a>(side: &'a Side<'a>, sources: &'a [Source<'a>]) -> Vec<Vec<Placed<'a>>> {
    sources.iter().zip(&side.trees).map(|(source, tree)| placed(source, tree).collect()).collect()
}

fn puzzle<'a>(
    side: &Side<'_>,
    sources: &'a [Source<'a>],
    placed: &[Vec<Placed<'a>>],
    item: usize,
) -> ExportPuzzle<'a> {
    let item = &side.items[item];
    ExportPuzzle::read(&sources[item.file], &placed[item.file][item.index])
}

fn place(side: &Side<'_>, puzzle: &ExportPuzzle<'_>, item: usize) -> PuzzlePlace {
    let item = &side.items[item];
    let (file, index) = (&side.files[item.file], &side.indexes[item.file]);
    let span = puzzle.puzzle.span();
    PuzzlePlace {
        path: file.path.to_string(),
        number: item.index + 1,
        id: item.id.clone(),
        name: item.name.clone(),
        game: puzzle.game_word().to_string(),
        range: range_document(file.text, index, span),
        line: index.line(span.start) + 1,
        key: file.key.to_string(),
    }
}

/// The findings of a puzzle with their severities; none of no puzzle.
fn of_puzzle<'p>(version: Version<'p, '_>) -> Found<'p, impl Iterator<Item = &'p Finding>> {
    let findings = version.into_iter().flat_map(|puzzle| &puzzle.report.findings);
    Found { findings, severities: version.map(|puzzle| &puzzle.source.report.severities) }
}

/// A puzzle of the old collection and one of the new collection, each by its index; nothing where it has no partner.
type Pair = (Option<usize>, Option<usize>);

/// The pairs of puzzles file by file: those of the new collection in their order, and behind them those that are gone.
fn order(old: &Side<'_>, new: &Side<'_>, matching: &Matching) -> Vec<Pair> {
    let mut by_key: BTreeMap<&str, Vec<Pair>> = BTreeMap::new();
    for (j, item) in new.items.iter().enumerate() {
        by_key.entry(new.files[item.file].key).or_default().push((matching.old_of[j], Some(j)));
    }
    for (i, item) in old.items.iter().enumerate().filter(|(i, _)| matching.new_of[*i].is_none()) {
        by_key.entry(old.files[item.file].key).or_default().push((Some(i), None));
    }
    by_key.into_values().flatten().collect()
}

/// The files in which comments or findings outside of puzzles have come or gone.
fn files(old: &Side<'_>, new: &Side<'_>) -> Vec<FileDiff> {
    let mut by_key: BTreeMap<&str, [Option<usize>; 2]> = BTreeMap::new();
    for (side, files) in [old.files, new.files].into_iter().enumerate() {
        for (i, file) in files.iter().enumerate() {
            by_key.entry(file.key).or_default()[side] = Some(i);
        }
    }
    fn of<'s>(side: &'s Side<'_>, i: Option<usize>) -> Found<'s, impl Iterator<Item = &'s Finding>> {
        let report = i.map(|i| &side.reports[i]);
        let findings = report.into_iter().flat_map(|report| &report.top);
        Found { findings, severities: report.map(|report| &report.severities) }
    }
    let path = |side: &Side<'_>, i: Option<usize>| i.map(|i| side.files[i].path.to_string());
    let all = by_key.into_iter().map(|(key, [i, j])| FileDiff {
        key: key.to_string(),
        old: path(old, i),
        new: path(new, j),
        comments: comments(i.map(|i| &old.trees[i]), j.map(|j| &new.trees[j])),
        findings: findings(of(old, i), of(new, j)),
    });
    all.filter(|file| !file.comments.is_empty() || !file.findings.is_empty()).collect()
}
