//! Which puzzles are exported.

use globset::{GlobBuilder, GlobMatcher};

use crate::exchange::export::source::ExportPuzzle;
use crate::syntax::{GameId, Property};

/// Chooses puzzles. A puzzle is chosen if every list that is not empty has something that fits.
#[derive(Clone, Default)]
pub struct Filter {
    only: Vec<GlobMatcher>,
    tags: Vec<String>,
    games: Vec<GameId>,
}

impl Filter {
    /// A filter. The patterns of `only` are compared with the id and the name of a puzzle: `*` stands for any text, `?`
    /// for a character, `[ab]` for one of several, `{one,two}` for one of several texts.
    ///
    /// # Errors
    /// What is wrong with a pattern.
    pub fn new(only: &[String], tags: &[String], games: &[GameId]) -> Result<Filter, String> {
        let matcher = |pattern: &String| {
            let glob = GlobBuilder::new(pattern).literal_separator(false).backslash_escape(true).build();
            glob.map(|glob| glob.compile_matcher()).map_err(|e| format!("`{pattern}`: {}", e.kind()))
        };
        let only = only.iter().map(matcher).collect::<Result<_, _>>()?;
        Ok(Filter { only, tags: tags.to_vec(), games: games.to_vec() })
    }

    /// Whether it lets all puzzles through.
    pub fn is_empty(&self) -> bool {
        self.only.is_empty() && self.tags.is_empty() && self.games.is_empty()
    }

    /// Whether a puzzle is chosen.
    pub(super) fn takes(&self, puzzle: &ExportPuzzle<'_>) -> bool {
        let named = |glob: &GlobMatcher| {
            [puzzle.id(), puzzle.name()].into_iter().flatten().any(|text| glob.is_match(text))
        };
        let has_tag = || {
            let tags = puzzle.properties.texts(Property::Tags);
            self.tags.iter().any(|wanted| tags.iter().any(|tag| tag.eq_ignore_ascii_case(wanted)))
        };
        (self.only.is_empty() || self.only.iter().any(named))
            && (self.games.is_empty() || puzzle.game().is_some_and(|game| self.games.contains(&game)))
            && (self.tags.is_empty() || has_tag())
    }
}
