//! Checks the lines of a problem whose solutions are sequences: help, help-self and series play.

use crate::analysis::verbs::move_claims::wrong_mark;
use crate::analysis::verbs::solution_text::checked::{CheckedSolution, NamedLine, SolutionMove};
use crate::analysis::verbs::solution_text::moves::{is_in_check, legal_move, of_another_position};
use crate::analysis::verbs::solution_text::tree::{Role, WrittenSolution};
use cpz_rules::games::{
    Budget, ChessMove, Goal, Position, Status, Stipulation, Undecided, after_in_sequence, after_pass,
    ends_sequence, gives_check_too_early, legal_moves, status_of,
};
use cpz_text::diagnostic::{Code, Finding, Span};

/// Why the check ends, without its finding where it is reported already.
enum Stop {
    Wrong(Finding),
    Undecided(Undecided),
}

/// A move of the text: the position after it, and its index among the moves of the result.
type Made = Option<(Position, usize)>;

/// Checks the lines of a problem, in the order of the text, up to the first mistake.
pub(super) fn check_sequences(
    written: &WrittenSolution<'_>,
    start: &Position,
    stipulation: Stipulation,
    budget: &Budget<'_>,
) -> CheckedSolution {
    let end = written.findings.first().map_or(u32::MAX, |finding| finding.span.start);
    let children = written.children();
    let mut lines = Lines {
        written,
        start,
        stipulation,
        made: Vec::new(),
        marks: Vec::new(),
        result: CheckedSolution::default(),
    };
    for (index, node) in written.nodes.iter().enumerate() {
        if node.span().start >= end {
            break;
        }
        let cost = budget.spend(16).map_err(Stop::Undecided);
        let checked = cost.and_then(|()| lines.make(index)).and_then(|()| match children[index].is_empty() {
            true => lines.end_line(index),
            false => Ok(()),
        });
        match checked {
            Ok(()) => {}
            Err(Stop::Wrong(finding)) => {
                // One slip is one finding: where the move is wrong, so may be the one with the mark.
                lines.marks.retain(|(node, _)| !written.leads_to(*node, index));
                lines.result.findings.push(finding);
                break;
            }
            Err(Stop::Undecided(undecided)) => {
                lines.result.undecided = Some(undecided);
                break;
            }
        }
    }
    lines.result.findings.extend(lines.marks.into_iter().map(|(_, finding)| finding));
    lines.result
}

struct Lines<'c> {
    written: &'c WrittenSolution<'c>,
    start: &'c Position,
    stipulation: Stipulation,
    made: Vec<Made>,
    /// What is wrong with marks, by node.
    marks: Vec<(usize, Finding)>,
    result: CheckedSolution,
}

fn wrong(span: Span, message: impl Into<String>) -> Stop {
    Stop::Wrong(Finding::new(Code::WrongSolution, span, message))
}

impl Lines<'_> {
    /// Makes a move of the text. Nothing is made behind a move that means several.
    fn make(&mut self, index: usize) -> Result<(), Stop> {
        let node = &self.written.nodes[index];
        let written = &node.moves[0];
        self.made.push(None);
        if let Some(second) = node.moves.get(1) {
            return Err(wrong(
                second.span,
                "write each solution as a line of its own: a problem of this kind has no variations",
            ));
        }
        let before = match (node.parent, node.role) {
            (Some(parent), _) => match &self.made[parent] {
                Some((position, _)) => position.clone(),
                None => return Ok(()),
            },
            (None, Role::SetPlay) if is_in_check(self.start) => {
                return Err(wrong(written.span, "there is no set play, since the side to move is in check"));
            }
            (None, Role::SetPlay) => after_pass(self.start),
            (None, _) => self.start.clone(),
        };
        let read = match legal_move(&before, written, self.written.language) {
            Ok(read) => read,
            Err(finding) if finding.code == Code::AmbiguousMove => {
                self.result.findings.push(finding);
                return Ok(());
            }
            Err(finding) => return Err(self.illegal(index, &before, finding)),
        };
        let mark = wrong_mark(&before, read.mv, &read.text, (written.text, written.span));
        self.marks.extend(mark.map(|finding| (index, finding)));
        let parent = node.parent.and_then(|parent| Some(self.made[parent].as_ref()?.1));
        let after_pass = node.role == Role::SetPlay;
        let after = after_in_sequence(&before, self.stipulation, read.mv, node.ply as usize);
        if gives_check_too_early(&before, self.stipulation, read.mv, node.ply as usize) {
            return Err(wrong(written.span, "this gives check, which only the last move of a series may do"));
        }
        self.made[index] = Some((after, self.result.moves.len()));
        self.result.moves.push(SolutionMove { mv: read.mv, span: written.span, parent, after_pass });
        Ok(())
    }

    /// The finding for an illegal move.
    fn illegal(&self, index: usize, before: &Position, mut finding: Finding) -> Stop {
        let node = &self.written.nodes[index];
        if legal_moves(before).is_empty() {
            let over = if status_of(before) == Status::Checkmate { "mate" } else { "stalemate" };
            return wrong(node.span(), format!("nothing can follow, since the move before this is {over}"));
        }
        let is_legal = |line: &crate::analysis::verbs::solution_text::tree::SolutionNode<'_>| {
            line.moves.iter().any(|m| legal_move(before, m, self.written.language).is_ok())
        };
        let mut first =
            self.written.nodes.iter().filter(|line| line.parent.is_none() && line.role == node.role);
        if finding.code == Code::WrongSolution
            && node.parent.is_none()
            && self.written.nodes.len() > 2
            && self.written.findings.is_empty()
            && !first.any(is_legal)
        {
            finding.message = of_another_position(&finding.message);
            finding.fixes.clear();
        }
        Stop::Wrong(finding)
    }

    /// Checks that a line ends with mate after the right number of half moves, and adds it to the result.
    fn end_line(&mut self, index: usize) -> Result<(), Stop> {
        let node = &self.written.nodes[index];
        let Some((position, last)) = &self.made[index] else { return Ok(()) };
        let mut moves: Vec<ChessMove> = Vec::new();
        let mut is_set_play = false;
        let mut at = Some(*last);
        while let Some(index) = at {
            let made = &self.result.moves[index];
            moves.push(made.mv);
            is_set_play |= made.after_pass;
            at = made.parent;
        }
        moves.reverse();
        // A `?` says that the line fails.
        let mut line = Some(index);
        while let Some(index) = line {
            if self.written.nodes[index].bad.is_some() {
                return Ok(());
            }
            line = self.written.nodes[index].parent;
        }
        let (plies, due) = (moves.len(), self.stipulation.sequence_len() - usize::from(is_set_play));
        let (asked, goal) = (self.stipulation.in_words(), goal_of(self.stipulation));
        if let Some(parent) =
            node.parent.filter(|_| plies == due + 1 && self.reaches_against_itself(position))
        {
            // The reply that is forced behind the line may be written. Of several replies the line is the same.
            let is_known = self.result.lines.iter().any(|line| line.moves == moves[..due]);
            return if is_known { Ok(()) } else { self.end_line(parent) };
        }
        if plies > due {
            return Err(wrong(
                node.span(),
                format!("this line has {}; a {asked} has {due}", self.half_moves(plies)),
            ));
        }
        let (before, mv) = self.before_last(index);
        if !ends_sequence(&before, self.stipulation, mv) {
            let message = match status_of(position) {
                Status::Stalemate if self.stipulation.goal() != Goal::Stalemate => {
                    "this line ends with stalemate".to_string()
                }
                _ if plies < due => {
                    format!("this line ends before {goal}: it has {} of {due}", self.half_moves(plies))
                }
                _ if self.stipulation.play().is_against_itself() => {
                    format!("behind this line {goal} is not forced")
                }
                _ => format!("this line does not end with {goal}"),
            };
            return Err(wrong(node.span(), message));
        }
        // Set play may be shorter: it shows what would follow.
        if plies < due && !is_set_play {
            let message = format!("this line ends too early: it has {} of {due}", self.half_moves(plies));
            return Err(wrong(node.span(), message));
        }
        self.result.lines.push(NamedLine { moves, span: node.span(), is_set_play });
        Ok(())
    }

    /// Whether a position is the goal that the other side is forced to reach behind a line.
    fn reaches_against_itself(&self, position: &Position) -> bool {
        let status = match self.stipulation.goal() {
            Goal::Mate => Status::Checkmate,
            Goal::Stalemate => Status::Stalemate,
            _ => return false,
        };
        self.stipulation.play().is_against_itself() && status_of(position) == status
    }

    /// So many moves of a line, as they are called where they are counted.
    fn half_moves(&self, count: usize) -> String {
        let kind = if self.stipulation.play().is_series() { "move" } else { "half move" };
        format!("{count} {kind}{}", if count == 1 { "" } else { "s" })
    }

    /// The position before the last move of a line, and that move.
    fn before_last(&self, index: usize) -> (Position, ChessMove) {
        let node = &self.written.nodes[index];
        let before = match node.parent.and_then(|parent| self.made[parent].as_ref()) {
            Some((position, _)) => position.clone(),
            None if node.role == Role::SetPlay => after_pass(self.start),
            None => self.start.clone(),
        };
        let made = self.made[index].as_ref().map_or(0, |(_, at)| *at);
        (before, self.result.moves[made].mv)
    }
}

/// The goal in a sentence: `mate`, `a capture`.
fn goal_of(asked: Stipulation) -> &'static str {
    match asked.goal() {
        Goal::Mate => "mate",
        Goal::Stalemate => "stalemate",
        Goal::Check => "check",
        Goal::Capture => "a capture",
        Goal::Arrival => "the arrival",
    }
}
