//! Variations that a tree leaves out.

use crate::analysis::verbs::solution_text::battle::{Battle, MOVE_COST};
use crate::analysis::verbs::solution_text::moves::legal_move;
use crate::analysis::verbs::solution_text::tree::Role;
use cpz_rules::games::{ChessMove, Position, Undecided, after_move, after_pass, legal_moves};
use cpz_text::diagnostic::{Code, Finding};

/// The most variations that a message names.
const MAX_NAMED: usize = 5;

impl Battle<'_, '_> {
    /// Reports defences of full length that are not written, and written ones without an answer. A solution that names
    /// only its key leaves out nothing, nor does one leave out a defence that stops none of the written threats, or
    /// that has the same answer as a written one.
    pub(super) fn report_missing_variations(&mut self) -> Result<(), Undecided> {
        for index in 0..self.checked.len() {
            let (node, checked) = (self.node(index), &self.checked[index]);
            let Some(position) = checked.positions.first().cloned() else { continue };
            let Some(left) = self.moves_left(node.ply).filter(|&left| left > 0) else { continue };
            if checked.in_try || checked.after_pass {
                continue;
            }
            match node.ply % 2 {
                0 => self.report_left_out(index, left, &position)?,
                _ => self.report_unanswered(index, left, &position)?,
            }
        }
        Ok(())
    }

    /// Reports a written defence of full length without an answer.
    fn report_unanswered(&mut self, index: usize, left: u8, position: &Position) -> Result<(), Undecided> {
        let node = self.node(index);
        let is_any = node.moves.iter().any(|m| m.is_any);
        if !self.children[index].is_empty() || is_any || self.prover.attack(position, left)? != Some(left) {
            return Ok(());
        }
        let threats = node.parent.map_or(Ok(Vec::new()), |parent| self.written_threats(parent))?;
        if !self.stops(position, left, &threats)? {
            return Ok(());
        }
        let message = format!("the answer to `{}` is not written", node.moves[0].text);
        self.result.findings.push(Finding::new(Code::MissingVariation, node.span(), message));
        Ok(())
    }

    /// Reports the defences of full length that are not written behind a move of the attacker.
    fn report_left_out(&mut self, index: usize, left: u8, position: &Position) -> Result<(), Undecided> {
        let node = self.node(index);
        let replies: Vec<usize> = self.children[index]
            .iter()
            .copied()
            .filter(|&child| self.node(child).role == Role::Move)
            .collect();
        let is_only_key = node.parent.is_none() && replies.is_empty();
        let moves = || replies.iter().flat_map(|&reply| &self.written.nodes[reply].moves);
        if is_only_key || moves().any(|m| m.is_any) {
            return Ok(());
        }
        let mut left_out = Vec::new();
        for reply in self.left_out(index, left, position, &replies)? {
            left_out.push(self.numbered(node.ply + 1, position, reply));
        }
        let more = left_out.len().saturating_sub(MAX_NAMED);
        left_out.truncate(MAX_NAMED);
        let (verb, which) = if left_out.len() == 1 { ("is", "it lasts") } else { ("are", "they last") };
        let names = match more {
            0 => left_out.join(", "),
            more => format!("{} and {more} more", left_out.join(", ")),
        };
        if !left_out.is_empty() {
            let message = format!("{names} {verb} left out, though {which} to the last move");
            self.result.findings.push(Finding::new(Code::MissingVariation, node.span(), message));
        }
        Ok(())
    }

    /// The defences that last `length` moves, after a move of the attacker that leads to `position`, and that none of the
    /// written `replies` stands for.
    pub(super) fn left_out(
        &mut self,
        index: usize,
        length: u8,
        position: &Position,
        replies: &[usize],
    ) -> Result<Vec<ChessMove>, Undecided> {
        let language = self.written.language;
        let moves = replies.iter().flat_map(|&reply| &self.written.nodes[reply].moves);
        let written: Vec<ChessMove> =
            moves.filter_map(|m| Some(legal_move(position, m, language).ok()?.mv)).collect();
        let threats = self.written_threats(index)?;
        let answers = self.written_answers(position, replies)?;
        let mut left_out = Vec::new();
        for reply in self.prover.replies(position)?.into_iter().filter(|mv| !written.contains(mv)) {
            let after = after_move(position, reply);
            if self.prover.attack(&after, length)? == Some(length)
                && self.stops(&after, length, &threats)?
                && self.stops(&after, length, &answers)?
            {
                left_out.push(reply);
            }
        }
        Ok(left_out)
    }

    /// The answers that are written behind some defences. One of them stands for all defences that it answers.
    fn written_answers(&self, position: &Position, replies: &[usize]) -> Result<Vec<ChessMove>, Undecided> {
        let language = self.written.language;
        let mut answers = Vec::new();
        for &reply in replies {
            self.budget.spend(MOVE_COST * (1 + self.children[reply].len() as u64))?;
            let Some(first) = self.node(reply).moves.first() else { continue };
            let Ok(first) = legal_move(position, first, language) else { continue };
            let after = after_move(position, first.mv);
            let moves = self.children[reply].iter().flat_map(|&child| &self.written.nodes[child].moves);
            let moves = moves.filter_map(|m| Some(legal_move(&after, m, language).ok()?.mv));
            answers.extend(moves);
        }
        answers.sort_unstable();
        answers.dedup();
        Ok(answers)
    }

    /// The threats that are written behind a move of the attacker.
    fn written_threats(&self, index: usize) -> Result<Vec<ChessMove>, Undecided> {
        self.budget.spend(MOVE_COST * self.children[index].len() as u64)?;
        let Some(position) = self.checked[index].positions.first() else { return Ok(Vec::new()) };
        let passed = after_pass(position);
        let threats = self.children[index].iter().filter(|&&child| self.node(child).role == Role::Threat);
        let moves = threats.flat_map(|&child| &self.written.nodes[child].moves);
        Ok(moves.filter_map(|m| Some(legal_move(&passed, m, self.written.language).ok()?.mv)).collect())
    }

    /// Whether none of some threats, or answers to other defences, can be carried out in a position.
    fn stops(&mut self, position: &Position, left: u8, threats: &[ChessMove]) -> Result<bool, Undecided> {
        let possible = if threats.is_empty() { Vec::new() } else { legal_moves(position) };
        for &threat in threats.iter().filter(|threat| possible.contains(threat)) {
            if self.prover.after_attack(position, threat, left - 1)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
