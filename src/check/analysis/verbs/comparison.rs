//! Evaluates a query, and compares the answer with the written one.

use crate::analysis::file_report::{Outcome, QueryReport};
use crate::analysis::verbs::answer_reader::read_answer;
use crate::analysis::verbs::evaluator::{QueryEvaluator, why};
use crate::analysis::verbs::twin::twin_report;
use crate::analysis::verbs::written_answer::ParsedAnswer;
use crate::analysis::verbs::{rules, sequence};
use cpz_rules::games::{Answer, Question};
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
    let answer = rules.evaluate(evaluator, question);
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
            let message = format!("`{asked}` is undecided: {}", why(*undecided));
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
    let outcome = match answer {
        Ok(answer) => Outcome::Answer(answer),
        Err(undecided) => Outcome::Undecided(why(undecided).into()),
    };
    let twin = twin_report(query, evaluator.bound, &evaluator.position, question).map(Box::new);
    QueryReport { verb, span: query.span(), asked: query.asked(), answered: query.has_arrow(), outcome, twin }
}
