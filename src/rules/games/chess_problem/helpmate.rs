//! Helpmates: both sides together reach a mate.

use crate::games::budget::{Budget, Undecided};
use crate::games::chess_bits::{IdleMoves, PackedMove, PackedPosition};
use crate::games::chess_move::ChessMove;
use crate::games::chess_problem::table::Table;
use crate::games::game::Position;
use crate::games::stipulation::Stipulation;

/// The solutions of a helpmate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helpmates {
    /// Each is a sequence of moves from the position; sorted.
    pub solutions: Vec<Vec<ChessMove>>,
    /// Whether these are all; false if the budget ran out or there are more than are kept.
    pub complete: bool,
}

/// The number of solutions that are kept.
const MAX_SOLUTIONS: usize = 10_000;

struct Search<'b> {
    budget: &'b Budget<'b>,
    table: Table,
    moves: Vec<PackedMove>,
    path: Vec<PackedMove>,
    solutions: Vec<Vec<PackedMove>>,
}

/// All sequences of exactly the given number of plies of which the last mates, whichever side begins.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled. If the budget runs out, the solutions are those found before.
pub fn find_helpmates(
    position: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> Result<Helpmates, Undecided> {
    let mut search =
        Search { budget, table: Table::new(), moves: Vec::new(), path: Vec::new(), solutions: Vec::new() };
    let p = PackedPosition::new(position, position.turn);
    let complete = match search.reaches(&p, stipulation.plies) {
        Ok(_) => true,
        Err(Undecided::Budget) => false,
        Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
    };
    let unpacked = |line: Vec<PackedMove>| line.into_iter().map(PackedMove::unpacked).collect();
    let mut solutions: Vec<Vec<ChessMove>> = search.solutions.into_iter().map(unpacked).collect();
    solutions.sort_unstable();
    Ok(Helpmates { solutions, complete })
}

impl Search<'_> {
    /// Collects the solutions in exactly `plies` plies; whether there is one.
    fn reaches(&mut self, p: &PackedPosition, plies: u8) -> Result<bool, Undecided> {
        if plies <= 1 {
            return self.mates(p);
        }
        let mut known = self.table.get(p);
        if known.fails >> plies & 1 != 0 {
            return Ok(false);
        }
        self.budget.step()?;
        let start = self.moves.len();
        p.legal_moves(&mut self.moves);
        let mut found = false;
        let idle = if plies == 2 { IdleMoves::new(p) } else { None };
        for i in start..self.moves.len() {
            let mv = self.moves[i];
            if idle.as_ref().is_some_and(|idle| idle.contain(p, mv)) {
                continue;
            }
            self.path.push(mv);
            found |= self.reaches(&p.after(mv), plies - 1)?;
            self.path.pop();
        }
        self.moves.truncate(start);
        if !found {
            known.fails |= 1 << plies;
            self.table.set(p, known);
        }
        Ok(found)
    }

    fn mates(&mut self, p: &PackedPosition) -> Result<bool, Undecided> {
        let (mut mates, mut made) = (Vec::new(), 1);
        p.each_mate(false, &mut made, |mv| {
            mates.push(mv);
            false
        });
        self.budget.spend(made + mates.len() as u64)?;
        for &mv in &mates {
            if self.solutions.len() == MAX_SOLUTIONS {
                return Err(Undecided::Budget);
            }
            let mut line = self.path.clone();
            line.push(mv);
            self.solutions.push(line);
        }
        Ok(!mates.is_empty())
    }
}
