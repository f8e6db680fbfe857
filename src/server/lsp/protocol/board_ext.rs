//! The extensions `cpz/board`, `cpz/square`, `cpz/edit` and `cpz/targets`: the content of an editor's board view, the
//! place of one of its squares in the text, and the edits of what is done on it. `docs/editors.md` describes both for authors of such a view.

use ls_types as lsp;
use serde::{Deserialize, Serialize};

/// The parameters of `cpz/board`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BoardParams {
    pub text_document: lsp::TextDocumentIdentifier,
    /// The cursor.
    pub position: lsp::Position,
    /// The line to play, 0-based. Default: the first.
    #[serde(default)]
    pub line: Option<usize>,
    /// The picture of that line, 0-based. Default: the picture of the step under the cursor.
    #[serde(default)]
    pub frame: Option<usize>,
    /// The number of the chosen move at each branch of a chess problem, 0-based. Default: the first at each.
    #[serde(default)]
    pub choices: Vec<usize>,
    /// How many levels of a cube are drawn side by side. Default: 4.
    #[serde(default)]
    pub across: Option<usize>,
    /// Whether to wait for slow searches.
    #[serde(default)]
    pub wait: bool,
    /// What gestures on the board do; if present, the result has `touch`, and the picture is the board to be touched.
    #[serde(default)]
    pub mode: Option<BoardMode>,
}

/// What gestures on a board do.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum BoardMode {
    /// They change the position.
    Edit,
    /// They are moves, which are written as an answer.
    Record,
}

/// The parameters of `cpz/edit`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditParams {
    pub text_document: lsp::VersionedTextDocumentIdentifier,
    /// The cursor.
    pub position: lsp::Position,
    pub gesture: Gesture,
}

/// What was done on a board: that of the twin which the cursor is in, or of the puzzle. Squares are named as the board view
/// shows them; without `square` or `from`, the one whose cell or entry is at the cursor.
#[derive(Clone, Deserialize)]
#[serde(try_from = "GestureFields")]
pub(crate) enum Gesture {
    /// Puts a piece, by its letter, on a square.
    Put { square: Option<String>, piece: String },
    /// Removes the piece on a square.
    Remove { square: Option<String> },
    /// Moves a piece; one that stands on the target is removed.
    Move { from: Option<String>, to: String },
    /// Removes all pieces.
    Clear,
    /// Gives the board another size; a cube has as many rows and levels as columns.
    Size { columns: u32, rows: u32 },
    /// Sets the side to move: `white` or `black`.
    Side { side: String },
    /// Sets the castling rights, as a FEN has them.
    Castling { rights: String },
    /// Adds a legal move to what is written as an answer.
    Record { from: Option<String>, to: String, choice: Option<String> },
}

impl Gesture {
    /// Whether it does not need the square at the cursor.
    pub(crate) fn names_square(&self) -> bool {
        match self {
            Gesture::Put { square, .. } | Gesture::Remove { square } => square.is_some(),
            Gesture::Move { from, .. } | Gesture::Record { from, .. } => from.is_some(),
            _ => true,
        }
    }
}

/// A gesture as JSON: `kind` says which of the others there are. A tagged enum would take ten times the code.
#[derive(Deserialize)]
struct GestureFields {
    kind: String,
    square: Option<String>,
    piece: Option<String>,
    from: Option<String>,
    to: Option<String>,
    columns: Option<u32>,
    rows: Option<u32>,
    side: Option<String>,
    rights: Option<String>,
    choice: Option<String>,
}

impl TryFrom<GestureFields> for Gesture {
    type Error = String;

    fn try_from(fields: GestureFields) -> Result<Gesture, String> {
        let GestureFields { kind, square, piece, from, to, columns, rows, side, rights, choice } = fields;
        let gesture = match &kind[..] {
            "put" => piece.map(|piece| Gesture::Put { square, piece }),
            "remove" => Some(Gesture::Remove { square }),
            "move" => to.map(|to| Gesture::Move { from, to }),
            "clear" => Some(Gesture::Clear),
            "size" => columns.zip(rows).map(|(columns, rows)| Gesture::Size { columns, rows }),
            "side" => side.map(|side| Gesture::Side { side }),
            "castling" => rights.map(|rights| Gesture::Castling { rights }),
            "record" => to.map(|to| Gesture::Record { from, to, choice }),
            _ => return Err(format!("there is no gesture `{kind}`")),
        };
        gesture.ok_or_else(|| format!("the gesture `{kind}` lacks a field"))
    }
}

/// The result of `cpz/edit`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditResult {
    /// The version of the text that the edits belong to.
    pub version: Option<i32>,
    /// To be applied together, as one step of undo; empty if the board is as asked for.
    pub edits: Vec<lsp::TextEdit>,
    /// What is done, for screen readers: `knight on d1 to b3`.
    pub words: String,
    /// Of a recorded move, what it does to the puzzle: `keeps it solvable`; may be empty.
    pub verdict: String,
    /// Why nothing is edited, for the user.
    pub refused: Option<String>,
    /// The moves that the gesture can mean. One has to be sent again with its `id` as `choice`. If the gesture is refused, too,
    /// what it can mean instead: the move as a try.
    pub choices: Vec<EditChoice>,
}

#[derive(Serialize)]
pub(crate) struct EditChoice {
    pub id: String,
    pub label: String,
}

/// The result of `cpz/targets`, whose parameters are those of `cpz/square`.
#[derive(Serialize)]
pub(crate) struct TargetsResult {
    /// The squares that the piece can go to as a recorded move.
    pub targets: Vec<String>,
    /// Why no move can be recorded, for the user.
    pub refused: Option<String>,
}

/// A board that can be touched.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BoardTouch {
    /// Why it cannot, for the user.
    pub refused: Option<String>,
    /// The pieces of the game.
    pub palette: Vec<BoardPiece>,
    /// The side to move, in games of two sides.
    pub side: Option<&'static str>,
    /// The castling rights as a FEN has them, in chess.
    pub castling: Option<String>,
    pub columns: u8,
    pub rows: u8,
    pub levels: u8,
    /// The least and the greatest side; equal if boards have one size.
    pub least: u8,
    pub greatest: u8,
    /// What the board is worth now: `One solution`, `keeps it solvable`.
    pub verdict: String,
    /// Whether the verdict is good or bad; `null` if it is neither.
    pub good: Option<bool>,
    /// In record mode, the defences of a chess problem that have no answer yet and can be made now.
    pub left: Vec<BoardMove>,
}

/// A move that can be recorded.
#[derive(Serialize)]
pub(crate) struct BoardMove {
    /// `1...Kd5`
    pub label: String,
    pub from: String,
    pub to: String,
    /// What the gesture has as its `choice`, such as what a pawn becomes.
    pub choice: Option<String>,
}

/// A piece that can be put on a board.
#[derive(Serialize)]
pub(crate) struct BoardPiece {
    pub letter: char,
    pub name: String,
    /// Its picture as SVG.
    pub svg: String,
}

/// The parameters of `cpz/hint`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HintParams {
    pub text_document: lsp::TextDocumentIdentifier,
    /// The cursor.
    pub position: lsp::Position,
    /// How much the hint gives away: 1 the least.
    pub grade: u8,
}

/// The result of `cpz/hint`.
#[derive(Serialize)]
pub(crate) struct HintResult {
    pub hint: Option<String>,
    /// Why there is no hint.
    pub refused: Option<String>,
    /// The number of grades; the last one is the move.
    pub grades: u8,
}

/// The parameters of `cpz/square`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SquareParams {
    pub text_document: lsp::TextDocumentIdentifier,
    /// The cursor.
    pub position: lsp::Position,
    /// The name of the square, as the board view shows it: `b2`, `c2 (I)`.
    pub square: String,
}

/// The result of `cpz/board`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BoardView {
    /// The version of the text that the result belongs to.
    pub version: Option<i32>,
    /// The range of the puzzle.
    pub range: lsp::Range,
    pub name: Option<String>,
    pub game: &'static str,
    /// The comments above the puzzle, one item a line.
    pub description: Vec<String>,
    /// The state of the puzzle: `✓ verified`, `✗ step 2: nothing to capture on d3`.
    pub state: String,
    /// The state where it speaks of an error or a warning, for a header that leads to it; else empty.
    pub headline: String,
    /// The range of that error or warning.
    pub trouble: Option<lsp::Range>,
    /// Whether the board is being typed, so that what it lacks is no error yet.
    pub draft: bool,
    pub queries: Vec<BoardQuery>,
    /// The names of the lines to play.
    pub lines: Vec<String>,
    /// The line shown, 0-based.
    pub line: usize,
    /// The number of pictures of that line.
    pub frames: usize,
    /// The picture shown, 0-based.
    pub frame: usize,
    /// The picture: an SVG whose squares are elements with `data-square`.
    pub svg: String,
    /// The board in words, for screen readers.
    pub words: String,
    pub caption: String,
    pub failed: bool,
    /// The moves that can be chosen at this picture, in a chess problem.
    pub branch: Option<BoardBranch>,
    /// The range of the step that the picture shows.
    pub step: Option<lsp::Range>,
    /// The position that the puzzle begins with, as a FEN or PDN; `null` if it cannot be read or the game has none.
    pub fen: Option<String>,
    /// The same as text, with the names of files and ranks.
    pub text: Option<String>,
    /// The board that can be touched, if a mode was asked for.
    pub touch: Option<BoardTouch>,
    /// Whether every search has finished. If not, a request with `wait` returns more.
    #[serde(rename = "whole")]
    pub is_complete: bool,
}

#[derive(Serialize)]
pub(crate) struct BoardQuery {
    pub label: String,
    pub range: lsp::Range,
    pub shown: bool,
}

/// The moves of which one is chosen. A request for another one has its number behind those in `before` as `choices`,
/// and `frame`.
#[derive(Serialize)]
pub(crate) struct BoardBranch {
    /// What the moves are: `Black's replies to 1.Qb6`.
    pub title: String,
    pub choices: Vec<BoardChoice>,
    /// The number of the chosen move, 0-based.
    pub chosen: usize,
    /// The numbers of the moves that are chosen at the branches before this one.
    pub before: Vec<usize>,
    /// The picture after the chosen move, 0-based.
    pub frame: usize,
}

#[derive(Serialize)]
pub(crate) struct BoardChoice {
    /// The move: `1...Kd5`.
    pub label: String,
    /// What answers it: `2.Qd6#`; may be empty.
    pub answer: String,
    /// Moves with the same answer are consecutive and have the same number.
    pub group: usize,
    /// Whether it refutes a try.
    pub refutes: bool,
}
