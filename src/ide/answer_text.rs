//! Answers in words, for editors and for the command line.

use cpz_check::analysis::{largest_capture, sequence_in_names, set_play_lines, solution_in_names};
use cpz_rules::board::{Board, Colour, Kind, Square, square_name};
use cpz_rules::games::{
    Answer, FirstMoves, Line, NamedKey, NamedMove, NamedSetPlay, Reason, Status, Stipulation,
};

/// The most captures of draughts that a listing names.
const MAX_LISTED_CAPTURES: usize = 12;

/// The most solutions of a helpmate that a tooltip names.
const MAX_LISTED_SOLUTIONS: usize = 20;

/// Which wording of an answer is wanted. Squares are always written by name, as `e1` or `c2 (I)`.
#[derive(Clone, Copy)]
pub enum AnswerStyle<'b> {
    /// Inlay hints, lenses and hovers: `d1xb2 a2xb2`, `204 solutions, 20 distinct`, `2 men`. The board tells
    /// what kind of pieces a capture takes.
    Short(Option<&'b Board>),
    /// Tooltips: the short form, then one line for each reason of a mate or each capture.
    Long(Option<&'b Board>),
    /// `cpz solve`, one line: `204 (20 distinct)`, `checkmate (white)`, `c3:e5:g7`.
    Listing,
}

/// How far the list of first moves of a search is; nothing where it has none.
pub fn first_moves_in_words(moves: FirstMoves) -> Option<String> {
    let FirstMoves { length, done, all, found } = moves;
    (all > 0).then(|| format!("length {length}: first move {} of {all}, {found} found", done + 1))
}

/// Puts an answer into words.
pub fn answer_in_words(answer: &Answer, style: AnswerStyle<'_>) -> String {
    match style {
        AnswerStyle::Short(board) => short(answer, board),
        AnswerStyle::Long(board) => long(answer, board),
        AnswerStyle::Listing => listing(answer),
    }
}

fn short(answer: &Answer, board: Option<&Board>) -> String {
    match answer {
        Answer::Solve(None) => "no solution".into(),
        Answer::Solve(Some(captures)) if captures.is_empty() => "solved already".into(),
        Answer::Solve(Some(captures)) => solution_in_names(captures),
        Answer::Count { count, distinct } => counts(*count, *distinct),
        Answer::Move(None) => "legal".into(),
        Answer::Move(Some(reason)) => format!("illegal ({reason})"),
        Answer::Mate { status, .. } => status.word().into(),
        Answer::Keys { stipulation, keys, complete } => keys_in_words(*stipulation, keys, *complete),
        Answer::Sequences { stipulation, solutions, complete, .. } => {
            sequences_in_words(*stipulation, solutions, *complete)
        }
        Answer::SetPlay { variations, .. } => set_play_in_words(variations),
        Answer::Line => "a line is replayed, not worked out".into(),
        Answer::Capture { lines, .. } => match largest_capture(lines) {
            None => "none".into(),
            Some(best) => captured_pieces(best, board),
        },
    }
}

fn long(answer: &Answer, board: Option<&Board>) -> String {
    let mut lines = vec![short(answer, board)];
    match answer {
        Answer::Mate { reasons, side, status } => {
            lines[0] = status_sentence(*side, *status);
            lines.extend(Reason::texts(reasons));
        }
        Answer::Capture { lines: captures, .. } => lines.extend(captures.iter().map(capture_path)),
        Answer::Keys { keys, complete, .. } if keys.len() > usize::from(*complete) => {
            lines.extend(keys.iter().map(|k| format!("1.{}!", k.mv.san)));
        }
        Answer::Sequences { stipulation, solutions, complete, .. }
            if solutions.len() > usize::from(*complete) =>
        {
            let listed = solutions.iter().take(MAX_LISTED_SOLUTIONS);
            lines.extend(listed.map(|s| sequence_in_names(*stipulation, s)));
            if let Some(more) = solutions.len().checked_sub(MAX_LISTED_SOLUTIONS + 1) {
                lines.push(format!("and {} more", more + 1));
            }
        }
        Answer::SetPlay { variations, .. } if variations.len() > 1 => {
            lines.extend(set_play_lines(variations))
        }
        _ => {}
    }
    lines.join("\n")
}

/// A mate status as a sentence: `Black is checkmated`.
pub(crate) fn status_sentence(side: Colour, status: Status) -> String {
    let side = if side == Colour::White { "White" } else { "Black" };
    let what = match status {
        Status::Checkmate => "checkmated",
        Status::Check => "in check",
        Status::Stalemate => "stalemated",
        Status::None => "not in check",
    };
    format!("{side} is {what}")
}

fn listing(answer: &Answer) -> String {
    match answer {
        Answer::Solve(None) => "none".into(),
        Answer::Count { count, distinct } => {
            let number = |n: &Option<u128>| n.map_or("?".to_string(), |n| n.to_string());
            format!("{} ({} distinct)", number(count), number(distinct))
        }
        Answer::Mate { status, side, .. } => format!("{} ({})", status.word(), side.name()),
        Answer::Keys { keys, .. } if keys.is_empty() => "none".into(),
        Answer::Keys { keys, complete: true, .. } if keys.len() > 1 => {
            let keys: Vec<&str> = keys.iter().map(|k| k.mv.san.as_str()).collect();
            format!("[{}]", keys.join(", "))
        }
        Answer::Sequences { solutions, .. } if solutions.is_empty() => "none".into(),
        Answer::Capture { lines, .. } if !lines.is_empty() => {
            let listed: Vec<String> = lines.iter().take(MAX_LISTED_CAPTURES).map(capture_path).collect();
            match lines.len().saturating_sub(MAX_LISTED_CAPTURES) {
                0 => listed.join(" "),
                more => format!("{} and {more} more", listed.join(" ")),
            }
        }
        answer => short(answer, None),
    }
}

/// A capture by its squares: `a1:d4:h8`.
pub fn capture_path(line: &Line) -> String {
    line.path.iter().map(|&s| square_name(s, false)).collect::<Vec<_>>().join(":")
}

/// `204 solutions, 20 distinct`; a number that is not known is left out.
fn counts(count: Option<u128>, distinct: Option<u128>) -> String {
    let solutions = match count {
        None => "solutions not counted".to_string(),
        Some(0) => return "no solution".into(),
        Some(1) => return "1 solution".into(),
        Some(n) => format!("{n} solutions"),
    };
    match distinct {
        None => solutions,
        Some(d) => format!("{solutions}, {d} distinct"),
    }
}

/// What a capture takes: `2 men`, `1 man and 1 king`.
fn captured_pieces(line: &Line, board: Option<&Board>) -> String {
    let count = |kind: Kind| {
        let is_kind = |s: &&Square| board.and_then(|b| b.at(**s)).is_some_and(|p| p.kind == kind);
        line.taken.iter().filter(is_kind).count()
    };
    let (men, kings) = (count(Kind::Man), count(Kind::King));
    let words = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    match (men, kings) {
        (0, 0) => words(line.taken.len(), "piece", "pieces"),
        (_, 0) => words(men, "man", "men"),
        (0, _) => words(kings, "king", "kings"),
        _ => format!("{} and {}", words(men, "man", "men"), words(kings, "king", "kings")),
    }
}

/// `1.Qb6!`, `3 keys`, `no mate in 2`.
fn keys_in_words(stipulation: Stipulation, keys: &[NamedKey], complete: bool) -> String {
    let at_least = if complete { "" } else { "at least " };
    match keys {
        [] => format!("no {}", stipulation.in_words()),
        [only] if complete => format!("1.{}!", only.mv.san),
        [_] => format!("{at_least}1 key"),
        keys => format!("{at_least}{} keys", keys.len()),
    }
}

/// `1... Kd5 2. Qe4#, 1... Kf5 2. Qg5#`, `none`.
fn set_play_in_words(variations: &[NamedSetPlay]) -> String {
    match variations {
        [] => "none".into(),
        variations => set_play_lines(variations).join(", "),
    }
}

/// `1. Re3 Bf7 2. Rg7 Rh4#`, `2 solutions`, `no helpmate in 2`.
fn sequences_in_words(stipulation: Stipulation, solutions: &[Vec<NamedMove>], complete: bool) -> String {
    let at_least = if complete { "" } else { "at least " };
    match solutions {
        [] => format!("no {}", stipulation.in_words()),
        [only] if complete => sequence_in_names(stipulation, only),
        [_] => format!("{at_least}1 solution"),
        solutions => format!("{at_least}{} solutions", solutions.len()),
    }
}
