//! Every move of the trees that cpz prints for chess problems, replayed over `cozy-chess`.

use crate::chess::san;
use crate::harness::batch::{Batch, Rng};
use crate::problem_positions::{Wanted, body, number, positions};
use cozy_chess::{Board as Position, Move};
use cpz_reference::{Genre, Task, after, all_moves, is_key, is_mate, keys, play_uci, uci};
use serde_json::Value;

/// What the branches of one tree are compared with.
struct Replay<'p> {
    genre: Genre,
    puzzle: &'p str,
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The names of an item's move, which a key has itself.
fn named_move(item: &Value) -> &Value {
    item.get("move").unwrap_or(item)
}

/// The moves of a list, in UCI, sorted; none may be there twice.
fn moves_of(value: &Value, puzzle: &str) -> Vec<String> {
    let text = |item: &Value| named_move(item)["uci"].as_str().expect("a move").to_string();
    let mut moves: Vec<String> = list(value).iter().map(text).collect();
    moves.sort();
    let count = moves.len();
    moves.dedup();
    assert_eq!(moves.len(), count, "a move is there twice: {value} for\n{puzzle}");
    moves
}

fn sorted(position: &Position, moves: impl Iterator<Item = Move>) -> Vec<String> {
    let mut names: Vec<String> = moves.map(|mv| uci(position, mv)).collect();
    names.sort();
    names
}

/// The first moves that reach the goal in at most `moves` moves.
fn solving(position: &Position, genre: Genre, moves: usize) -> Vec<Move> {
    let all = if moves == 0 { Vec::new() } else { all_moves(position) };
    all.into_iter().filter(|&mv| is_key(position, mv, genre, moves)).collect()
}

/// True if the other side has already done what a selfmate wants.
fn is_done(genre: Genre, position: &Position) -> bool {
    genre == Genre::SELFMATE && is_mate(position)
}

impl Replay<'_> {
    fn play(&self, position: &Position, item: &Value) -> (Move, Position) {
        let name = item["move"]["uci"].as_str().expect("a move");
        let mv = all_moves(position).into_iter().find(|&mv| uci(position, mv) == name);
        let mv = mv.unwrap_or_else(|| panic!("{item} is illegal in {position} for\n{}", self.puzzle));
        let san = san(position, named(position, mv));
        assert_eq!(item["move"]["san"], san, "{position} for\n{}", self.puzzle);
        (mv, after(position, mv))
    }

    /// A move of the attacker that must reach the goal in at most `left` moves, itself included.
    fn attack(&self, position: &Position, item: &Value, left: usize) {
        let puzzle = self.puzzle;
        let (mv, then) = self.play(position, item);
        let shortest = (1..=left).find(|&moves| is_key(position, mv, self.genre, moves));
        assert_eq!(
            item["mates"].as_u64().map(|n| n as usize),
            shortest,
            "{item} in {position} for\n{puzzle}"
        );
        let defences = sorted(&then, all_moves(&then).into_iter());
        assert_eq!(moves_of(&item["defences"], puzzle), defences, "{item} in {position} for\n{puzzle}");
        self.threats(&then, item, left);
        for defence in list(&item["defences"]) {
            self.defence(&then, defence, left - 1);
        }
    }

    /// A reply, after which `left` moves remain.
    fn defence(&self, position: &Position, item: &Value, left: usize) {
        let (_, then) = self.play(position, item);
        let due = if is_done(self.genre, &then) { Vec::new() } else { solving(&then, self.genre, left) };
        let answers = moves_of(&item["answers"], self.puzzle);
        assert_eq!(
            answers,
            sorted(&then, due.into_iter()),
            "{item} in {position}, {left} left, for\n{}",
            self.puzzle
        );
        assert!(is_done(self.genre, &then) || !answers.is_empty(), "{item} is not answered in {position}");
        for answer in list(&item["answers"]) {
            self.attack(&then, answer, left);
        }
    }

    /// What the attacker could do if the other side passed.
    fn threats(&self, position: &Position, item: &Value, left: usize) {
        let threats = moves_of(&item["threat"], self.puzzle);
        let Some(passed) = position.null_move() else {
            assert!(threats.is_empty(), "a check is no threat: {item} for\n{}", self.puzzle);
            assert_eq!(item["zugzwang"], false, "{item} for\n{}", self.puzzle);
            return;
        };
        // The last move of a selfmate leaves nothing to threaten.
        let is_over = all_moves(position).is_empty() || left == 1;
        let due = if is_over { Vec::new() } else { solving(&passed, self.genre, left - 1) };
        assert_eq!(threats, sorted(&passed, due.into_iter()), "{item} in {position} for\n{}", self.puzzle);
        assert_eq!(item["zugzwang"], !is_over && threats.is_empty(), "{item} for\n{}", self.puzzle);
    }

    /// All first moves that exactly one reply refutes.
    fn tries(&self, position: &Position, answer: &Value, moves: usize) {
        let mut due = Vec::new();
        for mv in all_moves(position) {
            let then = after(position, mv);
            let replies = all_moves(&then);
            let refutes = |reply: &Move| {
                let after_reply = after(&then, *reply);
                let is_done = is_done(self.genre, &after_reply);
                !is_done && solving(&after_reply, self.genre, moves - 1).is_empty()
            };
            let refutations: Vec<Move> = replies.iter().copied().filter(refutes).take(2).collect();
            if let [refutation] = refutations[..] {
                due.push((uci(position, mv), san(&then, named(&then, refutation))));
            }
        }
        let text = |value: &Value| value.as_str().expect("text").to_string();
        let mut tries: Vec<(String, String)> = list(&answer["tries"])
            .iter()
            .map(|item| {
                let refutation = &item["defences"][0];
                assert_eq!((&item["mark"], &refutation["mark"]), (&Value::from("?"), &Value::from("!")));
                assert_eq!(item["refutation"], refutation["move"]["san"], "{item}");
                (text(&item["move"]["uci"]), text(&item["refutation"]))
            })
            .collect();
        due.sort();
        tries.sort();
        assert_eq!(tries, due, "tries for\n{}", self.puzzle);
    }

    /// The replies to which the attacker already has an answer before its first move.
    fn set_play(&self, position: &Position, answer: &Value, moves: usize) {
        let Some(waiting) = position.null_move() else { return };
        for item in list(&answer["set_play"]) {
            let (_, then) = self.play(&waiting, item);
            let due = sorted(&then, solving(&then, self.genre, moves - 1).into_iter());
            assert_eq!(moves_of(&item["answers"], self.puzzle), due, "{item} for\n{}", self.puzzle);
        }
    }
}

/// cpz prints the trees of no more keys than these.
const MAX_KEYS: usize = 8;

/// The moves that cpz prints of one tree at most.
const MAX_MOVES: usize = 20_000;

/// The number of moves below a move.
fn tree_size(item: &Value) -> usize {
    let below = |name: &str| {
        item[name].as_array().into_iter().flatten().map(|next| 1 + tree_size(next)).sum::<usize>()
    };
    below("defences") + below("answers")
}

/// A move as other programs name it: a castling king goes to its square.
fn named(position: &Position, mv: Move) -> Move {
    let to = uci(position, mv)[2..4].parse().expect("a square");
    Move { to, ..mv }
}

fn compare_trees(genre: Genre, plies: usize, ordinary: usize, max_work: usize) {
    let task = Task { genre, plies };
    let mut rng = Rng::new(1700 + 40 * genre.play as u64 + plies as u64);
    let mut positions = positions(&mut rng, task, &Wanted::new(number(ordinary), 90, max_work));
    positions.retain(|position| keys(position, task).len() <= MAX_KEYS);
    let mut batch = Batch::new();
    for position in &positions {
        batch.push("chess", &format!("{}{}\n", body(position, &mut rng), task.query(rng.chance(50))));
    }
    for (i, (answers, position)) in batch.solve_with_trees().iter().zip(&positions).enumerate() {
        let (answer, puzzle) = (&answers[0], batch.puzzle(i));
        let replay = Replay { genre, puzzle };
        if answer["tree_complete"] != true {
            let size: usize = list(&answer["tree"]).iter().map(tree_size).max().unwrap_or(0);
            assert!(size >= MAX_MOVES, "a tree of {size} moves is not complete for\n{puzzle}");
            continue;
        }
        assert_eq!(moves_of(&answer["tree"], puzzle), moves_of(&answer["keys"], puzzle), "for\n{puzzle}");
        for key in list(&answer["tree"]) {
            assert_eq!(key["mark"], "!", "{key} for\n{puzzle}");
            let name = key["move"]["uci"].as_str().expect("a key");
            assert!(play_uci(position, name).is_some(), "{name} is illegal for\n{puzzle}");
            replay.attack(position, key, task.moves());
        }
        replay.tries(position, answer, task.moves());
        replay.set_play(position, answer, task.moves());
    }
}

#[test]
fn trees_of_mates_in_one_hold() {
    compare_trees(Genre::MATE, 2, 100, usize::MAX);
}

#[test]
fn trees_of_mates_in_two_hold() {
    compare_trees(Genre::MATE, 4, 100, usize::MAX);
}

#[test]
fn trees_of_mates_in_three_hold() {
    compare_trees(Genre::MATE, 6, 12, 2_000_000);
}

#[test]
fn trees_of_selfmates_in_one_hold() {
    compare_trees(Genre::SELFMATE, 2, 40, usize::MAX);
}

#[test]
fn trees_of_selfmates_in_two_hold() {
    compare_trees(Genre::SELFMATE, 4, 40, usize::MAX);
}
