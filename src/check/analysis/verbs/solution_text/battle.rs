//! Checks the tree of a problem that has keys, in the order of the text, up to the first mistake.

use crate::analysis::verbs::move_claims::wrong_mark;
use crate::analysis::verbs::solution_text::checked::{CheckedSolution, NamedKey, SolutionMove};
use crate::analysis::verbs::solution_text::moves::{
    ReadMove, is_in_check, legal_move, moves_of_any, of_another_position, without_capture,
};
use crate::analysis::verbs::solution_text::tree::{Role, SolutionNode, WrittenMove, WrittenSolution};
use cpz_rules::games::{
    Budget, ChessMove, Goal, Mark, Position, Prover, Status, Stipulation, Undecided, after_move, after_pass,
    legal_moves, san, status_of,
};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};

/// The most positions that one written move may stand in, where moves with the same continuation follow each other.
const MAX_POSITIONS: usize = 256;

/// The nodes that finding the legal move of a written one counts for.
pub(super) const MOVE_COST: u64 = 16;

/// Why the check ends.
pub(super) enum Stop {
    Wrong(Box<Finding>),
    Undecided(Undecided),
}

impl From<Undecided> for Stop {
    fn from(undecided: Undecided) -> Stop {
        Stop::Undecided(undecided)
    }
}

pub(super) fn wrong(span: Span, message: String) -> Stop {
    Stop::Wrong(Box::new(Finding::new(Code::WrongSolution, span, message)))
}

/// What is known of a node.
#[derive(Default)]
pub(super) struct Checked {
    /// The positions after its moves; none where it is not checked.
    pub positions: Vec<Position>,
    /// Whether it is a try itself.
    pub is_try: bool,
    /// Whether it is part of a try.
    pub in_try: bool,
    /// Whether it is part of a threat or of set play.
    pub after_pass: bool,
    /// Its index among the moves of the result.
    entry: Option<usize>,
}

/// A move in one of the positions that it is written for.
pub(super) struct Step {
    /// The index of the position.
    pub before: usize,
    pub mv: ChessMove,
    /// How it is written, and the index among the moves of its node; none for `~`.
    pub read: Option<(ReadMove, usize)>,
    pub after: Position,
}

/// The check of a problem that has keys.
pub(super) struct Battle<'c, 'b> {
    pub written: &'c WrittenSolution<'c>,
    pub children: Vec<Vec<usize>>,
    pub start: &'c Position,
    pub stipulation: Stipulation,
    pub prover: Prover<'b>,
    pub budget: &'b Budget<'b>,
    pub checked: Vec<Checked>,
    /// What is wrong with marks, by node.
    marks: Vec<(usize, Finding)>,
    pub result: CheckedSolution,
}

impl<'c, 'b> Battle<'c, 'b> {
    pub fn new(
        written: &'c WrittenSolution<'c>,
        start: &'c Position,
        stipulation: Stipulation,
        budget: &'b Budget<'b>,
    ) -> Battle<'c, 'b> {
        Battle {
            written,
            children: written.children(),
            start,
            stipulation,
            prover: Prover::new(stipulation, start.turn, budget),
            budget,
            checked: Vec::new(),
            marks: Vec::new(),
            result: CheckedSolution::default(),
        }
    }

    /// Checks all moves before a place of the text.
    pub fn check_up_to(&mut self, end: u32) -> Result<(), Stop> {
        for index in 0..self.written.nodes.len() {
            self.checked.push(Checked::default());
            if self.node(index).span().start >= end {
                break;
            }
            let checked = self.check(index);
            self.without_marks_before(index, checked)?;
        }
        Ok(())
    }

    /// Makes all moves of the text, and looks at their marks, without proving anything.
    pub fn replay(&mut self) -> Result<(), Stop> {
        for index in 0..self.written.nodes.len() {
            self.checked.push(Checked::default());
            self.inherit(index);
            let Some(befores) = self.befores(index)? else { continue };
            let steps = self.steps(index, &befores);
            let steps = self.without_marks_before(index, steps)?.unwrap_or_default();
            self.report_mark(index, &befores, &steps);
            self.checked[index].positions = steps.into_iter().map(|step| step.after).collect();
        }
        Ok(())
    }

    /// One slip is one finding: where a move is wrong, so may be the one before it with a wrong mark.
    fn without_marks_before<T>(&mut self, index: usize, checked: Result<T, Stop>) -> Result<T, Stop> {
        if let Err(Stop::Wrong(_)) = checked {
            let written = self.written;
            self.marks.retain(|(node, _)| !written.leads_to(*node, index));
        }
        checked
    }

    /// The result, with what is wrong with marks.
    pub fn into_result(mut self) -> CheckedSolution {
        self.result.findings.extend(self.marks.into_iter().map(|(_, finding)| finding));
        self.result
    }

    pub fn node(&self, index: usize) -> &'c SolutionNode<'c> {
        &self.written.nodes[index]
    }

    /// The moves that the attacker has left behind a half move.
    pub fn moves_left(&self, ply: u32) -> Option<u8> {
        let made = u8::try_from(ply / 2 + 1).ok()?;
        self.stipulation.moves().checked_sub(made)
    }

    /// Whether the defender reaches the goal, as in a selfmate.
    pub fn is_selfmate(&self) -> bool {
        self.stipulation.play().is_against_itself()
    }

    fn check(&mut self, index: usize) -> Result<(), Stop> {
        let node = self.node(index);
        self.inherit(index);
        let is_claimed = !self.is_below_bare_try(index);
        let left = self.moves_left(node.ply).filter(|_| is_claimed);
        if is_claimed && left.is_none() {
            let message = format!("this is move {} of a {}", node.ply / 2 + 1, self.asked());
            return Err(wrong(node.span(), message));
        }
        // The refutation of a try may stand behind the last move of a line.
        let refutes = self.is_refutation(index);
        if node.ply % 2 == 1 && left == Some(0) && !self.is_selfmate() && !refutes {
            let message = format!("this line is longer than a {}", self.asked());
            return Err(wrong(node.span(), message));
        }
        let Some(befores) = self.befores(index)? else { return Ok(()) };
        let Some(mut steps) = self.steps(index, &befores)? else { return Ok(()) };
        let holds = match (left, node.ply % 2) {
            (None, _) => true,
            (Some(left), 0) => self.check_attack(index, left, &befores, &mut steps)?,
            (Some(left), _) => self.check_defence(index, left, &befores, &steps)?,
        };
        self.record(index, &steps);
        if holds {
            self.report_mark(index, &befores, &steps);
            self.checked[index].positions = steps.into_iter().map(|step| step.after).collect();
        }
        Ok(())
    }

    /// `mate in 2`
    pub fn asked(&self) -> String {
        self.stipulation.in_words()
    }

    /// A move with its number: `2.Qb6#`, `2...Kd5`.
    pub fn numbered(&self, ply: u32, before: &Position, mv: ChessMove) -> String {
        self.written.numbers.text(i64::from(ply)) + &san(before, mv)
    }

    fn inherit(&mut self, index: usize) {
        let node = self.node(index);
        let parent = node.parent.map(|parent| &self.checked[parent]);
        let in_try = parent.is_some_and(|p| p.in_try);
        let after_pass =
            parent.is_some_and(|p| p.after_pass) || matches!(node.role, Role::Threat | Role::SetPlay);
        let is_try = node.ply.is_multiple_of(2) && self.written.claims_try(&self.children, index, in_try);
        let checked = &mut self.checked[index];
        (checked.is_try, checked.in_try, checked.after_pass) = (is_try, is_try || in_try, after_pass);
    }

    /// Whether a reply is given as the refutation of the move before it.
    pub fn is_refutation(&self, index: usize) -> bool {
        let node = self.node(index);
        let of_try = node.parent.is_some_and(|parent| self.checked[parent].is_try);
        node.role == Role::Refutation || of_try && node.good.is_some() && self.children[index].is_empty()
    }

    /// Whether a move is in the one line behind a try, without a mark that says what refutes: games are written so. Such a line
    /// claims no mate.
    fn is_below_bare_try(&self, index: usize) -> bool {
        let above = |index: &usize| self.node(*index).parent;
        let mut line = std::iter::successors(Some(index), above);
        let Some(first) = line.find(|&at| above(&at).is_some_and(|parent| self.checked[parent].is_try))
        else {
            return false;
        };
        let below = std::iter::successors(Some(first), |&at| self.children[at].first().copied());
        below.into_iter().all(|at| {
            let node = self.node(at);
            self.children[at].len() < 2 && node.role == Role::Move && node.good.is_none()
        })
    }

    // ---- moves

    /// The positions in which a move is made; nothing where the move before it is not checked.
    fn befores(&self, index: usize) -> Result<Option<Vec<Position>>, Stop> {
        let node = self.node(index);
        let before = match node.parent {
            None => std::slice::from_ref(self.start),
            Some(parent) => self.checked[parent].positions.as_slice(),
        };
        if before.is_empty() {
            return Ok(None);
        }
        if matches!(node.role, Role::Move | Role::Refutation) {
            return Ok(Some(before.to_vec()));
        }
        if before.iter().any(is_in_check) {
            let message = match node.role {
                Role::SetPlay => "there is no set play, since the side to move is in check",
                _ => "the move before this gives check, so it threatens nothing",
            };
            return Err(wrong(node.span(), message.into()));
        }
        Ok(Some(before.iter().map(after_pass).collect()))
    }

    /// The moves of a node in each of the positions; nothing where one of them means several moves, which is reported.
    fn steps(&mut self, index: usize, befores: &[Position]) -> Result<Option<Vec<Step>>, Stop> {
        let node = self.node(index);
        // Any answer to `~` has to be possible after one of its moves only.
        let after_any = self.is_any(node.parent);
        // `~` is compared with all moves beside it.
        let cost = MOVE_COST * if self.is_any(Some(index)) { self.written.nodes.len() as u64 } else { 1 };
        let mut steps = Vec::new();
        for (number, written) in node.moves.iter().enumerate() {
            let (mut first_error, found) = (None, steps.len());
            for (at, before) in befores.iter().enumerate() {
                self.budget.spend(cost)?;
                match self.moves_in(index, written, before) {
                    Ok(moves) => steps.extend(moves.into_iter().map(|(mv, read)| Step {
                        before: at,
                        mv,
                        read: read.map(|read| (read, number)),
                        after: after_move(before, mv),
                    })),
                    Err(finding) if finding.code == Code::AmbiguousMove => {
                        self.result.findings.push(finding);
                        return Ok(None);
                    }
                    Err(finding) => first_error = first_error.or(Some((at, finding))),
                }
            }
            if let Some((at, finding)) = first_error.filter(|_| !after_any || steps.len() == found) {
                return Err(self.illegal(index, befores, at, finding));
            }
        }
        match steps.len() > MAX_POSITIONS {
            true => Err(Stop::Undecided(Undecided::Budget)),
            false => Ok(Some(steps)),
        }
    }

    fn is_any(&self, index: Option<usize>) -> bool {
        index.is_some_and(|index| self.node(index).moves.iter().any(|m| m.is_any))
    }

    fn moves_in(
        &self,
        index: usize,
        written: &WrittenMove<'_>,
        before: &Position,
    ) -> Result<Vec<(ChessMove, Option<ReadMove>)>, Finding> {
        let language = self.written.language;
        let node = self.node(index);
        if !written.is_any {
            // `1...Rxc6/Rb7 2.Qxc6#`: what captures after one of several moves may not after another.
            let after_group = node.parent.is_some_and(|parent| self.node(parent).moves.len() > 1);
            let read = legal_move(before, written, language).or_else(|wrong| {
                if after_group { without_capture(before, written, language).ok_or(wrong) } else { Err(wrong) }
            })?;
            return Ok(vec![(read.mv, Some(read))]);
        }
        let beside = self.written_beside(index, before);
        let moves = moves_of_any(before, written, language, &beside)?;
        Ok(moves.into_iter().map(|mv| (mv, None)).collect())
    }

    /// The legal moves that are written as the continuations of one position, this move among them, without `~`.
    pub(super) fn written_beside(&self, index: usize, before: &Position) -> Vec<ChessMove> {
        let node = self.node(index);
        (self.written.nodes.iter())
            .filter(|other| (other.parent, other.ply) == (node.parent, node.ply))
            .flat_map(|other| &other.moves)
            .filter(|other| !other.is_any)
            .filter_map(|other| Some(legal_move(before, other, self.written.language).ok()?.mv))
            .collect()
    }

    /// The finding for a move that is illegal in one of its positions.
    fn illegal(&self, index: usize, befores: &[Position], at: usize, mut finding: Finding) -> Stop {
        let node = self.node(index);
        let is_pass = matches!(node.role, Role::Threat | Role::SetPlay);
        if !is_pass && legal_moves(&befores[at]).is_empty() {
            let over = match status_of(&befores[at]) {
                Status::Checkmate => "mate",
                _ => "stalemate",
            };
            return wrong(node.span(), format!("nothing can follow, since the move before this is {over}"));
        }
        if finding.code == Code::WrongSolution && node.parent.is_none() && self.is_foreign() {
            finding.message = of_another_position(&finding.message);
            finding.fixes.clear();
        } else if befores.len() > 1 && self.written.nodes[node.parent.unwrap_or(index)].moves.len() > 1 {
            finding.message += &format!(" (after the {} of the moves before it)", ordinal(at));
        }
        Stop::Wrong(Box::new(finding))
    }

    /// Whether no first move of the text, of several moves, is legal.
    fn is_foreign(&self) -> bool {
        let language = self.written.language;
        let mut first =
            self.written.nodes.iter().filter(|node| node.role == Role::Move && node.parent.is_none());
        let is_legal =
            |node: &SolutionNode<'_>| node.moves.iter().any(|m| legal_move(self.start, m, language).is_ok());
        self.written.nodes.len() > 2 && self.written.findings.is_empty() && !first.any(is_legal)
    }

    /// Adds the moves to the result. A move that follows several is shown after the first of them.
    fn record(&mut self, index: usize, steps: &[Step]) {
        let node = self.node(index);
        let parent = node.parent.and_then(|parent| self.checked[parent].entry);
        for step in steps.iter().filter(|step| step.before == 0) {
            let Some((_, number)) = step.read else { continue };
            self.checked[index].entry.get_or_insert(self.result.moves.len());
            let after_pass = matches!(node.role, Role::Threat | Role::SetPlay);
            let span = node.moves[number].span;
            self.result.moves.push(SolutionMove { mv: step.mv, span, parent, after_pass });
        }
    }

    /// Whether a move mates the wrong side and is marked as a check: Popeye prints `#` for the goal alone.
    fn is_other_mate(&self, ply: u32, step: &Step, read: &ReadMove) -> bool {
        let has_goal = self.stipulation.goal() == Goal::Mate && ply.is_multiple_of(2) != self.is_selfmate();
        !has_goal
            && read.text.request.mark == Some(Mark::Check)
            && status_of(&step.after) == Status::Checkmate
    }

    fn report_mark(&mut self, index: usize, befores: &[Position], steps: &[Step]) {
        let node = self.node(index);
        for (number, written) in node.moves.iter().enumerate() {
            let of_move = steps.iter().filter_map(|step| {
                let (read, n) = step.read.filter(|(_, n)| *n == number)?;
                debug_assert_eq!(n, number);
                wrong_mark(&befores[step.before], step.mv, &read.text, (written.text, written.span))
                    .filter(|_| !self.is_other_mate(node.ply, step, &read))
            });
            let finding = of_move.into_iter().next();
            self.marks.extend(finding.map(|finding| (index, finding)));
        }
    }

    // ---- the attacker

    /// Checks a move of the attacker; whether what follows it is checked.
    fn check_attack(
        &mut self,
        index: usize,
        left: u8,
        befores: &[Position],
        steps: &mut Vec<Step>,
    ) -> Result<bool, Stop> {
        let node = self.node(index);
        let mut needs = Vec::new();
        for step in steps.iter() {
            needs.push(self.prover.after_attack(&befores[step.before], step.mv, left)?);
        }
        if node.parent.is_none() {
            return self.check_first(index, left, steps, &needs);
        }
        if self.checked[index].is_try {
            if let Some(at) = needs.iter().position(Option::is_some) {
                let name = self.numbered(node.ply, &befores[steps[at].before], steps[at].mv);
                return Err(wrong(node.span(), format!("{name} is no try, since it reaches the goal too")));
            }
            return Ok(true);
        }
        if self.is_any(node.parent) {
            self.check_answers_to_any(index, left, befores.len())?;
        }
        // Of `~`, and after it, only some moves have to hold.
        if self.is_any(node.parent) || self.is_any(Some(index)) {
            if !needs.iter().any(Option::is_some) {
                return Err(self.does_not_hold(index, left, befores, &steps[0])?);
            }
            let mut kept = needs.iter();
            steps.retain(|_| kept.next().is_some_and(Option::is_some));
            needs.retain(Option::is_some);
        } else if let Some(at) = needs.iter().position(Option::is_none) {
            return Err(self.does_not_hold(index, left, befores, &steps[at])?);
        }
        self.check_threats(index, left, steps, &needs)?;
        Ok(true)
    }

    /// Checks that each move of `~` has one of the answers that follow it, when the first of them is read.
    fn check_answers_to_any(&mut self, index: usize, left: u8, positions: usize) -> Result<(), Stop> {
        let Some(parent) = self.node(index).parent else { return Ok(()) };
        if self.children[parent].first() != Some(&index) {
            return Ok(());
        }
        for at in 0..positions {
            let before = self.checked[parent].positions[at].clone();
            self.budget.spend(MOVE_COST * self.children[parent].len() as u64)?;
            let answers = self.children[parent].iter().flat_map(|&child| &self.written.nodes[child].moves);
            let answers: Vec<ChessMove> = answers
                .flat_map(|answer| self.moves_in(index, answer, &before).unwrap_or_default())
                .map(|(mv, _)| mv)
                .collect();
            let mut holds = false;
            for mv in answers {
                holds |= self.prover.after_attack(&before, mv, left)?.is_some();
            }
            if !holds {
                let any = &self.node(parent).moves[0];
                let message =
                    format!("`{}` has another answer too: this does not hold after each move", any.text);
                return Err(wrong(self.node(index).span(), message));
            }
        }
        Ok(())
    }

    /// Checks a first move: a key or a try. Keys that do not solve are left to the caller.
    fn check_first(
        &mut self,
        index: usize,
        left: u8,
        steps: &[Step],
        needs: &[Option<u8>],
    ) -> Result<bool, Stop> {
        let node = self.node(index);
        for (step, need) in steps.iter().zip(needs) {
            let refutation = match need {
                Some(_) => None,
                None => self.prover.refutations(&step.after, left, 1)?.first().copied(),
            };
            let span = step.read.map_or(node.span(), |(_, number)| node.moves[number].span);
            let named = NamedKey { mv: step.mv, span, mates: need.map(|n| n + 1), refutation };
            match self.checked[index].is_try {
                true => self.result.tries.push(named),
                false => self.result.keys.push(named),
            }
        }
        if self.checked[index].is_try {
            for (step, need) in steps.iter().zip(needs) {
                self.check_try(index, left, step, need.is_some())?;
            }
        } else if needs.iter().any(Option::is_none) {
            return Ok(false);
        }
        self.check_threats(index, left, steps, needs)?;
        Ok(true)
    }
}

/// `first`, `second`, … of a 0-based index.
fn ordinal(index: usize) -> &'static str {
    ["first", "second", "third", "fourth"].get(index).unwrap_or(&"last")
}
