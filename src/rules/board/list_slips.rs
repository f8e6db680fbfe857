//! Slips in lists that would make a board of another notation of them, and men with their squares in words.

use crate::board::coordinates::{Scalar, named, number, read_colour, scalar};
use crate::board::game_format::Format;
use crate::board::model::{Colour, Kind, Piece};
use crate::board::read_result::MAX_FINDINGS;
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Related, Span};
use cpz_text::syntax::{Element, Token};

/// The finding for a word or two among the numbers of a matrix, which would make coordinates of its rows, or letters of its
/// cells: one, instead of one for each number.
pub(super) fn stray_among_numbers<'t>(elements: &[Element<'t>], format: &Format) -> Option<Finding> {
    let (mut numbers, mut others) = (0, Vec::<Token<'t>>::new());
    if !tally(elements, &mut numbers, &mut others) {
        return None;
    }
    let first = *others.first()?;
    let digits = |token: &Token<'t>| {
        let digits = token.content().0.trim_end_matches(|c: char| !c.is_ascii_digit());
        let digits = digits.trim_start_matches(|c: char| !c.is_ascii_digit() && c != '-');
        number(digits).map(|_| digits.to_string())
    };
    // The letter of a piece has a number, too.
    let piece = |token: &Token<'t>| {
        let mut letters = token.content().0.chars();
        let number = format.number(format.piece(letters.next()?)?);
        (letters.next().is_none() && number != 0).then(|| number.to_string())
    };
    let are_pieces = others.iter().all(|token| piece(token).is_some());
    if numbers < others.len() * if are_pieces { 4 } else { 8 } {
        return None;
    }
    // In quotes a number is none.
    let text = first.content().0;
    let shown = if digits(&first).as_deref() == Some(text) { first.text() } else { text };
    let message = format!("a board is all letters or all numbers; {} is among numbers", quoted(shown));
    let mut finding = Finding::new(Code::UnknownPiece, first.span(), message);
    let meant = |token: &Token<'t>| digits(token).or_else(|| piece(token));
    let edits = others.iter().map(|token| Some(Edit { span: token.span(), text: meant(token)? }));
    finding.fixes.extend(edits.collect::<Option<Vec<Edit>>>().map(|edits| {
        let title = match &edits[..] {
            [edit] => format!("replace with `{}`", edit.text),
            _ => "write numbers for the letters".into(),
        };
        Fix { title, edits, safe: false }
    }));
    let here_too = |token: &Token<'_>| Related { file: None, span: token.span(), message: "here too".into() };
    finding.related = others[1..].iter().map(here_too).collect();
    Some(finding)
}

/// The finding for numbers with another minus sign than the one on keyboards, as word processors write it.
pub(super) fn wrong_minus(elements: &[Element<'_>]) -> Option<Finding> {
    let (first, last) = (elements.first()?, elements.last()?);
    // Nearly all boards are ASCII.
    if first.tree().text()[first.span().cover(last.span()).range()].is_ascii() {
        return None;
    }
    let mut edits = Vec::new();
    collect_wrong_minus(elements, &mut edits);
    let first = edits.first()?.span;
    let message = "a black piece has the minus sign of the keyboard, `-`, before its number";
    let related =
        edits[1..].iter().map(|edit| Related { file: None, span: edit.span, message: "here too".into() });
    let mut finding = Finding::new(Code::UnknownPiece, first, message);
    finding.related = related.take(MAX_FINDINGS).collect();
    let title = match &edits[..] {
        [edit] => format!("write `{}`", edit.text),
        _ => "write `-` in all of them".into(),
    };
    finding.fixes.push(Fix { title, edits, safe: true });
    Some(finding)
}

fn collect_wrong_minus(elements: &[Element<'_>], edits: &mut Vec<Edit>) {
    for element in elements {
        match element {
            Element::Word(token) | Element::String(token) => {
                let digits = token
                    .content()
                    .0
                    .strip_prefix(['\u{2212}', '\u{2010}', '\u{2011}', '\u{2012}', '–', '—']);
                if let Some(digits) = digits.filter(|digits| number(digits).is_some_and(|n| n > 0)) {
                    edits.push(Edit { span: token.span(), text: format!("-{digits}") });
                }
            }
            Element::List(node) => collect_wrong_minus(&node.elements().collect::<Vec<_>>(), edits),
        }
    }
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

/// The finding for a matrix of letters whose empty cells are zeros, as in a matrix of numbers. `widths` are those of the rows.
fn zeros_among_letters(
    numbers: &[(i64, Span)],
    widths: &[(usize, Option<usize>)],
    letters: usize,
) -> Option<Finding> {
    let width = widths.first()?.0;
    let is_matrix = width > 1 && widths.len() > 1 && widths.iter().all(|(other, _)| *other == width);
    // In coordinates each list has one letter.
    if !is_matrix || letters == 0 || letters == widths.len() || numbers.len() < letters {
        return None;
    }
    if numbers.iter().any(|(n, _)| *n != 0) {
        return None;
    }
    let message = "`0` is the empty cell of a board of numbers; among letters it is `.`";
    let edits = numbers.iter().map(|&(_, span)| Edit { span, text: "'.'".into() }).collect();
    let fix = Fix { title: "write points for the zeros".into(), edits, safe: false };
    Some(Finding::new(Code::UnknownPiece, numbers[0].1, message).fix(fix))
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
        // Two men with their coordinates are enough to tell.
        if numbers.len() >= 6 && numbers.len() > letters && numbers.iter().any(|(n, _)| *n != 0) {
            return None;
        }
    }
    let &(n, at) = numbers.first()?;
    if let Some(finding) = zeros_among_letters(&numbers, &widths, letters) {
        return Some(finding);
    }
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

/// The finding for men with their squares in one word each, `["Ke1", "ke8"]`: one, instead of one for each sign.
pub(super) fn men_in_one_word(elements: &[Element<'_>], format: &Format, span: Span) -> Option<Finding> {
    let mut edits = Vec::new();
    for element in elements {
        let (Element::Word(token) | Element::String(token)) = element else { return None };
        let text = man(token.content().0, None, format).filter(|_| !format.is_cube())?;
        edits.push(Edit { span: token.span(), text });
    }
    Some(written_so(&edits.first()?.text.clone(), span, edits))
}

/// The finding for men with their squares in the words of a text, as composers write a position: `Ke1 ke8`, or
/// `White: Ke1 Black: Ke8`.
pub(super) fn men_in_text<'t>(tokens: impl Iterator<Item = Token<'t>>, format: &Format) -> Option<Finding> {
    let mut men: Vec<String> = Vec::new();
    let (mut colour, mut whole) = (None, None::<Span>);
    for token in tokens {
        whole = Some(whole.map_or(token.span(), |whole| whole.cover(token.span())));
        let text = token.content().0;
        // Nearly all boards are rows or a FEN, which begin with a word that is too long for a man: `Kc10(VIII),` has 11 characters.
        if text.len() > 12 && text.bytes().take(13).all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        for word in text.split_whitespace() {
            let word = word.trim_end_matches([',', ';', '.']);
            let label = word.trim_end_matches(':');
            // Nearly all words are rows.
            let is_label =
                label.starts_with(['w', 'W', 'b', 'B']) && (label.len() < word.len() || label.len() > 1);
            if let Some(side) = is_label.then(|| read_colour(label)).flatten() {
                if colour.is_none() && !men.is_empty() {
                    return None;
                }
                colour = Some(side);
            } else if word.starts_with('(') && format.is_cube() && !men.is_empty() {
                // The level of the cube before it.
                let last = men.last_mut()?;
                last.truncate(last.len() - 2);
                *last += &format!(" {word}\"]");
            } else if !word.is_empty() {
                men.push(man(word, colour, format)?);
            }
        }
    }
    let (first, whole) = (men.first()?.clone(), whole?);
    let text = format!("[{}]", men.join(", "));
    Some(written_so(&first, whole, vec![Edit { span: whole, text }]))
}

fn written_so(example: &str, span: Span, edits: Vec<Edit>) -> Finding {
    let count = if example.matches(',').count() == 1 { " of two" } else { "" };
    let message = format!("write each piece and its square in a list{count}, as in `{example}`");
    let fix = Fix { title: "write them so".into(), edits, safe: false };
    Finding::new(Code::InvalidValue, span, message).fix(fix)
}

/// The entry of coordinates for a word such as `Ke1`. Behind the name of a colour, a square alone is that of a pawn or a man.
fn man(word: &str, colour: Option<Colour>, format: &Format) -> Option<String> {
    let (letter, square) = word.split_at_checked(1)?;
    let is_least = |kind: &&Kind| matches!(kind, Kind::Pawn | Kind::Man);
    let (kind, square) = match (named(square), named(word)) {
        (Some(_), _) => (Kind::from_letter(letter.chars().next()?)?, square),
        (None, Some(_)) if colour.is_some() => (*format.kinds.iter().find(is_least)?, word),
        _ => return None,
    };
    if !format.kinds.contains(&kind) {
        return None;
    }
    Some(match colour.filter(|_| format.coloured) {
        Some(Colour::White) => format!("[\"W\",\"{}\",\"{square}\"]", kind.letter()),
        Some(Colour::Black) => format!("[\"B\",\"{}\",\"{square}\"]", kind.letter()),
        None => format!("[\"{letter}\",\"{square}\"]"),
    })
}

fn has_commas_around(text: &str, at: Span) -> bool {
    text[..at.start as usize].trim_end().ends_with(',')
        && text[at.end as usize..].trim_start().starts_with(',')
}

fn quoted(text: &str) -> String {
    format!("`{}`", text.chars().take(24).collect::<String>())
}
