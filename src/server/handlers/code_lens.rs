//! `textDocument/codeLens` and `codeLens/resolve`. The first answer has the ranges only; the titles are resolved when
//! the client shows the lens, because they may need a search.

use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::analysis::{Defaults, Outcome, puzzle_at, puzzles_in};
use crate::diagnostic::{Span, visible};
use crate::games::Answer;
use crate::ide;
use crate::server::handlers::backend::Backend;
use crate::server::handlers::context::{RequestContext, board_of};
use crate::server::protocol::commands::{ServerCommand, TextPosition};
use crate::syntax::{Puzzle, Verb};

/// The most puzzles with lenses in one document: the request has no range.
const MAX_PUZZLES: usize = 5000;

#[derive(Clone, Copy, Serialize, Deserialize)]
enum LensKind {
    /// The state of a puzzle.
    Puzzle,
    /// The state of a query.
    Query,
    /// Inserts the answer of a query.
    Insert,
    /// Inserts every missing answer of the file.
    InsertAll,
    /// Shows the next move of a query's solution.
    Next,
}

/// The data of a lens that is not resolved.
#[derive(Serialize, Deserialize)]
struct LensData {
    kind: LensKind,
    #[serde(flatten)]
    at: TextPosition,
}

pub(crate) async fn code_lens(
    backend: &Backend,
    params: lsp::CodeLensParams,
) -> Result<Option<Vec<lsp::CodeLens>>> {
    backend.run(params.text_document.uri.as_str(), lenses).await
}

pub(crate) async fn code_lens_resolve(backend: &Backend, lens: lsp::CodeLens) -> Result<lsp::CodeLens> {
    let data = lens.data.clone().and_then(|d| serde_json::from_value::<LensData>(d).ok());
    let Some(data) = data else {
        return Err(Error::invalid_params("`data` of this code lens is not from this server"));
    };
    let uri = data.at.uri.clone();
    let job = move |context: &RequestContext<'_>| command(&context.for_position(data.at.position), &data);
    let command = backend.run(&uri, job).await?;
    Ok(lsp::CodeLens { command: command.or(lens.command), ..lens })
}

/// All lenses of a document, unresolved.
fn lenses(context: &RequestContext<'_>) -> Vec<lsp::CodeLens> {
    let mut list = LensList::default();
    let mut puzzles = 0;
    for window in context.windows() {
        let all = puzzles_in(window.tree(), window.base(), window.full_span(), MAX_PUZZLES - puzzles);
        puzzles += all.len();
        for (puzzle, settings) in all {
            if window.cancelled() {
                break;
            }
            list.add(&window, puzzle, settings);
        }
        if puzzles >= MAX_PUZZLES {
            break;
        }
    }
    list.lenses
}

#[derive(Default)]
struct LensList {
    lenses: Vec<lsp::CodeLens>,
    /// Whether the list has the lens that inserts all answers of the file.
    has_insert_all: bool,
}

impl LensList {
    /// Adds the lenses of a puzzle.
    fn add(&mut self, context: &RequestContext<'_>, puzzle: Puzzle<'_>, settings: Defaults) {
        let head = puzzle.head();
        self.lenses.push(unresolved(context, head, LensKind::Puzzle));
        // Offer to insert an answer unless a quick report shows that there is none.
        let report = context.report_if_quick(puzzle, settings);
        let can_insert = |offset: u32| {
            let Some(report) = &report else { return (true, true) };
            let query = ide::query_at(report, offset);
            let answer = query.and_then(|q| ide::insert_answer(context.tree().text(), q, report));
            let answer = answer.filter(|_| !report.broken);
            (answer.is_some(), query.is_some_and(|q| ide::next_move(q).is_some()))
        };
        let mut has_open_query = false;
        for query in puzzle.queries() {
            let asked = query.asked();
            self.lenses.push(unresolved(context, asked, LensKind::Query));
            let (has_answer, has_next_move) = can_insert(asked.start);
            if query.has_arrow() || !has_answer {
                continue;
            }
            has_open_query = true;
            self.lenses.push(unresolved(context, asked, LensKind::Insert));
            if has_next_move && matches!(query.verb(), Some(Verb::Solve | Verb::Capture)) {
                self.lenses.push(unresolved(context, asked, LensKind::Next));
            }
        }
        if has_open_query && !self.has_insert_all {
            self.has_insert_all = true;
            self.lenses.push(unresolved(context, head, LensKind::InsertAll));
        }
    }
}

fn unresolved(context: &RequestContext<'_>, span: Span, kind: LensKind) -> lsp::CodeLens {
    let at = TextPosition {
        uri: context.snapshot.uri.clone(),
        version: context.snapshot.version,
        position: context.position(span.start),
    };
    let data = serde_json::to_value(LensData { kind, at }).ok();
    lsp::CodeLens { range: context.range(span), command: None, data }
}

/// The title and command of a lens.
fn command(context: &RequestContext<'_>, data: &LensData) -> lsp::Command {
    let arguments = serde_json::to_value(&data.at).ok().map(|a| vec![a]);
    let runs = |title: &str, command: ServerCommand| lsp::Command {
        title: title.into(),
        command: command.name().into(),
        arguments: arguments.clone(),
    };
    match data.kind {
        LensKind::Puzzle | LensKind::Query => lsp::Command {
            title: visible(&state(context, data).unwrap_or_else(|| "…".into())).into_owned(),
            command: String::new(),
            arguments: None,
        },
        LensKind::Insert => runs(insert_title(context, data), ServerCommand::InsertAnswer),
        LensKind::InsertAll => runs("Insert all answers in the file", ServerCommand::InsertAllAnswers),
        LensKind::Next => runs("Show the next move", ServerCommand::ShowNextMove),
    }
}

/// The puzzle that a lens belongs to; `None` if its text has changed.
fn puzzle_of<'t>(context: &'t RequestContext<'_>, data: &LensData) -> Option<(Puzzle<'t>, Defaults)> {
    let offset = context.offset(data.at.position);
    let is_current = context.snapshot.version == data.at.version;
    puzzle_at(context.tree(), context.base(), offset).filter(|_| is_current)
}

/// The state of a puzzle or query in words; `None` if it is not known yet.
fn state(context: &RequestContext<'_>, data: &LensData) -> Option<String> {
    let (puzzle, settings) = puzzle_of(context, data)?;
    // A slow search for diagnostics ends with a refresh of the lenses, so this request need not wait for it.
    let will_refresh = context.client().refresh_lenses && context.snapshot.is_searched();
    let report = match will_refresh {
        true => context.report_if_quick(puzzle, settings)?,
        false => context.report_full(puzzle, settings),
    };
    let severities = &context.snapshot.config.severities;
    if matches!(data.kind, LensKind::Puzzle) {
        return Some(ide::puzzle_state(&report, severities));
    }
    let Some(query) = ide::query_at(&report, context.offset(data.at.position)) else {
        return Some(String::new());
    };
    let board = board_of(puzzle, settings);
    Some(ide::query_state(query, &report, board.as_ref(), severities))
}

fn insert_title(context: &RequestContext<'_>, data: &LensData) -> &'static str {
    let offset = context.offset(data.at.position);
    if !context.tree().text()[offset as usize..].starts_with("solve") {
        return "Insert verdict";
    }
    let has_no_solution = || {
        let (puzzle, settings) = puzzle_of(context, data)?;
        let report = context.report_if_quick(puzzle, settings)?;
        let query = ide::query_at(&report, offset)?;
        Some(matches!(query.outcome, Outcome::Answer(Answer::Solve(None))))
    };
    if has_no_solution() == Some(true) { "Insert `none`" } else { "Insert solution" }
}
