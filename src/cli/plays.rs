//! The play of the chess problems in some files, for `cpz solve`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::cli::analyse::AnalysedFile;
use crate::cli::progress::Progress;
use cpz_check::analysis::{Options, ProblemPlay, Watch, problem_plays};

/// The play of each problem, by the index of its file and the start of its query.
#[derive(Default)]
pub struct Plays {
    of: FxHashMap<(usize, u32), ProblemPlay>,
}

impl Plays {
    /// The play of all problems of some files, in searches that `watch` shows. `budget` is the node budget of each search,
    /// instead of the one of the configuration.
    pub fn of(files: &[AnalysedFile], budget: Option<u64>, watch: &Arc<Watch>) -> Plays {
        let progress = Progress::new(files.len() as u64, "working out the play", Some(watch.clone()));
        let of_file = |(index, file): (usize, &AnalysedFile)| {
            let config = file.input.config.clone();
            let (nodes, watch) = (budget.unwrap_or(config.nodes()), Some(watch.clone()));
            let options = Options { nodes, watch, ..Options::new(config) };
            let found = problem_plays(&file.input.text, &file.report, &options);
            progress.done.fetch_add(1, Ordering::Relaxed);
            found.into_iter().map(move |(start, play)| ((index, start), play)).collect::<Vec<_>>()
        };
        Plays { of: files.par_iter().enumerate().flat_map(of_file).collect() }
    }

    /// The play of the query that starts at an offset of a file.
    pub fn get(&self, file: usize, start: u32) -> Option<&ProblemPlay> {
        self.of.get(&(file, start))
    }
}
