//! Which puzzles of a collection are exported, drawn or printed.

use cpz_text::syntax::GameId;

use crate::pattern::Pattern;

/// Chooses puzzles. A puzzle is chosen if every list that is not empty has something that fits.
#[derive(Clone, Default)]
pub struct Filter {
    only: Vec<Pattern>,
    tags: Vec<String>,
    games: Vec<GameId>,
}

/// What a filter compares of a puzzle.
pub struct Candidate<'a> {
    /// Its `id`.
    pub id: Option<&'a str>,
    /// Its name, without quotes.
    pub name: Option<&'a str>,
    /// Its number in the collection, from 1.
    pub number: usize,
    /// Its game, unless it is unknown.
    pub game: Option<GameId>,
    /// Its tags, its own or those of a default above it.
    pub tags: &'a [&'a str],
}

impl Filter {
    /// A filter. The patterns of `only` are compared with the id, the name and the number of a puzzle: `*` stands for
    /// any text, `?` for a character, `[ab]` for one of several, `{one,two}` for one of several texts. Tags are compared
    /// in any case.
    ///
    /// # Errors
    /// What is wrong with a pattern.
    pub fn new(only: &[String], tags: &[String], games: &[GameId]) -> Result<Filter, String> {
        let read = |pattern: &String| Pattern::new(pattern).map_err(|why| format!("`{pattern}`: {why}"));
        let only = only.iter().map(read).collect::<Result<_, _>>()?;
        let tags = tags.iter().map(|tag| tag.to_lowercase()).collect();
        Ok(Filter { only, tags, games: games.to_vec() })
    }

    /// Whether it lets all puzzles through.
    pub fn is_empty(&self) -> bool {
        self.only.is_empty() && self.tags.is_empty() && self.games.is_empty()
    }

    /// Whether a puzzle is chosen.
    pub fn takes(&self, puzzle: &Candidate<'_>) -> bool {
        let number = puzzle.number.to_string();
        let names = [puzzle.id, puzzle.name, Some(number.as_str())];
        let fits = |pattern: &Pattern| names.into_iter().flatten().any(|name| pattern.fits(name));
        let is_wanted = |tag: &&str| self.tags.contains(&tag.to_lowercase());
        (self.only.is_empty() || self.only.iter().any(fits))
            && (self.games.is_empty() || puzzle.game.is_some_and(|game| self.games.contains(&game)))
            && (self.tags.is_empty() || puzzle.tags.iter().any(is_wanted))
    }
}
