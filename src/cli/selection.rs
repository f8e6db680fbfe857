//! The puzzles that a command line names: the paths, and `--only`, `--game` and `--tag`.

use globset::{GlobBuilder, GlobMatcher};
use rayon::prelude::*;

use crate::cli::args::Paths;
use crate::cli::inputs::{self, Input};
use crate::cli::out::report_error;
use crate::cli::print_args::{Choice, GameName};
use crate::diagnostic::LineIndex;
use crate::print::{Entry, entries};
use crate::syntax::{GameId, Tree, parse};

/// The texts of a command line.
pub struct Collection {
    files: Vec<(Input, Tree)>,
    /// Whether something could not be read. That is reported already.
    pub failed: bool,
}

/// A puzzle with its place in the collection.
pub struct Chosen<'c> {
    /// The puzzle.
    pub entry: Entry<'c>,
    /// Its number in the collection, from 1.
    pub number: usize,
    /// Its file.
    pub input: &'c Input,
    /// The offset of its first line in the file.
    start: u32,
}

impl Chosen<'_> {
    /// Reports on standard error that the puzzle is left out.
    pub fn report_left_out(&self, why: &str) {
        let line = LineIndex::new(&self.input.text).line(self.start) + 1;
        report_error(&format!("{}:{line}", self.input.path), &format!("left out: {why}"));
    }
}

impl Collection {
    /// Reads and parses what the paths name.
    pub fn read(paths: &Paths) -> Collection {
        let mut inputs = inputs::read(paths);
        let failed = inputs.failed | inputs.reject_configs();
        let parsed = |input: Input| {
            let tree = parse(input.text.clone());
            (input, tree)
        };
        Collection { files: inputs.texts.into_par_iter().map(parsed).collect(), failed }
    }

    /// All puzzles, in the order of the files and their texts.
    pub fn puzzles(&self) -> Vec<Chosen<'_>> {
        let mut all = Vec::new();
        for (input, tree) in &self.files {
            for entry in entries(tree, input.config.settings) {
                let (number, start) = (all.len() + 1, entry.span().start);
                all.push(Chosen { entry, number, input, start });
            }
        }
        all
    }

    /// Whether a file is one of those that were read.
    pub fn contains(&self, path: &std::path::Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let files = self.files.iter().filter_map(|(input, _)| input.file.as_ref());
        files.filter_map(|file| file.canonicalize().ok()).any(|file| file == path)
    }
}

/// Which puzzles the options select.
pub struct Selector<'a> {
    only: Option<GlobMatcher>,
    game: Option<GameId>,
    tags: &'a [String],
}

impl<'a> Selector<'a> {
    /// The selector of some options.
    ///
    /// # Errors
    /// A message that says what is wrong with the pattern.
    pub fn new(choice: &'a Choice) -> Result<Selector<'a>, String> {
        let glob = |pattern: &String| {
            let glob = GlobBuilder::new(pattern).build().map_err(|error| error.to_string());
            glob.map(|glob| glob.compile_matcher())
        };
        let game = choice.game.map(|game| match game {
            GameName::Solitaire => GameId::Solitaire,
            GameName::Chess => GameId::Chess,
            GameName::Chess3d => GameId::Chess3d,
            GameName::Draughts => GameId::Draughts,
        });
        Ok(Selector { only: choice.only.as_ref().map(glob).transpose()?, game, tags: &choice.tag })
    }

    /// Whether a puzzle is selected.
    pub fn selects(&self, chosen: &Chosen<'_>) -> bool {
        let entry = &chosen.entry;
        let number = chosen.number.to_string();
        let names = [entry.id, entry.name, Some(number.as_str())];
        let fits = |glob: &GlobMatcher| names.into_iter().flatten().any(|name| glob.is_match(name));
        let has = |tag: &String| entry.tags.iter().any(|t| t.to_lowercase() == tag.to_lowercase());
        self.only.as_ref().is_none_or(fits)
            && self.game.is_none_or(|game| entry.puzzle.game() == Some(game))
            && self.tags.iter().all(has)
    }
}
