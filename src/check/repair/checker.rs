//! Whether a board has what is asked.

use crate::analysis::{derived_problem, problem_position_of};
use crate::repair::goals::{Goals, ProblemGoal};
use cpz_rules::board::Board;
use cpz_rules::games::{
    Answer, Budget, Position, SharedSearch, Undecided, find_sequences, find_sound_keys, with_shared_search,
};

/// The test of one board after the other.
pub(super) struct Checker<'c> {
    pub goals: &'c Goals<'c, 'c>,
    pub budget: &'c Budget<'c>,
    /// Whether a solution of captures has to be the only one.
    pub unique: bool,
    /// The search for captures, which learns from each board.
    search: Option<&'c mut (dyn SharedSearch + 'c)>,
}

/// Runs a search of boards with a checker for what is asked, and with one search for captures if they are asked for.
pub(super) fn with_checker<T>(
    goals: &Goals<'_, '_>,
    budget: &Budget<'_>,
    run: impl FnOnce(Checker<'_>) -> T,
) -> T {
    let position = goals.position();
    match goals.solve {
        false => run(Checker::new(goals, budget, None)),
        true => with_shared_search(position.board.size, position.dialect, budget, |search| {
            run(Checker::new(goals, budget, Some(search)))
        }),
    }
}

impl<'c> Checker<'c> {
    /// A test of what is asked, with a search for captures if that is asked for.
    pub fn new(
        goals: &'c Goals<'c, 'c>,
        budget: &'c Budget<'c>,
        search: Option<&'c mut (dyn SharedSearch + 'c)>,
    ) -> Checker<'c> {
        Checker { goals, budget, unique: goals.unique, search }
    }

    /// The answers to what is asked of a board, in the order of the goals; `None` if it is not sound. It takes at most
    /// `nodes` of the budget.
    ///
    /// # Errors
    /// [`Undecided`] if the nodes or the budget ran out or the search was cancelled.
    pub fn check(&mut self, board: &Board, nodes: u64) -> Result<Option<Vec<Answer>>, Undecided> {
        let budget = self.budget;
        // A board may need too few nodes for the search to look.
        budget.check_cancelled()?;
        budget.within(nodes, || self.answers(board))
    }

    fn answers(&mut self, board: &Board) -> Result<Option<Vec<Answer>>, Undecided> {
        let goals = self.goals;
        let mut answers = Vec::new();
        if let Some(search) = self.search.as_deref_mut().filter(|_| goals.solve) {
            if board.count() == 0 {
                return Ok(None);
            }
            let Some(first) = search.first(board)? else { return Ok(None) };
            if self.unique && search.second(board, &first)?.is_some() {
                return Ok(None);
            }
            answers.push(Answer::Solve(Some(first)));
        }
        for goal in &goals.problems {
            let Some(answer) = self.problem(board, goal)? else { return Ok(None) };
            answers.push(answer);
        }
        Ok(Some(answers))
    }

    /// The answer to a chess problem, if it is sound.
    fn problem(&self, board: &Board, goal: &ProblemGoal<'_>) -> Result<Option<Answer>, Undecided> {
        let (goals, budget) = (self.goals, self.budget);
        let Some(stipulation) = goal.question.stipulation else { return Ok(None) };
        let position = match goal.derived {
            Some(query) => match derived_problem(query, goals.bound, board) {
                Some((position, _)) => position,
                None => return Ok(None),
            },
            None => {
                let stated = Position { board: board.clone(), ..goals.position.clone() };
                problem_position_of(goals.bound, &stated, stipulation)
            }
        };
        if !stipulation.play().has_sequences()
            && find_sound_keys(&position, stipulation, goal.solutions, budget)?.is_none()
        {
            return Ok(None);
        }
        let answer = goals.bound.game.answer(&position, &goal.question, budget)?;
        let (found, complete) = match &answer {
            Answer::Keys { keys, complete, .. } => (keys.len(), *complete),
            Answer::Sequences { solutions, complete, .. } => (solutions.len(), *complete),
            _ => return Ok(None),
        };
        match complete {
            true if found != goal.solutions => Ok(None),
            true if stipulation.play().has_sequences() => {
                for shorter in stipulation.shorter() {
                    let sequences = find_sequences(&position, shorter, budget)?;
                    match (sequences.solutions.is_empty(), sequences.complete) {
                        (true, true) => {}
                        (true, false) => return Err(Undecided::Budget),
                        (false, _) => return Ok(None),
                    }
                }
                Ok(Some(answer))
            }
            true => Ok(Some(answer)),
            false if found > goal.solutions => Ok(None),
            false => Err(Undecided::Budget),
        }
    }
}
