//! Checking and solving.

use std::sync::Arc;

use serde_json::Value;

use crate::api::options::{Error, TextOptions, tree_of};
use cpz_check::analysis::{FileReport, add_collection_hints, analyse, link, problem_plays};
use cpz_exchange::{
    CheckDocument, CheckFile, Counts, SolveDocument, diagnostic_document, range_document, solve_file,
};
use cpz_text::diagnostic::{LineIndex, Severity, Span};

/// The options of [`check_text`].
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Whether hints are found too.
    pub hints: bool,
    /// How the text is read.
    pub text: TextOptions,
}

/// Checks the puzzles of a text. The document is that of `cpz check --format json`, with one file; its schema is printed by
/// `cpz schema check`.
///
/// ```
/// # use cpz_api::api as cpz;
/// let found = cpz::check_text("solitaire { board RN.. solve }", &cpz::CheckOptions::default())?;
/// assert_eq!(found["summary"]["errors"], 0);
/// let found = cpz::check_text("chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }", &Default::default())?;
/// assert_eq!(found["files"][0]["diagnostics"][0]["code"], "illegal-move");
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong budget or configuration, or a text longer than 1 GiB. What is wrong in a puzzle is no error, but in the
/// document.
pub fn check_text(text: &str, options: &CheckOptions) -> Result<Value, Error> {
    check_with(text, options, |document| serde_json::to_value(document))
}

/// Checks the puzzles of a text as [`check_text`] does, and gives the document as the text of its JSON, which takes less time
/// and a fraction of the memory.
///
/// ```
/// # use cpz_api::api as cpz;
/// let found = cpz::check_json("solitaire { board RN.. solve }", &cpz::CheckOptions::default())?;
/// assert!(found.starts_with(r#"{"version":1,"#));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// As [`check_text`].
pub fn check_json(text: &str, options: &CheckOptions) -> Result<String, Error> {
    check_with(text, options, |document| serde_json::to_string(document))
}

fn check_with<T>(
    text: &str,
    options: &CheckOptions,
    write: impl FnOnce(&CheckDocument<'_>) -> serde_json::Result<T>,
) -> Result<T, Error> {
    let mut analysis = options.text.analysis()?;
    analysis.hints = options.hints;
    if options.hints {
        analysis.config = Arc::new(analysis.config.with_all_hints());
    }
    let tree = tree_of(text)?;
    let mut report = analyse(&tree, &analysis);
    let index = LineIndex::new(text);
    link_alone(&mut report, text, &index, options.text.path(), options.hints);
    let mut counts = Counts::default();
    counts.add(&report);
    counts.summary.files = 1;
    let rated = report.findings().into_iter().map(|(f, puzzle)| (f, report.severities.shown(f), puzzle));
    let shown = rated.filter(|(_, severity, _)| options.hints || *severity != Severity::Hint);
    let diagnostics = shown.map(|(finding, severity, puzzle)| {
        let name = puzzle.and_then(|puzzle| puzzle.name_in(text));
        diagnostic_document(finding, severity, range_document(text, &index, finding.span), name)
    });
    let file = CheckFile { path: options.text.path(), diagnostics: diagnostics.collect() };
    let document = CheckDocument { version: 1, files: vec![file], summary: counts.summary };
    write(&document).map_err(|error| Error(error.to_string()))
}

/// Finds duplicates within a text, and with `hints` those that may be meant.
pub(super) fn link_alone(report: &mut FileReport, text: &str, index: &LineIndex, path: &str, hints: bool) {
    let describe = |_, span: Span| format!("{path}:{}", index.line(span.start) + 1);
    if hints {
        add_collection_hints(&mut [&mut *report], &[text], describe);
    }
    link(&mut [report], describe);
}

/// The options of [`solve_text`].
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Whether the answers of chess problems have their variations, tries and set play.
    pub tree: bool,
    /// How the text is read.
    pub text: TextOptions,
}

/// Answers the queries of a text. The document is that of `cpz solve --format json`, with one file; its schema is printed
/// by `cpz schema solve`.
///
/// ```
/// # use cpz_api::api as cpz;
/// let text = "chess { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }";
/// let solved = cpz::solve_text(text, &cpz::SolveOptions::default())?;
/// let answer = &solved["files"][0]["puzzles"][0]["queries"][0]["answer"];
/// assert_eq!(answer["keys"][0]["san"], "Qg7#");
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong budget or configuration, or a text longer than 1 GiB. A query without an answer says why in the document.
pub fn solve_text(text: &str, options: &SolveOptions) -> Result<Value, Error> {
    solve_with(text, options, |document| serde_json::to_value(document))
}

/// Answers the queries of a text as [`solve_text`] does, and gives the document as the text of its JSON, which takes less time
/// and a fraction of the memory.
///
/// ```
/// # use cpz_api::api as cpz;
/// let solved = cpz::solve_json("solitaire { board RN.. solve }", &cpz::SolveOptions::default())?;
/// assert!(solved.contains(r#""solvable":true"#));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// As [`solve_text`].
pub fn solve_json(text: &str, options: &SolveOptions) -> Result<String, Error> {
    solve_with(text, options, serde_json::to_string)
}

fn solve_with<T>(
    text: &str,
    options: &SolveOptions,
    write: impl FnOnce(&SolveDocument) -> serde_json::Result<T>,
) -> Result<T, Error> {
    let mut analysis = options.text.analysis()?;
    analysis.answers = true;
    let report = analyse(&tree_of(text)?, &analysis);
    let plays = if options.tree { problem_plays(text, &report, &analysis) } else { Vec::new() };
    let index = LineIndex::new(text);
    let range = |span| range_document(text, &index, span);
    // The plays are in the order of the text.
    let play = |start: u32| plays.binary_search_by_key(&start, |(at, _)| *at).ok().map(|i| &plays[i].1);
    let file = solve_file(options.text.path(), text, &report, &range, &play);
    write(&SolveDocument { version: 1, files: vec![file] }).map_err(|error| Error(error.to_string()))
}
