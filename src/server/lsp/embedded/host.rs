//! The jobs and messages of an embedded server: queues that its caller works off.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ls_types::MessageType;
use serde::Serialize;
use serde_json::{Value, json};

use crate::lsp::protocol::request_error::Result;
use crate::lsp::session::host::{Host, JobKind, Refresh, ReportProgress};

/// What a server does where a quick search does not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlowSearches {
    /// It answers without them.
    Skipped,
    /// It queues them for `EmbeddedServer::work`.
    Queued,
}

type Job = Box<dyn FnOnce() + Send>;

/// A value as JSON text: a tree of values in between would cost more than the answer itself.
pub(super) struct Json(String);

impl Json {
    /// The text of a value; `null` for one that is no JSON.
    pub fn of<T: Serialize>(value: T) -> Json {
        Json(serde_json::to_string(&value).unwrap_or_else(|_| "null".into()))
    }

    pub fn null() -> Json {
        Json("null".into())
    }
}

#[derive(Default)]
struct Queues {
    quick: VecDeque<Job>,
    slow: VecDeque<Job>,
    /// What the client should request again, each at most once.
    refreshes: Vec<Refresh>,
    messages: Vec<String>,
}

/// Queues instead of threads.
pub(super) struct QueueHost {
    slow: SlowSearches,
    queues: Mutex<Queues>,
}

impl QueueHost {
    pub fn new(slow: SlowSearches) -> QueueHost {
        QueueHost { slow, queues: Mutex::default() }
    }

    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn take_quick(&self) -> Option<Job> {
        self.queues().quick.pop_front()
    }

    pub fn take_slow(&self) -> Option<Job> {
        self.queues().slow.pop_front()
    }

    pub fn slow_jobs(&self) -> usize {
        self.queues().slow.len()
    }

    pub fn take_refreshes(&self) -> Vec<Refresh> {
        std::mem::take(&mut self.queues().refreshes)
    }

    pub fn take_messages(&self) -> Vec<String> {
        std::mem::take(&mut self.queues().messages)
    }

    /// Sends the response to a request.
    pub fn respond(&self, id: &Value, answer: Result<Json>) {
        self.respond_with(id, answer, false);
    }

    /// Sends the response to a request, and whether a slow search would improve it.
    pub fn respond_with(&self, id: &Value, answer: Result<Json>, is_incomplete: bool) {
        let (member, value) = match answer {
            Ok(result) => ("result", result.0),
            Err(error) => ("error", json!({ "code": error.code, "message": error.message }).to_string()),
        };
        let incomplete = if is_incomplete { ",\"incomplete\":true" } else { "" };
        let message = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{member}\":{value}{incomplete}}}");
        self.queues().messages.push(message);
    }

    /// Sends a notification.
    pub fn notify(&self, method: &str, params: &Json) {
        let message = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\",\"params\":{}}}", params.0);
        self.queues().messages.push(message);
    }

    /// Sends a request, which the client answers under this id.
    pub fn request(&self, id: &str, method: &str, params: &Json) {
        let (id, method) = (Json::of(id), Json::of(method));
        let message = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":{},\"params\":{}}}",
            id.0, method.0, params.0
        );
        self.queues().messages.push(message);
    }

    /// Shows a message to the user.
    pub fn show_message(&self, kind: MessageType, message: &str) {
        self.notify("window/showMessage", &Json::of(json!({ "type": kind, "message": message })));
    }
}

impl Host for QueueHost {
    fn spawn(&self, kind: JobKind, job: Job) {
        let mut queues = self.queues();
        match kind {
            JobKind::SlowRequest => queues.slow.push_front(job),
            JobKind::Search | JobKind::BackgroundSearch => queues.slow.push_back(job),
            JobKind::Request | JobKind::Disk | JobKind::Analysis | JobKind::Config => {
                queues.quick.push_back(job);
            }
        }
    }

    fn runs_slow_searches(&self) -> bool {
        self.slow == SlowSearches::Queued
    }

    fn refresh(&self, what: Refresh) {
        let mut queues = self.queues();
        if !queues.refreshes.contains(&what) {
            queues.refreshes.push(what);
        }
    }

    // The outbox is emptied after each message anyway.
    fn outbox_filled(&self) {}

    fn show_progress(&self, _: String, _: Arc<AtomicBool>) -> Option<ReportProgress> {
        None
    }

    fn log(&self, _: &str) {}
}
