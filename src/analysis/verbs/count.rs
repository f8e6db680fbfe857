//! `count`: the number of solutions.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use crate::diagnostic::{Code, Finding, Span};
use crate::games::Answer;
use crate::syntax::{Query, Verb};

pub(super) struct Count;

impl VerbRules for Count {
    fn verb(&self) -> Verb {
        Verb::Count
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer { description: "a number", words: &[] }
    }

    fn read_word(&self, word: &str) -> Option<ParsedAnswer> {
        let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| ParsedAnswer::Number(word.parse().ok()))
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    ) {
        let (Answer::Count { count, distinct }, ParsedAnswer::Number(number)) = (answer, written) else {
            return;
        };
        let Some(n) = *count else { return report_undecided(evaluator, query) };
        if Some(n) == *number {
            return;
        }
        let message = match n {
            0 => "there is no solution".to_string(),
            1 => "there is 1 solution".to_string(),
            _ => format!("there are {n} solutions"),
        };
        let is_or_are = |d| if d == 1 { "is" } else { "are" };
        let distinct = distinct.filter(|_| n > 1);
        let notes = distinct.map(|d| format!("{d} of them {} distinct", is_or_are(d))).into_iter().collect();
        evaluator.report_wrong(span, message, notes, answer);
    }

    fn report_unanswered(&self, evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, answer: &Answer) {
        if matches!(answer, Answer::Count { count: None, .. }) {
            report_undecided(evaluator, query);
        }
    }
}

fn report_undecided(evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>) {
    let message = "`count` is undecided: the search used up its budget";
    evaluator.report(Finding::new(Code::Undecided, query.asked(), message));
}
