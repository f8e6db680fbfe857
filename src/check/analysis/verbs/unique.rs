//! `unique`: whether a puzzle has one solution only.

use crate::analysis::verbs::answer_reader::read_answer;
use crate::analysis::verbs::answer_writer::solution_in_names;
use crate::analysis::verbs::evaluator::{QueryEvaluator, why};
use crate::analysis::verbs::solve;
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::games::{Answer, Capture, Step, Undecided};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::Verb;

/// Reports whether a puzzle with `unique` at `at` has a second solution.
pub(crate) fn check_unique(evaluator: &mut QueryEvaluator<'_, '_>, at: Span) {
    let puzzle = evaluator.bound.puzzle;
    // The `unique` of a file is outside of the puzzle: then the puzzle's head is marked.
    let is_inside = puzzle.span().start <= at.start && at.end <= puzzle.span().end;
    let at = if is_inside { at } else { puzzle.head() };
    let first = match written_solution(evaluator) {
        Some(first) => first,
        None => match evaluator.answer(&solve::QUESTION) {
            Ok(Answer::Solve(Some(first))) => first,
            // The query reports that there is no solution.
            Ok(_) => return,
            Err(undecided) => return report_undecided(evaluator, at, undecided),
        },
    };
    let second = evaluator.search(|game, position, budget| game.second(position, &first, budget));
    evaluator.note(&second);
    match second {
        Ok(None) => {}
        Ok(Some(second)) => {
            let place = puzzle.queries().find(|q| q.verb() == Some(Verb::Solve)).map(|q| q.asked());
            let place = place.or(puzzle.boards().next().map(|b| b.keyword().span())).unwrap_or(at);
            let text = format!("a second solution: {}", solution_in_names(&second));
            let finding = Finding::new(Code::NotUnique, at, format!("this puzzle is not unique; {text}"))
                .note(format!("the first solution: {}", solution_in_names(&first)))
                .related(place, text);
            evaluator.report(finding);
        }
        Err(undecided) => report_undecided(evaluator, at, undecided),
    }
}

fn report_undecided(evaluator: &mut QueryEvaluator<'_, '_>, at: Span, undecided: Undecided) {
    let message = format!("whether the solution is unique is undecided: {}", why(undecided));
    evaluator.report(Finding::new(Code::Undecided, at, message));
}

/// The written solution, if it is correct and written as steps.
fn written_solution(evaluator: &QueryEvaluator<'_, '_>) -> Option<Vec<Capture>> {
    let bound = evaluator.bound;
    let query = bound.puzzle.queries().find(|q| q.verb() == Some(Verb::Solve) && q.answer().is_some())?;
    match read_answer(query.answer()?, Verb::Solve, bound, &evaluator.position.board).ok()? {
        ParsedAnswer::Steps(steps, None) => {
            let plain: Vec<Step> = steps.iter().map(|s| s.0).collect();
            evaluator.game().follow(&evaluator.position, &plain).ok()?;
            Some(plain.iter().map(|s| Capture { from: s.from, to: s.to }).collect())
        }
        _ => None,
    }
}
