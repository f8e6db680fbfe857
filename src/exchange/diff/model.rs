//! What has changed, as plain data. Its JSON is the document of `cpz diff`, with the schema `docs/schema/diff.schema.json`.

use serde::Serialize;

use crate::RangeDocument;
use cpz_rules::board::{Board, Format};

/// The differences between two collections.
#[derive(Serialize)]
pub struct Diff {
    /// The version of the document.
    pub version: u32,
    /// How many puzzles have changed.
    pub summary: DiffSummary,
    /// Those that have, in the order of the new collection; in each file those that are gone come last.
    pub puzzles: Vec<PuzzleDiff>,
    /// The files in which comments or findings outside of puzzles have changed.
    pub files: Vec<FileDiff>,
}

impl Diff {
    /// Whether nothing has changed.
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty() && self.files.is_empty()
    }
}

/// Numbers of puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DiffSummary {
    /// Only the new collection has them.
    pub added: usize,
    /// Only the old collection has them.
    pub removed: usize,
    /// Both have them, with differences.
    pub changed: usize,
    /// Both have them, without differences.
    pub unchanged: usize,
}

/// What has become of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Only the new collection has it.
    Added,
    /// Only the old collection has it.
    Removed,
    /// Both have it.
    Changed,
}

impl Change {
    /// The word before the puzzle in a heading.
    pub fn title(self) -> &'static str {
        ["Added", "Removed", "Changed"][self as usize]
    }
}

/// The differences of one puzzle. Of a puzzle that is added or removed, everything is on one side.
#[derive(Serialize)]
pub struct PuzzleDiff {
    /// What has become of it.
    pub change: Change,
    /// The puzzle in the old collection.
    pub old: Option<PuzzlePlace>,
    /// The puzzle in the new collection.
    pub new: Option<PuzzlePlace>,
    /// Whether it stands in another file, or has changed its place among the puzzles of its file.
    pub moved: bool,
    /// The boards; nothing where they are the same.
    pub board: Option<BoardDiff>,
    /// The properties that differ, the side to move among them.
    pub properties: Vec<PropertyDiff>,
    /// The questions that differ, or the answers of which do.
    pub queries: Vec<QueryDiff>,
    /// The errors and warnings that have come or gone.
    pub findings: FindingsDiff,
}

impl PuzzleDiff {
    /// The puzzle where it stands now, or where it stood.
    pub fn place(&self) -> Option<&PuzzlePlace> {
        self.new.as_ref().or(self.old.as_ref())
    }
}

/// A puzzle of one collection.
#[derive(Serialize)]
pub struct PuzzlePlace {
    /// The path of its file.
    pub path: String,
    /// Its number in the file, from 1.
    pub number: usize,
    /// Its `id`.
    pub id: Option<String>,
    /// Its name, without quotes.
    pub name: Option<String>,
    /// Its game as it is written.
    pub game: String,
    /// Its place in the file.
    pub range: RangeDocument,
    /// The line that it begins on, from 1.
    #[serde(skip)]
    pub line: u32,
    /// The files of both collections with the same key are one file; of a folder the path below it.
    #[serde(skip)]
    pub key: String,
}

impl PuzzlePlace {
    /// The file as people are told it: below the folders that are compared, or else its path.
    pub fn shown_path(&self) -> &str {
        if self.key.is_empty() { &self.path } else { &self.key }
    }
}

/// The boards of a puzzle.
#[derive(Serialize)]
pub struct BoardDiff {
    /// The old one; nothing where there is none or it cannot be read.
    pub old: Option<BoardRows>,
    /// The new one.
    pub new: Option<BoardRows>,
    /// Whether one is the other turned or mirrored.
    pub turned: bool,
    /// The pieces that have moved, come, gone or become others; empty unless both boards can be read.
    pub men: Vec<ManDiff>,
    /// The old board and the new one for pictures; nothing for one that cannot be read.
    #[serde(skip)]
    pub boards: [Option<PlainBoard>; 2],
}

/// A board with what it takes to draw it.
pub struct PlainBoard {
    /// The pieces.
    pub board: Board,
    /// The format of the game.
    pub format: &'static Format,
}

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BoardSize {
    /// The number of files.
    pub columns: u8,
    /// The number of ranks.
    pub rows: u8,
    /// The number of levels: 1 except in chess3d.
    pub levels: u8,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardRows {
    /// Its size.
    pub size: BoardSize,
    /// The rows from the top, level after level from the top, with the letters of a text board.
    pub rows: Vec<String>,
}

/// What has become of a piece. Squares are written by their names, `e1` or `c2 (I)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum ManDiff {
    /// It stands on another square.
    Moved {
        /// The piece, such as `white rook`.
        piece: String,
        /// Where it stood.
        from: String,
        /// Where it stands.
        to: String,
    },
    /// Another piece stands on the square.
    Replaced {
        /// The square.
        square: String,
        /// The piece that stood there.
        old: String,
        /// The piece that stands there.
        new: String,
    },
    /// It is new.
    Added {
        /// The piece.
        piece: String,
        /// Its square.
        square: String,
    },
    /// It is gone.
    Removed {
        /// The piece.
        piece: String,
        /// Its square.
        square: String,
    },
}

/// A property that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PropertyDiff {
    /// Its name in the language, such as `turn`; `name` for the name of the puzzle, `comment` for its comments.
    pub name: String,
    /// Its old value; nothing where there was none.
    pub old: Option<String>,
    /// Its new value.
    pub new: Option<String>,
}

/// A question that differs, or the answer of which does.
#[derive(Serialize)]
pub struct QueryDiff {
    /// The old one; nothing where it is new.
    pub old: Option<QuestionState>,
    /// The new one.
    pub new: Option<QuestionState>,
}

/// A question with its answers.
#[derive(Clone, Debug, Serialize)]
pub struct QuestionState {
    /// The question as it is written, on one line.
    pub asked: String,
    /// The same in words where it is written in short form: `mate in 2` for `#2`.
    #[serde(skip)]
    pub meaning: String,
    /// The answer that is written behind it, on one line.
    pub written: Option<String>,
    /// The right answer as `cpz solve --write` writes it; nothing where it is not known.
    pub answer: Option<String>,
}

/// The form in which a question is written is no difference.
impl PartialEq for QuestionState {
    fn eq(&self, other: &QuestionState) -> bool {
        (&self.meaning, &self.written, &self.answer) == (&other.meaning, &other.written, &other.answer)
    }
}

/// Errors and warnings that have come or gone.
#[derive(Default, Serialize)]
pub struct FindingsDiff {
    /// Those that only the new collection has.
    pub came: Vec<FindingState>,
    /// Those that only the old collection has.
    pub gone: Vec<FindingState>,
}

impl FindingsDiff {
    /// Whether none has come or gone.
    pub fn is_empty(&self) -> bool {
        self.came.is_empty() && self.gone.is_empty()
    }
}

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingState {
    /// Its code.
    pub code: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// Its message.
    pub message: String,
}

/// Findings outside of puzzles that have come or gone.
#[derive(Serialize)]
pub struct FileDiff {
    /// The path of the old file; nothing where the old collection does not have it.
    pub old: Option<String>,
    /// The path of the new file.
    pub new: Option<String>,
    /// As that of a puzzle's place.
    #[serde(skip)]
    pub key: String,
    /// The comments that belong to no puzzle.
    pub comments: CommentsDiff,
    /// The findings.
    pub findings: FindingsDiff,
}

/// Comments that have come or gone, in the order of the text; each is a line without its slashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CommentsDiff {
    /// Those that only the new file has.
    pub came: Vec<String>,
    /// Those that only the old file has.
    pub gone: Vec<String>,
}

impl CommentsDiff {
    /// Whether all comments are the same.
    pub fn is_empty(&self) -> bool {
        self.came.is_empty() && self.gone.is_empty()
    }
}

impl FileDiff {
    /// The file as people are told it: below the folders that are compared, or else its path.
    pub fn shown_path(&self) -> &str {
        let path = || self.new.as_deref().or(self.old.as_deref()).unwrap_or_default();
        if self.key.is_empty() { path() } else { &self.key }
    }
}
