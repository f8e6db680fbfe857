//! The play of the chess problems of a text.

use crate::analysis::file_report::{FileReport, Options, Outcome};
use crate::analysis::lookup::bind_all;
use crate::analysis::verbs::{PlayParts, ProblemPlay, problem_play};
use cpz_rules::games::Answer;
use cpz_text::syntax::parse;

/// The play of each query of a text that has keys, with the offset of the query. `report` is the report of the text.
pub fn problem_plays(text: &str, report: &FileReport, options: &Options) -> Vec<(u32, ProblemPlay)> {
    let has_keys = |o: &Outcome| matches!(o, Outcome::Answer(Answer::Keys { .. }));
    if !report.puzzles.iter().flat_map(|p| &p.queries).any(|q| has_keys(&q.outcome)) {
        return Vec::new();
    }
    let tree = parse(text);
    let all = bind_all(&tree, options.config.settings);
    let queries = all.iter().flat_map(|(bound, _)| bound.puzzle.queries().map(move |q| (bound, q)));
    let play = |(bound, query): (_, cpz_text::syntax::Query<'_>)| {
        Some((query.span().start, problem_play(bound, query, usize::MAX, PlayParts::All, options)?))
    };
    queries.filter_map(play).collect()
}
