//! `line`: the author's line of play. Nothing is computed; the written moves are replayed on the position.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::verb_rules::{ExpectedAnswer, VerbRules};
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::{
    NumberedWord, WrittenWord, long_dashes, numbered, with_parentheses_apart, written_words, wrong_number,
};
use crate::analysis::verbs::{line_chess, line_cube, line_draughts};
use cpz_rules::board::{Board, Colour};
use cpz_rules::games::{Answer, Question, Undecided};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::{GameId, Query, Value, Verb};

/// `line`, and the studies that are replayed as it is: `win` and `draw`, which may have variations.
pub(super) struct Line(pub Verb);

impl VerbRules for Line {
    fn verb(&self) -> Verb {
        self.0
    }

    fn may_castle(&self, _: &Question) -> bool {
        true
    }

    fn evaluate(&self, _: &mut QueryEvaluator<'_, '_>, _: &Question) -> Result<Answer, Undecided> {
        Ok(Answer::Line)
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer { description: "moves, as in `1. Qxf7+ Rxf7 2. Rd8+`", words: &[] }
    }

    fn read(&self, value: Value<'_>, bound: &Bound<'_>, _: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
        let words = self.moves_among(&written_words(value).unwrap_or_default());
        if let Some(finding) = comment_among(&words).or_else(|| long_dashes(&words)) {
            return Err(vec![finding]);
        }
        let moves = numbered(&words);
        if moves.is_empty() {
            return Err(vec![self.unreadable(value.span(), "")]);
        }
        // In chess the replay checks the numbers: not every word is a move.
        if bound.id != GameId::Chess
            && let Some(finding) = misnumbered(&moves, bound.turn)
        {
            return Err(vec![finding]);
        }
        Ok(ParsedAnswer::Moves(moves.iter().map(|m| (m.word.text.to_string(), m.word.span)).collect()))
    }

    fn may_be_moves(&self, words: &[WrittenWord<'_>]) -> bool {
        !words.is_empty()
    }

    fn word_parts<'t>(&self, words: &[WrittenWord<'t>]) -> Vec<AnswerPart<'t>> {
        let words = self.moves_among(words);
        numbered(&words).into_iter().map(|m| AnswerPart::Move(m.word.text, m.word.span)).collect()
    }

    /// Any word may be a move; the replay says which is none.
    fn read_word(&self, _: &str) -> Option<ParsedAnswer> {
        Some(ParsedAnswer::Moves(Vec::new()))
    }

    /// A study without its solution says nothing that can be replayed.
    fn report_unanswered(&self, evaluator: &mut QueryEvaluator<'_, '_>, query: Query<'_>, _: &Answer) {
        if self.0 != Verb::Line {
            let word = self.0.word();
            let message = format!(
                "`{word}` is kept and not solved; cpz replays the moves of a solution, as in `{word} => \"1. Kg7 h4\"`"
            );
            evaluator.report(Finding::new(Code::UnsupportedStipulation, query.asked(), message));
        }
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        query: Query<'_>,
        _span: Span,
        _answer: &Answer,
        written: &ParsedAnswer,
    ) {
        let ParsedAnswer::Moves(moves) = written else { return };
        match evaluator.bound.id {
            // With its numbers, which are checked too.
            GameId::Chess => line_chess::check_line(evaluator, query),
            GameId::Draughts => line_draughts::check_line(evaluator, moves),
            GameId::Chess3d => line_cube::check_line(evaluator, moves),
            GameId::Solitaire => {}
        }
    }
}

impl Line {
    /// The words of a line without the parentheses of the variations that a study may have.
    fn moves_among<'t>(&self, words: &[WrittenWord<'t>]) -> Vec<WrittenWord<'t>> {
        match self.0 {
            Verb::Line => words.to_vec(),
            _ => {
                let words = with_parentheses_apart(words).into_iter();
                words.filter(|word| !matches!(word.text, "(" | ")")).collect()
            }
        }
    }
}

/// The finding for a comment in braces among the moves.
fn comment_among(words: &[WrittenWord<'_>]) -> Option<Finding> {
    let first = words.iter().position(|word| word.text.starts_with('{'))?;
    let last = words[first..].iter().find(|word| word.text.ends_with('}')).unwrap_or(&words[first]);
    let message = "a line has moves alone; a comment stands behind `//` at the end of a line of the text";
    Some(Finding::new(Code::InvalidValue, words[first].span.cover(last.span), message))
}

/// The finding for the first number that does not follow from the one before. The first may be any: a line may be from
/// the middle of a game. `turn` is the side that begins.
fn misnumbered(moves: &[NumberedWord<'_>], turn: Colour) -> Option<Finding> {
    // Half moves from the beginning of the move that the line begins with.
    let plies = |index: usize| index + usize::from(turn == Colour::Black);
    let (first, number) = moves.iter().enumerate().find_map(|(i, m)| Some((i, m.number?)))?;
    let offset = number.number.saturating_sub((plies(first) / 2) as u32);
    let mut finding = moves.iter().enumerate().find_map(|(i, m)| {
        let (number, is_black) = (m.number?, plies(i) % 2 == 1);
        let due = offset.saturating_add((plies(i) / 2) as u32);
        (number.number != due || number.is_black != is_black).then(|| wrong_number(number, due, is_black))
    })?;
    if offset != 1 {
        // Then that may be the slip.
        finding.fixes.iter_mut().for_each(|fix| fix.title += " (if the first number is right)");
    }
    Some(finding)
}
