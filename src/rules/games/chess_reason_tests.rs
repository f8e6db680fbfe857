//! Reasons and moves of random positions: the rules that find reasons know the same moves as the bitboards, and
//! `tests/fixtures/board/reasons.txt` has each form of a reason with the number of times that it is found, the men that it names in all, and its first example.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::board::{
    Board, Castling, Colour, KING_FILE, Kind, Piece, Rights, Size, Square, Wing, home_rank, read_fen_fields,
    square_name, write_fen,
};
use crate::games::chess_moves::{matching_moves, why_illegal};
use crate::games::chess_rules::ChessRules;
use crate::games::game::{Dialect, Position, Request};
use cpz_text::syntax::GameId;

/// Numbers that are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn is_one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn colour(&mut self) -> Colour {
        if self.is_one_in(2) { Colour::White } else { Colour::Black }
    }

    fn square(&mut self) -> Square {
        Square::new(self.below(8) as u8, self.below(8) as u8)
    }

    /// Some men anywhere; kings at home with rooks, anywhere, or in a corner with heavy men of the other side around it; pawns
    /// that may just have passed one another.
    fn position(&mut self) -> Position {
        let mut board = Board::empty(Size::flat(8, 8));
        for _ in 0..self.below(14) {
            let piece = Piece::new(self.colour(), Kind::ALL[1 + self.below(5)]);
            board.cells[self.below(64)] = Some(piece);
        }
        for colour in [Colour::White, Colour::Black] {
            let home = usize::from(8 * home_rank(colour));
            let (king, rook) = (Piece::new(colour, Kind::King), Piece::new(colour, Kind::Rook));
            match self.below(6) {
                0 => board.cells[self.below(64)] = Some(king),
                1 | 2 => {
                    for _ in 0..4 {
                        let heavy = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight][self.below(4)];
                        let square = Square::new(self.below(5) as u8, self.below(5) as u8);
                        let cell = board.index(square);
                        board.cells[cell] = Some(Piece::new(colour.other(), heavy));
                    }
                    board.cells[[0, 1, 8][self.below(3)]] = Some(king);
                }
                3 if self.is_one_in(6) => {}
                _ => [(4, king), (0, rook), (7, rook)]
                    .into_iter()
                    .for_each(|(x, piece)| board.cells[home + x] = Some(piece)),
            }
        }
        let castling = Castling::EACH.into_iter().filter(|_| self.below(4) > 0);
        let castling = castling.fold(Castling::NONE, |all, e| all.with(e.0, e.1));
        let turn = self.colour();
        let mut en_passant = None;
        if self.is_one_in(2) {
            let (by, y) = if turn == Colour::White { (4, 5) } else { (3, 2) };
            let x = self.below(7);
            board.cells[8 * by + x] = Some(Piece::new(turn.other(), Kind::Pawn));
            board.cells[8 * by + x + 1] = Some(Piece::new(turn, Kind::Pawn));
            en_passant = (!self.is_one_in(3)).then(|| Square::new(x as u8, y));
        }
        Position { board, turn, dialect: Dialect::Default, rights: Rights { castling, en_passant } }
    }

    /// What is asked about a position: mostly a move of one of its men.
    fn request(&mut self, position: &Position) -> Request {
        let Position { board, turn, rights, .. } = position;
        let colour = if self.is_one_in(5) { turn.other() } else { *turn };
        let to = rights.en_passant.filter(|_| self.is_one_in(3)).unwrap_or(self.square());
        let mut wanted = Request::to(colour, to);
        if self.is_one_in(6) {
            let (wing, x) = if self.is_one_in(2) { (Wing::King, 6) } else { (Wing::Queen, 2) };
            wanted.to = Square::new(x, home_rank(colour));
            wanted.from = (Some(KING_FILE), Some(home_rank(colour)));
            wanted.kind = (!self.is_one_in(3)).then_some(Kind::King);
            wanted.castling = self.is_one_in(2).then_some(wing);
            return wanted;
        }
        let men: Vec<(Square, Piece)> = board.pieces().filter(|(_, piece)| piece.colour == colour).collect();
        if !men.is_empty() && !self.is_one_in(8) {
            let (from, piece) = men[self.below(men.len())];
            wanted.kind = (!self.is_one_in(4)).then_some(piece.kind);
            wanted.from.0 = self.is_one_in(3).then_some(from.x);
            wanted.from.1 = self.is_one_in(3).then_some(from.y);
            if piece.kind == Kind::Pawn && self.is_one_in(2) {
                let ahead = if colour == Colour::White { 1 } else { -1 };
                let y = from.y.saturating_add_signed(ahead).min(7);
                let x = (from.x + [0, 1, 7][self.below(3)]) % 8;
                wanted.to = Square::new(x, y);
            }
        } else {
            wanted.kind = self.is_one_in(2).then(|| Kind::ALL[self.below(6)]);
            let from = self.square();
            wanted.from = (self.is_one_in(2).then_some(from.x), self.is_one_in(2).then_some(from.y));
        }
        if self.is_one_in(3) {
            wanted.promotion =
                Some(Kind::ALL[self.below(6)]).filter(|_| self.is_one_in(3) || wanted.to.y.is_multiple_of(7));
        }
        wanted.captures = self.is_one_in(4);
        wanted.en_passant = wanted.captures && self.is_one_in(3);
        wanted.one_move = self.is_one_in(2);
        wanted
    }
}

/// A reason without its squares and men.
fn form(text: &str) -> String {
    let is_square = |word: &str| matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    let is_man = |word: &str| ["king", "queen", "rook", "bishop", "knight", "pawn"].contains(&word);
    let mut form = String::new();
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        form += match bare {
            _ if is_square(bare) => "SQUARE",
            _ if is_man(bare) => "MAN",
            "white" | "black" => "SIDE",
            bare => bare,
        };
        form += &word[bare.len()..];
    }
    form
}

#[test]
fn reasons_and_moves_of_random_positions_are_those_that_are_known() {
    let mut random = Random(23);
    let mut forms: BTreeMap<String, (usize, usize, String)> = BTreeMap::new();
    let mut found = 0;
    for _ in 0..4_000 {
        let position = random.position();
        let rules = ChessRules::with_rights(&position.board, position.rights);
        let fen = write_fen(
            &position.board,
            crate::games::game(GameId::Chess).format(),
            position.turn,
            position.rights,
        );
        let mut add = |text: String, by: &[Square]| {
            let squares =
                || by.iter().map(|&square| format!(" {}", square_name(square, false))).collect::<String>();
            let entry =
                forms.entry(form(&text)).or_insert_with(|| (0, 0, format!("{fen}: {text}{}", squares())));
            entry.0 += 1;
            entry.1 += by.len();
        };
        for _ in 0..8 {
            let wanted = random.request(&position);
            let mut moves = matching_moves(&position, &wanted);
            let mut known = rules.matching(&wanted);
            moves.sort();
            known.sort();
            // An en passant square is one of the side to move alone.
            if wanted.colour == position.turn || position.rights.en_passant.is_none() {
                assert_eq!(known, moves, "{wanted:?} in {fen}");
                assert!(moves.is_empty() || rules.illegal(&wanted).is_none(), "{wanted:?} in {fen}");
            }
            found += moves.len();
            if let Some(text) = why_illegal(&position, &wanted) {
                add(text, &[]);
            }
        }
        for side in [Colour::White, Colour::Black] {
            let (status, reasons) = rules.explained(side);
            if side == position.turn {
                assert_eq!(crate::games::game(GameId::Chess).status(&position), Some(status), "{fen}");
            }
            add(format!("status {}", status.word()), &[]);
            for reason in reasons {
                add(format!("status {}: {}", status.word(), reason.text), &reason.by);
            }
        }
    }
    assert!(found > 2_500, "{found} moves");
    let mut all = String::from("The reasons of chess: see src/rules/games/chess_reason_tests.rs.\n");
    for (form, (count, by, example)) in &forms {
        let _ = writeln!(all, "{count} {form} ({by})\n    {example}");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/board/reasons.txt");
    if std::env::var_os("CPZ_BLESS").is_some() {
        std::fs::write(path, all).expect("the fixture is written");
        return;
    }
    let due = std::fs::read_to_string(path).expect("the fixture").replace("\r\n", "\n");
    for (line, due) in all.lines().zip(due.lines()) {
        assert_eq!(line, due);
    }
    assert_eq!(all.lines().count(), due.lines().count(), "forms of reasons");
}

/// The pawn that gives mate cannot be captured, since a bishop stands behind it.
#[test]
fn who_gives_check_behind_a_pawn_taken_en_passant_is_named() {
    let format = crate::games::game(GameId::Chess).format();
    let fields = ["8/8/7R/2k5/3Pp3/1Q2B3/8/7K", "b", "-", "d3"];
    let read = read_fen_fields(&fields, format).expect("a position");
    let rights = Rights { castling: Castling::NONE, en_passant: Some(Square::new(3, 2)) };
    let (_, reasons) = ChessRules::with_rights(&read.board, rights).explained(Colour::Black);
    let step = Some((Square::new(4, 3), Square::new(3, 2)));
    let by: Vec<_> = reasons.iter().filter(|reason| reason.step == step).map(|reason| &reason.by).collect();
    assert_eq!(by, [&vec![Square::new(4, 2)]], "{reasons:?}");
}
