//! Completions of answers, and of the next step of a solution.

use crate::answer_text::{AnswerStyle, answer_in_words, capture_path};
use crate::board_view::playback::board_after;
use crate::completion::item::{Completion, CompletionKind, InsertionPoint, LOOK_AHEAD_NODES};
use crate::cursor::is_multiline;
use cpz_check::analysis::{
    Bound, Outcome, PuzzleReport, answer_text, position_of, solution_in_names, steps_of,
};
use cpz_rules::board::{Board, Square, write_square};
use cpz_rules::games::{Answer, Budget, Capture, Dialect, NamedKey, Position, Question, Status, Step};
use cpz_text::syntax::{Query, Value, Verb};

/// The answers that a query accepts; the correct one first, if it is known.
pub(super) fn answers(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    query: Query<'_>,
    report: &PuzzleReport,
) -> Vec<Completion> {
    let Some(verb) = query.verb() else { return Vec::new() };
    // A solution of several lines has to stand directly behind its arrow.
    let has_lines = |value: Value<'_>| value.scalar().is_some_and(|(text, _)| is_multiline(text));
    if query.answer().is_some_and(has_lines) {
        return Vec::new();
    }
    let answer = |text: &str, detail: &str| point.item(CompletionKind::Answer, text, detail);
    let found = report.queries.iter().find(|q| q.span.start == query.span().start);
    let mut all = Vec::new();
    if let Some(Outcome::Answer(correct)) = found.map(|q| &q.outcome) {
        let board = position_of(bound).map(|p| p.board);
        if let Some(text) = answer_text(correct, bound.origin, bound.settings.notation, false) {
            let words = answer_in_words(correct, AnswerStyle::Short(board.as_ref()));
            all.push(Completion { rank: 0, ..answer(&text, &format!("{words} (this is so)")) });
        }
        if let Answer::Keys { keys, .. } = correct
            && keys.len() > 1
        {
            let item = |key: &NamedKey| answer(&key.mv.san, &format!("mates in {}", key.mates));
            all.extend(keys.iter().map(|key| Completion { rank: 1, ..item(key) }));
        }
        if let Answer::Capture { lines, .. } = correct {
            for line in lines {
                let path: Vec<String> =
                    line.path.iter().map(|&s| write_square(s, bound.origin, false)).collect();
                let item = answer(&format!("[{}]", path.join(", ")), &capture_path(line));
                all.push(Completion { rank: 1, ..item });
            }
        }
    }
    let words: Vec<&str> = match verb {
        Verb::Solve | Verb::Capture => vec!["none"],
        Verb::Count | Verb::Line | Verb::Win | Verb::Draw | Verb::Unsolved => Vec::new(),
        Verb::Problem(_) | Verb::Twin | Verb::SetPlay | Verb::Duplex => vec!["none"],
        Verb::Move => vec!["legal", "illegal"],
        Verb::Mate => {
            [Status::Checkmate, Status::Check, Status::Stalemate, Status::None].map(Status::word).to_vec()
        }
    };
    for word in words {
        if !all.iter().any(|c| c.text == word) {
            all.push(Completion { rank: 2, ..answer(word, "") });
        }
    }
    // Directly behind an arrow: insert a space first.
    if point.typed.is_empty() && point.text[..point.offset as usize].ends_with('>') {
        all.iter_mut().for_each(|c| c.text.insert(0, ' '));
    }
    all
}

/// The captures that are legal after the written steps of a solution; those that leave the puzzle solvable first.
/// `depth` is how many lists are open: a step is a list in the first.
pub(super) fn solution_steps(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    query: Query<'_>,
    depth: usize,
) -> Vec<Completion> {
    let before = point.text[..point.start as usize].trim_end();
    let is_new_step = depth == 1 || depth == 2 && before.ends_with('[') && point.typed.is_empty();
    let (Some(position), true) = (position_of(bound), is_new_step) else { return Vec::new() };
    let written: Vec<Step> =
        steps_of(bound, query).iter().filter(|(_, s)| s.end <= point.start).map(|s| s.0).collect();
    let board = board_after(&position.board, &written, false);
    let pieces: Vec<Square> = board.pieces().map(|p| p.0).collect();
    let mut found = Vec::new();
    for &from in &pieces {
        for &to in pieces.iter().filter(|&&to| to != from) {
            let mut steps = written.clone();
            steps.push(Step { from, to, taken: None });
            let is_legal = match bound.game.follow(&position, &steps) {
                Ok(()) => true,
                Err(error) => error.step > written.len(),
            };
            if !is_legal {
                continue;
            }
            let name = solution_in_names(&[Capture { from, to }]);
            let (rank, effect) =
                match is_solvable(bound, &position, board_after(&board, &steps[written.len()..], false)) {
                    Some(true) => (0, ", the puzzle stays solvable"),
                    Some(false) => (2, ", then there is no solution"),
                    None => (1, ""),
                };
            let square = |s| write_square(s, bound.origin, false);
            let squares = format!("{}, {}", square(from), square(to));
            let text = if depth == 1 { format!("[{squares}]") } else { squares };
            let item = point.item_writing(CompletionKind::Move, &name, text, format!("{name}{effect}"));
            found.push(Completion { rank, ..item });
        }
    }
    found
}

/// Whether a board can be solved; `None` if that is undecided.
fn is_solvable(bound: &Bound<'_>, position: &Position, board: Board) -> Option<bool> {
    // Under `solo` the earlier captures of each piece count, which a board does not record.
    if position.dialect == Dialect::Solo {
        return None;
    }
    let question = Question::of(Verb::Solve);
    let next = Position { board, ..position.clone() };
    match bound.game.answer(&next, &question, &Budget::new(LOOK_AHEAD_NODES, None)) {
        Ok(Answer::Solve(solution)) => Some(solution.is_some()),
        _ => None,
    }
}
