//! Every kind of play with every goal against plain brute force. `CI_FULL=1` compares about 300 positions of each.

use crate::harness::batch::{Batch, Rng};
use crate::harness::full;
use crate::problem_answers::{MAX_SOLUTIONS, compare_batch, expected, sorted};
use crate::problem_positions::{Wanted, body, positions};
use crate::stipulation_sides::{compare_set_play, compare_sides};
use cozy_chess::{Board as Position, BoardBuilder, Color, Square};
use cpz_reference::{Genre, Goal, Play, Task, has_long_solution};
use serde_json::Value;

/// Twice the length, the number of positions in the ordinary run, and the most leaves of a tree of all moves.
type Row = (usize, usize, usize);

/// What is compared: a kind of play, the sign of a goal (`z` is any square, `e` is e5), and the lengths.
const TABLE: &[(Play, char, &[Row])] = &[
    (Play::Direct, '#', &[(2, 5, 10_000), (4, 5, 10_000), (6, 5, 20_000)]),
    (Play::Direct, '=', &[(2, 10, 10_000), (4, 20, 10_000), (6, 10, 20_000)]),
    (Play::Direct, '+', &[(2, 10, 10_000), (4, 20, 10_000), (6, 10, 20_000)]),
    (Play::Direct, 'x', &[(2, 10, 10_000), (4, 20, 10_000), (6, 10, 20_000)]),
    (Play::Direct, 'z', &[(2, 10, 10_000), (4, 20, 10_000), (6, 10, 20_000)]),
    (Play::Self_, '#', &[(2, 5, 10_000), (4, 5, 10_000)]),
    (Play::Self_, '=', &[(2, 15, 10_000), (4, 20, 10_000), (6, 5, 10_000)]),
    (Play::Self_, '+', &[(2, 10, 10_000), (4, 20, 10_000), (6, 10, 10_000)]),
    (Play::Self_, 'x', &[(2, 10, 10_000), (4, 20, 10_000), (6, 10, 5_000)]),
    (Play::Self_, 'z', &[(2, 10, 10_000), (4, 20, 10_000)]),
    (Play::Self_, 'e', &[(6, 10, 5_000)]),
    (Play::Reflex, '#', &[(2, 15, 10_000), (4, 20, 20_000), (6, 5, 20_000)]),
    (Play::Reflex, '=', &[(2, 15, 10_000), (4, 20, 20_000), (6, 5, 20_000)]),
    (Play::SemiReflex, '#', &[(2, 15, 10_000), (4, 20, 20_000), (6, 5, 20_000)]),
    (Play::SemiReflex, '=', &[(2, 15, 10_000), (4, 20, 20_000), (6, 5, 20_000)]),
    (Play::Help, '#', &[(2, 5, 1_000), (3, 5, 5_000), (4, 5, 10_000)]),
    (Play::Help, '=', &[(2, 10, 1_000), (3, 15, 5_000), (4, 15, 10_000)]),
    (Play::Help, '+', &[(2, 10, 1_000), (3, 15, 1_000), (4, 15, 300)]),
    (Play::Help, 'x', &[(2, 10, 1_000), (3, 15, 1_000), (4, 15, 300)]),
    (Play::Help, 'z', &[(2, 10, 1_000), (3, 15, 1_000), (4, 15, 1_000)]),
    (Play::HelpSelf, '#', &[(2, 10, 1_000), (3, 15, 2_000), (4, 10, 10_000), (5, 5, 10_000)]),
    (Play::HelpSelf, '=', &[(2, 10, 1_000), (3, 15, 2_000), (4, 10, 10_000), (5, 5, 10_000)]),
    (Play::Series, '#', &[(2, 5, 1_000), (4, 15, 1_000), (6, 15, 10_000), (8, 5, 20_000)]),
    (Play::Series, '=', &[(2, 5, 1_000), (4, 15, 1_000), (6, 15, 10_000), (8, 5, 20_000)]),
    (Play::SeriesHelp, '#', &[(2, 5, 1_000), (4, 15, 5_000), (6, 15, 5_000), (8, 5, 1_000)]),
    (Play::SeriesHelp, '=', &[(2, 5, 1_000), (4, 15, 5_000), (6, 15, 5_000), (8, 5, 10_000)]),
    (Play::SeriesHelp, '+', &[(2, 10, 1_000), (4, 15, 2_000), (6, 15, 1_000)]),
    (Play::SeriesHelp, 'x', &[(2, 10, 1_000), (4, 15, 2_000), (6, 15, 1_000)]),
    (Play::SeriesHelp, 'z', &[(2, 10, 1_000), (4, 15, 2_000), (6, 15, 2_000)]),
    (Play::SeriesSelf, '#', &[(2, 10, 1_000), (4, 15, 2_000), (6, 10, 10_000), (8, 5, 10_000)]),
    (Play::SeriesSelf, '=', &[(2, 10, 1_000), (4, 15, 2_000), (6, 10, 10_000), (8, 5, 10_000)]),
];

/// A position, what is asked of it, and what the reference finds.
pub(super) struct Puzzle {
    pub(super) position: Position,
    pub(super) task: Task,
    pub(super) due: Value,
}

/// Positions with solutions of those tasks that few positions have: a query and a FEN on each line, White solving.
const BASES: &str = include_str!("stipulation_bases.txt");

fn bases(task: Task) -> Vec<&'static str> {
    let prefix = format!("{} ", task.query(true));
    BASES.lines().filter_map(|line| line.strip_prefix(&prefix)).collect()
}

fn goal(sign: char, rng: &mut Rng) -> Goal {
    match sign {
        '#' => Goal::Mate,
        '=' => Goal::Stalemate,
        '+' => Goal::Check,
        'x' => Goal::Capture,
        'e' => Goal::Arrival(Square::E5),
        _ => Goal::Arrival(Square::index(rng.below(64))),
    }
}

/// The position with its men on other squares, and their colours exchanged.
fn moved(position: &Position, square: fn(Square) -> Square, exchanged: bool) -> Position {
    let from = BoardBuilder::from_board(position);
    let mut to = from.clone();
    for old in Square::ALL {
        let man = from.square(old).map(|(kind, colour)| (kind, if exchanged { !colour } else { colour }));
        *to.square_mut(square(old)) = man;
    }
    if exchanged {
        to.side_to_move = !from.side_to_move;
        for colour in Color::ALL {
            *to.castle_rights_mut(colour) = *from.castle_rights(!colour);
        }
    }
    to.en_passant = from.en_passant.map(square);
    to.build().expect("a legal position")
}

/// A move in UCI on other squares.
fn moved_text(text: &str, square: fn(Square) -> Square) -> String {
    let of = |text: &str| square(text.parse().expect("a square"));
    format!("{}{}{}", of(&text[..2]), of(&text[2..4]), &text[4..])
}

/// Keys or solutions on other squares.
fn moved_answer(answer: &Value, square: fn(Square) -> Square) -> Value {
    match answer {
        Value::String(text) => Value::String(moved_text(text, square)),
        Value::Array(items) => items.iter().map(|item| moved_answer(item, square)).collect(),
        other => other.clone(),
    }
}

impl Puzzle {
    pub(super) fn new(position: Position, task: Task) -> Self {
        let due = expected(&position, task);
        Self { position, task, due }
    }

    /// The same on other squares, with the answer that follows.
    fn moved(&self, square: fn(Square) -> Square, exchanged: bool) -> Self {
        let mut task = self.task;
        if let Goal::Arrival(at) = &mut task.genre.goal {
            *at = square(*at);
        }
        let due = moved_answer(&self.due, square);
        let due = sorted(due.as_array().expect("a list").clone());
        Self { position: moved(&self.position, square, exchanged), task, due }
    }

    fn exchanged(&self) -> Self {
        self.moved(Square::flip_rank, true)
    }

    /// The same in a mirror. `None` where a side may castle, because a castled mirror does not exist.
    fn mirrored(&self) -> Option<Self> {
        let may_castle = |colour| {
            let rights = self.position.castle_rights(colour);
            rights.short.or(rights.long).is_some()
        };
        (!Color::ALL.into_iter().any(may_castle)).then(|| self.moved(Square::flip_file, false))
    }

    fn solutions(&self) -> usize {
        self.due.as_array().expect("a list").len()
    }
}

/// The puzzles of one row, at least half of them with a solution.
fn puzzles(play: Play, sign: char, (plies, count, max_work): Row) -> Vec<Puzzle> {
    let count = if full() { count * 15 / 2 } else { count };
    let mut rng = Rng::new(7000 + 1000 * play as u64 + 10 * u64::from(sign) + plies as u64);
    let mut puzzles = Vec::new();
    while puzzles.len() < count {
        let genre = Genre { play, goal: goal(sign, &mut rng) };
        let task = Task { genre, plies };
        // A few positions for each square.
        let count = if sign == 'z' { 5 } else { count };
        let is_solved = has_long_solution;
        let bases = bases(task);
        let wanted = Wanted { count, solved: 60, max_work, is_solved, bases };
        for position in positions(&mut rng, task, &wanted) {
            let puzzle = Puzzle::new(position, task);
            puzzles.push(if "ze".contains(sign) && rng.chance(50) { puzzle.exchanged() } else { puzzle });
        }
        puzzles.retain(|puzzle| puzzle.solutions() <= MAX_SOLUTIONS);
    }
    puzzles.truncate(count);
    let solved = puzzles.iter().filter(|puzzle| puzzle.solutions() > 0).count();
    assert!(solved * 2 >= puzzles.len(), "{solved} of {} {play:?} {sign} are solved", puzzles.len());
    puzzles
}

/// Poses the puzzles, and compares all keys or all solutions.
pub(super) fn compare(puzzles: &[Puzzle], rng: &mut Rng) {
    let mut batch = Batch::new();
    for Puzzle { position, task, .. } in puzzles {
        batch.push("chess", &format!("{}{}\n", body(position, rng), task.query(rng.chance(50))));
    }
    let due: Vec<_> = puzzles.iter().map(|puzzle| (puzzle.task, puzzle.due.clone())).collect();
    compare_batch(&batch, &due);
}

/// Compares a row, and some of it with the colours exchanged, with the board mirrored and with the other side to move. Returns
/// how many of its problems have keys and set play.
fn compare_row(play: Play, sign: char, row: Row) -> usize {
    let mut rng = Rng::new(6900 + play as u64);
    let puzzles = puzzles(play, sign, row);
    compare(&puzzles, &mut rng);
    let some = || puzzles.iter().step_by(4);
    let turned: Vec<_> = some().map(Puzzle::exchanged).chain(some().filter_map(Puzzle::mirrored)).collect();
    compare(&turned, &mut rng);
    compare_sides(&puzzles, &mut rng);
    if puzzles[0].task.genre.has_keys() { compare_set_play(&puzzles, &mut rng) } else { 0 }
}

fn compare_play(play: Play) {
    let (mut with_set_play, mut has_keys) = (0, false);
    for &(_, sign, rows) in TABLE.iter().filter(|row| row.0 == play) {
        has_keys |= Genre { play, goal: Goal::Mate }.has_keys();
        with_set_play += rows.iter().map(|&row| compare_row(play, sign, row)).sum::<usize>();
    }
    assert!(!has_keys || with_set_play >= 10, "{with_set_play} problems of {play:?} have set play");
}

#[test]
fn direct_play_agrees_with_brute_force() {
    compare_play(Play::Direct);
}

#[test]
fn self_play_agrees_with_brute_force() {
    compare_play(Play::Self_);
}

#[test]
fn reflex_play_agrees_with_brute_force() {
    compare_play(Play::Reflex);
}

#[test]
fn semi_reflex_play_agrees_with_brute_force() {
    compare_play(Play::SemiReflex);
}

#[test]
fn help_play_agrees_with_brute_force() {
    compare_play(Play::Help);
}

#[test]
fn help_self_play_agrees_with_brute_force() {
    compare_play(Play::HelpSelf);
}

#[test]
fn series_play_agrees_with_brute_force() {
    compare_play(Play::Series);
}

#[test]
fn series_help_play_agrees_with_brute_force() {
    compare_play(Play::SeriesHelp);
}

#[test]
fn series_self_play_agrees_with_brute_force() {
    compare_play(Play::SeriesSelf);
}
