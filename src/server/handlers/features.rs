//! What the client asks of a snapshot, in the protocol's types. Everything is worked out by `ide`; here
//! it is found, bounded and converted.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::analysis::{
    Config, Defaults, Options, Outcome, PuzzleReport, Window, position_of, puzzle_at, puzzles_in,
};
use crate::board::{Board, Target};
use crate::diagnostic::{Edit, Finding, Span};
use crate::games::Answer;
use crate::ide;
use crate::server::protocol::convert::{offset, position, range, span};
use crate::server::session::Session;
use crate::server::state::document::Snapshot;
use crate::server::state::publish::QUICK;
use crate::syntax::{Puzzle, Tree};

/// The most hints of one answer.
const MOST_HINTS: usize = 2000;

/// The commands that lenses and actions run.
pub(crate) const COMMANDS: [&str; 3] = ["cpz.insertAnswer", "cpz.insertAllAnswers", "cpz.showNextMove"];

/// A request at work: the session, the text, and whether somebody still waits.
pub(crate) struct RequestContext<'a> {
    pub session: &'a Session,
    pub snapshot: &'a Snapshot,
    pub cancel: &'a Arc<AtomicBool>,
    /// Whether it may take long. A request is first tried without.
    pub patient: bool,
    /// Set when it is not patient and has to be.
    pub cut_short: &'a Cell<bool>,
    /// The part of the text that it is about; nothing for all of it.
    pub window: Option<Window>,
    /// The tree of all of it, once it was asked for.
    pub whole: OnceCell<Arc<Tree>>,
}

/// How much of a text a request about a range is about, in bytes: a longer range is cut short.
const MOST_BYTES: u32 = 1 << 20;

impl<'a> RequestContext<'a> {
    /// The same about the puzzles that a range touches alone: however long the text, only they are read.
    pub fn near(&self, range: lsp::Range) -> RequestContext<'a> {
        let at = span(&self.snapshot.rope, range, self.session.agreed().encoding);
        self.about(Some(self.snapshot.window(at, MOST_BYTES)))
    }

    fn about(&self, window: Option<Window>) -> RequestContext<'a> {
        let RequestContext { session, snapshot, cancel, patient, cut_short, .. } = *self;
        RequestContext { session, snapshot, cancel, patient, cut_short, window, whole: OnceCell::new() }
    }

    /// The same about one stretch of the text after the other: a tree of all of a long text takes many times
    /// its room. It ends when nobody waits any longer.
    pub fn stretches(&self) -> impl Iterator<Item = RequestContext<'a>> {
        let whole = self.snapshot.rope.len_bytes() <= MOST_BYTES as usize;
        let windows = (!whole).then(|| self.snapshot.stretches(MOST_BYTES)).into_iter().flatten().map(Some);
        let all = whole.then_some(None).into_iter().chain(windows);
        all.take_while(|_| !self.cancelled()).map(|window| self.about(window))
    }

    /// The same about the puzzles at a position.
    pub fn at(&self, position: lsp::Position) -> RequestContext<'a> {
        self.near(lsp::Range { start: position, end: position })
    }
}

impl RequestContext<'_> {
    /// The text that it is about. Offsets and spans are of this.
    pub(crate) fn tree(&self) -> &Tree {
        let whole = || &**self.whole.get_or_init(|| self.snapshot.tree());
        self.window.as_ref().map_or_else(whole, |w| &w.tree)
    }

    /// Where that begins.
    fn start(&self) -> u32 {
        self.window.as_ref().map_or(0, |w| w.start)
    }

    pub(crate) fn range(&self, mut span: Span) -> lsp::Range {
        span.shift(self.start().into());
        range(&self.snapshot.rope, span, self.session.agreed().encoding)
    }

    pub(crate) fn position(&self, offset: u32) -> lsp::Position {
        position(&self.snapshot.rope, offset + self.start(), self.session.agreed().encoding)
    }

    pub(crate) fn offset(&self, position: lsp::Position) -> u32 {
        let offset = offset(&self.snapshot.rope, position, self.session.agreed().encoding);
        offset.saturating_sub(self.start()).min(self.tree().text().len() as u32)
    }

    pub(crate) fn span(&self, range: lsp::Range) -> Span {
        let (a, b) = (self.offset(range.start), self.offset(range.end));
        Span::new(a.min(b), a.max(b))
    }

    pub(crate) fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    pub(crate) fn options(&self) -> Options {
        Options { cancel: Some(self.cancel.clone()), ..self.snapshot.options() }
    }

    /// What is in force where the text begins that it is about.
    pub(crate) fn base(&self) -> Defaults {
        self.window.as_ref().map_or(self.snapshot.config.settings, |w| w.defaults)
    }

    /// What is configured, with what is in force there.
    pub(crate) fn config(&self) -> Config {
        Config { settings: self.base(), ..(*self.snapshot.config).clone() }
    }

    /// What is known of a puzzle without a long search.
    pub(crate) fn quick(&self, puzzle: Puzzle<'_>, settings: Defaults) -> Option<PuzzleReport> {
        self.session.cache.report_if_quick(puzzle, settings, &self.options(), QUICK)
    }

    /// All that can be known of a puzzle; if that takes long and this request is not patient, less, and
    /// the request is tried again.
    pub(crate) fn whole(&self, puzzle: Puzzle<'_>, settings: Defaults) -> PuzzleReport {
        if self.patient {
            return self.session.cache.report_full(puzzle, settings, &self.options());
        }
        let quick = self.session.cache.report_quick(puzzle, settings, &self.options(), QUICK);
        self.cut_short.set(self.cut_short.get() | !quick.is_complete);
        quick.report
    }

    pub(crate) fn edits(&self, edits: &[Edit]) -> Vec<lsp::TextEdit> {
        let edit = |e: &Edit| lsp::TextEdit { range: self.range(e.span), new_text: e.text.clone() };
        edits.iter().map(edit).collect()
    }

    /// A change of this document alone, as it is in this version.
    #[allow(clippy::mutable_key_type)] // The URI is never changed once it is a key.
    pub(crate) fn workspace_edit(&self, edits: &[Edit]) -> lsp::WorkspaceEdit {
        let uri = self.snapshot.uri.parse::<lsp::Uri>().ok();
        if self.session.agreed().versions {
            // Then the client itself refuses what was meant for another text.
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

    // ---- inlay hints

    /// The answers of a range's queries that have none written.
    pub fn inlay_hints(&self, wanted: lsp::Range) -> Vec<lsp::InlayHint> {
        let tree = self.tree();
        let mut hints = Vec::new();
        for (puzzle, settings) in puzzles_in(tree, self.base(), self.span(wanted), MOST_HINTS) {
            if self.cancelled() {
                break;
            }
            let Some(report) = self.quick(puzzle, settings) else { continue };
            let board = board(puzzle, settings);
            hints.extend(ide::hints(tree.text(), &report, board.as_ref()).iter().map(|h| self.hint(h)));
        }
        hints
    }

    fn hint(&self, hint: &ide::Hint) -> lsp::InlayHint {
        lsp::InlayHint {
            position: self.position(hint.offset),
            label: lsp::InlayHintLabel::String(hint.label.clone()),
            kind: None,
            text_edits: hint.insert.as_ref().map(|e| self.edits(std::slice::from_ref(e))),
            tooltip: Some(lsp::InlayHintTooltip::String(hint.tooltip.clone())),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        }
    }

    // ---- commands

    /// What a command changes or shows.
    pub fn execute(&self, command: &str, at: &At) -> Executed {
        if at.version.is_some() && at.version != self.snapshot.version {
            return Executed::Say("the text has changed since; please try again".into());
        }
        if command == COMMANDS[1] {
            let tree = self.tree();
            let whole: Span = Span::new(0, tree.text().len() as u32);
            let all = puzzles_in(tree, self.base(), whole, usize::MAX);
            let mut edits = Vec::new();
            for (puzzle, settings) in all {
                if self.cancelled() || self.cut_short.get() {
                    return Executed::Nothing;
                }
                edits.extend(insertions(tree.text(), &self.whole(puzzle, settings)));
            }
            return self.safely(edits, "there is nothing to insert in this file");
        }
        self.at(at.position).execute_at(command, at.position)
    }

    /// What a command changes or shows that is about one puzzle.
    fn execute_at(&self, command: &str, at: lsp::Position) -> Executed {
        let (tree, offset) = (self.tree(), self.offset(at));
        let Some((puzzle, settings)) = puzzle_at(tree, self.base(), offset) else {
            return Executed::Say("there is no puzzle here".into());
        };
        let report = self.whole(puzzle, settings);
        let query = ide::query_at(&report, offset).or(report.queries.first());
        let Some(query) = query else { return Executed::Say("nothing is asked here".into()) };
        if command == COMMANDS[2] {
            let shown = ide::next_move(query).map(|m| format!("The next move: {m}"));
            return Executed::Say(shown.unwrap_or_else(|| "there is no next move".into()));
        }
        let edit = ide::insertion(tree.text(), query, &report).filter(|_| !report.broken);
        self.safely(edit.into_iter().collect(), "there is no answer to insert here")
    }

    /// Edits that change nothing else, or what to say instead.
    fn safely(&self, edits: Vec<Edit>, otherwise: &str) -> Executed {
        let text = self.tree().text();
        if edits.is_empty() {
            return Executed::Say(otherwise.into());
        }
        if !ide::keeps_all_else(text, &edits, &ide::apply(text, &edits)) {
            return Executed::Say("an answer here would change what stands beside it".into());
        }
        Executed::Edit(self.workspace_edit(&edits), self.snapshot.version)
    }

    // ---- code actions

    /// Fixes of what is found in a range, answers, and other forms of the board.
    pub fn actions(&self, params: &lsp::CodeActionParams) -> Vec<lsp::CodeActionOrCommand> {
        let tree = self.tree();
        let text = tree.text();
        let wanted = self.span(params.range);
        let only = |kind: &lsp::CodeActionKind| match &params.context.only {
            None => *kind != FIX_ALL,
            Some(kinds) => kinds.iter().any(|k| {
                kind.as_str() == k.as_str() || kind.as_str().starts_with(&format!("{}.", k.as_str()))
            }),
        };
        let mut actions = Vec::new();
        let mut known: Vec<lsp::WorkspaceEdit> = Vec::new();
        let mut add = |action: lsp::CodeAction| {
            // What does the same is offered once, under its first name.
            if let Some(edit) = &action.edit {
                if known.contains(edit) {
                    return;
                }
                known.push(edit.clone());
            }
            actions.push(lsp::CodeActionOrCommand::CodeAction(action));
        };
        let near = puzzles_in(tree, self.base(), wanted, 64);
        let reports: Vec<PuzzleReport> =
            near.iter().filter_map(|&(puzzle, settings)| self.quick(puzzle, settings)).collect();
        if only(&lsp::CodeActionKind::QUICKFIX) {
            let touches = |s: Span| s.start <= wanted.end && wanted.start <= s.end;
            for finding in self.findings(&reports).iter().filter(|f| touches(f.span)) {
                for action in self.fixes(finding, &params.context.diagnostics) {
                    add(action);
                }
            }
        }
        if only(&FIX_ALL) {
            self.fix_all().into_iter().for_each(&mut add);
        }
        let insert = lsp::CodeActionKind::REFACTOR_INLINE;
        if only(&insert) {
            for report in reports.iter().filter(|r| !r.broken) {
                for query in &report.queries {
                    let touches = query.span.start <= wanted.end && wanted.start <= query.span.end;
                    let Some(edit) = ide::insertion(text, query, report).filter(|_| touches) else {
                        continue;
                    };
                    let title =
                        format!("Insert the answer: `{}`", edit.text.trim_start_matches(" => ").trim());
                    add(self.action(title, insert.clone(), &[edit]));
                }
                let edits = insertions(text, report);
                if edits.len() > 1 {
                    add(self.action("Insert all answers of this puzzle".into(), insert.clone(), &edits));
                }
                for query in &report.queries {
                    let touches = query.span.start <= wanted.end && wanted.start <= query.span.end;
                    if touches && !query.answered && ide::next_move(query).is_some() {
                        add(self.runs("Show the next move", COMMANDS[2], insert.clone(), wanted.start));
                    }
                }
            }
            // What it would insert may take long to find: so it is found when it is wanted.
            if reports.iter().any(|r| r.queries.iter().any(|q| !q.answered)) {
                add(self.runs("Insert all answers in the file", COMMANDS[1], insert.clone(), wanted.start));
            }
        }
        if near.len() != 1 {
            return actions;
        }
        let rewrite = lsp::CodeActionKind::REFACTOR_REWRITE;
        if only(&rewrite) {
            self.rewrites(wanted, &rewrite, &mut add);
        }
        let convert = lsp::CodeActionKind::from(CONVERT);
        if only(&convert) {
            for target in Target::ALL {
                let Ok(edits) = ide::convert_at(tree, self.base(), wanted.start, target) else { continue };
                if !edits.is_empty() {
                    let title = match target {
                        Target::Fen => "Convert the board to FEN".to_string(),
                        _ => format!("Convert the board to {}", target.name()),
                    };
                    add(self.action(title, convert.clone(), &edits));
                }
            }
        }
        actions
    }

    /// An action that runs a command.
    fn runs(&self, title: &str, command: &str, kind: lsp::CodeActionKind, at: u32) -> lsp::CodeAction {
        let place = At {
            uri: self.snapshot.uri.clone(),
            version: self.snapshot.version,
            position: self.position(at),
        };
        let arguments = serde_json::to_value(&place).ok().map(|a| vec![a]);
        lsp::CodeAction {
            title: title.into(),
            kind: Some(kind),
            command: Some(lsp::Command { title: title.into(), command: command.into(), arguments }),
            ..Default::default()
        }
    }

    /// The puzzle round a range in other shapes, with the same answers; other rules for it.
    fn rewrites(&self, at: Span, kind: &lsp::CodeActionKind, add: &mut impl FnMut(lsp::CodeAction)) {
        let (tree, base) = (self.tree(), self.base());
        let mut offer = |title: String, edits: Vec<Edit>| {
            if !edits.is_empty() {
                add(self.action(title, kind.clone(), &edits));
            }
        };
        for how in ide::Transform::ALL {
            // Whether it keeps the answers is proved for each, so they are offered at the board alone.
            let on_board = self.on_board_or_head(at);
            if on_board && !self.cancelled() {
                offer(how.title().into(), ide::transform(tree, base, at.start, how).unwrap_or_default());
            }
        }
        let sorted = ide::sort_coordinates(tree, base, at.start).unwrap_or_default();
        offer("Sort the coordinates".into(), sorted);
        for (dialect, edits) in ide::switch_dialect(tree, base, at.start) {
            offer(format!("Switch to `rules {}`", dialect.word()), edits);
        }
    }

    fn on_board_or_head(&self, at: Span) -> bool {
        let found = puzzle_at(self.tree(), self.base(), at.start);
        let touches = |s: Span| s.start <= at.end && at.start <= s.end;
        found.is_some_and(|(p, _)| touches(p.head()) || p.boards().any(|b| touches(b.span())))
    }

    /// What is found here, as it was told last; before that, what puzzles tell by themselves.
    fn findings(&self, reports: &[PuzzleReport]) -> Vec<Finding> {
        let Some(known) = self.snapshot.findings() else {
            let outside = |e: &&Finding| !reports.iter().any(|r| inside(r.span, e.span));
            let outside = self.tree().errors().iter().filter(outside);
            return reports.iter().flat_map(|r| &r.findings).chain(outside).cloned().collect();
        };
        let (start, end) = (self.start(), self.start() + self.tree().text().len() as u32);
        let here = known.iter().filter(|f| start <= f.span.start && f.span.end <= end);
        here.map(|f| {
            let mut finding = f.clone();
            finding.shift(-i64::from(start));
            finding
        })
        .collect()
    }

    /// What is found in the whole text.
    fn all_findings(&self) -> Arc<Vec<Finding>> {
        if let Some(known) = self.snapshot.findings() {
            return known;
        }
        let tree = self.snapshot.tree();
        let base = self.snapshot.config.settings;
        let whole = puzzles_in(&tree, base, Span::new(0, tree.text().len() as u32), usize::MAX);
        let reports: Vec<PuzzleReport> =
            whole.into_iter().filter_map(|(puzzle, settings)| self.quick(puzzle, settings)).collect();
        Arc::new(self.findings(&reports))
    }

    /// Fixes that are safe, of the whole text.
    fn fix_all(&self) -> Option<lsp::CodeAction> {
        let whole = RequestContext { window: None, whole: OnceCell::new(), ..*self };
        let edits = ide::safe_fixes(whole.all_findings().iter()).concat();
        if edits.is_empty() {
            return None;
        }
        let text = whole.tree().text();
        let safe = ide::keeps_all_else(text, &edits, &ide::apply(text, &edits));
        safe.then(|| whole.action("Fix all that is safe to fix".into(), FIX_ALL, &edits))
    }

    fn action(&self, title: String, kind: lsp::CodeActionKind, edits: &[Edit]) -> lsp::CodeAction {
        lsp::CodeAction {
            title,
            kind: Some(kind),
            edit: Some(self.workspace_edit(edits)),
            ..Default::default()
        }
    }

    /// The ways to mend a finding, linked to the client's own diagnostic.
    fn fixes(&self, finding: &Finding, known: &[lsp::Diagnostic]) -> Vec<lsp::CodeAction> {
        let place = self.range(finding.span);
        let same = |d: &&lsp::Diagnostic| {
            let code = matches!(&d.code, Some(lsp::NumberOrString::String(c)) if c == finding.code.name());
            code && d.range == place
        };
        let linked = known.iter().find(same).cloned().map(|d| vec![d]);
        let sure = finding.fixes.len() == 1 || finding.fixes.first().is_some_and(|f| f.safe);
        let fix = |(i, fix): (usize, &crate::diagnostic::Fix)| {
            let mut letters = fix.title.chars();
            let title = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect();
            let mut action = self.action(title, lsp::CodeActionKind::QUICKFIX, &fix.edits);
            action.diagnostics = linked.clone();
            action.is_preferred = (i == 0 && sure).then_some(true);
            action
        };
        finding.fixes.iter().enumerate().map(fix).collect()
    }

    // ---- hover

    /// What is under the cursor.
    pub fn hover(&self, at: lsp::Position) -> Option<lsp::Hover> {
        let kind = markup(self.session.agreed().hover_markdown);
        let drawn = self.session.pictures.load(Ordering::Relaxed);
        let pictures = drawn && kind == lsp::MarkupKind::Markdown;
        let known = |puzzle: Puzzle<'_>, settings: Defaults, whole: bool| match whole {
            true => self.whole(puzzle, settings),
            false => self.session.cache.report_quick(puzzle, settings, &self.options(), QUICK).report,
        };
        let found = ide::hover(self.tree(), &self.config(), self.offset(at), pictures, known)?;
        let value = match kind {
            lsp::MarkupKind::PlainText => ide::plain(&found.markdown),
            lsp::MarkupKind::Markdown => found.markdown,
        };
        let value = lsp::MarkupContent { kind, value };
        Some(lsp::Hover { contents: lsp::HoverContents::Markup(value), range: Some(self.range(found.span)) })
    }

    // ---- completion

    /// What could be written here, the likeliest first.
    pub fn completions(&self, at: lsp::Position) -> Vec<lsp::CompletionItem> {
        let known = |puzzle: Puzzle<'_>, settings: Defaults| self.whole(puzzle, settings);
        let tree = self.tree();
        let agreed = self.session.agreed();
        let found = ide::complete(tree, self.base(), self.offset(at), known);
        let typed = |c: &ide::Completion| tree.text()[c.replace.range()].to_string();
        let one = |(i, c): (usize, ide::Completion)| {
            let snippet = c.snippet.clone().filter(|_| agreed.snippets);
            let format = if snippet.is_some() {
                lsp::InsertTextFormat::SNIPPET
            } else {
                lsp::InsertTextFormat::PLAIN_TEXT
            };
            let new_text = snippet.unwrap_or_else(|| c.text.clone());
            lsp::CompletionItem {
                kind: Some(kind(c.kind)),
                detail: (!c.detail.is_empty()).then(|| c.detail.clone()),
                documentation: c.documentation.map(|value| {
                    let value = value.to_string();
                    match markup(agreed.documentation_markdown) {
                        lsp::MarkupKind::PlainText => lsp::Documentation::String(ide::plain(&value)),
                        kind => lsp::Documentation::MarkupContent(lsp::MarkupContent { kind, value }),
                    }
                }),
                sort_text: Some(format!("{i:05}")),
                // What only explains is never filtered away.
                filter_text: (c.rank == 9).then(|| typed(&c)),
                insert_text_format: Some(format),
                text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
                    range: self.range(c.replace),
                    new_text,
                })),
                label: c.label,
                ..Default::default()
            }
        };
        found.into_iter().enumerate().map(one).collect()
    }

    // ---- formatting

    /// White space that formatting changes, of the whole text or near a range.
    pub fn format(&self, within: Option<lsp::Range>) -> Vec<lsp::TextEdit> {
        let tree = self.tree();
        let edits = match within {
            None => ide::format_edits(tree),
            Some(within) => ide::format_range(tree, self.span(within)),
        };
        self.edits(&edits)
    }
}

fn markup(markdown: bool) -> lsp::MarkupKind {
    if markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText }
}

fn kind(kind: ide::CompletionKind) -> lsp::CompletionItemKind {
    use ide::CompletionKind as K;
    match kind {
        K::Keyword => lsp::CompletionItemKind::KEYWORD,
        K::Snippet => lsp::CompletionItemKind::SNIPPET,
        K::Piece => lsp::CompletionItemKind::ENUM_MEMBER,
        K::Square => lsp::CompletionItemKind::CONSTANT,
        K::Value | K::Answer => lsp::CompletionItemKind::VALUE,
        K::Move => lsp::CompletionItemKind::EVENT,
    }
}

/// What writes the board in another format: clients can ask for these alone.
const CONVERT: &str = "refactor.rewrite.convert";
/// `source.fixAll.cpz`
const FIX_ALL: lsp::CodeActionKind = lsp::CodeActionKind::new("source.fixAll.cpz");

/// Answers that hide no finding, as `cpz solve --write` writes them.
fn insertions(text: &str, report: &PuzzleReport) -> Vec<Edit> {
    if report.broken {
        return Vec::new();
    }
    let silences = |o: &Outcome| matches!(o, Outcome::Answer(Answer::Solve(None) | Answer::Move(Some(_))));
    let wanted = report.queries.iter().filter(|q| !silences(&q.outcome));
    wanted.filter_map(|q| ide::insertion(text, q, report)).collect()
}

fn inside(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.start < outer.end
}

pub(crate) fn board(puzzle: Puzzle<'_>, settings: Defaults) -> Option<Board> {
    let bound = crate::analysis::bind_one(puzzle, settings)?;
    position_of(&bound).map(|p| p.board)
}

/// A place in a text of a known version.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct At {
    pub uri: String,
    #[serde(default)]
    pub version: Option<i32>,
    #[serde(default)]
    pub position: lsp::Position,
}

/// What a command came to.
pub(crate) enum Executed {
    /// Nobody waits any more.
    Nothing,
    /// A change for the client to make, of a text of this version.
    Edit(lsp::WorkspaceEdit, Option<i32>),
    /// Something to tell the person.
    Say(String),
}
