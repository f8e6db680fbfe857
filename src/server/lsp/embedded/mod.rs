//! The language server as a function from one message to messages: for a web page, or where there are neither threads
//! nor files.
//!
//! Invariant: one call does a bounded amount of work, except for [`EmbeddedServer::work`], which runs one slow search.
//! No message makes it panic. Each request gets exactly one response, in this call or, after a slow search, in a later
//! one.
//!
//! **Slow searches.** A server made with [`SlowSearches::Skipped`] answers at once with what quick searches tell; a
//! response that a slow search would improve has the member `"incomplete": true`. One made with
//! [`SlowSearches::Queued`] queues them; each call of [`EmbeddedServer::work`] runs one. So a page keeps two: the first
//! answers while the user types, the second, in a worker that can be ended, gets the same notifications and those
//! requests whose answers were incomplete.

mod client_requests;
mod commands;
mod host;
mod lifecycle;
mod params;
mod requests;
mod responses;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use ls_types::MessageType;
use serde_json::Value;

use crate::lsp::embedded::client_requests::ClientRequests;
use crate::lsp::embedded::host::{Json, QueueHost};
use crate::lsp::protocol::repair::{Repaired, escape, repair};
use crate::lsp::protocol::request_error::RequestError;
use crate::lsp::scan::{ScanEvent, WorkspaceScan};
use crate::lsp::session::Session;
use crate::lsp::session::outbox::SentHashes;
use crate::lsp::state::{Event, State};

pub use crate::lsp::embedded::host::SlowSearches;

/// Where the session is between `initialize` and `exit`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Uninitialized,
    Initialized,
    ShutDown,
}

/// A language server without threads, files and clock.
pub struct EmbeddedServer {
    session: Arc<Session>,
    host: Arc<QueueHost>,
    state: State,
    events: Sender<Event>,
    inbox: Receiver<Event>,
    requests: ClientRequests,
    sent: SentHashes,
    phase: Phase,
    /// The settings from `initialize`.
    first_settings: Value,
}

impl EmbeddedServer {
    /// A server that waits for `initialize`.
    pub fn new(slow: SlowSearches) -> EmbeddedServer {
        let host = Arc::new(QueueHost::new(slow));
        let session = Arc::new(Session::new(host.clone()));
        let (events, inbox) = channel();
        EmbeddedServer {
            state: State::new(session.clone(), events.clone(), skip_scan),
            session,
            host,
            events,
            inbox,
            requests: ClientRequests::default(),
            sent: SentHashes::default(),
            phase: Phase::default(),
            first_settings: Value::Null,
        }
    }

    /// Takes a message of JSON-RPC and returns the messages for the client, in order.
    pub fn handle(&mut self, message: &str) -> Vec<String> {
        match serde_json::from_str::<Value>(message) {
            Err(_) => self.host.respond(&Value::Null, Err(RequestError::parse_error())),
            Ok(message) => self.take(message),
        }
        self.settle()
    }

    /// Runs one slow search, if any waits, and returns the messages for the client. This may take seconds.
    pub fn work(&mut self) -> Vec<String> {
        if let Some(job) = self.host.take_slow() {
            job();
        }
        self.settle()
    }

    /// How many slow searches wait.
    pub fn pending(&self) -> usize {
        self.host.slow_jobs()
    }

    fn take(&mut self, mut message: Value) {
        let (id, params) = (message.get("id").cloned(), message.get_mut("params").map(Value::take));
        let method = match message.get_mut("method").map(Value::take) {
            Some(Value::String(method)) => method,
            None if message.get("result").is_some() || message.get("error").is_some() => {
                return self
                    .take_response(&id.unwrap_or_default(), message.get_mut("result").map(Value::take));
            }
            _ => return self.host.respond(&Value::Null, Err(RequestError::invalid_request())),
        };
        if method == "textDocument/didOpen" {
            self.keep_client_uri(params.as_ref());
        }
        let params = match repair(&method, params.unwrap_or_default()) {
            Repaired::Params(params) => params,
            Repaired::Lost(uri) => {
                self.send(Event::EditLost(uri));
                Value::Null
            }
        };
        match id {
            None => self.notification(&method, params),
            Some(id @ (Value::String(_) | Value::Number(_))) => {
                if let Err(error) = self.request(&id, &method, params) {
                    self.host.respond(&id, Err(error));
                }
            }
            Some(_) => self.host.respond(&Value::Null, Err(RequestError::invalid_request())),
        }
    }

    /// Keeps the client's spelling of a URI that is escaped here, to publish diagnostics under it.
    fn keep_client_uri(&self, params: Option<&Value>) {
        let Some(as_written) = params.and_then(|p| p.pointer("/textDocument/uri")?.as_str()) else { return };
        let uri = escape(as_written);
        if uri != as_written {
            self.send(Event::ClientUri { uri, as_written: as_written.to_string() });
        }
    }

    fn send(&self, event: Event) {
        // The receiver is in the same struct.
        let _ = self.events.send(event);
    }

    /// Applies all events and runs all quick jobs, until nothing is left to do. Returns the messages.
    fn settle(&mut self) -> Vec<String> {
        loop {
            let events: Vec<Event> = self.inbox.try_iter().collect();
            let job = self.host.take_quick();
            if events.is_empty() && job.is_none() && !self.state.has_work() {
                break;
            }
            if let Some(job) = job {
                job();
            }
            // The server has no `Event::Stop`, so no turn is the last.
            let _ = self.state.turn(events.into_iter());
        }
        self.send_outbox();
        self.send_refreshes();
        self.host.take_messages()
    }

    /// Sends diagnostics and warnings.
    fn send_outbox(&mut self) {
        while let Some(notice) = self.session.outbox.take_notice() {
            self.host.show_message(MessageType::WARNING, &notice);
        }
        while let Some(publish) = self.session.outbox.take() {
            if self.sent.is_news(&publish) {
                self.host.notify("textDocument/publishDiagnostics", &Json::of(&publish));
            }
        }
    }
}

/// There are no files: a scan finds nothing.
fn skip_scan(_: WorkspaceScan, send: &dyn Fn(ScanEvent)) {
    send(ScanEvent::Finished);
}
