//! What all games share: positions, questions, answers and the [`Game`] trait.

use crate::board::{Board, Colour, Format, Kind, Square};
use crate::diagnostic::Code;
use crate::games::budget::{Budget, Undecided};
use crate::games::symmetry::Symmetry;
use crate::syntax::{Property, Verb};

/// The dialects of solitaire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// Pawns capture in every diagonal direction (source 002).
    #[default]
    Default,
    /// Pawns capture upwards only.
    Ranger,
    /// Pawns upwards, no piece captures more than twice, a king is never captured.
    Solo,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 3] = [Dialect::Default, Dialect::Ranger, Dialect::Solo];

    /// Its word.
    pub fn word(self) -> &'static str {
        ["default", "ranger", "solo"][self as usize]
    }
}

/// A position with all that its rules depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Colour,
    /// The dialect of solitaire.
    pub dialect: Dialect,
}

/// One piece takes another: from its square to the other's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Capture {
    /// Where the taking piece stands.
    pub from: Square,
    /// Where the taken piece stands.
    pub to: Square,
}

/// A chess move as it is asked for: any piece that fits may make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Request {
    /// Whose piece.
    pub colour: Colour,
    /// What kind; any where only squares are named.
    pub kind: Option<Kind>,
    /// Where to.
    pub to: Square,
    /// Where from, as far as it is told: file and rank, 0-based.
    pub from: (Option<u8>, Option<u8>),
    /// Whether it must be a capture.
    pub captures: bool,
    /// What a pawn is promoted to.
    pub promotion: Option<Kind>,
    /// `O-O` and `O-O-O`, which no position alone can allow.
    pub castling: bool,
}

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Question {
    /// The verb.
    pub verb: Verb,
    /// The move of `move`.
    pub request: Option<Request>,
}

/// The state of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Status {
    Checkmate,
    Check,
    Stalemate,
    None,
}

impl Status {
    /// Its word.
    pub fn word(self) -> &'static str {
        ["checkmate", "check", "stalemate", "none"][self as usize]
    }
}

/// How an enemy piece of draughts can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Verdict {
    Directly,
    After,
    No,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 3] = [Verdict::Directly, Verdict::After, Verdict::No];

    /// Its word.
    pub fn word(self) -> &'static str {
        ["directly", "after", "no"][self as usize]
    }
}

/// A complete capture of draughts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// Where it starts and every square that it lands on.
    pub path: Vec<Square>,
    /// What it takes, in order.
    pub taken: Vec<Square>,
}

/// A part of what a verdict rests on: an escape and what guards it, a check and who gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// A sentence without a full stop.
    pub text: String,
    /// A move that it is about: whether it can be made or not.
    pub step: Option<(Square, Square)>,
    /// Whether that move can be made.
    pub possible: bool,
    /// The pieces that it rests on: those that give check, guard, pin or stand in the way.
    pub by: Vec<Square>,
}

impl Reason {
    /// A sentence about pieces.
    pub(crate) fn new(text: String, by: Vec<Square>) -> Reason {
        Reason { text, step: None, possible: false, by }
    }

    /// The sentences alone.
    pub fn texts(reasons: &[Reason]) -> Vec<String> {
        reasons.iter().map(|r| r.text.clone()).collect()
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A solution, or that there is none.
    Solve(Option<Vec<Capture>>),
    /// How many solutions, and how many distinct sets of captures; not both need be known.
    Count {
        /// Sequences of captures.
        count: Option<u128>,
        /// Sets of captures.
        distinct: Option<u128>,
    },
    /// Why the move is illegal; nothing where it is legal.
    Move(Option<String>),
    /// The state of a side, and what it rests on: every escape, block and capture.
    Mate {
        /// The state.
        status: Status,
        /// Whose.
        side: Colour,
        /// In the order in which they are told.
        reasons: Vec<Reason>,
    },
    /// Every complete capture, sorted, and what becomes of each enemy piece.
    Capture {
        /// By path.
        lines: Vec<Line>,
        /// By square.
        pieces: Vec<(Square, Verdict)>,
    },
}

/// What is odd or wrong about a position.
#[derive(Clone, Debug)]
pub struct PositionIssue {
    /// Its code: `too-many-kings`, `too-many-pieces` or `impossible-position`.
    pub code: Code,
    /// The cell that it is about.
    pub cell: usize,
    /// What is wrong.
    pub message: String,
    /// Another cell that belongs to it.
    pub other: Option<(usize, &'static str)>,
}

/// A step of a written sequence: of captures, or of a draughts path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// From where.
    pub from: Square,
    /// To where.
    pub to: Square,
    /// The captured kind, where it is written.
    pub taken: Option<Kind>,
}

/// Why a written sequence fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The step that fails, from 0; the number of steps where it stops short.
    pub step: usize,
    /// Why.
    pub message: String,
    /// What could be done instead.
    pub notes: Vec<String>,
}

/// A game: what it is made of, its rules and its search.
pub trait Game: Sync {
    /// How its boards are written.
    fn format(&self) -> &'static Format;

    /// What can be asked.
    fn verbs(&self) -> &'static [Verb];

    /// Whether a property means something here; the ones about a puzzle as a text always do.
    fn takes(&self, property: Property) -> bool;

    /// What is wrong or odd about a position. `sides` are those that may be to move.
    fn validate(&self, _position: &Position, _sides: &[Colour]) -> Vec<PositionIssue> {
        Vec::new()
    }

    /// The answer to a question that is among the game's verbs.
    fn answer(
        &self,
        position: &Position,
        question: &Question,
        budget: &Budget<'_>,
    ) -> Result<Answer, Undecided>;

    /// The state of the side to move, in games that have one: what [`Verb::Mate`] is answered, but without
    /// what it rests on.
    fn status(&self, _position: &Position) -> Option<Status> {
        None
    }

    /// Whether a written sequence is a solution or a complete capture.
    fn follow(&self, _position: &Position, _steps: &[Step]) -> Result<(), ReplayError> {
        Ok(())
    }

    /// Where a piece can go without capturing, in games whose queries ask of captures alone; whether it
    /// must capture is not looked at.
    fn quiet(&self, _position: &Position, _from: Square) -> Vec<Square> {
        Vec::new()
    }

    /// A solution whose set of captures differs from the given one's.
    fn second(
        &self,
        _: &Position,
        _first: &[Capture],
        _: &Budget<'_>,
    ) -> Result<Option<Vec<Capture>>, Undecided> {
        Ok(None)
    }

    /// The symmetries of the board that change no answer, the identity first.
    fn symmetries(&self, _position: &Position) -> Vec<Symmetry> {
        vec![Symmetry::IDENTITY]
    }
}

/// Joins sentences' parts: `a`, `a and b`, `a, b and c`.
pub(crate) fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}
