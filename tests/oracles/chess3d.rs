//! Mates in three dimensions against a slow reference that tries every move.

use crate::harness::batch::{Batch, Rng, list};
use serde_json::json;

/// A cell, counted from 0: x from the left, y from the bottom, z from the bottom level.
type Cell = [i32; 3];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    white: bool,
    kind: char,
}

impl Piece {
    fn letter(self) -> char {
        if self.white { self.kind } else { self.kind.to_ascii_lowercase() }
    }
}

/// The numbers of the pieces, from 1.
const KINDS: &str = "KQRBN";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Checkmate,
    Check,
    Stalemate,
    None,
}

impl Status {
    fn word(self) -> &'static str {
        match self {
            Status::Checkmate => "checkmate",
            Status::Check => "check",
            Status::Stalemate => "stalemate",
            Status::None => "none",
        }
    }
}

#[derive(Clone, Debug)]
struct Board {
    n: i32,
    cells: Vec<Option<Piece>>,
}

impl Board {
    fn empty(n: i32) -> Self {
        Self { n, cells: vec![None; (n * n * n) as usize] }
    }

    /// A board as source 003 prints it: rows of cells, from the top of the top level down.
    fn of(text: &str) -> Self {
        let rows: Vec<&str> = text.split(['[', ']', ',']).filter(|row| !row.is_empty()).collect();
        let n = rows[0].len() as i32;
        let mut board = Self::empty(n);
        for (i, row) in (0..).zip(rows) {
            for (x, cell) in (0..).zip(row.chars()).filter(|(_, cell)| cell.is_ascii_alphabetic()) {
                let piece = Piece { white: cell.is_ascii_uppercase(), kind: cell.to_ascii_uppercase() };
                board.put([x, n - 1 - i % n, n - 1 - i / n], Some(piece));
            }
        }
        board
    }

    fn index(&self, [x, y, z]: Cell) -> usize {
        ((z * self.n + y) * self.n + x) as usize
    }

    fn at(&self, cell: Cell) -> Option<Piece> {
        self.cells[self.index(cell)]
    }

    fn put(&mut self, cell: Cell, piece: Option<Piece>) {
        let index = self.index(cell);
        self.cells[index] = piece;
    }

    fn all_cells(&self) -> Vec<Cell> {
        let n = self.n;
        (0..n * n * n).map(|i| [i % n, i / n % n, i / (n * n)]).collect()
    }

    fn pieces(&self) -> Vec<(Cell, Piece)> {
        self.all_cells().into_iter().filter_map(|cell| Some((cell, self.at(cell)?))).collect()
    }

    /// True if the piece on `from` can go to `to`, whatever stands there.
    fn reaches(&self, from: Cell, to: Cell) -> bool {
        let Some(piece) = self.at(from) else {
            return false;
        };
        let by: Vec<i32> = (0..3).map(|axis| to[axis] - from[axis]).collect();
        let mut far: Vec<i32> = by.iter().map(|d| d.abs()).collect();
        far.sort();
        let steps = far[2];
        let straight = far.iter().all(|&d| d == 0 || d == steps);
        let shape = match piece.kind {
            'K' => steps == 1,
            'Q' => straight,
            'R' => far[1] == 0,
            'B' => far[0] == steps,
            'N' => far == [0, 1, 2],
            kind => panic!("no piece {kind}"),
        };
        let between = |i: i32| [0, 1, 2].map(|axis| from[axis] + i * by[axis].signum());
        steps > 0 && shape && (piece.kind == 'N' || (1..steps).all(|i| self.at(between(i)).is_none()))
    }

    fn is_in_check(&self, white: bool) -> bool {
        let pieces = self.pieces();
        let king = pieces.iter().find(|(_, piece)| *piece == Piece { white, kind: 'K' });
        king.is_some_and(|&(king, _)| {
            pieces.iter().any(|&(from, piece)| piece.white != white && self.reaches(from, king))
        })
    }

    fn can_move(&self, white: bool) -> bool {
        let own = |cell: Cell| self.at(cell).is_some_and(|piece| piece.white == white);
        let from = self.all_cells().into_iter().filter(|&cell| own(cell));
        let mut moves = from.flat_map(|from| self.all_cells().into_iter().map(move |to| (from, to)));
        moves.any(|(from, to)| {
            if own(to) || !self.reaches(from, to) {
                return false;
            }
            let mut after = self.clone();
            after.put(from, None);
            after.put(to, self.at(from));
            !after.is_in_check(white)
        })
    }

    fn status(&self, white: bool) -> Status {
        match (self.is_in_check(white), self.can_move(white)) {
            (true, false) => Status::Checkmate,
            (true, true) => Status::Check,
            (false, false) => Status::Stalemate,
            (false, true) => Status::None,
        }
    }

    /// The board and the side to move, in one of the ways to write them.
    fn body(&self, white: bool, rng: &mut Rng) -> String {
        let n = self.n;
        let rows = |z: i32, cell: &dyn Fn(Option<Piece>) -> String, between: &str| -> Vec<String> {
            let row = |y| (0..n).map(|x| cell(self.at([x, y, z]))).collect::<Vec<_>>().join(between);
            (0..n).rev().map(row).collect()
        };
        let level = |z: i32, cell: &dyn Fn(Option<Piece>) -> String, between: &str| {
            list(rows(z, cell, between).into_iter().map(|row| format!("[{row}]")))
        };
        let levels = |level: &dyn Fn(i32) -> String| (0..n).rev().map(level).collect::<Vec<_>>();
        let empty = rng.pick(&['#', '.']);
        let letter = |piece: Option<Piece>| piece.map_or(empty, Piece::letter).to_string();
        let quoted = |piece: Option<Piece>| format!("'{}'", letter(piece));
        let number = |piece: Option<Piece>| {
            let number = |piece: Piece| KINDS.find(piece.kind).expect("a piece") as i32 + 1;
            piece.map_or(0, |piece| if piece.white { number(piece) } else { -number(piece) }).to_string()
        };
        let words = |z| format!("[{}]", rows(z, &letter, "").join(","));
        let mut size = if rng.chance(30) { format!("size {n}\n") } else { String::new() };
        let board = match rng.below(6) {
            0 => levels(&words).join(","),
            1 => list(levels(&words)),
            2 => format!("\n{}", levels(&|z| rows(z, &letter, "").join("\n")).join("\n\n")),
            3 => list(levels(&|z| level(z, &quoted, ","))),
            4 => list(levels(&|z| level(z, &number, ","))),
            _ => {
                size = format!("size {n}\n");
                list(self.pieces().into_iter().map(|([x, y, z], piece)| {
                    let colour = if piece.white { "W" } else { "B" };
                    format!("[\"{colour}\",\"{}\",{},{},{}]", piece.kind, x + 1, y + 1, z + 1)
                }))
            }
        };
        let turn = if white { rng.pick(&["", "turn white\n"]) } else { "turn black\n" };
        format!("{size}{turn}board {board}\n")
    }
}

/// Puzzles with the statuses they are due, compared in one run.
fn compare(puzzles: &[(Board, bool, Status)], rng: &mut Rng) {
    let mut batch = Batch::new();
    for (board, white, _) in puzzles {
        batch.push("chess3d", &format!("{}mate", board.body(*white, rng)));
    }
    for (i, (answers, (_, white, status))) in batch.solve().iter().zip(puzzles).enumerate() {
        let side = if *white { "white" } else { "black" };
        let expected = json!({"status": status.word(), "side": side});
        assert_eq!(answers[0], expected, "for\n{}", batch.puzzle(i));
    }
}

/// At most one king a colour, and enemies enough to give check now and then. A level restricts
/// where pieces stand.
fn random_board(rng: &mut Rng, n: i32, white: bool, level: Option<i32>) -> Board {
    let mut board = Board::empty(n);
    let coordinate = |rng: &mut Rng| rng.below(n as usize) as i32;
    let mut place = |rng: &mut Rng, white: bool, kind: char, cornered: bool| {
        for _ in 0..20 {
            let mut cell = [0; 3].map(|_| coordinate(rng));
            if cornered {
                cell = cell.map(|c| if 2 * c < n { 0 } else { n - 1 });
            }
            cell[2] = level.unwrap_or(cell[2]);
            if board.at(cell).is_none() {
                board.put(cell, Some(Piece { white, kind }));
                return;
            }
        }
    };
    // Cornered kings are mated often enough to find.
    let cornered = rng.chance(70);
    if rng.chance(95) {
        place(rng, white, 'K', cornered);
    }
    if rng.chance(60) {
        place(rng, !white, 'K', false);
    }
    for _ in 0..rng.below(4) {
        let kind = rng.pick(&['Q', 'R', 'B', 'N']);
        let cornered = rng.chance(30);
        place(rng, white, kind, cornered);
    }
    for _ in 0..rng.range(1, 5) {
        let kind = rng.pick(&['Q', 'Q', 'R', 'R', 'B', 'N']);
        place(rng, !white, kind, false);
    }
    board
}

/// Boards of the given sizes, so many of each status; fewer stalemates where those are rare.
fn boards_of_each_status(
    rng: &mut Rng,
    sizes: &[i32],
    each: usize,
    level: bool,
) -> Vec<(Board, bool, Status)> {
    let mut boards = Vec::new();
    for &n in sizes {
        let mut found = [0; 4];
        let enough = |found: &[usize; 4], status: Status| found[status as usize] == each;
        for tries in 0.. {
            let common = [Status::Checkmate, Status::Check, Status::None];
            let rare = tries > 3000 || enough(&found, Status::Stalemate);
            if rare && common.iter().all(|&status| enough(&found, status)) {
                break;
            }
            let white = rng.chance(50);
            let level = level.then(|| rng.below(n as usize) as i32);
            let board = random_board(rng, n, white, level);
            // The other side may not be in check, and a side without pieces is no side to move.
            let side = board.cells.iter().flatten().any(|piece| piece.white == white);
            if !side || board.is_in_check(!white) {
                continue;
            }
            let status = board.status(white);
            if !enough(&found, status) {
                found[status as usize] += 1;
                boards.push((board, white, status));
            }
        }
    }
    boards
}

/// The boards printed in source 003.
const PUBLISHED: [(&str, Status); 5] = [
    ("[###,n##,#rr],[#b#,###,###],[###,###,bRK]", Status::Checkmate),
    ("[b#b,###,###],[###,###,RNR],[#q#,###,#K#]", Status::Check),
    ("[#q#,#b#,###],[n##,###,###],[#k#,###,#KB]", Status::Check),
    (
        "[####,####,r###,####],[####,#q##,####,####],[##r#,###b,####,BRnn],[####,####,#N##,#KQ#]",
        Status::Checkmate,
    ),
    ("[###,##b,r#r],[###,###,###],[#k#,###,#K#]", Status::Stalemate),
];

#[test]
fn the_published_boards_have_their_statuses() {
    let mut rng = Rng::new(3);
    let mut batch = Batch::new();
    for (text, status) in PUBLISHED {
        let board = Board::of(text);
        assert_eq!(board.status(true), status, "the reference itself");
        batch.push("chess3d", &format!("board {text}\nmate"));
        batch.push("chess3d", &format!("{}mate", board.body(true, &mut rng)));
    }
    for (i, answers) in batch.solve().iter().enumerate() {
        assert_eq!(answers[0]["status"], PUBLISHED[i / 2].1.word(), "for\n{}", batch.puzzle(i));
    }
}

#[test]
fn statuses_follow_the_slow_reference() {
    let mut rng = Rng::new(33);
    let puzzles = boards_of_each_status(&mut rng, &[2, 3, 4, 5], 80, false);
    compare(&puzzles, &mut rng);
}

#[test]
fn boards_on_one_level_follow_the_slow_reference() {
    let mut rng = Rng::new(333);
    let puzzles = boards_of_each_status(&mut rng, &[2, 3, 4, 5, 6, 7, 8], 15, true);
    compare(&puzzles, &mut rng);
}

#[test]
fn boards_of_ten_levels_follow_the_slow_reference() {
    let mut rng = Rng::new(3333);
    let puzzles = boards_of_each_status(&mut rng, &[10], 4, false);
    compare(&puzzles, &mut rng);
}

#[test]
fn impossible_positions_are_answered_all_the_same() {
    let mut rng = Rng::new(331);
    let mut puzzles = Vec::new();
    while puzzles.len() < 200 {
        let white = rng.chance(50);
        let n = rng.range(2, 4) as i32;
        let board = random_board(&mut rng, n, white, None);
        if board.is_in_check(!white) {
            let status = board.status(white);
            puzzles.push((board, white, status));
        }
    }
    compare(&puzzles, &mut rng);
}

#[test]
fn no_symmetry_of_the_cube_changes_a_status() {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut rng = Rng::new(33333);
    let mut puzzles = Vec::new();
    for (board, white, status) in boards_of_each_status(&mut rng, &[2, 3, 4], 4, false) {
        for order in ORDERS {
            for flips in 0..8 {
                let mut turned = Board::empty(board.n);
                for (cell, piece) in board.pieces() {
                    let turn = |axis: usize| {
                        let c = cell[order[axis]];
                        if (flips >> axis) & 1 == 1 { board.n - 1 - c } else { c }
                    };
                    turned.put([0, 1, 2].map(turn), Some(piece));
                }
                puzzles.push((turned, white, status));
            }
        }
    }
    compare(&puzzles, &mut rng);
}

#[test]
fn generated_mates_are_mates_of_the_reference_without_idle_pieces() {
    for (seed, size, pieces) in
        [(1, "3", None), (2, "3x3", Some(4)), (3, "4x4x4", None), (4, "3x3x3", Some(6)), (5, "5", None)]
    {
        let options = cpz::GenerateOptions {
            game: "chess3d".into(),
            count: 4,
            seed,
            size: Some(size.into()),
            pieces,
            ..Default::default()
        };
        let made = cpz::generate_puzzles(&options).expect("good options");
        assert_eq!(made.puzzles, 4, "seed {seed}");
        let found = cpz::check_text(&made.text, &cpz::CheckOptions { hints: true, ..Default::default() });
        assert_eq!(found.expect("checked")["files"][0]["diagnostics"], json!([]), "seed {seed}");
        for text in made.text.split("chess3d ").skip(1) {
            let rows = text.lines().filter(|line| line.starts_with("    "));
            let rows: Vec<String> =
                rows.map(|row| row.replace(' ', "")).filter(|row| !row.is_empty()).collect();
            let board = Board::of(&rows.join(","));
            assert_eq!(board.status(true), Status::Checkmate, "seed {seed}: {text}");
            assert!(!board.is_in_check(false), "seed {seed}: {text}");
            assert!(pieces.is_none_or(|n| board.pieces().len() == n as usize), "seed {seed}: {text}");
            for (cell, piece) in board.pieces() {
                let mut without = board.clone();
                without.put(cell, None);
                let is_needed = piece.kind == 'K' || without.status(true) != Status::Checkmate;
                assert!(is_needed, "seed {seed}: {piece:?} on {cell:?} is idle in {text}");
            }
        }
    }
}
