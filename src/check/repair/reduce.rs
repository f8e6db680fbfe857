//! Smaller puzzles: pieces that are not needed, and shorter puzzles that are as sound as before.

use crate::repair::change::Change;
use crate::repair::checker::{Checker, with_checker};
use crate::repair::goals::{Aim, Goals};
use crate::repair::search::{Limits, Repair, Repairs};
use cpz_rules::board::{Board, Kind};
use cpz_rules::games::{Answer, Budget, Capture, NamedSetPlay, Position, Step, Undecided};

/// The smaller puzzles that [`Aim::Shorter`] or [`Aim::Minimal`] asks for: each board has one piece less, and is sound in
/// the same way. A puzzle of captures with one solution keeps one, whether it is said to be unique or not.
///
/// For [`Aim::Shorter`] any piece may go, and a puzzle of captures may begin after its first capture. For
/// [`Aim::Minimal`] the solution stays: the same keys or helpmates, or the same captures without one of them.
///
/// A puzzle that is not sound has none.
///
/// # Errors
/// [`Undecided::Cancelled`] if the search was cancelled. If the budget runs out, those found before, not complete.
pub fn reductions(
    goals: &Goals<'_, '_>,
    aim: Aim,
    limits: Limits,
    budget: &Budget<'_>,
    accept: &mut dyn FnMut(&Repair) -> bool,
) -> Result<Repairs, Undecided> {
    let position = goals.position();
    let run = |checker: Checker<'_>| {
        let result = Repairs { complete: true, changes: 1, ..Repairs::default() };
        let mut search = Reduction { checker, limits, aim, accept, result };
        match search.run(&position.board) {
            Err(Undecided::Budget) => search.result.complete = false,
            Err(Undecided::Cancelled) => return Err(Undecided::Cancelled),
            Ok(()) => {}
        }
        Ok(search.result)
    };
    with_checker(goals, budget, run)
}

struct Reduction<'c, 'a> {
    checker: Checker<'c>,
    limits: Limits,
    aim: Aim,
    accept: &'a mut dyn FnMut(&Repair) -> bool,
    result: Repairs,
}

impl Reduction<'_, '_> {
    fn run(&mut self, board: &Board) -> Result<(), Undecided> {
        self.result.tested += 1;
        let Some(old) = self.checker.check(board, u64::MAX)? else {
            self.result.is_sound = Some(false);
            return Ok(());
        };
        self.result.is_sound = Some(true);
        if !self.checker.unique {
            self.checker.unique = true;
            self.checker.unique = self.checker.check(board, u64::MAX)?.is_some();
        }
        let coloured = self.checker.goals.bound.game.format().coloured;
        for (at, piece) in board.pieces().filter(|(_, p)| !(coloured && p.kind == Kind::King)) {
            self.test(board, &old, vec![Change::Remove { at, piece }])?;
        }
        if self.aim == Aim::Shorter
            && let Some(Answer::Solve(Some(captures))) = old.first()
            && let Some(changes) = captures.first().and_then(|first| made(board, *first))
        {
            self.test(board, &old, changes)?;
        }
        Ok(())
    }

    fn test(&mut self, board: &Board, old: &[Answer], changes: Vec<Change>) -> Result<(), Undecided> {
        let mut new = board.clone();
        changes.iter().for_each(|change| change.apply(&mut new));
        if new.count() < 2 {
            // One piece alone is solved already: no puzzle is left.
            return Ok(());
        }
        self.result.tested += 1;
        let answers = match self.checker.check(&new, self.limits.nodes_a_board) {
            Ok(Some(answers)) => answers,
            Ok(None) => return Ok(()),
            Err(Undecided::Budget) if self.checker.budget.left() > 0 => {
                self.result.complete = false;
                return Ok(());
            }
            Err(undecided) => return Err(undecided),
        };
        let kept = || old.iter().zip(&answers).map(|(old, answer)| self.kept(&new, old, answer)).collect();
        let answers: Option<Vec<Answer>> = if self.aim == Aim::Shorter { Some(answers) } else { kept() };
        if let Some(answers) = answers {
            let repair = Repair { changes, board: new, answers };
            if (self.accept)(&repair) {
                self.result.found.push(repair);
            }
        }
        Ok(())
    }

    /// What is left of the old answer on a board with one piece less: the same keys or helpmates, or the captures of the
    /// old solution without one of them. `None` if the board has another answer.
    fn kept(&self, board: &Board, old: &Answer, answer: &Answer) -> Option<Answer> {
        let (Answer::Solve(Some(old)), Answer::Solve(Some(new))) = (old, answer) else {
            return is_same_play(old, answer).then(|| answer.clone());
        };
        let goals = self.checker.goals;
        let position = Position { board: board.clone(), ..goals.position.clone() };
        let step = |c: &Capture| Step { from: c.from, to: c.to, taken: None };
        let without = |left_out: usize| {
            let rest = old.iter().enumerate().filter(|(i, _)| *i != left_out);
            rest.map(|(_, capture)| *capture).collect::<Vec<Capture>>()
        };
        let solves = |captures: &Vec<Capture>| {
            let steps: Vec<Step> = captures.iter().map(step).collect();
            goals.bound.game.follow(&position, &steps).is_ok()
        };
        let kept = (0..old.len()).map(without).find(solves);
        // The same captures in another order are the same solution.
        let reordered = || new.iter().all(|capture| old.contains(capture)).then(|| new.clone());
        kept.or_else(reordered).map(|captures| Answer::Solve(Some(captures)))
    }
}

/// Whether two chess problems have the same keys or helpmates. Names may differ: fewer pieces need fewer signs.
fn is_same_play(old: &Answer, new: &Answer) -> bool {
    match (old, new) {
        (Answer::Keys { keys: old, .. }, Answer::Keys { keys: new, .. }) => {
            old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.mv.uci == b.mv.uci)
        }
        (Answer::Sequences { solutions: old, .. }, Answer::Sequences { solutions: new, .. }) => {
            let moves = |all: &[Vec<_>]| {
                let uci =
                    |line: &Vec<cpz_rules::games::NamedMove>| line.iter().map(|m| m.uci.clone()).collect();
                let mut lines: Vec<Vec<String>> = all.iter().map(uci).collect();
                lines.sort();
                lines
            };
            moves(old) == moves(new)
        }
        (Answer::SetPlay { variations: old, .. }, Answer::SetPlay { variations: new, .. }) => {
            let moves = |all: &[NamedSetPlay]| {
                let answers = |set: &NamedSetPlay| set.answers.iter().map(|key| key.mv.uci.clone()).collect();
                let line = |set: &NamedSetPlay| (set.mv.uci.clone(), answers(set));
                let mut lines: Vec<(String, Vec<String>)> = all.iter().map(line).collect();
                lines.sort();
                lines
            };
            moves(old) == moves(new)
        }
        _ => false,
    }
}

/// A capture as changes of the board: the captured piece goes, and the other one comes to its square.
fn made(board: &Board, capture: Capture) -> Option<Vec<Change>> {
    let (taken, piece) = (board.at(capture.to)?, board.at(capture.from)?);
    Some(vec![
        Change::Remove { at: capture.to, piece: taken },
        Change::Move { from: capture.from, to: capture.to, piece },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Defaults, bind_one};
    use cpz_text::syntax::parse;
    use std::collections::BTreeSet;

    /// A search that ends early has tested the boards up to the one with which its budget ended, and no other.
    #[test]
    fn no_board_is_tested_behind_the_end_of_the_budget() {
        let tree = parse("chess { board 6k1/5ppp/8/8/8/8/R7/R5K1 w mate in 1 }");
        let bound = bind_one(tree.puzzles().next().expect("a puzzle"), Defaults::default()).expect("chess");
        let goals = Goals::new(&bound, Aim::Shorter).expect("a problem");
        let limits = Limits { nodes_a_board: u64::MAX, pairs: false, max_pairs: 0 };
        let reduced = |nodes| {
            let budget = Budget::new(nodes, None);
            let found =
                reductions(&goals, Aim::Shorter, limits, &budget, &mut |_| true).expect("not cancelled");
            (found, nodes - budget.left())
        };
        let (all, needed) = reduced(1 << 20);
        assert_eq!((all.complete, all.tested, all.found.len()), (true, 6, 2));
        let mut tested = BTreeSet::new();
        for nodes in (0..needed).step_by(5) {
            let (part, _) = reduced(nodes);
            assert!(!part.complete && all.found.starts_with(&part.found), "{nodes}");
            tested.insert(part.tested);
        }
        assert!(tested.into_iter().eq(1..=all.tested));
    }
}
