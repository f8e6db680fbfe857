//! The puzzles of a text one by one: which are meant, and what commands and functions say about each.

use crate::api::options::{Error, named};
use crate::print::{Entry, entries};
use cpz_check::analysis::Options;
use cpz_check::authoring::{HINT_GRADES, Rating, first_move, hint_of_grade, rate};
use cpz_exchange::{Candidate, FileDocument, Filter, PuzzleDocument, range_document};
use cpz_text::diagnostic::LineIndex;
use cpz_text::syntax::{GameId, Tree};

/// The filter of options, whose games have the words of the language.
pub(super) fn filter(only: &[String], tags: &[String], games: &[String]) -> Result<Filter, Error> {
    let games = games.iter().map(|game| named("game", game, GameId::ALL, GameId::word));
    let games: Vec<GameId> = games.collect::<Result<_, _>>()?;
    Ok(Filter::new(only, tags, &games)?)
}

/// The puzzles of a text that a filter lets through.
pub(super) fn chosen<'t>(tree: &'t Tree, filter: &Filter, options: &Options) -> Vec<Entry<'t>> {
    let all = entries(tree, options.config.settings).into_iter().enumerate();
    all.filter(|(i, entry)| passes(entry, i + 1, filter)).map(|(_, entry)| entry).collect()
}

/// Whether a filter lets a puzzle through. `number` is that of the puzzle in its collection, from 1.
pub fn passes(entry: &Entry<'_>, number: usize, filter: &Filter) -> bool {
    let game = entry.puzzle.game();
    filter.takes(&Candidate { id: entry.id, name: entry.name, number, game, tags: &entry.tags })
}

/// How hard a puzzle is.
///
/// # Errors
/// Why that is not known.
pub fn rating_of(entry: &Entry<'_>, options: &Options) -> Result<Rating, String> {
    rate(entry.bound.as_ref().ok_or("the game is unknown")?, options)
}

/// The hint of a grade, 1 to 3. Only what the author did not write is searched.
///
/// # Errors
/// Why there is none.
pub fn hint_of(entry: &Entry<'_>, grade: u8, options: &Options) -> Result<String, String> {
    if let Some(own) = entry.hints.get(usize::from(grade.clamp(1, HINT_GRADES)) - 1) {
        return Ok(own.to_string());
    }
    let bound = entry.bound.as_ref().ok_or("the game is unknown")?;
    hint_of_grade(&entry.hints, bound, &first_move(bound, options), grade)
}

/// What a document says about the puzzles of a file, each with `about` it.
pub fn file_document<'a, 't: 'a, T>(
    path: &'a str,
    text: &str,
    puzzles: impl IntoIterator<Item = (&'a Entry<'t>, T)>,
) -> FileDocument<'a, T> {
    let index = LineIndex::new(text);
    let puzzles = puzzles.into_iter().map(|(entry, about)| puzzle_document(entry, text, &index, about));
    FileDocument { path, puzzles: puzzles.collect() }
}

/// What a document says `about` a puzzle.
pub fn puzzle_document<'a, T>(
    entry: &'a Entry<'_>,
    text: &str,
    index: &LineIndex,
    about: T,
) -> PuzzleDocument<'a, T> {
    PuzzleDocument {
        id: entry.id,
        name: entry.name,
        game: entry.puzzle.keyword().text(),
        range: range_document(text, index, entry.span()),
        about,
    }
}
