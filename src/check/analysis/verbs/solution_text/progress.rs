//! Where the next move of a written tree is due: behind the move that is not answered, or with the next defence.

use crate::analysis::verbs::solution_text::battle::{Battle, Stop};
use crate::analysis::verbs::solution_text::moves::legal_move;
use crate::analysis::verbs::solution_text::reader::read_solution;
use crate::analysis::verbs::solution_text::tree::{Role, WrittenSolution};
use crate::analysis::verbs::written_words::WrittenWord;
use cpz_rules::games::{Budget, ChessMove, Position, Stipulation, Undecided, legal_moves};
use cpz_text::diagnostic::{Code, Finding, Span};

/// What is due next in a written tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// A first move.
    Key,
    /// A reply to the last move of the attacker, with those that are left out. `None` if the budget did not reach.
    Defence(Option<Vec<ChessMove>>),
    /// The answer to a defence.
    Answer,
    /// Nothing: every defence of full length is answered. A first move here can be added as a try.
    Nothing,
}

/// The place of the next move of a written tree.
#[derive(Clone, Debug)]
pub struct TreeSpot {
    /// The position in which it is made.
    pub position: Position,
    /// What is due there.
    pub due: Due,
    /// The moves from the first one on that lead there, each with the position before it.
    pub line: Vec<(Position, ChessMove)>,
    /// The moves that are written there.
    pub written: Vec<ChessMove>,
    /// The index of the move that it follows.
    pub(super) behind: Option<usize>,
}

/// The text of the solution of a problem that has keys, as far as it is written.
pub struct WrittenTree<'t> {
    /// The text, without quotes.
    pub(super) text: &'t str,
    pub(super) written: WrittenSolution<'t>,
    start: &'t Position,
    asked: Stipulation,
}

impl<'t> WrittenTree<'t> {
    /// Reads the text of a solution that begins with a position.
    pub fn read(text: &'t str, start: &'t Position, asked: Stipulation) -> WrittenTree<'t> {
        let word = WrittenWord { text, span: Span::new(0, text.len() as u32) };
        WrittenTree { text, written: read_solution(&[word], asked, start.turn), start, asked }
    }

    /// Whether a first move is written that is no try.
    pub fn has_key(&self) -> bool {
        let (nodes, children) = (&self.written.nodes, self.written.children());
        let is_key = |&index: &usize| {
            nodes[index].parent.is_none()
                && nodes[index].role == Role::Move
                && !self.written.claims_try(&children, index, false)
        };
        (0..nodes.len()).any(|index| is_key(&index))
    }

    /// The number of moves that are written.
    pub fn moves(&self) -> usize {
        self.written.nodes.len()
    }

    /// The number of a half move of the tree: `1.`, `1...`.
    pub fn number(&self, ply: usize) -> String {
        self.written.numbers.text(ply as i64)
    }

    /// Where the next move is due, if `keys` first moves are intended. Variations that were begun come first, the innermost
    /// before those around it.
    ///
    /// # Errors
    /// Why the text cannot be played through, for the user.
    pub fn spot(&self, keys: usize, budget: &Budget<'_>) -> Result<TreeSpot, String> {
        let mut battle = Battle::new(&self.written, self.start, self.asked, budget);
        match battle.replay() {
            Err(Stop::Wrong(finding)) => return Err(finding.message),
            Err(Stop::Undecided(_)) => return Err("this solution is too long to be played through".into()),
            Ok(()) => {}
        }
        let wrong = self.written.findings.iter().chain(&battle.result.findings).next();
        if let Some(finding) = wrong {
            return Err(finding.message.clone());
        }
        let firsts: Vec<usize> = (0..self.written.nodes.len())
            .filter(|&i| self.written.nodes[i].parent.is_none() && self.written.nodes[i].role == Role::Move)
            .filter(|&i| !battle.checked[i].is_try)
            .collect();
        for &first in &firsts {
            if let Some((index, due)) = battle.open_behind(first) {
                return battle.spot(Some(index), due).ok_or_else(|| "this solution cannot be read".into());
            }
        }
        if let Some(finding) = battle.result.findings.first() {
            return Err(finding.message.clone());
        }
        let written: usize = firsts.iter().map(|&i| self.written.nodes[i].moves.len()).sum();
        if written < keys {
            return battle.spot(None, Due::Key).ok_or_else(String::new);
        }
        // What is complete goes on with tries. A key that is the whole solution stays on the board.
        let last = firsts.last().copied().filter(|_| self.moves() == 1);
        let spot = battle.spot(last, Due::Nothing);
        spot.ok_or_else(|| "this solution cannot be read".into())
    }
}

impl Battle<'_, '_> {
    /// The place behind a move.
    fn spot(&self, behind: Option<usize>, due: Due) -> Option<TreeSpot> {
        let mut line = Vec::new();
        let mut at = behind;
        while let Some(index) = at {
            line.push((self.before(index)?, self.first_move(index)?));
            at = self.node(index).parent;
        }
        line.reverse();
        let position = match behind {
            Some(index) => self.checked[index].positions.first()?.clone(),
            None => self.start.clone(),
        };
        let language = self.written.language;
        let nodes =
            (self.written.nodes.iter()).filter(|node| node.parent == behind && node.role == Role::Move);
        let written = nodes.flat_map(|node| &node.moves);
        let written = written.filter_map(|m| Some(legal_move(&position, m, language).ok()?.mv)).collect();
        Some(TreeSpot { position, due, line, written, behind })
    }

    fn before(&self, index: usize) -> Option<Position> {
        match self.node(index).parent {
            Some(parent) => self.checked[parent].positions.first().cloned(),
            None => Some(self.start.clone()),
        }
    }

    /// The first of the moves of a node.
    fn first_move(&self, index: usize) -> Option<ChessMove> {
        let written = self.node(index).moves.first()?;
        Some(legal_move(&self.before(index)?, written, self.written.language).ok()?.mv)
    }

    fn next_moves(&self, index: usize) -> Vec<usize> {
        let is_move = |&child: &usize| self.node(child).role == Role::Move;
        self.children[index].iter().copied().filter(is_move).collect()
    }

    /// The first place at or behind a move of the attacker where a move is due.
    fn open_behind(&mut self, index: usize) -> Option<(usize, Due)> {
        let checked = &self.checked[index];
        if checked.in_try || checked.after_pass {
            return None;
        }
        let after = checked.positions.first()?.clone();
        let replies = self.next_moves(index);
        for &reply in &replies {
            let open = self.open_behind_reply(reply, &after);
            if open.is_some() {
                return open;
            }
        }
        match self.due_defence(index, &after, &replies) {
            Ok(due) => due.map(|due| (index, due)),
            Err(_) => Some((index, Due::Defence(None))),
        }
    }

    /// What is due of the defender behind a move of the attacker.
    fn due_defence(
        &mut self,
        index: usize,
        after: &Position,
        replies: &[usize],
    ) -> Result<Option<Due>, Undecided> {
        let node = self.node(index);
        let is_any = |index: usize| self.node(index).moves.iter().any(|m| m.is_any);
        if is_any(index) || replies.iter().any(|&reply| is_any(reply)) {
            return Ok(None);
        }
        let (Some(left), Some(before), Some(mv)) =
            (self.moves_left(node.ply), self.before(index), self.first_move(index))
        else {
            return Ok(None);
        };
        // A key may need fewer moves than are asked for: then its longest variations are those of full length.
        let Some(length) = self.prover.after_attack(&before, mv, left)? else {
            let name = self.numbered(node.ply, &before, mv);
            let goal = self.stipulation.with_moves(left + 1).in_words();
            let message = format!("{name} does not force {goal}");
            self.result.findings.push(Finding::new(Code::WrongSolution, node.span(), message));
            return Ok(None);
        };
        let due = match length {
            0 if !self.is_selfmate() || !replies.is_empty() => Vec::new(),
            0 => self.prover.replies(after)?,
            _ => self.left_out(index, length, after, replies)?,
        };
        Ok((!due.is_empty()).then_some(Due::Defence(Some(due))))
    }

    /// The first place at or behind a reply where a move is due.
    fn open_behind_reply(&mut self, reply: usize, before: &Position) -> Option<(usize, Due)> {
        let answers = self.next_moves(reply);
        if answers.is_empty() {
            let node = self.node(reply);
            let position = self.checked[reply].positions.first()?;
            let is_over = node.moves.iter().any(|m| m.is_any)
                || self.moves_left(node.ply).is_none_or(|left| left == 0)
                || legal_moves(position).is_empty()
                || self.prover.is_goal_of_reply(before, self.first_move(reply)?);
            return (!is_over).then_some((reply, Due::Answer));
        }
        answers.into_iter().find_map(|answer| self.open_behind(answer))
    }
}
