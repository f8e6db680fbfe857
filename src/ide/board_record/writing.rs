//! The edits that add a move to a written answer, in its form.

use crate::board_record::asked::first_answer;
use crate::board_record::recording::{LegalMove, Recording, State, captured_kind};
use cpz_check::analysis::{Bound, answer_text};
use cpz_rules::board::{Colour, Square, square_name, write_square};
use cpz_rules::games::{Answer, Capture};
use cpz_text::diagnostic::{Edit, LineEnd, Span};
use cpz_text::syntax::{Element, GameId, Query, Token, Value, set_apart};

/// The edits that write a move behind the others.
pub(super) fn edits(bound: &Bound<'_>, recording: &Recording<'_>, mv: &LegalMove) -> Option<Vec<Edit>> {
    let text = bound.puzzle.node().tree().text();
    let Some(query) = recording.query else {
        let verb = if bound.id == GameId::Solitaire { "solve" } else { "line" };
        return Some(vec![new_query(bound, &format!("{verb} => {}", first_move(bound, recording, mv)?))]);
    };
    let insert = |at: u32, new: String| vec![Edit { span: Span::at(at), text: set_apart(text, at, new) }];
    let Some(answer) = query.answer() else {
        return Some(first_answer(text, query, &first_move(bound, recording, mv)?));
    };
    match answer {
        Value::Lists(_) => list_edit(bound, recording, answer, mv),
        Value::String(token) => {
            let (content, span) = token.content();
            let end = span.start + content.trim_end().len() as u32;
            Some(vec![Edit { span: Span::at(end), text: format!(" {}", next_words(recording, query, mv)) }])
        }
        Value::Word(_) | Value::Words(..) => {
            Some(insert(answer.span().end, format!(" {}", next_words(recording, query, mv))))
        }
    }
}

/// The first move of an answer.
fn first_move(bound: &Bound<'_>, recording: &Recording<'_>, mv: &LegalMove) -> Option<String> {
    match &recording.state {
        State::Captures { .. } => {
            let capture = Capture { from: mv.step.from, to: mv.step.to };
            answer_text(&Answer::Solve(Some(vec![capture])), bound.origin, bound.settings.notation, false)
        }
        State::Chess { position, .. } => {
            let number = if position.turn == Colour::White { "1." } else { "1..." };
            Some(format!("{number} {}", mv.name))
        }
        // In quotes, since the names of squares have parentheses.
        State::Cube { position, .. } => {
            let number = if position.turn == Colour::White { "1." } else { "1..." };
            Some(format!("\"{number} {}\"", mv.name))
        }
        State::Sequence(sequence) => Some(format!("\"{}{}\"", sequence.number(), mv.name)),
        State::Tree(_) | State::Draughts { .. } => Some(mv.name.clone()),
    }
}

/// A further move of an answer in words, with its number if the others have some.
fn next_words(recording: &Recording<'_>, query: Query<'_>, mv: &LegalMove) -> String {
    if let State::Sequence(sequence) = &recording.state {
        return format!("{}{}", sequence.number(), mv.name);
    }
    let (State::Chess { position, moves } | State::Cube { position, moves }) = &recording.state else {
        return mv.name.clone();
    };
    let written = query.answer().map_or("", |a| {
        let span = a.span();
        &query.node().tree().text()[span.range()]
    });
    let Some((first, is_black)) = first_number(written) else { return mv.name.clone() };
    if position.turn == Colour::Black {
        return mv.name.clone();
    }
    let plies = moves.len() + usize::from(is_black);
    format!("{}. {}", first.saturating_add(plies / 2), mv.name)
}

/// The number that a line begins with, and whether it is one of a move of black.
fn first_number(written: &str) -> Option<(usize, bool)> {
    let written = written.trim_start_matches(['"', '\'', ' ', '\n', '\r', '\t']);
    let digits = written.bytes().take_while(u8::is_ascii_digit).count();
    let rest = written[digits..].trim_start();
    let number = written[..digits].parse().ok()?;
    rest.starts_with(['.', '…']).then(|| (number, rest.starts_with("..") || rest.starts_with('…')))
}

/// The edit that adds a step to a list.
fn list_edit(
    bound: &Bound<'_>,
    recording: &Recording<'_>,
    answer: Value<'_>,
    mv: &LegalMove,
) -> Option<Vec<Edit>> {
    let last = *answer.elements().last()?;
    let text = bound.puzzle.node().tree().text();
    let (quote, is_word) = match last {
        Element::Word(_) => ("", true),
        Element::String(t) => (t.text().get(..1)?, true),
        Element::List(_) => ("", false),
    };
    if is_word {
        let new = format!(", {quote}{}{quote}", mv.name);
        return Some(vec![Edit { span: Span::at(last.span().end), text: new }]);
    }
    if !matches!(recording.state, State::Captures { .. }) {
        return None;
    }
    let Element::List(step) = last else { return None };
    let parts: Vec<Element<'_>> = step.elements().collect();
    let square = |s: Square, like: &Element<'_>| match like {
        Element::List(_) => write_square(s, bound.origin, false),
        Element::String(t) => {
            let quote = t.text().get(..1).unwrap_or_default();
            format!("{quote}{}{quote}", square_name(s, false))
        }
        Element::Word(_) => square_name(s, false),
    };
    let (letter, squares) = match parts.as_slice() {
        [letter, a, b] => (Some(letter), [a, b]),
        [a, b] => (None, [a, b]),
        _ => return None,
    };
    let between = &text[squares[0].span().end as usize..squares[1].span().start as usize];
    let gap = if between.chars().all(|c| c == ',' || c == ' ') { between } else { "," };
    let letter = match letter {
        None => String::new(),
        Some(written) => {
            let kind = captured_kind(recording, mv.step.to)?;
            let quote = if matches!(written, Element::String(_)) {
                text.get(written.span().start as usize..)?.get(..1)?
            } else {
                ""
            };
            format!("{quote}{}{quote},", kind.letter())
        }
    };
    let new =
        format!(", [{letter}{}{gap}{}]", square(mv.step.from, squares[0]), square(mv.step.to, squares[1]));
    Some(vec![Edit { span: Span::at(last.span().end), text: new }])
}

/// The edit that adds a query behind the last one, or behind the board.
fn new_query(bound: &Bound<'_>, query: &str) -> Edit {
    let text = bound.puzzle.node().tree().text();
    let last = bound.puzzle.queries().last().map(|q| (q.span(), q.keyword()));
    let board = bound.puzzle.boards().last().map(|b| (b.span(), b.keyword()));
    let later = match (last, board) {
        (Some(a), Some(b)) => Some(if a.0.start > b.0.start { a } else { b }),
        (a, b) => a.or(b),
    };
    let Some((span, keyword)) = later else {
        return Edit { span: Span::at(bound.puzzle.head().end), text: format!(" {query}") };
    };
    let before = keyword.previous().map_or("", |t: Token<'_>| t.text());
    // A comment behind the item on its line belongs to it.
    let rest = &text[span.end as usize..];
    let tail = &rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())];
    let comment = if tail.trim_start().starts_with("//") { tail.trim_end().len() as u32 } else { 0 };
    match before.rsplit_once(['\n', '\r']) {
        Some((_, indent)) => {
            let new = format!("{}{indent}{query}", LineEnd::of(text).as_str());
            Edit { span: Span::at(span.end + comment), text: new }
        }
        None if comment > 0 => {
            let new = format!("{}  {query}", LineEnd::of(text).as_str());
            Edit { span: Span::at(span.end + comment), text: new }
        }
        None => Edit { span: Span::at(span.end), text: set_apart(text, span.end, format!(" {query}")) },
    }
}
