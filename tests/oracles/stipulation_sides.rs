//! Set play, duplex and half-duplex: the question of a puzzle, asked of the position with the other side to move.

use crate::harness::batch::{Batch, Rng};
use crate::problem_answers::{found, sorted};
use crate::problem_positions::body;
use crate::stipulations::Puzzle;
use cozy_chess::Board as Position;
use cpz_reference::{Genre, Goal, Play, Task, set_play};
use serde_json::{Value, json};

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
                format!("{}\nset-play\n", starred(&query))
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

/// A query that asks for set play, too. The star stands behind a space where the stipulation has several words.
fn starred(query: &str) -> String {
    format!("{query}{}", if query.contains(' ') { " *" } else { "*" })
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

/// The replies of set play with their answers, in the form of [`set_play`].
fn found_set_play(answer: &Value, task: Task, text: &str) -> Value {
    assert_eq!(
        (&answer["complete"], &answer["in"]),
        (&json!(true), &json!(task.moves())),
        "{answer} for\n{text}"
    );
    let variations = answer["variations"].as_array().expect("variations").iter().map(|variation| {
        let answers = variation["answers"].as_array().expect("answers").iter();
        json!([variation["uci"], sorted(answers.map(|key| json!([key["uci"], key["mates"]])).collect())])
    });
    sorted(variations.collect())
}

/// Asks for the set play of problems with keys, by a star and by a query, and compares all of it. Returns the number of
/// problems that have some.
pub(super) fn compare_set_play(puzzles: &[Puzzle], rng: &mut Rng) -> usize {
    let mut batch = Batch::new();
    for Puzzle { position, task, .. } in puzzles {
        let query = starred(&task.query(rng.chance(50)));
        batch.push("chess", &format!("{}{query}\nset-play\n", body(position, rng)));
    }
    let mut set = 0;
    for (i, (answers, puzzle)) in batch.solve().iter().zip(puzzles).enumerate() {
        let text = batch.puzzle(i);
        let due = sorted(set_play(&puzzle.position, puzzle.task).iter().map(|reply| json!(reply)).collect());
        assert_eq!(found_set_play(&answers[1], puzzle.task, text), due, "for\n{text}");
        assert_eq!(answers[0]["set_play"], answers[1], "for\n{text}");
        set += usize::from(due != json!([]));
    }
    set
}
