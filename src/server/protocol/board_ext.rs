//! The extensions `cpz/board` and `cpz/square`: the content of an editor's board view, and the place of one of
//! its squares in the text. `docs/editors.md` describes both for authors of such a view.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

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
    /// Whether to wait for slow searches.
    #[serde(default)]
    pub wait: bool,
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
