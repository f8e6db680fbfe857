//! A chess problem as Popeye and Olive state it: men, a stipulation, options and conditions.

use crate::import::entry::{BoardText, Entry};
use crate::import::notice::Item;
use cpz_rules::board::{
    Board, Castling, Colour, KING_FILE, Kind, Piece, Size, Square, home_rank, square_name, write_placement,
};
use cpz_rules::games::{ProblemKind, Stipulation, game};
use cpz_text::syntax::GameId;

/// A chess problem.
#[derive(Clone)]
pub(super) struct Task {
    /// The men.
    pub board: Board,
    /// The stipulation as it is written.
    pub stipulation: String,
    /// What makes another task of it than the stipulation alone: its kind, such as `condition`, and its text.
    pub changes: Vec<(&'static str, String)>,
    /// The squares of the pieces that cannot castle.
    pub no_castling: Vec<Square>,
    /// The squares of the double step that was just played.
    pub en_passant: Vec<Square>,
    /// Whether it is asked for the other colour too.
    pub is_duplex: bool,
    /// Whether the colours play each other's part.
    pub is_exchanged: bool,
}

/// Reads `#2`, `s#3`, `h#2.5`. Set play, as in `h#2*`, changes nothing. `None` for what no query asks.
pub(super) fn read_stipulation(text: &str) -> Option<Stipulation> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let text = text.trim_end_matches('*');
    let (kind, rest) = match text.as_bytes().first()? {
        b'h' => (ProblemKind::Helpmate, &text[1..]),
        b's' => (ProblemKind::Selfmate, &text[1..]),
        _ => (ProblemKind::Mate, text),
    };
    let number = rest.strip_prefix('#')?;
    let (whole, half) = match number.split_once('.') {
        None => (number, 0),
        Some((whole, "5")) if kind == ProblemKind::Helpmate => (whole, 1),
        Some(_) => return None,
    };
    let is_number = !whole.is_empty() && whole.bytes().all(|b| b.is_ascii_digit());
    let moves: u8 = whole.parse().ok().filter(|n| is_number && (1..=Stipulation::MAX_MOVES).contains(n))?;
    Some(Stipulation { kind, plies: 2 * moves + half })
}

/// The query of a stipulation.
pub(super) fn question(stipulation: Stipulation) -> String {
    format!("{} in {}", stipulation.kind.word(), stipulation.length())
}

impl Task {
    /// An empty board without a stipulation.
    pub fn new() -> Task {
        Task {
            board: Board::empty(Size::flat(8, 8)),
            stipulation: String::new(),
            changes: Vec::new(),
            no_castling: Vec::new(),
            en_passant: Vec::new(),
            is_duplex: false,
            is_exchanged: false,
        }
    }

    /// A puzzle of the problem, and a second one where it is asked with the colours exchanged too.
    pub fn items(&self, first: Entry) -> Vec<Item> {
        let second = self.is_duplex.then(|| {
            let exchanged = Task { is_duplex: false, is_exchanged: !self.is_exchanged, ..self.clone() };
            let mut second = first.clone();
            second.board = exchanged.entry().board;
            second.name = second.name.map(|name| format!("{name} (duplex)"));
            second.comments.push("Duplex: the colours play each other's part.".to_string());
            second.properties.retain(|(name, _)| name != "id");
            second
        });
        [first].into_iter().chain(second).map(Item::puzzle).collect()
    }

    /// The man on a square.
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.board.at(square)
    }

    /// Puts a man on a square, or clears it.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        let index = self.board.index(square);
        self.board.cells[index] = piece;
    }

    /// Moves all men at once.
    ///
    /// # Errors
    /// A man would leave the board.
    pub fn transform(&mut self, to: impl Fn(i16, i16) -> (i16, i16)) -> Result<(), String> {
        let mut board = Board::empty(self.board.size);
        for (square, piece) in self.board.pieces() {
            let (x, y) = to(i16::from(square.x), i16::from(square.y));
            let on_board = |v: i16| u8::try_from(v).ok().filter(|v| *v < 8);
            let (Some(x), Some(y)) = (on_board(x), on_board(y)) else {
                return Err(format!("the man on {} would leave the board", square_name(square, false)));
            };
            let index = board.index(Square::new(x, y));
            board.cells[index] = Some(piece);
        }
        self.board = board;
        Ok(())
    }

    /// What is asked; `None` where a stipulation, an option or a condition is none of a query.
    pub fn asked(&self) -> Option<Stipulation> {
        read_stipulation(&self.stipulation).filter(|_| self.changes.is_empty())
    }

    /// The side that begins. Black begins in helpmates and other help play, unless half a move more is asked.
    pub fn turn(&self) -> Colour {
        let text = self.stipulation.trim().to_lowercase();
        let is_help =
            |text: &str| text.starts_with('h') && !text.starts_with("hs") && !text.starts_with("hr");
        let helps = is_help(&text) || text.split('-').skip(1).any(is_help);
        let is_black = text.contains("black") || helps != text.contains(".5");
        let begins = if is_black { Colour::Black } else { Colour::White };
        if self.is_exchanged { begins.other() } else { begins }
    }

    /// The puzzle, without its question: the board with the side that begins, and the rights.
    pub fn entry(&self) -> Entry {
        let side = if self.turn() == Colour::White { 'w' } else { 'b' };
        let placement = write_placement(&self.board, game(GameId::Chess).format());
        Entry::new(GameId::Chess, BoardText::Inline(format!("{placement} {side}")))
    }

    /// Adds the rights that are not those of every problem, and in notes what no query can say.
    pub fn finish(&self, entry: &mut Entry) {
        if !self.no_castling.is_empty() {
            entry.word("castling", &self.castling().to_string());
        }
        let mut passed = self.en_passant.iter().filter(|s| matches!(s.y, 2 | 5));
        if let Some(&square) = passed.next() {
            entry.word("en-passant", &square_name(square, false));
        }
        for &square in passed {
            entry.keep("option", &format!("en passant is possible on {} too", square_name(square, false)));
        }
        match read_stipulation(&self.stipulation) {
            None if self.stipulation.trim().is_empty() => {
                entry.keep("stipulation", "no stipulation is given")
            }
            None => entry.keep("stipulation", &format!("stipulation: {}", self.stipulation.trim())),
            Some(_) if !self.changes.is_empty() => {
                entry.keep("stipulation", &format!("stipulation: {}", self.stipulation.trim()));
            }
            Some(_) => {}
        }
        if self.is_exchanged && self.asked().is_none() {
            entry.keep("option", "option: HalfDuplex");
        }
        for (kind, text) in &self.changes {
            entry.keep(kind, &format!("{kind}: {text}"));
        }
    }

    /// The rights of kings and rooks at home that the problem does not exclude.
    fn castling(&self) -> Castling {
        let is_able = |square: Square, piece: Piece| {
            self.at(square) == Some(piece) && !self.no_castling.contains(&square)
        };
        let mut castling = Castling::NONE;
        for (colour, wing, _) in Castling::EACH {
            let rank = home_rank(colour);
            let king = is_able(Square::new(KING_FILE, rank), Piece::new(colour, Kind::King));
            if king && is_able(Square::new(wing.files().0, rank), Piece::new(colour, Kind::Rook)) {
                castling = castling.with(colour, wing);
            }
        }
        castling
    }
}

/// The square of a name such as `e4`, in any case.
pub(super) fn square(text: &str) -> Option<Square> {
    match *text.as_bytes() {
        [x, y @ b'1'..=b'8'] if (b'a'..=b'h').contains(&x.to_ascii_lowercase()) => {
            Some(Square::new(x.to_ascii_lowercase() - b'a', y - b'1'))
        }
        _ => None,
    }
}

/// Squares that are written one after the other: `a1b2`. `None` if anything else is there.
pub(super) fn squares(text: &str) -> Option<Vec<Square>> {
    let is_even = text.is_ascii() && text.len().is_multiple_of(2) && !text.is_empty();
    let pairs = (0..text.len() / 2).map(|i| text.get(2 * i..2 * i + 2).and_then(square));
    pairs.collect::<Option<Vec<Square>>>().filter(|_| is_even)
}
