//! Legal moves, captures and states that a program in another language found: `tests/oracles/compare` runs it.
//!
//! A line of standard input is a position with what that program says of it, parted by tabs:
//!
//! - `chess`, a FEN, the state of the side to move, and its legal moves in UCI, each with its SAN behind `=` where that is
//!   compared too;
//! - `draughts`, the side to move, the 64 squares from a1 to h8, and its captures with all squares, `a1:c3:e5`.

use std::collections::BTreeSet;
use std::io::BufRead;

use cpz::board::{Board, Castling, Colour, Kind, Piece, Rights, Size, Square, square_name};
use cpz::games::{Answer, Budget, Dialect, Position, Question, Status, game, legal_moves, san, status_of};
use cpz::syntax::{GameId, Verb};

/// The most differences that are shown.
const SHOWN: usize = 20;

#[test]
#[ignore = "reads the answers of another program: tests/oracles/compare"]
fn answers_are_those_of_another_program() {
    let (mut positions, mut differences) = (0, Vec::new());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line of text");
        let fields: Vec<&str> = line.split('\t').collect();
        let (found, expected) = match fields[..] {
            ["chess", fen, state, moves] => chess(fen, state, moves),
            ["draughts", side, squares, captures] => (draughts(side, squares), set(captures)),
            _ => panic!("no such line: {line}"),
        };
        positions += 1;
        if found != expected {
            let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
                a.difference(b).cloned().collect::<Vec<_>>().join(" ")
            };
            let (ours, theirs) = (only(&found, &expected), only(&expected, &found));
            differences.push(format!("{line}\n  only cpz: {ours}\n  only the other: {theirs}"));
        }
    }
    let count = differences.len();
    differences.truncate(SHOWN);
    assert!(count == 0, "{count} of {positions} positions differ:\n{}", differences.join("\n"));
    println!("{positions} positions agree");
    assert!(positions > 0, "there were no positions");
}

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(String::from).collect()
}

/// What cpz says of a position, and what the other program does: the moves, and the state as one more word.
fn chess(fen: &str, state: &str, moves: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let position = position_of(fen);
    let is_named = moves.contains('=');
    let name = |mv| if is_named { format!("={}", san(&position, mv)) } else { String::new() };
    let mut found: BTreeSet<String> =
        legal_moves(&position).into_iter().map(|mv| mv.uci() + &name(mv)).collect();
    let status = match status_of(&position) {
        Status::Checkmate => "mate",
        Status::Check => "check",
        Status::Stalemate => "stalemate",
        Status::None => "none",
    };
    found.insert(format!("state:{status}"));
    let mut expected = set(moves);
    expected.insert(format!("state:{state}"));
    (found, expected)
}

/// The position of a FEN that another program wrote, read without the code of cpz.
fn position_of(fen: &str) -> Position {
    let fields: Vec<&str> = fen.split(' ').collect();
    let mut board = Board::empty(Size::flat(8, 8));
    for (row, y) in fields[0].split('/').zip((0..8).rev()) {
        let mut x = 0;
        for c in row.chars() {
            match c.to_digit(10) {
                Some(empty) => x += empty as u8,
                None => {
                    put(&mut board, Square::new(x, y), c);
                    x += 1;
                }
            }
        }
    }
    let en_passant = fields[3].as_bytes();
    let en_passant = (en_passant.len() == 2).then(|| Square::new(en_passant[0] - b'a', en_passant[1] - b'1'));
    let rights = Rights { castling: Castling::parse(fields[2]).expect("rights"), en_passant };
    let turn = if fields[1] == "w" { Colour::White } else { Colour::Black };
    Position { board, turn, dialect: Dialect::Default, rights }
}

/// Puts a piece, which is white if its letter is a capital.
fn put(board: &mut Board, square: Square, letter: char) {
    let colour = if letter.is_ascii_uppercase() { Colour::White } else { Colour::Black };
    let kind = match letter.to_ascii_uppercase() {
        'M' => Kind::Man,
        letter => Kind::from_letter(letter).expect("a kind"),
    };
    let cell = board.index(square);
    board.cells[cell] = Some(Piece::new(colour, kind));
}

/// The captures of cpz. Pieces are `m` and `k`, of White in capitals.
fn draughts(side: &str, squares: &str) -> BTreeSet<String> {
    let mut board = Board::empty(Size::flat(8, 8));
    for (i, letter) in squares.chars().enumerate().filter(|(_, letter)| *letter != '.') {
        put(&mut board, Square::new(i as u8 % 8, i as u8 / 8), letter);
    }
    let turn = if side == "w" { Colour::White } else { Colour::Black };
    let position = Position { board, turn, dialect: Dialect::Default, rights: Rights::default() };
    let budget = Budget::new(u64::MAX, None);
    let answer = game(GameId::Draughts).answer(&position, &Question::of(Verb::Capture), &budget);
    let Ok(Answer::Capture { lines, .. }) = answer else { panic!("captures are decided") };
    let path = |path: &Vec<Square>| {
        path.iter().map(|&square| square_name(square, false)).collect::<Vec<_>>().join(":")
    };
    lines.iter().map(|line| path(&line.path)).collect()
}
