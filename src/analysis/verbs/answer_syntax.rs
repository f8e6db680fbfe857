//! Answers as they are written after `=>`, read into plain data.

use crate::analysis::binding::Bound;
use crate::board::{
    Board, CoordinateFrame, Kind, SizeValue, Square, read_element, read_square, read_square_parts,
};
use crate::diagnostic::{Code, Finding, Fix, Span};
use crate::games::{Position, Status, Step, Verdict};
use crate::syntax::{Element, TokenKind, Value, Verb, captures_as_shown, nearest};

/// A written answer.
pub(crate) enum ParsedAnswer {
    /// That there is no solution or no capture.
    Nothing,
    /// A sequence with the place of each step, up to the first that cannot be read.
    Steps(Vec<(Step, Span)>, Option<Finding>),
    /// Boards from start to end.
    Boards(Vec<(Board, Span)>),
    /// A number of solutions; nothing for one beyond 128 bits.
    Number(Option<u128>),
    /// `legal`, or for `mate` that it is mate.
    Truth(bool),
    /// A state.
    Status(Status),
    /// What becomes of enemy pieces.
    Pieces(Vec<(Square, Verdict, Span)>),
}

/// Reads an answer to a verb.
///
/// # Errors
/// What cannot be read in it, each on its place.
pub(crate) fn read(
    value: Value<'_>,
    verb: Verb,
    bound: &Bound<'_>,
    board: &Board,
) -> Result<ParsedAnswer, Vec<Finding>> {
    if let (Verb::Solve | Verb::Capture, Some(finding)) = (verb, as_shown(value)) {
        return Err(vec![finding]);
    }
    match (verb, value) {
        (Verb::Solve, Value::Lists(_)) => solution(value, bound, board),
        (Verb::Capture, Value::Lists(_)) => capture(value, bound, board),
        (_, Value::Lists(_)) => Err(vec![unreadable(value.span(), "", verb)]),
        (_, Value::Word(_) | Value::String(_)) => {
            let (text, _) = value.scalar().unwrap_or_default();
            scalar(text, verb).ok_or_else(|| vec![unreadable(value.span(), text, verb)])
        }
    }
}

/// What cannot be read in an answer that is a word or a string, whatever the board.
pub(crate) fn unreadable_word(value: Value<'_>, verb: Verb) -> Option<Finding> {
    let (text, _) = value.scalar()?;
    scalar(text, verb).is_none().then(|| unreadable(value.span(), text, verb))
}

/// What is said of an answer that is written as cpz shows it, in a list or a string.
fn as_shown(value: Value<'_>) -> Option<Finding> {
    let words = value.elements().into_iter().map(|element| match element {
        Element::Word(t) | Element::String(t) => Some(t.content().0.split_whitespace()),
        Element::List(_) => None,
    });
    // Of steps and boards the first is a list.
    let words = words.collect::<Option<Vec<_>>>()?;
    captures_as_shown(&words.into_iter().flatten().collect::<Vec<_>>(), value.span())
}

fn scalar(text: &str, verb: Verb) -> Option<ParsedAnswer> {
    // Source 003 prints some of its verdicts in Russian.
    let lower = match text.trim().to_lowercase().as_str() {
        "правда" | "верно" => "true".to_string(),
        "ложь" | "неверно" => "false".to_string(),
        other => other.to_string(),
    };
    Some(match (verb, lower.as_str()) {
        (Verb::Solve, "none" | "false" | "0" | "") | (Verb::Capture, "none") => ParsedAnswer::Nothing,
        (Verb::Count, n) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => {
            ParsedAnswer::Number(n.parse().ok())
        }
        (Verb::Move, "legal" | "true") | (Verb::Mate, "true") => ParsedAnswer::Truth(true),
        (Verb::Move, "illegal" | "false") | (Verb::Mate, "false") => ParsedAnswer::Truth(false),
        (Verb::Mate, "checkmate") => ParsedAnswer::Status(Status::Checkmate),
        (Verb::Mate, "check") => ParsedAnswer::Status(Status::Check),
        (Verb::Mate, "stalemate") => ParsedAnswer::Status(Status::Stalemate),
        (Verb::Mate, "none") => ParsedAnswer::Status(Status::None),
        _ => return None,
    })
}

/// What may be written, as a sentence's end and as words.
fn wanted(verb: Verb) -> (&'static str, &'static [&'static str]) {
    match verb {
        Verb::Solve => ("a list of captures `[[x,y],[x,y]]`, a list of boards, or none", &["none"]),
        Verb::Count => ("a number", &[]),
        Verb::Move => ("legal or illegal", &["legal", "illegal", "true", "false"]),
        Verb::Mate => (
            "checkmate, check, stalemate, none, true or false",
            &["checkmate", "check", "stalemate", "none", "true", "false"],
        ),
        Verb::Capture => {
            ("a capture's steps or path, a list of verdicts `[x,y,\"directly\"]`, or none", &["none"])
        }
    }
}

fn unreadable(span: Span, text: &str, verb: Verb) -> Finding {
    let (wanted, words) = wanted(verb);
    let finding = Finding::new(Code::Syntax, span, format!("the answer here is {wanted}"));
    match meant(text, verb).or_else(|| nearest(text, words.iter().copied()).map(|i| words[i])) {
        Some(word) => finding.fix(Fix::new(format!("replace with `{word}`"), span, word, false)),
        None => finding,
    }
}

/// The answer that others call `text`.
fn meant(text: &str, verb: Verb) -> Option<&'static str> {
    Some(match (verb, text.trim().to_lowercase().as_str()) {
        (Verb::Move, "yes" | "ok" | "possible" | "valid" | "да") => "legal",
        (Verb::Move, "no" | "impossible" | "invalid" | "нет") => "illegal",
        (Verb::Mate, "yes" | "да") => "true",
        (Verb::Mate, "no" | "нет") => "false",
        (Verb::Mate, "mated" | "#") => "checkmate",
        (Verb::Mate, "+") => "check",
        (Verb::Mate, "pat" | "draw") => "stalemate",
        (Verb::Solve, "no" | "impossible" | "unsolvable" | "нет")
        | (Verb::Capture, "no" | "impossible" | "нет") => "none",
        _ => return None,
    })
}

/// The elements of a list.
fn inner<'t>(element: Element<'t>) -> Option<Vec<Element<'t>>> {
    match element {
        Element::List(n) => Some(n.elements().collect()),
        _ => None,
    }
}

fn is_number(element: &Element<'_>) -> bool {
    matches!(element, Element::Word(t) if t.text().trim_start_matches('-').bytes().all(|b| b.is_ascii_digit()))
}

/// Whether an element looks like a square: two numbers in a list, or a name such as `e1`.
fn like_square(element: &Element<'_>) -> bool {
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

/// Whether elements are a step's: two squares, perhaps after the letter of what is captured.
fn like_step(parts: &[Element<'_>]) -> bool {
    let squares = match parts {
        [Element::Word(t) | Element::String(t), rest @ ..] if rest.len() == 2 && t.content().0.len() == 1 => {
            rest
        }
        all => all,
    };
    squares.len() == 2 && squares.iter().all(like_square)
}

fn frame(bound: &Bound<'_>, board: &Board) -> CoordinateFrame {
    CoordinateFrame { origin: bound.origin, size: board.size }
}

/// Reads `[[x,y],[x,y]]`, perhaps with a letter before.
fn step(
    parts: &[Element<'_>],
    span: Span,
    bound: &Bound<'_>,
    board: &Board,
) -> Result<(Step, Span), Finding> {
    let bad = || Finding::new(Code::Syntax, span, "a step is two squares, as in `[[3,0],[1,1]]`");
    let mut squares = parts;
    let mut taken = None;
    if let [Element::Word(t) | Element::String(t), rest @ ..] = parts
        && rest.len() == 2
    {
        let letter = t.content().0;
        taken = letter.chars().next().filter(|_| letter.len() == 1).and_then(Kind::from_letter);
        if taken.is_none() {
            return Err(Finding::new(
                Code::UnknownPiece,
                t.span(),
                format!("`{letter}` is no piece's letter"),
            ));
        }
        squares = rest;
    }
    let &[from, to] = squares else { return Err(bad()) };
    let square = |e| read_square(e, bound.game.format(), frame(bound, board)).map(|s| s.square);
    Ok((Step { from: square(from)?, to: square(to)?, taken }, span))
}

fn steps(elements: &[Element<'_>], bound: &Bound<'_>, board: &Board) -> ParsedAnswer {
    let mut steps = Vec::new();
    for &element in elements {
        match step(&inner(element).unwrap_or_default(), element.span(), bound, board) {
            Ok(s) => steps.push(s),
            Err(finding) => return ParsedAnswer::Steps(steps, Some(finding)),
        }
    }
    ParsedAnswer::Steps(steps, None)
}

fn solution(value: Value<'_>, bound: &Bound<'_>, board: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
    let elements = value.elements();
    if elements.is_empty() {
        return Ok(ParsedAnswer::Steps(Vec::new(), None));
    }
    if like_step(&elements) {
        // One capture without the brackets of the list of captures.
        return step(&elements, value.span(), bound, board)
            .map(|s| ParsedAnswer::Steps(vec![s], None))
            .map_err(|f| vec![f]);
    }
    if elements.iter().any(|&e| inner(e).is_some_and(|parts| like_step(&parts))) {
        return Ok(steps(&elements, bound, board));
    }
    let boardlike = |e: &Element<'_>| match e {
        Element::List(n) => n.elements().next().is_some(),
        Element::Word(t) | Element::String(t) => {
            t.kind() != TokenKind::UnclosedString && t.content().0.len() > 1
        }
    };
    if !elements.iter().all(boardlike) {
        return Err(vec![unreadable(value.span(), "", Verb::Solve)]);
    }
    let (mut boards, mut findings) = (Vec::new(), Vec::new());
    // A flat board has the puzzle's shape, whatever its length would say.
    let (columns, rows) = (board.size.w.into(), board.size.h.into());
    let size = SizeValue { columns, rows, span: value.span(), own: false };
    for element in elements {
        let reading = read_element(element, bound.game.format(), bound.origin, Some(size));
        let good = reading.is_good();
        match reading.board {
            Some(b) if good => boards.push((b, element.span())),
            _ => findings.extend(reading.findings),
        }
    }
    if findings.is_empty() { Ok(ParsedAnswer::Boards(boards)) } else { Err(findings) }
}

/// A part of a written answer.
pub enum AnswerPart<'t> {
    /// A square: what it is written with.
    Square(Vec<Element<'t>>),
    /// A board of a solution.
    Board(Element<'t>),
}

/// The squares and boards of a written answer, in order.
pub(crate) fn answer_parts<'t>(value: Value<'t>, verb: Verb) -> Vec<AnswerPart<'t>> {
    let elements = value.elements();
    if !matches!(value, Value::Lists(_)) || elements.is_empty() {
        return Vec::new();
    }
    let square = |e: Element<'t>| AnswerPart::Square(inner(e).unwrap_or_else(|| vec![e]));
    let squares = |parts: Vec<Element<'t>>| {
        let skip = usize::from(parts.len() == 3);
        parts.into_iter().skip(skip).map(square).collect::<Vec<_>>()
    };
    let all = |elements: Vec<Element<'t>>| {
        elements.into_iter().flat_map(|e| squares(inner(e).unwrap_or_default())).collect()
    };
    // A verdict stands beside its square's numbers or name, or beside a list of them.
    let judged = |parts: Vec<Element<'t>>| {
        let rest: Vec<Element<'t>> = parts.into_iter().filter(|e| verdict_of(e).is_none()).collect();
        match rest.as_slice() {
            &[one] => square(one),
            _ => AnswerPart::Square(rest),
        }
    };
    match verb {
        Verb::Solve if like_step(&elements) => squares(elements),
        Verb::Solve if elements.iter().any(|&e| inner(e).is_some_and(|parts| like_step(&parts))) => {
            all(elements)
        }
        Verb::Solve => elements.into_iter().map(AnswerPart::Board).collect(),
        Verb::Capture if elements.iter().any(|e| verdict_of(e).is_some()) => vec![judged(elements)],
        Verb::Capture if elements.iter().any(|&e| is_judged(e)) => {
            elements.into_iter().filter_map(inner).map(judged).collect()
        }
        Verb::Capture if elements.iter().any(is_step) => all(elements),
        Verb::Capture => elements.into_iter().map(square).collect(),
        _ => Vec::new(),
    }
}

/// Whether an element holds a verdict.
fn is_judged(element: Element<'_>) -> bool {
    inner(element).is_some_and(|parts| parts.iter().any(|p| verdict_of(p).is_some()))
}

/// Whether an element is a step of a draughts capture, and not a square of its path.
fn is_step(element: &Element<'_>) -> bool {
    inner(*element).is_some_and(|p| p.iter().any(|q| matches!(q, Element::List(_)) || !is_number(q)))
}

fn verdict_of(element: &Element<'_>) -> Option<Verdict> {
    let (Element::Word(t) | Element::String(t)) = element else { return None };
    let text = t.content().0;
    Verdict::ALL.into_iter().find(|v| v.word().eq_ignore_ascii_case(text))
}

fn capture(value: Value<'_>, bound: &Bound<'_>, board: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
    let elements = value.elements();
    let format = bound.game.format();
    let piece = |parts: &[Element<'_>], span: Span| -> Result<(Square, Verdict, Span), Finding> {
        let Some(verdict) = parts.iter().find_map(verdict_of) else {
            return Err(Finding::new(Code::Syntax, span, "a verdict is `directly`, `after` or `no`"));
        };
        let rest: Vec<Element<'_>> = parts.iter().copied().filter(|e| verdict_of(e).is_none()).collect();
        let whole = rest.iter().map(|e| e.span()).reduce(Span::cover).unwrap_or(span);
        let square = match rest.as_slice() {
            &[one] => read_square(one, format, frame(bound, board))?,
            // Its numbers stand beside the verdict, not in a list of their own.
            _ => read_square_parts(&rest, whole, format, frame(bound, board))?,
        };
        Ok((square.square, verdict, span))
    };
    if elements.iter().any(|e| verdict_of(e).is_some()) {
        return piece(&elements, value.span()).map(|p| ParsedAnswer::Pieces(vec![p])).map_err(|f| vec![f]);
    }
    if elements.is_empty() || elements.iter().any(|&e| is_judged(e)) {
        let (mut pieces, mut findings) = (Vec::new(), Vec::new());
        for &element in &elements {
            match piece(&inner(element).unwrap_or_default(), element.span()) {
                Ok(p) => pieces.push(p),
                Err(f) => findings.push(f),
            }
        }
        return if findings.is_empty() { Ok(ParsedAnswer::Pieces(pieces)) } else { Err(findings) };
    }
    if elements.iter().any(is_step) {
        let lettered = |e: &&Element<'_>| inner(**e).is_some_and(|p| p.len() > 2);
        if let Some(element) = elements.iter().find(lettered) {
            return Err(vec![Finding::new(
                Code::Syntax,
                element.span(),
                "a step is two squares, as in `[[1,1],[4,4]]`",
            )]);
        }
        return Ok(steps(&elements, bound, board));
    }
    // A path: every square is a landing but the first.
    let (mut squares, mut findings) = (Vec::new(), Vec::new());
    for &element in &elements {
        match read_square(element, format, frame(bound, board)) {
            Ok(s) => squares.push((s.square, element.span())),
            Err(f) => findings.push(f),
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    let steps = squares.windows(2).map(|w| (Step { from: w[0].0, to: w[1].0, taken: None }, w[1].1));
    match squares.len() {
        1 => Err(vec![Finding::new(Code::Syntax, value.span(), "a path has two squares at least")]),
        _ => Ok(ParsedAnswer::Steps(steps.collect(), None)),
    }
}

/// The captures that lead from each board to the next.
///
/// # Errors
/// The index of the board that does not follow, and why.
pub(crate) fn captures_between(
    boards: &[(Board, Span)],
    position: &Position,
    follow: impl Fn(&[Step]) -> usize,
) -> Result<Vec<(Step, Span)>, (usize, String)> {
    if boards[0].0 != position.board {
        return Err((0, "the first board is not the one of this puzzle".to_string()));
    }
    let mut steps: Vec<(Step, Span)> = Vec::new();
    for (i, pair) in boards.windows(2).enumerate() {
        let (before, after) = (&pair[0].0, &pair[1].0);
        if after.size != before.size {
            return Err((i + 1, format!("this board is {}, and the one before {}", after.size, before.size)));
        }
        let left: Vec<usize> = (0..before.cells.len())
            .filter(|&c| before.cells[c].is_some() && after.cells[c].is_none())
            .collect();
        let came: Vec<usize> = (0..before.cells.len())
            .filter(|&c| after.cells[c].is_some() && after.cells[c] != before.cells[c])
            .collect();
        let wrong = || (i + 1, "this board does not follow from the one before by one capture".to_string());
        let &[from] = left.as_slice() else { return Err(wrong()) };
        // Where like took like the board does not show which: any that can be taken will do.
        let targets: Vec<usize> = match came.as_slice() {
            [] => (0..before.cells.len())
                .filter(|&c| c != from && before.cells[c] == before.cells[from])
                .collect(),
            &[to] if after.cells[to] == before.cells[from] && before.cells[to].is_some() => vec![to],
            _ => return Err(wrong()),
        };
        let mut tried: Vec<Step> = steps.iter().map(|s| s.0).collect();
        let step = |to: usize| Step { from: before.square(from), to: before.square(to), taken: None };
        let good = targets.iter().copied().find(|&to| {
            tried.push(step(to));
            let reached = follow(&tried);
            tried.pop();
            reached > i
        });
        let Some(to) = good.or(targets.first().copied()) else { return Err(wrong()) };
        steps.push((step(to), pair[1].1));
    }
    Ok(steps)
}
