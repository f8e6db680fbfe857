//! Chess moves and mates against `cozy-chess`, and against a plain reference where that cannot go.

use crate::chess_reference::{Board, KINDS, Piece, STATUSES, Square, Status, letter, pair, squares};
use crate::harness::batch::{Batch, Rng};
use cozy_chess::{Board as Position, BoardBuilder, Color, File, Move, Piece as Kind, Rank};
use serde_json::{Value, json};

fn named_move(piece: Piece, (x, y): Square) -> String {
    let colour = if piece.white { "W" } else { "B" };
    format!("move [\"{colour}\",\"{}\",{x},{y}]\n", piece.kind)
}

fn is_castling(position: &Position, mv: Move) -> bool {
    position.color_on(mv.to) == Some(position.side_to_move())
}

fn is_en_passant(position: &Position, mv: Move) -> bool {
    let pawn = position.piece_on(mv.from) == Some(Kind::Pawn);
    pawn && mv.from.file() != mv.to.file() && position.piece_on(mv.to).is_none()
}

fn all_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.generate_moves(|piece_moves| {
        moves.extend(piece_moves);
        false
    });
    moves
}

/// The legal moves of `cozy-chess`; castling ends where the king ends, as in UCI.
fn legal_moves(position: &Position) -> Vec<Move> {
    let usual = |mv: Move| {
        if !is_castling(position, mv) {
            return mv;
        }
        let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
        Move { to: cozy_chess::Square::new(file, mv.from.rank()), ..mv }
    };
    all_moves(position).into_iter().map(usual).collect()
}

fn is_white(position: &Position) -> bool {
    position.side_to_move() == Color::White
}

/// A position some random moves into a game.
fn played_position(rng: &mut Rng) -> Position {
    let mut position = Position::default();
    for _ in 0..rng.below(120) {
        let moves = all_moves(&position);
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(rng.pick(&moves));
    }
    position
}

/// Two kings and a few pieces; heavy ones often near the king to move, so that checks are common.
pub(super) fn sparse_position(rng: &mut Rng) -> Position {
    loop {
        let mut builder = BoardBuilder::empty();
        let any = |rng: &mut Rng| cozy_chess::Square::ALL[rng.below(64)];
        let side = rng.pick(&[Color::White, Color::Black]);
        builder.side_to_move = side;
        *builder.square_mut(any(rng)) = Some((Kind::King, side));
        *builder.square_mut(any(rng)) = Some((Kind::King, !side));
        let own = rng.below(6);
        for i in 0..rng.range(1, 10) {
            let square = any(rng);
            let kind =
                rng.pick(&[Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn, Kind::Pawn]);
            let on_end = matches!(square.rank(), Rank::First | Rank::Eighth);
            if builder.square(square).is_none() && !(kind == Kind::Pawn && on_end) {
                *builder.square_mut(square) = Some((kind, if i < own { side } else { !side }));
            }
        }
        let Ok(position) = builder.build() else {
            continue;
        };
        // The library takes kings side by side, and then sees no check between them.
        let (a, b) = (pair(position.king(Color::White)), pair(position.king(Color::Black)));
        if (a.0 - b.0).abs().max((a.1 - b.1).abs()) > 1 {
            return position;
        }
    }
}

fn random_position(rng: &mut Rng) -> Position {
    if rng.chance(40) { played_position(rng) } else { sparse_position(rng) }
}

/// Positions of each sort that the properties need: any, in check, with castling, en passant and
/// promotion.
fn positions(rng: &mut Rng, each: usize) -> Vec<Position> {
    let is_promotion = |mv: &Move| mv.promotion.is_some();
    let sorts: [&dyn Fn(&Position) -> bool; 5] = [
        &|_| true,
        &|position| !position.checkers().is_empty() && !legal_moves(position).is_empty(),
        &|position| all_moves(position).iter().any(|&mv| is_castling(position, mv)),
        &|position| all_moves(position).iter().any(|&mv| is_en_passant(position, mv)),
        &|position| all_moves(position).iter().any(is_promotion),
    ];
    let mut positions = Vec::new();
    for sort in sorts {
        let wanted = positions.len() + each;
        while positions.len() < wanted {
            let position = random_position(rng);
            if sort(&position) {
                positions.push(position);
            }
        }
    }
    positions
}

/// The board, the side to move and the rights.
fn position_body(position: &Position, rng: &mut Rng) -> String {
    if rng.chance(50) {
        let quote = rng.pick(&["\"", ""]);
        format!("board {quote}{position}{quote}\n")
    } else {
        Board::of(position).body(is_white(position), rng)
    }
}

fn verdict(answer: &Value, puzzle: &str) -> bool {
    let legal = answer["legal"].as_bool().unwrap_or_else(|| panic!("{answer} for\n{puzzle}"));
    assert_eq!(answer["reason"].is_null(), legal, "only a refusal has a reason: {answer}");
    legal
}

/// Asks and compares the verdicts of moves; the puzzles are a body, and moves with what is due.
fn compare_moves(puzzles: &[(String, Vec<(String, bool)>)]) {
    let mut batch = Batch::new();
    for (body, moves) in puzzles {
        let queries: String = moves.iter().map(|(query, _)| query.as_str()).collect();
        batch.push("chess", &format!("{body}{queries}"));
    }
    for (answers, (body, moves)) in batch.solve().iter().zip(puzzles) {
        assert_eq!(answers.len(), moves.len(), "an answer for each query");
        for (answer, (query, legal)) in answers.iter().zip(moves) {
            let puzzle = format!("{body}{query}");
            assert_eq!(verdict(answer, &puzzle), *legal, "{answer} for\n{puzzle}");
        }
    }
}

/// A move in SAN, its origin named as far as another piece could go there too.
pub(super) fn san(position: &Position, mv: Move) -> String {
    let kind = position.piece_on(mv.from).expect("a piece moves");
    let castles = kind == Kind::King && (mv.from.file() as i8 - mv.to.file() as i8).abs() == 2;
    let takes = position.piece_on(mv.to).is_some() || is_en_passant(position, mv);
    let target = mv.to.to_string();
    let from = mv.from.to_string();
    let mut text = String::new();
    if castles {
        text += if mv.to.file() == File::G { "O-O" } else { "O-O-O" };
    } else if kind == Kind::Pawn {
        if takes {
            text += &from[..1];
        }
    } else {
        text.push(letter(kind));
        let moves = legal_moves(position);
        let rivals: Vec<_> = moves
            .iter()
            .filter(|other| other.to == mv.to && other.from != mv.from)
            .filter(|other| position.piece_on(other.from) == Some(kind))
            .collect();
        if !rivals.is_empty() {
            let same_file = rivals.iter().any(|other| other.from.file() == mv.from.file());
            let same_rank = rivals.iter().any(|other| other.from.rank() == mv.from.rank());
            text += match (same_file, same_rank) {
                (false, _) => &from[..1],
                (true, false) => &from[1..],
                (true, true) => &from,
            };
        }
    }
    if takes {
        text.push('x');
    }
    if !castles {
        text += &target;
    }
    if let Some(promotion) = mv.promotion {
        text.push('=');
        text.push(letter(promotion));
    }
    let mut after = position.clone();
    let played = all_moves(position).into_iter().find(|m| {
        let file = if mv.to.file() == File::G { File::H } else { File::A };
        let to = if castles { cozy_chess::Square::new(file, mv.to.rank()) } else { mv.to };
        (m.from, m.to, m.promotion) == (mv.from, to, mv.promotion)
    });
    after.play_unchecked(played.expect("a legal move"));
    if !after.checkers().is_empty() {
        text.push(if all_moves(&after).is_empty() { '#' } else { '+' });
    }
    text
}

/// Kings and rooks at home and pawns that have just passed each other, with rights that may be wrong.
fn add_rights(board: &mut Board, rng: &mut Rng) {
    let pieces = board.pieces();
    for (white, y) in [(true, 1), (false, 8)] {
        let king = pieces.iter().find(|(_, piece)| *piece == Piece { white, kind: 'K' });
        if let Some(&(king, _)) = king.filter(|_| rng.chance(80)) {
            board.put(king, None);
            board.put((5, y), Some(Piece { white, kind: 'K' }));
            for corner in [1, 8] {
                if rng.chance(70) {
                    board.put((corner, y), Some(Piece { white, kind: 'R' }));
                }
            }
            for x in [2, 3, 4, 6, 7] {
                if rng.chance(80) {
                    board.put((x, y), None);
                }
            }
        }
    }
    board.castling = "KQkq".chars().filter(|_| rng.chance(70)).collect();
    if board.castling.is_empty() {
        board.castling.push('-');
    }
    if rng.chance(60) {
        let x = rng.range(1, 8) as i8;
        let (white, y) = rng.pick(&[(true, 5), (false, 4)]);
        let forward = if white { 1 } else { -1 };
        if rng.chance(90) {
            board.put((x, y), Some(Piece { white: !white, kind: 'P' }));
            board.put((x, y + forward), None);
            board.put((x, y + 2 * forward), None);
        }
        for x in [x - 1, x + 1] {
            if (1..=8).contains(&x) && rng.chance(70) {
                board.put((x, y), Some(Piece { white, kind: 'P' }));
            }
        }
        board.en_passant = Some((x, y + forward));
    }
}

/// A random board no game leads to: kings missing or in check out of turn, any number of pawns,
/// pawns on the first and last ranks.
fn odd_board(rng: &mut Rng) -> Board {
    let mut board = Board::empty();
    let mut pieces = Vec::new();
    let most = rng.pick(&[3, 8, 14, 20]);
    for white in [true, false] {
        if rng.chance(75) {
            pieces.push(Piece { white, kind: 'K' });
        }
        for _ in 0..rng.range(1, most) {
            pieces.push(Piece { white, kind: rng.pick(&['Q', 'R', 'B', 'N', 'P', 'P', 'P']) });
        }
    }
    for piece in pieces {
        let free: Vec<_> = squares().filter(|&square| board.at(square).is_none()).collect();
        board.put(rng.pick(&free), Some(piece));
    }
    if rng.chance(60) {
        add_rights(&mut board, rng);
    }
    board
}

#[test]
fn the_reference_agrees_with_cozy_chess() {
    let mut rng = Rng::new(1);
    for position in positions(&mut rng, 200) {
        let board = Board::of(&position);
        let moves = legal_moves(&position);
        for (from, _) in board.pieces() {
            let own = board.at(from).is_some_and(|piece| piece.white == is_white(&position));
            for to in squares().filter(|_| own) {
                let legal = moves.iter().any(|mv| (pair(mv.from), pair(mv.to)) == (from, to));
                assert_eq!(board.is_legal(from, to), legal, "{from:?} to {to:?} of {position}");
            }
        }
        let status = Status::new(!position.checkers().is_empty(), !moves.is_empty());
        assert_eq!(board.status(is_white(&position)), status, "{position}");
    }
}

#[test]
fn named_moves_agree_with_cozy_chess() {
    let mut rng = Rng::new(11);
    let mut puzzles = Vec::new();
    for position in positions(&mut rng, 24) {
        let white = is_white(&position);
        let moves = legal_moves(&position);
        let mut queries = Vec::new();
        for kind in KINDS {
            for to in squares() {
                let fits =
                    |mv: &&Move| position.piece_on(mv.from).map(letter) == Some(kind) && pair(mv.to) == to;
                queries.push((named_move(Piece { white, kind }, to), moves.iter().any(|mv| fits(&mv))));
            }
        }
        puzzles.push((position_body(&position, &mut rng), queries));
    }
    compare_moves(&puzzles);
}

#[test]
fn uci_and_san_moves_agree_with_cozy_chess() {
    let mut rng = Rng::new(111);
    let mut puzzles = Vec::new();
    for position in positions(&mut rng, 60) {
        let moves = legal_moves(&position);
        let mut queries = Vec::new();
        for &mv in &moves {
            queries.push((format!("move {mv}\n"), true));
            queries.push((format!("move {}\n", san(&position, mv)), true));
        }
        // Any other move of a piece, mostly of the side to move.
        for _ in 0..60 {
            let from = cozy_chess::Square::ALL[rng.below(64)];
            let to = cozy_chess::Square::ALL[rng.below(64)];
            let own = position.color_on(from) == Some(position.side_to_move());
            let Some(kind) = position.piece_on(from).filter(|_| from != to && (own || rng.chance(20))) else {
                continue;
            };
            let promotes = kind == Kind::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
            let promotion = if promotes { rng.pick(&["q", "r", "b", "n"]) } else { "" };
            let legal = moves.iter().any(|mv| (mv.from, mv.to) == (from, to));
            queries.push((format!("move {from}{to}{promotion}\n"), legal));
        }
        puzzles.push((position_body(&position, &mut rng), queries));
    }
    compare_moves(&puzzles);
}

#[test]
fn mate_statuses_agree_with_cozy_chess() {
    let mut rng = Rng::new(1111);
    let mut batch = Batch::new();
    let mut expected = Vec::new();
    for status in STATUSES {
        let wanted = batch.len() + 150;
        while batch.len() < wanted {
            let position = random_position(&mut rng);
            let can_move = !legal_moves(&position).is_empty();
            if Status::new(!position.checkers().is_empty(), can_move) == status {
                batch.push("chess", &format!("{}mate", position_body(&position, &mut rng)));
                expected.push((status, is_white(&position)));
            }
        }
    }
    for (i, (answers, (status, white))) in batch.solve().iter().zip(expected).enumerate() {
        let side = if white { "white" } else { "black" };
        let expected = json!({"status": status.word(), "side": side});
        assert_eq!(answers[0], expected, "for\n{}", batch.puzzle(i));
    }
}

#[test]
fn odd_positions_follow_the_plain_reference() {
    let mut rng = Rng::new(11111);
    let mut puzzles = Vec::new();
    for _ in 0..60 {
        let board = odd_board(&mut rng);
        let mut queries = Vec::new();
        for white in [true, false] {
            for kind in KINDS {
                for to in squares() {
                    let piece = Piece { white, kind };
                    queries.push((named_move(piece, to), board.named_is_legal(piece, to)));
                }
            }
        }
        // A move that names its colour does not ask whose turn it is.
        puzzles.push((board.body(rng.chance(50), &mut rng), queries));
    }
    compare_moves(&puzzles);
}

#[test]
fn statuses_of_odd_positions_follow_the_plain_reference() {
    let mut rng = Rng::new(12);
    let mut batch = Batch::new();
    let boards: Vec<_> = (0..400).map(|_| (odd_board(&mut rng), rng.chance(50))).collect();
    for (board, white) in &boards {
        batch.push("chess", &format!("{}mate", board.body(*white, &mut rng)));
    }
    for (i, (answers, (board, white))) in batch.solve().iter().zip(&boards).enumerate() {
        assert_eq!(answers[0]["status"], board.status(*white).word(), "for\n{}", batch.puzzle(i));
    }
}

#[test]
fn flipping_the_board_and_the_colours_changes_no_verdict() {
    type Reflection = (fn(Square) -> Square, bool);
    let reflections: [Reflection; 3] =
        [(|square| square, false), (|(x, y)| (x, 9 - y), true), (|(x, y)| (9 - x, y), false)];
    let mut rng = Rng::new(112);
    let mut batch = Batch::new();
    for i in 0..120 {
        let (board, white) = if i % 3 == 0 {
            (odd_board(&mut rng), rng.chance(50))
        } else {
            let position = random_position(&mut rng);
            (Board::of(&position), is_white(&position))
        };
        // The wings differ in castling.
        let board = Board { castling: "-".to_string(), ..board };
        let pieces = board.pieces();
        let target = |rng: &mut Rng| (rng.range(1, 8) as i8, rng.range(1, 8) as i8);
        let moves: Vec<_> = (0..100).map(|_| (rng.pick(&pieces).1, target(&mut rng))).collect();
        for (reflect, other_colour) in reflections {
            let mut body = board.moved(reflect, other_colour).body(white != other_colour, &mut rng);
            for &(piece, to) in &moves {
                body += &named_move(Piece { white: piece.white != other_colour, ..piece }, reflect(to));
            }
            batch.push("chess", &format!("{body}mate"));
        }
    }
    for (i, answers) in batch.solve().chunks(3).enumerate() {
        let verdicts = |answers: &Vec<Value>| -> Vec<Value> {
            answers.iter().map(|answer| json!([answer["legal"], answer["status"]])).collect()
        };
        for j in 1..3 {
            let (first, second) = (batch.puzzle(3 * i), batch.puzzle(3 * i + j));
            assert_eq!(verdicts(&answers[0]), verdicts(&answers[j]), "for\n{first}and\n{second}");
        }
    }
}

/// A position of the library as cpz reads its FEN.
fn read_position(position: &str) -> cpz::games::Position {
    let tree = cpz::syntax::parse(format!("chess {{ board \"{position}\" mate }}"));
    let puzzle = tree.puzzles().next().expect("a puzzle");
    let bound = cpz::analysis::bind_one(puzzle, Default::default()).expect("chess");
    cpz::analysis::position_of(&bound).expect("a position")
}

fn perft(position: &cpz::games::Position, depth: u32) -> usize {
    let moves = cpz::games::legal_moves(position);
    if depth == 1 {
        return moves.len();
    }
    moves.into_iter().map(|mv| perft(&cpz::games::after_move(position, mv), depth - 1)).sum()
}

#[test]
fn perft_of_the_usual_positions() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let positions = [
        (start, 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89_890),
    ];
    for (fen, depth, nodes) in positions {
        assert_eq!(perft(&read_position(fen), depth), nodes, "{fen}");
    }
}

#[test]
fn moves_along_random_games_agree_with_cozy_chess() {
    let mut rng = Rng::new(31);
    for _ in 0..60 {
        let mut position = random_position(&mut rng);
        let mut own = read_position(&position.to_string());
        for _ in 0..60 {
            let all = all_moves(&position);
            let mut due: Vec<String> = legal_moves(&position).iter().map(ToString::to_string).collect();
            let mut found: Vec<String> = cpz::games::legal_moves(&own).iter().map(|mv| mv.uci()).collect();
            due.sort();
            found.sort();
            assert_eq!(found, due, "{position}");
            let Some(at) = (!all.is_empty()).then(|| rng.below(all.len())) else { break };
            let named = legal_moves(&position)[at];
            let mv = cpz::games::legal_moves(&own).into_iter().find(|mv| mv.uci() == named.to_string());
            let mv = mv.expect("the same move");
            assert_eq!(cpz::games::san(&own, mv), san(&position, named), "{position}");
            own = cpz::games::after_move(&own, mv);
            position.play_unchecked(all[at]);
        }
    }
}
