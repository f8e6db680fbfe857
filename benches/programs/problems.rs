//! Solves chess problems, compares the answers with those of a file, and measures.
//!
//! `problems [--naive] [--print] [--nodes=N] FILE…`: each line of a file is an object with `fen`, `stip` (`#2`, `s#3`, `h#2.5`) and
//! `keys` or `solutions` in UCI. Prints for each file the number of problems, those that differ, the mean and the
//! largest time in milliseconds, and the nodes of one problem. `--naive` solves mates with a plain recursion over
//! cozy-chess instead.

use std::time::{Duration, Instant};

use cozy_chess::{Board as Naive, Move};
use cpz::board::{Board, Castling, Colour, Kind, Piece, Rights, Size, Square};
use cpz::games::{Budget, ChessMove, Dialect, Position, Stipulation, find_keys, find_sequences};
use serde_json::Value;

/// The position of a FEN that is known to be well formed.
fn position(fen: &str) -> Position {
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut board = Board::empty(Size::flat(8, 8));
    for (row, rank) in fields[0].split('/').enumerate() {
        let mut x = 0;
        for c in rank.chars() {
            if let Some(n) = c.to_digit(10) {
                x += n as u8;
                continue;
            }
            let colour = if c.is_ascii_uppercase() { Colour::White } else { Colour::Black };
            let kind = Kind::from_letter(c).expect("a kind");
            let cell = board.index(Square::new(x, 7 - row as u8));
            board.cells[cell] = Some(Piece::new(colour, kind));
            x += 1;
        }
    }
    let turn = if fields[1] == "w" { Colour::White } else { Colour::Black };
    let castling = Castling::parse(fields[2]).expect("castling rights");
    let square = |s: &str| Square::new(s.as_bytes()[0] - b'a', s.as_bytes()[1] - b'1');
    let en_passant = (fields[3] != "-").then(|| square(fields[3]));
    Position { board, turn, dialect: Dialect::Default, rights: Rights { castling, en_passant } }
}

fn stipulation(text: &str) -> Stipulation {
    Stipulation::from_short(text).expect("a stipulation")
}

fn uci(line: &[ChessMove]) -> Vec<String> {
    line.iter().map(|mv| mv.uci()).collect()
}

/// The answer as sorted lines, whether it is complete, and the nodes.
fn solve(position: &Position, stipulation: Stipulation, nodes: u64) -> (Vec<Vec<String>>, bool, u64) {
    let budget = Budget::new(nodes, None);
    let (mut lines, complete) = match stipulation.play().has_sequences() {
        true => {
            let found = find_sequences(position, stipulation, &budget).expect("not cancelled");
            (found.solutions.iter().map(|line| uci(line)).collect::<Vec<_>>(), found.complete)
        }
        false => {
            let found = find_keys(position, stipulation, &budget).expect("not cancelled");
            (found.keys.iter().map(|key| uci(&[key.mv])).collect(), found.complete)
        }
    };
    lines.sort();
    (lines, complete, nodes - budget.left())
}

fn naive_moves(board: &Naive) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|piece| {
        moves.extend(piece);
        false
    });
    moves
}

fn naive_mate(board: &Naive, moves: u32) -> bool {
    naive_moves(board).into_iter().any(|mv| {
        let mut next = board.clone();
        next.play_unchecked(mv);
        naive_defence(&next, moves - 1)
    })
}

fn naive_defence(board: &Naive, moves: u32) -> bool {
    let replies = naive_moves(board);
    if replies.is_empty() {
        return !board.checkers().is_empty();
    }
    moves > 0
        && replies.into_iter().all(|mv| {
            let mut next = board.clone();
            next.play_unchecked(mv);
            naive_mate(&next, moves)
        })
}

fn naive_keys(fen: &str, moves: u32) -> Option<usize> {
    let board: Naive = fen.parse().ok()?;
    let keys = naive_moves(&board).into_iter().filter(|&mv| {
        let mut next = board.clone();
        next.play_unchecked(mv);
        naive_defence(&next, moves - 1)
    });
    Some(keys.count())
}

fn expected(problem: &Value) -> Vec<Vec<String>> {
    let word = |v: &Value| v.as_str().unwrap_or("").to_string();
    let mut lines: Vec<Vec<String>> = match (&problem["keys"], &problem["solutions"]) {
        (Value::Array(keys), _) => keys.iter().map(|key| vec![word(key)]).collect(),
        (_, Value::Array(lines)) => {
            lines.iter().map(|l| l.as_array().expect("a line").iter().map(word).collect()).collect()
        }
        _ => Vec::new(),
    };
    lines.sort();
    lines.dedup();
    lines
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let before = arguments.len();
        arguments.retain(|a| a != name);
        arguments.len() < before
    };
    let (naive, print) = (flag("--naive"), flag("--print"));
    let nodes = arguments
        .iter()
        .find_map(|a| a.strip_prefix("--nodes="))
        .map_or(2_000_000_000, |n| n.parse().expect("a number of nodes"));
    arguments.retain(|a| !a.starts_with("--nodes="));
    println!("file\tproblems\tdiffer\tmean ms\tmax ms\tmean nodes");
    for file in arguments {
        let text = std::fs::read_to_string(&file).expect("a file");
        let (mut count, mut wrong, mut total, mut all_nodes) = (0u32, 0, Duration::ZERO, 0);
        let mut worst = (Duration::ZERO, String::new());
        for line in text.lines() {
            let problem: Value = serde_json::from_str(line).expect("JSON");
            let fen = problem["fen"].as_str().expect("a FEN");
            let asked = stipulation(problem["stip"].as_str().expect("a stipulation"));
            let start = Instant::now();
            if naive {
                if naive_keys(fen, u32::from(asked.moves())).is_none() {
                    continue;
                }
            } else {
                let position = position(fen);
                let start = Instant::now();
                let (found, complete, spent) = solve(&position, asked, nodes);
                let took = start.elapsed();
                all_nodes += spent;
                if print {
                    println!(
                        "{fen}\t{}\t{:.4}\t{spent}\t{found:?}",
                        problem["stip"],
                        took.as_secs_f64() * 1e3
                    );
                }
                if found != expected(&problem) || !complete {
                    wrong += 1;
                    println!("{fen} {} is {found:?}, not {:?}", problem["stip"], expected(&problem));
                }
            }
            let took = start.elapsed();
            count += 1;
            total += took;
            if took > worst.0 {
                worst = (took, fen.to_string());
            }
        }
        let (mean, max) = (total.as_secs_f64() * 1e3 / f64::from(count.max(1)), worst.0.as_secs_f64() * 1e3);
        println!(
            "{file}\t{count}\t{wrong}\t{mean:.4}\t{max:.2}\t{}\t{}",
            all_nodes / u64::from(count.max(1)),
            worst.1
        );
    }
}
