//! Legal moves of positions against `cozy-chess`, and against the plain reference where that cannot go.

use crate::chess::sparse_position;
use crate::chess_reference::{
    Board as Reference, Piece as Man, Square as Place, Status as Expected, squares,
};
use crate::harness::batch::Rng;
use crate::harness::full;
use cozy_chess::{Board as Oracle, Move};
use cpz::board::{Board, Castling, Colour, Kind, Piece, Rights, Size, Square};
use cpz::games::{Dialect, Position, Status, after_move, legal_moves, perft, status_of};

fn place(square: Square) -> Place {
    (square.x as i8 + 1, square.y as i8 + 1)
}

fn square((x, y): Place) -> Square {
    Square::new(x as u8 - 1, y as u8 - 1)
}

/// The position of a reference board.
pub(super) fn position_of(reference: &Reference, white: bool) -> Position {
    let mut board = Board::empty(Size::flat(8, 8));
    for (at, man) in reference.pieces() {
        let colour = if man.white { Colour::White } else { Colour::Black };
        let cell = board.index(square(at));
        board.cells[cell] = Some(Piece::new(colour, Kind::from_letter(man.kind).expect("a kind")));
    }
    let castling = Castling::parse(&reference.castling).expect("rights");
    let rights = Rights { castling, en_passant: reference.en_passant.map(square) };
    let turn = if white { Colour::White } else { Colour::Black };
    Position { board, turn, dialect: Dialect::Default, rights }
}

fn position_of_fen(fen: &str) -> Position {
    let oracle: Oracle = fen.parse().expect("a FEN");
    position_of(&Reference::of(&oracle), fen.split(' ').nth(1) == Some("w"))
}

fn oracle_moves(oracle: &Oracle) -> Vec<Move> {
    let mut moves = Vec::new();
    oracle.generate_moves(|piece| {
        moves.extend(piece);
        false
    });
    moves
}

/// A move in the notation of UCI, castling as a step of the king.
fn oracle_uci(oracle: &Oracle, mv: Move) -> String {
    let text = mv.to_string();
    let castles = oracle.color_on(mv.to) == Some(oracle.side_to_move());
    match (castles, mv.to.file() > mv.from.file()) {
        (false, _) => text,
        (true, true) => text[..2].to_string() + "g" + &text[3..],
        (true, false) => text[..2].to_string() + "c" + &text[3..],
    }
}

fn oracle_perft(oracle: &Oracle, plies: u8) -> u64 {
    let moves = oracle_moves(oracle);
    if plies == 1 {
        return moves.len() as u64;
    }
    let after = |mv| {
        let mut next = oracle.clone();
        next.play_unchecked(mv);
        oracle_perft(&next, plies - 1)
    };
    moves.into_iter().map(after).sum()
}

#[test]
fn perft_of_six_positions_is_that_of_the_library() {
    let positions = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    ];
    for fen in positions {
        let oracle: Oracle = fen.parse().expect("a FEN");
        let position = position_of_fen(fen);
        for plies in 1..=if full() { 5 } else { 4 } {
            assert_eq!(perft(&position, plies), oracle_perft(&oracle, plies), "{plies} plies from {fen}");
        }
    }
}

/// The published numbers for six plies would take minutes; these are for five.
#[test]
fn perft_is_the_published_number() {
    let start = position_of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(perft(&start, 5), 4_865_609);
}

/// Half of the games begin with a few pieces. `CPZ_GAMES=200000` compares some ten million positions; `CPZ_SEED` draws others.
#[test]
fn moves_along_random_games_are_those_of_the_library() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let (games, mut rng) = (number("CPZ_GAMES").unwrap_or(300), Rng::new(number("CPZ_SEED").unwrap_or(41)));
    let mut positions = 0;
    for game in 0..games {
        let mut oracle = if game % 2 == 0 { Oracle::default() } else { sparse_position(&mut rng) };
        let is_white = oracle.side_to_move() == cozy_chess::Color::White;
        let mut position = position_of(&Reference::of(&oracle), is_white);
        for _ in 0..rng.below(150) {
            let theirs = oracle_moves(&oracle);
            let mut expected: Vec<String> = theirs.iter().map(|&mv| oracle_uci(&oracle, mv)).collect();
            let ours = legal_moves(&position);
            let mut found: Vec<String> = ours.iter().map(|mv| mv.uci()).collect();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{oracle}");
            positions += 1;
            if theirs.is_empty() {
                break;
            }
            let mv = rng.pick(&theirs);
            let uci = oracle_uci(&oracle, mv);
            let own = ours.iter().find(|mv| mv.uci() == uci).expect("the same move");
            position = after_move(&position, *own);
            oracle.play_unchecked(mv);
        }
    }
    println!("{positions} positions agree");
}

/// Boards that no game reaches: kings missing, pawns on the first and the last rank, the side that is not to move in
/// check, many queens, rights that may not fit.
fn odd_board(rng: &mut Rng) -> Reference {
    let mut board = Reference::empty();
    let queens = rng.chance(10);
    let men = if queens { 20 } else { rng.range(1, 23) };
    for _ in 0..men {
        let kind = if queens { 'Q' } else { rng.pick(&['Q', 'R', 'B', 'N', 'P', 'P', 'P']) };
        board.put(any_place(rng), Some(Man { white: rng.chance(50), kind }));
    }
    for white in [true, false] {
        match rng.below(4) {
            0 => {}
            1 => {
                let y = if white { 1 } else { 8 };
                board.put((5, y), Some(Man { white, kind: 'K' }));
                board.put((1, y), Some(Man { white, kind: 'R' }));
                board.put((8, y), Some(Man { white, kind: 'R' }));
            }
            _ => board.put(any_place(rng), Some(Man { white, kind: 'K' })),
        }
    }
    // A second man may have been put on a king, but never a second king.
    for white in [true, false] {
        let kings: Vec<Place> =
            squares().filter(|&s| board.at(s) == Some(Man { white, kind: 'K' })).collect();
        kings.iter().skip(1).for_each(|&s| board.put(s, None));
    }
    board.castling = rng.pick(&["-", "KQkq", "Kq", "Qk"]).to_string();
    if rng.chance(60) {
        let white = rng.chance(50);
        let (taken, passed, start) = if white { (5, 6, 7) } else { (4, 3, 2) };
        let x = rng.range(1, 8) as i8;
        board.en_passant = Some((x, passed));
        if rng.chance(80) {
            [passed, start].into_iter().for_each(|y| board.put((x, y), None));
            board.put((x, taken), Some(Man { white: !white, kind: 'P' }));
            let beside = if x == 8 { 7 } else { x + 1 };
            board.put((beside, taken), Some(Man { white, kind: 'P' }));
        }
    }
    board
}

fn any_place(rng: &mut Rng) -> Place {
    (rng.range(1, 8) as i8, rng.range(1, 8) as i8)
}

#[test]
fn moves_and_status_of_odd_positions_are_those_of_the_reference() {
    let mut rng = Rng::new(42);
    for _ in 0..4_000 {
        let (board, white) = (odd_board(&mut rng), rng.chance(50));
        let position = position_of(&board, white);
        let mut found: Vec<(Place, Place)> =
            legal_moves(&position).iter().map(|mv| (place(mv.from), place(mv.to))).collect();
        found.sort();
        found.dedup();
        let own = |at: &Place| board.at(*at).is_some_and(|man| man.white == white);
        let mut expected: Vec<(Place, Place)> = squares()
            .filter(own)
            .flat_map(|from| squares().map(move |to| (from, to)))
            .filter(|&(from, to)| board.is_legal(from, to))
            .collect();
        expected.sort();
        let what = format!("{} {}, castling {}, {:?}", board.fen(), white, board.castling, board.en_passant);
        assert_eq!(found, expected, "{what}");
        let status = match board.status(white) {
            Expected::Checkmate => Status::Checkmate,
            Expected::Check => Status::Check,
            Expected::Stalemate => Status::Stalemate,
            Expected::None => Status::None,
        };
        assert_eq!(status_of(&position), status, "{what}");
    }
}
