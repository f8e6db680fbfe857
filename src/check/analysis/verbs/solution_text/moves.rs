//! The moves that a written move means in a position.

use crate::analysis::verbs::move_claims::{nearest_moves, the_move};
use crate::analysis::verbs::move_text::{MoveText, read_move_text};
use crate::analysis::verbs::solution_text::tree::WrittenMove;
use cpz_rules::board::{Colour, Kind, Language};
use cpz_rules::games::{ChessMove, Mark, Position, Status, after_move, legal_moves, status_of, why_illegal};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::in_latin;

/// How the message about an illegal move begins.
const ILLEGAL: &str = "this move is illegal: ";

/// A legal move and how it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadMove {
    pub mv: ChessMove,
    pub text: MoveText,
}

/// The legal move that a written one means.
///
/// # Errors
/// That it is no move, is illegal, or means several.
pub(super) fn legal_move(
    position: &Position,
    written: &WrittenMove<'_>,
    language: Option<&Language>,
) -> Result<ReadMove, Finding> {
    let text = read(written, language, position.turn)?;
    let found = the_move(position, &text)?.map(|mv| ReadMove { mv, text });
    // `Sf3/c2` may be a pawn's move to c2 as well. If both are legal, the mark says which is meant.
    let has_its_mark = |read: &ReadMove| {
        let after = after_move(position, read.mv);
        read.text.request.mark.is_none_or(|mark| match status_of(&after) {
            Status::Checkmate => mark == Mark::Mate,
            Status::Check => mark == Mark::Check,
            _ => false,
        })
    };
    if written.short_for.is_some()
        && found.as_ref().is_none_or(|read| !has_its_mark(read))
        && let Ok(text) = read(&WrittenMove { short_for: None, ..*written }, language, position.turn)
        && let Some(mv) = the_move(position, &text)?
        && (found.is_none() || has_its_mark(&ReadMove { mv, text }))
    {
        return Ok(ReadMove { mv, text });
    }
    if let Some(found) = found {
        return Ok(found);
    }
    let reason = why_illegal(position, &text.request).unwrap_or_default();
    let mut finding =
        Finding::new(Code::WrongSolution, written.span, format!("this move is illegal: {reason}"));
    let own = written.text.get(..(text.body.end - written.span.start) as usize).unwrap_or_default();
    finding.fixes = nearest_moves(position, own, &text);
    Err(finding)
}

/// The legal move that a written capture means if it does not capture.
pub(super) fn without_capture(
    position: &Position,
    written: &WrittenMove<'_>,
    language: Option<&Language>,
) -> Option<ReadMove> {
    let mut text = read(written, language, position.turn).ok()?;
    text.request.captures = false;
    let mv = the_move(position, &text).ok()??;
    Some(ReadMove { mv, text })
}

/// The message for an illegal first move where no first move of a solution is legal.
pub(super) fn of_another_position(message: &str) -> String {
    let reason = message.strip_prefix(ILLEGAL).unwrap_or(message);
    format!("this is the solution of another position: {reason}")
}

/// Reads a move as its side would make it.
fn read(written: &WrittenMove<'_>, language: Option<&Language>, turn: Colour) -> Result<MoveText, Finding> {
    let text = written.in_full(language);
    let span = written.span;
    let is_whole = text.len() == written.text.len();
    let place = if is_whole { span } else { Span::new(0, text.len() as u32) };
    let mut read = read_move_text(&text, place, turn).map_err(|mut finding| {
        if finding.code == Code::InvalidValue && in_latin(&text).is_none() {
            finding.message = format!("`{}` is no move, and no word of a solution", written.text);
        }
        if !is_whole {
            finding.fixes.clear();
        }
        Finding { span, ..finding }
    })?;
    if !is_whole {
        let from_end = |at: u32| span.end - (place.end - at);
        read.mark = read.mark.map(|mark| Span::new(from_end(mark.start), from_end(mark.end)));
        let end = read.mark.map_or(span.end, |mark| mark.start);
        (read.core, read.body) = (Span::new(span.start, end), Span::new(span.start, end));
    }
    if let Some((mark, place)) = written.mark {
        (read.request.mark, read.mark) = (Some(mark), Some(place));
    }
    Ok(read)
}

/// The legal moves that `~` stands for, or `S~` or `Sc~`, without those that are `written` beside it.
///
/// # Errors
/// That it is no such word, or stands for no move.
pub(super) fn moves_of_any(
    position: &Position,
    any: &WrittenMove<'_>,
    language: Option<&Language>,
    written: &[ChessMove],
) -> Result<Vec<ChessMove>, Finding> {
    let text = any.in_full(language);
    let text = text.trim_end_matches(['+', '#', ' ']);
    let piece = match text.strip_suffix('~') {
        Some(piece) => piece,
        None if text.contains('~') => return Err(no_word(any)),
        None => "",
    };
    let letter = piece.chars().next().filter(char::is_ascii_uppercase);
    let kind = match letter {
        Some('S') => Some(Kind::Knight),
        Some(letter) => Some(Kind::from_letter(letter).ok_or_else(|| no_word(any))?),
        None if piece.is_empty() => None,
        None => Some(Kind::Pawn),
    };
    let start = &piece[usize::from(letter.is_some())..];
    let mut from = (None, None);
    for c in start.chars() {
        match c {
            'a'..='h' if from == (None, None) => from.0 = Some(c as u8 - b'a'),
            '1'..='8' if from.1.is_none() => from.1 = Some(c as u8 - b'1'),
            _ => return Err(no_word(any)),
        }
    }
    let means = |mv: &ChessMove| {
        kind.is_none_or(|kind| position.board.at(mv.from).is_some_and(|p| p.kind == kind))
            && from.0.is_none_or(|x| x == mv.from.x)
            && from.1.is_none_or(|y| y == mv.from.y)
            && !written.contains(mv)
    };
    let moves: Vec<ChessMove> = legal_moves(position).into_iter().filter(means).collect();
    match moves.is_empty() {
        true => {
            let message = format!("`{}` stands for no move here", any.text);
            Err(Finding::new(Code::WrongSolution, any.span, message))
        }
        false => Ok(moves),
    }
}

fn no_word(any: &WrittenMove<'_>) -> Finding {
    Finding::new(
        Code::InvalidValue,
        any.span,
        format!("`{}` is no move, and no word of a solution", any.text),
    )
}

/// Whether the side to move is in check.
pub(super) fn is_in_check(position: &Position) -> bool {
    matches!(status_of(position), Status::Check | Status::Checkmate)
}
