//! Stipulations that are known and not solved: they are named once, and what is written is kept.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::board::Board;
use cpz_rules::games::{Answer, Question};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::{Query, Value, Verb, unsolved_form};

/// The verb of stipulations that are not solved.
pub(super) struct Unsolved;

/// What is said of a stipulation that is known and not solved; nothing of other words.
pub(super) fn unsolved_message(word: &str) -> Option<String> {
    let name = unsolved_form(word)?;
    Some(format!(
        "{name} is kept and not solved; cpz solves mate and stalemate in direct, self, reflex, help and series play, and some \
         more goals"
    ))
}

impl VerbRules for Unsolved {
    fn verb(&self) -> Verb {
        Verb::Unsolved
    }

    fn question(&self, query: Query<'_>, _: &Bound<'_>) -> Result<Question, Vec<Finding>> {
        let message = unsolved_message(query.keyword().text()).unwrap_or_default();
        Err(vec![Finding::new(Code::UnsupportedStipulation, query.asked(), message)])
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer { description: "a solution in quotes", words: &[] }
    }

    fn read(&self, _: Value<'_>, _: &Bound<'_>, _: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
        Ok(ParsedAnswer::Solution)
    }

    fn read_word(&self, _: &str) -> Option<ParsedAnswer> {
        Some(ParsedAnswer::Solution)
    }

    fn compare(&self, _: &mut QueryEvaluator<'_, '_>, _: Query<'_>, _: Span, _: &Answer, _: &ParsedAnswer) {}
}
