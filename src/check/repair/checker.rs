//! Whether a board has what is asked.

use crate::analysis::asked_on;
use crate::repair::goals::Goals;
use cpz_rules::board::Board;
use cpz_rules::games::{
    Answer, Budget, Position, Question, SharedSearch, Undecided, find_sequences, find_sound_keys,
    with_shared_search,
};
use cpz_text::syntax::Verb;

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
        // Before any search: a board on which a twin cannot be made is not sound, whatever its problems have.
        let diagram = Position { board: board.clone(), ..goals.position.clone() };
        let asked = goals.problems.iter().map(|goal| asked_on(goal.query, goals.bound, &diagram));
        let Some(asked) = asked.collect::<Option<Vec<_>>>() else { return Ok(None) };
        for (goal, (position, question)) in goals.problems.iter().zip(asked) {
            let Some(answer) = self.problem(&position, &question, goal.solutions)? else { return Ok(None) };
            answers.push(answer);
        }
        Ok(Some(answers))
    }

    /// The answer to a chess problem that begins with a position, if it is sound: as many keys or solutions as are intended.
    fn problem(
        &self,
        position: &Position,
        question: &Question,
        intended: usize,
    ) -> Result<Option<Answer>, Undecided> {
        let (game, budget) = (self.goals.bound.game, self.budget);
        let Some(stipulation) = question.stipulation else { return Ok(None) };
        let has_sequences = stipulation.play().has_sequences();
        let is_set_play = question.verb == Verb::SetPlay;
        if !has_sequences
            && !is_set_play
            && find_sound_keys(position, stipulation, intended, budget)?.is_none()
        {
            return Ok(None);
        }
        let answer = game.answer(position, question, budget)?;
        let (found, complete) = match &answer {
            Answer::Keys { keys, complete, .. } => (keys.len(), *complete),
            Answer::Sequences { solutions, complete, .. } => (solutions.len(), *complete),
            // What answers each move of the other side; there has to be something.
            Answer::SetPlay { variations, .. } => return Ok((!variations.is_empty()).then_some(answer)),
            _ => return Ok(None),
        };
        match complete {
            true if found != intended => Ok(None),
            true if has_sequences => {
                for shorter in stipulation.shorter() {
                    let sequences = find_sequences(position, shorter, budget)?;
                    match (sequences.solutions.is_empty(), sequences.complete) {
                        (true, true) => {}
                        (true, false) => return Err(Undecided::Budget),
                        (false, _) => return Ok(None),
                    }
                }
                Ok(Some(answer))
            }
            true => Ok(Some(answer)),
            false if found > intended => Ok(None),
            false => Err(Undecided::Budget),
        }
    }
}
