//! Solitaire Chess against a brute force written straight from the rules.

use crate::harness::batch::{Batch, Rng, list, squares};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A square, counted from 0: x from the left, y from the bottom.
type Square = (usize, usize);
type Capture = (Square, Square);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Default,
    Ranger,
    Solo,
}

const DIALECTS: [Dialect; 3] = [Dialect::Default, Dialect::Ranger, Dialect::Solo];

impl Dialect {
    /// The property that asks for it; the default may also go without.
    fn property(self) -> &'static str {
        match self {
            Dialect::Default => "",
            Dialect::Ranger => "rules ranger\n",
            Dialect::Solo => "rules solo\n",
        }
    }
}

/// A piece and how often it has captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    kind: char,
    captures: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Board {
    width: usize,
    height: usize,
    cells: Vec<Option<Piece>>,
}

impl Board {
    fn empty(width: usize, height: usize) -> Self {
        Self { width, height, cells: vec![None; width * height] }
    }

    /// A board of rows from the top down.
    fn of(rows: &[&str]) -> Self {
        let mut board = Self::empty(rows[0].len(), rows.len());
        for (row, text) in rows.iter().enumerate() {
            for (x, kind) in text.chars().enumerate().filter(|(_, cell)| *cell != '.') {
                board.put((x, rows.len() - 1 - row), kind);
            }
        }
        board
    }

    fn index(&self, (x, y): Square) -> usize {
        y * self.width + x
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.cells[self.index(square)]
    }

    fn put(&mut self, square: Square, kind: char) {
        let index = self.index(square);
        self.cells[index] = Some(Piece { kind, captures: 0 });
    }

    fn count(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    fn squares(&self) -> Vec<Square> {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))).collect()
    }

    /// True if the piece on `from` may capture the one on `to`.
    fn may_capture(&self, dialect: Dialect, from: Square, to: Square) -> bool {
        let (Some(piece), Some(target)) = (self.at(from), self.at(to)) else {
            return false;
        };
        let solo = dialect == Dialect::Solo;
        if from == to || (solo && (piece.captures == 2 || target.kind == 'K')) {
            return false;
        }
        let (dx, dy) = (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32);
        let (far, near) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
        let shape = match piece.kind {
            'K' => far == 1,
            'P' => far == 1 && near == 1 && (dy == 1 || dialect == Dialect::Default),
            'N' => far == 2 && near == 1,
            'R' => near == 0,
            'B' => near == far,
            'Q' => near == 0 || near == far,
            kind => panic!("no piece {kind}"),
        };
        let between = |n: i32| {
            let (x, y) = (from.0 as i32 + n * dx.signum(), from.1 as i32 + n * dy.signum());
            self.at((x as usize, y as usize))
        };
        shape && (piece.kind == 'N' || (1..far).all(|n| between(n).is_none()))
    }

    fn captures(&self, dialect: Dialect) -> Vec<Capture> {
        let squares = self.squares();
        let occupied = squares.iter().filter(|&&square| self.at(square).is_some());
        let pairs = occupied.flat_map(|&from| squares.iter().map(move |&to| (from, to)));
        pairs.filter(|&(from, to)| self.may_capture(dialect, from, to)).collect()
    }

    fn after(&self, (from, to): Capture) -> Self {
        let mut board = self.clone();
        let (from, to) = (self.index(from), self.index(to));
        board.cells[to] = board.cells[from].take();
        board.cells[to].as_mut().expect("a piece captures").captures += 1;
        board
    }

    /// Calls `found` with every solution.
    fn solutions(&self, dialect: Dialect, path: &mut Vec<Capture>, found: &mut impl FnMut(&[Capture])) {
        if self.count() == 1 {
            found(path);
        }
        for capture in self.captures(dialect) {
            path.push(capture);
            self.after(capture).solutions(dialect, path, found);
            path.pop();
        }
    }

    /// How many solutions there are, and how many sets of captures.
    fn counts(&self, dialect: Dialect) -> (u64, usize) {
        let mut count = 0;
        let mut distinct = BTreeSet::new();
        self.solutions(dialect, &mut Vec::new(), &mut |path| {
            let mut set = path.to_vec();
            set.sort();
            count += 1;
            distinct.insert(set);
        });
        (count, distinct.len())
    }

    /// The properties and the board of a puzzle, in one of the ways to write them.
    fn body(&self, dialect: Dialect, rng: &mut Rng) -> String {
        let (width, height) = (self.width, self.height);
        let coordinates = |cell: &dyn Fn(char) -> String| {
            let pieces = self.squares().into_iter().filter_map(|s| Some((s, self.at(s)?)));
            list(pieces.map(|((x, y), piece)| format!("[{x}, {y}, {}]", cell(piece.kind))))
        };
        let rows = |cell: &dyn Fn(Option<char>) -> String, between: &str| -> Vec<String> {
            let cell = |x, y| cell(self.at((x, y)).map(|piece| piece.kind));
            let row = |y| (0..width).map(|x| cell(x, y)).collect::<Vec<_>>().join(between);
            (0..height).rev().map(row).collect()
        };
        let empty = rng.pick(&['.', '#', '_']);
        let letter = |kind: Option<char>| kind.unwrap_or(empty).to_string();
        let quoted = |kind: Option<char>| format!("'{}'", letter(kind));
        let number =
            |kind: Option<char>| kind.map_or(0, |kind| 1 + "KQRBNP".find(kind).expect("a piece")).to_string();
        let nested = |rows: Vec<String>| list(rows.into_iter().map(|row| format!("[{row}]")));
        // What shows a size need not name it; a single row or column could be read otherwise.
        let mut shaped = width > 1 && height > 1;
        let board = match rng.below(7) {
            0 => rows(&letter, "").join("\n    "),
            1 => format!("\n    {}", rows(&letter, " ").join("\n    ")),
            2 => format!("\"{}\"", rows(&letter, "").join("\n")),
            3 => nested(rows(&quoted, ", ")),
            4 => nested(rows(&number, ", ")),
            5 => {
                shaped = (width, height) == (4, 4);
                let quote = rng.pick(&['\'', '"']);
                coordinates(&|kind| format!("{quote}{kind}{quote}"))
            }
            _ => {
                shaped = (width, height) == (4, 4);
                rows(&letter, "").concat()
            }
        };
        let size = if shaped && rng.chance(50) { String::new() } else { format!("size {width}x{height}\n") };
        format!("{}{size}board {board}\n", dialect.property())
    }
}

const KINDS: [char; 6] = ['K', 'Q', 'R', 'B', 'N', 'P'];

fn random_board(rng: &mut Rng, width: usize, height: usize, pieces: usize) -> Board {
    let mut board = Board::empty(width, height);
    let squares = board.squares();
    while board.count() < pieces {
        board.put(rng.pick(&squares), rng.pick(&KINDS));
    }
    board
}

/// A board with a solution, made by taking captures back; smaller where no more can be taken back.
fn solvable_board(rng: &mut Rng, dialect: Dialect, width: usize, height: usize, pieces: usize) -> Board {
    let mut board = random_board(rng, width, height, 1);
    let squares = board.squares();
    // How often the piece on a square captures from now on, for the limit of `solo`.
    let mut to_come = vec![0; squares.len()];
    for _ in 0..300 {
        let (from, to) = (rng.pick(&squares), rng.pick(&squares));
        let (Some(piece), None) = (board.at(to), board.at(from)) else {
            continue;
        };
        let index = board.index(to);
        if board.count() == pieces || (dialect == Dialect::Solo && to_come[index] == 2) {
            continue;
        }
        let captured = if dialect == Dialect::Solo { rng.pick(&KINDS[1..]) } else { rng.pick(&KINDS) };
        let mut before = board.clone();
        before.put(from, piece.kind);
        before.put(to, captured);
        if before.may_capture(dialect, from, to) {
            to_come[before.index(from)] = to_come[index] + 1;
            to_come[index] = 0;
            board = before;
        }
    }
    board
}

/// Columns and rows.
const SMALL_SIZES: [(usize, usize); 16] = [
    (1, 2),
    (2, 1),
    (1, 5),
    (4, 1),
    (1, 4),
    (2, 2),
    (2, 3),
    (3, 2),
    (3, 3),
    (4, 3),
    (2, 5),
    (5, 3),
    (3, 5),
    (5, 4),
    (4, 5),
    (5, 5),
];

/// Boards of every size and few pieces for the brute force, half of them made from a solution.
fn small_boards(rng: &mut Rng, dialect: Dialect, boards: usize) -> Vec<Board> {
    (0..boards)
        .map(|i| {
            let (width, height) = match rng.below(10) {
                0..4 => (4, 4),
                4..9 => rng.pick(&SMALL_SIZES),
                _ => (rng.range(5, 8), rng.range(5, 8)),
            };
            // The brute force takes longer for every cell and much longer for every piece.
            let most = if width * height > 25 { 5 } else { 7 };
            let pieces = rng.range(2, most).min(width * height);
            if i % 2 == 0 {
                random_board(rng, width, height, pieces)
            } else {
                solvable_board(rng, dialect, width, height, pieces)
            }
        })
        .collect()
}

/// Replays an answer to `solve`; whether it is a solution, and not `none`.
fn replay(board: &Board, dialect: Dialect, answer: &Value, puzzle: &str) -> bool {
    if answer["solvable"] == false {
        assert_eq!(answer["moves"], Value::Null, "for\n{puzzle}");
        return false;
    }
    assert_eq!(answer["solvable"], true, "{answer} for\n{puzzle}");
    let mut board = board.clone();
    for step in answer["moves"].as_array().expect("moves") {
        let step: Vec<Square> = squares(step).iter().map(|s| (s[0] as usize, s[1] as usize)).collect();
        let on_board = |square: &Square| square.0 < board.width && square.1 < board.height;
        assert!(step.len() == 2 && step.iter().all(on_board), "{answer} for\n{puzzle}");
        let legal = board.may_capture(dialect, step[0], step[1]);
        assert!(legal, "step {step:?} of {answer} for\n{puzzle}");
        board = board.after((step[0], step[1]));
    }
    assert_eq!(board.count(), 1, "{answer} for\n{puzzle}");
    true
}

/// The boards of source 002, with their solutions and distinct solutions.
fn published() -> [(Board, u64, usize); 6] {
    [
        (Board::of(&["...N", "....", ".R..", "..B."]), 1, 1),
        (Board::of(&["....", ".B..", "RP..", "...N"]), 1, 1),
        (Board::of(&[".NR.", "B...", "N..B", "..P."]), 204, 20),
        (Board::of(&["...N", "...R", "RBB.", "NPP."]), 94, 9),
        (Board::of(&["P...", ".R..", "R.R.", ".R.."]), 14, 6),
        (Board::of(&[".P.N", "K...", "..B.", "..RQ"]), 86, 12),
    ]
}

fn counted(count: u64, distinct: usize) -> Value {
    json!({"count": count.to_string(), "distinct": distinct.to_string()})
}

#[test]
fn the_published_boards_have_their_counts() {
    let mut rng = Rng::new(2);
    let mut batch = Batch::new();
    for (board, count, distinct) in &published() {
        assert_eq!(board.counts(Dialect::Default), (*count, *distinct), "the brute force itself");
        batch.push("solitaire", &format!("{}count\nsolve", board.body(Dialect::Default, &mut rng)));
    }
    for (i, (answers, (board, count, distinct))) in batch.solve().iter().zip(published()).enumerate() {
        assert_eq!(answers[0], counted(count, distinct), "for\n{}", batch.puzzle(i));
        assert!(replay(&board, Dialect::Default, &answers[1], batch.puzzle(i)));
    }
}

#[test]
fn answers_equal_a_brute_force_in_every_dialect() {
    let mut rng = Rng::new(22);
    let mut batch = Batch::new();
    let mut puzzles = Vec::new();
    for dialect in DIALECTS {
        for board in small_boards(&mut rng, dialect, 400) {
            batch.push("solitaire", &format!("{}solve\ncount", board.body(dialect, &mut rng)));
            puzzles.push((dialect, board));
        }
    }
    let mut solvable = [0; 2];
    for (i, (answers, (dialect, board))) in batch.solve().iter().zip(&puzzles).enumerate() {
        let (count, distinct) = board.counts(*dialect);
        let solved = replay(board, *dialect, &answers[0], batch.puzzle(i));
        assert_eq!(solved, count > 0, "{} for\n{}", answers[0], batch.puzzle(i));
        assert_eq!(answers[1], counted(count, distinct), "for\n{}", batch.puzzle(i));
        solvable[usize::from(solved)] += 1;
    }
    assert!(solvable.iter().all(|&count| count > 200), "both outcomes are tested: {solvable:?}");
}

#[test]
fn not_unique_is_raised_exactly_for_a_second_distinct_solution() {
    let mut rng = Rng::new(222);
    let mut batch = Batch::new();
    let mut expected = Vec::new();
    for dialect in DIALECTS {
        for board in small_boards(&mut rng, dialect, 250) {
            batch.push("solitaire", &format!("{}unique\nsolve", board.body(dialect, &mut rng)));
            expected.push(board.counts(dialect));
        }
    }
    let mut tally = [0; 3];
    for (i, (findings, (_, distinct))) in batch.check().iter().zip(expected).enumerate() {
        let severity = |code: &str| {
            let finding = findings.iter().find(|finding| finding.code == code);
            finding.map(|finding| finding.severity.as_str())
        };
        let puzzle = batch.puzzle(i);
        assert_eq!(
            severity("not-unique"),
            (distinct > 1).then_some("warning"),
            "{distinct} distinct: {findings:?} for\n{puzzle}"
        );
        assert_eq!(
            severity("unsolvable"),
            (distinct == 0).then_some("error"),
            "{distinct} distinct: {findings:?} for\n{puzzle}"
        );
        assert_eq!(severity("undecided"), None, "{findings:?} for\n{puzzle}");
        tally[distinct.min(2)] += 1;
    }
    assert!(tally.iter().all(|&count| count > 50), "none, one and more are tested: {tally:?}");
}

#[test]
fn one_piece_is_solved_already() {
    let mut rng = Rng::new(2222);
    let mut batch = Batch::new();
    for dialect in DIALECTS {
        for (width, height) in [(1, 2), (2, 1), (3, 3), (4, 4), (8, 8)] {
            let board = random_board(&mut rng, width, height, 1);
            batch.push("solitaire", &format!("{}solve\ncount", board.body(dialect, &mut rng)));
        }
    }
    for (i, answers) in batch.solve().iter().enumerate() {
        let solved = json!({"solvable": true, "moves": []});
        assert_eq!(answers[..], [solved, counted(1, 1)], "for\n{}", batch.puzzle(i));
    }
}

#[test]
fn every_printed_solution_of_a_crowded_board_replays() {
    let mut rng = Rng::new(21);
    let mut batch = Batch::new();
    let mut puzzles = Vec::new();
    for dialect in DIALECTS {
        for i in 0..80 {
            let pieces = rng.range(8, 10);
            let made = i % 2 == 0;
            let board = if made {
                solvable_board(&mut rng, dialect, 4, 4, pieces)
            } else {
                random_board(&mut rng, 4, 4, pieces)
            };
            batch.push("solitaire", &format!("{}solve", board.body(dialect, &mut rng)));
            puzzles.push((dialect, board, made));
        }
    }
    for (i, (answers, (dialect, board, made))) in batch.solve().iter().zip(&puzzles).enumerate() {
        let solved = replay(board, *dialect, &answers[0], batch.puzzle(i));
        assert!(solved || !made, "a board made from a solution has one:\n{}", batch.puzzle(i));
    }
}

#[test]
fn turning_and_mirroring_change_no_count() {
    let mut rng = Rng::new(212);
    let mut batch = Batch::new();
    let mut pairs = Vec::new();
    for dialect in DIALECTS {
        for _ in 0..30 {
            let pieces = rng.range(6, 9);
            let board = solvable_board(&mut rng, dialect, 4, 4, pieces);
            // Pawns that only capture upwards leave one mirror.
            let turns = if dialect == Dialect::Default { rng.below(8) } else { 1 };
            let mut turned = Board::empty(4, 4);
            for (square, piece) in board.squares().into_iter().zip(&board.cells) {
                let (mut x, mut y) = square;
                if turns & 1 != 0 {
                    x = 3 - x;
                }
                if turns & 2 != 0 {
                    y = 3 - y;
                }
                if turns & 4 != 0 {
                    (x, y) = (y, x);
                }
                if let Some(piece) = piece {
                    turned.put((x, y), piece.kind);
                }
            }
            for board in [&board, &turned] {
                batch.push("solitaire", &format!("{}count", board.body(dialect, &mut rng)));
            }
            pairs.push(board);
        }
    }
    for (i, pair) in batch.solve().chunks(2).enumerate() {
        let (first, second) = (batch.puzzle(2 * i), batch.puzzle(2 * i + 1));
        assert_eq!(pair[0], pair[1], "for\n{first}\nand\n{second}");
        assert!(pair[0][0]["count"].is_string(), "up to ten pieces counts are exact:\n{first}");
    }
}

#[test]
fn boards_of_sixteen_pieces_are_always_decided() {
    let mut rng = Rng::new(216);
    let mut boards: Vec<Board> = (0..20).map(|_| random_board(&mut rng, 4, 4, 16)).collect();
    // Boards of one kind have the most symmetries and the fewest ways to tell pieces apart.
    for kind in KINDS {
        let mut board = Board::empty(4, 4);
        for square in board.squares() {
            board.put(square, kind);
        }
        boards.push(board);
    }
    let mut batch = Batch::new();
    let mut puzzles = Vec::new();
    for dialect in DIALECTS {
        for board in &boards {
            let unique = rng.pick(&["", "unique\n"]);
            batch.push("solitaire", &format!("{}{unique}solve", board.body(dialect, &mut rng)));
            puzzles.push((dialect, board));
        }
    }
    for (i, (answers, (dialect, board))) in batch.solve().iter().zip(&puzzles).enumerate() {
        replay(board, *dialect, &answers[0], batch.puzzle(i));
    }
    let mut batch = Batch::new();
    for (dialect, board) in &puzzles {
        batch.push("solitaire", &format!("{}unique\nsolve", board.body(*dialect, &mut rng)));
    }
    for (i, findings) in batch.check().iter().enumerate() {
        let undecided = findings.iter().find(|finding| finding.code == "undecided");
        assert!(undecided.is_none(), "{undecided:?} for\n{}", batch.puzzle(i));
    }
}

#[test]
fn fifteen_knights_on_a_five_by_five_board_return() {
    let mut rng = Rng::new(215);
    let mut batch = Batch::new();
    let mut puzzles = Vec::new();
    for dialect in DIALECTS {
        for _ in 0..3 {
            let mut board = random_board(&mut rng, 5, 5, 15);
            for piece in board.cells.iter_mut().flatten() {
                piece.kind = 'N';
            }
            batch.push("solitaire", &format!("{}solve", board.body(dialect, &mut rng)));
            puzzles.push((dialect, board));
        }
    }
    for (i, (answers, (dialect, board))) in batch.solve().iter().zip(&puzzles).enumerate() {
        if answers[0].get("undecided").is_none() {
            replay(board, *dialect, &answers[0], batch.puzzle(i));
        }
    }
}
