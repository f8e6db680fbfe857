//! Positions and moves of chess as other formats write them.

use cpz_check::analysis::read_move_text;
use cpz_rules::board::{Castling, Colour, Kind, Rights, Square, read_fen_fields, write_fen};
use cpz_rules::games::{
    ChessMove, Dialect, Position, after_move, game, matching_moves, san, uci_with_san, why_illegal,
};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::GameId;

/// A chess position that a record states.
#[derive(Clone)]
pub(super) struct ChessPosition {
    /// The position, with the rights that are stated.
    pub position: Position,
    /// Its FEN, with the fields that are stated.
    pub fen: String,
}

/// Reads the fields of a FEN.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read_position(fields: &[&str]) -> Result<ChessPosition, String> {
    let read = read_fen_fields(fields, game(GameId::Chess).format())?;
    let rights = Rights { castling: read.castling.unwrap_or(Castling::NONE), en_passant: read.en_passant };
    let turn = read.turn.unwrap_or(Colour::White);
    let position = Position { board: read.board, turn, dialect: Dialect::Default, rights };
    Ok(ChessPosition { position, fen: fields.join(" ") })
}

/// The number of words at the start of a text that are the fields of a FEN: up to four, and the two counters.
pub(super) fn fen_fields(words: &[&str]) -> usize {
    words.iter().take(6).enumerate().take_while(|(i, word)| is_fen_field(*i, word)).count()
}

/// What is wrong with the word behind the fields of a FEN: it stands where a field does, since all that are to follow it do.
///
/// # Errors
/// Which field it is no value of.
pub(super) fn check_next_field(words: &[&str]) -> Result<(), String> {
    const FIELDS: [&str; 4] =
        ["a FEN", "the side to move", "the rights to castle", "the square of en passant"];
    let at = fen_fields(words);
    let fits = |i: usize| words.get(i).is_some_and(|word| is_fen_field(i, word));
    let ends = fits(4) && fits(5) || words.len() == 4 && at < 3;
    match (1..4).contains(&at) && (at + 1..4).all(fits) && ends {
        true => Err(format!("`{}` is not {}", words[at], FIELDS[at])),
        false => Ok(()),
    }
}

/// Whether a word can be the field of a FEN with this index, from 0.
pub(super) fn is_fen_field(index: usize, word: &str) -> bool {
    match index {
        0 => word.contains('/'),
        1 => matches!(word, "w" | "b" | "W" | "B"),
        2 => word == "-" || word.len() <= 4 && word.bytes().all(|b| b"KQkqABCDEFGHabcdefgh".contains(&b)),
        3 => {
            let is_square = |b: &[u8]| matches!(b, [b'a'..=b'h' | b'A'..=b'H', b'0'..=b'9']);
            word == "-" || is_square(word.as_bytes())
        }
        _ => !word.is_empty() && word.len() <= 5 && word.bytes().all(|b| b.is_ascii_digit()),
    }
}

/// The position as a FEN of four fields.
pub(super) fn fen_of(position: &Position) -> String {
    let format = game(GameId::Chess).format();
    let en_passant = position.rights.en_passant.filter(|&square| can_be_taken(position, square));
    write_fen(&position.board, format, position.turn, Rights { en_passant, ..position.rights })
}

/// Whether a pawn of the side to move stands beside the pawn that has passed over a square.
fn can_be_taken(position: &Position, passed: Square) -> bool {
    let rank = if position.turn == Colour::White { 4 } else { 3 };
    let at = |x: u8| position.board.at(Square::new(x, rank));
    let is_own_pawn = |x: u8| at(x).is_some_and(|p| p.kind == Kind::Pawn && p.colour == position.turn);
    passed.x > 0 && is_own_pawn(passed.x - 1) || passed.x < 7 && is_own_pawn(passed.x + 1)
}

/// The one legal move that a text names: SAN, UCI, or long notation.
///
/// # Errors
/// Why it is none.
pub(super) fn read_move(position: &Position, text: &str) -> Result<ChessMove, String> {
    let read = read_move_text(text, Span::new(0, text.len() as u32), position.turn)
        .map_err(|_| format!("`{text}` is no move"))?;
    let wanted = read.request.without_claims();
    match matching_moves(position, &wanted)[..] {
        [mv] => Ok(mv),
        [] => {
            let why = why_illegal(position, &wanted).unwrap_or_else(|| "it is not possible".to_string());
            Err(format!("`{text}` is illegal: {why}"))
        }
        _ => Err(format!("`{text}` is ambiguous: more than one piece can make it")),
    }
}

/// A line of moves in SAN, with numbers from 1.
pub(super) struct NumberedLine {
    /// The position after the moves so far.
    pub position: Position,
    /// The moves with their numbers.
    pub text: String,
    /// The first move.
    pub first: Option<String>,
    /// The number of moves.
    pub plies: usize,
    /// The side whose moves have the numbers: White, but in help play the one that does not reach the goal.
    pub numbered: Colour,
    number: u32,
}

impl NumberedLine {
    /// A line that begins in a position.
    pub fn new(position: Position) -> NumberedLine {
        NumberedLine {
            position,
            text: String::new(),
            first: None,
            plies: 0,
            numbered: Colour::White,
            number: 1,
        }
    }

    /// Makes a legal move.
    pub fn push(&mut self, mv: ChessMove) {
        let name = san(&self.position, mv);
        self.push_named(mv, name);
    }

    /// Makes a move in UCI notation; false if it is not legal.
    pub fn push_uci(&mut self, text: &str) -> bool {
        let Some((mv, name)) = uci_with_san(&self.position, text) else { return false };
        self.push_named(mv, name);
        true
    }

    fn push_named(&mut self, mv: ChessMove, name: String) {
        let is_numbered = self.position.turn == self.numbered;
        match (is_numbered, self.plies) {
            (true, 0) => self.text.push_str("1. "),
            (true, _) => self.text.push_str(&format!(" {}. ", self.number)),
            (false, 0) => self.text.push_str("1... "),
            (false, _) => self.text.push(' '),
        }
        self.text.push_str(&name);
        self.number += u32::from(!is_numbered);
        self.position = after_move(&self.position, mv);
        self.plies += 1;
        if self.plies == 1 {
            self.first = Some(name);
        }
    }
}
