//! `mate`: whether the side to move is checkmated, in check or stalemated.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::board::Colour;
use cpz_rules::games::{Answer, Question, Reason, Status, Undecided};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Query, Verb};

const QUESTION: Question = Question::of(Verb::Mate);

pub(super) struct Mate;

impl VerbRules for Mate {
    fn verb(&self) -> Verb {
        Verb::Mate
    }

    fn evaluate(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        question: &Question,
    ) -> Result<Answer, Undecided> {
        match evaluator.options.answers {
            true => evaluator.answer(question),
            false => status_only(evaluator),
        }
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer {
            description: "`checkmate`, `check`, `stalemate`, `none`, `true` or `false`",
            words: &["checkmate", "check", "stalemate", "none", "true", "false"],
        }
    }

    fn read_word(&self, word: &str) -> Option<ParsedAnswer> {
        match word {
            "true" => return Some(ParsedAnswer::Truth(true)),
            "false" => return Some(ParsedAnswer::Truth(false)),
            _ => {}
        }
        // As cpz prints it: `Black is checkmated`, `black: checkmate`.
        let colours = [("white", Colour::White), ("black", Colour::Black)];
        let sided = colours.into_iter().find_map(|(name, side)| {
            let rest = word.strip_prefix(name)?;
            rest.strip_prefix(": ").or_else(|| rest.strip_prefix(" is ")).map(|rest| (rest, side))
        });
        let status = match sided.map_or(word, |(rest, _)| rest) {
            "checkmate" | "checkmated" => Status::Checkmate,
            "check" | "in check" | "in check but not mated" => Status::Check,
            "stalemate" | "stalemated" => Status::Stalemate,
            "none" | "not in check" | "neither in check nor stalemated" => Status::None,
            _ => return None,
        };
        Some(ParsedAnswer::Status(status, sided.map(|(_, side)| side)))
    }

    fn synonym(&self, word: &str) -> Option<&'static str> {
        Some(match word {
            "yes" | "да" => "true",
            "no" | "нет" => "false",
            "mate" | "mated" | "#" => "checkmate",
            "+" => "check",
            "pat" | "draw" => "stalemate",
            _ => return None,
        })
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        _query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    ) {
        let Answer::Mate { status, side, .. } = answer else { return };
        let is_right = match written {
            ParsedAnswer::Truth(mate) => (*status == Status::Checkmate) == *mate,
            ParsedAnswer::Status(written, of) => status == written && of.is_none_or(|of| of == *side),
            _ => true,
        };
        if !is_right {
            let notes = reasons(evaluator);
            evaluator.report_wrong(span, in_words(*status, *side), notes, answer);
        }
    }
}

/// The state of the side to move without its reasons, which take longer to find.
fn status_only(evaluator: &mut QueryEvaluator<'_, '_>) -> Result<Answer, Undecided> {
    let status = evaluator.search(|game, position, budget| budget.step().map(|()| game.status(position)))?;
    let status = status.unwrap_or(Status::None);
    Ok(Answer::Mate { status, side: evaluator.position.turn, reasons: Vec::new() })
}

/// The reasons for the state of the side to move.
fn reasons(evaluator: &mut QueryEvaluator<'_, '_>) -> Vec<String> {
    match evaluator.answer_once(&QUESTION) {
        Ok(Answer::Mate { reasons, .. }) => Reason::texts(&reasons),
        _ => Vec::new(),
    }
}

fn in_words(status: Status, side: Colour) -> String {
    let side = side.name();
    match status {
        Status::Checkmate => format!("{side} is checkmated"),
        Status::Check => format!("{side} is in check, but not mated"),
        Status::Stalemate => format!("{side} is stalemated: not in check, and without a legal move"),
        Status::None => format!("{side} is neither in check nor stalemated"),
    }
}
