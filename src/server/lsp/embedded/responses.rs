//! What the client's answers to requests of the server lead to.

use ls_types as lsp;
use serde_json::Value;

use crate::lsp::embedded::EmbeddedServer;
use crate::lsp::embedded::client_requests::Purpose;
use crate::lsp::embedded::host::Json;
use crate::lsp::features::context::IS_COMPLETE;
use crate::lsp::features::execute_command::TEXT_CHANGED;
use crate::lsp::session::host::Refresh;
use crate::lsp::state::Event;

impl EmbeddedServer {
    /// The client's answer to a request; without a result if it is an error.
    pub(super) fn take_response(&mut self, id: &Value, result: Option<Value>) {
        match self.requests.take(id) {
            None => {}
            Some(Purpose::Settings(request)) => self.take_settings(request, result),
            // The others come from commands.
            Some(_) if !IS_COMPLETE => {}
            Some(Purpose::Edit) => self.take_edit_answer(result),
            Some(Purpose::NextMessage(messages)) if result.as_ref().is_some_and(|r| !r.is_null()) => {
                self.requests.offer_messages(&self.host, messages);
            }
            Some(Purpose::NextMessage(_)) => {}
            Some(Purpose::Choice { uri, version, choices }) => {
                let title = result.as_ref().and_then(|chosen| chosen.get("title")?.as_str());
                let chosen = choices.into_iter().find(|(choice, _)| Some(choice.as_str()) == title);
                if let Some((_, edit)) = chosen {
                    self.apply_choice(uri, version, edit);
                }
            }
        }
    }

    fn take_edit_answer(&self, result: Option<Value>) {
        let answer = result.and_then(|r| serde_json::from_value::<lsp::ApplyWorkspaceEditResponse>(r).ok());
        if !answer.as_ref().is_some_and(|answer| answer.applied) {
            self.requests.forget_edit();
        }
        if let Some(answer) = answer.filter(|answer| !answer.applied) {
            let why = answer.failure_reason.unwrap_or_else(|| "the editor gave no reason".into());
            self.host.show_message(lsp::MessageType::WARNING, &format!("cpz: not inserted: {why}"));
        }
    }

    /// Applies the chosen edit unless the text has changed while the question was open.
    fn apply_choice(&self, uri: String, version: Option<i32>, edit: lsp::WorkspaceEdit) {
        let (host, requests) = (self.host.clone(), self.requests.clone());
        self.send(Event::WithSnapshot(
            uri,
            Box::new(move |snapshot| match snapshot.and_then(|s| s.version) == version {
                true => requests.send_edit(&host, edit, None),
                false => host.show_message(lsp::MessageType::INFO, &format!("cpz: {TEXT_CHANGED}")),
            }),
        ));
    }

    /// Asks the client to request again what has changed.
    pub(super) fn send_refreshes(&self) {
        let client = self.session.client_capabilities();
        for what in self.host.take_refreshes() {
            let (method, is_supported) = match what {
                Refresh::InlayHints => ("workspace/inlayHint/refresh", client.refresh_hints),
                Refresh::CodeLenses => ("workspace/codeLens/refresh", client.refresh_lenses),
                Refresh::Diagnostics => ("workspace/diagnostic/refresh", client.pulls),
            };
            if is_supported {
                self.requests.send(&self.host, method, Json::null(), None);
            }
        }
    }
}
