//! Completions of answers, and of the next step of a solution.

use crate::answer_text::{AnswerStyle, answer_in_words, capture_path};
use crate::board_view::playback::board_after;
use crate::completion::item::{Completion, CompletionKind, InsertionPoint, LOOK_AHEAD_NODES};
use crate::completion::line::{Written, answer_moves, has_words_behind};
use crate::cursor::is_multiline;
use cpz_check::analysis::{
    Bound, Outcome, PuzzleReport, SquareStyle, answer_text, bind_one, position_of, solution_in_names,
    steps_of,
};
use cpz_rules::board::{Board, Square, write_square};
use cpz_rules::games::{Answer, Budget, Capture, Dialect, NamedKey, Position, Question, Status, Step};
use cpz_text::syntax::{Query, Value, Verb, parse};

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
            // Each capture in the notation of the answers, and once.
            for line in lines {
                let one = Answer::Capture { lines: vec![line.clone()], pieces: Vec::new() };
                let text = match bound.settings.notation.squares {
                    SquareStyle::Chess => answer_text(&one, bound.origin, bound.settings.notation, false),
                    SquareStyle::Names | SquareStyle::Numbers => {
                        let square = |&s: &Square| bound.settings.notation.square(s, bound.origin);
                        let path: Vec<String> = line.path.iter().map(square).collect();
                        Some(format!("[{}]", path.join(", ")))
                    }
                };
                let Some(text) = text.filter(|text| !all.iter().any(|c| c.text == *text)) else { continue };
                all.push(Completion { rank: 1, ..answer(&text, &capture_path(line)) });
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
    // `none` stands for no move, so it takes the place of none that is written or begun.
    let rest_of_answer = |value: Value<'_>| value.span() != point.word();
    let is_begun = query.answer().is_some_and(rest_of_answer) || point.typed.starts_with('N');
    for word in words {
        if word == "none" && is_begun {
            continue;
        }
        if !all.iter().any(|c| c.text == word) {
            all.push(Completion { rank: 2, ..answer(word, "") });
        }
    }
    let written = Written::default();
    let moves = match verb {
        Verb::Solve if !point.typed.is_empty() => next_captures(point, bound, query, &written),
        _ => answer_moves(point, bound, query, &written),
    };
    for item in moves {
        if !all.iter().any(|c| c.text == item.text) {
            all.push(Completion { rank: 3, ..item });
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
    legal_captures(bound, &position, &written, |from, to, effect| {
        let name = solution_in_names(&[Capture { from, to }]);
        let square = |s| write_square(s, bound.origin, false);
        let squares = format!("{}, {}", square(from), square(to));
        let text = if depth == 1 { format!("[{squares}]") } else { squares };
        point.item_writing(CompletionKind::Move, &name, text, format!("{name}{effect}"))
    })
}

/// The captures that are legal after the words of a solution that are written, as words: `d1xb2`, or `Nd1xb2` where letters of
/// pieces are written.
pub(super) fn next_captures(
    point: &InsertionPoint<'_>,
    bound: &Bound<'_>,
    query: Query<'_>,
    written: &Written,
) -> Vec<Completion> {
    let is_capital = |word: &str| word.starts_with(|c: char| c.is_ascii_uppercase());
    let count = written.words().count();
    let (Some(position), Some(steps)) = (position_of(bound), steps_before(point, bound, query)) else {
        return Vec::new();
    };
    if steps.len() != count || point.typed.is_empty() && has_words_behind(point, query) {
        return Vec::new();
    }
    let with_letter = match point.typed {
        "" => written.words().last().is_some_and(is_capital),
        typed => is_capital(typed),
    };
    let board = board_after(&position.board, &steps, false);
    let found = legal_captures(bound, &position, &steps, |from, to, effect| {
        let name = solution_in_names(&[Capture { from, to }]);
        let kind = board.at(from).map_or(' ', |piece| piece.kind.letter());
        // The start is needed only where others of the kind are.
        let others = board.pieces().filter(|(_, piece)| piece.kind.letter() == kind).count();
        let label = match with_letter {
            true if others == 1 => format!("{kind}{}", &name[2..]),
            true => format!("{kind}{name}"),
            false => name.clone(),
        };
        point.item(CompletionKind::Move, &label, format!("{name}{effect}"))
    });
    if found.iter().any(|c| !point.typed.is_empty() && c.label == point.typed) { Vec::new() } else { found }
}

/// The steps that are written before the word at the cursor, which is left out, because it may be no step yet.
fn steps_before(point: &InsertionPoint<'_>, bound: &Bound<'_>, query: Query<'_>) -> Option<Vec<Step>> {
    let (puzzle, word) = (bound.puzzle.span(), point.word());
    let text = |from: u32, to: u32| &point.text[from as usize..to as usize];
    let without =
        format!("{} {}", text(puzzle.start, word.start), text(word.end.min(puzzle.end), puzzle.end));
    let tree = parse(without);
    let bound = bind_one(tree.puzzles().next()?, bound.settings)?;
    let start = query.span().start - puzzle.start;
    let query = bound.puzzle.queries().find(|q| q.span().start == start)?;
    let before = point.start - puzzle.start;
    Some(steps_of(&bound, query).iter().filter(|(_, span)| span.end <= before).map(|s| s.0).collect())
}

/// The captures that are legal after the written steps, each made an item of its squares and of what becomes of the puzzle;
/// those that leave it solvable first.
fn legal_captures(
    bound: &Bound<'_>,
    position: &Position,
    written: &[Step],
    item: impl Fn(Square, Square, &str) -> Completion,
) -> Vec<Completion> {
    let board = board_after(&position.board, written, false);
    let pieces: Vec<Square> = board.pieces().map(|p| p.0).collect();
    let mut found = Vec::new();
    for &from in &pieces {
        for &to in pieces.iter().filter(|&&to| to != from) {
            let mut steps = written.to_vec();
            steps.push(Step { from, to, taken: None });
            let is_legal = match bound.game.follow(position, &steps) {
                Ok(()) => true,
                Err(error) => error.step > written.len(),
            };
            if !is_legal {
                continue;
            }
            let (rank, effect) =
                match is_solvable(bound, position, board_after(&board, &steps[written.len()..], false)) {
                    Some(true) => (0, ", the puzzle stays solvable"),
                    Some(false) => (2, ", then there is no solution"),
                    None => (1, ""),
                };
            found.push(Completion { rank, ..item(from, to, effect) });
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
