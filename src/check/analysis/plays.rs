//! The play of the chess problems of a text.

use crate::analysis::binding::Bound;
use crate::analysis::file_report::{FileReport, Options, Outcome};
use crate::analysis::lookup::bind_all;
use crate::analysis::verbs::{PlayParts, ProblemPlay, problem_play};
use crate::parallel::*;
use cpz_rules::games::Answer;
use cpz_text::syntax::{Query, parse};
use rustc_hash::FxHashSet;

/// The play of each query of a text that is a chess problem with an answer, with the offset of the query. `report` is the
/// report of the text. Where the solutions are whole sequences, the play is the position alone.
pub fn problem_plays(text: &str, report: &FileReport, options: &Options) -> Vec<(u32, ProblemPlay)> {
    let is_problem =
        |o: &Outcome| matches!(o, Outcome::Answer(Answer::Keys { .. } | Answer::Sequences { .. }));
    let answered = report.puzzles.iter().flat_map(|p| &p.queries).filter(|q| is_problem(&q.outcome));
    let answered: FxHashSet<u32> = answered.map(|q| q.span.start).collect();
    if answered.is_empty() {
        return Vec::new();
    }
    let tree = parse(text);
    let all = bind_all(&tree, options.config.settings);
    let queries = all.iter().flat_map(|(bound, _)| bound.puzzle.queries().map(move |q| (bound, q)));
    let is_answered = |(_, query): &(&Bound<'_>, Query<'_>)| answered.contains(&query.span().start);
    let queries: Vec<(&Bound<'_>, Query<'_>)> = queries.filter(is_answered).collect();
    let play = |&(bound, query): &(&Bound<'_>, Query<'_>)| {
        let play = problem_play(bound, query, usize::MAX, PlayParts::All, options);
        let play = play.or_else(|| ProblemPlay::of_sequences(bound, query))?;
        Some((query.span().start, play))
    };
    queries.par_iter().filter_map(play).collect()
}
