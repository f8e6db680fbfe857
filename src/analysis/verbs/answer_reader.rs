//! Reads written answers: what follows `=>`.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::rules;
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::board::Board;
use crate::diagnostic::{Code, Finding};
use crate::syntax::{Element, Value, Verb, captures_as_shown};

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
    let rules = rules(verb);
    if rules.answers_in_squares()
        && let Some(finding) = as_shown(value)
    {
        return Err(vec![finding]);
    }
    rules.read(value, bound, board)
}

/// The squares and boards of a written answer, in order.
pub(crate) fn answer_parts<'t>(value: Value<'t>, verb: Verb) -> Vec<AnswerPart<'t>> {
    match value {
        Value::Lists(_) => {
            let elements = value.elements();
            if elements.is_empty() { Vec::new() } else { rules(verb).list_parts(elements) }
        }
        Value::Word(_) | Value::String(_) | Value::Words(..) => Vec::new(),
    }
}

/// What is wrong with an answer that is a word or a string, which can be said without a position.
pub(crate) fn unreadable_word(value: Value<'_>, verb: Verb) -> Option<Finding> {
    let (text, _) = value.scalar()?;
    rules(verb).read_text(text).is_none().then(|| rules(verb).unreadable(value.span(), text))
}

/// The finding for an answer that is written as cpz shows captures, `d1xb2`, in a list or a string.
fn as_shown(value: Value<'_>) -> Option<Finding> {
    let words = value.elements().into_iter().map(|element| match element {
        Element::Word(t) | Element::String(t) => Some(t.content().0.split_whitespace()),
        Element::List(_) => None,
    });
    // Steps and boards are lists: nothing is collected for them.
    let words = words.collect::<Option<Vec<_>>>()?;
    captures_as_shown(&words.into_iter().flatten().collect::<Vec<_>>(), value.span(), Code::InvalidValue)
}
