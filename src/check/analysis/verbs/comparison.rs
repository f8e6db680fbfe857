//! Evaluates a query, and compares the answer with the written one.

use crate::analysis::binding::Bound;
use crate::analysis::file_report::{Outcome, QueryReport};
use crate::analysis::verbs::answer_reader::read_answer;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::set_play::question_of_set_play;
use crate::analysis::verbs::twin::twin_report;
use crate::analysis::verbs::twin_state::{base_of_set_play, base_problem};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use crate::analysis::verbs::{rules, sequence};
use cpz_rules::games::{Answer, Question, Undecided};
use cpz_text::diagnostic::{Code, Finding};
use cpz_text::syntax::{Query, Verb};

/// Evaluates a query, and reports where the written answer differs.
pub(crate) fn evaluate_query(
    evaluator: &mut QueryEvaluator<'_, '_>,
    query: Query<'_>,
    question: &Question,
) -> QueryReport {
    let (verb, rules) = (question.verb, rules(question.verb));
    evaluator.question = Some(*question);
    let nodes_before = evaluator.nodes;
    let answer = rules.evaluate(evaluator, question);
    let nodes = evaluator.nodes - nodes_before;
    let is_partial = match &answer {
        Ok(Answer::Count { count, distinct }) => {
            evaluator.options.answers && (count.is_none() || distinct.is_none())
        }
        Ok(Answer::Keys { complete, .. } | Answer::Sequences { complete, .. }) => !complete,
        Ok(_) => false,
        Err(_) => true,
    };
    evaluator.hit_budget |= is_partial;
    let written =
        query.answer().map(|v| (v.span(), read_answer(v, verb, evaluator.bound, &evaluator.position.board)));
    let before = evaluator.findings.len();
    match (&answer, written) {
        (_, Some((_, Err(findings)))) => evaluator.findings.extend(findings),
        (_, Some((span, Ok(ParsedAnswer::Steps(steps, unread))))) => {
            sequence::check_steps(evaluator, rules, span, &steps, unread, &answer);
        }
        (_, Some((span, Ok(ParsedAnswer::Boards(boards))))) => {
            sequence::check_boards(evaluator, rules, span, &boards, &answer);
        }
        (Err(undecided), _) => {
            let text = query.node().tree().text();
            let asked = if verb == Verb::Twin { &text[query.asked().range()] } else { verb.word() };
            let message = format!("`{asked}` is undecided: {}", evaluator.why(*undecided));
            evaluator.report(Finding::new(Code::Undecided, query.asked(), message));
        }
        (Ok(answer), Some((span, Ok(written)))) => rules.compare(evaluator, query, span, answer, &written),
        (Ok(answer), None) => rules.report_unanswered(evaluator, query, answer),
    }
    // One slip is one finding.
    if let Ok(answer) = &answer
        && evaluator.findings.len() == before
    {
        rules.check_claims(evaluator, query, question, answer);
    }
    let outcome = outcome_of(evaluator, answer);
    let twin = twin_report(query, evaluator.bound, &evaluator.position, question).map(Box::new);
    let set_play = match evaluator.options.answers && asks_for_set_play(evaluator.bound, query) {
        true => starred_set_play(evaluator, question).map(Box::new),
        false => None,
    };
    let (asked, answered) = (query.asked(), query.has_arrow());
    QueryReport { verb, span: query.span(), asked, answered, outcome, twin, set_play, nodes }
}

/// Whether a star asks for the set play of a problem, of its duplex or of a twin, and no query behind it does.
fn asks_for_set_play(bound: &Bound<'_>, query: Query<'_>) -> bool {
    let has_star = match query.verb() {
        Some(Verb::Problem(_)) => query.star().is_some(),
        Some(Verb::Twin | Verb::Duplex) => {
            base_problem(query, bound).is_some_and(|problem| problem.star().is_some())
        }
        _ => false,
    };
    let asks_the_same = |other: Query<'_>| {
        other.verb() == Some(Verb::SetPlay)
            && base_of_set_play(other, bound).is_some_and(|base| base.span() == query.span())
    };
    has_star && !bound.puzzle.queries().any(asks_the_same)
}

/// The set play that a star behind a stipulation asks for; nothing where the problem can have none.
fn starred_set_play(evaluator: &mut QueryEvaluator<'_, '_>, question: &Question) -> Option<Outcome> {
    let question = question_of_set_play(evaluator, question)?;
    let answer = evaluator.answer(&question);
    Some(outcome_of(evaluator, answer))
}

fn outcome_of(evaluator: &QueryEvaluator<'_, '_>, answer: Result<Answer, Undecided>) -> Outcome {
    match answer {
        Ok(answer) => Outcome::Answer(answer),
        Err(undecided) => Outcome::Undecided(evaluator.why(undecided)),
    }
}
