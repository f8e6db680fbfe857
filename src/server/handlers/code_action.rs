//! `textDocument/codeAction`: one provider for each kind of action.

use std::sync::Arc;

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::analysis::{PuzzleReport, puzzle_at, puzzles_in};
use crate::board::Target;
use crate::diagnostic::{Edit, Finding, Fix, Span};
use crate::ide;
use crate::server::handlers::backend::Backend;
use crate::server::handlers::context::RequestContext;
use crate::server::handlers::execute_command::insertions;
use crate::server::protocol::commands::{ServerCommand, TextPosition};
use crate::server::protocol::convert::{CONVERT_BOARD, FIX_ALL};

/// The most puzzles of one request; a selection may have more.
const MAX_PUZZLES: usize = 64;

pub(crate) async fn code_action(
    backend: &Backend,
    params: lsp::CodeActionParams,
) -> Result<Option<lsp::CodeActionResponse>> {
    let uri = params.text_document.uri.as_str().to_string();
    backend.run(&uri, move |context| code_actions(&context.for_range(params.range), &params)).await
}

fn code_actions(
    context: &RequestContext<'_>,
    params: &lsp::CodeActionParams,
) -> Vec<lsp::CodeActionOrCommand> {
    let selection = context.span(params.range);
    let puzzles = puzzles_in(context.tree(), context.base(), selection, MAX_PUZZLES);
    let reports: Vec<PuzzleReport> =
        puzzles.iter().filter_map(|&(puzzle, settings)| context.report_if_quick(puzzle, settings)).collect();
    let mut actions = ActionList::new(params.context.only.as_deref());
    add_fixes(context, selection, &reports, &params.context.diagnostics, &mut actions);
    add_fix_all(context, &mut actions);
    add_insertions(context, selection, &reports, &mut actions);
    if puzzles.len() == 1 {
        add_rewrites(context, selection, &mut actions);
        add_conversions(context, selection, &mut actions);
    }
    actions.list
}

/// The actions found so far, in the order of the menu.
struct ActionList<'a> {
    /// The kinds that the client asks for; `None` for every kind.
    only: Option<&'a [lsp::CodeActionKind]>,
    list: Vec<lsp::CodeActionOrCommand>,
    edits: Vec<lsp::WorkspaceEdit>,
}

impl ActionList<'_> {
    fn new(only: Option<&[lsp::CodeActionKind]>) -> ActionList<'_> {
        ActionList { only, list: Vec::new(), edits: Vec::new() }
    }

    /// Whether the client asks for a kind. It has to name `source.fixAll`, which is no action of the menu.
    fn is_requested(&self, kind: &lsp::CodeActionKind) -> bool {
        match self.only {
            None => *kind != FIX_ALL,
            Some(kinds) => kinds.iter().any(|k| {
                kind.as_str() == k.as_str() || kind.as_str().starts_with(&format!("{}.", k.as_str()))
            }),
        }
    }

    /// Adds an action unless an earlier one has the same edit.
    fn add(&mut self, action: lsp::CodeAction) {
        if let Some(edit) = &action.edit {
            if self.edits.contains(edit) {
                return;
            }
            self.edits.push(edit.clone());
        }
        self.list.push(lsp::CodeActionOrCommand::CodeAction(action));
    }
}

/// Fixes of the findings that touch the selection.
fn add_fixes(
    context: &RequestContext<'_>,
    selection: Span,
    reports: &[PuzzleReport],
    diagnostics: &[lsp::Diagnostic],
    actions: &mut ActionList<'_>,
) {
    if !actions.is_requested(&lsp::CodeActionKind::QUICKFIX) {
        return;
    }
    for finding in findings(context, reports).iter().filter(|f| touches(f.span, selection)) {
        fixes(context, finding, diagnostics).into_iter().for_each(|action| actions.add(action));
    }
}

/// All safe fixes of the whole text in one action.
fn add_fix_all(context: &RequestContext<'_>, actions: &mut ActionList<'_>) {
    if !actions.is_requested(&FIX_ALL) {
        return;
    }
    let context = context.for_whole_text();
    let writable = ide::WritableParts::of(context.tree());
    let mut fixes = ide::safe_fixes(all_findings(&context).iter());
    fixes.retain(|edits| edits.iter().all(|edit| writable.contain(edit)));
    let edits = fixes.concat();
    let text = context.tree().text();
    if ide::is_plain_text(text)
        && !edits.is_empty()
        && ide::keeps_all_else(text, &edits, &ide::apply(text, &edits))
    {
        actions.add(edit_action(&context, "Fix all that is safe to fix".into(), FIX_ALL, &edits));
    }
}

/// Answers of queries that have none.
fn add_insertions(
    context: &RequestContext<'_>,
    selection: Span,
    reports: &[PuzzleReport],
    actions: &mut ActionList<'_>,
) {
    let kind = lsp::CodeActionKind::REFACTOR_INLINE;
    if !actions.is_requested(&kind) {
        return;
    }
    let text = context.tree().text();
    for report in reports.iter().filter(|r| !r.broken) {
        let selected = || report.queries.iter().filter(|q| touches(q.span, selection));
        for edit in selected().filter_map(|query| ide::insert_answer(text, query, report)) {
            let title = format!("Insert the answer: `{}`", edit.text.trim_start_matches(" => ").trim());
            actions.add(edit_action(context, title, kind.clone(), &[edit]));
        }
        let edits = insertions(text, report);
        if edits.len() > 1 {
            let title = "Insert all answers of this puzzle".into();
            actions.add(edit_action(context, title, kind.clone(), &edits));
        }
        for _ in selected().filter(|q| !q.answered && ide::next_move(q).is_some()) {
            let (title, command) = ("Show the next move", ServerCommand::ShowNextMove);
            actions.add(command_action(context, title, command, kind.clone(), selection.start));
        }
    }
    // A command and no edit, because the answers may need slow searches.
    if reports.iter().any(|r| r.queries.iter().any(|q| !q.answered)) {
        let (title, command) = ("Insert all answers in the file", ServerCommand::InsertAllAnswers);
        actions.add(command_action(context, title, command, kind, selection.start));
    }
}

/// Symmetries of the selected puzzle, sorted coordinates, and other rules.
fn add_rewrites(context: &RequestContext<'_>, selection: Span, actions: &mut ActionList<'_>) {
    let kind = lsp::CodeActionKind::REFACTOR_REWRITE;
    if !actions.is_requested(&kind) {
        return;
    }
    let (tree, base) = (context.tree(), context.base());
    let mut offer = |title: String, edits: Vec<Edit>| {
        if !edits.is_empty() {
            actions.add(edit_action(context, title, kind.clone(), &edits));
        }
    };
    // Each needs a proof that the answers stay, so they are offered at the board or head only.
    if is_on_board_or_head(context, selection) {
        for transform in ide::Transform::ALL.into_iter().take_while(|_| !context.cancelled()) {
            let edits = ide::transform(tree, base, selection.start, transform).unwrap_or_default();
            offer(transform.title().into(), edits);
        }
    }
    let sorted = ide::sort_coordinates(tree, base, selection.start).unwrap_or_default();
    offer("Sort the coordinates".into(), sorted);
    for (dialect, edits) in ide::switch_dialect(tree, base, selection.start) {
        offer(format!("Switch to `rules {}`", dialect.word()), edits);
    }
}

/// The board in other formats.
fn add_conversions(context: &RequestContext<'_>, selection: Span, actions: &mut ActionList<'_>) {
    if !actions.is_requested(&CONVERT_BOARD) {
        return;
    }
    for target in Target::ALL {
        let Ok(edits) = ide::convert_at(context.tree(), context.base(), selection.start, target) else {
            continue;
        };
        if !edits.is_empty() {
            let title = match target {
                Target::Fen => "Convert the board to FEN".to_string(),
                _ => format!("Convert the board to {}", target.name()),
            };
            actions.add(edit_action(context, title, CONVERT_BOARD, &edits));
        }
    }
}

fn touches(span: Span, selection: Span) -> bool {
    span.start <= selection.end && selection.start <= span.end
}

fn is_on_board_or_head(context: &RequestContext<'_>, selection: Span) -> bool {
    let found = puzzle_at(context.tree(), context.base(), selection.start);
    found.is_some_and(|(p, _)| {
        touches(p.head(), selection) || p.boards().any(|b| touches(b.span(), selection))
    })
}

/// The findings of the window as published last. If none were published yet, those of the reports, without the
/// findings that need other files.
fn findings(context: &RequestContext<'_>, reports: &[PuzzleReport]) -> Vec<Finding> {
    let Some(published) = context.snapshot.findings() else {
        let is_reported =
            |e: &&Finding| reports.iter().any(|r| r.span.start <= e.span.start && e.span.start < r.span.end);
        let outside = context.tree().errors().iter().filter(|e| !is_reported(e));
        return reports.iter().flat_map(|r| &r.findings).chain(outside).cloned().collect();
    };
    let (start, end) = (context.start(), context.start() + context.full_span().end);
    let here = published.iter().filter(|f| start <= f.span.start && f.span.end <= end);
    here.map(|f| {
        let mut finding = f.clone();
        finding.shift(-i64::from(start));
        finding
    })
    .collect()
}

/// The findings of the whole text, for a context without a window.
fn all_findings(context: &RequestContext<'_>) -> Arc<Vec<Finding>> {
    if let Some(published) = context.snapshot.findings() {
        return published;
    }
    let puzzles = puzzles_in(context.tree(), context.base(), context.full_span(), usize::MAX);
    let reports: Vec<PuzzleReport> = puzzles
        .into_iter()
        .filter_map(|(puzzle, settings)| context.report_if_quick(puzzle, settings))
        .collect();
    Arc::new(findings(context, &reports))
}

/// The fixes of a finding, linked to the client's own diagnostic.
fn fixes(
    context: &RequestContext<'_>,
    finding: &Finding,
    diagnostics: &[lsp::Diagnostic],
) -> Vec<lsp::CodeAction> {
    let range = context.range(finding.span);
    let is_same = |d: &&lsp::Diagnostic| {
        let code = matches!(&d.code, Some(lsp::NumberOrString::String(c)) if c == finding.code.name());
        code && d.range == range
    };
    let linked = diagnostics.iter().find(is_same).cloned().map(|d| vec![d]);
    let action = |(i, fix): (usize, &Fix)| {
        let title = capitalised(&fix.title);
        let mut action = edit_action(context, title, lsp::CodeActionKind::QUICKFIX, &fix.edits);
        action.diagnostics = linked.clone();
        action.is_preferred = (i == 0 && fix.safe).then_some(true);
        action
    };
    finding.fixes.iter().enumerate().map(action).collect()
}

fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn edit_action(
    context: &RequestContext<'_>,
    title: String,
    kind: lsp::CodeActionKind,
    edits: &[Edit],
) -> lsp::CodeAction {
    let edit = Some(context.workspace_edit(edits));
    lsp::CodeAction { title, kind: Some(kind), edit, ..Default::default() }
}

fn command_action(
    context: &RequestContext<'_>,
    title: &str,
    command: ServerCommand,
    kind: lsp::CodeActionKind,
    offset: u32,
) -> lsp::CodeAction {
    let at = TextPosition {
        uri: context.snapshot.uri.clone(),
        version: context.snapshot.version,
        position: context.position(offset),
    };
    let arguments = serde_json::to_value(&at).ok().map(|a| vec![a]);
    lsp::CodeAction {
        title: title.into(),
        kind: Some(kind),
        command: Some(lsp::Command { title: title.into(), command: command.name().into(), arguments }),
        ..Default::default()
    }
}
