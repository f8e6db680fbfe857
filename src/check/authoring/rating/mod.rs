//! How hard a puzzle is: exact facts, and one estimate made of them.
//!
//! The formula of the estimate is in `docs/difficulty.md`.

mod estimate;
mod facts;
mod logarithm;
mod problem;
mod words;

use crate::analysis::{Bound, Options, asked_problems, position_or_reason, why};
use cpz_rules::board::Kind;
use cpz_rules::games::{Answer, Budget, Position, Question, Status, Undecided, solitaire_facts};
use cpz_text::syntax::{GameId, Verb};

pub use estimate::Estimate;
pub use facts::Facts;
pub(in crate::authoring) use problem::facts_of_problem;
pub use problem::{ProblemFacts, key_words};
pub use words::rating_in_words;

/// How hard a puzzle is.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// The pieces on the board.
    pub pieces: u32,
    /// What is exact.
    pub facts: Facts,
    /// The estimate; `None` where the puzzle has no solution.
    pub estimate: Option<Estimate>,
}

/// How hard a puzzle is: its first chess problem, or else its board. Each search has the node budget of the options.
///
/// # Errors
/// Why it has no rating: its board cannot be read, it asks nothing that is rated, or the budget ran out.
pub fn rate(bound: &Bound<'_>, options: &Options) -> Result<Rating, String> {
    let position = position_or_reason(bound)?;
    let pieces = position.board.count() as u32;
    let search = |facts: fn(&Bound<'_>, &Position, &Budget<'_>) -> Result<Facts, Undecided>| {
        options.search_beside(options.nodes, |budget| facts(bound, &position, budget))
    };
    let facts = match bound.id {
        GameId::Solitaire => {
            search(|_, position, budget| solitaire_facts(position, budget).map(Facts::Solitaire))
        }
        GameId::Chess => {
            let problem = asked_problems(bound).next().map(|(_, problem)| problem);
            let unasked = || bound.puzzle.queries().find_map(|query| bound.why_not_asked(query));
            let (position, asked) = problem.ok_or_else(|| {
                unasked().unwrap_or("of chess only problems are rated that cpz solves, such as `mate in 2`")
            })?;
            facts_of_problem(&position, asked, options).map(Facts::Problem)
        }
        GameId::Draughts => search(capture_facts),
        GameId::Chess3d => search(status_facts),
    };
    let facts = facts.map_err(why)?;
    let estimate = estimate_of(&facts, &position);
    Ok(Rating { pieces, facts, estimate })
}

/// The estimate of a position with these facts; `None` where it has no solution.
pub(in crate::authoring) fn estimate_of(facts: &Facts, position: &Position) -> Option<Estimate> {
    Estimate::of(facts, |kind| count_of(position, kind))
}

fn count_of(position: &Position, kind: Kind) -> u32 {
    position.board.cells.iter().flatten().filter(|piece| piece.kind == kind).count() as u32
}

fn capture_facts(bound: &Bound<'_>, position: &Position, budget: &Budget<'_>) -> Result<Facts, Undecided> {
    let answer = bound.game.answer(position, &Question::of(Verb::Capture), budget)?;
    let Answer::Capture { lines, .. } = answer else {
        return Ok(Facts::Captures { captures: 0, longest: 0 });
    };
    let longest = lines.iter().map(|line| line.taken.len()).max().unwrap_or(0) as u32;
    Ok(Facts::Captures { captures: lines.len() as u32, longest })
}

fn status_facts(bound: &Bound<'_>, position: &Position, budget: &Budget<'_>) -> Result<Facts, Undecided> {
    let answer = bound.game.answer(position, &Question::of(Verb::Mate), budget)?;
    let Answer::Mate { status, reasons, .. } = answer else {
        return Ok(Facts::Status { status: Status::None, reasons: 0 });
    };
    Ok(Facts::Status { status, reasons: reasons.len() as u32 })
}
