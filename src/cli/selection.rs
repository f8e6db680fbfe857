//! The puzzles that a command line names: the paths, and `--only`, `--game` and `--tag`.

use std::path::Path;

use rayon::prelude::*;

use crate::cli::args::Paths;
use crate::cli::common_args::Choice;
use crate::cli::inputs::{self, Input};
use crate::cli::out::{one_line, report_error};
use cpz_api::api::{file_document, passes};
use cpz_api::print::{Entry, entries};
use cpz_check::analysis::Options;
use cpz_exchange::import::Format;
use cpz_exchange::{FileDocument, Filter};
use cpz_text::diagnostic::LineIndex;
use cpz_text::syntax::{Tree, parse};

/// The texts of a command line.
pub struct Collection {
    files: Vec<(Input, Tree)>,
    /// Whether something could not be read. That is reported already.
    pub failed: bool,
}

/// What is said where `--only`, `--tag` and `--game` leave no puzzle over.
pub const NOTHING_FITS: &str = "no puzzle fits `--only`, `--tag` and `--game`";

/// Keeps the puzzles that a filter lets through, and says so if none of them is.
pub fn retain(chosen: &mut Vec<Chosen<'_>>, filter: &Filter, command: &str) {
    let had_some = !chosen.is_empty();
    chosen.retain(|chosen| chosen.passes(filter));
    if had_some && chosen.is_empty() {
        report_error(command, NOTHING_FITS);
    }
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
    /// Whether a filter lets the puzzle through.
    pub fn passes(&self, filter: &Filter) -> bool {
        passes(&self.entry, self.number, filter)
    }

    /// How the puzzle is searched. `budget` is the node budget of each search, instead of the one of the configuration.
    pub fn search(&self, budget: Option<u64>) -> Options {
        self.input.search(budget)
    }

    /// The line of its file that it begins on, from 1.
    pub fn line(&self) -> u32 {
        LineIndex::new(&self.input.text).line(self.start) + 1
    }

    /// The place, the game and the name: `a.cpz:3 chess "Mate"`.
    pub fn headline(&self) -> String {
        let name = self.entry.name.map_or(String::new(), |name| format!(" \"{}\"", one_line(name)));
        let word = one_line(self.entry.puzzle.keyword().text());
        format!("{}:{} {word}{name}", self.input.display_path, self.line())
    }

    /// Reports on standard error that the puzzle is left out.
    pub fn report_left_out(&self, why: &str) {
        report_error(&format!("{}:{}", self.input.path, self.line()), &format!("left out: {why}"));
    }
}

impl Collection {
    /// Reads and parses what the paths name.
    pub fn read(paths: &Paths) -> Collection {
        Collection::read_as(paths, None)
    }

    /// The same, of files of another format if one is given.
    pub fn read_as(paths: &Paths, format: Option<Format>) -> Collection {
        let mut inputs = inputs::read_as(paths, format);
        let failed = inputs.failed | inputs.reject_configs();
        let parsed = |input: Input| {
            let tree = parse(input.text.clone());
            (input, tree)
        };
        Collection { files: inputs.texts.into_par_iter().map(parsed).collect(), failed }
    }

    /// The texts, in order.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.files.iter().map(|(input, _)| input)
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

    /// What a document says about the puzzles of each file. `about` has some of them with that, in their order.
    pub fn documents<'r, T>(&'r self, about: Vec<(&'r Chosen<'_>, T)>) -> Vec<FileDocument<'r, T>> {
        let mut about = about.into_iter().peekable();
        let of_file = |input: &'r Input| {
            let mut puzzles = Vec::new();
            while let Some((chosen, about)) = about.next_if(|(chosen, _)| std::ptr::eq(chosen.input, input)) {
                puzzles.push((&chosen.entry, about));
            }
            file_document(&input.path, &input.text, puzzles)
        };
        self.inputs().map(of_file).collect()
    }

    /// The paths as they are reported and the texts, in order.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(input, _)| (input.path.as_str(), input.text.as_str()))
    }

    /// Whether a file is one of those that were read.
    pub fn contains(&self, path: &Path) -> bool {
        is_input(path, self.files.iter().map(|(input, _)| input))
    }
}

/// Whether a file is one of the inputs, whatever it is called.
pub fn is_input<'i>(path: &Path, inputs: impl IntoIterator<Item = &'i Input>) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let files = inputs.into_iter().filter_map(|input| input.file.as_ref());
    files.filter_map(|file| file.canonicalize().ok()).any(|file| file == path)
}

/// The filter of some options. A pattern that cannot be read is reported.
pub fn filter_of(choice: &Choice) -> Option<Filter> {
    let filter = Filter::new(&choice.only, &choice.tag, &choice.game);
    filter.inspect_err(|why| report_error("--only", why)).ok()
}
