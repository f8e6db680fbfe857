//! The searches for one puzzle, and the findings that they lead to.

use crate::analysis::binding::Bound;
use crate::analysis::file_report::Options;
use crate::analysis::verbs::answer_writer::answer_text;
use crate::analysis::verbs::problem_position::position_of_question;
use cpz_rules::games::{Answer, Budget, Capture, Dialect, Game, Position, Question, Undecided};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};

/// A dialect and a solution under it.
pub(super) type DialectSolution = (Dialect, Vec<Capture>);

/// A puzzle whose queries can be evaluated.
pub(crate) struct QueryEvaluator<'a, 't> {
    pub bound: &'a Bound<'t>,
    pub position: Position,
    pub options: &'a Options,
    /// The question of the query that is evaluated.
    pub question: Option<Question>,
    pub findings: Vec<Finding>,
    /// Whether a search used up its budget or was cancelled.
    pub hit_budget: bool,
    /// The number of nodes that the searches visited.
    pub nodes: u64,
    /// The number of solutions that the last search found, if it counted them until its budget was used up; otherwise 0.
    pub at_least: u128,
    /// For each problem and twin whose set play a star asks for: the star, and whether there is a solution and no set play.
    pub stars: Vec<(Span, bool)>,
    answers: AnswerMemo,
    /// Solutions under the other dialects, once they were needed.
    pub(super) other_dialects: Option<Vec<DialectSolution>>,
}

/// Answers by the whole question: the verb and its argument. The first one is stored without an allocation, as
/// most puzzles have one query.
#[derive(Default)]
struct AnswerMemo {
    first: Option<(Question, Result<Answer, Undecided>)>,
    others: Vec<(Question, Result<Answer, Undecided>)>,
}

impl AnswerMemo {
    fn get(&self, question: &Question) -> Option<&Result<Answer, Undecided>> {
        self.first.iter().chain(&self.others).find(|(q, _)| q == question).map(|(_, answer)| answer)
    }

    fn insert(&mut self, question: Question, answer: Result<Answer, Undecided>) {
        match &self.first {
            None => self.first = Some((question, answer)),
            Some(_) => self.others.push((question, answer)),
        }
    }
}

/// The reason for no answer where the search visited all nodes of its budget.
pub const BUDGET_USED_UP: &str = "the search used up its budget";

/// The reason for no answer where the user stopped the search.
pub const STOPPED: &str = "the search was stopped";

/// Why a search gave no answer.
pub(crate) fn why(undecided: Undecided) -> &'static str {
    match undecided {
        Undecided::Budget => BUDGET_USED_UP,
        Undecided::Cancelled => "the search was cancelled",
    }
}

impl<'a, 't> QueryEvaluator<'a, 't> {
    /// An evaluator without answers and findings.
    pub fn new(bound: &'a Bound<'t>, position: Position, options: &'a Options) -> QueryEvaluator<'a, 't> {
        QueryEvaluator {
            bound,
            position,
            options,
            question: None,
            findings: Vec::new(),
            hit_budget: false,
            nodes: 0,
            at_least: 0,
            stars: Vec::new(),
            answers: AnswerMemo::default(),
            other_dialects: None,
        }
    }

    // ---- searches

    pub(super) fn game(&self) -> &'static dyn Game {
        self.bound.game
    }

    /// Runs a search with the node budget of one search.
    pub(super) fn search<T>(&mut self, run: impl FnOnce(&dyn Game, &Position, &Budget<'_>) -> T) -> T {
        self.search_within(u64::MAX, run)
    }

    /// As `search`, with at most some nodes: for what a message may say besides.
    pub(super) fn search_within<T>(
        &mut self,
        nodes: u64,
        run: impl FnOnce(&dyn Game, &Position, &Budget<'_>) -> T,
    ) -> T {
        let nodes = nodes.min(self.options.nodes);
        let (game, position) = (self.bound.game, &self.position);
        let (found, left, at_least) = self.options.search(nodes, true, |budget| {
            let found = run(game, position, budget);
            (found, budget.left(), budget.at_least())
        });
        self.nodes += nodes - left;
        self.at_least = at_least;
        found
    }

    /// The answer to a question, without remembering it.
    pub(super) fn answer_once(&mut self, question: &Question) -> Result<Answer, Undecided> {
        self.search(|game, position, budget| game.answer(position, question, budget))
    }

    /// The answer as far as it is needed: a report without answers needs only what is compared.
    fn needed_answer(&mut self, question: &Question) -> Result<Answer, Undecided> {
        if let Some(position) = position_of_question(self.bound, &self.position, question) {
            return self.search(|game, _, budget| game.answer(&position, question, budget));
        }
        let in_full = self.options.answers;
        self.search(|game, position, budget| match in_full {
            true => game.answer(position, question, budget),
            false => game.answer_in_brief(position, question, budget),
        })
    }

    /// The answer to a question, remembered for the next query that asks the same.
    pub(super) fn answer(&mut self, question: &Question) -> Result<Answer, Undecided> {
        if let Some(answer) = self.answers.get(question) {
            self.at_least = 0;
            return answer.clone();
        }
        let answer = self.needed_answer(question);
        self.note(&answer);
        self.answers.insert(*question, answer.clone());
        answer
    }

    /// The position that the question begins with: that of a twin, of duplex or of set play, or else of the diagram.
    pub(super) fn asked_position(&self) -> Position {
        let asked = self.question.as_ref();
        let position = asked.and_then(|asked| position_of_question(self.bound, &self.position, asked));
        position.unwrap_or_else(|| self.position.clone())
    }

    /// Why the last search gave no answer. One that was stopped has used up its budget, too.
    pub(super) fn why(&self, undecided: Undecided) -> String {
        let why = match undecided {
            Undecided::Budget if self.options.watch.as_ref().is_some_and(|w| w.is_stopped()) => STOPPED,
            undecided => why(undecided),
        };
        match self.at_least {
            0 => why.into(),
            1 => format!("{why} after at least 1 solution"),
            n => format!("{why} after at least {n} solutions"),
        }
    }

    /// Records whether a search ended early.
    pub(super) fn note<T>(&mut self, found: &Result<T, Undecided>) {
        self.hit_budget |= found.is_err();
    }

    // ---- findings

    pub(super) fn report(&mut self, mut finding: Finding) {
        // Behind a bracket a comment may begin at once; behind a word it would be a part of it.
        let (text, start) = (self.bound.puzzle.node().text(), self.bound.puzzle.node().span().start);
        let has_comment = |end: u32| {
            end.checked_sub(start)
                .and_then(|at| text.get(at as usize..))
                .is_some_and(|rest| rest.starts_with("//"))
        };
        for edit in
            finding.fixes.iter_mut().flat_map(|fix| &mut fix.edits).filter(|edit| has_comment(edit.span.end))
        {
            edit.text.push(' ');
        }
        self.findings.push(finding);
    }

    /// Reports a wrong answer at `span`, with the right one as a fix.
    pub(super) fn report_wrong(&mut self, span: Span, message: String, notes: Vec<String>, answer: &Answer) {
        let mut finding = Finding::new(Code::WrongAnswer, span, message);
        finding.notes = notes;
        self.report_with_answer(finding, span, answer);
    }

    /// Reports a finding with a fix that puts the right answer in the place of the one at `span`.
    pub(super) fn report_with_answer(&mut self, finding: Finding, span: Span, answer: &Answer) {
        let fix = self.text(answer);
        let fix =
            fix.map(|text| Fix::if_board_is_right(format!("replace the answer with `{text}`"), span, text));
        let mut finding = finding;
        finding.fixes.extend(fix);
        self.report(finding);
    }

    /// An answer in the notation of this puzzle. Without a remark: one behind the written answer stays.
    pub(super) fn text(&self, answer: &Answer) -> Option<String> {
        answer_text(answer, self.bound.origin, self.bound.settings.notation, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{bind_one, position_of, request_of};
    use cpz_text::syntax::{Verb, parse};

    #[test]
    fn questions_with_different_arguments_do_not_share_an_answer() {
        let tree = parse("chess { board 8/8/8/4k3/8/8/8/4K2R move Rh2 move Rg2 }");
        let puzzle = tree.puzzles().next().expect("a puzzle");
        let bound = bind_one(puzzle, Default::default()).expect("chess");
        let options = Options::default();
        let position = position_of(&bound).expect("a position");
        let mut evaluator = QueryEvaluator::new(&bound, position, &options);
        let questions: Vec<Question> = puzzle
            .queries()
            .map(|q| Question { request: request_of(&bound, q), ..Question::of(Verb::Move) })
            .collect();
        // Each is asked twice: the second time it is remembered.
        for _ in 0..2 {
            assert_eq!(evaluator.answer(&questions[0]), Ok(Answer::Move(None)));
            assert!(matches!(evaluator.answer(&questions[1]), Ok(Answer::Move(Some(_)))));
        }
    }
}
