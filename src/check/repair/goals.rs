//! What the queries of a puzzle ask of its board.

use crate::analysis::{
    Bound, base_problem, claims_nothing, intended_number, intended_solutions, position_of, stipulation_of,
};
use cpz_rules::games::Position;
use cpz_text::syntax::{Query, Verb};

/// What a repair is meant to reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// What the queries ask for.
    #[default]
    Sound,
    /// The same, and one solution only: one distinct solution, one key, one helpmate.
    Unique,
    /// A smaller puzzle that is as sound as it is now.
    Shorter,
    /// The same puzzle without the pieces that its solution does not need.
    Minimal,
}

/// What is asked of a chess problem.
#[derive(Clone, Copy)]
pub(super) struct ProblemGoal<'t> {
    /// The problem, or the twin, the duplex or the set play.
    pub query: Query<'t>,
    /// The keys or solutions that are intended, 1 at least.
    pub solutions: usize,
}

/// What a board has to have.
pub struct Goals<'b, 't> {
    pub(super) bound: &'b Bound<'t>,
    pub(super) position: Position,
    /// Whether it has to have a solution of captures.
    pub(super) solve: bool,
    /// Whether that has to be the only one.
    pub(super) unique: bool,
    pub(super) problems: Vec<ProblemGoal<'t>>,
}

impl<'b, 't> Goals<'b, 't> {
    /// What the queries of a puzzle ask; `None` if its board cannot be read, or if no query asks for a solution.
    pub fn new(bound: &'b Bound<'t>, aim: Aim) -> Option<Goals<'b, 't>> {
        let position = position_of(bound)?;
        let is_asked = |&q: &Query<'t>| bound.why_not_asked(q).is_none() && !claims_nothing(bound, q);
        let claimed = || bound.puzzle.queries().filter(is_asked);
        let unique = bound.settings.unique.is_some() || aim == Aim::Unique;
        let asks_one = || bound.settings.unique.is_some() && bound.puzzle.queries().next().is_some();
        let solves = bound.game.verbs().contains(&Verb::Solve);
        let solve = solves && (claimed().any(|q| q.verb() == Some(Verb::Solve)) || asks_one());
        let problem = |query: Query<'t>| {
            // A repair changes the diagram, and with it what is made of it. One that cannot be made is asked all the same.
            let base = match query.verb()? {
                Verb::Problem(_) => query,
                Verb::Twin | Verb::Duplex | Verb::SetPlay => base_problem(query, bound.puzzle)?,
                _ => return None,
            };
            stipulation_of(bound, base)?;
            let solutions = match aim {
                // Where the puzzle says how many there are, that is what is meant.
                Aim::Unique if intended_number(query, bound.settings.solutions).is_none() => 1,
                _ => intended_solutions(bound, query),
            };
            Some(ProblemGoal { query, solutions })
        };
        let problems: Vec<ProblemGoal<'t>> = claimed().filter_map(problem).collect();
        (solve || !problems.is_empty()).then_some(Goals { bound, position, solve, unique, problems })
    }

    /// The position that is asked about.
    pub fn position(&self) -> &Position {
        &self.position
    }
}
