//! The chosen puzzles of files, one file after the other, each made into what a format has of it.

use std::io;

use crate::export::losses::Losses;
use crate::export::source::{ExportPuzzle, Placed, Source, placed};
use crate::filter::Filter;
use cpz_check::parallel::*;
use cpz_text::syntax::parse;

/// How many puzzles are made at a time: their solutions may be long.
const CHUNK: usize = 256;

/// What was exported.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// How many puzzles the filter let through.
    pub chosen: usize,
    /// How many of them are in the output.
    pub written: usize,
    /// What is not in the output.
    pub losses: Losses,
}

/// Reads puzzles and counts them.
pub(super) struct Chosen<'f> {
    filter: &'f Filter,
    done: Exported,
    /// How many puzzles were read.
    read: usize,
}

impl<'f> Chosen<'f> {
    /// Nothing is read.
    pub fn new(filter: &'f Filter) -> Chosen<'f> {
        Chosen { filter, done: Exported::default(), read: 0 }
    }

    /// What was exported so far.
    pub fn done(self) -> Exported {
        self.done
    }

    /// How many puzzles were written so far.
    pub fn written(&self) -> usize {
        self.done.written
    }

    /// Makes something of each chosen puzzle of a file, and takes it in order. `make` gives nothing where the format cannot
    /// hold the puzzle; `has_answers` says whether it has answers.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn each<T: Send>(
        &mut self,
        source: &Source<'_>,
        has_answers: bool,
        make: impl Fn(&ExportPuzzle<'_>, &mut Losses) -> Option<T> + Sync,
        mut take: impl FnMut(T) -> io::Result<()>,
    ) -> io::Result<()> {
        let tree = parse(source.text);
        let mut puzzles = placed(source, &tree);
        loop {
            let chunk: Vec<Placed<'_>> = puzzles.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                return Ok(());
            }
            let (first, filter) = (self.read + 1, self.filter);
            let one = |(i, placed): (usize, &Placed<'_>)| {
                let puzzle = ExportPuzzle::read(source, placed);
                puzzle.is_chosen(filter, first + i).then(|| {
                    let mut losses = Losses::default();
                    let made = make(&puzzle, &mut losses);
                    if made.is_some() && has_answers {
                        losses.need_search(puzzle.queries.iter().filter(|q| q.needs_search).count());
                    }
                    (made, losses)
                })
            };
            let all: Vec<(Option<T>, Losses)> = chunk.par_iter().enumerate().filter_map(one).collect();
            self.read += chunk.len();
            for (made, losses) in all {
                self.done.chosen += 1;
                self.done.losses.add(losses);
                if let Some(made) = made {
                    take(made)?;
                    self.done.written += 1;
                }
            }
        }
    }
}
