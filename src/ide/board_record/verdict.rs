//! What the last recorded move does to the puzzle.

use crate::board_record::recording::{Recording, State};
use cpz_check::analysis::{Bound, asked_problems};
use cpz_rules::board::Board;
use cpz_rules::games::{
    Answer, Budget, Dialect, Goal, Position, Prover, Question, Status, Stipulation, status_of,
};
use cpz_text::syntax::Verb;

/// The verdict on the last move in a few words; empty without a move, and where the budget ran out.
pub(super) fn of(bound: &Bound<'_>, recording: &Recording<'_>, budget: &Budget<'_>) -> String {
    if recording.moves() == 0 {
        return String::new();
    }
    match &recording.state {
        State::Captures { start, .. } => solvable(bound, start, recording.board(), budget),
        State::Sequence(sequence) => sequence.verdict(budget),
        // Each move has had its verdict, and what is due is said in its place.
        State::Tree(_) => String::new(),
        State::Chess { position, moves } => {
            let problem = asked_problems(bound).next().map(|(_, problem)| problem);
            chess(problem, position, moves.len(), budget)
        }
        State::Cube { position, .. } => match bound.game.status(position) {
            Some(Status::Checkmate) => "mate".into(),
            Some(Status::Check) => "check".into(),
            Some(Status::Stalemate) => "stalemate".into(),
            Some(Status::None) | None => String::new(),
        },
        State::Draughts { position, .. } => taken(bound, position),
    }
}

fn solvable(bound: &Bound<'_>, start: &Position, board: Board, budget: &Budget<'_>) -> String {
    if board.count() == 1 {
        return "solved".into();
    }
    // Under `solo` the earlier captures of each piece count, which a board does not record.
    if start.dialect == Dialect::Solo {
        return String::new();
    }
    let position = Position { board, ..start.clone() };
    match bound.game.answer(&position, &Question::of(Verb::Solve), budget) {
        Ok(Answer::Solve(Some(_))) => "keeps it solvable".into(),
        Ok(Answer::Solve(None)) => "loses: there is no solution any more".into(),
        _ => String::new(),
    }
}

fn chess(
    problem: Option<(Position, Stipulation)>,
    position: &Position,
    plies: usize,
    budget: &Budget<'_>,
) -> String {
    let status = status_of(position);
    if status == Status::Checkmate {
        return "mate".into();
    }
    let Some((start, asked)) =
        problem.filter(|(_, asked)| !asked.play().has_sequences() && asked.goal() <= Goal::Check)
    else {
        return match status {
            Status::Check => "check".into(),
            Status::Stalemate => "stalemate".into(),
            _ => String::new(),
        };
    };
    let is_same_side = (start.turn == position.turn) == plies.is_multiple_of(2);
    let played = plies.div_ceil(2);
    if !is_same_side || played > usize::from(asked.moves()) {
        return String::new();
    }
    let left = asked.moves() - played as u8;
    let mut prover = Prover::new(asked, start.turn, budget);
    let found = match plies.is_multiple_of(2) {
        true => prover.attack(position, left),
        false => prover.defence(position, left),
    };
    match found {
        Ok(Some(_)) => format!("keeps the {}", name(asked)),
        Ok(None) => format!("loses the {}", name(asked)),
        Err(_) => String::new(),
    }
}

/// `mate in 2`
fn name(asked: Stipulation) -> String {
    asked.in_words()
}

/// How many pieces have been taken.
fn taken(bound: &Bound<'_>, position: &Position) -> String {
    let before = bound.reading.as_ref().and_then(|r| r.board.as_ref()).map_or(0, Board::count);
    match before.saturating_sub(position.board.count()) {
        0 => String::new(),
        n => format!("{n} captured"),
    }
}
