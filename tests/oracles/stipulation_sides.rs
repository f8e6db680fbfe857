//! Set play, duplex and half-duplex: the question of a puzzle, asked of the position with the other side to move.

use crate::harness::batch::{Batch, Rng};
use crate::problem_answers::found;
use crate::problem_positions::body;
use crate::problem_reference::{Genre, Goal, Play, Task};
use crate::stipulations::Puzzle;
use cozy_chess::Board as Position;

/// How a text asks what the other side can do.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// In help play of one ply more.
    SetPlay,
    Duplex,
    HalfDuplex,
}

impl Way {
    const ALL: [Self; 3] = [Self::SetPlay, Self::Duplex, Self::HalfDuplex];

    /// Properties and queries whose last answer is that of the task with the other side to move.
    fn text(self, task: Task, is_short: bool) -> String {
        let query = task.query(is_short);
        match self {
            Self::SetPlay => {
                let query = Task { plies: task.plies + 1, ..task }.query(is_short);
                // The star stands behind a space where the stipulation has several words.
                let star = if query.contains(' ') { " *" } else { "*" };
                format!("{query}{star}\nset-play\n")
            }
            Self::Duplex => format!("{query}\nduplex\n"),
            Self::HalfDuplex => format!("half-duplex\n{query}\n"),
        }
    }

    /// The member of the first answer that is the last answer, too.
    fn member(self) -> Option<&'static str> {
        match self {
            Self::SetPlay => Some("set_play"),
            Self::Duplex => Some("duplex"),
            Self::HalfDuplex => None,
        }
    }

    /// Set play is that of help play; the longer question must not have thousands of solutions.
    fn fits(self, task: Task) -> bool {
        let Genre { play, goal } = task.genre;
        let is_rare = matches!(goal, Goal::Mate | Goal::Stalemate);
        !matches!(self, Self::SetPlay) || play == Play::Help && (is_rare || task.plies < 4)
    }
}

/// The position with the other side to move. `None` where the way back to the position is not the same: one side is in
/// check, or may capture en passant.
fn other_side(position: &Position) -> Option<Position> {
    position.en_passant().is_none().then(|| position.null_move()).flatten()
}

/// Asks what the puzzles ask, but gives the move to the other side in the text. Each way has a part of the puzzles.
pub(super) fn compare_sides(puzzles: &[Puzzle], rng: &mut Rng) {
    for (first, way) in Way::ALL.into_iter().enumerate() {
        let asked = puzzles.iter().skip(first).step_by(3).filter(|puzzle| way.fits(puzzle.task));
        let (mut batch, mut due) = (Batch::new(), Vec::new());
        for puzzle in asked {
            let Some(position) = other_side(&puzzle.position) else { continue };
            let text = way.text(puzzle.task, rng.chance(50));
            batch.push("chess", &format!("{}{text}", body(&position, rng)));
            due.push(puzzle);
        }
        if batch.is_empty() {
            continue;
        }
        for (i, (answers, puzzle)) in batch.solve().iter().zip(&due).enumerate() {
            let (text, last) = (batch.puzzle(i), answers.last().expect("an answer"));
            assert_eq!(found(last, puzzle.task, text), puzzle.due, "{way:?} for\n{text}");
            if let Some(member) = way.member() {
                assert_eq!(answers[0][member], *last, "{way:?} for\n{text}");
            }
        }
    }
}
