//! `capture`: the captures of the side to move in draughts. Its answer is a capture, written as steps or as a path,
//! or a list of enemy pieces, each with a verdict: how it can be captured.

use crate::analysis::binding::Bound;
use crate::analysis::defaults::{Notation, SquareStyle};
use crate::analysis::verbs::answer_writer::{path_text, verdicts_text};
use crate::analysis::verbs::capture_words::in_other_signs;
use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::path_words::{are_paths, read_paths, read_taken, read_verdicts};
use crate::analysis::verbs::step_syntax::{frame, inner, is_number, read_steps, square_part, steps_parts};
use crate::analysis::verbs::verb_rules::{CorrectSequence, ExpectedAnswer, VerbRules, read_by_form};
use crate::analysis::verbs::written_answer::{AnswerPart, ParsedAnswer};
use crate::analysis::verbs::written_words::{WrittenWord, in_cyrillic, numbered, written_words};
use cpz_rules::board::{
    Board, Kind, Size, Square, read_square, read_square_parts, square_from_words, square_name,
};
use cpz_rules::games::{Answer, Line, Step, Verdict};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{Element, Query, Value, Verb, merge_latin, nearest};

pub(super) struct Capture;

impl VerbRules for Capture {
    fn verb(&self) -> Verb {
        Verb::Capture
    }

    fn answers_in_squares(&self) -> bool {
        true
    }

    fn expected(&self) -> ExpectedAnswer {
        ExpectedAnswer {
            description: "the path of a capture, as in `c3:e5:g7`, a list of verdicts `[c3, \"directly\"]`, or `none`",
            words: &["none"],
        }
    }

    fn read(&self, value: Value<'_>, bound: &Bound<'_>, board: &Board) -> Result<ParsedAnswer, Vec<Finding>> {
        let words = written_words(value).unwrap_or_default();
        if let Some(finding) = in_cyrillic(&words) {
            return Err(vec![finding]);
        }
        if are_paths(&words) || words.len() > 1 && words.iter().any(|&word| are_paths(&[word])) {
            return read_paths(&words).map_err(|f| vec![f]);
        }
        if let Some(finding) = in_other_signs(&words, ":") {
            return Err(vec![finding]);
        }
        if !matches!(value, Value::Lists(_))
            && let [first, .., last] = words[..]
            && words.iter().all(|word| square_from_words(word.text, Size::flat(8, 8)).is_some())
        {
            let path: Vec<&str> = words.iter().map(|word| word.text).collect();
            let (span, path) = (first.span.cover(last.span), path.join(":"));
            let message = format!("write the squares of a path together: `{path}`");
            let fix = Fix::new(format!("replace with `{path}`"), span, path, false);
            return Err(vec![Finding::new(Code::InvalidValue, span, message).fix(fix)]);
        }
        // In brackets a list of two words may be squares or one verdict, which the list's own reading knows.
        match value {
            Value::Lists(_) if value.elements().is_empty() => Ok(ParsedAnswer::Nothing),
            Value::Lists(_) => read_by_form(self, value, bound, board),
            _ => match read_verdicts(&words) {
                Some(verdicts) => Ok(verdicts),
                None => read_by_form(self, value, bound, board),
            },
        }
    }

    fn may_be_moves(&self, words: &[WrittenWord<'_>]) -> bool {
        are_paths(words) || read_verdicts(words).is_some()
    }

    fn word_parts<'t>(&self, words: &[WrittenWord<'t>]) -> Vec<AnswerPart<'t>> {
        numbered(words).into_iter().map(|m| AnswerPart::Move(m.word.text, m.word.span)).collect()
    }

    fn read_word(&self, word: &str) -> Option<ParsedAnswer> {
        match word {
            "none" | "no capture" | "no solution" | "false" | "0" | "" => Some(ParsedAnswer::Nothing),
            _ => read_taken(word),
        }
    }

    fn synonym(&self, word: &str) -> Option<&'static str> {
        matches!(word, "no" | "impossible" | "нет").then_some("none")
    }

    fn read_list(
        &self,
        value: Value<'_>,
        bound: &Bound<'_>,
        board: &Board,
    ) -> Result<ParsedAnswer, Vec<Finding>> {
        let elements = value.elements();
        if elements.iter().any(|e| verdict_of(e).is_some()) {
            // One verdict without the brackets of the list of verdicts.
            let verdict = read_verdict(&elements, value.span(), bound, board);
            return verdict.map(|v| ParsedAnswer::Pieces(vec![v])).map_err(|f| vec![f]);
        }
        if elements.is_empty() || elements.iter().any(|&e| has_verdict(e)) {
            let read = |e: &Element<'_>| read_verdict(&inner(*e).unwrap_or_default(), e.span(), bound, board);
            return read_all(&elements, read).map(ParsedAnswer::Pieces);
        }
        if elements.iter().any(is_step) {
            let has_letter = |e: &&Element<'_>| inner(**e).is_some_and(|p| p.len() > 2);
            if let Some(element) = elements.iter().find(has_letter) {
                let message = "a step is two squares, as in `[[1,1],[4,4]]`";
                return Err(vec![Finding::new(Code::InvalidValue, element.span(), message)]);
            }
            return Ok(read_steps(&elements, bound, board));
        }
        read_path(value, &elements, bound, board)
    }

    fn list_parts<'t>(&self, elements: Vec<Element<'t>>) -> Vec<AnswerPart<'t>> {
        if elements.iter().any(|e| verdict_of(e).is_some()) {
            return vec![verdict_part(elements)];
        }
        if elements.iter().any(|&e| has_verdict(e)) {
            return elements.into_iter().filter_map(inner).map(verdict_part).collect();
        }
        match elements.iter().any(is_step) {
            true => steps_parts(elements),
            false => elements.into_iter().map(square_part).collect(),
        }
    }

    fn compare(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        _query: Query<'_>,
        span: Span,
        answer: &Answer,
        written: &ParsedAnswer,
    ) {
        match (answer, written) {
            (Answer::Capture { lines, .. }, ParsedAnswer::Nothing) if !lines.is_empty() => {
                let path: Vec<String> = lines[0].path.iter().map(|&s| square_name(s, false)).collect();
                let message = format!("there is a capture: {}", path.join(":"));
                evaluator.report_wrong(span, message, Vec::new(), answer);
            }
            (Answer::Capture { pieces, .. }, ParsedAnswer::Pieces(written)) => {
                compare_verdicts(evaluator, span, pieces, written);
            }
            (Answer::Capture { lines, .. }, ParsedAnswer::Captures(captures, more)) => {
                compare_captures(evaluator, span, answer, lines, (captures, *more));
            }
            (Answer::Capture { lines, .. }, ParsedAnswer::Taken(taken)) => {
                compare_taken(evaluator, span, answer, lines, *taken);
            }
            _ => {}
        }
    }

    fn correct_sequence(&self, evaluator: &QueryEvaluator<'_, '_>, answer: &Answer) -> CorrectSequence {
        let Answer::Capture { lines, .. } = answer else { return CorrectSequence::default() };
        let (notation, origin) = (evaluator.bound.settings.notation, evaluator.bound.origin);
        let text = lines.first().map(|line| path_text(&line.path, origin, notation));
        CorrectSequence { name: "capture", note: None, text }
    }
}

// ---- reading

fn verdict_of(element: &Element<'_>) -> Option<Verdict> {
    let (Element::Word(t) | Element::String(t)) = element else { return None };
    let text = t.content().0;
    Verdict::ALL.into_iter().find(|v| v.word().eq_ignore_ascii_case(text))
}

/// The verdict that an element nearly is, with its quotes.
fn misspelt_verdict(element: &Element<'_>) -> Option<(Verdict, Span)> {
    let (Element::Word(t) | Element::String(t)) = element else { return None };
    let (text, span) = t.content();
    let found = nearest(text, Verdict::ALL.iter().map(|v| v.word())).filter(|_| text.len() > 3)?;
    Some((Verdict::ALL[found], span))
}

/// Whether an element is a list with a verdict in it.
fn has_verdict(element: Element<'_>) -> bool {
    let is_verdict = |part: &Element<'_>| verdict_of(part).is_some() || misspelt_verdict(part).is_some();
    inner(element).is_some_and(|parts| parts.iter().any(is_verdict))
}

/// Whether an element is a step of a capture, and not a square of its path.
fn is_step(element: &Element<'_>) -> bool {
    inner(*element).is_some_and(|p| p.iter().any(|q| matches!(q, Element::List(_)) || !is_number(q)))
}

/// Reads all elements.
///
/// # Errors
/// What is wrong with each that cannot be read.
fn read_all<'t, T>(
    elements: &[Element<'t>],
    read: impl Fn(&Element<'t>) -> Result<T, Finding>,
) -> Result<Vec<T>, Vec<Finding>> {
    let (mut values, mut findings) = (Vec::new(), Vec::new());
    for element in elements {
        match read(element) {
            Ok(value) => values.push(value),
            Err(finding) => findings.push(finding),
        }
    }
    if findings.is_empty() { Ok(values) } else { Err(merge_latin(findings)) }
}

/// Reads a square and its verdict.
fn read_verdict(
    parts: &[Element<'_>],
    span: Span,
    bound: &Bound<'_>,
    board: &Board,
) -> Result<(Square, Verdict, Span), Finding> {
    let Some(verdict) = parts.iter().find_map(verdict_of) else {
        let finding = Finding::new(Code::InvalidValue, span, "a verdict is `directly`, `after` or `no`");
        return Err(match parts.iter().find_map(misspelt_verdict) {
            Some((verdict, at)) => {
                let word = verdict.word();
                finding.fix(Fix::new(format!("replace with `{word}`"), at, word, false))
            }
            None => finding,
        });
    };
    if let Some(second) = parts.iter().filter(|e| verdict_of(e).is_some()).nth(1) {
        return Err(Finding::new(Code::InvalidValue, second.span(), "a square has one verdict"));
    }
    let format = bound.game.format();
    let square: Vec<Element<'_>> = parts.iter().copied().filter(|e| verdict_of(e).is_none()).collect();
    let square = match square.as_slice() {
        &[one] => read_square(one, format, frame(bound, board))?,
        // The numbers of the square and the verdict are in one list.
        all => {
            let all_of_it = all.iter().map(|e| e.span()).reduce(Span::cover).unwrap_or(span);
            read_square_parts(all, all_of_it, format, frame(bound, board))?
        }
    };
    Ok((square.square, verdict, span))
}

/// Reads a path: the square of the capturing piece, and each square that it lands on.
fn read_path(
    value: Value<'_>,
    elements: &[Element<'_>],
    bound: &Bound<'_>,
    board: &Board,
) -> Result<ParsedAnswer, Vec<Finding>> {
    let read = |e: &Element<'_>| {
        read_square(*e, bound.game.format(), frame(bound, board)).map(|s| (s.square, e.span()))
    };
    let squares = read_all(elements, read)?;
    if squares.len() == 1 {
        return Err(vec![Finding::new(Code::InvalidValue, value.span(), "a path has two squares at least")]);
    }
    let steps = squares.windows(2).map(|w| (Step { from: w[0].0, to: w[1].0, taken: None }, w[1].1));
    Ok(ParsedAnswer::Steps(steps.collect(), None))
}

/// The square of a verdict, which is in the same list as the verdict, or in one of its own.
fn verdict_part<'t>(parts: Vec<Element<'t>>) -> AnswerPart<'t> {
    let square: Vec<Element<'t>> = parts.into_iter().filter(|e| verdict_of(e).is_none()).collect();
    match square.as_slice() {
        &[one] => square_part(one),
        _ => AnswerPart::Square(square),
    }
}

// ---- comparing

/// Compares several captures: each must be complete, and with the others that are only counted they must be all.
fn compare_captures(
    evaluator: &mut QueryEvaluator<'_, '_>,
    span: Span,
    answer: &Answer,
    lines: &[Line],
    (captures, more): (&[(Vec<Step>, Span)], Option<usize>),
) {
    let mut seen: Vec<&[Step]> = Vec::new();
    for (steps, at) in captures {
        let error = evaluator.game().follow(&evaluator.position, steps).err();
        let is_again = seen.contains(&steps.as_slice());
        let message = match error {
            Some(error) => error.message,
            None if is_again => "this capture is listed twice".to_string(),
            None => {
                seen.push(steps);
                continue;
            }
        };
        let code = Code::WrongSolution;
        return evaluator.report_with_answer(Finding::new(code, *at, message), span, answer);
    }
    let expected = captures.len() + more.unwrap_or(0);
    if more.is_some() && lines.len() != expected {
        let message = format!("there are {} captures, not {expected}", lines.len());
        evaluator.report_wrong(span, message, Vec::new(), answer);
    }
}

/// Compares what the largest capture takes.
fn compare_taken(
    evaluator: &mut QueryEvaluator<'_, '_>,
    span: Span,
    answer: &Answer,
    lines: &[Line],
    [men, kings, pieces]: [usize; 3],
) {
    let board = &evaluator.position.board;
    let most = lines.iter().map(|l| l.taken.len()).max().unwrap_or(0);
    let has = |line: &Line| {
        let count =
            |kind| line.taken.iter().filter(|&&s| board.at(s).is_some_and(|p| p.kind == kind)).count();
        let is_exact = (men, kings) == (count(Kind::Man), count(Kind::King));
        line.taken.len() == most && if pieces > 0 { men + kings + pieces == most } else { is_exact }
    };
    if lines.iter().any(has) {
        return;
    }
    let message = match lines.iter().find(|l| l.taken.len() == most) {
        None => "there is no capture".to_string(),
        Some(line) => {
            let path: Vec<String> = line.path.iter().map(|&s| square_name(s, false)).collect();
            let taken = if most == 1 { "1 piece".to_string() } else { format!("{most} pieces") };
            format!("the largest capture takes {taken}: {}", path.join(":"))
        }
    };
    evaluator.report_wrong(span, message, Vec::new(), answer);
}

fn compare_verdicts(
    evaluator: &mut QueryEvaluator<'_, '_>,
    span: Span,
    pieces: &[(Square, Verdict)],
    written: &[(Square, Verdict, Span)],
) {
    let phrase = |v: Verdict| match v {
        Verdict::Directly => "is taken directly",
        Verdict::After => "is taken only after another",
        Verdict::No => "cannot be taken",
    };
    let mut wrong = Vec::new();
    let mut seen = [false; 64];
    let mut elsewhere = Vec::new();
    let board = &evaluator.position.board;
    let enemy = evaluator.position.turn.other().name();
    for &(square, verdict, at) in written {
        let name = square_name(square, false);
        let is_again = std::mem::replace(&mut seen[board.index(square)], true);
        let message = match pieces.iter().find(|p| p.0 == square) {
            None => {
                elsewhere.push((square, verdict, at));
                format!("no piece of {enemy} stands on {name}")
            }
            Some(&(_, right)) if right != verdict => format!("the piece on {name} {}", phrase(right)),
            Some(_) if is_again => format!("{name} is listed twice"),
            Some(_) => continue,
        };
        wrong.push((at, message));
    }
    let is_missing = |p: &&(Square, Verdict)| p.1 != Verdict::No && !seen[board.index(p.0)];
    let missing: Vec<(Square, Verdict)> = pieces.iter().filter(is_missing).copied().collect();
    if let ([(square, verdict, at)], [(right, found)], 1) = (&elsewhere[..], &missing[..], wrong.len())
        && verdict == found
    {
        // One slip in a square is one finding.
        let name = square_name(*right, false);
        let finding = Finding::new(Code::WrongAnswer, *at, format!("{}; one stands on {name}", wrong[0].1));
        let text = &evaluator.bound.puzzle.node().tree().text()[at.range()];
        let new = with_square(text, *square, *right, evaluator.bound.origin);
        let fix = new.map(|new| Fix::if_board_is_right(format!("replace with `{new}`"), *at, new));
        return evaluator.report(Finding { fixes: fix.into_iter().collect(), ..finding });
    }
    for (square, verdict) in missing {
        let name = square_name(square, false);
        wrong.push((span, format!("the piece on {name} {}, and is not listed", phrase(verdict))));
    }
    // Verdicts stay verdicts, in the form that they have.
    let text = &evaluator.bound.puzzle.node().tree().text()[span.range()];
    let has_names = text.as_bytes().windows(2).any(|two| matches!(two, [b'a'..=b'h', b'1'..=b'8']));
    let squares = if has_names { SquareStyle::Names } else { SquareStyle::Numbers };
    let notation = Notation { squares, ..evaluator.bound.settings.notation };
    let text = verdicts_text(pieces, evaluator.bound.origin, notation);
    for (at, message) in wrong {
        // The whole list is replaced, whichever entry is wrong.
        let title = format!("replace the answer with `{text}`");
        let fix = Fix::if_board_is_right(title, span, text.clone());
        evaluator.report(Finding::new(Code::WrongAnswer, at, message).fix(fix));
    }
}

/// The text of a verdict with another square, in the form that the square has.
fn with_square(entry: &str, old: Square, new: Square, origin: u8) -> Option<String> {
    let name = square_name(old, false);
    if entry.contains(&name) {
        return Some(entry.replacen(&name, &square_name(new, false), 1));
    }
    let numbers = |s: Square| [s.x + origin, s.y + origin].map(|n| n.to_string());
    let ([x, y], [new_x, new_y]) = (numbers(old), numbers(new));
    let (before, rest) = entry.split_once(&x)?;
    let (between, behind) = rest.split_once(&y)?;
    between
        .bytes()
        .all(|b| matches!(b, b',' | b' '))
        .then(|| format!("{before}{new_x}{between}{new_y}{behind}"))
}
