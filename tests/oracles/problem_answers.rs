//! Chess problems against plain brute force. `CI_FULL=1` compares ten times as many positions,
//! `CPZ_POSITIONS=3000` as many of each kind, which takes hours.

use crate::harness::batch::{Batch, Rng};
use crate::problem_positions::{Wanted, body, number, positions};
use cozy_chess::{Board as Position, Color, Piece as Kind};
use cpz_reference::{Genre, Task, keys, solutions};
use serde_json::{Value, json};

/// cpz lists no more solutions than these.
pub(super) const MAX_SOLUTIONS: usize = 1_000;

pub(super) fn sorted(mut list: Vec<Value>) -> Value {
    list.sort_by_key(ToString::to_string);
    json!(list)
}

/// What the reference finds, in the form of `found`.
pub(super) fn expected(position: &Position, task: Task) -> Value {
    sorted(if task.genre.has_keys() {
        keys(position, task).into_iter().map(|key| json!(key)).collect()
    } else {
        solutions(position, task, MAX_SOLUTIONS).into_iter().map(|line| json!(line)).collect()
    })
}

/// The answer of cpz in the same form: pairs of a key and its length, or lists of moves; sorted.
pub(super) fn found(answer: &Value, task: Task, puzzle: &str) -> Value {
    assert_eq!(answer["complete"], true, "{answer} for\n{puzzle}");
    if task.genre.has_keys() {
        assert_eq!(answer["in"], task.moves(), "{answer} for\n{puzzle}");
        let keys = answer["keys"].as_array().expect("keys");
        sorted(keys.iter().map(|key| json!([key["uci"], key["mates"]])).collect())
    } else {
        assert_eq!(answer["in"], task.length(), "{answer} for\n{puzzle}");
        let solutions = answer["solutions"].as_array().expect("solutions");
        assert_eq!(answer["count"], solutions.len(), "{answer} for\n{puzzle}");
        sorted(solutions.iter().map(|solution| solution["uci"].clone()).collect())
    }
}

/// Poses the task for every position, and compares all keys or all solutions.
fn compare(task: Task, positions: &[Position], rng: &mut Rng) {
    let mut batch = Batch::new();
    for position in positions {
        batch.push("chess", &format!("{}{}\n", body(position, rng), task.query(rng.chance(50))));
    }
    let due: Vec<_> = positions.iter().map(|position| (task, expected(position, task))).collect();
    compare_batch(&batch, &due);
}

/// Compares the answers to each puzzle of a batch with the expected ones.
pub(super) fn compare_batch(batch: &Batch, due: &[(Task, Value)]) {
    for (i, (answers, (task, due))) in batch.solve().iter().zip(due).enumerate() {
        let puzzle = batch.puzzle(i);
        if due.as_array().expect("a list").len() > MAX_SOLUTIONS {
            assert_eq!(answers[0]["complete"], false, "for\n{puzzle}");
            continue;
        }
        assert_eq!(found(&answers[0], *task, puzzle), *due, "for\n{puzzle}");
    }
}

/// Compares random positions, at least half of them with solutions.
fn compare_random(genre: Genre, plies: usize, ordinary: usize, max_work: usize) {
    let task = Task { genre, plies };
    let mut rng = Rng::new(900 + 40 * genre.play as u64 + plies as u64);
    let positions = positions(&mut rng, task, &Wanted::new(number(ordinary), 60, max_work));
    compare(task, &positions, &mut rng);
}

#[test]
fn mates_in_one_agree_with_brute_force() {
    compare_random(Genre::MATE, 2, 600, usize::MAX);
}

#[test]
fn mates_in_two_agree_with_brute_force() {
    compare_random(Genre::MATE, 4, 300, usize::MAX);
}

#[test]
fn mates_in_three_agree_with_brute_force() {
    compare_random(Genre::MATE, 6, 60, 20_000_000);
}

#[test]
fn selfmates_in_one_agree_with_brute_force() {
    compare_random(Genre::SELFMATE, 2, 120, usize::MAX);
}

#[test]
fn selfmates_in_two_agree_with_brute_force() {
    compare_random(Genre::SELFMATE, 4, 100, usize::MAX);
}

#[test]
fn helpmates_in_one_agree_with_brute_force() {
    compare_random(Genre::HELPMATE, 2, 600, usize::MAX);
}

#[test]
fn helpmates_in_one_and_a_half_agree_with_brute_force() {
    compare_random(Genre::HELPMATE, 3, 400, 20_000);
}

#[test]
fn helpmates_in_two_agree_with_brute_force() {
    compare_random(Genre::HELPMATE, 4, 150, 60_000);
}

#[test]
fn helpmates_in_two_and_a_half_agree_with_brute_force() {
    compare_random(Genre::HELPMATE, 5, 12, 400_000);
}

/// The position with all rights that its kings and rooks at home allow, and none en passant. `None` for the few that
/// the library refuses in a FEN, since three pieces give check.
fn with_rights_of_home(position: &Position) -> Option<Position> {
    let stands = |square: &str, kind, colour| {
        let square = square.parse().expect("a square");
        (position.piece_on(square), position.color_on(square)) == (Some(kind), Some(colour))
    };
    let mut rights = String::new();
    for (letter, king, rook, colour) in [
        ('K', "e1", "h1", Color::White),
        ('Q', "e1", "a1", Color::White),
        ('k', "e8", "h8", Color::Black),
        ('q', "e8", "a8", Color::Black),
    ] {
        if stands(king, Kind::King, colour) && stands(rook, Kind::Rook, colour) {
            rights.push(letter);
        }
    }
    let fen = position.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    let rights = if rights.is_empty() { "-" } else { &rights };
    format!("{} {} {rights} - 0 1", fields[0], fields[1]).parse().ok()
}

#[test]
fn castling_is_allowed_at_home_where_nothing_is_said() {
    let mut rng = Rng::new(990);
    for (genre, plies) in [(Genre::MATE, 2), (Genre::MATE, 4), (Genre::SELFMATE, 2), (Genre::HELPMATE, 4)] {
        let task = Task { genre, plies };
        let (mut batch, mut due) = (Batch::new(), Vec::new());
        let found = positions(&mut rng, task, &Wanted::new(number(15), 60, 60_000));
        for position in found.iter().filter_map(with_rights_of_home) {
            let fen = position.to_string();
            let fields: Vec<&str> = fen.split(' ').collect();
            // Black begins a helpmate, White the others, unless something is said.
            let usual = if genre == Genre::HELPMATE { "b" } else { "w" };
            let turn = if fields[1] == usual { String::new() } else { format!("turn {}\n", fields[1]) };
            let board = format!("board {}\n{turn}{}\n", fields[0], task.query(rng.chance(50)));
            batch.push("chess", &board);
            due.push((task, expected(&position, task)));
        }
        compare_batch(&batch, &due);
    }
}
