//! What notebooks and other pages of Python need besides: puzzles one by one, and the parts of a text to be coloured.

use crate::api::options::{Error, TextOptions, tree_of};
use crate::print::{PuzzleText, ShowOptions, ShownPuzzle, entries, show};
use cpz_ide::semantic_tokens;

/// The puzzles of a text, each as a text of its own.
///
/// # Errors
/// The text is longer than 1 GiB.
pub fn puzzle_texts(text: &str) -> Result<Vec<PuzzleText>, Error> {
    Ok(crate::print::puzzle_texts(&tree_of(text)?))
}

/// The first puzzle of a text as a notebook shows it.
///
/// # Errors
/// A wrong option, no puzzle, or one that cannot be shown.
pub fn show_text(text: &str, look: ShowOptions, options: &TextOptions) -> Result<ShownPuzzle, Error> {
    let search = options.analysis()?;
    let tree = tree_of(text)?;
    let all = entries(&tree, search.config.settings);
    let entry = all.first().ok_or_else(|| Error("there are no puzzles to show".into()))?;
    Ok(show(entry, look, &search)?)
}

/// The coloured parts of a text in order: where each begins and ends, in characters, and its token type in the language
/// server protocol. Brackets, commas and mistakes have none.
///
/// # Errors
/// The text is longer than 1 GiB.
pub fn coloured_parts(text: &str) -> Result<Vec<(usize, usize, &'static str)>, Error> {
    let (mut bytes, mut characters) = (0, 0);
    let mut count_to = |offset: u32| {
        characters += text[bytes..offset as usize].chars().count();
        bytes = offset as usize;
        characters
    };
    let tokens = semantic_tokens(&tree_of(text)?, None).into_iter();
    Ok(tokens.map(|t| (count_to(t.span.start), count_to(t.span.end), t.class.name())).collect())
}
