//! A chess problem as Popeye and Olive state it: men, a stipulation, options and conditions.

use crate::begins::first_side;
use crate::import::entry::{Answer, BoardText, Entry};
use crate::import::notice::Item;
use crate::import::pgn::short_study;
use cpz_rules::board::{
    Board, Castling, Colour, KING_FILE, Kind, Piece, Rights, Size, Square, home_rank, square_name,
    write_placement,
};
use cpz_rules::games::{Dialect, Position, Stipulation, game};
use cpz_text::syntax::{GameId, Verb, unsolved_form};

/// The kind of change that is a fairy condition.
const CONDITION: &str = "condition";

/// A chess problem.
#[derive(Clone)]
pub(super) struct Task {
    /// The men.
    pub board: Board,
    /// The squares on which a man was replaced by another one.
    pub replaced: Vec<Square>,
    /// The stipulation as it is written.
    pub stipulation: String,
    /// What makes another task of it than the stipulation alone: its kind, such as `condition`, and its text.
    pub changes: Vec<(&'static str, String)>,
    /// The squares of the pieces that cannot castle.
    pub no_castling: Vec<Square>,
    /// The squares of the double step that was just played.
    pub en_passant: Vec<Square>,
    /// Whether its set play is asked too.
    pub has_set_play: bool,
    /// Whether it is asked for the other colour too.
    pub is_duplex: bool,
    /// Whether the colours play each other's part.
    pub is_exchanged: bool,
}

/// Reads `#2`, `s#3`, `h#2.5`, `hze52`, without the star of set play. `None` for what no query asks.
pub(super) fn read_stipulation(text: &str) -> Option<Stipulation> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let text = text.trim_end_matches('*');
    Stipulation::from_short(text)
}

/// The query of a stipulation.
pub(super) fn question(stipulation: Stipulation) -> String {
    stipulation.in_words()
}

impl Task {
    /// An empty board without a stipulation.
    pub fn new() -> Task {
        Task {
            board: Board::empty(Size::flat(8, 8)),
            replaced: Vec::new(),
            stipulation: String::new(),
            changes: Vec::new(),
            no_castling: Vec::new(),
            en_passant: Vec::new(),
            has_set_play: false,
            is_duplex: false,
            is_exchanged: false,
        }
    }

    /// A puzzle of the problem; where it is asked with the sides exchanged too, that is a query of its own, whose answer is
    /// `duplex`, or a note where no query asks it.
    pub fn items(&self, mut first: Entry, duplex: Option<Answer>) -> Vec<Item> {
        if self.is_duplex && self.may_have_twins() {
            first.ask(Verb::Duplex.word(), duplex);
        } else if self.is_duplex {
            first.keep("option", "option: Duplex");
        }
        vec![Item::puzzle(first)]
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

    /// What is asked; `None` where a stipulation, an option or a condition is none of a query.
    pub fn asked(&self) -> Option<Stipulation> {
        read_stipulation(&self.stipulation).filter(|_| self.changes.is_empty())
    }

    /// What is asked, with the conditions under which it may be; `None` where no query asks it.
    pub fn problem(&self) -> Option<Stipulation> {
        read_stipulation(&self.stipulation).filter(|_| self.has_conditions_only())
    }

    /// Whether nothing but conditions makes another task of it.
    fn has_conditions_only(&self) -> bool {
        self.changes.iter().all(|(kind, _)| *kind == CONDITION)
    }

    /// Whether twins and the like can be made of it in one puzzle: of what is kept and not solved none of them is solved either.
    pub fn may_have_twins(&self) -> bool {
        let is_problem = self.has_condition() || self.study().is_none();
        self.problem().is_some() || is_problem && self.question().is_some()
    }

    /// Whether it has conditions.
    pub fn has_condition(&self) -> bool {
        self.changes.iter().any(|(kind, _)| *kind == CONDITION)
    }

    /// What a study asks for, `win` or `draw`, which Olive writes `+` and `=`.
    pub fn study(&self) -> Option<&'static str> {
        let sign = self.stipulation.trim();
        short_study(sign).filter(|_| self.has_conditions_only() && sign != "+-")
    }

    /// The question, whether it is solved or not: a stipulation such as `h##2` is known and not solved, and so is any under a
    /// condition. A star behind it asks for set play.
    pub fn question(&self) -> Option<String> {
        let text: String = self.stipulation.split_whitespace().collect::<String>().to_lowercase();
        let has_star = self.has_set_play || text.ends_with('*');
        let star = if has_star { "*" } else { "" };
        match self.problem() {
            Some(asked) if has_star => Some(format!("{} *", question(asked))),
            Some(asked) => Some(question(asked)),
            None if !self.has_conditions_only() => None,
            None if self.study().is_some() => self.study().map(String::from),
            None => {
                let bare = text.trim_end_matches('*');
                unsolved_form(bare).map(|_| format!("{bare}{star}"))
            }
        }
    }

    /// Asks the question.
    pub fn ask(&self, entry: &mut Entry, answer: Option<Answer>) {
        if let Some(question) = self.question() {
            entry.ask(question, answer);
        }
    }

    /// The side that begins.
    pub fn turn(&self) -> Colour {
        let begins = first_side(&self.stipulation);
        if self.is_exchanged { begins.other() } else { begins }
    }

    /// The position in which that side begins.
    pub fn start(&self) -> Position {
        let passed = self.en_passant.iter().copied().find(|square| matches!(square.y, 2 | 5));
        let rights = Rights { castling: self.castling(), en_passant: passed };
        Position { board: self.board.clone(), turn: self.turn(), dialect: Dialect::Default, rights }
    }

    /// The puzzle, without its question: the board with the side that begins, and the rights.
    pub fn entry(&self) -> Entry {
        let side = if self.turn() == Colour::White { 'w' } else { 'b' };
        let placement = write_placement(&self.board, game(GameId::Chess).format());
        // A problem may castle where nothing is said, a study may not.
        let castling = self.castling();
        let rights = match self.study() {
            Some(_) if castling != Castling::NONE => format!(" {castling} -"),
            _ => String::new(),
        };
        Entry::new(GameId::Chess, BoardText::Inline(format!("{placement} {side}{rights}")))
    }

    /// Adds the rights that are not those of every problem, and in notes what no query can say.
    pub fn finish(&self, entry: &mut Entry) {
        if !self.no_castling.is_empty() && self.study().is_none() {
            entry.word("castling", &self.castling().to_string());
        }
        let mut passed = self.en_passant.iter().filter(|s| matches!(s.y, 2 | 5));
        if let Some(&square) = passed.next() {
            entry.word("en-passant", &square_name(square, false));
        }
        for &square in passed {
            entry.keep("option", &format!("en passant is possible on {} too", square_name(square, false)));
        }
        let is_asked = self.question().is_some();
        match read_stipulation(&self.stipulation) {
            _ if is_asked => {}
            None if self.stipulation.trim().is_empty() => {
                entry.keep("stipulation", "no stipulation is given")
            }
            None => entry.keep("stipulation", &format!("stipulation: {}", self.stipulation.trim())),
            Some(_) if !self.changes.is_empty() => {
                entry.keep("stipulation", &format!("stipulation: {}", self.stipulation.trim()));
            }
            Some(_) => {}
        }
        if self.is_exchanged && !is_asked {
            entry.keep("option", "option: HalfDuplex");
        }
        if is_asked {
            let conditions: Vec<&str> = self.changes.iter().map(|(_, text)| text.as_str()).collect();
            entry.text("condition", &conditions.join("; "));
            return;
        }
        for (kind, text) in &self.changes {
            entry.keep(kind, &format!("{kind}: {text}"));
        }
    }

    /// The rights of kings and rooks at home that the problem does not exclude.
    pub fn castling(&self) -> Castling {
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
