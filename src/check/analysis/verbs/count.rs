//! `count`: the number of solutions.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::games::{Answer, Question};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
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
        let (Answer::Count { count, distinct }, &ParsedAnswer::Number(number, of_them)) = (answer, written)
        else {
            return;
        };
        let Some(n) = *count else { return report_undecided(evaluator, query) };
        let is_right = Some(n) == number;
        let mut distinct = *distinct;
        if distinct.is_none() && !evaluator.options.answers && (of_them.is_some() || n > 1 && !is_right) {
            // It was not needed before, and is worth a search for the reader of a wrong number.
            if let Ok(Answer::Count { distinct: known, .. }) =
                evaluator.answer_once(&Question::of(Verb::Count))
            {
                distinct = known;
            }
        }
        let is_or_are = |d| if d == 1 { "is" } else { "are" };
        let mut finding = match (n, of_them, distinct) {
            (_, None, _) if is_right => return,
            (_, Some(_), None) if is_right => {
                let message = "how many solutions are distinct is undecided: the search used up its budget";
                return evaluator.report(Finding::new(Code::Undecided, query.asked(), message));
            }
            (_, Some(of_them), Some(d)) if is_right => match d == of_them {
                true => return,
                false => wrong(span, format!("{d} of the solutions {} distinct", is_or_are(d))),
            },
            (0, ..) => wrong(span, "there is no solution"),
            (1, ..) => wrong(span, "there is 1 solution"),
            _ => wrong(span, format!("there are {n} solutions")),
        };
        if let Some(d) = distinct.filter(|_| n > 1 && !is_right) {
            finding.notes = vec![format!("{d} of them {} distinct", is_or_are(d))];
        }
        match of_them.and(distinct) {
            Some(d) => {
                let text = format!("{n} solution{}, {d} distinct", if n == 1 { "" } else { "s" });
                let title = format!("replace the answer with `{text}`");
                evaluator.report(finding.fix(Fix::if_board_is_right(title, span, text)));
            }
            None => evaluator.report_with_answer(finding, span, answer),
        }
    }

    fn report_unanswered(&self, evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, answer: &Answer) {
        if matches!(answer, Answer::Count { count: None, .. }) {
            report_undecided(evaluator, query);
        }
    }
}

fn wrong(span: Span, message: impl Into<String>) -> Finding {
    Finding::new(Code::WrongAnswer, span, message)
}

fn report_undecided(evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>) {
    let message = "`count` is undecided: the search used up its budget";
    evaluator.report(Finding::new(Code::Undecided, query.asked(), message));
}
