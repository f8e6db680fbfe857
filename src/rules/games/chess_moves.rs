//! The legal moves of chess, made and named in standard algebraic notation (SAN).
//!
//! What is legal, check and mate on the plane is decided here, by bitboards; `chess_rules` puts the reasons into words.

use crate::board::{
    Castling, Colour, KING_FILE, Kind, Piece, Square, Wing, chess_square, home_rank, square_name,
};
use crate::games::chess_bits::{PackedMove, PackedPosition};
use crate::games::chess_move::ChessMove;
use crate::games::chess_rules::ChessRules;
use crate::games::game::{Position, Request, Status};

/// The legal moves of a side, by start and target.
fn moves_of(position: &Position, side: Colour) -> Vec<ChessMove> {
    moves_among(position, side, |_| true)
}

/// The legal moves of a side that are `wanted`, by start and target.
fn moves_among(position: &Position, side: Colour, wanted: impl Fn(PackedMove) -> bool) -> Vec<ChessMove> {
    let mut moves = Vec::new();
    PackedPosition::new(position, side).legal_moves(&mut moves);
    moves.retain(|&mv| wanted(mv));
    moves.sort_unstable_by_key(|mv| mv.order());
    moves.into_iter().map(PackedMove::unpacked).collect()
}

/// The legal moves of the side to move, by start and target.
pub fn legal_moves(position: &Position) -> Vec<ChessMove> {
    moves_of(position, position.turn)
}

/// The legal moves that a written move may mean, whichever side is to move: one for each piece and promotion.
pub fn matching_moves(position: &Position, wanted: &Request) -> Vec<ChessMove> {
    let board = &position.board;
    let to = (wanted.to.x, wanted.to.y);
    let mut moves = moves_among(position, wanted.colour, |mv| (mv.to() % 8, mv.to() / 8) == to);
    moves.retain(|m| {
        wanted.kind.is_none_or(|kind| board.at(m.from).is_some_and(|p| p.kind == kind))
            && wanted.from.0.is_none_or(|x| x == m.from.x)
            && wanted.from.1.is_none_or(|y| y == m.from.y)
            && (wanted.castling.is_none() || m.castling == wanted.castling)
            && (m.castling.is_none() || wanted.may_castle())
            && (wanted.promotion.is_none() || m.promotion == wanted.promotion)
            && (!wanted.captures || board.at(m.to).is_some() || m.en_passant)
            && (!wanted.en_passant || m.en_passant)
    });
    moves
}

/// Why no piece can make a move; `None` if one can.
pub fn why_illegal(position: &Position, wanted: &Request) -> Option<String> {
    match matching_moves(position, wanted).is_empty() {
        true => ChessRules::with_rights(&position.board, position.rights).illegal(wanted),
        false => None,
    }
}

/// The number of lines of legal moves with a number of plies: the proof that the moves are right, as other programs
/// publish such numbers.
pub fn perft(position: &Position, plies: u8) -> u64 {
    fn lines(p: &PackedPosition, plies: u8) -> u64 {
        let mut moves = Vec::new();
        p.legal_moves(&mut moves);
        match plies {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.iter().map(|&mv| lines(&p.after(mv), plies - 1)).sum(),
        }
    }
    lines(&PackedPosition::new(position, position.turn), plies)
}

/// The cells of a castling: of the king, of the rook, and where the rook ends.
fn castling_cells(colour: Colour, wing: Wing) -> (usize, usize, usize) {
    let cell = |file: u8| usize::from(8 * home_rank(colour) + file);
    let (rook, _, rook_to) = wing.files();
    (cell(KING_FILE), cell(rook), cell(rook_to))
}

/// The position with the other side to move, as if this one had passed. En passant is gone.
pub fn after_pass(position: &Position) -> Position {
    let mut passed = position.clone();
    passed.turn = position.turn.other();
    passed.rights.en_passant = None;
    passed
}

/// The position after a legal move, with the rights that remain.
pub fn after_move(position: &Position, mv: ChessMove) -> Position {
    let mut next = position.clone();
    let board = &mut next.board;
    let (from, to) = (board.index(mv.from), board.index(mv.to));
    let Some(piece) = board.cells[from].take() else { return next };
    board.cells[to] = Some(Piece { kind: mv.promotion.unwrap_or(piece.kind), ..piece });
    if mv.en_passant {
        let taken = board.index(Square { y: mv.from.y, ..mv.to });
        board.cells[taken] = None;
    }
    if let Some(wing) = mv.castling {
        let (_, rook, rook_to) = castling_cells(piece.colour, wing);
        board.cells[rook_to] = board.cells[rook].take();
    }
    // A right ends when its king or rook moves, or its rook is captured.
    for (colour, wing, _) in Castling::EACH {
        let (king, rook, _) = castling_cells(colour, wing);
        if [king, rook].iter().any(|cell| [from, to].contains(cell)) {
            next.rights.castling = next.rights.castling.without(colour, wing);
        }
    }
    let double = piece.kind == Kind::Pawn && mv.from.y.abs_diff(mv.to.y) == 2;
    next.rights.en_passant = double.then(|| Square { y: (mv.from.y + mv.to.y) / 2, ..mv.to });
    next.turn = piece.colour.other();
    next
}

/// The status of the side to move.
pub fn status_of(position: &Position) -> Status {
    let p = PackedPosition::new(position, position.turn);
    match (p.is_in_check(p.turn()), p.has_reply()) {
        (true, true) => Status::Check,
        (true, false) => Status::Checkmate,
        (false, true) => Status::None,
        (false, false) => Status::Stalemate,
    }
}

/// The legal move of the side to move that a text in UCI notation names, such as `e7e8q`, and its SAN: faster than
/// asking for both.
pub fn uci_with_san(position: &Position, text: &str) -> Option<(ChessMove, String)> {
    let (from, to) = (chess_square(text.get(..2)?)?, chess_square(text.get(2..4)?)?);
    let promotion = match text.get(4..)?.as_bytes() {
        [] => None,
        [letter] => Some(Kind::from_letter(letter.to_ascii_uppercase().into())?),
        _ => return None,
    };
    let p = PackedPosition::new(position, position.turn);
    let mut moves = Vec::new();
    p.legal_moves(&mut moves);
    let moves: Vec<(PackedMove, ChessMove)> = moves.into_iter().map(|mv| (mv, mv.unpacked())).collect();
    let is_it = |mv: &ChessMove| mv.from == from && mv.to == to && mv.promotion == promotion;
    let &(packed, mv) = moves.iter().find(|(_, mv)| is_it(mv))?;
    let mut san = san_among(position, mv, moves.iter().map(|m| m.1));
    let after = p.after(packed);
    if after.is_in_check(after.turn()) {
        san.push(if after.is_mate() { '#' } else { '+' });
    }
    Some((mv, san))
}

/// A legal move in SAN without a mark.
pub fn unmarked_san(position: &Position, mv: ChessMove) -> String {
    let side = position.board.at(mv.from).map_or(position.turn, |piece| piece.colour);
    san_among(position, mv, moves_of(position, side).into_iter())
}

/// A move in SAN without a mark, told apart from the other legal moves of its side.
fn san_among(position: &Position, mv: ChessMove, all: impl Iterator<Item = ChessMove>) -> String {
    if let Some(wing) = mv.castling {
        return ["O-O", "O-O-O"][wing as usize].to_string();
    }
    let board = &position.board;
    let Some(piece) = board.at(mv.from) else { return mv.uci() };
    let takes = board.at(mv.to).is_some() || mv.en_passant;
    let origin = square_name(mv.from, false);
    let mut text = String::new();
    if piece.kind == Kind::Pawn {
        text.push_str(if takes { &origin[..1] } else { "" });
    } else {
        text.push(piece.kind.letter());
        text.push_str(told_apart(position, piece, mv, &origin, all));
    }
    text.push_str(if takes { "x" } else { "" });
    text.push_str(&square_name(mv.to, false));
    if let Some(kind) = mv.promotion {
        text.extend(['=', kind.letter()]);
    }
    text
}

/// The part of a start that tells a piece from others of its kind that can go to the same square.
fn told_apart<'n>(
    position: &Position,
    piece: Piece,
    mv: ChessMove,
    origin: &'n str,
    all: impl Iterator<Item = ChessMove>,
) -> &'n str {
    let is_rival = |m: &ChessMove| {
        m.to == mv.to && m.from != mv.from && m.castling.is_none() && position.board.at(m.from) == Some(piece)
    };
    let rivals: Vec<ChessMove> = all.filter(is_rival).collect();
    match (rivals.iter().any(|m| m.from.x == mv.from.x), rivals.iter().any(|m| m.from.y == mv.from.y)) {
        _ if rivals.is_empty() => "",
        (false, _) => &origin[..1],
        (true, false) => &origin[1..],
        (true, true) => origin,
    }
}

/// A legal move in SAN, with `+` or `#` where it gives check or mate: `Nbd7`, `exd6`, `e8=Q+`, `O-O`.
pub fn san(position: &Position, mv: ChessMove) -> String {
    let mark = match status_of(&after_move(position, mv)) {
        Status::Checkmate => "#",
        Status::Check => "+",
        Status::Stalemate | Status::None => "",
    };
    unmarked_san(position, mv) + mark
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Rights, Size};
    use crate::games::game::{Dialect, Game};

    /// Men on random squares, the rights that they can have, and sometimes a pawn that has just passed over a square.
    fn random_position(next: &mut impl FnMut(usize) -> usize) -> Position {
        let mut board = Board::empty(Size::flat(8, 8));
        for _ in 0..next(14) {
            let kind = Kind::ALL[1 + next(5)];
            let colour = if next(2) == 0 { Colour::White } else { Colour::Black };
            board.cells[next(64)] = Some(Piece::new(colour, kind));
        }
        for colour in [Colour::White, Colour::Black] {
            let home = usize::from(8 * home_rank(colour));
            let (king, rook) = (Piece::new(colour, Kind::King), Piece::new(colour, Kind::Rook));
            match next(4) {
                0 => {}
                1 => board.cells[next(64)] = Some(king),
                _ => [(4, king), (0, rook), (7, rook)]
                    .into_iter()
                    .for_each(|(x, p)| board.cells[home + x] = Some(p)),
            }
        }
        let castling = Castling::EACH.into_iter().filter(|_| next(4) > 0);
        let castling = castling.fold(Castling::NONE, |all, e| all.with(e.0, e.1));
        let en_passant = (next(2) == 0).then(|| Square::new(next(8) as u8, [2, 5][next(2)]));
        let turn = if next(2) == 0 { Colour::White } else { Colour::Black };
        let rights = Rights { castling, en_passant };
        Position { board, turn, dialect: Dialect::Default, rights }
    }

    /// Compares what is found for requests that say more and more of a move with the legal moves that do what they say.
    fn compare_matching(position: &Position, mv: ChessMove, moves: &[ChessMove]) {
        let mut wanted = Request::to(position.turn, mv.to);
        let is_capture = |m: &ChessMove| m.en_passant || position.board.at(m.to).is_some();
        let mut left: Vec<ChessMove> = moves.iter().filter(|m| m.to == mv.to).copied().collect();
        for said in 0..=5 {
            match said {
                1 => {
                    wanted.kind = position.board.at(mv.from).map(|piece| piece.kind);
                    left.retain(|m| position.board.at(m.from) == position.board.at(mv.from));
                }
                2 => {
                    wanted.from.0 = Some(mv.from.x);
                    left.retain(|m| m.from.x == mv.from.x);
                }
                3 => {
                    wanted.from.1 = Some(mv.from.y);
                    left.retain(|m| m.from.y == mv.from.y);
                }
                4 => {
                    (wanted.captures, wanted.en_passant) = (is_capture(&mv), mv.en_passant);
                    left.retain(|m| is_capture(m) == is_capture(&mv) && m.en_passant == mv.en_passant);
                }
                5 => {
                    (wanted.promotion, wanted.castling) = (mv.promotion, mv.castling);
                    left.retain(|m| m.promotion == mv.promotion || mv.promotion.is_none());
                    left.retain(|m| m.castling == mv.castling || mv.castling.is_none());
                }
                _ => {}
            }
            let mut found = matching_moves(position, &wanted);
            found.retain(|m| said < 4 || is_capture(m) == is_capture(&mv));
            assert_eq!(found, left, "{wanted:?} of {position:?}");
        }
    }

    /// A move has another name than those of equal pieces to its square, and a piece that has no such rival only its letter.
    fn compare_names(position: &Position, mv: ChessMove, moves: &[ChessMove]) {
        let (piece, name) = (position.board.at(mv.from), unmarked_san(position, mv));
        let is_rival = |m: &&ChessMove| {
            m.to == mv.to
                && m.from != mv.from
                && m.castling == mv.castling
                && position.board.at(m.from) == piece
        };
        let rivals: Vec<ChessMove> = moves.iter().filter(is_rival).copied().collect();
        for rival in &rivals {
            assert_ne!(unmarked_san(position, *rival), name, "{position:?}");
        }
        let takes = if position.board.at(mv.to).is_some() { "x" } else { "" };
        let letter = piece.map(|piece| piece.kind.letter()).filter(|&letter| letter != 'P');
        if let Some(letter) = letter.filter(|_| mv.castling.is_none()) {
            let bare = format!("{letter}{takes}{}", square_name(mv.to, false));
            assert_eq!(name == bare, rivals.is_empty(), "{name} in {position:?}");
        }
    }

    #[test]
    fn packed_moves_are_those_on_the_board() {
        let mut state = 1u64;
        let mut next = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut compared = 0;
        for _ in 0..2_000 {
            let mut position = random_position(&mut next);
            for _ in 0..12 {
                let moves = legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                let place = |mv: &ChessMove| (mv.from.y, mv.from.x, mv.to.x, mv.to.y);
                assert!(moves.is_sorted_by_key(place), "{moves:?}");
                let mv = moves[next(moves.len())];
                compared += 1;
                compare_matching(&position, mv, &moves);
                compare_names(&position, mv, &moves);
                let packed_move: PackedMove = mv.into();
                assert_eq!(packed_move.unpacked(), mv);
                assert_eq!(uci_with_san(&position, &mv.uci()), Some((mv, san(&position, mv))));
                let packed = PackedPosition::new(&position, position.turn).after(packed_move);
                position = after_move(&position, mv);
                assert_eq!(packed, PackedPosition::new(&position, position.turn), "after {}", mv.uci());
            }
        }
        assert!(compared > 15_000, "{compared} moves");
    }

    #[test]
    fn rights_after_a_move_are_those_that_it_leaves() {
        let position = |fen: &str| {
            let fields: Vec<&str> = fen.split(' ').collect();
            let read =
                crate::board::read_fen_fields(&fields, crate::games::chess::Chess.format()).expect("a board");
            let rights = Rights { castling: Castling::ALL, en_passant: None };
            Position { board: read.board, turn: Colour::White, dialect: Dialect::Default, rights }
        };
        let start = position("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R");
        for (mv, castling, en_passant) in [
            ("e1d1", "kq", None),
            ("a1b1", "Kkq", None),
            ("h1g1", "Qkq", None),
            ("e1g1", "kq", None),
            ("e1c1", "kq", None),
            ("e2e4", "KQkq", Some("e3")),
            ("e2e3", "KQkq", None),
        ] {
            let (made, _) = uci_with_san(&start, mv).expect("a legal move");
            let after = after_move(&start, made);
            let square = after.rights.en_passant.map(|square| square_name(square, false));
            let found = (after.rights.castling.to_string(), square.as_deref(), after.turn);
            assert_eq!(found, (castling.into(), en_passant, Colour::Black), "{mv}");
        }
    }

    /// Positions with captures en passant, castling and promotions of both sides, and the number of lines that other programs publish.
    const LINES: &[(&str, Castling, u8, u64)] = &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Castling::ALL, 3, 8_902),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R", Castling::ALL, 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8", Castling::NONE, 4, 43_238),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N", Castling::NONE, 3, 9_483),
    ];

    #[test]
    fn lines_of_moves_are_as_many_as_published() {
        for &(fen, castling, plies, due) in LINES {
            let read = crate::board::read_fen_fields(&[fen], crate::games::chess::Chess.format());
            let board = read.expect("a board").board;
            let rights = Rights { castling, en_passant: None };
            for (turn, due) in [(Colour::White, Some(due)), (Colour::Black, None)] {
                let position = Position { board: board.clone(), turn, dialect: Dialect::Default, rights };
                let moves = legal_moves(&position);
                assert_eq!([0, 1].map(|plies| perft(&position, plies)), [1, moves.len() as u64]);
                if let Some(due) = due {
                    assert_eq!(perft(&position, plies), due, "{fen}");
                }
                let mut specials = 0;
                for mv in moves {
                    let after = after_move(&position, mv);
                    for next in legal_moves(&after) {
                        specials += u32::from(next.en_passant);
                        let packed: PackedMove = next.into();
                        assert_eq!(packed.unpacked(), next);
                        let found = PackedPosition::new(&after, after.turn).after(packed);
                        let position = after_move(&after, next);
                        assert_eq!(found, PackedPosition::new(&position, position.turn), "{next:?}");
                    }
                }
                assert!(specials > 0 || !fen.starts_with("r3k2r"), "{turn:?}");
            }
        }
    }
}
