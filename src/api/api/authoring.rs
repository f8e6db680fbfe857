//! Rating, hints, sorting and statistics.

use serde::Serialize;
use serde_json::Value;

use crate::api::check::link_alone;
use crate::api::options::{Error, TextOptions, named, readable, tree_of};
use crate::api::puzzles::{chosen, file_document, filter, hint_of, rating_of};
use crate::print::plot;
use cpz_check::analysis::analyse;
use cpz_check::authoring::{HINT_GRADES, SortKey, Statistics, sorted};
use cpz_check::parallel::*;
use cpz_exchange::{
    HintDocument, HintedDocument, RateDocument, RatedDocument, difficulty_document, statistics_document,
};
use cpz_text::diagnostic::LineIndex;

/// The options of [`rate_text`].
#[derive(Clone, Debug, Default)]
pub struct RateOptions {
    /// Only puzzles whose id, name or number fits one of these patterns, such as `mate-*`.
    pub only: Vec<String>,
    /// Only puzzles with one of these tags.
    pub tags: Vec<String>,
    /// Only puzzles of these games.
    pub games: Vec<String>,
    /// How the text is read.
    pub text: TextOptions,
}

/// Says how hard the puzzles of a text are. The document is that of `cpz rate --format json`, with one file; its schema is
/// printed by `cpz schema rate`.
///
/// ```
/// # use cpz_api::api as cpz;
/// let rated = cpz::rate_text("solitaire { board RN.. solve }", &cpz::RateOptions::default())?;
/// assert_eq!(rated["files"][0]["puzzles"][0]["difficulty"]["estimate"], 1.0);
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// No such game, a wrong pattern, budget or configuration, or a text longer than 1 GiB. Why a puzzle is not rated is in the
/// document.
pub fn rate_text(text: &str, options: &RateOptions) -> Result<Value, Error> {
    let filter = filter(&options.only, &options.tags, &options.games)?;
    let search = options.text.analysis()?;
    let tree = tree_of(text)?;
    let entries = chosen(&tree, &filter, &search);
    let ratings: Vec<_> = entries.par_iter().map(|entry| rating_of(entry, &search)).collect();
    let rated = ratings.iter().map(|rating| RatedDocument { difficulty: difficulty_document(rating) });
    let files = vec![file_document(options.text.path(), text, entries.iter().zip(rated))];
    value(RateDocument { version: 1, files })
}

/// The options of [`hint_text`].
#[derive(Clone, Debug)]
pub struct HintOptions {
    /// How much the hint gives away: 1 which piece begins, 2 where it goes, 3 the move.
    pub grade: u8,
    /// Only puzzles whose id, name or number fits one of these patterns, such as `mate-*`.
    pub only: Vec<String>,
    /// Only puzzles with one of these tags.
    pub tags: Vec<String>,
    /// Only puzzles of these games.
    pub games: Vec<String>,
    /// How the text is read.
    pub text: TextOptions,
}

impl Default for HintOptions {
    fn default() -> HintOptions {
        let text = TextOptions::default();
        HintOptions { grade: 1, only: Vec::new(), tags: Vec::new(), games: Vec::new(), text }
    }
}

/// Gives a hint for each puzzle of a text: the author's own, or else one that is worked out. The document is that of
/// `cpz hint --format json`, with one file; its schema is printed by `cpz schema hint`.
///
/// ```
/// # use cpz_api::api as cpz;
/// let text = "solitaire { board .....B..RP.....N solve }";
/// let hinted = cpz::hint_text(text, &cpz::HintOptions { grade: 3, ..Default::default() })?;
/// assert_eq!(hinted["files"][0]["puzzles"][0]["hint"], "the first move is d1xb2");
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A grade that is not 1 to 3, no such game, a wrong pattern, budget or configuration, or a text longer than 1 GiB. Why there is
/// no hint for a puzzle is in the document.
pub fn hint_text(text: &str, options: &HintOptions) -> Result<Value, Error> {
    if !(1..=HINT_GRADES).contains(&options.grade) {
        return Err(Error(format!("the grade {} is not between 1 and {HINT_GRADES}", options.grade)));
    }
    let filter = filter(&options.only, &options.tags, &options.games)?;
    let search = options.text.analysis()?;
    let tree = tree_of(text)?;
    let entries = chosen(&tree, &filter, &search);
    let hints: Vec<_> = entries.par_iter().map(|entry| hint_of(entry, options.grade, &search)).collect();
    let hinted = hints.into_iter().map(HintedDocument::from);
    let files = vec![file_document(options.text.path(), text, entries.iter().zip(hinted))];
    value(HintDocument { version: 1, grade: options.grade, files })
}

/// Sorts the puzzles of a text, as `cpz sort` does, by `difficulty`, `pieces`, `name` or `id`. They move with their comments, and
/// not across a default or a heading.
///
/// ```
/// # use cpz_api::api as cpz;
/// let text = "solitaire \"b\" { board RN.. }\nsolitaire \"a\" { board NR.. }\n";
/// let sorted = cpz::sort_text(text, "name", &cpz::TextOptions::default())?;
/// assert_eq!(sorted, "solitaire \"a\" { board NR.. }\nsolitaire \"b\" { board RN.. }\n");
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// There is no such key, a wrong budget or configuration, a text longer than 1 GiB or with NUL characters, or a puzzle with a
/// syntax error, which would be read in another way at another place.
pub fn sort_text(text: &str, by: &str, options: &TextOptions) -> Result<String, Error> {
    let by = named("key to sort by", by, &SortKey::ALL, SortKey::word)?;
    let search = options.analysis()?;
    Ok(sorted(&tree_of(readable(text)?)?, by, &search)?)
}

/// Counts the puzzles of a text by game, size, pieces, difficulty and soundness. The document is that of
/// `cpz stats --format json`, about one file; its schema is printed by `cpz schema stats`.
///
/// ```
/// # use cpz_api::api as cpz;
/// let counted = cpz::stats_text("solitaire { board RN.. solve }", &cpz::TextOptions::default())?;
/// assert_eq!(counted["games"]["solitaire"], 1);
/// assert_eq!(counted["soundness"]["sound"], 1);
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong budget or configuration, or a text longer than 1 GiB.
pub fn stats_text(text: &str, options: &TextOptions) -> Result<Value, Error> {
    Ok(statistics_document(1, &statistics(text, options)?))
}

/// Draws a plot of difficulty and pieces as SVG, as `cpz stats --format svg` does.
///
/// ```
/// # use cpz_api::api as cpz;
/// let svg = cpz::plot_text("solitaire { board RN.. solve }", &cpz::TextOptions::default())?;
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// As [`stats_text`].
pub fn plot_text(text: &str, options: &TextOptions) -> Result<String, Error> {
    Ok(plot(&statistics(text, options)?))
}

fn statistics(text: &str, options: &TextOptions) -> Result<Statistics, Error> {
    let search = options.analysis()?;
    let tree = tree_of(text)?;
    let mut report = analyse(&tree, &search);
    link_alone(&mut report, text, &LineIndex::new(text), options.path(), false);
    let mut statistics = Statistics::default();
    statistics.add(&tree, &report, &search);
    Ok(statistics)
}

fn value(document: impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(document).map_err(|error| Error(error.to_string()))
}
