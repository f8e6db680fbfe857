//! What the tree of a problem claims that has keys: tries, refutations, threats, zugzwang; and why a move fails.

use crate::analysis::verbs::solution_text::battle::{Battle, Step, Stop, wrong};
use crate::analysis::verbs::solution_text::moves::is_in_check;
use crate::analysis::verbs::solution_text::tree::Role;
use cpz_rules::games::{Goal, Position, Status, Undecided, after_pass, san, status_of};
use cpz_text::diagnostic::{Code, Finding, Fix};

/// The most moves that are offered instead of one that does not hold.
const MAX_OFFERED: usize = 3;

impl Battle<'_, '_> {
    /// Checks that a first move is refuted, and by one reply, if the text does not name more.
    pub(super) fn check_try(
        &mut self,
        index: usize,
        left: u8,
        step: &Step,
        solves: bool,
    ) -> Result<(), Stop> {
        let node = self.node(index);
        let name = self.numbered(0, self.start, step.mv);
        if solves {
            let mut finding =
                Finding::new(Code::WrongSolution, node.span(), format!("{name} is no try: it solves"));
            if let Some(bad) = node.bad {
                finding = finding.fix(Fix::if_board_is_right("replace with `!`", bad, "!"));
            }
            return Err(Stop::Wrong(Box::new(finding)));
        }
        let named = self.children[index].iter().filter(|&&child| self.is_refutation(child));
        let named: usize = named.map(|&child| self.node(child).moves.len()).sum();
        let refutations = self.prover.refutations(&step.after, left, named.max(1) + 1)?;
        if refutations.len() > named.max(1) {
            let all: Vec<String> = refutations.iter().map(|&mv| self.numbered(1, &step.after, mv)).collect();
            let message = format!("{name} is no try: {} refute it", all.join(" and "));
            return Err(wrong(node.span(), message));
        }
        Ok(())
    }

    /// The finding for a move of the attacker after which the goal is not forced.
    pub(super) fn does_not_hold(
        &mut self,
        index: usize,
        left: u8,
        befores: &[Position],
        step: &Step,
    ) -> Result<Stop, Undecided> {
        let node = self.node(index);
        let before = &befores[step.before];
        let why = self.failure(node.ply, left, &step.after)?;
        let name = self.numbered(node.ply, before, step.mv);
        let goal = self.stipulation.with_moves(left + 1).in_words();
        let verb = if self.stipulation.goal() == Goal::Mate { "mate" } else { "reach the goal" };
        let message = match (node.role, left) {
            (Role::Threat, _) => format!("{name} is no threat: {why}"),
            (_, 0) => {
                format!("{name} does not {}{verb}: {why}", if self.is_selfmate() { "force " } else { "" })
            }
            _ => format!("{name} does not force a {goal}: {why}"),
        };
        let place = step.read.map_or(node.span(), |(_, number)| node.moves[number].span);
        let mut finding = Finding::new(Code::WrongSolution, place, message);
        let continuations = self.prover.continuations(before, left + 1)?;
        if let Some(key) = continuations.first().filter(|_| node.role != Role::Threat) {
            let still = self.numbered(node.ply, before, key.mv);
            finding = finding.note(format!("before this move {goal} was still there: {still}"));
        }
        // If a move that holds is written beside it, this one does not stand for it: it may belong to another reply.
        let beside = self.written_beside(index, before);
        if continuations.iter().any(|key| beside.contains(&key.mv)) {
            return Ok(Stop::Wrong(Box::new(finding)));
        }
        for key in continuations.into_iter().take(MAX_OFFERED) {
            let text = san(before, key.mv);
            finding = finding.fix(Fix::if_board_is_right(format!("replace with `{text}`"), place, text));
        }
        Ok(Stop::Wrong(Box::new(finding)))
    }

    /// Why the goal is not forced after a move: `1...Kd5 and no mate`, `check, but Kh7`.
    fn failure(&mut self, ply: u32, left: u8, after: &Position) -> Result<String, Undecided> {
        let Some(&reply) = self.prover.refutations(after, left, 1)?.first() else {
            let side = after.turn.name();
            return Ok(match status_of(after) {
                Status::Checkmate => format!("{side} is mated"),
                _ => format!("{side} is stalemated"),
            });
        };
        let goal = |moves| self.stipulation.with_moves(moves).goal_or_length();
        let reply = match (left, self.is_selfmate()) {
            (0, false) => san(after, reply),
            _ => self.numbered(ply + 1, after, reply),
        };
        let is_mate = self.stipulation.goal() == Goal::Mate;
        Ok(match (left, self.is_selfmate() || !is_mate, is_in_check(after)) {
            (0, false, true) => format!("check, but {reply}"),
            (0, false, false) => format!("no check, and {reply} is possible"),
            (0, true, _) => format!("{reply} is possible"),
            _ => format!("{reply} and no {}", goal(left)),
        })
    }

    /// Checks `zugzwang` and `threat:`. The threats themselves are moves of the text. A threat that takes longer than
    /// what the move forces anyway is none.
    pub(super) fn check_threats(
        &mut self,
        index: usize,
        left: u8,
        steps: &[Step],
        needs: &[Option<u8>],
    ) -> Result<(), Stop> {
        let node = self.node(index);
        let has_threats = self.children[index].iter().any(|&child| self.node(child).role == Role::Threat);
        let asks = (node.zugzwang, node.threat.filter(|_| !has_threats));
        if left == 0 || matches!(asks, (None, None)) {
            return Ok(());
        }
        for (step, need) in steps.iter().zip(needs) {
            let left = if node.zugzwang.is_some() { need.unwrap_or(left) } else { left };
            let threat = match is_in_check(&step.after) {
                true => None,
                false => {
                    let passed = after_pass(&step.after);
                    let length = self.prover.attack(&passed, left)?;
                    let keys = self.prover.continuations(&passed, length.unwrap_or(0))?;
                    keys.first().map(|key| self.numbered(node.ply + 2, &passed, key.mv))
                }
            };
            match (asks, threat) {
                ((Some(span), _), Some(threat)) => {
                    return Err(wrong(span, format!("this is no zugzwang: it threatens {threat}")));
                }
                ((Some(span), _), None) if is_in_check(&step.after) => {
                    return Err(wrong(span, "this is no zugzwang, since the move gives check".into()));
                }
                ((_, Some(span)), None) => {
                    return Err(wrong(span, "this move threatens nothing".into()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks a move of the defender; whether what follows it is checked.
    pub(super) fn check_defence(
        &mut self,
        index: usize,
        left: u8,
        befores: &[Position],
        steps: &[Step],
    ) -> Result<bool, Stop> {
        let node = self.node(index);
        // Of `~` only the replies that are allowed are meant.
        for step in steps.iter().filter(|step| step.read.is_some()) {
            let before = &befores[step.before];
            let forced = self.prover.forced_reply(before)?;
            if let Some(forced) = forced.filter(|_| !self.prover.is_goal_of_reply(before, step.mv)) {
                let (name, side) = (self.numbered(node.ply, before, step.mv), before.turn.name());
                let goal = if self.stipulation.goal() == Goal::Mate { "give mate" } else { "reach the goal" };
                let forced = self.numbered(node.ply, before, forced);
                let message = format!("{name} is not allowed: {side} can {goal}, so it must: {forced}");
                return Err(wrong(node.span(), message));
            }
        }
        if !self.is_refutation(index) {
            return Ok(true);
        }
        for step in steps {
            let name = self.numbered(node.ply, &befores[step.before], step.mv);
            if self.prover.is_goal_of_reply(&befores[step.before], step.mv) {
                let what = if self.stipulation.goal() == Goal::Mate { "mates" } else { "reaches the goal" };
                return Err(wrong(node.span(), format!("{name} does not refute, since it {what}")));
            }
            if let Some(length) = self.prover.attack(&step.after, left)? {
                let answers = self.prover.continuations(&step.after, length)?;
                let answer = answers.first().map(|key| self.numbered(node.ply + 1, &step.after, key.mv));
                let message = format!("{name} does not refute: {}", answer.unwrap_or_default());
                return Err(wrong(node.span(), message));
            }
        }
        Ok(true)
    }
}
