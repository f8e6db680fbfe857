//! Evaluates a query, and compares the answer with the written one.

use crate::analysis::base_query::{star_asks_for_set_play, star_of};
use crate::analysis::file_report::{Outcome, QueryReport};
use crate::analysis::verbs::answer_reader::read_answer;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_answers::report_wrong_steps;
use crate::analysis::verbs::problem_findings::ASIDE;
use crate::analysis::verbs::problem_position::position_of_question;
use crate::analysis::verbs::set_play::question_of_set_play;
use crate::analysis::verbs::twin::{has_no_set_play, twin_report};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use crate::analysis::verbs::{rules, sequence};
use cpz_rules::games::{Answer, Question, Undecided};
use cpz_text::diagnostic::{Code, Finding, Severity, Span};
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
        (Err(Undecided::Budget), Some((_, Ok(ParsedAnswer::Solution))))
            if report_wrong_steps(evaluator, query, question) => {}
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
    let set_play = match star_asks_for_set_play(query, evaluator.bound.puzzle) {
        true => starred_set_play(evaluator, query, question, &answer),
        false => None,
    };
    let set_play = set_play.filter(|_| evaluator.options.answers);
    let set_play = set_play.map(|answer| Box::new(outcome_of(evaluator, answer)));
    let outcome = outcome_of(evaluator, answer);
    let twin = twin_report(query, evaluator.bound, &evaluator.position, question).map(Box::new);
    let (asked, answered) = (query.asked(), query.has_arrow());
    QueryReport { verb, span: query.span(), asked, answered, outcome, twin, set_play, nodes }
}

/// The set play that a star behind a stipulation asks for; nothing where the problem can have none. Stores whether there is
/// none, though there is a solution.
fn starred_set_play(
    evaluator: &mut QueryEvaluator<'_, '_>,
    query: Query<'_>,
    question: &Question,
    solution: &Result<Answer, Undecided>,
) -> Option<Result<Answer, Undecided>> {
    // That of a duplex is no matter of the star.
    let star = star_of(query, evaluator.bound.puzzle).filter(|_| query.verb() != Some(Verb::Duplex));
    if !evaluator.options.answers && star.is_none() {
        return None;
    }
    let asked = question_of_set_play(evaluator, question);
    let aside = |evaluator: &mut QueryEvaluator<'_, '_>, asked: Question| {
        let position = position_of_question(evaluator.bound, &evaluator.position, &asked)?;
        Some(evaluator.search_within(ASIDE, |game, _, budget| game.answer(&position, &asked, budget)))
    };
    let answer = asked.and_then(|asked| match evaluator.options.answers {
        true => Some(evaluator.answer(&asked)),
        false => aside(evaluator, asked),
    });
    let Some(star) = star else { return answer };
    let is_none = |answer: &Option<Result<Answer, Undecided>>| match answer {
        Some(Ok(answer)) => has_no_set_play(answer),
        Some(Err(_)) => false,
        None => true,
    };
    // In self play the other side may be ready to reach the goal at once: what is set then has no answer.
    let at_once = asked.and_then(|asked| {
        let stipulation = asked.stipulation.filter(|s| s.play().is_against_itself())?;
        (!stipulation.play().has_sequences())
            .then(|| Question { stipulation: Some(stipulation.with_moves(1)), ..asked })
    });
    let is_none = is_none(&answer) && at_once.is_none_or(|asked| is_none(&aside(evaluator, asked)));
    let is_solved = match solution {
        Ok(Answer::Keys { keys, .. }) => !keys.is_empty(),
        Ok(Answer::Sequences { solutions, .. }) => !solutions.is_empty(),
        _ => false,
    };
    evaluator.stars.push((star, is_none && is_solved));
    answer
}

/// Warns of each star that asks for set play where there is none: neither that of the problem nor that of a twin.
pub(crate) fn report_vain_stars(evaluator: &mut QueryEvaluator<'_, '_>) {
    let stars = std::mem::take(&mut evaluator.stars);
    // A query asks for what the star does.
    let is_asked = || evaluator.bound.puzzle.queries().any(|query| query.verb() == Some(Verb::SetPlay));
    let is_vain = |star: Span| stars.iter().all(|&(other, is_none)| other != star || is_none);
    let mut vain: Vec<Span> = stars.iter().map(|(star, _)| *star).filter(|star| is_vain(*star)).collect();
    vain.dedup();
    if vain.is_empty() || is_asked() {
        return;
    }
    for star in vain {
        let message = "the star asks for set play, and there is none";
        evaluator.report(Finding::new(Code::InvalidValue, star, message).severity(Severity::Warning));
    }
}

fn outcome_of(evaluator: &QueryEvaluator<'_, '_>, answer: Result<Answer, Undecided>) -> Outcome {
    match answer {
        Ok(answer) => Outcome::Answer(answer),
        Err(undecided) => Outcome::Undecided(evaluator.why(undecided)),
    }
}
