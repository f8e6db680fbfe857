//! Pieces and squares written as entries: `[x, y, 'c']`, `["W","K",x,y]`, `['e1', 'K']`, `[11, 'K']`.

use crate::board::game_format::{Format, english_piece};
use crate::board::model::{Colour, Kind, Piece, Size, Square, level_name};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{Element, TokenKind, in_latin, written_in_latin};

/// The origin and the board size that coordinates refer to.
#[derive(Clone, Copy, Debug)]
pub struct CoordinateFrame {
    /// The number of the first column, row and level: 0 or 1.
    pub origin: u8,
    /// The size of the board.
    pub size: Size,
}

/// A square and its span in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareText {
    /// The square: 0-based, on the board.
    pub square: Square,
    /// The span of its numbers or its name.
    pub span: Span,
}

/// An entry of coordinates: a piece and a square. Each is `None` where it is missing or wrong.
#[derive(Default)]
pub struct CoordinateEntry {
    /// The piece and its span.
    pub piece: Option<(Piece, Span)>,
    /// The square and its span.
    pub square: Option<SquareText>,
    /// What is wrong with the entry.
    pub findings: Vec<Finding>,
}

/// A scalar of a list. An unquoted word of digits is a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Scalar<'t> {
    Number(i64),
    Text(&'t str),
}

/// Reads a scalar with its span; `None` for a list.
pub(super) fn scalar<'t>(element: Element<'t>) -> Option<(Scalar<'t>, Span)> {
    match element {
        Element::List(_) => None,
        Element::Word(t) => Some((number(t.text()).map_or(Scalar::Text(t.text()), Scalar::Number), t.span())),
        Element::String(t) => Some((Scalar::Text(t.content().0), t.span())),
    }
}

/// A whole number. A number beyond 64 bits becomes the least or the greatest one, which is off every board.
pub(super) fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}

/// A colour: `w`, `white`, `b` or `black`, in any case.
pub fn read_colour(text: &str) -> Option<Colour> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "white" => Some(Colour::White),
        "b" | "black" => Some(Colour::Black),
        _ => None,
    }
}

/// The file, rank and level of a name such as `e1` or, in chess3d, `c2 (I)`: 0-based, not checked against a size.
pub(super) fn named(text: &str) -> Option<(u64, u64, Option<u64>)> {
    let text = text.trim();
    let mut chars = text.chars();
    let file = chars.next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase() as u64 - 'a' as u64;
    let rest = chars.as_str();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rank: u64 = rest[..digits].parse().ok()?;
    let level = rest[digits..].trim().trim_start_matches('(').trim_end_matches(')').trim();
    let z = match level {
        "" => None,
        roman => Some((1..=10u8).find(|&z| level_name(z - 1).eq_ignore_ascii_case(roman))? as u64 - 1),
    };
    Some((file, rank.wrapping_sub(1), z))
}

/// The square of a name such as `e1`, if it is on a board of one level and of this size.
pub fn square_from_words(text: &str, size: Size) -> Option<Square> {
    let (x, y, z) = named(text)?;
    (z.is_none() && x < size.w.into() && y < size.h.into()).then(|| Square::new(x as u8, y as u8))
}

/// The square of some numbers, or of a name.
fn square_of(
    numbers: &[(i64, Span)],
    name: Option<(&str, Span)>,
    format: &Format,
    frame: CoordinateFrame,
    whole: Span,
) -> Result<SquareText, Finding> {
    let cube = format.is_cube();
    let shape = || {
        let message = match cube {
            true => "write a cube as three numbers `x, y, z` or by its name, such as `'c2 (I)'`",
            false => {
                "write a square as two numbers `x, y`, as one number of two digits, or by its name, such as `e1`"
            }
        };
        Finding::new(Code::InvalidValue, whole, message)
    };
    let base = i128::from(frame.origin);
    let (at, span) = match (numbers, name) {
        ([], Some((text, span))) => {
            let (x, y, z) = named(text).ok_or_else(shape)?;
            if z.is_some() != cube {
                return Err(shape());
            }
            ([x.into(), i128::from(y as i64), z.unwrap_or(0).into()], span)
        }
        // A single digit is not a square: the other coordinate is missing.
        (&[(n, span)], None) if !cube && (span.end - span.start > 1 || n < 0) => {
            // A number of two digits, as in source 004: the tens are x, the units y.
            let n = i128::from(n);
            let (x, y) = if (0..=99).contains(&n) { (n / 10, n % 10) } else { (-1, -1) };
            ([x - base, y - base, 0], span)
        }
        (&[(x, a), (y, b)], None) if !cube => ([i128::from(x) - base, i128::from(y) - base, 0], a.cover(b)),
        (&[(x, a), (y, _), (z, c)], None) if cube => {
            ([i128::from(x) - base, i128::from(y) - base, i128::from(z) - base], a.cover(c))
        }
        _ => return Err(shape()),
    };
    let Size { w, h, d } = frame.size;
    let on = |v: i128, n: u8| (0..i128::from(n)).contains(&v);
    if !(on(at[0], w) && on(at[1], h) && on(at[2], d)) {
        let (low, o) = (frame.origin, frame.origin);
        let range = |n: u8| format!("{low} to {}", n - 1 + o);
        let message = match name {
            Some((text, _)) => format!("{text} is not on this {} board", frame.size),
            None if cube => {
                format!("this is off the {} board: each number goes from {}", frame.size, range(w))
            }
            None if w == h => format!("this is off the {} board: x and y go from {}", frame.size, range(w)),
            None => {
                format!("this is off the {} board: x goes from {}, y from {}", frame.size, range(w), range(h))
            }
        };
        return Err(Finding::new(Code::OffBoard, span, message));
    }
    Ok(SquareText { square: Square { x: at[0] as u8, y: at[1] as u8, z: at[2] as u8 }, span })
}

/// Reads a square without a piece: `[3,0]`, `e1`, `[e1]`, `[11]`.
///
/// # Errors
/// An `invalid-value` or `off-board` finding.
pub fn read_square(
    element: Element<'_>,
    format: &Format,
    frame: CoordinateFrame,
) -> Result<SquareText, Finding> {
    let parts: Vec<Element<'_>> = match element {
        Element::List(n) => n.elements().collect(),
        other => vec![other],
    };
    read_square_parts(&parts, element.span(), format, frame)
}

/// Reads a square from the elements of its list. `whole` is the span for findings about all of it.
///
/// # Errors
/// An `invalid-value` or `off-board` finding.
pub fn read_square_parts(
    parts: &[Element<'_>],
    whole: Span,
    format: &Format,
    frame: CoordinateFrame,
) -> Result<SquareText, Finding> {
    let (mut numbers, mut name, mut extra) = (Vec::new(), None, false);
    for &part in parts {
        match scalar(part) {
            Some((Scalar::Number(n), span)) => numbers.push((n, span)),
            Some((Scalar::Text(t), span)) if name.is_none() => {
                if let Some(finding) = cyrillic_square(t, part) {
                    return Err(finding);
                }
                name = Some((t, span));
            }
            _ => extra = true,
        }
    }
    // An empty name is invalid: with more elements than a square has, all of it is unreadable.
    let name = if extra || name.is_some() && !numbers.is_empty() { Some(("", whole)) } else { name };
    if name.is_some() {
        numbers.clear();
    }
    square_of(&numbers, name, format, frame, whole)
}

/// Reads an entry: a piece and a square in either order. Numbers and names are squares, other words are pieces.
pub fn read_entry(element: Element<'_>, format: &Format, frame: CoordinateFrame) -> CoordinateEntry {
    let parts: Vec<Element<'_>> = match element {
        Element::List(n) => n.elements().collect(),
        other => vec![other],
    };
    read_parts(&parts, element.span(), format, frame)
}

/// Reads an entry from the elements of its list.
pub(super) fn read_parts(
    parts: &[Element<'_>],
    whole: Span,
    format: &Format,
    frame: CoordinateFrame,
) -> CoordinateEntry {
    let mut entry = CoordinateEntry::default();
    if parts.is_empty() {
        let message = "this entry is empty: write a piece and its square";
        entry.findings.push(Finding::new(Code::InvalidValue, whole, message));
        return entry;
    }
    let (mut numbers, mut names, mut words) = (Vec::new(), Vec::new(), Vec::new());
    for &part in parts {
        match scalar(part) {
            Some((Scalar::Number(n), span)) => numbers.push((n, span)),
            Some((Scalar::Text(t), span)) if named(t).is_some() => names.push((t, span)),
            Some((Scalar::Text(t), span)) => {
                if let Some(finding) = cyrillic_square(t, part) {
                    entry.findings.push(finding);
                    return entry;
                }
                words.push((t, span, part));
            }
            None => {
                let message = "write the piece and its square in one list: remove these inner brackets";
                entry.findings.push(Finding::new(Code::InvalidValue, part.span(), message));
                return entry;
            }
        }
    }
    if names.len() > 1 {
        let message = "an entry can have only one square";
        entry.findings.push(Finding::new(Code::InvalidValue, names[1].1, message));
        return entry;
    }
    match square_of(&numbers, names.first().copied(), format, frame, whole) {
        Ok(square) => entry.square = Some(square),
        Err(finding) => {
            entry.findings.push(finding);
            // One word too many is the square that cannot be read.
            if words.len() > if format.coloured { 2 } else { 1 } {
                return entry;
            }
        }
    }
    match read_piece(&words, format, whole) {
        Ok((piece, span, hint)) => {
            entry.piece = Some((piece, span));
            entry.findings.extend(hint);
        }
        Err(finding) => entry.findings.push(finding),
    }
    entry
}

type Word<'t> = (&'t str, Span, Element<'t>);

/// Reads a piece: a kind, with or without a colour. Without one the case of the letter gives the colour.
fn read_piece(
    words: &[Word<'_>],
    format: &Format,
    whole: Span,
) -> Result<(Piece, Span, Option<Finding>), Finding> {
    let one = |text: &str| {
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    };
    let figurine = |text: &str| one(text).and_then(|c| format.figurine(c));
    let kind = |text: &str| {
        let letter = one(text).and_then(Kind::from_letter).filter(|k| format.kinds.contains(k));
        letter.or_else(|| figurine(text).map(|piece| piece.kind))
    };
    match words {
        &[(text, span, element)] => {
            let letter = one(text);
            if !format.coloured {
                return match kind(text) {
                    Some(k) => Ok((Piece::new(Colour::White, k), span, None)),
                    None => Err(unknown_or_name(text, span, format, element)),
                };
            }
            if let Some(piece) = figurine(text) {
                return Ok((piece, span, None));
            }
            if let Some(c) = letter
                && let Some(k) = kind(text)
            {
                let colour = if c.is_ascii_uppercase() { Colour::White } else { Colour::Black };
                return Ok((Piece::new(colour, k), span, None));
            }
            match letter.and_then(|c| format.piece(c).map(|p| (c, p))) {
                Some((c, piece)) => {
                    let hint = (piece.kind == Kind::King && c != 'K' && c != 'k')
                        .then(|| king_letter(c, span, element, piece));
                    Ok((piece, span, hint))
                }
                None => Err(unknown(text, span, format, element)),
            }
        }
        &[(a, at_a, element_a), (b, at_b, element_b)] => {
            if !format.coloured {
                let is_colour =
                    |colour: &str, piece: &str| read_colour(colour).is_some() && kind(piece).is_some();
                let colour_at = if is_colour(a, b) { at_a } else { at_b };
                let message = format!("the pieces of {} have no colours", format.game);
                let finding = Finding::new(Code::UnknownPiece, colour_at, message);
                // Without a piece beside it, the colour may be the piece.
                let evident = is_colour(a, b) != is_colour(b, a);
                return Err(match evident {
                    true => finding.fix(Fix::new("remove the colour (if it is one)", colour_at, "", false)),
                    false => finding,
                });
            }
            let span = at_a.cover(at_b);
            // `["B","B",…]` is a black bishop: the colour is first where both orders are possible.
            for (colour, k) in [(a, b), (b, a)] {
                if let (Some(colour), Some(k)) = (read_colour(colour), kind(k)) {
                    return Ok((Piece::new(colour, k), span, None));
                }
            }
            match (read_colour(a), read_colour(b)) {
                (Some(_), _) => Err(unknown_or_name(b, at_b, format, element_b)),
                (None, Some(_)) => Err(unknown_or_name(a, at_a, format, element_a)),
                (None, None) => {
                    let message = format!("`{a}` is not a colour; the colours are W, B, white and black");
                    Err(with_latin(Finding::new(Code::UnknownPiece, at_a, message), a, element_a))
                }
            }
        }
        [] => Err(Finding::new(Code::InvalidValue, whole, "the piece is missing in this entry")),
        [.., (_, span, _)] => Err(Finding::new(
            Code::InvalidValue,
            *span,
            "this entry has too many words; write a piece and a square",
        )),
    }
}

/// The kind that a word names: `king`, in any case.
pub(super) fn kind_of_name(word: &str) -> Option<Kind> {
    // Nearly all words are letters.
    let is_name = |kind: &Kind| word.len() > 2 && kind.name().eq_ignore_ascii_case(word);
    Kind::ALL.into_iter().find(is_name)
}

/// The same as [`unknown`], with a fix for the name of a piece whose colour is said beside it.
fn unknown_or_name(text: &str, span: Span, format: &Format, element: Element<'_>) -> Finding {
    let mut finding = unknown(text, span, format, element);
    if let Some(kind) = kind_of_name(text).filter(|kind| format.kinds.contains(kind)) {
        let (at, quote, letter) = (element.span(), quote(element), kind.letter());
        finding.fixes = vec![Fix::new("write the letters", at, format!("{quote}{letter}{quote}"), false)];
    }
    finding
}

fn unknown(text: &str, span: Span, format: &Format, element: Element<'_>) -> Finding {
    let mut kinds: Vec<String> = format.kinds.iter().map(|k| k.letter().to_string()).collect();
    let last = kinds.pop().unwrap_or_default();
    let kinds = format!("{} and {last}", kinds.join(", "));
    let message = if text.eq_ignore_ascii_case("p") && format.kinds.contains(&Kind::King) && format.is_cube()
    {
        format!("{} has no pawns", format.game)
    } else if kind_of_name(text).is_some() {
        // The same for all of a board, which are one finding.
        format!("the pieces of {} are named by their letters: {kinds}", format.game)
    } else {
        format!("`{text}` is not a piece of {}; the pieces are {kinds}", format.game)
    };
    let mut finding = with_latin(Finding::new(Code::UnknownPiece, span, message), text, element);
    let mut letters = text.chars();
    if let (Some(c), None) = (letters.next(), letters.next()) {
        let quote = quote(element);
        let fixes = format.letter_fixes(c, element.span(), |l| format!("{quote}{l}{quote}"));
        finding.fixes = if fixes.is_empty() { finding.fixes } else { fixes };
    }
    finding
}

/// The quote character around an element, or an empty text.
fn quote(element: Element<'_>) -> &str {
    match element {
        Element::String(t) if t.kind() == TokenKind::String && t.text().is_char_boundary(1) => &t.text()[..1],
        _ => "",
    }
}

/// The finding for the name of a square in Cyrillic letters: `а1`.
fn cyrillic_square(text: &str, element: Element<'_>) -> Option<Finding> {
    // Nearly all words have few letters, all of them Latin; `is_ascii` is made for longer texts.
    if text.bytes().all(|byte| byte < 0x80) {
        return None;
    }
    in_latin(text).filter(|latin| named(latin).is_some())?;
    let span = element.span();
    let (message, fix) = written_in_latin(text, span, quote(element))?;
    Some(Finding::new(Code::InvalidValue, span, message).fix(fix))
}

/// Adds a fix for Cyrillic letters that look like Latin ones.
fn with_latin(finding: Finding, text: &str, element: Element<'_>) -> Finding {
    let Some(latin) = in_latin(text) else { return finding };
    let quote = quote(element);
    let span = element.span();
    // The Russian knight looks like the Latin king, and Russian text has more letters than those that look Latin.
    let safe = !text.chars().any(|c| c.to_uppercase().any(|c| english_piece(c).is_some()));
    let fix =
        Fix::new(format!("replace with the Latin `{latin}`"), span, format!("{quote}{latin}{quote}"), safe);
    Finding { message: format!("`{text}` is written in Cyrillic letters; cpz reads Latin ones"), ..finding }
        .fix(fix)
}

/// `["B",33]` is a king, as in text, and looks as if it were any black piece.
fn king_letter(c: char, span: Span, element: Element<'_>, piece: Piece) -> Finding {
    let man = c.to_ascii_lowercase();
    let message = format!("`{c}` is a {piece}; a {} man is `{man}`", piece.colour.name());
    let quote = quote(element);
    Finding::new(Code::KingLetter, span, message).fix(Fix::new(
        "make it a man",
        span,
        format!("{quote}{man}{quote}"),
        false,
    ))
}
