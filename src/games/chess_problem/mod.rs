//! The search for chess problems.

use crate::games::budget::{Budget, Undecided};
use crate::games::chess_rules::{ChessMove, after_move, legal_moves, status_of};
use crate::games::game::{Position, Status};
use crate::games::stipulation::{ProblemKind, Stipulation};

/// A key of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The first move.
    pub mv: ChessMove,
    /// The moves that it needs at most, itself included.
    pub mates: u8,
}

/// The keys of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Those that were found, in the order of the legal moves.
    pub keys: Vec<Key>,
    /// Whether none is missing: false if the budget ran out.
    pub complete: bool,
}

/// The solutions of a helpmate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Helpmates {
    /// Those that were found, sorted by their moves.
    pub solutions: Vec<Vec<ChessMove>>,
    /// Whether none is missing: false if the budget ran out.
    pub complete: bool,
}

/// A first move that exactly one reply refutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    /// The first move.
    pub mv: ChessMove,
    /// Its refutation.
    pub refutation: ChessMove,
}

/// All first moves that force the goal in at most the stipulated number of moves.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled.
pub fn find_keys(position: &Position, asked: Stipulation, budget: &Budget<'_>) -> Result<Keys, Undecided> {
    let mut found = Keys { keys: Vec::new(), complete: true };
    let mut plain = Plain { kind: asked.kind, budget };
    for mv in legal_moves(position) {
        match plain.defence(&after_move(position, mv), asked.moves() - 1) {
            Ok(Some(n)) => found.keys.push(Key { mv, mates: n + 1 }),
            Ok(None) => {}
            Err(Undecided::Budget) => return Ok(Keys { complete: false, ..found }),
            Err(cancelled) => return Err(cancelled),
        }
    }
    Ok(found)
}

/// All sequences of exactly the stipulated number of half moves whose last one mates.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled.
pub fn find_helpmates(
    position: &Position,
    asked: Stipulation,
    budget: &Budget<'_>,
) -> Result<Helpmates, Undecided> {
    let mut found = Helpmates { solutions: Vec::new(), complete: true };
    match lines(position, asked.plies, budget, &mut Vec::new(), &mut found.solutions) {
        Err(Undecided::Budget) => found.complete = false,
        other => other?,
    }
    Ok(found)
}

/// First moves that exactly one reply refutes, without the keys.
///
/// # Errors
/// [`Undecided`] if the budget ran out or the search was cancelled.
pub fn tries(position: &Position, asked: Stipulation, budget: &Budget<'_>) -> Result<Vec<Try>, Undecided> {
    let mut plain = Plain { kind: asked.kind, budget };
    let mut found = Vec::new();
    for mv in legal_moves(position) {
        let after = after_move(position, mv);
        let mut refutations = Vec::new();
        for reply in legal_moves(&after) {
            if plain.attack(&after_move(&after, reply), asked.moves() - 1)?.is_none() {
                refutations.push(reply);
            }
        }
        if let [refutation] = refutations[..] {
            found.push(Try { mv, refutation });
        }
    }
    Ok(found)
}

struct Plain<'b> {
    kind: ProblemKind,
    budget: &'b Budget<'b>,
}

impl Plain<'_> {
    fn attack(&mut self, position: &Position, moves: u8) -> Result<Option<u8>, Undecided> {
        let mut best = None;
        if moves == 0 {
            return Ok(None);
        }
        for mv in legal_moves(position) {
            if let Some(n) = self.defence(&after_move(position, mv), moves - 1)? {
                best = Some(best.map_or(n + 1, |b: u8| b.min(n + 1)));
            }
        }
        Ok(best)
    }

    fn defence(&mut self, position: &Position, moves: u8) -> Result<Option<u8>, Undecided> {
        self.budget.step()?;
        let replies = legal_moves(position);
        if replies.is_empty() {
            let mated = self.kind == ProblemKind::Mate && status_of(position) == Status::Checkmate;
            return Ok(mated.then_some(0));
        }
        let mut worst = 0;
        for reply in replies {
            let after = after_move(position, reply);
            if self.kind == ProblemKind::Selfmate && status_of(&after) == Status::Checkmate {
                continue;
            }
            match self.attack(&after, moves)? {
                Some(n) => worst = worst.max(n),
                None => return Ok(None),
            }
        }
        Ok(Some(worst))
    }
}

fn lines(
    position: &Position,
    plies: u8,
    budget: &Budget<'_>,
    line: &mut Vec<ChessMove>,
    found: &mut Vec<Vec<ChessMove>>,
) -> Result<(), Undecided> {
    for mv in legal_moves(position) {
        budget.step()?;
        let after = after_move(position, mv);
        line.push(mv);
        match plies {
            1 if status_of(&after) == Status::Checkmate => found.push(line.clone()),
            1 => {}
            _ => lines(&after, plies - 1, budget, line, found)?,
        }
        line.pop();
    }
    Ok(())
}
