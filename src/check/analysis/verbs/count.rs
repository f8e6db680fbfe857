//! `count`: the number of solutions.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::games::{Answer, Question};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::{Query, Verb};

pub(super) struct Count;

impl VerbRules for Count {
    fn verb(&self) -> Verb {
        Verb::Count
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer { description: "a number", words: &[] }
    }

    fn read_word(&self, word: &str) -> Option<ParsedAnswer> {
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        // As cpz prints it: `204 solutions, 20 distinct`.
        let mut words: Vec<&str> =
            word.split(' ').filter(|w| !matches!(*w, "solution" | "solutions")).collect();
        if words == ["no"] || words == ["none"] {
            words = vec!["0"];
        }
        match words.as_slice() {
            [n] if is_number(n) => Some(ParsedAnswer::Number(n.parse().ok(), None)),
            [n, d, "distinct"] if is_number(n) && is_number(d) => {
                Some(ParsedAnswer::Number(n.parse().ok(), Some(d.parse().unwrap_or(u128::MAX))))
            }
            _ => None,
        }
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    ) {
        let (Answer::Count { count, distinct }, ParsedAnswer::Number(number, of_them)) = (answer, written)
        else {
            return;
        };
        let Some(n) = *count else { return report_undecided(evaluator, query) };
        if Some(n) == *number {
            if let Some(of_them) = of_them {
                compare_distinct(evaluator, query, span, answer, *distinct, *of_them);
            }
            return;
        }
        let message = match n {
            0 => "there is no solution".to_string(),
            1 => "there is 1 solution".to_string(),
            _ => format!("there are {n} solutions"),
        };
        let mut distinct = *distinct;
        if n > 1 && !evaluator.options.answers {
            // It was not needed before, and is worth a search for the reader of a wrong number.
            let question = Question::of(Verb::Count);
            if let Ok(Answer::Count { distinct: known, .. }) = evaluator.answer_once(&question) {
                distinct = known;
            }
        }
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

/// Compares a written number of distinct solutions.
fn compare_distinct(
    evaluator: &mut QueryEvaluator<'_, '_>,
    query: Query<'_>,
    span: Span,
    answer: &Answer,
    distinct: Option<u128>,
    written: u128,
) {
    match distinct {
        None => {
            let message = "how many solutions are distinct is undecided: the search used up its budget";
            evaluator.report(Finding::new(Code::Undecided, query.asked(), message));
        }
        Some(d) if d != written => {
            let message = format!("{d} of the solutions {} distinct", if d == 1 { "is" } else { "are" });
            evaluator.report_wrong(span, message, Vec::new(), answer);
        }
        Some(_) => {}
    }
}

fn report_undecided(evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>) {
    let message = "`count` is undecided: the search used up its budget";
    evaluator.report(Finding::new(Code::Undecided, query.asked(), message));
}
