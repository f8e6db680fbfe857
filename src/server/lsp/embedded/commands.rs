//! `workspace/executeCommand`: sends the effects of commands to the client.

use ls_types as lsp;
use serde_json::{Value, json};

use crate::lsp::embedded::EmbeddedServer;
use crate::lsp::embedded::client_requests::{ClientRequests, Purpose};
use crate::lsp::embedded::host::{Json, QueueHost};
use crate::lsp::features::command_effect::Effect;
use crate::lsp::features::execute_command::{Requested, TEXT_CHANGED, execute};
use crate::lsp::protocol::commands::Target;
use crate::lsp::protocol::document_params::DocumentParams;
use crate::lsp::protocol::request_error::{RequestError, Result};
use cpz_text::diagnostic::plain;

impl EmbeddedServer {
    /// # Errors
    /// There is no such command, or its argument is another one.
    pub(super) fn execute_command(&self, id: &Value, params: lsp::ExecuteCommandParams) -> Result<()> {
        let call = match Requested::of(params)? {
            Requested::Call(call) => call,
            Requested::GoTo(Target { uri, range }) => {
                let place = json!({ "uri": uri, "external": false, "takeFocus": true, "selection": range });
                self.requests.send(&self.host, "window/showDocument", Json::of(place), None);
                self.host.respond(id, Ok(Json::null()));
                return Ok(());
            }
            Requested::Message(message) => {
                self.host.show_message(lsp::MessageType::INFO, &format!("cpz: {message}"));
                self.host.respond(id, Ok(Json::null()));
                return Ok(());
            }
        };
        let (uri, id) = (call.uri().to_string(), id.clone());
        let (host, requests) = (self.host.clone(), self.requests.clone());
        let shows_edits = self.session.client_capabilities().choice_properties;
        let skips_slow_searches = !self.session.runs_slow_searches();
        self.run(
            uri.clone(),
            Box::new(move |context| execute(context, &call)),
            Box::new(move |effect, is_incomplete| {
                if is_incomplete && skips_slow_searches {
                    // An effect cannot be improved afterwards, so the server that runs slow searches has to run the command.
                    return host.respond_with(&id, Ok(Json::null()), true);
                }
                let answer = apply(&host, &requests, uri, effect, shows_edits);
                host.respond(&id, answer.map(|()| Json::null()));
            }),
        );
        Ok(())
    }
}

/// Sends the effect of a command, before the command is answered. `shows_edits` says whether the client shows what the choices
/// of a question would do.
fn apply(
    host: &QueueHost,
    requests: &ClientRequests,
    uri: String,
    effect: Result<Option<Effect>>,
    shows_edits: bool,
) -> Result<()> {
    let inform = |message: &str| host.show_message(lsp::MessageType::INFO, &format!("cpz: {message}"));
    match effect {
        Err(error) if error.code == RequestError::CONTENT_MODIFIED => inform(TEXT_CHANGED),
        Err(error) => return Err(error),
        Ok(None) => inform("this document is not open"),
        Ok(Some(Effect::Nothing)) => {}
        Ok(Some(Effect::Message(message))) => inform(&plain(&message)),
        Ok(Some(Effect::Messages(messages))) => requests.offer_messages(host, messages),
        Ok(Some(Effect::Choice(message, choices, version))) => {
            let item = |(title, edit): &(String, lsp::WorkspaceEdit)| match shows_edits {
                true => json!({ "title": title, "edit": edit }),
                false => json!({ "title": title }),
            };
            let actions: Vec<Value> = choices.iter().map(item).collect();
            let question = json!({ "type": lsp::MessageType::INFO, "message": message, "actions": actions });
            let purpose = Purpose::Choice { uri, version, choices };
            requests.send(host, "window/showMessageRequest", Json::of(question), Some(purpose));
        }
        Ok(Some(Effect::Edit(edit, version))) => match requests.claim_edit(&uri, version) {
            true => {
                requests.send_edit(host, edit, Some(Purpose::Edit));
            }
            false => inform(TEXT_CHANGED),
        },
    }
    Ok(())
}
