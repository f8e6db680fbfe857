//! `line`: the author's line of play. Nothing is computed; the written moves are replayed on the position.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use crate::analysis::verbs::written_words::{without_numbers, written_words};
use crate::analysis::verbs::{line_chess, line_draughts};
use crate::board::Board;
use crate::diagnostic::{Finding, Span};
use crate::games::{Answer, Question, Undecided};
use crate::syntax::{GameId, Query, Value, Verb};

pub(super) struct Line;

impl VerbRules for Line {
    fn verb(&self) -> Verb {
        Verb::Line
    }

    fn evaluate(&self, _: &mut QueryEvaluator<'_, '_>, _: &Question) -> Result<Answer, Undecided> {
        Ok(Answer::Line)
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer { description: "moves, as in `1. Qxf7+ Rxf7 2. Rd8+`", words: &[] }
    }

    fn read(&self, value: Value<'_>, _: &Bound<'_>, _: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
        let moves = written_words(value).map(without_numbers).filter(|moves| !moves.is_empty());
        match moves {
            Some(moves) => {
                Ok(ParsedAnswer::Moves(moves.iter().map(|m| (m.text.to_string(), m.span)).collect()))
            }
            None => Err(vec![self.unreadable(value.span(), "")]),
        }
    }

    /// Any word may be a move; the replay says which is none.
    fn read_word(&self, _: &str) -> Option<ParsedAnswer> {
        Some(ParsedAnswer::Moves(Vec::new()))
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        _query: Query<'_>,
        span: Span,
        _answer: &Answer,
        written: &ParsedAnswer,
    ) {
        let ParsedAnswer::Moves(moves) = written else { return };
        match evaluator.bound.id {
            GameId::Chess => line_chess::check_line(evaluator, span, moves),
            GameId::Draughts => line_draughts::check_line(evaluator, span, moves),
            GameId::Solitaire | GameId::Chess3d => {}
        }
    }
}
