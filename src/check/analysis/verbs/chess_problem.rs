//! Chess problems, from `mate in` to `ser-h=`. All keys or all solutions are found, and what is written is compared with
//! them.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_answers::report_answered;
use crate::analysis::verbs::problem_findings::report_unanswered;
use crate::analysis::verbs::problem_position::problem_position;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::{WrittenWord, numbered, phrase};
use cpz_rules::board::{Board, Square};
use cpz_rules::games::{Answer, CompactPosition, Goal, Play, Position, ProblemKind, Question, Stipulation};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{Property, Query, Value, Verb};

/// The verbs of chess problems: one for each kind.
#[derive(Clone, Copy)]
pub(super) struct Problem(ProblemKind);

/// A verb for each play and goal, also for those that have no word.
static PROBLEMS: [[Problem; Goal::ALL.len()]; Play::ALL.len()] = {
    let mut table = [[Problem(ProblemKind::MATE); Goal::ALL.len()]; Play::ALL.len()];
    let mut at = 0;
    while at < Play::ALL.len() * Goal::ALL.len() {
        let (i, j) = (at / Goal::ALL.len(), at % Goal::ALL.len());
        table[i][j] = Problem(ProblemKind { play: Play::ALL[i], goal: Goal::ALL[j] });
        at += 1;
    }
    table
};

/// The verb of a kind of problem.
pub(super) fn problem(kind: ProblemKind) -> &'static Problem {
    &PROBLEMS[kind.play as usize][kind.goal as usize]
}

impl VerbRules for Problem {
    fn verb(&self) -> Verb {
        Verb::Problem(self.0)
    }

    fn question(&self, query: Query<'_>, bound: &Bound<'_>) -> Result<Question, Vec<Finding>> {
        let stipulation = stipulation_behind(query)?;
        Ok(question_about(bound, bound.position().ok().as_ref(), stipulation))
    }

    fn missing_argument(&self) -> &'static str {
        "its length is missing"
    }

    fn may_castle(&self, _: &Question) -> bool {
        true
    }

    fn argument_names_squares(&self) -> bool {
        self.0.goal == Goal::Arrival
    }

    fn expected(&self) -> ExpectedAnswer {
        let description = match self.0.play.has_sequences() {
            false => "a key, as in `Qb6`, a list of keys, a solution in quotes, or `none`",
            true => "a solution in quotes, a list of solutions, or `none`",
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
        let other = matches!(written, ParsedAnswer::Nothing).then(|| answer_to_another(self.0, query));
        match other.flatten() {
            Some(other) => evaluator.report(Finding::new(
                Code::WrongAnswer,
                span,
                format!("this says that there is {other}, which is not asked here"),
            )),
            None => report_answered(evaluator, query, span, answer, written),
        }
    }
}

/// The words of an answer such as `no mate in 3` behind another question than `mate in 3`.
fn answer_to_another(kind: ProblemKind, query: Query<'_>) -> Option<String> {
    let text = phrase(query.answer()?)?;
    let ["no", word, "in", length] = text.split(' ').collect::<Vec<_>>()[..] else { return None };
    let asked = query.length().map(|(length, _)| length);
    (word != kind.word() || asked != Some(length)).then_some(text)
}

/// The question that a problem asks about a diagram.
pub(super) fn question_about(
    bound: &Bound<'_>,
    diagram: Option<&Position>,
    stipulation: Stipulation,
) -> Question {
    let verb = Verb::Problem(stipulation.kind);
    let question = Question { stipulation: Some(stipulation), ..Question::of(verb) };
    let Some(diagram) = diagram.filter(|_| bound.puzzle.has_property(Property::HalfDuplex)) else {
        return question;
    };
    let begin = problem_position(bound, diagram, stipulation);
    let position = CompactPosition::new(&begin.board, begin.turn.other(), begin.rights.castling);
    Question { position: Some(position), ..question }
}

/// What a query of a chess problem asks.
///
/// # Errors
/// Why its length is none; nothing where it is missing, which the parser reports.
pub(super) fn stipulation_behind(query: Query<'_>) -> Result<Stipulation, Vec<Finding>> {
    let kind = query.verb().and_then(Verb::problem).ok_or_else(Vec::new)?;
    let (text, span) = query.length().ok_or_else(Vec::new)?;
    let plies = read_length(kind, text, span).map_err(|finding| vec![finding])?;
    let square = match kind.goal {
        // The parser reports a missing square, and reads no other than those of a board.
        Goal::Arrival => {
            let (name, _) = query.goal_square().ok_or_else(Vec::new)?;
            Some(Square::new(name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1'))
        }
        _ => None,
    };
    Ok(Stipulation { kind, plies, square })
}

/// Reads `none`, and what hints print: `no mate in 2`, `3 keys`, `1 solution`.
fn read_number_or_none(text: &str) -> Option<ParsedAnswer> {
    match text.split(' ').collect::<Vec<_>>()[..] {
        ["none" | "false"] | ["no", "key" | "solution"] => Some(ParsedAnswer::Nothing),
        ["no", kind, "in", _] if ProblemKind::from_word(kind).is_some() => Some(ParsedAnswer::Nothing),
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
    let in_digits = match kind.goal.has_word() {
        true => format!("{word} in 2"),
        false => format!("{word}2"),
    };
    let wrong = |message: String| Finding::new(Code::InvalidValue, span, message);
    let (whole, half) = match text.split_once(['.', ',']) {
        Some((whole, half)) => (whole, Some(half)),
        None => (text, None),
    };
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || half.is_some_and(|half| !is_number(half)) {
        const WORDS: [&str; 10] =
            ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        let finding = wrong(format!("write the number of moves in digits, as in `{in_digits}`"));
        let number = WORDS.iter().position(|w| w.eq_ignore_ascii_case(text)).map(|i| (i + 1).to_string());
        return Err(match number {
            Some(number) => finding.fix(Fix::new(format!("replace with `{number}`"), span, number, true)),
            None => finding,
        });
    }
    let has_half = match half {
        None => false,
        Some("5") if kind.play.may_have_half() => true,
        Some(_) if kind.play.may_have_half() => {
            return Err(wrong(format!(
                "a {word} has whole moves, or half a move more, written `.5`: `2`, `2.5`"
            )));
        }
        Some(_) => {
            return Err(wrong(format!("a {word} has whole moves; only help play may have half a move")));
        }
    };
    match whole.parse::<u8>() {
        Ok(1) if kind.play == Play::HelpSelf && has_half => Ok(3),
        Ok(0) => Err(wrong(format!("a {word} takes at least one move"))),
        Ok(n) if n < max || n == max && !has_half => Ok(2 * n + u8::from(has_half)),
        _ => Err(wrong(format!("a {word} may have at most {max} moves"))),
    }
}
