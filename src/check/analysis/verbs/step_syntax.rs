//! Squares and steps in written answers, as several verbs have them.

use crate::analysis::binding::Bound;
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use cpz_rules::board::{Board, CoordinateFrame, Kind, read_square};
use cpz_rules::games::Step;
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::Element;

/// The elements of a list.
pub(crate) fn inner<'t>(element: Element<'t>) -> Option<Vec<Element<'t>>> {
    match element {
        Element::List(n) => Some(n.elements().collect()),
        _ => None,
    }
}

pub(crate) fn is_number(element: &Element<'_>) -> bool {
    matches!(element, Element::Word(t) if t.text().trim_start_matches('-').bytes().all(|b| b.is_ascii_digit()))
}

/// Whether an element looks like a square: a list of two numbers, or a name such as `e1`.
fn looks_like_square(element: &Element<'_>) -> bool {
    match element {
        Element::List(n) => {
            let parts: Vec<Element<'_>> = n.elements().take(3).collect();
            parts.len() == 2 && parts.iter().all(is_number)
        }
        Element::Word(t) | Element::String(t) => {
            let b = t.content().0.as_bytes();
            b.len() == 2 && b[0].is_ascii_alphabetic() && b[1].is_ascii_digit()
        }
    }
}

/// Whether elements look like a step: two squares, perhaps after the letter of the captured piece.
pub(crate) fn looks_like_step(parts: &[Element<'_>]) -> bool {
    let squares = match parts {
        [Element::Word(t) | Element::String(t), rest @ ..] if rest.len() == 2 && t.content().0.len() == 1 => {
            rest
        }
        all => all,
    };
    squares.len() == 2 && squares.iter().all(looks_like_square)
}

/// Whether an element is a list that looks like a step.
pub(crate) fn is_list_like_step(element: Element<'_>) -> bool {
    inner(element).is_some_and(|parts| looks_like_step(&parts))
}

/// How squares of a puzzle are counted.
pub(crate) fn frame(bound: &Bound<'_>, board: &Board) -> CoordinateFrame {
    CoordinateFrame { origin: bound.origin, size: board.size }
}

/// Reads the elements of a step, `[x,y],[x,y]`, perhaps after the letter of the captured piece.
pub(crate) fn read_step(
    parts: &[Element<'_>],
    span: Span,
    bound: &Bound<'_>,
    board: &Board,
) -> Result<(Step, Span), Finding> {
    let mut squares = parts;
    let mut taken = None;
    if let [Element::Word(t) | Element::String(t), rest @ ..] = parts
        && rest.len() == 2
    {
        let letter = t.content().0;
        taken = letter.chars().next().filter(|_| letter.len() == 1).and_then(Kind::from_letter);
        if taken.is_none() {
            let message = format!("`{letter}` is no piece's letter");
            return Err(Finding::new(Code::UnknownPiece, t.span(), message));
        }
        squares = rest;
    }
    let &[from, to] = squares else {
        return Err(Finding::new(Code::InvalidValue, span, "a step is two squares, as in `[[3,0],[1,1]]`"));
    };
    let square = |e| read_square(e, bound.game.format(), frame(bound, board)).map(|s| s.square);
    Ok((Step { from: square(from)?, to: square(to)?, taken }, span))
}

/// Reads a list of steps, up to the first that cannot be read.
pub(crate) fn read_steps(elements: &[Element<'_>], bound: &Bound<'_>, board: &Board) -> ParsedAnswer {
    let mut steps = Vec::new();
    for &element in elements {
        match read_step(&inner(element).unwrap_or_default(), element.span(), bound, board) {
            Ok(step) => steps.push(step),
            Err(finding) => return ParsedAnswer::Steps(steps, Some(finding)),
        }
    }
    ParsedAnswer::Steps(steps, None)
}

/// A square of an answer.
pub(crate) fn square_part<'t>(element: Element<'t>) -> AnswerPart<'t> {
    AnswerPart::Square(inner(element).unwrap_or_else(|| vec![element]))
}

/// The squares of a step.
pub(crate) fn step_parts<'t>(parts: Vec<Element<'t>>) -> Vec<AnswerPart<'t>> {
    let letter = usize::from(parts.len() == 3);
    parts.into_iter().skip(letter).map(square_part).collect()
}

/// The squares of a list of steps.
pub(crate) fn steps_parts<'t>(elements: Vec<Element<'t>>) -> Vec<AnswerPart<'t>> {
    elements.into_iter().flat_map(|e| step_parts(inner(e).unwrap_or_default())).collect()
}
