//! `cpz/board` and `cpz/square`: what the panel beside the editor shows, and where a square of it stands in
//! the text. Both are described in `docs/editors.md`, for whoever writes such a panel.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::analysis::Defaults;
use crate::diagnostic::visible;
use crate::ide;
use crate::server::handlers::features::RequestContext;
use crate::server::state::publish::QUICK;
use crate::syntax::Puzzle;

/// What is asked of `cpz/board`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BoardParams {
    pub text_document: lsp::TextDocumentIdentifier,
    /// The cursor.
    pub position: lsp::Position,
    /// Which way to play, from 0; the first if it is not told.
    #[serde(default)]
    pub line: Option<usize>,
    /// Which picture of it, from 0; the one of the step under the cursor if it is not told.
    #[serde(default)]
    pub frame: Option<usize>,
    /// Whether a long search is waited for.
    #[serde(default)]
    pub wait: bool,
}

/// What is asked of `cpz/square`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SquareParams {
    pub text_document: lsp::TextDocumentIdentifier,
    /// The cursor.
    pub position: lsp::Position,
    /// The name of the square: `b2`, `c2 (I)`.
    pub square: String,
}

/// The answer of `cpz/board`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Board {
    /// The version of the text that this is of.
    version: Option<i32>,
    /// The puzzle.
    range: lsp::Range,
    name: Option<String>,
    game: &'static str,
    /// The comments above the puzzle, line by line.
    description: Vec<String>,
    /// `✓ verified`, `✗ 2 errors`
    state: String,
    queries: Vec<Query>,
    /// The ways to play, by name.
    lines: Vec<String>,
    line: usize,
    /// How many pictures this way to play has.
    frames: usize,
    frame: usize,
    /// The picture: an SVG whose squares are elements with `data-square`.
    svg: String,
    /// The board in words.
    words: String,
    caption: String,
    failed: bool,
    /// The step that is shown, where it is written.
    step: Option<lsp::Range>,
    /// Whether all is known that can be; if not, a question that waits has more.
    whole: bool,
}

#[derive(Serialize)]
struct Query {
    label: String,
    range: lsp::Range,
    shown: bool,
}

impl RequestContext<'_> {
    /// The board under the cursor; nothing where there are no puzzles.
    pub fn board(&self, params: &BoardParams) -> Option<Board> {
        let mut whole = true;
        let known = |puzzle: Puzzle<'_>, settings: Defaults| {
            if params.wait {
                return self.whole(puzzle, settings);
            }
            let quick = self.session.cache.report_quick(puzzle, settings, &self.options(), QUICK);
            whole = quick.is_complete;
            quick.report
        };
        let snapshot = self.snapshot;
        let offset = self.offset(params.position);
        let found = ide::panel(self.tree(), &self.config(), offset, params.line, params.frame, known)?;
        let plain = |text: String| visible(&text).into_owned();
        let query =
            |q: ide::PanelQuery| Query { label: plain(q.label), range: self.range(q.span), shown: q.shown };
        Some(Board {
            version: snapshot.version,
            range: self.range(found.span),
            name: found.name.map(plain),
            game: found.game,
            description: found.description.into_iter().map(plain).collect(),
            state: plain(found.state),
            queries: found.queries.into_iter().map(query).collect(),
            lines: found.lines.into_iter().map(plain).collect(),
            line: found.line,
            frames: found.frames,
            frame: found.frame.number,
            svg: found.frame.svg,
            words: plain(found.frame.words),
            caption: plain(found.frame.caption),
            failed: found.frame.failed,
            step: found.frame.span.map(|s| self.range(s)),
            whole,
        })
    }

    /// Where a square of the board under the cursor is written.
    pub fn square(&self, params: &SquareParams) -> Option<lsp::Range> {
        let offset = self.offset(params.position);
        let span = ide::written_at(self.tree(), self.base(), offset, &params.square)?;
        Some(self.range(span))
    }
}
