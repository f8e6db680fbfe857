//! Writes answers: the text that follows `=>`.

use crate::analysis::defaults::{Notation, SquareStyle};
use crate::analysis::verbs::solution_text::numbered_moves;
use cpz_rules::board::{Square, square_name};
use cpz_rules::games::{
    Answer, Capture, Line, NamedKey, NamedMove, NamedSetPlay, Status, Stipulation, Verdict,
};

/// The most solutions of a problem that are written as an answer.
const MAX_WRITTEN_SOLUTIONS: usize = 20;

/// An answer as it is written after `=>`, followed by a `remark` if the verb has one; nothing where the answer
/// is incomplete. Squares in numbers count from `origin`.
pub fn answer_text(answer: &Answer, origin: u8, notation: Notation, remark: bool) -> Option<String> {
    match answer {
        Answer::Solve(solution) => Some(solution_text(solution.as_deref(), origin, notation)),
        Answer::Count { count, distinct } => count_text(*count, *distinct, remark),
        Answer::Move(reason) => Some(legality_text(reason.is_none(), notation)),
        Answer::Mate { status, .. } => Some(status_text(*status, notation)),
        Answer::Capture { lines, pieces } => match notation.squares {
            SquareStyle::Chess => Some(match largest_capture(lines) {
                Some(line) => path_text(&line.path, origin, notation),
                None => "none".into(),
            }),
            SquareStyle::Names | SquareStyle::Numbers => Some(verdicts_text(pieces, origin, notation)),
        },
        Answer::Keys { keys, complete, .. } => keys_text(keys).filter(|_| *complete),
        Answer::Sequences { stipulation, solutions, complete, .. } => {
            sequences_text(*stipulation, solutions).filter(|_| *complete)
        }
        Answer::SetPlay { variations, .. } => set_play_text(variations),
        Answer::Line => None,
    }
}

/// A solution with the names of squares: `d1xb2 a2xb2 b2xb3`.
pub fn solution_in_names(captures: &[Capture]) -> String {
    let one = |c: &Capture| format!("{}x{}", square_name(c.from, false), square_name(c.to, false));
    captures.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The capture of draughts that takes the most; the last of several.
pub fn largest_capture(lines: &[Line]) -> Option<&Line> {
    lines.iter().max_by_key(|line| line.taken.len())
}

/// The path of a capture of draughts as it is written: `c3:e5:g7`.
pub(super) fn path_text(path: &[Square], origin: u8, notation: Notation) -> String {
    let squares: Vec<String> = path.iter().map(|&s| notation.square(s, origin)).collect();
    match notation.squares {
        SquareStyle::Chess => squares.join(":"),
        SquareStyle::Names | SquareStyle::Numbers => format!("[{}]", squares.join(", ")),
    }
}

/// A solution as it is written.
fn solution_text(solution: Option<&[Capture]>, origin: u8, notation: Notation) -> String {
    let Some(captures) = solution else { return "none".into() };
    if notation.squares == SquareStyle::Chess && !captures.is_empty() {
        return solution_in_names(captures);
    }
    let square = |s: Square| notation.square(s, origin);
    let steps: Vec<String> =
        captures.iter().map(|c| format!("[{}, {}]", square(c.from), square(c.to))).collect();
    format!("[{}]", steps.join(", "))
}

/// A number of solutions as it is written, with that of distinct ones as a remark; nothing where it is unknown.
fn count_text(count: Option<u128>, distinct: Option<u128>, remark: bool) -> Option<String> {
    match (count?, distinct) {
        (n, Some(d)) if n != d && remark => Some(format!("{n} ({d} distinct)")),
        (n, _) => Some(n.to_string()),
    }
}

/// A verdict about a move as it is written.
fn legality_text(is_legal: bool, notation: Notation) -> String {
    match (is_legal, notation.booleans) {
        (true, false) => "legal".into(),
        (false, false) => "illegal".into(),
        (is_legal, true) => is_legal.to_string(),
    }
}

/// A state as it is written.
fn status_text(status: Status, notation: Notation) -> String {
    match notation.booleans {
        true => (status == Status::Checkmate).to_string(),
        false => status.word().into(),
    }
}

/// Verdicts as they are written, without those of pieces that cannot be captured.
pub(super) fn verdicts_text(pieces: &[(Square, Verdict)], origin: u8, notation: Notation) -> String {
    let entry = |&(s, verdict): &(Square, Verdict)| match notation.squares == SquareStyle::Numbers {
        true => format!("[{},{},\"{}\"]", s.x + origin, s.y + origin, verdict.word()),
        false => format!("[{}, \"{}\"]", square_name(s, false), verdict.word()),
    };
    let entries: Vec<String> = pieces.iter().filter(|(_, v)| *v != Verdict::No).map(entry).collect();
    if entries.is_empty() { "none".into() } else { format!("[{}]", entries.join(", ")) }
}

/// Keys as they are written: `Qb6`, `[Bh5, Bb3]`, `none`.
fn keys_text(keys: &[NamedKey]) -> Option<String> {
    Some(match keys {
        [] => "none".into(),
        [only] => only.mv.san.clone(),
        keys => format!("[{}]", keys.iter().map(|k| k.mv.san.as_str()).collect::<Vec<_>>().join(", ")),
    })
}

/// The solutions of a problem as they are written; nothing where there are too many to read.
fn sequences_text(asked: Stipulation, solutions: &[Vec<NamedMove>]) -> Option<String> {
    match solutions {
        [] => Some("none".into()),
        [only] => Some(format!("\"{}\"", sequence_in_names(asked, only))),
        many if many.len() > MAX_WRITTEN_SOLUTIONS => None,
        many => {
            let texts: Vec<String> =
                many.iter().map(|s| format!("\"{}\"", sequence_in_names(asked, s))).collect();
            Some(format!("[{}]", texts.join(", ")))
        }
    }
}

/// The variations of set play as they are written; nothing where there are too many to read.
fn set_play_text(variations: &[NamedSetPlay]) -> Option<String> {
    let lines: Vec<String> = set_play_lines(variations).iter().map(|line| format!("\"{line}\"")).collect();
    match lines.as_slice() {
        [] => Some("none".into()),
        [only] => Some(only.clone()),
        many if many.len() > MAX_WRITTEN_SOLUTIONS => None,
        many => Some(format!("[{}]", many.join(", "))),
    }
}

/// A line for the moves of set play that have the same answers: `1... Kd5/Kf5 2. Qe4#`.
pub fn set_play_lines(variations: &[NamedSetPlay]) -> Vec<String> {
    let answers =
        |set: &NamedSetPlay| set.answers.iter().map(|key| key.mv.san.as_str()).collect::<Vec<_>>().join("/");
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for set in variations {
        let answers = answers(set);
        match groups.iter_mut().find(|(other, _)| *other == answers) {
            Some((_, moves)) => moves.push(&set.mv.san),
            None => groups.push((answers, vec![&set.mv.san])),
        }
    }
    let line = |(answers, moves): (String, Vec<&str>)| match answers.as_str() {
        "" => format!("1... {}", moves.join("/")),
        answers => format!("1... {} 2. {answers}", moves.join("/")),
    };
    groups.into_iter().map(line).collect()
}

/// The moves of a sequence with their numbers: `1. Re3 Bf7 2. Rg7 Rh4#`.
pub fn sequence_in_names(asked: Stipulation, moves: &[NamedMove]) -> String {
    numbered_moves(asked, moves.iter().map(|mv| mv.san.as_str()))
}
