//! `mate in`, `selfmate` and `helpmate`: chess problems. All keys or all solutions are found, and what is written is
//! compared with them.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_findings::{report_answered, report_unanswered};
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::{WrittenWord, numbered, phrase};
use cpz_rules::board::Board;
use cpz_rules::games::{Answer, ProblemKind, Question, Stipulation};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{Query, Value, Verb};

/// The verbs of chess problems: one for each kind.
pub(super) struct Problem(pub ProblemKind);

impl VerbRules for Problem {
    fn verb(&self) -> Verb {
        match self.0 {
            ProblemKind::Mate => Verb::MateIn,
            ProblemKind::Selfmate => Verb::Selfmate,
            ProblemKind::Helpmate => Verb::Helpmate,
        }
    }

    fn question(&self, query: Query<'_>, _: &Bound<'_>) -> Result<Question, Vec<Finding>> {
        // The parser reports a missing length.
        let (text, span) = query.length().ok_or_else(Vec::new)?;
        let plies = read_length(self.0, text, span).map_err(|finding| vec![finding])?;
        let stipulation = Stipulation { kind: self.0, plies };
        Ok(Question { stipulation: Some(stipulation), ..Question::of(self.verb()) })
    }

    fn missing_argument(&self) -> &'static str {
        "its length is missing"
    }

    fn may_castle(&self, _: &Question) -> bool {
        true
    }

    fn expected(&self) -> ExpectedAnswer {
        let description = match self.0 {
            ProblemKind::Mate | ProblemKind::Selfmate => {
                "a key, as in `Qb6`, a list of keys, a solution in quotes, or `none`"
            }
            ProblemKind::Helpmate => "a solution in quotes, a list of solutions, or `none`",
        };
        ExpectedAnswer { description, words: &["none"] }
    }

    fn read(&self, value: Value<'_>, _: &Bound<'_>, _: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
        if let Some(found) = phrase(value).and_then(|text| read_number_or_none(&text)) {
            return Ok(found);
        }
        match value.elements().is_empty() {
            true => Err(vec![self.unreadable(value.span(), "")]),
            false => Ok(ParsedAnswer::Solution),
        }
    }

    fn may_be_moves(&self, words: &[WrittenWord<'_>]) -> bool {
        !words.is_empty()
    }

    fn word_parts<'t>(&self, words: &[WrittenWord<'t>]) -> Vec<AnswerPart<'t>> {
        numbered(words).into_iter().map(|m| AnswerPart::Move(m.word.text, m.word.span)).collect()
    }

    /// Any word may be a move; the replay says which is none.
    fn read_word(&self, _: &str) -> Option<ParsedAnswer> {
        Some(ParsedAnswer::Solution)
    }

    fn report_unanswered(&self, evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, answer: &Answer) {
        report_unanswered(evaluator, query, answer);
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    ) {
        report_answered(evaluator, query, span, answer, written);
    }
}

/// Reads `none`, and what hints print: `no mate in 2`, `3 keys`, `1 solution`.
fn read_number_or_none(text: &str) -> Option<ParsedAnswer> {
    match text.split(' ').collect::<Vec<_>>()[..] {
        ["none" | "false"] | ["no", "key" | "solution"] => Some(ParsedAnswer::Nothing),
        ["no", "mate" | "selfmate" | "helpmate", "in", _] => Some(ParsedAnswer::Nothing),
        [number, "key" | "keys" | "solution" | "solutions"] => {
            Some(ParsedAnswer::Number(Some(number.parse().ok()?), None))
        }
        _ => None,
    }
}

/// Reads the length of a problem in half moves, twice the number of moves.
///
/// # Errors
/// Why it is none, with a fix where one is evident.
fn read_length(kind: ProblemKind, text: &str, span: Span) -> Result<u8, Finding> {
    let (word, max) = (kind.word(), Stipulation::MAX_MOVES);
    let wrong = |message: String| Finding::new(Code::InvalidValue, span, message);
    let (whole, half) = match text.split_once(['.', ',']) {
        Some((whole, half)) => (whole, Some(half)),
        None => (text, None),
    };
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || half.is_some_and(|half| !is_number(half)) {
        const WORDS: [&str; 10] =
            ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        let finding = wrong(format!("write the number of moves in digits, as in `{word} in 2`"));
        let number = WORDS.iter().position(|w| w.eq_ignore_ascii_case(text)).map(|i| (i + 1).to_string());
        return Err(match number {
            Some(number) => finding.fix(Fix::new(format!("replace with `{number}`"), span, number, true)),
            None => finding,
        });
    }
    let has_half = match half {
        None => false,
        Some("5") if kind == ProblemKind::Helpmate => true,
        Some(_) if kind == ProblemKind::Helpmate => {
            return Err(wrong(
                "a helpmate has whole moves, or half a move more, written `.5`: `2`, `2.5`".into(),
            ));
        }
        Some(_) => {
            return Err(wrong(format!("a {word} has whole moves; only a helpmate may have half a move")));
        }
    };
    match whole.parse::<u8>() {
        Ok(0) => Err(wrong(format!("a {word} takes at least one move"))),
        Ok(n) if n < max || n == max && !has_half => Ok(2 * n + u8::from(has_half)),
        _ => Err(wrong(format!("a {word} may have at most {max} moves"))),
    }
}
