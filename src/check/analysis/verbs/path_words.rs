//! Captures of draughts in words: paths such as `c3:e5:g7`, verdicts such as `c3 directly`, and what a capture takes.

use crate::analysis::verbs::capture_words::CaptureWord;
use crate::analysis::verbs::written_answer::ParsedAnswer;
use crate::analysis::verbs::written_words::{WrittenWord, numbered, wrong_number};
use cpz_rules::board::{Size, Square, square_from_words, square_name};
use cpz_rules::games::{Step, Verdict};
use cpz_text::diagnostic::{Code, Finding, Span};

const BOARD: Size = Size::flat(8, 8);

/// A path in one word: its squares, each with its place. Nothing where the word is something else.
fn path(word: WrittenWord<'_>) -> Option<Vec<(Square, Span)>> {
    let capture = CaptureWord::read(word.text, word.span)?;
    capture.path()?;
    let start = (capture.start()?, Span::new(word.span.start, word.span.start + 2));
    Some(std::iter::once(start).chain(capture.to.iter().map(|t| (t.1, t.2))).collect())
}

/// Splits off `and 3 more`, as a list of captures ends that is cut off.
fn without_more<'w, 't>(words: &'w [WrittenWord<'t>]) -> (&'w [WrittenWord<'t>], Option<usize>) {
    if let [rest @ .., and, number, more] = words
        && and.text == "and"
        && more.text == "more"
        && let Ok(n) = number.text.parse()
    {
        return (rest, Some(n));
    }
    (words, None)
}

/// Whether words are captures.
pub(crate) fn are_paths(words: &[WrittenWord<'_>]) -> bool {
    let moves = numbered(without_more(words).0);
    !moves.is_empty() && moves.iter().all(|m| path(m.word).is_some())
}

/// Reads captures: one, as one path or as steps that follow from each other, or several.
///
/// # Errors
/// A square that is not on the board, a number that is not due, a word that is no path.
pub(crate) fn read_paths(words: &[WrittenWord<'_>]) -> Result<ParsedAnswer, Finding> {
    let (words, more) = without_more(words);
    let mut captures: Vec<(Vec<(Step, Span)>, Span)> = Vec::new();
    // Whether the word before was one step.
    let mut in_steps = true;
    for (i, numbered) in numbered(words).into_iter().enumerate() {
        let due = i as u32 + 1;
        if let Some(number) = numbered.number.filter(|n| n.number != due) {
            return Err(wrong_number(number, due, false));
        }
        let WrittenWord { text, span } = numbered.word;
        let Some(squares) = path(numbered.word) else {
            let message = format!("`{text}` is no capture; write the squares of its path, as in `c3:e5:g7`");
            return Err(Finding::new(Code::InvalidValue, span, message));
        };
        if let Some((square, at)) = squares.iter().find(|(s, _)| s.x >= BOARD.w || s.y >= BOARD.h) {
            let message = format!("{} is not on this 8×8 board", square_name(*square, false));
            return Err(Finding::new(Code::OffBoard, *at, message));
        }
        let one_step = squares.len() == 2;
        let step = |w: &[(Square, Span)]| {
            let place = if one_step { span } else { w[1].1 };
            (Step { from: w[0].0, to: w[1].0, taken: None }, place)
        };
        let steps: Vec<(Step, Span)> = squares.windows(2).map(step).collect();
        match captures.last_mut() {
            // No piece of the side to move stands where the capture before ended, so this is its next step; but a capture
            // may end where it began, and then this is another one, unless each step is a word.
            Some((before, place))
                if before.last().is_some_and(|s| s.0.to == squares[0].0)
                    && (one_step && in_steps || before[0].0.from != squares[0].0) =>
            {
                before.extend(steps);
                *place = place.cover(span);
            }
            _ => captures.push((steps, span)),
        }
        in_steps = one_step;
    }
    match (captures.as_slice(), more) {
        ([_], None) => Ok(ParsedAnswer::Steps(captures.swap_remove(0).0, None)),
        _ => {
            let plain = |steps: Vec<(Step, Span)>| steps.into_iter().map(|s| s.0).collect();
            let all = captures.into_iter().map(|(steps, span)| (plain(steps), span)).collect();
            Ok(ParsedAnswer::Captures(all, more))
        }
    }
}

/// Reads verdicts: `c3 directly, e5 after`, also as `cpz solve` prints them: `c3: taken only after another`.
pub(crate) fn read_verdicts(words: &[WrittenWord<'_>]) -> Option<ParsedAnswer> {
    let mut pieces: Vec<(Square, Verdict, Span)> = Vec::new();
    let mut pending: Option<(Square, Span)> = None;
    for word in words {
        if let Some(square) = square_from_words(word.text.trim_end_matches(':'), BOARD) {
            if pending.is_some() {
                return None;
            }
            pending = Some((square, word.span));
            continue;
        }
        let verdict = match word.text.to_lowercase().as_str() {
            "directly" => Verdict::Directly,
            "after" => Verdict::After,
            "no" | "not" => Verdict::No,
            // `taken only after another`, `not taken`
            "taken" | "only" | "another" => continue,
            _ => return None,
        };
        let (square, span) = pending.take()?;
        pieces.push((square, verdict, span.cover(word.span)));
    }
    (pending.is_none() && !pieces.is_empty()).then_some(ParsedAnswer::Pieces(pieces))
}

/// Reads what a capture takes: `2 men`, `1 man and 1 king`, `3 pieces`.
pub(crate) fn read_taken(phrase: &str) -> Option<ParsedAnswer> {
    let mut taken = [0; 3];
    for part in phrase.split(" and ") {
        let (number, kind) = part.split_once(' ')?;
        let kind = match kind {
            "man" | "men" => 0,
            "king" | "kings" => 1,
            "piece" | "pieces" => 2,
            _ => return None,
        };
        taken[kind] += number.parse::<usize>().ok().filter(|&n| n > 0)?;
    }
    Some(ParsedAnswer::Taken(taken))
}
