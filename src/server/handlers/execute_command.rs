//! `workspace/executeCommand`.

use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use crate::analysis::{Defaults, PuzzleReport, bind_one, puzzle_at, puzzles_in};
use crate::diagnostic::{Edit, plain};
use crate::ide;
use crate::repair::Aim;
use crate::server::handlers::authoring::{self, AuthoringArguments};
use crate::server::handlers::backend::{Backend, CLIENT_TIMEOUT};
use crate::server::handlers::board_edit;
use crate::server::handlers::command_effect::Effect;
use crate::server::handlers::context::RequestContext;
use crate::server::handlers::repair_actions::repair_choices;
use crate::server::protocol::board_ext::Gesture;
use crate::server::protocol::commands::{ServerCommand, Target, TextPosition};
use crate::server::state::Event;
use crate::server::state::snapshot::Snapshot;
use crate::server::transport::repair::escape;
use crate::syntax::{Puzzle, Query, Verb};

/// How long the answer to a command waits for the client's answer to the edit that the command sent, and a choice for
/// changes that were sent before it.
const APPLY_EDIT_GRACE: std::time::Duration = std::time::Duration::from_millis(50);

/// How long the user has for a choice; then the question is forgotten.
const CHOICE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(600);

/// The most edits of a text in one message. VS Code makes one edit of 1,000 or more, and moves the cursor to its end.
const MAX_EDITS: usize = 900;

/// The button that asks for the next hint.
const NEXT_HINT: &str = "Next hint";

const TEXT_CHANGED: &str = "the text has changed since; please try again";

pub(crate) async fn execute_command(
    backend: &Backend,
    params: lsp::ExecuteCommandParams,
) -> Result<Option<lsp::LSPAny>> {
    let Some(command) = ServerCommand::from_name(&params.command) else {
        return Err(Error::invalid_params(format!("there is no command `{}`", params.command)));
    };
    if command == ServerCommand::GoTo {
        return go_to(backend, params).await;
    }
    let argument = params.arguments.into_iter().next().unwrap_or_default();
    let gesture = argument.get("gesture").and_then(|g| serde_json::from_value::<Gesture>(g.clone()).ok());
    let arguments = serde_json::from_value::<AuthoringArguments>(argument.clone()).unwrap_or_default();
    let at = serde_json::from_value::<TextPosition>(argument).ok();
    let Some(mut at) = at.filter(|_| gesture.is_some() || command != ServerCommand::EditBoard) else {
        let what = match command {
            ServerCommand::EditBoard => "the argument of this command is `{uri, position, version, gesture}`",
            _ => "the argument of this command is `{uri, position, version}`",
        };
        return Err(Error::invalid_params(what));
    };
    at.uri = escape(&at.uri);
    let uri = at.uri.clone();
    match backend.run(&uri, move |context| execute(context, command, &at, gesture.as_ref(), &arguments)).await
    {
        Err(error) if error.code == ErrorCode::ContentModified => {
            backend.show_message(format!("cpz: {TEXT_CHANGED}"))
        }
        Err(error) => return Err(error),
        Ok(None) => backend.show_message("cpz: this document is not open".into()),
        Ok(Some(Effect::Nothing)) => {}
        Ok(Some(Effect::Message(message))) => backend.show_message(format!("cpz: {}", plain(&message))),
        Ok(Some(Effect::Messages(messages))) => offer_next(backend, messages),
        Ok(Some(Effect::Choice(message, choices, version))) => {
            offer_choice(backend, uri, message, choices, version);
        }
        Ok(Some(Effect::Edit(edit, version))) => {
            // The text may have changed during a slow search.
            let is_current = backend.run(&uri, |context| context.snapshot.version).await? == Some(version);
            if is_current && claim_edit(backend, &uri, version) {
                apply_edit(backend, edit).await;
            } else {
                backend.show_message(format!("cpz: {TEXT_CHANGED}"));
            }
        }
    }
    Ok(None)
}

/// Asks the user which edit to apply. The command is answered before, since some clients wait for that first.
fn offer_choice(
    backend: &Backend,
    uri: String,
    message: String,
    choices: Vec<(String, lsp::WorkspaceEdit)>,
    version: Option<i32>,
) {
    let (client, events) = (backend.client.clone(), backend.events.clone());
    let item = |(title, _): &(String, _)| lsp::MessageActionItem {
        title: title.clone(),
        properties: std::collections::HashMap::default(),
    };
    let items: Vec<lsp::MessageActionItem> = choices.iter().map(item).collect();
    let choose = async move {
        let asked = client.show_message_request(lsp::MessageType::INFO, message, Some(items)).await;
        let Ok(Some(chosen)) = asked else { return };
        let Some((_, edit)) = choices.into_iter().find(|(title, _)| *title == chosen.title) else { return };
        // The text may have changed while the question was open. A change that was sent before the answer may still be on
        // its way to the state's thread.
        tokio::time::sleep(APPLY_EDIT_GRACE).await;
        let (reply, answer) = tokio::sync::oneshot::channel();
        let tell = move |snapshot: Option<std::sync::Arc<Snapshot>>| {
            let _ = reply.send(snapshot.and_then(|s| s.version));
        };
        let _ = events.send(Event::WithSnapshot(uri, Box::new(tell)));
        if answer.await.ok().flatten() != version {
            let _ = client.show_message(lsp::MessageType::INFO, format!("cpz: {TEXT_CHANGED}")).await;
            return;
        }
        let _ = client.apply_edit(edit).await;
    };
    tokio::spawn(async move { tokio::time::timeout(CHOICE_TIMEOUT, choose).await });
}

/// Shows messages one after the other, each when the user asks for it. The command is answered before.
fn offer_next(backend: &Backend, messages: Vec<String>) {
    let client = backend.client.clone();
    let show = async move {
        let last = messages.len().saturating_sub(1);
        for (number, message) in messages.into_iter().enumerate() {
            let message = format!("cpz: {}", plain(&message));
            if number == last {
                client.show_message(lsp::MessageType::INFO, message).await;
                return;
            }
            let properties = std::collections::HashMap::default();
            let next = lsp::MessageActionItem { title: NEXT_HINT.into(), properties };
            let asked = client.show_message_request(lsp::MessageType::INFO, message, Some(vec![next])).await;
            if !matches!(asked, Ok(Some(_))) {
                return;
            }
        }
    };
    tokio::spawn(async move { tokio::time::timeout(CHOICE_TIMEOUT, show).await });
}

/// Asks the client to show a place.
async fn go_to(backend: &Backend, params: lsp::ExecuteCommandParams) -> Result<Option<lsp::LSPAny>> {
    let target = params.arguments.into_iter().next().and_then(|a| serde_json::from_value::<Target>(a).ok());
    let Some(Target { uri, range }) = target else {
        return Err(Error::invalid_params("the argument of this command is `{uri, range}`"));
    };
    let place = lsp::ShowDocumentParams {
        uri,
        external: Some(false),
        take_focus: Some(true),
        selection: Some(range),
    };
    let client = backend.client.clone();
    tokio::spawn(async move { tokio::time::timeout(CLIENT_TIMEOUT, client.show_document(place)).await });
    Ok(None)
}

/// Whether no command has sent an edit of this version of the document yet. A second one would come before the client
/// has told of the first, and insert the same answer again.
fn claim_edit(backend: &Backend, uri: &str, version: Option<i32>) -> bool {
    let this = version.map(|version| (uri.to_owned(), version));
    let mut sent = backend.sent_edit.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    this.is_none() || std::mem::replace(&mut *sent, this.clone()) != this
}

/// Sends an edit to the client, and waits briefly for its answer: some clients wait for ours first, and some
/// handle only one of two messages that arrive together.
async fn apply_edit(backend: &Backend, edit: lsp::WorkspaceEdit) {
    let client = backend.client.clone();
    let sent = backend.sent_edit.clone();
    let applied = tokio::spawn(async move {
        let answer = tokio::time::timeout(CLIENT_TIMEOUT, client.apply_edit(edit)).await;
        if !matches!(answer, Ok(Ok(lsp::ApplyWorkspaceEditResponse { applied: true, .. }))) {
            // The document keeps its version, so the command may be run again.
            *sent.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
        }
        if let Ok(Ok(lsp::ApplyWorkspaceEditResponse { applied: false, failure_reason, .. })) = answer {
            let why = failure_reason.unwrap_or_else(|| "the editor gave no reason".into());
            client.show_message(lsp::MessageType::WARNING, format!("cpz: not inserted: {why}")).await;
        }
    });
    let _ = tokio::time::timeout(APPLY_EDIT_GRACE, applied).await;
}

fn execute(
    context: &RequestContext<'_>,
    command: ServerCommand,
    at: &TextPosition,
    gesture: Option<&Gesture>,
    arguments: &AuthoringArguments,
) -> Effect {
    if at.version.is_some() && at.version != context.snapshot.version {
        return Effect::Message(TEXT_CHANGED.into());
    }
    if let Some(aim) = command.aim() {
        return repair(&context.for_position(at.position), aim, at.position);
    }
    match command {
        ServerCommand::InsertAllAnswers => insert_all(context, at.position),
        ServerCommand::EditBoard => match gesture {
            Some(gesture) => edit_board(&context.for_position(at.position), at.position, gesture),
            None => Effect::Nothing,
        },
        ServerCommand::SortPuzzles => authoring::sort(context, arguments),
        ServerCommand::GeneratePuzzle => authoring::generate(context, arguments),
        ServerCommand::ShowHint => {
            let context = context.for_position(at.position);
            authoring::hint(&context, arguments, context.offset(at.position))
        }
        _ => insert_at(&context.for_position(at.position), command, at.position),
    }
}

fn edit_board(context: &RequestContext<'_>, position: lsp::Position, gesture: &Gesture) -> Effect {
    match board_edit::outcome(context, context.offset(position), gesture) {
        Err(why) => Effect::Message(why),
        Ok(outcome) if !outcome.choices.is_empty() => {
            let ids: Vec<&str> = outcome.choices.iter().map(|c| &c.id[..]).collect();
            Effect::Message(format!("name one of these as `choice`: {}", ids.join(", ")))
        }
        Ok(outcome) if outcome.edits.is_empty() => Effect::Message("the board is so already".into()),
        Ok(outcome) => Effect::Edit(context.workspace_edit(&outcome.edits), context.snapshot.version),
    }
}

/// Looks for repairs of the puzzle at a position.
fn repair(context: &RequestContext<'_>, aim: Aim, position: lsp::Position) -> Effect {
    let (tree, offset) = (context.tree(), context.offset(position));
    let Some((puzzle, settings)) = puzzle_at(tree, context.base(), offset) else {
        return Effect::Message("there is no puzzle here".into());
    };
    match repair_choices(context, puzzle, settings, aim) {
        None => Effect::Nothing,
        Some(Err(message)) => Effect::Message(message),
        Some(Ok((message, choices))) => Effect::Choice(message, choices, context.snapshot.version),
    }
}

fn insert_all(context: &RequestContext<'_>, cursor: lsp::Position) -> Effect {
    let text = context.tree().text();
    let mut edits = Vec::new();
    for (puzzle, settings) in puzzles_in(context.tree(), context.base(), context.full_span(), usize::MAX) {
        if context.cancelled() || context.needs_slow_pass() {
            return Effect::Nothing;
        }
        edits.extend(insertions(text, &context.report_full(puzzle, settings)));
    }
    match insert(context, &edits, "there is nothing to insert in this file") {
        Effect::Edit(_, version) => {
            let edits = ide::merge_edits(text, edits, context.offset(cursor), MAX_EDITS);
            Effect::Edit(context.workspace_edit(&edits), version)
        }
        effect => effect,
    }
}

/// Inserts the answer of the query at a position, or of the first query of the puzzle there, or all answers of the
/// puzzle.
fn insert_at(context: &RequestContext<'_>, command: ServerCommand, position: lsp::Position) -> Effect {
    let (tree, offset) = (context.tree(), context.offset(position));
    let Some((puzzle, settings)) = puzzle_at(tree, context.base(), offset) else {
        return Effect::Message("there is no puzzle here".into());
    };
    let report = context.report_full(puzzle, settings);
    if command == ServerCommand::InsertPuzzleAnswers {
        return insert(
            context,
            &insertions(tree.text(), &report),
            "there is nothing to insert in this puzzle",
        );
    }
    if command == ServerCommand::InsertSolution {
        return insert_solution(context, &report, puzzle, settings, offset);
    }
    let query = ide::query_at(&report, offset).or(report.queries.first());
    let Some(query) = query else { return Effect::Message("this puzzle has no query".into()) };
    let edit = ide::insert_answer(tree.text(), query, &report).filter(|_| !report.broken);
    insert(context, edit.as_slice(), "there is no answer to insert here")
}

/// Inserts the whole solution of the chess problem at an offset.
fn insert_solution(
    context: &RequestContext<'_>,
    report: &PuzzleReport,
    puzzle: Puzzle<'_>,
    settings: Defaults,
    offset: u32,
) -> Effect {
    if context.needs_slow_pass() {
        return Effect::Nothing;
    }
    let at_offset = |q: &Query<'_>| q.span().start <= offset && offset <= q.span().end;
    let bound = bind_one(puzzle, settings);
    let found = bound.as_ref().zip(puzzle.queries().find(at_offset));
    let edit = found.filter(|_| !report.broken).and_then(|(bound, query)| {
        let known = ide::query_at(report, query.span().start)?;
        if ide::removes_finding(known, report) {
            return None;
        }
        if query.verb() == Some(Verb::Helpmate) {
            return ide::insert_answer(context.tree().text(), known, report);
        }
        ide::insert_solution(context.tree().text(), bound, query, known, &context.options())
    });
    insert(context, edit.as_slice(), "there is no solution to insert here")
}

/// The edits if they change only the answers, or else a message.
fn insert(context: &RequestContext<'_>, edits: &[Edit], if_empty: &str) -> Effect {
    let text = context.tree().text();
    if edits.is_empty() {
        return Effect::Message(if_empty.into());
    }
    if !ide::is_plain_text(text) {
        return Effect::Message("nothing inserted: this text contains NUL characters".into());
    }
    if !ide::keeps_all_else(text, edits, &ide::apply(text, edits)) {
        return Effect::Message("nothing inserted: the answer would merge with the text next to it".into());
    }
    Effect::Edit(context.workspace_edit(edits), context.snapshot.version)
}

/// The answers that `cpz solve --write` would insert into a puzzle. Answers such as `none`, which turn a finding
/// off, are left out.
pub(crate) fn insertions(text: &str, report: &PuzzleReport) -> Vec<Edit> {
    if report.broken {
        return Vec::new();
    }
    let queries = report.queries.iter().filter(|q| !ide::removes_finding(q, report));
    queries.filter_map(|q| ide::insert_answer(text, q, report)).collect()
}
