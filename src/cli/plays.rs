//! The play of the chess problems in some files, for `cpz solve`.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::analysis::{Options, Outcome, PlayParts, ProblemPlay, bind_all, problem_play};
use crate::cli::analyse::AnalysedFile;
use crate::games::Answer;
use crate::syntax::parse;

/// The play of each problem, by the index of its file and the start of its query.
#[derive(Default)]
pub struct Plays {
    of: FxHashMap<(usize, u32), ProblemPlay>,
}

impl Plays {
    /// The play of all problems of some files. `budget` is the node budget of each search, instead of the one of the
    /// configuration.
    pub fn of(files: &[AnalysedFile], budget: Option<u64>) -> Plays {
        let of_file = |(index, file): (usize, &AnalysedFile)| {
            let found = in_file(file, budget);
            found.into_iter().map(move |(start, play)| ((index, start), play)).collect::<Vec<_>>()
        };
        Plays { of: files.par_iter().enumerate().flat_map(of_file).collect() }
    }

    /// The play of the query that starts at an offset of a file.
    pub fn get(&self, file: usize, start: u32) -> Option<&ProblemPlay> {
        self.of.get(&(file, start))
    }
}

fn in_file(file: &AnalysedFile, budget: Option<u64>) -> Vec<(u32, ProblemPlay)> {
    let has_keys = |o: &Outcome| matches!(o, Outcome::Answer(Answer::Keys { .. }));
    if !file.report.puzzles.iter().flat_map(|p| &p.queries).any(|q| has_keys(&q.outcome)) {
        return Vec::new();
    }
    let config = file.input.config.clone();
    let base = config.settings;
    let options = Options { nodes: budget.unwrap_or(config.nodes), ..Options::new(config) };
    let tree = parse(file.input.text.as_str());
    let all = bind_all(&tree, base);
    let queries = all.iter().flat_map(|(bound, _)| bound.puzzle.queries().map(move |q| (bound, q)));
    let play = |(bound, query)| {
        Some((query_start(query), problem_play(bound, query, usize::MAX, PlayParts::All, &options)?))
    };
    queries.filter_map(play).collect()
}

fn query_start(query: crate::syntax::Query<'_>) -> u32 {
    query.span().start
}
