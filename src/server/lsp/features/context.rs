//! One attempt at a request: the snapshot, the part of its text that the request is about, and the conversions
//! between offsets in that part and positions of the protocol.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ls_types as lsp;

use crate::lsp::protocol::client_capabilities::ClientCapabilities;
use crate::lsp::protocol::convert::{offset, position, range, span};
use crate::lsp::protocol::request_error::{RequestError, Result};
use crate::lsp::session::Session;
use crate::lsp::session::limits::QUICK_NODE_LIMIT;
use crate::lsp::state::snapshot::Snapshot;
use cpz_check::analysis::{Config, Defaults, Options, PuzzleReport, Watch, Window, bind_one, position_of};
use cpz_ide as ide;
use cpz_rules::board::Board;
use cpz_rules::games::Budget;
use cpz_text::diagnostic::{Edit, Finding, Span};
use cpz_text::syntax::{Puzzle, Tree};

/// The largest part of a text that one context reads, in bytes. Longer ranges are cut.
const MAX_WINDOW: u32 = 1 << 20;

/// One attempt at a request.
pub(crate) struct RequestContext<'a> {
    pub session: &'a Session,
    pub snapshot: &'a Snapshot,
    cancel: &'a Arc<AtomicBool>,
    /// Whether slow searches may run. The first attempt does not allow them.
    allow_slow: bool,
    missing: &'a Missing,
    /// Shows and stops the searches, for a request that the user waits for.
    watch: Option<Arc<Watch>>,
    /// The part of the text that the request is about; `None` for the whole text.
    window: Option<Window>,
    /// The tree of the whole text, parsed on first use.
    full_tree: OnceCell<Arc<Tree>>,
}

/// Whether this server does all that it can; see the feature `complete` in Cargo.toml. A constant, so that the compiler
/// leaves out what is never called.
pub(crate) const IS_COMPLETE: bool = cfg!(feature = "complete");

/// What an attempt lacks because it may not run slow searches.
#[derive(Default)]
struct Missing {
    /// Set when the attempt needs a slow search that it may not run.
    needs_slow_pass: Cell<bool>,
    /// Set when the answer leaves something out that a slow search would tell.
    is_incomplete: Cell<bool>,
}

/// The outcome of an attempt.
pub(crate) struct Attempt<T> {
    /// The answer, or an internal error after a panic.
    pub answer: Result<T>,
    /// Whether the job has to run again with slow searches.
    pub needs_slow_pass: bool,
    /// Whether the answer may become longer after the slow searches for the diagnostics of the document.
    pub is_incomplete: bool,
}

/// Runs a job without slow searches (or with them).
pub(crate) fn attempt<T>(
    job: &impl Fn(&RequestContext<'_>) -> T,
    session: &Session,
    snapshot: &Snapshot,
    cancel: &Arc<AtomicBool>,
    allow_slow: bool,
) -> Attempt<T> {
    let missing = Missing::default();
    let full_tree = OnceCell::new();
    let context = RequestContext {
        session,
        snapshot,
        cancel,
        allow_slow,
        missing: &missing,
        watch: None,
        window: None,
        full_tree,
    };
    let answer = catch_unwind(AssertUnwindSafe(|| job(&context)));
    Attempt {
        answer: answer.map_err(|_| RequestError::internal()),
        needs_slow_pass: missing.needs_slow_pass.get(),
        is_incomplete: missing.is_incomplete.get(),
    }
}

impl<'a> RequestContext<'a> {
    /// The context of the puzzles that a range touches: only these are read, however long the text.
    pub fn for_range(&self, range: lsp::Range) -> RequestContext<'a> {
        let span = span(&self.snapshot.rope, range, self.client().encoding);
        self.with_window(Some(self.snapshot.window(span, MAX_WINDOW)))
    }

    /// The context of the puzzles at a position.
    pub fn for_position(&self, position: lsp::Position) -> RequestContext<'a> {
        self.for_range(lsp::Range { start: position, end: position })
    }

    /// Contexts of consecutive parts that cover the whole text, because the tree of a long text takes many times
    /// the memory of the text. Ends when the request is cancelled.
    pub fn windows(&self) -> impl Iterator<Item = RequestContext<'a>> {
        let is_short = self.snapshot.rope.len_bytes() <= MAX_WINDOW as usize;
        let windows = (!is_short).then(|| self.snapshot.windows(MAX_WINDOW)).into_iter().flatten().map(Some);
        let all = is_short.then_some(None).into_iter().chain(windows);
        all.take_while(|_| !self.cancelled()).map(|window| self.with_window(window))
    }

    /// The context of the whole text.
    pub fn for_whole_text(&self) -> RequestContext<'a> {
        self.with_window(None)
    }

    fn with_window(&self, window: Option<Window>) -> RequestContext<'a> {
        let RequestContext { session, snapshot, cancel, allow_slow, missing, .. } = *self;
        let (watch, full_tree) = (self.watch.clone(), OnceCell::new());
        RequestContext { session, snapshot, cancel, allow_slow, missing, watch, window, full_tree }
    }

    /// The context of the whole text, with searches that `watch` shows and stops.
    #[cfg(feature = "native")]
    pub fn watched(&self, watch: &Arc<Watch>) -> RequestContext<'a> {
        RequestContext { watch: Some(watch.clone()), ..self.for_whole_text() }
    }

    /// Collects up to `max` items from the windows in order. `find` gets how many are missing.
    pub fn collect_windows<T>(
        &self,
        max: usize,
        find: impl Fn(&RequestContext<'_>, usize) -> Vec<T>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for window in self.windows() {
            found.extend(find(&window, max - found.len()));
            if found.len() >= max {
                found.truncate(max);
                break;
            }
        }
        found
    }
}

/// The text of the context, and positions in it.
impl RequestContext<'_> {
    /// The tree of the window, or of the whole text. All offsets and spans are relative to its start.
    pub fn tree(&self) -> &Tree {
        let full = || &**self.full_tree.get_or_init(|| self.snapshot.tree());
        self.window.as_ref().map_or_else(full, |w| &w.tree)
    }

    /// The span of all of `tree()`.
    pub fn full_span(&self) -> Span {
        Span::new(0, self.tree().text().len() as u32)
    }

    /// The offset of the window in the whole text.
    pub fn start(&self) -> u32 {
        self.window.as_ref().map_or(0, |w| w.start)
    }

    pub fn range(&self, mut span: Span) -> lsp::Range {
        span.shift(self.start().into());
        range(&self.snapshot.rope, span, self.client().encoding)
    }

    pub fn position(&self, offset: u32) -> lsp::Position {
        position(&self.snapshot.rope, offset + self.start(), self.client().encoding)
    }

    pub fn offset(&self, position: lsp::Position) -> u32 {
        let offset = offset(&self.snapshot.rope, position, self.client().encoding);
        offset.saturating_sub(self.start()).min(self.tree().text().len() as u32)
    }

    pub fn span(&self, range: lsp::Range) -> Span {
        let (a, b) = (self.offset(range.start), self.offset(range.end));
        Span::new(a.min(b), a.max(b))
    }

    pub fn location(&self, span: Span) -> Option<lsp::Location> {
        Some(lsp::Location { uri: self.snapshot.uri.parse().ok()?, range: self.range(span) })
    }

    pub fn edits(&self, edits: &[Edit]) -> Vec<lsp::TextEdit> {
        let edit = |e: &Edit| lsp::TextEdit { range: self.range(e.span), new_text: e.text.clone() };
        edits.iter().map(edit).collect()
    }

    /// Edits of this document at this version.
    #[allow(clippy::mutable_key_type)] // The URI does not change while it is a key.
    pub fn workspace_edit(&self, edits: &[Edit]) -> lsp::WorkspaceEdit {
        let uri = self.snapshot.uri.parse::<lsp::Uri>().ok();
        if self.client().versions {
            // With a version, the client rejects the edit if its text has changed.
            let one = |uri| lsp::TextDocumentEdit {
                text_document: lsp::OptionalVersionedTextDocumentIdentifier {
                    uri,
                    version: self.snapshot.version,
                },
                edits: self.edits(edits).into_iter().map(lsp::OneOf::Left).collect(),
            };
            let changes = lsp::DocumentChanges::Edits(uri.into_iter().map(one).collect());
            return lsp::WorkspaceEdit { document_changes: Some(changes), ..Default::default() };
        }
        let changes: HashMap<lsp::Uri, Vec<lsp::TextEdit>> =
            uri.into_iter().map(|u| (u, self.edits(edits))).collect();
        lsp::WorkspaceEdit { changes: Some(changes), ..Default::default() }
    }
}

/// Settings and analysis.
impl RequestContext<'_> {
    pub fn client(&self) -> ClientCapabilities {
        self.session.client_capabilities()
    }

    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Whether the user has stopped the searches. What they have proved is kept.
    pub fn is_stopped(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.is_stopped())
    }

    /// Whether the answer of this attempt will be dropped.
    pub fn needs_slow_pass(&self) -> bool {
        self.missing.needs_slow_pass.get()
    }

    /// What a search for a request may do.
    pub fn options(&self) -> Options {
        Options { cancel: Some(self.cancel.clone()), watch: self.watch.clone(), ..self.snapshot.options() }
    }

    /// The defaults in force at the start of the window.
    pub fn base(&self) -> Defaults {
        self.window.as_ref().map_or(self.snapshot.config.settings, |w| w.defaults)
    }

    /// The configuration, with the defaults in force at the start of the window.
    pub fn config(&self) -> Config {
        Config { settings: self.base(), ..(*self.snapshot.config).clone() }
    }

    /// The report of a puzzle if it needs no slow search.
    pub fn report_if_quick(&self, puzzle: Puzzle<'_>, settings: Defaults) -> Option<PuzzleReport> {
        let report = self.session.cache.report_if_quick(puzzle, settings, &self.options(), QUICK_NODE_LIMIT);
        self.missing.is_incomplete.set(self.missing.is_incomplete.get() | report.is_none());
        report
    }

    /// The report of a puzzle without slow searches, and whether it is complete.
    pub fn report_quick(&self, puzzle: Puzzle<'_>, settings: Defaults) -> (PuzzleReport, bool) {
        let quick = self.session.cache.report_quick(puzzle, settings, &self.options(), QUICK_NODE_LIMIT);
        (quick.report, quick.is_complete)
    }

    /// The budget of a search beyond the report of a puzzle: a small one unless slow searches are wanted and may run.
    pub fn search_budget(&self, wants_slow: bool) -> Budget<'_> {
        let is_slow = wants_slow && self.allow_slow;
        Budget::new(if is_slow { self.options().nodes } else { QUICK_NODE_LIMIT }, Some(self.cancel))
    }

    /// Runs a search beyond the report of a puzzle, with a budget as [`Self::search_budget`] says, which who waits for it sees
    /// and can stop.
    pub fn search<T>(&self, wants_slow: bool, run: impl FnOnce(&Budget<'_>) -> T) -> T {
        let options = self.options();
        let is_slow = wants_slow && self.allow_slow;
        options.search_beside(if is_slow { options.nodes } else { QUICK_NODE_LIMIT }, run)
    }

    /// The options of a search of at most some nodes, or of a small one if this attempt may run no slow searches.
    pub fn options_within(&self, nodes: u64) -> Options {
        let options = self.options();
        let nodes = nodes.min(options.nodes);
        Options { nodes: if self.allow_slow { nodes } else { nodes.min(QUICK_NODE_LIMIT) }, ..options }
    }

    /// Whether a slow search may find more after such a search that was `cut`. If it is wanted, the request runs again.
    pub fn may_find_more(&self, wants_slow: bool, cut: bool) -> bool {
        let may = cut && !self.allow_slow;
        self.require_slow_pass(may && wants_slow);
        may
    }

    /// The complete report of a puzzle. If that needs a slow search which this attempt may not run, the quick
    /// report; then the request runs again.
    pub fn report_full(&self, puzzle: Puzzle<'_>, settings: Defaults) -> PuzzleReport {
        if self.allow_slow {
            return self.session.cache.report_full(puzzle, settings, &self.options());
        }
        let (report, is_complete) = self.report_quick(puzzle, settings);
        self.require_slow_pass(!is_complete);
        report
    }

    /// Whether this attempt may do nothing slow. Then the request runs again.
    pub fn leaves_to_slow_pass(&self) -> bool {
        self.require_slow_pass(!self.allow_slow);
        !self.allow_slow
    }

    fn require_slow_pass(&self, required: bool) {
        let needs = &self.missing.needs_slow_pass;
        needs.set(needs.get() | required);
    }
}

/// What the state knows of a puzzle beyond its report.
impl RequestContext<'_> {
    /// The published findings of a puzzle that depend on other puzzles.
    pub fn others_in(&self, puzzle: Puzzle<'_>) -> Vec<Finding> {
        let (start, end) = (self.start() + puzzle.span().start, self.start() + puzzle.span().end);
        let Some(published) = self.snapshot.findings() else { return Vec::new() };
        let first = published.partition_point(|f| f.span.start < start);
        let inside = published[first..].iter().take_while(|f| f.span.start < end);
        let moved = |f: &Finding| {
            let mut finding = f.clone();
            finding.shift(-i64::from(self.start()));
            finding
        };
        inside.filter(|f| ide::depends_on_others(f.code)).map(moved).collect()
    }

    /// The board of a puzzle, if the last edit was in it.
    pub fn draft_of(&self, puzzle: Puzzle<'_>) -> Option<Span> {
        self.edited_at().and_then(|at| ide::draft_of(puzzle, at))
    }

    /// Where the last edit ended, unless that is before the window.
    pub fn edited_at(&self) -> Option<u32> {
        self.snapshot.edited_at.and_then(|at| at.checked_sub(self.start()))
    }
}

/// The board of a puzzle's position, for the names of its squares.
pub(crate) fn board_of(puzzle: Puzzle<'_>, settings: Defaults) -> Option<Board> {
    let bound = bind_one(puzzle, settings)?;
    position_of(&bound).map(|p| p.board)
}
