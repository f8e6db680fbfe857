//! A puzzle's queries: what is asked, what is worked out, and how it compares with what is written.

use crate::analysis::binding::{Bound, insert_property};
use crate::analysis::config::Notation;
use crate::analysis::verbs::answer_syntax::{self, ParsedAnswer};
use crate::analysis::{Options, Outcome, QueryReport};
use crate::board::{Colour, Square, square_name};
use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::games::{
    Answer, Budget, Capture, Dialect, Game, Position, Question, Reason, ReplayError, Request, Status, Step,
    Undecided, Verdict,
};
use crate::syntax::{Query, Verb};

/// A solution in names: `d1xb2 a2xb2 b2xb3`.
pub fn solution_in_names(captures: &[Capture]) -> String {
    let one = |c: &Capture| format!("{}x{}", square_name(c.from, false), square_name(c.to, false));
    captures.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// An answer as it is written after `=>`, with a `remark` behind it where one says more; nothing
/// where it is not known whole. Squares count from `origin`.
pub fn answer_text(answer: &Answer, origin: u8, notation: Notation, remark: bool) -> Option<String> {
    let square = |s: Square| notation.square(s, origin);
    Some(match answer {
        Answer::Solve(None) => "none".into(),
        Answer::Solve(Some(captures)) => {
            let steps: Vec<String> =
                captures.iter().map(|c| format!("[{}, {}]", square(c.from), square(c.to))).collect();
            format!("[{}]", steps.join(", "))
        }
        Answer::Count { count, distinct } => match (count, distinct) {
            (Some(n), Some(d)) if n != d && remark => format!("{n} ({d} distinct)"),
            (Some(n), _) => n.to_string(),
            _ => return None,
        },
        Answer::Move(reason) => match (reason.is_none(), notation.booleans) {
            (true, false) => "legal".into(),
            (false, false) => "illegal".into(),
            (legal, true) => legal.to_string(),
        },
        Answer::Mate { status, .. } if notation.booleans => (*status == Status::Checkmate).to_string(),
        Answer::Mate { status, .. } => status.word().into(),
        Answer::Capture { pieces, .. } => {
            let taken = pieces.iter().filter(|(_, v)| *v != Verdict::No);
            let taken: Vec<String> = taken
                .map(|&(s, v)| match notation.names {
                    true => format!("[{}, \"{}\"]", square_name(s, false), v.word()),
                    false => format!("[{},{},\"{}\"]", s.x + origin, s.y + origin, v.word()),
                })
                .collect();
            if taken.is_empty() { "none".into() } else { format!("[{}]", taken.join(", ")) }
        }
    })
}

/// Why a search gave no answer.
fn why(undecided: Undecided) -> &'static str {
    match undecided {
        Undecided::Budget => "the search used up its budget",
        Undecided::Cancelled => "the search was cancelled",
    }
}

/// A puzzle that can be asked.
pub(crate) struct QueryEvaluator<'a, 't> {
    pub bound: &'a Bound<'t>,
    pub position: Position,
    pub options: &'a Options,
    pub findings: Vec<Finding>,
    /// What was solved already, for the queries after it.
    pub solved: Option<Result<Option<Vec<Capture>>, Undecided>>,
    /// Answers to verbs without arguments.
    pub answered: Vec<(Verb, Result<Answer, Undecided>)>,
    /// Solutions under the other dialects.
    pub others: Option<Vec<(Dialect, Vec<Capture>)>>,
    /// Whether a search ended before it knew.
    pub cut: bool,
    /// How many nodes searches have visited.
    pub nodes: u64,
}

impl<'a, 't> QueryEvaluator<'a, 't> {
    /// Somebody who knows nothing yet.
    pub fn new(bound: &'a Bound<'t>, position: Position, options: &'a Options) -> QueryEvaluator<'a, 't> {
        QueryEvaluator {
            bound,
            position,
            options,
            findings: Vec::new(),
            solved: None,
            answered: Vec::new(),
            others: None,
            cut: false,
            nodes: 0,
        }
    }

    /// An answer as this puzzle's are written, without a remark.
    fn text(&self, answer: &Answer) -> Option<String> {
        answer_text(answer, self.bound.origin, self.bound.settings.notation, false)
    }

    fn game(&self) -> &'static dyn Game {
        self.bound.game
    }

    /// Searches, with all the nodes that one search may visit.
    fn search<T>(&mut self, run: impl FnOnce(&dyn Game, &Position, &Budget<'_>) -> T) -> T {
        let work = Budget::new(self.options.nodes, self.options.cancel.as_deref());
        let found = run(self.bound.game, &self.position, &work);
        self.nodes += self.options.nodes - work.left();
        found
    }

    /// Notes whether a search ended before it knew.
    fn noted<T>(&mut self, found: Result<T, Undecided>) -> Result<T, Undecided> {
        self.cut |= found.is_err();
        found
    }

    fn say(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn solve(&mut self) -> Result<Option<Vec<Capture>>, Undecided> {
        if self.solved.is_none() {
            let question = Question { verb: Verb::Solve, request: None };
            let answer = self.search(|game, position, work| game.answer(position, &question, work));
            let answer = self.noted(answer);
            self.solved = Some(answer.map(|a| match a {
                Answer::Solve(solution) => solution,
                _ => None,
            }));
        }
        self.solved.clone().unwrap_or(Ok(None))
    }

    /// The state of the side to move, and not what it rests on.
    fn state(&mut self) -> Result<Answer, Undecided> {
        let status = self.search(|game, position, work| work.step().map(|()| game.status(position)))?;
        let status = status.unwrap_or(Status::None);
        Ok(Answer::Mate { status, side: self.position.turn, reasons: Vec::new() })
    }

    /// What the state of the side to move rests on.
    fn reasons(&mut self) -> Vec<String> {
        let question = Question { verb: Verb::Mate, request: None };
        match self.search(|game, position, work| game.answer(position, &question, work)) {
            Ok(Answer::Mate { reasons, .. }) => Reason::texts(&reasons),
            _ => Vec::new(),
        }
    }

    /// Answers a query, and compares the answer with the one that is written.
    pub fn query(&mut self, query: Query<'t>, verb: Verb, request: Option<Request>) -> QueryReport {
        let question = Question { verb, request };
        let answer = match verb {
            Verb::Mate if !self.options.answers => self.state(),
            Verb::Solve => self.solve().map(Answer::Solve),
            Verb::Move => self.search(|game, position, work| game.answer(position, &question, work)),
            _ => match self.answered.iter().find(|a| a.0 == verb) {
                Some((_, answer)) => answer.clone(),
                None => {
                    let answer = self.search(|game, position, work| game.answer(position, &question, work));
                    self.answered.push((verb, answer.clone()));
                    answer
                }
            },
        };
        let partial =
            matches!(answer, Ok(Answer::Count { count, distinct }) if count.is_none() || distinct.is_none());
        self.cut |= partial || answer.is_err();
        let written =
            query.answer().map(|v| (v, answer_syntax::read(v, verb, self.bound, &self.position.board)));
        match (&answer, written) {
            (_, Some((_, Err(findings)))) => self.findings.extend(findings),
            (_, Some((value, Ok(ParsedAnswer::Steps(steps, broken))))) => {
                self.sequence(value.span(), &steps, broken, &answer);
            }
            (_, Some((value, Ok(ParsedAnswer::Boards(boards))))) => {
                let reached = |steps: &[Step]| match self.bound.game.follow(&self.position, steps) {
                    Ok(()) => steps.len(),
                    Err(slip) => slip.step,
                };
                match answer_syntax::captures_between(&boards, &self.position, reached) {
                    Ok(steps) => self.sequence(value.span(), &steps, None, &answer),
                    Err((i, message)) => self.say(Finding::new(Code::WrongSolution, boards[i].1, message)),
                }
            }
            (Err(undecided), _) => {
                let message = format!("`{}` is undecided: {}", verb.word(), why(*undecided));
                self.say(Finding::new(Code::Undecided, query.asked(), message));
            }
            (Ok(answer), Some((value, Ok(written)))) => self.compare(query, value.span(), answer, &written),
            (Ok(answer), None) => self.unanswered(query, answer),
        }
        let outcome = match answer {
            Ok(answer) => Outcome::Answer(answer),
            Err(undecided) => Outcome::Undecided(why(undecided).into()),
        };
        QueryReport { verb, span: query.span(), asked: query.asked(), answered: query.has_arrow(), outcome }
    }

    /// What a query without a written answer says by itself.
    fn unanswered(&mut self, query: Query<'t>, answer: &Answer) {
        match answer {
            Answer::Solve(None) => {
                let finding = self.unsolvable(query);
                self.say(finding);
            }
            Answer::Move(Some(reason)) => {
                let span = query.argument().map_or(query.asked(), |a| a.span());
                let mut finding =
                    Finding::new(Code::IllegalMove, span, format!("this move is illegal: {reason}"));
                if !query.has_arrow() {
                    let end = Span::at(query.asked().end);
                    finding = finding.fix(Fix::new("say that it is illegal", end, " => illegal", false));
                }
                self.say(finding);
            }
            Answer::Count { count: None, .. } => {
                let message = "`count` is undecided: the search used up its budget";
                self.say(Finding::new(Code::Undecided, query.asked(), message));
            }
            _ => {}
        }
    }

    fn other_dialects(&mut self) -> Vec<(Dialect, Vec<Capture>)> {
        if self.others.is_none() {
            let mut found = Vec::new();
            let here = self.position.dialect;
            for dialect in Dialect::ALL.into_iter().filter(|&d| d != here) {
                let position = Position { dialect, ..self.position.clone() };
                let question = Question { verb: Verb::Solve, request: None };
                let answer = self.search(|game, _, work| game.answer(&position, &question, work));
                if let Ok(Answer::Solve(Some(solution))) = self.noted(answer) {
                    found.push((dialect, solution));
                }
            }
            self.others = Some(found);
        }
        self.others.clone().unwrap_or_default()
    }

    fn unsolvable(&mut self, query: Query<'t>) -> Finding {
        let here = self.position.dialect;
        let mut finding = Finding::new(Code::Unsolvable, query.asked(), "this board has no solution");
        for (other, solution) in self.other_dialects() {
            let word = other.word();
            finding.message = match finding.fixes.is_empty() {
                true => format!(
                    "this board has no solution under `rules {}`, but it has one under `rules {word}`",
                    here.word()
                ),
                false => format!("{} and `rules {word}`", finding.message),
            };
            finding.notes.push(format!("under `rules {word}` it has one: {}", solution_in_names(&solution)));
            let edit = match self.bound.rules {
                Some(span) => Edit { span, text: word.into() },
                None => insert_property(self.bound.puzzle, &format!("rules {word}")),
            };
            finding.fixes.push(Fix { title: format!("use `rules {word}`"), edits: vec![edit], safe: false });
        }
        if !query.has_arrow() {
            let end = Span::at(query.asked().end);
            finding.fixes.push(Fix::new("say that it has none", end, " => none", false));
        }
        finding
    }

    /// A written sequence, of captures or of a draughts path.
    /// Of what fails in it only the first is told: what comes after rests on it.
    fn sequence(
        &mut self,
        span: Span,
        steps: &[(Step, Span)],
        broken: Option<Finding>,
        answer: &Result<Answer, Undecided>,
    ) {
        let plain: Vec<Step> = steps.iter().map(|s| s.0).collect();
        let slip = self.game().follow(&self.position, &plain).err();
        if let Some(finding) = broken
            && slip.as_ref().is_none_or(|s| s.step >= steps.len())
        {
            return self.say(finding);
        }
        let Some(ReplayError { step, message, notes }) = slip else { return };
        // What stops short is marked on its last step.
        let at = steps.get(step).or(steps.last()).map_or(span, |s| s.1);
        let number = if step < steps.len() { format!("step {} fails: ", step + 1) } else { String::new() };
        let mut finding = Finding::new(Code::WrongSolution, at, format!("{number}{message}"));
        finding.notes = notes;
        let text = match answer {
            Ok(Answer::Solve(None)) => {
                finding.notes.push("this board has no solution".into());
                None
            }
            Ok(Answer::Solve(Some(solution))) => {
                finding.notes.push(format!("a solution: {}", solution_in_names(solution)));
                answer.as_ref().ok().and_then(|a| self.text(a))
            }
            Ok(Answer::Capture { lines, .. }) => lines.first().map(|line| {
                let path: Vec<String> = line
                    .path
                    .iter()
                    .map(|&s| self.bound.settings.notation.square(s, self.bound.origin))
                    .collect();
                format!("[{}]", path.join(", "))
            }),
            _ => None,
        };
        if let Some(text) = text {
            finding.fixes.push(Fix::new("replace with one that works", span, text, false));
        }
        self.say(finding);
    }

    /// A written verdict or number.
    fn compare(&mut self, query: Query<'t>, span: Span, answer: &Answer, written: &ParsedAnswer) {
        let mut notes = Vec::new();
        let message = match (answer, written) {
            (Answer::Solve(Some(solution)), ParsedAnswer::Nothing) if solution.is_empty() => {
                "this board is solved already: it has one piece".to_string()
            }
            (Answer::Solve(Some(solution)), ParsedAnswer::Nothing) => {
                format!("this board has a solution: {}", solution_in_names(solution))
            }
            (Answer::Count { count: None, .. }, ParsedAnswer::Number(_)) => {
                let message = "`count` is undecided: the search used up its budget";
                return self.say(Finding::new(Code::Undecided, query.asked(), message));
            }
            (Answer::Count { count: Some(n), distinct }, ParsedAnswer::Number(said)) if Some(*n) != *said => {
                if let Some(d) = distinct.filter(|_| *n > 1) {
                    notes.push(format!("{d} of them {} distinct", if d == 1 { "is" } else { "are" }));
                }
                match n {
                    0 => "there is no solution".to_string(),
                    1 => "there is 1 solution".to_string(),
                    _ => format!("there are {n} solutions"),
                }
            }
            (Answer::Move(None), ParsedAnswer::Truth(false)) => "this move is legal".to_string(),
            (Answer::Move(Some(reason)), ParsedAnswer::Truth(true)) => {
                format!("this move is illegal: {reason}")
            }
            (Answer::Mate { status, side, .. }, ParsedAnswer::Truth(mate))
                if (*status == Status::Checkmate) != *mate =>
            {
                notes.extend(self.reasons());
                state(*status, *side)
            }
            (Answer::Mate { status, side, .. }, ParsedAnswer::Status(said)) if status != said => {
                notes.extend(self.reasons());
                state(*status, *side)
            }
            (Answer::Capture { lines, .. }, ParsedAnswer::Nothing) if !lines.is_empty() => {
                let path: Vec<String> = lines[0].path.iter().map(|&s| square_name(s, false)).collect();
                format!("there is a capture: {}", path.join(":"))
            }
            (Answer::Capture { pieces, .. }, ParsedAnswer::Pieces(said)) => {
                return self.verdicts(span, answer, pieces, said);
            }
            _ => return,
        };
        let mut finding = Finding::new(Code::WrongAnswer, span, message);
        finding.notes = notes;
        self.offer(&mut finding, span, answer);
        self.say(finding);
    }

    fn offer(&self, finding: &mut Finding, span: Span, answer: &Answer) {
        // A remark that stands behind the answer stays, so none is put in.
        if let Some(text) = self.text(answer) {
            finding.fixes.push(Fix::new(format!("replace with `{text}`"), span, text, false));
        }
    }

    fn verdicts(
        &mut self,
        span: Span,
        answer: &Answer,
        pieces: &[(Square, Verdict)],
        said: &[(Square, Verdict, Span)],
    ) {
        let phrase = |v: Verdict| match v {
            Verdict::Directly => "is taken directly",
            Verdict::After => "is taken only after another",
            Verdict::No => "cannot be taken",
        };
        let mut wrong = Vec::new();
        let mut seen = [false; 64];
        for &(square, verdict, at) in said {
            let name = square_name(square, false);
            let twice = std::mem::replace(&mut seen[self.position.board.index(square)], true);
            let message = match pieces.iter().find(|p| p.0 == square) {
                None => format!("no piece of {} stands on {name}", self.position.turn.other().name()),
                Some(&(_, right)) if right != verdict => format!("the piece on {name} {}", phrase(right)),
                Some(_) if twice => format!("{name} is listed twice"),
                Some(_) => continue,
            };
            wrong.push(Finding::new(Code::WrongAnswer, at, message));
        }
        let missing = |p: &&(Square, Verdict)| p.1 != Verdict::No && !seen[self.position.board.index(p.0)];
        for &(square, verdict) in pieces.iter().filter(missing) {
            let message =
                format!("the piece on {} {}, and is not listed", square_name(square, false), phrase(verdict));
            wrong.push(Finding::new(Code::WrongAnswer, span, message));
        }
        for mut finding in wrong {
            self.offer(&mut finding, span, answer);
            self.say(finding);
        }
    }

    /// Whether a `unique` puzzle is. `at` is where it says so.
    pub fn unique(&mut self, at: Span) {
        // A file's `unique` stands elsewhere: then the puzzle's head is marked.
        let puzzle = self.bound.puzzle;
        let inside = puzzle.span().start <= at.start && at.end <= puzzle.span().end;
        let at = if inside { at } else { puzzle.head() };
        let written = self.written_solution();
        let first = match written {
            Some(first) => first,
            None => match self.solve() {
                Ok(Some(first)) => first,
                // The query itself says so.
                Ok(None) => return,
                Err(why_not) => return self.undecided_unique(at, why_not),
            },
        };
        let second = self.search(|game, position, work| game.second(position, &first, work));
        match self.noted(second) {
            Ok(None) => {}
            Ok(Some(second)) => {
                let place = puzzle.queries().find(|q| q.verb() == Some(Verb::Solve)).map(|q| q.asked());
                let place = place.or(puzzle.boards().next().map(|b| b.keyword().span())).unwrap_or(at);
                let text = format!("a second solution: {}", solution_in_names(&second));
                let finding = Finding::new(Code::NotUnique, at, format!("this puzzle is not unique; {text}"))
                    .note(format!("the first solution: {}", solution_in_names(&first)))
                    .related(place, text);
                self.say(finding);
            }
            Err(undecided) => self.undecided_unique(at, undecided),
        }
    }

    fn undecided_unique(&mut self, at: Span, undecided: Undecided) {
        let message = format!("whether the solution is unique is undecided: {}", why(undecided));
        self.say(Finding::new(Code::Undecided, at, message));
    }

    /// The solution that is written, if it is one.
    fn written_solution(&self) -> Option<Vec<Capture>> {
        let query =
            self.bound.puzzle.queries().find(|q| q.verb() == Some(Verb::Solve) && q.answer().is_some())?;
        match answer_syntax::read(query.answer()?, Verb::Solve, self.bound, &self.position.board).ok()? {
            ParsedAnswer::Steps(steps, None) => {
                let plain: Vec<Step> = steps.iter().map(|s| s.0).collect();
                self.game().follow(&self.position, &plain).ok()?;
                Some(plain.iter().map(|s| Capture { from: s.from, to: s.to }).collect())
            }
            _ => None,
        }
    }
}

fn state(status: Status, side: Colour) -> String {
    let side = side.name();
    match status {
        Status::Checkmate => format!("{side} is checkmated"),
        Status::Check => format!("{side} is in check, but not mated"),
        Status::Stalemate => format!("{side} is stalemated: not in check, and without a legal move"),
        Status::None => format!("{side} is neither in check nor stalemated"),
    }
}

#[cfg(test)]
mod tests {
    use crate::check_test::check;

    #[test]
    fn a_wrong_verdict_is_reported_at_the_answer() {
        check(
            r#"
chess { board 8/8/8/4k3/8/8/8/4K2R move Rg2 => legal }
//                                             ^^^^^ error[wrong-answer]
"#,
        );
    }

    #[test]
    fn an_unsolvable_board_is_reported_at_the_query() {
        check(
            r#"
solitaire { board R....N.......... solve }
//                                 ^^^^^ error[unsolvable]
"#,
        );
    }

    #[test]
    fn right_answers_are_clean() {
        check(
            r#"
solitaire { board ...N.....R....B. solve }
chess { board 8/8/8/4k3/8/8/8/4K2R move Rh8 => legal }
"#,
        );
    }
}
