//! Draughts captures against a brute force written straight from the Russian rules.

use crate::harness::batch::{Batch, Rng, list, squares};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A square, counted from 1: x from the left, y from the bottom.
type Square = (i8, i8);

const DIAGONALS: [Square; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    white: bool,
    king: bool,
}

type Board = BTreeMap<Square, Piece>;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Line {
    path: Vec<Square>,
    taken: Vec<Square>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Directly,
    After,
    No,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Directly => "directly",
            Verdict::After => "after",
            Verdict::No => "no",
        }
    }
}

fn on_board((x, y): Square) -> bool {
    (1..=8).contains(&x) && (1..=8).contains(&y)
}

fn dark_squares() -> Vec<Square> {
    let all = (1..=8).flat_map(|x| (1..=8).map(move |y| (x, y)));
    all.filter(|(x, y)| (x + y) % 2 == 0).collect()
}

/// A capture under way: `board` no longer has the moving piece, and still has those it took.
struct Capture<'a> {
    board: &'a Board,
    white: bool,
    lines: Vec<Line>,
    nodes: usize,
}

impl Capture<'_> {
    /// Every next capture of the piece on `from`: the piece it takes and where it may land.
    fn jumps(&self, from: Square, king: bool, taken: &[Square]) -> Vec<(Square, Vec<Square>)> {
        let mut jumps = Vec::new();
        for (dx, dy) in DIAGONALS {
            let along = |n: i8| (from.0 + n * dx, from.1 + n * dy);
            let empty = |square| on_board(square) && !self.board.contains_key(&square);
            let reach = if king { 7 } else { 1 };
            let Some(n) = (1..=reach).find(|&n| !empty(along(n))) else {
                continue;
            };
            let over = along(n);
            let enemy = self.board.get(&over).is_some_and(|piece| piece.white != self.white);
            if !enemy || taken.contains(&over) {
                continue;
            }
            let landings: Vec<_> =
                (n + 1..=n + reach).map(along).take_while(|&square| empty(square)).collect();
            if !landings.is_empty() {
                jumps.push((over, landings));
            }
        }
        jumps
    }

    fn go_on(&mut self, king: bool, path: &mut Vec<Square>, taken: &mut Vec<Square>) {
        self.nodes += 1;
        let from = path[path.len() - 1];
        let jumps = self.jumps(from, king, taken);
        if jumps.is_empty() && !taken.is_empty() {
            self.lines.push(Line { path: path.clone(), taken: taken.clone() });
        }
        let last_rank = if self.white { 8 } else { 1 };
        for (over, mut landings) in jumps {
            taken.push(over);
            if king {
                let goes_on = |&square: &Square| !self.jumps(square, true, taken).is_empty();
                if landings.iter().any(goes_on) {
                    landings.retain(goes_on);
                }
            }
            for landing in landings {
                path.push(landing);
                self.go_on(king || landing.1 == last_rank, path, taken);
                path.pop();
            }
            taken.pop();
        }
    }
}

/// Every complete capture of a side, sorted, and how many positions the search saw.
fn captures(board: &Board, white: bool) -> (Vec<Line>, usize) {
    let mut lines = Vec::new();
    let mut nodes = 0;
    for (&from, &piece) in board.iter().filter(|(_, piece)| piece.white == white) {
        let mut rest = board.clone();
        rest.remove(&from);
        let mut capture = Capture { board: &rest, white, lines: Vec::new(), nodes: 0 };
        capture.go_on(piece.king, &mut vec![from], &mut Vec::new());
        lines.append(&mut capture.lines);
        nodes += capture.nodes;
    }
    lines.sort();
    (lines, nodes)
}

fn verdict(lines: &[Line], square: Square) -> Verdict {
    if lines.iter().any(|line| line.taken[0] == square) {
        Verdict::Directly
    } else if lines.iter().any(|line| line.taken.contains(&square)) {
        Verdict::After
    } else {
        Verdict::No
    }
}

/// The program of source 004, function by function.
mod shortcut {
    use super::{Square, Verdict};

    fn on_edge((x, y): Square) -> bool {
        x == 1 || x == 8 || y == 1 || y == 8
    }

    fn coord((x, y): Square) -> i32 {
        i32::from(x) * 10 + i32::from(y)
    }

    /// How far apart two squares of a diagonal are, otherwise 0.
    fn on_diag(a: Square, b: Square) -> i32 {
        let n = (coord(a) - coord(b)).abs();
        if n % 11 == 0 {
            n / 11
        } else if n % 9 == 0 {
            n / 9
        } else {
            0
        }
    }

    fn different_sides(a: Square, middle: Square, b: Square) -> bool {
        let (a, middle, b) = (coord(a), coord(middle), coord(b));
        (a < middle && middle < b) || (b < middle && middle < a)
    }

    fn cross_diag(first: Square, second: Square, king: Square) -> bool {
        if on_diag(first, second) > 0 {
            return false;
        }
        let mut found = 0;
        for x in 1..9 {
            let mut y = if x % 2 == 1 { 1 } else { 2 };
            while y < 9 {
                if on_diag((x, y), first) > 0 && on_diag((x, y), second) > 0 {
                    if different_sides((x, y), first, king) {
                        return true;
                    }
                    found += 1;
                    // Leaves this column only, as in the original.
                    if found == 2 {
                        break;
                    }
                }
                y += 2;
            }
        }
        false
    }

    pub fn verdicts(king: Square, men: [Square; 2]) -> [Verdict; 2] {
        let direct = |man: Square| !on_edge(man) && on_diag(men[0], men[1]) != 1 && on_diag(man, king) > 0;
        let verdict = |man: Square, other: Square| {
            if direct(man) {
                Verdict::Directly
            } else if direct(other) && cross_diag(other, man, king) && !on_edge(man) {
                Verdict::After
            } else {
                Verdict::No
            }
        };
        [verdict(men[0], men[1]), verdict(men[1], men[0])]
    }
}

/// Every placing of a king and two men, the men in both orders.
fn placings() -> Vec<(Square, [Square; 2])> {
    let dark = dark_squares();
    let mut placings = Vec::new();
    for &king in &dark {
        for &first in dark.iter().filter(|&&square| square != king) {
            for &second in dark.iter().filter(|&&square| square != king && square != first) {
                placings.push((king, [first, second]));
            }
        }
    }
    placings
}

fn placing_board(king: Square, men: [Square; 2]) -> Board {
    let man = Piece { white: false, king: false };
    Board::from([(king, Piece { white: true, king: true }), (men[0], man), (men[1], man)])
}

/// How the shortcut and the rules part ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Difference {
    /// The men are diagonal neighbours. The shortcut then spares both, but a king on another
    /// diagonal of one of them takes it across.
    Neighbours,
    /// Both men are on the king's diagonal, on the same side of it. The shortcut takes both
    /// directly, but the farther one can only come second.
    OneLine,
    /// The shortcut sees a corner from which to take the second man, but the king never comes
    /// there: the corner is not behind the first man on the king's own diagonal.
    FalseCorner,
}

/// The squares from `a` on, away from it, in the direction of `b`; none if no diagonal has both.
fn ray(a: Square, b: Square) -> Vec<Square> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    if dx == 0 || dx.abs() != dy.abs() {
        return Vec::new();
    }
    let along = |n: i8| (a.0 + n * dx.signum(), a.1 + n * dy.signum());
    (1..8).map(along).take_while(|&square| on_board(square)).collect()
}

fn difference(king: Square, men: [Square; 2]) -> Difference {
    if ray(men[0], men[1]).first() == Some(&men[1]) {
        Difference::Neighbours
    } else if ray(king, men[0]).contains(&men[1]) {
        Difference::OneLine
    } else {
        Difference::FalseCorner
    }
}

/// Verdicts by the shortcut and by the rules, where they differ.
fn differing_verdicts(king: Square, men: [Square; 2]) -> Option<[(Verdict, Verdict); 2]> {
    let (lines, _) = captures(&placing_board(king, men), true);
    let shortcut = shortcut::verdicts(king, men);
    let both = [0, 1].map(|i| (shortcut[i], verdict(&lines, men[i])));
    both.iter().any(|(shortcut, rules)| shortcut != rules).then_some(both)
}

fn name((x, y): Square) -> String {
    format!("{}{y}", char::from(b'a' - 1 + x.unsigned_abs()))
}

fn json_path(path: &[Square]) -> Value {
    path.iter().map(|&(x, y)| json!([x, y])).collect()
}

/// The whole answer to `capture`, its pieces sorted by square.
fn expected_answer(board: &Board, white: bool) -> Value {
    let (lines, _) = captures(board, white);
    let line = |line: &Line| json!({"path": json_path(&line.path), "taken": json_path(&line.taken)});
    let enemies = board.iter().filter(|(_, piece)| piece.white != white);
    let piece = |(&square, _): (&Square, &Piece)| json!({"square": [square.0, square.1], "verdict": verdict(&lines, square).word()});
    json!({
        "captures": lines.iter().map(line).collect::<Value>(),
        "pieces": enemies.map(piece).collect::<Value>(),
    })
}

fn assert_answer(batch: &Batch, index: usize, answer: &Value, expected: &Value) {
    let mut answer = answer.clone();
    if let Some(pieces) = answer["pieces"].as_array_mut() {
        // The contract orders the captures, not the pieces.
        pieces.sort_by_key(|piece| squares(&json!([piece["square"]])));
    }
    assert_eq!(&answer, expected, "for\n{}", batch.puzzle(index));
}

/// The body of a puzzle, in one of the ways to write a board.
fn body(board: &Board, white: bool, rng: &mut Rng) -> String {
    let colour = if white { "white" } else { "black" };
    let letter = |piece: &Piece| match (piece.white, piece.king) {
        (true, true) => "K",
        (true, false) => "M",
        (false, true) => "k",
        (false, false) => "m",
    };
    let cells = |cell: &dyn Fn(Option<&Piece>) -> String, between: &str, rows: &str| {
        let row = |y: i8| (1..=8).map(|x| cell(board.get(&(x, y)))).collect::<Vec<_>>().join(between);
        (1..=8).rev().map(row).collect::<Vec<_>>().join(rows)
    };
    let entries: Vec<(&Square, &Piece)> = board.iter().collect();
    let side = |white: bool| {
        let of_side = entries.iter().filter(|(_, piece)| piece.white == white);
        let named = |(square, piece): &(&Square, &Piece)| {
            format!("{}{}", if piece.king { "K" } else { "" }, name(**square))
        };
        of_side.map(named).collect::<Vec<_>>().join(",")
    };
    let text = match rng.below(6) {
        0 => list(entries.iter().map(|((x, y), piece)| {
            let words = if piece.white { ["W", "white"] } else { ["B", "black"] };
            let kind = if piece.king { "K" } else { "M" };
            format!("[\"{}\",\"{kind}\",{x},{y}]", rng.pick(&words))
        })),
        1 => list(entries.iter().map(|((x, y), piece)| format!("[{x}{y}, '{}']", letter(piece)))),
        2 => list(entries.iter().map(|(s, piece)| format!("['{}', '{}']", name(**s), letter(piece)))),
        3 => {
            let cell = |piece: Option<&Piece>| match piece.map(letter) {
                None => ".".to_owned(),
                Some("K") => "W".to_owned(),
                Some("M") => "w".to_owned(),
                Some("k") => "B".to_owned(),
                Some(_) => "b".to_owned(),
            };
            let between = rng.pick(&["", " "]);
            format!("\n    {}", cells(&cell, between, "\n    "))
        }
        4 => {
            let cell = |piece: Option<&Piece>| match piece.map(letter) {
                None => "0".to_owned(),
                Some("K") => "2".to_owned(),
                Some("M") => "1".to_owned(),
                Some("k") => "-2".to_owned(),
                Some(_) => "-1".to_owned(),
            };
            format!("[[{}]]", cells(&cell, ",", "],["))
        }
        _ => {
            // The side to move of the string, which `turn` overrides every other time.
            let overridden = rng.chance(50);
            let mover = if white != overridden { "W" } else { "B" };
            let turn = if overridden { format!("\nturn {colour}") } else { String::new() };
            return format!("board \"{mover}:W{}:B{}\"{turn}\ncapture", side(true), side(false));
        }
    };
    let turn = if white && rng.chance(50) { String::new() } else { format!("turn {colour}\n") };
    format!("{turn}board {text}\ncapture")
}

/// A board with both colours, men off their last rank unless `anywhere`.
fn random_board(rng: &mut Rng, anywhere: bool) -> Board {
    let dark = dark_squares();
    let (most, kings) = (rng.range(2, 14), rng.pick(&[0, 15, 40, 100]));
    loop {
        let mut board = Board::new();
        let count = rng.range(2, most);
        while board.len() < count {
            let piece = Piece { white: rng.chance(50), king: rng.chance(kings) };
            let square = rng.pick(&dark);
            let last_rank = if piece.white { 8 } else { 1 };
            if piece.king || square.1 != last_rank || anywhere {
                board.insert(square, piece);
            }
        }
        if [true, false].iter().all(|&white| board.values().any(|piece| piece.white == white)) {
            return board;
        }
    }
}

/// True if a man of the line becomes a king and goes on.
fn promotes_on_the_way(board: &Board, line: &Line) -> bool {
    let piece = board[&line.path[0]];
    let last_rank = if piece.white { 8 } else { 1 };
    let on_the_way = &line.path[1..line.path.len() - 1];
    !piece.king && on_the_way.iter().any(|square| square.1 == last_rank)
}

#[test]
fn all_placings_of_a_king_and_two_men_follow_the_rules() {
    let placings = placings();
    assert_eq!(placings.len(), 29_760);
    let mut batch = Batch::new();
    for (king, men) in &placings {
        let [(ax, ay), (bx, by)] = men;
        let pieces = [format!("[\"W\",\"K\",{},{}]", king.0, king.1)].into_iter();
        let men = [format!("[\"B\",\"M\",{ax},{ay}]"), format!("[\"B\",\"M\",{bx},{by}]")];
        batch.push("draughts", &format!("board {}\ncapture", list(pieces.chain(men))));
    }
    for (i, (answers, (king, men))) in batch.solve().iter().zip(&placings).enumerate() {
        let expected = expected_answer(&placing_board(*king, *men), true);
        assert_answer(&batch, i, &answers[0], &expected);
    }
}

#[test]
fn the_shortcut_differs_in_three_kinds_of_placings() {
    use Verdict::{After, Directly, No};
    let mut counts = BTreeMap::new();
    for (king, men) in placings() {
        let Some(mut verdicts) = differing_verdicts(king, men) else {
            continue;
        };
        verdicts.sort_by_key(|(shortcut, rules)| (shortcut.word(), rules.word()));
        let kind = difference(king, men);
        // Each kind goes wrong in its own way, and only so.
        let expected = match kind {
            Difference::Neighbours => [(No, Directly), (No, No)],
            Difference::OneLine => [(Directly, After), (Directly, Directly)],
            Difference::FalseCorner => [(After, No), (Directly, Directly)],
        };
        assert_eq!(verdicts, expected, "king {king:?}, men {men:?}");
        if kind == Difference::FalseCorner {
            for (first, second) in [(men[0], men[1]), (men[1], men[0])] {
                let mut behind = ray(king, first).into_iter().skip_while(|&s| s != first).skip(1);
                let corner = behind.find(|&square| !ray(square, second).is_empty());
                assert_eq!(corner, None, "king {king:?}, men {men:?}");
            }
        }
        *counts.entry(kind).or_insert(0) += 1;
    }
    let expected =
        [(Difference::Neighbours, 728), (Difference::OneLine, 200), (Difference::FalseCorner, 876)];
    assert_eq!(counts, BTreeMap::from(expected));
    assert_eq!(counts.values().sum::<i32>(), 1804);
}

#[test]
fn the_binary_differs_from_the_shortcut_in_1804_placings() {
    let placings = placings();
    let mut batch = Batch::new();
    for (king, [a, b]) in &placings {
        let board = format!("\"W:WK{}:B{},{}\"", name(*king), name(*a), name(*b));
        batch.push("draughts", &format!("board {board}\ncapture"));
    }
    let differs = |(answers, (king, men)): &(Vec<Value>, (Square, [Square; 2]))| {
        let shortcut = shortcut::verdicts(*king, *men);
        let pieces = answers[0]["pieces"].as_array().expect("pieces");
        [0, 1].iter().any(|&i| {
            let square = json!([men[i].0, men[i].1]);
            let piece = pieces.iter().find(|piece| piece["square"] == square).expect("each man");
            piece["verdict"] != shortcut[i].word()
        })
    };
    assert_eq!(batch.solve().into_iter().zip(placings).filter(differs).count(), 1804);
}

#[test]
fn a_man_that_becomes_a_king_lands_where_it_can_go_on() {
    // After h6:f8 the new king takes c5. It must land on b4, where d2 is next, not on a3.
    let board = "board \"W:Wh6:Bg7,c5,d2\"\ncapture";
    let mut batch = Batch::new();
    batch.push("draughts", board);
    let man = |square| (square, Piece { white: false, king: false });
    let white = ((8, 6), Piece { white: true, king: false });
    let pieces = Board::from([white, man((7, 7)), man((3, 5)), man((4, 2))]);
    let expected = expected_answer(&pieces, true);
    let path = json!([[8, 6], [6, 8], [2, 4], [5, 1]]);
    let line = json!({"path": path, "taken": [[7, 7], [3, 5], [4, 2]]});
    assert_eq!(expected["captures"], json!([line]));
    assert_answer(&batch, 0, &batch.solve()[0][0], &expected);
}

#[test]
fn random_boards_follow_the_rules() {
    let mut rng = Rng::new(4);
    let mut batch = Batch::new();
    let mut boards = Vec::new();
    // As many boards for each length of the longest capture, and some with a promotion on the way.
    let mut by_length = [0; 6];
    let mut promotions = 0;
    while by_length.iter().any(|&count| count < 300) || promotions < 300 {
        let board = random_board(&mut rng, false);
        let white = rng.chance(50);
        let (lines, nodes) = captures(&board, white);
        let length = lines.iter().map(|line| line.taken.len()).max().unwrap_or(0).min(5);
        let promotes = lines.iter().any(|line| promotes_on_the_way(&board, line));
        if nodes > 5000 || (by_length[length] >= 300 && !(promotes && promotions < 300)) {
            continue;
        }
        by_length[length] += 1;
        promotions += usize::from(promotes);
        batch.push("draughts", &body(&board, white, &mut rng));
        boards.push((board, white));
    }
    for (i, (answers, (board, white))) in batch.solve().iter().zip(&boards).enumerate() {
        assert_answer(&batch, i, &answers[0], &expected_answer(board, *white));
    }
}

#[test]
fn a_man_that_starts_on_its_last_rank_is_still_a_man() {
    let mut rng = Rng::new(44);
    let mut batch = Batch::new();
    let mut boards = Vec::new();
    while boards.len() < 300 {
        let board = random_board(&mut rng, true);
        let white = rng.chance(50);
        let last_rank = if white { 8 } else { 1 };
        let (lines, nodes) = captures(&board, white);
        let odd = |line: &Line| line.path[0].1 == last_rank && !board[&line.path[0]].king;
        if nodes <= 5000 && lines.iter().any(odd) {
            batch.push("draughts", &body(&board, white, &mut rng));
            boards.push((board, white));
        }
    }
    for (i, (answers, (board, white))) in batch.solve().iter().zip(&boards).enumerate() {
        assert_answer(&batch, i, &answers[0], &expected_answer(board, *white));
    }
}

#[test]
fn captures_come_sorted_and_once() {
    let mut rng = Rng::new(444);
    let mut batch = Batch::new();
    while batch.len() < 300 {
        let board = random_board(&mut rng, false);
        let (lines, nodes) = captures(&board, true);
        if nodes <= 5000 && lines.len() > 3 {
            batch.push("draughts", &body(&board, true, &mut rng));
        }
    }
    for (i, answers) in batch.solve().iter().enumerate() {
        let captures = answers[0]["captures"].as_array().expect("captures");
        let paths: Vec<_> = captures.iter().map(|capture| squares(&capture["path"])).collect();
        assert!(paths.is_sorted_by(|a, b| a < b), "{paths:?} for\n{}", batch.puzzle(i));
    }
}

#[test]
fn turning_the_board_and_the_colours_turns_the_captures() {
    let mut rng = Rng::new(4444);
    let mut batch = Batch::new();
    for _ in 0..300 {
        let board = random_board(&mut rng, false);
        let turn =
            |(&(x, y), piece): (&Square, &Piece)| ((9 - x, 9 - y), Piece { white: !piece.white, ..*piece });
        let turned: Board = board.iter().map(turn).collect();
        batch.push("draughts", &body(&board, true, &mut rng));
        batch.push("draughts", &body(&turned, false, &mut rng));
    }
    let sorted = |answer: &Value, turned: bool| {
        let squares = |value: &Value| {
            let mut path = squares(value);
            for number in path.iter_mut().flatten().filter(|_| turned) {
                *number = 9 - *number;
            }
            path
        };
        let lines = answer["captures"].as_array().expect("captures").iter();
        let mut lines: Vec<_> = lines.map(|line| (squares(&line["path"]), squares(&line["taken"]))).collect();
        lines.sort();
        lines
    };
    for (i, pair) in batch.solve().chunks(2).enumerate() {
        let puzzle = batch.puzzle(2 * i);
        assert_eq!(sorted(&pair[0][0], false), sorted(&pair[1][0], true), "for\n{puzzle}");
    }
}

#[test]
fn generated_captures_are_the_only_ones_of_the_reference() {
    for (seed, captures, pieces, kinds) in [
        (1, 1, 2, "M"),
        (2, 2, 6, "M5K"),
        (3, 3, 9, "M5K"),
        (4, 4, 12, "M"),
        (5, 5, 10, "KM"),
        (6, 3, 12, "M9K"),
    ] {
        let options = cpz::GenerateOptions {
            game: "draughts".into(),
            count: 6,
            seed,
            captures: Some(captures),
            pieces: Some(pieces),
            kinds: Some(kinds.into()),
            ..Default::default()
        };
        let made = cpz::generate_puzzles(&options).expect("good options");
        assert_eq!(made.puzzles, 6, "seed {seed}");
        let found = cpz::check_text(&made.text, &cpz::CheckOptions { hints: true, ..Default::default() });
        assert_eq!(found.expect("checked")["files"][0]["diagnostics"], json!([]), "seed {seed}");
        let boards: Vec<Board> = made.text.split("draughts ").skip(1).map(written_board).collect();
        assert_eq!(boards.len(), 6);
        for (i, board) in boards.iter().enumerate() {
            let (lines, _) = self::captures(board, true);
            assert_eq!(lines.len(), 1, "seed {seed}, number {}", i + 1);
            assert_eq!(lines[0].taken.len(), captures as usize, "seed {seed}, number {}", i + 1);
            assert_eq!(board.len(), pieces as usize);
            assert!(!boards[..i].contains(board), "seed {seed}: a board twice");
        }
    }
}

/// The board of a puzzle as it is written: eight rows of letters from the top.
fn written_board(puzzle: &str) -> Board {
    let letters = puzzle.lines().filter(|line| line.starts_with("    "));
    let rows: Vec<Vec<char>> = letters.map(|row| row.chars().filter(|c| *c != ' ').collect()).collect();
    assert_eq!(rows.len(), 8, "{puzzle}");
    let mut board = Board::new();
    for (y, row) in (1..=8).rev().zip(rows) {
        for (x, letter) in (1..=8).zip(row).filter(|(_, letter)| *letter != '.') {
            let piece = Piece { white: "wW".contains(letter), king: letter.is_ascii_uppercase() };
            assert!((x + y) % 2 == 0 && "wbWB".contains(letter));
            board.insert((x, y), piece);
        }
    }
    board
}
