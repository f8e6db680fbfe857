//! Compares the written answer of a chess problem with what was found.

use crate::analysis::verbs::evaluator::QueryEvaluator;
use crate::analysis::verbs::problem_findings::{ASIDE, ProblemQuery, is_or_are, listed, only_keys};
use crate::analysis::verbs::solution_text::{
    CheckedSolution, NamedKey as WrittenKey, NamedLine, check_solution, read_solution, replay_solution,
};
use crate::analysis::verbs::solution_texts::solution_texts;
use crate::analysis::verbs::written_answer::ParsedAnswer;
use cpz_rules::games::{
    Answer, ChessMove, Position, Question, Status, Stipulation, Undecided, after_move, san, status_of,
};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::{Query, Verb};

/// Reports where the written answer at `span` differs from the answer.
pub(super) fn report_answered(
    evaluator: &mut QueryEvaluator<'_, '_>,
    query: Query<'_>,
    span: Span,
    answer: &Answer,
    written: &ParsedAnswer,
) {
    let Some(problem) = ProblemQuery::of(query, answer) else { return };
    match written {
        ParsedAnswer::Nothing if problem.found() > 0 => return problem.report_not_none(evaluator, span),
        ParsedAnswer::Nothing => {}
        ParsedAnswer::Number(number, _) => problem.report_number(evaluator, span, *number),
        _ => problem.report_solution(evaluator, span),
    }
    problem.report_helpmate_turn(evaluator);
}

/// Reports what is wrong with a written solution of a problem that the search did not decide: a step that cannot be made, a
/// line of another length, a mark that does not hold. Whether the solution is wrong.
pub(super) fn report_wrong_steps(
    evaluator: &mut QueryEvaluator<'_, '_>,
    query: Query<'_>,
    question: &Question,
) -> bool {
    let (Some(value), Some(stipulation)) = (query.answer(), question.stipulation) else { return false };
    if question.verb == Verb::SetPlay {
        return false;
    }
    let texts = solution_texts(value, stipulation.play().has_sequences());
    let position = evaluator.asked_position();
    let written = read_solution(&texts, stipulation, position.turn);
    let mut checked = evaluator
        .search_within(ASIDE, |_, _, budget| check_solution(&written, &position, stipulation, budget));
    // Sequences are made without a proof anyway.
    if !checked.has_error() && !stipulation.play().has_sequences() {
        checked = evaluator
            .search_within(ASIDE, |_, _, budget| replay_solution(&written, &position, stipulation, budget));
    }
    let is_wrong = checked.has_error();
    let findings = checked.findings.into_iter().filter(|finding| finding.code != Code::MissingVariation);
    findings.for_each(|finding| evaluator.report(finding));
    is_wrong
}

impl ProblemQuery<'_, '_> {
    /// Reports that `none` is written and something is found.
    pub(super) fn report_not_none(&self, evaluator: &mut QueryEvaluator<'_, '_>, span: Span) {
        let names = self.names();
        let at_least = if self.is_complete() { "" } else { "at least " };
        let message = match (self.has_sequences(), names.len()) {
            (true, 1) => format!("there is a solution: {}", names[0]),
            (true, n) => format!("there are {at_least}{n} solutions: {}", listed(&names)),
            (false, 1) => format!("{} forces {}", names[0], self.asked()),
            (false, n) => format!("{at_least}{n} keys force {}: {}", self.asked(), listed(&names)),
        };
        evaluator.report_wrong(span, message, Vec::new(), self.answer);
    }

    /// Compares a written number of keys or solutions.
    pub(super) fn report_number(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        span: Span,
        number: Option<u128>,
    ) {
        let found = self.found();
        if self.report_undecided(evaluator) {
            return;
        }
        if number != Some(found as u128) {
            let many = if found == 1 { self.one() } else { self.many() };
            let message = format!("there {} {found} {many}: {}", is_or_are(found), listed(&self.names()));
            return evaluator.report_wrong(span, message, Vec::new(), self.answer);
        }
        if found > 0 {
            self.report_soundness(evaluator, found, found, &[]);
        }
    }

    /// Checks the written keys, lines and trees.
    pub(super) fn report_solution(&self, evaluator: &mut QueryEvaluator<'_, '_>, span: Span) {
        let position = evaluator.asked_position();
        let Some(value) = self.query.answer() else { return };
        let texts = solution_texts(value, self.has_sequences());
        let written = read_solution(&texts, self.stipulation, position.turn);
        let stipulation = self.stipulation;
        let checked =
            evaluator.search(|_, _, budget| check_solution(&written, &position, stipulation, budget));
        let has_error = checked.has_error();
        let CheckedSolution { keys, tries, lines, findings, undecided, .. } = checked;
        evaluator.hit_budget |= undecided.is_some();
        findings.into_iter().for_each(|finding| evaluator.report(finding));
        if undecided == Some(Undecided::Budget) {
            let message = format!("whether this solution of `{}` holds is undecided", self.asked());
            evaluator.report(Finding::new(Code::Undecided, span, message));
            return;
        }
        if has_error
            || self.report_failing_keys(evaluator, &position, &keys)
            || self.report_undecided(evaluator)
        {
            return;
        }
        let named: Vec<String> = match self.has_sequences() {
            true => lines.iter().filter(|l| !l.is_set_play).map(|l| ucis(&l.moves)).collect(),
            false => keys.iter().map(|k| k.mv.uci()).collect(),
        };
        if named.is_empty() && !tries.is_empty() && self.found() == 0 {
            // The tries of a problem that has no key.
            return self.report_unsolvable(evaluator);
        }
        if named.is_empty() {
            let message =
                format!("expected {} here", if self.has_sequences() { "a solution" } else { "a key" });
            return evaluator.report_wrong(span, message, Vec::new(), self.answer);
        }
        if !self.report_written_twice(evaluator, &keys, &lines) {
            self.compare_all(evaluator, span, &named);
        }
    }

    /// Reports a key or a line that is written again; whether there is one. A key of a tree may begin several texts.
    fn report_written_twice(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        keys: &[WrittenKey],
        lines: &[NamedLine],
    ) -> bool {
        let again = match self.query.answer().filter(only_keys) {
            Some(_) if !self.has_sequences() => (keys.iter().enumerate())
                .find(|(i, key)| keys[..*i].iter().any(|before| before.mv == key.mv))
                .map(|(_, key)| key.span),
            _ => (lines.iter().enumerate())
                .find(|(i, line)| lines[..*i].iter().any(|before| before.moves == line.moves))
                .map(|(_, line)| line.span),
        };
        let Some(span) = again else { return false };
        let message = format!("this {} is written twice", self.one());
        evaluator.report(Finding::new(Code::WrongAnswer, span, message));
        true
    }

    /// Compares the written keys or solutions, in UCI, with all of them.
    fn compare_all(&self, evaluator: &mut QueryEvaluator<'_, '_>, span: Span, named: &[String]) {
        let keys = self.keys().iter().map(|k| k.mv.uci.clone());
        let solutions = self.solutions().iter();
        let solutions = solutions.map(|s| s.iter().map(|m| m.uci.as_str()).collect::<Vec<_>>().join(" "));
        let all = keys.chain(solutions).zip(self.names());
        let missing: Vec<String> =
            all.filter(|(uci, _)| !named.contains(uci)).map(|(_, name)| name).collect();
        let found = self.found();
        let intended = self.intended(evaluator).map_or(1, |n| n as usize);
        if !missing.is_empty() && found <= intended.max(named.len()) {
            let what = if missing.len() == 1 { self.one() } else { self.many() };
            let message = format!("{} {what} not written: {}", missing.len(), listed(&missing));
            return evaluator.report_wrong(span, message, Vec::new(), self.answer);
        }
        self.report_soundness(evaluator, found, named.len(), &missing);
    }

    /// Reports the first written key that does not solve; whether there is one.
    fn report_failing_keys(
        &self,
        evaluator: &mut QueryEvaluator<'_, '_>,
        position: &Position,
        keys: &[WrittenKey],
    ) -> bool {
        let Some(key) = keys.iter().find(|k| k.mates.is_none()) else { return false };
        let name = san(position, key.mv);
        let after = after_move(position, key.mv);
        let asked = self.asked();
        let why = match key.refutation {
            Some(reply) => format!("1...{} and {}", san(&after, reply), goal(self.stipulation)),
            None if status_of(&after) == Status::Checkmate => "the other side is mated".to_string(),
            None => "the other side has no move and is not mated".to_string(),
        };
        let mut finding =
            Finding::new(Code::WrongAnswer, key.span, format!("1.{name} does not force {asked}: {why}"));
        if self.found() == 0 {
            finding = finding.note(format!("no other first move forces {asked}"));
        }
        match self.query.answer().filter(only_keys) {
            Some(value) => evaluator.report_with_answer(finding, value.span(), self.answer),
            None => evaluator.report(finding),
        }
        true
    }
}

fn ucis(moves: &[ChessMove]) -> String {
    moves.iter().map(|m| m.uci()).collect::<Vec<_>>().join(" ")
}

/// What the attacker no longer reaches: `no mate`, `no selfmate in 2`.
fn goal(stipulation: Stipulation) -> String {
    match stipulation.moves() {
        1 => format!("no {}", stipulation.goal_or_length()),
        moves => format!("no {}", stipulation.with_moves(moves - 1).in_words()),
    }
}
