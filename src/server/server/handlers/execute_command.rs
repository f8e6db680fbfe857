//! `workspace/executeCommand`: sends the effects of commands to the client.

use std::sync::Arc;

use ls_types as lsp;
use tower_lsp::jsonrpc::{ErrorCode, Result};

use crate::lsp::features::command_effect::Effect;
use crate::lsp::features::execute_command::{NEXT_HINT, Requested, TEXT_CHANGED, execute};
use crate::lsp::protocol::commands::Target;
use crate::lsp::protocol::document_params::DocumentParams;
use crate::lsp::state::Event;
use crate::lsp::state::snapshot::Snapshot;
use crate::server::handlers::backend::{Backend, CLIENT_TIMEOUT};
use crate::server::progress::show_searches;
use cpz_check::analysis::Watch;
use cpz_text::diagnostic::plain;

/// How long the answer to a command waits for the client's answer to the edit that the command sent, and a choice for
/// changes that were sent before it.
const APPLY_EDIT_GRACE: std::time::Duration = std::time::Duration::from_millis(50);

/// How long the user has for a choice; then the question is forgotten.
const CHOICE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(600);

pub(crate) async fn execute_command(
    backend: &Backend,
    params: lsp::ExecuteCommandParams,
) -> Result<Option<lsp::LSPAny>> {
    let call = match Requested::of(params)? {
        Requested::Call(call) => call,
        Requested::GoTo(target) => {
            go_to(backend, target);
            return Ok(None);
        }
        Requested::Message(message) => {
            backend.show_message(format!("cpz: {message}"));
            return Ok(None);
        }
    };
    let uri = call.uri().to_string();
    let title = call.title();
    let watch = Arc::new(Watch::default());
    let watched = watch.clone();
    let answer = backend.run(&uri, move |context| execute(&context.watched(&watched), &call));
    match show_searches(&backend.client, &backend.session, (title, &watch), answer).await {
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
    let shows_edits = backend.session.client_capabilities().choice_properties;
    let item = |(title, edit): &(String, lsp::WorkspaceEdit)| lsp::MessageActionItem {
        title: title.clone(),
        properties: choice_properties(edit).filter(|_| shows_edits).into_iter().collect(),
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

/// The edit of a choice, for a client that shows what it would do.
fn choice_properties(edit: &lsp::WorkspaceEdit) -> Option<(String, lsp::MessageActionItemProperty)> {
    Some(("edit".into(), lsp::MessageActionItemProperty::Object(serde_json::to_value(edit).ok()?)))
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
fn go_to(backend: &Backend, Target { uri, range }: Target) {
    let place = lsp::ShowDocumentParams {
        uri,
        external: Some(false),
        take_focus: Some(true),
        selection: Some(range),
    };
    let client = backend.client.clone();
    tokio::spawn(async move { tokio::time::timeout(CLIENT_TIMEOUT, client.show_document(place)).await });
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
