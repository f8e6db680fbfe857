//! Replays a written solution, capture by capture.

use crate::board::{Board, Kind, Square, square_name};
use crate::games::game::{Dialect, Position, ReplayError, Step, join_words};
use crate::games::solitaire::directions::directions;

/// The board during a replay. `captures` counts the captures of the piece of each cell.
struct Replay<'p> {
    board: Board,
    captures: Vec<u8>,
    position: &'p Position,
}

/// Replays a solution; the error is the first capture that fails, or that pieces are left.
pub(super) fn follow(position: &Position, steps: &[Step]) -> Result<(), ReplayError> {
    let board = position.board.clone();
    let captures = vec![0; board.cells.len()];
    let mut replay = Replay { board, captures, position };
    for (i, step) in steps.iter().enumerate() {
        if let Err((message, notes)) = replay.step(*step) {
            return Err(ReplayError { step: i, message, notes });
        }
    }
    let left: Vec<String> = replay.board.pieces().map(|(s, p)| on(p.kind, s)).collect();
    if left.len() > 1 {
        let message = format!("the solution stops short: {} are left", join_words(&left));
        return Err(ReplayError { step: steps.len(), message, notes: Vec::new() });
    }
    Ok(())
}

fn on(kind: Kind, square: Square) -> String {
    format!("the {} on {}", kind.name(), square_name(square, false))
}

impl Replay<'_> {
    fn step(&mut self, step: Step) -> Result<(), (String, Vec<String>)> {
        let (from, to) = (square_name(step.from, false), square_name(step.to, false));
        let Some(piece) = self.board.at(step.from) else {
            return Err((format!("nothing stands on {from} at this point"), Vec::new()));
        };
        let who = on(piece.kind, step.from);
        let could = || {
            let targets: Vec<String> = self
                .targets(step.from)
                .into_iter()
                .filter_map(|t| Some(on(self.board.at(t)?.kind, t)))
                .collect();
            match targets.is_empty() {
                true => vec![format!("{who} can capture nothing here")],
                false => vec![format!("{who} can capture {}", join_words(&targets))],
            }
        };
        let Some(taken) = self.board.at(step.to) else {
            return Err((format!("there is nothing to capture on {to}"), could()));
        };
        if step.from == step.to {
            return Err((format!("{who} cannot capture itself"), could()));
        }
        let index = self.board.index(step.from);
        let solo = self.position.dialect == Dialect::Solo;
        if solo && self.captures[index] == 2 {
            return Err((
                format!("{who} has captured twice, which is the most under `rules solo`"),
                Vec::new(),
            ));
        }
        if solo && taken.kind == Kind::King {
            return Err(("a king is never captured under `rules solo`".to_string(), could()));
        }
        if !self.targets(step.from).contains(&step.to) {
            return Err((self.why_not(step, piece.kind, &who, &to), could()));
        }
        if let Some(kind) = step.taken.filter(|&k| k != taken.kind) {
            let message =
                format!("the piece captured on {to} is a {}, not a {}", taken.kind.name(), kind.name());
            return Err((message, Vec::new()));
        }
        let target = self.board.index(step.to);
        self.board.cells[target] = self.board.cells[index].take();
        self.captures[target] = self.captures[index] + 1;
        Ok(())
    }

    /// Why a piece cannot capture on a square: it moves another way, or a piece is in the way.
    fn why_not(&self, step: Step, kind: Kind, who: &str, to: &str) -> String {
        let (steps, slides) = directions(kind, self.position.dialect);
        for &(dx, dy) in steps.iter().filter(|_| slides) {
            let ray = self.ray(step.from, dx, dy);
            if ray.contains(&step.to)
                && let Some((s, p)) = ray.iter().find_map(|&s| Some((s, self.board.at(s)?)))
            {
                return format!("{who} cannot capture on {to}: {} is in the way", on(p.kind, s));
            }
        }
        let upwards = kind == Kind::Pawn && self.position.dialect != Dialect::Default;
        let how = if upwards { ": pawns capture upwards only under these rules" } else { "" };
        format!("{who} cannot capture on {to}{how}")
    }

    fn ray(&self, from: Square, dx: i8, dy: i8) -> Vec<Square> {
        let size = self.board.size;
        let step = |s: Square| {
            let x = s.x.checked_add_signed(dx).filter(|&x| x < size.w)?;
            let y = s.y.checked_add_signed(dy).filter(|&y| y < size.h)?;
            Some(Square::new(x, y))
        };
        std::iter::successors(step(from), |&s| step(s)).collect()
    }

    /// The squares that the piece of a square can capture on.
    fn targets(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.board.at(from) else { return Vec::new() };
        let (steps, slides) = directions(piece.kind, self.position.dialect);
        let solo = self.position.dialect == Dialect::Solo;
        if solo && self.captures[self.board.index(from)] >= 2 {
            return Vec::new();
        }
        let first = |&(dx, dy): &(i8, i8)| {
            let ray = self.ray(from, dx, dy);
            let reach = if slides { ray.len() } else { ray.len().min(1) };
            ray.into_iter().take(reach).find(|&s| self.board.at(s).is_some())
        };
        let safe = |s: &Square| !(solo && self.board.at(*s).is_some_and(|p| p.kind == Kind::King));
        steps.iter().filter_map(first).filter(safe).collect()
    }
}
