//! A written solution as moves on the board. Nothing is proved: that is the check's work.

use crate::analysis::verbs::solution_text::moves::{is_in_check, legal_move, moves_of_any, without_capture};
use crate::analysis::verbs::solution_text::reader::read_solution;
use crate::analysis::verbs::solution_text::tree::{Role, WrittenMove, WrittenSolution};
use crate::analysis::verbs::written_words::WrittenWord;
use cpz_rules::games::{ChessMove, Position, Stipulation, after_in_sequence, after_pass, san};
use cpz_text::diagnostic::Span;

/// The most moves of a replay: `a/b/c` has what follows it three times, which multiplies within itself.
const MAX_STEPS: usize = 10_000;

/// The moves of a written solution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenPlay {
    /// The first moves with what follows them, in the order of the text.
    pub steps: Vec<WrittenStep>,
    /// Whether every move of the text is one of them: each is legal and means one move.
    pub complete: bool,
}

/// A move of a written solution. Of several with one continuation, each is a step of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenStep {
    /// The move in SAN; as it is written where it stands for several: `~`, `S~`.
    pub san: String,
    /// The move in UCI; nothing where it stands for several.
    pub uci: Option<String>,
    /// Half moves before it: even for the side that begins.
    pub ply: u32,
    /// Whether the other side passed before it: it is a threat, or begins set play.
    pub after_pass: bool,
    /// `!` for a key and for a refutation, `?` for a try; behind other moves as it is written.
    pub mark: Option<char>,
    /// Whether the text says that it threatens nothing.
    pub zugzwang: bool,
    /// What follows it.
    pub next: Vec<WrittenStep>,
}

/// Makes the moves of a solution from `start` on. What follows a move that is not legal is left out.
pub(crate) fn replay(written: &WrittenSolution<'_>, start: &Position, asked: Stipulation) -> WrittenPlay {
    let mut replay = Replay::new(written, asked);
    let roots: Vec<usize> = (0..written.nodes.len()).filter(|&i| written.nodes[i].parent.is_none()).collect();
    let steps = replay.steps(&roots, std::slice::from_ref(start), false);
    WrittenPlay { steps, complete: replay.complete }
}

struct Replay<'w> {
    written: &'w WrittenSolution<'w>,
    asked: Stipulation,
    children: Vec<Vec<usize>>,
    /// The moves that it still may make.
    left: usize,
    complete: bool,
}

/// The position in which the move behind a text is made; none where no move can stand there, or one before it fails.
pub fn position_due(text: &str, start: &Position, asked: Stipulation) -> Option<Position> {
    let text = format!("{text} ~");
    let word = WrittenWord { text: &text, span: Span::new(0, text.len() as u32) };
    let written = read_solution(&[word], asked, start.turn);
    let last = written.nodes.iter().rposition(|n| n.moves.iter().any(|m| m.span.end == word.span.end))?;
    Replay::new(&written, asked).before(last, start)
}

/// Whether a text begins as a solution from a position does: each of its first moves, and those of its set play, is possible there.
/// What follows them is not asked.
pub fn begins_from(text: &str, start: &Position, asked: Stipulation) -> bool {
    let word = WrittenWord { text, span: Span::new(0, text.len() as u32) };
    let written = read_solution(&[word], asked, start.turn);
    let replay = Replay::new(&written, asked);
    let is_possible = |index: usize| {
        let before = replay.before(index, start);
        let mut moves = written.nodes[index].moves.iter();
        before
            .is_some_and(|before| moves.all(|mv| mv.is_any || replay.the_move(index, mv, &before).is_some()))
    };
    let mut first = (0..written.nodes.len()).filter(|&i| written.nodes[i].parent.is_none()).peekable();
    first.peek().is_some() && first.all(is_possible)
}

impl<'w> Replay<'w> {
    fn new(written: &'w WrittenSolution<'w>, asked: Stipulation) -> Replay<'w> {
        let complete = written.findings.is_empty();
        Replay { written, asked, children: written.children(), left: MAX_STEPS, complete }
    }

    /// The position in which the moves of a node are made.
    fn before(&self, index: usize, start: &Position) -> Option<Position> {
        let node = &self.written.nodes[index];
        let before = match node.parent {
            None => start.clone(),
            Some(parent) => {
                let before = self.before(parent, start)?;
                let node = &self.written.nodes[parent];
                let mv = self.the_move(parent, node.moves.first()?, &before)?;
                after_in_sequence(&before, self.asked, mv, node.ply as usize)
            }
        };
        match node.role {
            Role::Threat | Role::SetPlay if is_in_check(&before) => None,
            Role::Threat | Role::SetPlay => Some(after_pass(&before)),
            Role::Move | Role::Refutation => Some(before),
        }
    }

    /// The moves that are written in one place. Behind `~` there are several positions, of which the first where a move
    /// is legal is the one that it is made in. `in_try` says whether they follow a try.
    fn steps(&mut self, nodes: &[usize], before: &[Position], in_try: bool) -> Vec<WrittenStep> {
        let mut steps = Vec::new();
        for &index in nodes {
            let written = self.written;
            for mv in &written.nodes[index].moves {
                let step = before.iter().find_map(|before| self.step(index, mv, before, in_try));
                self.complete &= step.is_some();
                steps.extend(step);
            }
        }
        steps
    }

    /// A move with what follows it; nothing where it is not legal or means several, or too many were made.
    fn step(
        &mut self,
        index: usize,
        written: &WrittenMove<'_>,
        before: &Position,
        in_try: bool,
    ) -> Option<WrittenStep> {
        self.left = self.left.checked_sub(1)?;
        let node = &self.written.nodes[index];
        let passes = matches!(node.role, Role::Threat | Role::SetPlay);
        if passes && is_in_check(before) {
            return None;
        }
        let passed = passes.then(|| after_pass(before));
        let before = passed.as_ref().unwrap_or(before);
        let (moves, names_one) = match written.is_any {
            true => (moves_of_any(before, written, self.written.language, &[]).ok()?, false),
            false => (vec![self.the_move(index, written, before)?], true),
        };
        let after = |&mv: &ChessMove| after_in_sequence(before, self.asked, mv, node.ply as usize);
        let afters: Vec<Position> = moves.iter().map(after).collect();
        let is_attack = node.ply.is_multiple_of(2) && !self.asked.play().has_sequences();
        let is_try = is_attack && self.written.claims_try(&self.children, index, in_try);
        let mark = if is_try {
            Some('?')
        } else if node.role == Role::Refutation || is_attack && node.parent.is_none() {
            Some('!')
        } else {
            node.good.map(|_| '!').or(node.bad.map(|_| '?'))
        };
        let following = self.children[index].clone();
        Some(WrittenStep {
            san: if names_one { san(before, moves[0]) } else { written.text.to_string() },
            uci: names_one.then(|| moves[0].uci()),
            ply: node.ply,
            after_pass: passes,
            mark,
            zugzwang: node.zugzwang.is_some(),
            next: self.steps(&following, &afters, in_try || is_try),
        })
    }

    /// The one legal move that a written one means.
    fn the_move(&self, index: usize, written: &WrittenMove<'_>, before: &Position) -> Option<ChessMove> {
        let (nodes, language) = (&self.written.nodes, self.written.language);
        let read = match legal_move(before, written, language) {
            Ok(read) => Some(read),
            // `1...Rxc6/Rb7 2.Qxc6#`: what captures after one of several moves may not after another.
            Err(_) if nodes[index].parent.is_some_and(|parent| nodes[parent].moves.len() > 1) => {
                without_capture(before, written, language)
            }
            Err(_) => None,
        };
        Some(read?.mv)
    }
}
