//! What a written answer says: how many solutions there are, and their moves.

use crate::analysis::binding::Bound;
use crate::analysis::defaults::intended_number;
use crate::analysis::verbs::answer_reader::read_answer;
use crate::analysis::verbs::parsed_query::ParsedQuery;
use crate::analysis::verbs::solution_text::{WrittenPlay, read_set_play, read_solution, replay};
use crate::analysis::verbs::solution_texts::solution_texts;
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::board::Square;
use cpz_rules::games::{Position, Step, Stipulation};
use cpz_text::syntax::{Query, Verb};

/// Whether a query says that there is no solution, as in `solve => none`.
pub(crate) fn claims_nothing(bound: &Bound<'_>, query: Query<'_>) -> bool {
    matches!(written(bound, query), Some(ParsedAnswer::Nothing | ParsedAnswer::Number(Some(0), _)))
}

/// How many keys or solutions a chess problem is meant to have: as many as `solutions` says or are written, 1 at least.
pub(crate) fn intended_solutions(bound: &Bound<'_>, query: Query<'_>) -> usize {
    let named = intended_number(query, bound.settings.solutions).map_or(1, |n| n as usize);
    let written = match written(bound, query) {
        Some(ParsedAnswer::Number(Some(n), _)) => usize::try_from(n).unwrap_or(usize::MAX),
        Some(ParsedAnswer::Solution) => query.answer().map_or(1, |answer| {
            // A twin may ask something else than the diagram.
            let asked = ParsedQuery::question_of(query, bound).and_then(|question| question.stipulation);
            solution_texts(answer, asked.is_some_and(|asked| asked.play().has_sequences())).len()
        }),
        _ => 1,
    };
    named.max(written).max(1)
}

/// The moves of the written solution of a chess problem that [`problem_of`](crate::analysis::problem_of) reads; nothing where
/// the answer is another one, such as a number, or no move of it can be made.
pub fn written_play(
    bound: &Bound<'_>,
    query: Query<'_>,
    start: &Position,
    asked: Stipulation,
) -> Option<WrittenPlay> {
    let Some(ParsedAnswer::Solution) = written(bound, query) else { return None };
    let texts = solution_texts(query.answer()?, asked.play().has_sequences());
    let solution = match query.verb() {
        Some(Verb::SetPlay) if !asked.play().has_sequences() => read_set_play(&texts, asked, start.turn),
        _ => read_solution(&texts, asked, start.turn),
    };
    let play = replay(&solution, start, asked);
    (!play.steps.is_empty()).then_some(play)
}

/// The squares of each capture that the answer of a `capture` is written with, in whatever form; none where it says something
/// else, such as verdicts.
pub fn written_captures(bound: &Bound<'_>, query: Query<'_>) -> Vec<Vec<Square>> {
    let path = |steps: &[Step]| -> Vec<Square> {
        steps.first().map(|first| first.from).into_iter().chain(steps.iter().map(|step| step.to)).collect()
    };
    match written(bound, query) {
        Some(ParsedAnswer::Steps(steps, None)) if !steps.is_empty() => {
            vec![path(&steps.iter().map(|(step, _)| *step).collect::<Vec<_>>())]
        }
        Some(ParsedAnswer::Captures(captures, _)) => captures.iter().map(|(steps, _)| path(steps)).collect(),
        _ => Vec::new(),
    }
}

fn written(bound: &Bound<'_>, query: Query<'_>) -> Option<ParsedAnswer> {
    let (verb, answer) = (query.verb()?, query.answer()?);
    let board = bound.position().ok()?.board;
    read_answer(answer, verb, bound, &board).ok()
}
