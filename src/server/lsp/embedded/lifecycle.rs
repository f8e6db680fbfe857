//! `initialize` to `exit`, notifications and settings.

use std::sync::atomic::Ordering;

use ls_types as lsp;
use ropey::Rope;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::lsp::embedded::client_requests::Purpose;
use crate::lsp::embedded::host::Json;
use crate::lsp::embedded::{EmbeddedServer, Phase};
use crate::lsp::protocol::initialize::{initialize_result, settings_registration};
use crate::lsp::protocol::request_error::{RequestError, Result};
use crate::lsp::session::settings::Settings;
use crate::lsp::state::Event;
use crate::lsp::state::diagnostics_mode::DiagnosticsMode;

impl EmbeddedServer {
    /// Whether a request may be answered now.
    pub(super) fn check_phase(&self, method: &str) -> Result<()> {
        match (self.phase, method) {
            (Phase::Uninitialized, "initialize") => Ok(()),
            (Phase::Uninitialized, _) => Err(RequestError::not_initialized()),
            (Phase::Initialized, "initialize") | (Phase::ShutDown, _) => Err(RequestError::invalid_request()),
            (Phase::Initialized, _) => Ok(()),
        }
    }

    pub(super) fn initialize(&mut self, id: &Value, mut params: Value) {
        let client = self.session.set_client_capabilities(&params);
        self.send(Event::Initialized(DiagnosticsMode::negotiated(&client)));
        self.first_settings = params.get_mut("initializationOptions").map(Value::take).unwrap_or_default();
        self.phase = Phase::Initialized;
        self.host.respond(id, Ok(Json::of(initialize_result(&client))));
    }

    pub(super) fn shut_down(&mut self, id: &Value) {
        self.send(Event::Shutdown);
        self.phase = Phase::ShutDown;
        self.host.respond(id, Ok(Json::null()));
    }

    /// Applies a notification. One that is unknown or malformed is ignored, as the protocol demands.
    pub(super) fn notification(&mut self, method: &str, params: Value) {
        if self.phase != Phase::Initialized {
            return;
        }
        match method {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => self.did_open(params),
            "textDocument/didChange" => self.did_change(params),
            "textDocument/didSave" => self.send(Event::DidSave),
            "textDocument/didClose" => {
                if let Some(params) = read::<lsp::DidCloseTextDocumentParams>(params) {
                    self.send(Event::DidClose(params.text_document.uri.as_str().into()));
                }
            }
            "workspace/didChangeConfiguration" => self.did_change_configuration(&params),
            _ => {}
        }
    }

    fn initialized(&mut self) {
        let settings = self.first_settings();
        self.apply_settings(&settings);
        let client = self.session.client_capabilities();
        if let Some(registration) = settings_registration(&client) {
            let params = json!({ "registrations": [registration] });
            self.requests.send(&self.host, "client/registerCapability", Json::of(params), None);
        }
        self.fetch_settings();
    }

    fn did_open(&self, params: Value) {
        let Some(params) = read::<lsp::DidOpenTextDocumentParams>(params) else { return };
        let lsp::TextDocumentItem { uri, version, text, .. } = params.text_document;
        // The versions of a document that is opened again may begin anew.
        self.requests.forget_edit();
        self.send(Event::DidOpen { uri: uri.as_str().into(), version, text: Rope::from_str(&text) });
    }

    fn did_change(&self, params: Value) {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).map(String::from);
        match read::<lsp::DidChangeTextDocumentParams>(params) {
            Some(params) => {
                let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
                let changes = params.content_changes;
                self.send(Event::DidChange { uri: uri.as_str().into(), version, changes });
            }
            // The text is unknown until the client sends all of it.
            None => uri.into_iter().for_each(|uri| self.send(Event::EditLost(uri))),
        }
    }

    /// The settings of `initialize`; null where it has none.
    fn first_settings(&self) -> Value {
        self.first_settings.get("cpz").unwrap_or(&self.first_settings).clone()
    }

    fn did_change_configuration(&mut self, params: &Value) {
        if self.session.client_capabilities().send_settings {
            return self.fetch_settings();
        }
        match params.get("settings").and_then(Settings::section_in) {
            Some(Value::Null) => self.apply_settings(&self.first_settings()),
            Some(section) => self.apply_settings(section),
            None => {}
        }
    }

    /// Requests the settings from a client that supports `workspace/configuration`.
    fn fetch_settings(&self) {
        if self.session.client_capabilities().send_settings {
            let purpose = Purpose::Settings(self.session.settings_order.next());
            let params = json!({ "items": [{ "section": "cpz" }] });
            self.requests.send(&self.host, "workspace/configuration", Json::of(params), Some(purpose));
        }
    }

    /// The client's answer with the settings. Without the section, those of `initialize` are in force.
    pub(super) fn take_settings(&self, request: u64, result: Option<Value>) {
        let Some(section) = result.as_ref().and_then(|sections| sections.get(0)) else { return };
        let section = if section.is_null() { &self.first_settings() } else { section };
        self.session.settings_order.apply(request, || self.apply_settings(section));
    }

    /// Applies the section `cpz` of the settings, and warns the user about invalid values.
    fn apply_settings(&self, section: &Value) {
        let warn = |message: &str| self.host.show_message(lsp::MessageType::WARNING, message);
        let (settings, mistakes) = match Settings::read_section(section) {
            Ok(read) => read,
            Err(why) => return warn(&why),
        };
        let images = settings.images.unwrap_or(self.session.client_capabilities().pictures);
        self.session.pictures.store(images, Ordering::Relaxed);
        self.send(Event::SettingsChanged(settings));
        if !mistakes.is_empty() {
            warn(&mistakes.join("\n"));
        }
    }
}

/// The parameters of a notification, unless they are malformed.
fn read<P: DeserializeOwned>(params: Value) -> Option<P> {
    serde_json::from_value(params).ok()
}
