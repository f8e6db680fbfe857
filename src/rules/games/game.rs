//! What all games share: positions, questions, answers and the [`Game`] trait.

use std::hash::{Hash, Hasher};

use crate::board::{Board, Colour, Format, Kind, Rights, Square, Wing, home_rank};
use crate::games::budget::{Budget, Undecided};
use crate::games::chess_move::ChessMove;
use crate::games::compact_position::CompactPosition;
use crate::games::stipulation::Stipulation;
use crate::games::symmetry::Symmetry;
use cpz_text::diagnostic::Code;
use cpz_text::syntax::{Property, Verb};

/// The dialects of solitaire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// Pawns capture in every diagonal direction (source 002).
    #[default]
    Default,
    /// Pawns capture upwards only.
    Ranger,
    /// Pawns capture upwards only, no piece captures more than twice, a king is never captured.
    Solo,
}

impl Dialect {
    /// All variants.
    pub const ALL: [Dialect; 3] = [Dialect::Default, Dialect::Ranger, Dialect::Solo];

    /// The word in a text.
    pub fn word(self) -> &'static str {
        ["default", "ranger", "solo"][self as usize]
    }
}

/// A position, with everything that the rules depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces on their squares.
    pub board: Board,
    /// The side to move.
    pub turn: Colour,
    /// The dialect of solitaire.
    pub dialect: Dialect,
    /// Castling and en passant, in chess.
    pub rights: Rights,
}

impl Position {
    /// This position with the board, the side to move and the rights of another one.
    pub fn changed(&self, other: &CompactPosition) -> Position {
        Position {
            board: other.board(&self.board),
            turn: other.turn,
            rights: Rights { castling: other.castling, en_passant: other.en_passant },
            ..self.clone()
        }
    }
}

/// A capture of solitaire: the piece on `from` takes the piece on `to` and stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capture {
    /// The square of the capturing piece.
    pub from: Square,
    /// The square of the captured piece.
    pub to: Square,
}

/// A chess move as written: it is legal if any piece that matches can make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Request {
    /// The side that moves.
    pub colour: Colour,
    /// The kind of the piece; `None` for any, if only squares are named.
    pub kind: Option<Kind>,
    /// The target.
    pub to: Square,
    /// File and rank of the start, 0-based, each if it is named.
    pub from: (Option<u8>, Option<u8>),
    /// Whether it must be a capture.
    pub captures: bool,
    /// The kind that a pawn is promoted to.
    pub promotion: Option<Kind>,
    /// The wing of `O-O` and `O-O-O`.
    pub castling: Option<Wing>,
    /// Whether it must be a capture en passant, as `exd6 e.p.` says.
    pub en_passant: bool,
    /// What the mark behind the move claims.
    pub mark: Option<Mark>,
    /// Whether it must mean one move, as SAN and UCI do. A list asks for any move that matches.
    pub one_move: bool,
}

/// What the mark behind a written move claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// `+`
    Check,
    /// `#`
    Mate,
}

impl Request {
    /// A move of any piece of a colour to a square.
    pub fn to(colour: Colour, to: Square) -> Request {
        Request {
            colour,
            kind: None,
            to,
            from: (None, None),
            captures: false,
            promotion: None,
            castling: None,
            en_passant: false,
            mark: None,
            one_move: false,
        }
    }

    /// The same move without claims about it, which ask nothing.
    pub fn without_claims(self) -> Request {
        Request { mark: None, one_move: !self.may_castle(), ..self }
    }

    /// Whether it may mean castling: `O-O` and `e1g1` may, `Kg1` as text may not.
    pub(crate) fn may_castle(&self) -> bool {
        let is_target = matches!(self.to.x, 2 | 6) && self.to.y == home_rank(self.colour);
        let is_named = self.castling.is_some() || matches!(self.from, (Some(_), Some(_)));
        is_named || !self.one_move || self.kind != Some(Kind::King) || !is_target
    }

    /// The same move by the other side; castling is on its own rank.
    pub fn by_other_side(self) -> Request {
        let colour = self.colour.other();
        match self.castling {
            None => Request { colour, ..self },
            Some(_) => {
                let rank = home_rank(colour);
                let from = (self.from.0, Some(rank));
                Request { colour, to: Square { y: rank, ..self.to }, from, ..self }
            }
        }
    }
}

/// A right that the pieces of a position cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RightsIssue {
    /// Whether it is the en passant square; otherwise it is a castling right.
    pub en_passant: bool,
    /// Why.
    pub message: String,
    /// The nearest value that the pieces can have, as a FEN writes it.
    pub correct: String,
}

/// A question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Question {
    /// The verb.
    pub verb: Verb,
    /// The move of `move`.
    pub request: Option<Request>,
    /// What a chess problem asks.
    pub stipulation: Option<Stipulation>,
    /// The position of a twin, of duplex or of set play; none where the diagram itself is asked.
    pub position: Option<CompactPosition>,
}

/// Hashes of puzzles are kept in files: a question about the diagram keeps the hash that it had before there were twins.
impl Hash for Question {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.verb, self.request, self.stipulation).hash(state);
        if let Some(position) = self.position {
            position.hash(state);
        }
    }
}

impl Question {
    /// A question without an argument.
    pub const fn of(verb: Verb) -> Question {
        Question { verb, request: None, stipulation: None, position: None }
    }
}

/// The status of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Status {
    Checkmate,
    Check,
    Stalemate,
    None,
}

impl Status {
    /// The word in a text.
    pub fn word(self) -> &'static str {
        ["checkmate", "check", "stalemate", "none"][self as usize]
    }
}

/// Whether an enemy piece of draughts can be captured: first, after others, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Verdict {
    Directly,
    After,
    No,
}

impl Verdict {
    /// All variants.
    pub const ALL: [Verdict; 3] = [Verdict::Directly, Verdict::After, Verdict::No];

    /// The word in a text.
    pub fn word(self) -> &'static str {
        ["directly", "after", "no"][self as usize]
    }
}

/// A complete capture of draughts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The start and every square that the piece lands on.
    pub path: Vec<Square>,
    /// The squares of the captured pieces, in order.
    pub taken: Vec<Square>,
}

/// One reason for a status: an escape square with its guards, or a check with the pieces that give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// A sentence without a full stop.
    pub text: String,
    /// The move that the reason is about, possible or not.
    pub step: Option<(Square, Square)>,
    /// Whether the move is possible.
    pub possible: bool,
    /// The pieces that give check, guard, pin or are in the way.
    pub by: Vec<Square>,
}

impl Reason {
    /// A reason without a move.
    pub(super) fn new(text: String, by: Vec<Square>) -> Reason {
        Reason { text, step: None, possible: false, by }
    }

    /// The texts of some reasons.
    pub fn texts(reasons: &[Reason]) -> Vec<String> {
        reasons.iter().map(|r| r.text.clone()).collect()
    }
}

/// A move of chess with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMove {
    /// The move in SAN, with its mark.
    pub san: String,
    /// The move in the notation of UCI.
    pub uci: String,
}

/// A key of a chess problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedKey {
    /// The move.
    pub mv: NamedMove,
    /// The moves that it needs at most, itself included.
    pub mates: u8,
}

/// A move of the other side before a chess problem begins, and what is ready for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSetPlay {
    /// The move.
    pub mv: NamedMove,
    /// The answers that keep to the length; none where the move itself reaches the goal.
    pub answers: Vec<NamedKey>,
}

/// Whether fewer moves than are asked for solve a series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShorterSeries {
    /// It was not asked, or the search ended early.
    Unknown,
    /// No number of moves does.
    None,
    /// The first solution of the least number of moves.
    First(Vec<ChessMove>),
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A solution; `None` if the position has none.
    Solve(Option<Vec<Capture>>),
    /// The number of solutions. Each is `None` if the budget did not reach or the number exceeds 128 bits.
    Count {
        /// The number of sequences of captures.
        count: Option<u128>,
        /// The number of distinct sets of captures.
        distinct: Option<u128>,
    },
    /// Why the move is illegal; `None` if it is legal.
    Move(Option<String>),
    /// The status of a side, with every escape, block and capture as reasons.
    Mate {
        /// The status.
        status: Status,
        /// The side.
        side: Colour,
        /// The reasons, in the order of the message.
        reasons: Vec<Reason>,
    },
    /// Every complete capture, and the verdict on each enemy piece.
    Capture {
        /// Sorted by path.
        lines: Vec<Line>,
        /// Sorted by square.
        pieces: Vec<(Square, Verdict)>,
    },
    /// The keys of a problem that has keys, in the order of their squares.
    Keys {
        /// What was asked.
        stipulation: Stipulation,
        /// All keys that were found.
        keys: Vec<NamedKey>,
        /// Whether no key is missing: false if the budget ran out.
        complete: bool,
    },
    /// The solutions of a problem that has whole sequences, sorted.
    Sequences {
        /// What was asked.
        stipulation: Stipulation,
        /// All solutions that were found.
        solutions: Vec<Vec<NamedMove>>,
        /// Whether no solution is missing: false if the budget ran out, or if there are more than are listed.
        complete: bool,
        /// Whether more were found than are listed.
        is_cut: bool,
        /// What is known of shorter series.
        shorter: ShorterSeries,
    },
    /// The set play of a problem that has keys: what is ready for each move of the other side, if that had to move first.
    SetPlay {
        /// What was asked.
        stipulation: Stipulation,
        /// In the order of the squares of their first moves.
        variations: Vec<NamedSetPlay>,
    },
    /// `line` has no answer of its own: it is the author's.
    Line,
}

/// Something odd or impossible in a position.
#[derive(Clone, Debug)]
pub struct PositionIssue {
    /// `too-many-kings`, `too-many-pieces` or `impossible-position`.
    pub code: Code,
    /// The index of its cell.
    pub cell: usize,
    /// What is wrong.
    pub message: String,
    /// A related cell, with the text that says how.
    pub other: Option<(usize, &'static str)>,
}

/// A step of a written sequence: of captures, or of a draughts path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The start.
    pub from: Square,
    /// The target.
    pub to: Square,
    /// The kind of the captured piece, if it is written.
    pub taken: Option<Kind>,
}

/// Why a written sequence fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The index of the step that fails, from 0; the number of steps if the sequence ends too early.
    pub step: usize,
    /// Why.
    pub message: String,
    /// Steps that are possible instead.
    pub notes: Vec<String>,
}

/// A game: its format, its rules and its search.
pub trait Game: Sync {
    /// The format of its boards.
    fn format(&self) -> &'static Format;

    /// The verbs of its queries.
    fn verbs(&self) -> &'static [Verb];

    /// Whether the game has a property. Properties such as `author` and `note` apply to all games.
    fn takes(&self, property: Property) -> bool;

    /// What is impossible or odd in a position. `sides` are the sides that may be to move.
    fn validate(&self, _position: &Position, _sides: &[Colour]) -> Vec<PositionIssue> {
        Vec::new()
    }

    /// The rights that the pieces of a position cannot have, at most one for each field. `sides` are the sides that may
    /// be to move.
    fn rights_issues(&self, _position: &Position, _sides: &[Colour]) -> Vec<RightsIssue> {
        Vec::new()
    }

    /// The rights of a position without those that can never be used.
    fn effective_rights(&self, _position: &Position) -> Rights {
        Rights::default()
    }

    /// The answer to a question. Its verb must be one of [`Game::verbs`].
    ///
    /// # Errors
    /// [`Undecided`] if the budget ran out or the search was cancelled.
    fn answer(
        &self,
        position: &Position,
        question: &Question,
        budget: &Budget<'_>,
    ) -> Result<Answer, Undecided>;

    /// The answer without what costs much and is compared with no written answer: of a count, the number of distinct
    /// solutions.
    ///
    /// # Errors
    /// As [`Game::answer`].
    fn answer_in_brief(
        &self,
        position: &Position,
        question: &Question,
        budget: &Budget<'_>,
    ) -> Result<Answer, Undecided> {
        self.answer(position, question, budget)
    }

    /// The status of the side to move, in games that have one: the answer to [`Verb::Mate`] without reasons.
    fn status(&self, _position: &Position) -> Option<Status> {
        None
    }

    /// Checks a written sequence: a solution of solitaire, or a complete capture of draughts.
    ///
    /// # Errors
    /// The first step that fails, and why.
    fn follow(&self, _position: &Position, _steps: &[Step]) -> Result<(), ReplayError> {
        Ok(())
    }

    /// The squares that a piece can move to without capturing, in draughts, whose queries ask about captures only.
    /// Ignores whether the piece must capture.
    fn quiet(&self, _position: &Position, _from: Square) -> Vec<Square> {
        Vec::new()
    }

    /// A solution with another set of captures than `first`; `None` if there is none.
    ///
    /// # Errors
    /// [`Undecided`] if the budget ran out or the search was cancelled.
    fn second(
        &self,
        _: &Position,
        _first: &[Capture],
        _: &Budget<'_>,
    ) -> Result<Option<Vec<Capture>>, Undecided> {
        Ok(None)
    }

    /// The most first steps of a written solution after which the position can still be solved, and the rest of a
    /// solution from there; `None` if it cannot be solved at all. A step that is not possible ends the written solution.
    ///
    /// # Errors
    /// [`Undecided`] if the budget ran out or the search was cancelled.
    fn last_solvable(
        &self,
        _: &Position,
        _steps: &[Step],
        _: &Budget<'_>,
    ) -> Result<Option<(usize, Vec<Capture>)>, Undecided> {
        Ok(None)
    }

    /// The symmetries of the board that keep every answer, the identity first.
    fn symmetries(&self, _position: &Position) -> &'static [Symmetry] {
        &[Symmetry::IDENTITY]
    }
}

/// Joins words: `a`, `a and b`, `a, b and c`.
pub(super) fn join_words(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Castling, Piece, Size};
    use crate::games::game;
    use cpz_text::syntax::GameId;
    use rustc_hash::FxHasher;
    use std::hash::Hasher;

    #[test]
    fn a_move_without_claims_is_the_same_whatever_is_claimed() {
        let plain = Request { kind: Some(Kind::Queen), ..Request::to(Colour::Black, Square::new(3, 6)) };
        for (mark, one_move) in
            [None, Some(Mark::Check), Some(Mark::Mate)].map(|mark| [(mark, false), (mark, true)]).concat()
        {
            assert_eq!(Request { mark, one_move, ..plain }.without_claims(), plain);
        }
    }

    /// What a game is asked and does not take, and how many symmetries an empty board of its default size has.
    #[test]
    fn each_game_has_its_verbs_properties_and_symmetries() {
        let mut lines = Vec::new();
        for &id in GameId::ALL {
            let game = game(id);
            let verbs: Vec<&str> = game.verbs().iter().map(|verb| verb.word()).take(6).collect();
            let refused: Vec<&str> =
                Property::ALL.iter().filter(|&&p| !game.takes(p)).map(|property| property.word()).collect();
            let is_cube = id.word() == "chess3d";
            let board = Board::empty(if is_cube { Size { w: 4, h: 4, d: 4 } } else { Size::flat(8, 8) });
            let (turn, dialect, rights) = (Colour::White, Dialect::Default, Rights::default());
            let position = Position { board, turn, dialect, rights };
            let symmetries = game.symmetries(&position);
            assert_eq!(symmetries[0], Symmetry::IDENTITY);
            // Only solitaire has whole solutions, and only draughts moves that it does not ask about.
            let budget = Budget::new(1_000, None);
            assert_eq!(game.quiet(&position, Square::new(0, 0)), []);
            if id != GameId::Solitaire {
                assert_eq!(game.second(&position, &[], &budget), Ok(None));
                assert_eq!(game.last_solvable(&position, &[], &budget), Ok(None));
            }
            lines.push(format!(
                "{} {} asks {}; takes no {}; {} symmetries; {:?}",
                id.word(),
                game.format().game,
                verbs.join(" "),
                refused.join(" "),
                symmetries.len(),
                game.status(&position),
            ));
        }
        let due = [
            "solitaire solitaire asks solve count; takes no turn castling en-passant solutions condition half-duplex \
             zeroposition; 8 symmetries; None",
            "chess chess asks move mate mate in stalemate in + x; takes no rules unique; 2 symmetries; Some(Stalemate)",
            "chess3d chess3d asks mate line; takes no castling en-passant solutions rules unique condition half-duplex \
             zeroposition; 48 symmetries; Some(Stalemate)",
            "draughts draughts asks capture line; takes no castling en-passant solutions rules unique condition half-duplex \
             zeroposition; 1 symmetries; None",
        ];
        assert_eq!(lines, due);
    }

    #[test]
    fn values_have_their_words() {
        assert_eq!(Dialect::ALL.map(Dialect::word), ["default", "ranger", "solo"]);
        assert_eq!(Verdict::ALL.map(Verdict::word), ["directly", "after", "no"]);
        let all = [Status::Checkmate, Status::Check, Status::Stalemate, Status::None];
        assert_eq!(all.map(Status::word), ["checkmate", "check", "stalemate", "none"]);
        let reasons = ["b", "a"].map(|text| Reason::new(text.into(), vec![Square::new(1, 2)]));
        assert_eq!(Reason::texts(&reasons), ["b", "a"]);
        assert!(reasons.iter().all(|reason| !reason.possible && reason.step.is_none()));
    }

    /// Files keep these hashes, so a question about the diagram has that of its three parts.
    #[test]
    fn the_hash_of_a_question_is_that_of_its_parts() {
        let hashed = |value: &dyn Fn(&mut FxHasher)| {
            let mut hasher = FxHasher::default();
            value(&mut hasher);
            hasher.finish()
        };
        let board = Board::empty(Size::flat(8, 8));
        let other = CompactPosition::new(&board, Colour::Black, Castling::NONE);
        let parts = (Verb::Mate, None::<Request>, Stipulation::from_short("#2"));
        let question = Question { stipulation: parts.2, ..Question::of(parts.0) };
        assert_eq!(hashed(&|h| question.hash(h)), hashed(&|h| parts.hash(h)));
        let of_twin = Question { position: Some(other), ..question };
        assert_eq!(hashed(&|h| of_twin.hash(h)), hashed(&|h| (parts, other).hash(h)));
        let kind = parts.2.map(|asked| (asked.kind, asked.plies));
        assert_eq!(hashed(&|h| parts.2.hash(h)), hashed(&|h| kind.hash(h)));
    }

    #[test]
    fn a_changed_position_has_the_board_side_and_rights_of_the_other_one() {
        let (mut board, dialect) = (Board::empty(Size::flat(8, 8)), Dialect::Solo);
        board.cells[9] = Some(Piece::new(Colour::Black, Kind::Rook));
        let passed = Some(Square::new(3, 5));
        let mut other = CompactPosition::new(&board, Colour::Black, Castling::ALL);
        other.en_passant = passed;
        let rights = Rights { castling: Castling::NONE, en_passant: Some(Square::new(1, 2)) };
        let empty = Board::empty(Size::flat(8, 8));
        let before = Position { board: empty, turn: Colour::White, dialect, rights };
        let rights = Rights { castling: Castling::ALL, en_passant: passed };
        assert_eq!(before.changed(&other), Position { board, turn: Colour::Black, dialect, rights });
    }
}
