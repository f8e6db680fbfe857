//! Reads written answers: what follows `=>`.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::rules;
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::{phrase, written_words};
use cpz_rules::board::Board;
use cpz_text::diagnostic::Finding;
use cpz_text::syntax::{Value, Verb};

/// Reads an answer to a verb.
///
/// # Errors
/// What cannot be read in it.
pub(crate) fn read_answer(
    value: Value<'_>,
    verb: Verb,
    bound: &Bound<'_>,
    board: &Board,
) -> Result<ParsedAnswer, Vec<Finding>> {
    rules(verb).read(value, bound, board)
}

/// The squares and boards of a written answer, in order.
pub(crate) fn answer_parts<'t>(value: Value<'t>, verb: Verb) -> Vec<AnswerPart<'t>> {
    let rules = rules(verb);
    if let Some(words) = written_words(value)
        && rules.may_be_moves(&words)
    {
        return rules.word_parts(&words);
    }
    match value {
        Value::Lists(_) => {
            let elements = value.elements();
            if elements.is_empty() { Vec::new() } else { rules.list_parts(elements) }
        }
        Value::Word(_) | Value::String(_) | Value::Words(..) => Vec::new(),
    }
}

/// What is wrong with an answer in words, which can be said without a position.
pub(crate) fn unreadable_word(value: Value<'_>, verb: Verb) -> Option<Finding> {
    let rules = rules(verb);
    if matches!(value, Value::Lists(_)) || rules.may_be_moves(&written_words(value)?) {
        return None;
    }
    let text = phrase(value)?;
    rules.read_text(&text).is_none().then(|| rules.unreadable_words(value, &text))
}
