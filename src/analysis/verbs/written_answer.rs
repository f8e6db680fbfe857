//! Written answers: what follows `=>`, read into plain data.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::{ExpectedAnswer, rules};
use crate::board::{Board, Square};
use crate::diagnostic::{Code, Finding, Fix, Span};
use crate::games::{Status, Step, Verdict};
use crate::syntax::{Element, Value, Verb, captures_as_shown, nearest};

/// A written answer.
pub(crate) enum ParsedAnswer {
    /// There is no solution, or no capture.
    Nothing,
    /// The steps of a sequence, each with its place, up to the first that cannot be read; and what is wrong with
    /// that one.
    Steps(Vec<(Step, Span)>, Option<Finding>),
    /// The boards of a solution, from the first to the last, each with its place.
    Boards(Vec<(Board, Span)>),
    /// A number of solutions; nothing for one beyond 128 bits.
    Number(Option<u128>),
    /// For `move`, whether it is legal; for `mate`, whether it is mate.
    Truth(bool),
    /// The state of the side to move.
    Status(Status),
    /// How each enemy piece can be captured, with the place of each entry.
    Pieces(Vec<(Square, Verdict, Span)>),
}

/// A part of a written answer.
pub enum AnswerPart<'t> {
    /// A square: the elements that it is written with.
    Square(Vec<Element<'t>>),
    /// A board of a solution.
    Board(Element<'t>),
}

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
    match value {
        Value::Lists(_) => rules.read_list(value, bound, board),
        Value::Word(_) | Value::String(_) => {
            let (text, _) = value.scalar().unwrap_or_default();
            read_word(text, verb).ok_or_else(|| vec![unreadable(value.span(), text, verb)])
        }
    }
}

/// The squares and boards of a written answer, in order.
pub(crate) fn answer_parts<'t>(value: Value<'t>, verb: Verb) -> Vec<AnswerPart<'t>> {
    match value {
        Value::Lists(_) => {
            let elements = value.elements();
            if elements.is_empty() { Vec::new() } else { rules(verb).list_parts(elements) }
        }
        Value::Word(_) | Value::String(_) => Vec::new(),
    }
}

/// What is wrong with an answer that is a word or a string, which can be said without a position.
pub(crate) fn unreadable_word(value: Value<'_>, verb: Verb) -> Option<Finding> {
    let (text, _) = value.scalar()?;
    read_word(text, verb).is_none().then(|| unreadable(value.span(), text, verb))
}

fn read_word(text: &str, verb: Verb) -> Option<ParsedAnswer> {
    // Source 003 prints some of its verdicts in Russian.
    match text.trim().to_lowercase().as_str() {
        "правда" | "верно" => rules(verb).read_word("true"),
        "ложь" | "неверно" => rules(verb).read_word("false"),
        word => rules(verb).read_word(word),
    }
}

/// The finding for an answer that is written as cpz shows captures, `d1xb2`, in a list or a string.
fn as_shown(value: Value<'_>) -> Option<Finding> {
    let words = value.elements().into_iter().map(|element| match element {
        Element::Word(t) | Element::String(t) => Some(t.content().0.split_whitespace()),
        Element::List(_) => None,
    });
    // Steps and boards are lists: nothing is collected for them.
    let words = words.collect::<Option<Vec<_>>>()?;
    captures_as_shown(&words.into_iter().flatten().collect::<Vec<_>>(), value.span())
}

/// The finding for an answer that cannot be read, with a fix where `text` nearly is one or is another name of one.
pub(crate) fn unreadable(span: Span, text: &str, verb: Verb) -> Finding {
    let ExpectedAnswer { description, words } = rules(verb).expected();
    let finding = Finding::new(Code::InvalidValue, span, format!("expected {description} after `=>`"));
    let synonym = rules(verb).synonym(text.trim().to_lowercase().as_str());
    match synonym.or_else(|| nearest(text, words.iter().copied()).map(|i| words[i])) {
        Some(word) => finding.fix(Fix::new(format!("replace with `{word}`"), span, word, false)),
        None => finding,
    }
}
