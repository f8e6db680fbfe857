//! Slips in lists that would make a board of another notation of them.

use crate::board::coordinates::{Scalar, number, scalar};
use crate::board::game_format::Format;
use crate::board::model::{Colour, Piece};
use cpz_text::diagnostic::{Code, Finding, Fix, Related, Span};
use cpz_text::syntax::{Element, Token};

/// The finding for a word or two among the numbers of a matrix, which would make coordinates of its rows, or letters of its
/// cells: one, instead of one for each number.
pub(super) fn stray_among_numbers<'t>(elements: &[Element<'t>]) -> Option<Finding> {
    let (mut numbers, mut others) = (0, Vec::<Token<'t>>::new());
    if !tally(elements, &mut numbers, &mut others) {
        return None;
    }
    let first = *others.first()?;
    if numbers < 8 * others.len() {
        return None;
    }
    let (text, _) = first.content();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let digits = digits.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-');
    // In quotes a number is none.
    let shown = if digits == text { first.text() } else { text };
    let message = format!("a board is all letters or all numbers; {} is among numbers", quoted(shown));
    let mut finding = Finding::new(Code::UnknownPiece, first.span(), message);
    if number(digits).is_some() {
        finding = finding.fix(Fix::new(format!("replace with `{digits}`"), first.span(), digits, false));
    }
    let here_too = |token: &Token<'_>| Related { file: None, span: token.span(), message: "here too".into() };
    finding.related = others[1..].iter().map(here_too).collect();
    Some(finding)
}

/// Counts the numbers of lists, and collects the words and strings that are none. False if there are more than two of these in
/// one list: in coordinates every third part is a letter at least.
fn tally<'t>(elements: &[Element<'t>], numbers: &mut usize, others: &mut Vec<Token<'t>>) -> bool {
    for element in elements {
        match element {
            Element::Word(_) | Element::String(_)
                if matches!(scalar(*element), Some((Scalar::Number(_), _))) =>
            {
                *numbers += 1;
            }
            Element::Word(token) | Element::String(token) => others.push(*token),
            Element::List(node) => {
                let inner: Vec<Element<'t>> = node.elements().collect();
                if !tally(&inner, numbers, others) {
                    return false;
                }
            }
        }
        if others.len() > 2 {
            return false;
        }
    }
    true
}

/// The finding for a number or two among the letters of a matrix, which would make coordinates of its rows: one, instead of one
/// for each row.
pub(super) fn number_among_letters(elements: &[Element<'_>], format: &Format) -> Option<Finding> {
    let (mut letters, mut numbers) = (0_usize, Vec::new());
    let mut widths = Vec::new();
    let mut source = "";
    for element in elements {
        let Element::List(row) = element else { return None };
        source = row.tree().text();
        let mut width = 0_usize;
        let mut own = None;
        for (index, cell) in row.elements().enumerate() {
            match scalar(cell)? {
                (Scalar::Number(n), span) => {
                    numbers.push((n, span));
                    own = Some(index);
                }
                (Scalar::Text(text), _) if text.chars().count() < 2 => letters += 1,
                _ => return None,
            }
            width += 1;
        }
        widths.push((width, own));
    }
    let &(n, at) = numbers.first()?;
    // In coordinates there is a number or two beside every letter.
    if letters < 8 * numbers.len() {
        return None;
    }
    let message = format!("a board is all letters or all numbers; {n} is among letters");
    let mut finding = Finding::new(Code::UnknownPiece, at, message);
    finding.related.extend(numbers[1..].iter().map(|&(_, span)| Related {
        file: None,
        span,
        message: "here too".into(),
    }));
    if let [_] = numbers[..] {
        let usual = widths.iter().filter(|(_, own)| own.is_none()).map(|(width, _)| *width).max();
        let own = widths.iter().find_map(|&(width, own)| own.map(|index| (width, index)));
        match (own, usual) {
            // A cell more than the other rows have: the sign is between two cells, if it is no cell.
            (Some((width, index)), Some(usual))
                if width == usual + 1 && index > 0 && index + 1 < width && !has_commas_around(source, at) =>
            {
                finding = finding.fix(Fix::new("replace with `,` (if it is a slip)", at, ",", false));
            }
            (Some((width, _)), Some(usual)) if width == usual => {
                let piece = usize::try_from(n.unsigned_abs())
                    .ok()
                    .and_then(|n| format.numbers.get(n.checked_sub(1)?));
                if let Some(kind) = piece {
                    let letter =
                        format.letter(Piece::new(if n < 0 { Colour::Black } else { Colour::White }, *kind));
                    finding = finding.fix(Fix::new(
                        format!("replace with `{letter}` (if the number is a piece)"),
                        at,
                        format!("\"{letter}\""),
                        false,
                    ));
                }
            }
            _ => {}
        }
    }
    Some(finding)
}

fn has_commas_around(text: &str, at: Span) -> bool {
    text[..at.start as usize].trim_end().ends_with(',')
        && text[at.end as usize..].trim_start().starts_with(',')
}

fn quoted(text: &str) -> String {
    format!("`{}`", text.chars().take(24).collect::<String>())
}
