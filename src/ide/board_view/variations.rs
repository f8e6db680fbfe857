//! The variations of a chess problem, one node at a time: the replies of the defender, and what is ready for each.
//!
//! The board view shows one path through the tree, and the whole tree of a long problem is large: only the nodes of that
//! path are made.

use std::cmp::Reverse;

use cpz_rules::games::{
    Budget, ChessMove, Position, Prover, Status, Stipulation, Tries, Try, Undecided, after_move, after_pass,
    legal_moves, san, status_of, tries,
};

/// A reply of the defender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub mv: ChessMove,
    /// The moves that the attacker needs after it, 0 if it mates the attacker of a selfmate; `None` if it refutes.
    pub mates: Option<u8>,
    /// The moves that reach the goal in that number of moves.
    pub answers: Vec<ChessMove>,
    /// The answers in SAN.
    pub names: Vec<String>,
    /// Replies with the same answers by name have the same number.
    pub group: usize,
}

/// What can happen when the defender is to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    /// Refutations first, then the longest variations; those that meet the threat last.
    pub replies: Vec<Reply>,
    /// What the attacker would play if the defender passed. None where the defender is in check.
    pub threats: Vec<ChessMove>,
    /// Whether nothing is threatened, so that only the duty to move can lose.
    pub is_zugzwang: bool,
    /// Whether no reply is missing: false if the budget ran out.
    pub is_complete: bool,
}

/// Finds the variations of one problem.
pub(crate) struct Variations<'b> {
    prover: Prover<'b>,
}

impl<'b> Variations<'b> {
    /// `position` is the one that the problem begins with.
    pub fn new(position: &Position, asked: Stipulation, budget: &'b Budget<'b>) -> Variations<'b> {
        Variations { prover: Prover::new(asked, position.turn, budget) }
    }

    /// The node of a position with the defender to move, after which the attacker has `moves` moves.
    pub fn node(&mut self, position: &Position, moves: u8) -> Node {
        let is_check = status_of(position) == Status::Check;
        let threats = match is_check || moves == 0 {
            true => Ok(Vec::new()),
            false => self.shortest(&after_pass(position), moves).map(|(_, moves)| moves),
        };
        let mut is_complete = threats.is_ok();
        let is_zugzwang = !is_check && moves > 0 && threats.as_ref().is_ok_and(Vec::is_empty);
        let threats = threats.unwrap_or_default();
        let mut node = Node { replies: Vec::new(), threats, is_zugzwang, is_complete };
        let replies = self.prover.replies(position);
        is_complete &= replies.is_ok();
        for mv in replies.unwrap_or_default() {
            match self.reply(position, mv, moves) {
                Ok(reply) => node.replies.push(reply),
                Err(_) => is_complete = false,
            }
        }
        node.is_complete = is_complete;
        sort(&mut node);
        node
    }

    /// Whether a move of the attacker itself reaches the goal, so that nothing follows it.
    pub fn is_goal(&mut self, position: &Position, mv: ChessMove) -> bool {
        !self.prover.is_against_itself() && self.prover.after_attack(position, mv, 0) == Ok(Some(0))
    }

    fn reply(&mut self, position: &Position, mv: ChessMove, moves: u8) -> Result<Reply, Undecided> {
        let next = after_move(position, mv);
        let (mates, answers) = match self.prover.is_goal_of_reply(position, mv) {
            true => (Some(0), Vec::new()),
            false => self.shortest(&next, moves)?,
        };
        let names = answers.iter().map(|&answer| san(&next, answer)).collect();
        Ok(Reply { mv, mates, answers, names, group: 0 })
    }

    /// The moves of the attacker, which is to move, that reach the goal fastest.
    fn shortest(
        &mut self,
        position: &Position,
        moves: u8,
    ) -> Result<(Option<u8>, Vec<ChessMove>), Undecided> {
        let Some(length) = self.prover.attack(position, moves)? else { return Ok((None, Vec::new())) };
        let keys = self.prover.continuations(position, length)?;
        Ok((Some(length), keys.into_iter().map(|k| k.mv).collect()))
    }

    /// Whether the attacker has something ready for a reply, with `moves` moves.
    ///
    /// # Errors
    /// [`Undecided`] if the budget ran out before that is known, or the search was cancelled.
    pub fn has_answers(&mut self, position: &Position, moves: u8) -> Result<bool, Undecided> {
        for mv in self.prover.replies(position)? {
            if self.prover.attack(&after_move(position, mv), moves)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first moves that exactly one reply refutes; those that answer most replies first.
    ///
    /// # Errors
    /// [`Undecided::Cancelled`] if the search was cancelled.
    pub fn tries(&mut self, position: &Position, asked: Stipulation) -> Result<Tries, Undecided> {
        let mut found = tries(&mut self.prover, position, asked)?;
        let replies = |t: &Try| legal_moves(&after_move(position, t.mv)).len();
        found.tries.sort_by_cached_key(|t| Reverse(replies(t)));
        Ok(found)
    }
}

impl Node {
    /// Keeps the replies that are answered, or that reach the goal themselves.
    pub fn keep_answered(&mut self) {
        self.replies.retain(|reply| reply.mates.is_some());
        sort(self);
    }
}

/// Numbers the groups of a node, and puts its replies into order.
fn sort(node: &mut Node) {
    let mut groups: Vec<(Option<u8>, Vec<String>)> = Vec::new();
    for reply in &mut node.replies {
        let same = (reply.mates, reply.names.clone());
        reply.group = groups.iter().position(|g| *g == same).unwrap_or_else(|| {
            groups.push(same);
            groups.len() - 1
        });
    }
    let threats = &node.threats;
    let rank =
        |r: &Reply| (r.mates.is_some(), Reverse(r.mates), r.answers.iter().any(|a| threats.contains(a)));
    node.replies.sort_by_key(|r| (rank(r), r.group));
    let mut order: Vec<usize> = node.replies.iter().map(|r| r.group).collect();
    order.dedup();
    for reply in &mut node.replies {
        reply.group = order.iter().position(|&g| g == reply.group).unwrap_or_default();
    }
}
