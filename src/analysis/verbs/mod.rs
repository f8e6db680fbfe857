//! The verbs: one file for each, and the table of them.
//!
//! A verb's file has its argument, its evaluation, and its answers: reading a written one, comparing it with the
//! true one, and writing the true one. To add a verb, add its file, its line in [`rules`] and, if its answers are
//! of a new kind, its line in [`answer_text`].
//!
//! Invariant: whatever distinguishes two queries is in [`Question`], the argument included. Answers are remembered
//! by it and puzzles are compared by it, so a verb with an argument cannot get the answer to another argument.

mod capture;
mod chess_move;
mod count;
mod evaluator;
mod mate;
mod parsed_query;
mod sequence;
mod solve;
mod step_syntax;
mod written_answer;

use crate::analysis::binding::Bound;
use crate::analysis::defaults::Notation;
use crate::board::Board;
use crate::diagnostic::{Finding, Span};
use crate::games::{Answer, Question, Undecided};
use crate::syntax::{Element, Query, Value, Verb};

pub(crate) use evaluator::QueryEvaluator;
pub(crate) use parsed_query::{ParsedQuery, QueryKey};
pub(crate) use solve::check_unique;
pub use solve::solution_in_names;
pub use written_answer::AnswerPart;
pub(crate) use written_answer::{ParsedAnswer, answer_parts, read_answer, unreadable_word};

/// The table of verbs.
pub(crate) fn rules(verb: Verb) -> &'static dyn VerbRules {
    match verb {
        Verb::Solve => &solve::Solve,
        Verb::Count => &count::Count,
        Verb::Move => &chess_move::Move,
        Verb::Mate => &mate::Mate,
        Verb::Capture => &capture::Capture,
    }
}

/// An answer as it is written after `=>`, followed by a `remark` if the verb has one; nothing where the answer
/// is incomplete. Squares in numbers count from `origin`.
pub fn answer_text(answer: &Answer, origin: u8, notation: Notation, remark: bool) -> Option<String> {
    match answer {
        Answer::Solve(solution) => Some(solve::write(solution.as_deref(), origin, notation)),
        Answer::Count { count, distinct } => count::write(*count, *distinct, remark),
        Answer::Move(reason) => Some(chess_move::write(reason.is_none(), notation)),
        Answer::Mate { status, .. } => Some(mate::write(*status, notation)),
        Answer::Capture { pieces, .. } => Some(capture::write(pieces, origin, notation)),
    }
}

/// The answers that may be written after a verb.
pub(crate) struct ExpectedAnswer {
    /// In a sentence.
    pub description: &'static str,
    /// Those that are single words.
    pub words: &'static [&'static str],
}

/// The sequence that a wrong one is replaced with.
#[derive(Default)]
pub(crate) struct CorrectSequence {
    /// A sentence about it.
    pub note: Option<String>,
    /// Its text.
    pub text: Option<String>,
}

/// A verb.
pub(crate) trait VerbRules: Sync {
    /// Its keyword.
    fn verb(&self) -> Verb;

    // ---- what is asked

    /// Reads the argument. A verb with an argument puts it into the question.
    ///
    /// # Errors
    /// What is wrong with the argument; no finding where it is missing, which the parser reports.
    fn question(&self, _query: Query<'_>, _bound: &Bound<'_>) -> Result<Question, Vec<Finding>> {
        Ok(Question { verb: self.verb(), request: None })
    }

    /// Why a query without its argument is not evaluated.
    fn missing_argument(&self) -> &'static str {
        ""
    }

    /// Whether a query itself names the side to move.
    fn names_side(&self, _query: Query<'_>) -> bool {
        false
    }

    /// Whether the argument names squares: then a query asks something else of a mirrored board.
    fn argument_names_squares(&self) -> bool {
        false
    }

    // ---- the answer

    /// Works out the answer.
    fn evaluate(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        question: &Question,
    ) -> Result<Answer, Undecided> {
        evaluator.answer(question)
    }

    /// Reports what an answer says about the puzzle where no answer is written.
    fn report_unanswered(
        &self,
        _evaluator: &mut QueryEvaluator<'_, '_>,
        _query: Query<'_>,
        _answer: &Answer,
    ) {
    }

    // ---- written answers

    /// Whether the squares of an answer are shown.
    fn answers_in_squares(&self) -> bool {
        false
    }

    /// What may be written.
    fn expected(&self) -> ExpectedAnswer;

    /// Reads a word in lower case.
    fn read_word(&self, word: &str) -> Option<ParsedAnswer>;

    /// The word for an answer that is commonly called otherwise; `word` is in lower case.
    fn synonym(&self, _word: &str) -> Option<&'static str> {
        None
    }

    /// Reads a list.
    ///
    /// # Errors
    /// What cannot be read in it.
    fn read_list(
        &self,
        value: Value<'_>,
        _bound: &Bound<'_>,
        _board: &Board,
    ) -> Result<ParsedAnswer, Vec<Finding>> {
        Err(vec![written_answer::unreadable(value.span(), "", self.verb())])
    }

    /// The squares and boards of a list that has elements.
    fn list_parts<'t>(&self, _elements: Vec<Element<'t>>) -> Vec<AnswerPart<'t>> {
        Vec::new()
    }

    /// Compares a written word, number or list of verdicts at `span` with the answer, and reports the difference.
    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    );

    /// The sequence that replaces a wrong one.
    fn correct_sequence(&self, _evaluator: &QueryEvaluator<'_, '_>, _answer: &Answer) -> CorrectSequence {
        CorrectSequence::default()
    }
}
