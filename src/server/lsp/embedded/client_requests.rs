//! Requests to the client that it has not answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ls_types as lsp;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::lsp::embedded::host::{Json, QueueHost};
use crate::lsp::features::execute_command::NEXT_HINT;
use cpz_text::diagnostic::plain;

/// The most requests that wait for the client: one that never answers must not make the list grow.
const MAX_WAITING: usize = 1000;

/// A title for each edit, of which the user chooses one.
pub(super) type Choices = Vec<(String, lsp::WorkspaceEdit)>;

/// What the answer to a request is for.
pub(super) enum Purpose {
    /// The settings of the client, asked for under this number.
    Settings(u64),
    /// The edit of a command.
    Edit,
    /// A choice between edits of a document at a version.
    Choice { uri: String, version: Option<i32>, choices: Choices },
    /// Whether the user wants the next message, and those after it.
    NextMessage(Vec<String>),
}

#[derive(Default)]
struct Waiting {
    last_id: u64,
    purposes: FxHashMap<String, Purpose>,
    /// The document and version of the last edit that a command sent.
    sent_edit: Option<(String, i32)>,
}

/// The requests that the client has not answered.
#[derive(Clone, Default)]
pub(super) struct ClientRequests(Arc<Mutex<Waiting>>);

impl ClientRequests {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request. Without a purpose its answer is ignored.
    pub fn send(&self, host: &QueueHost, method: &str, params: Json, purpose: Option<Purpose>) {
        let mut waiting = self.waiting();
        waiting.last_id += 1;
        let id = format!("cpz/{}", waiting.last_id);
        if let Some(purpose) = purpose.filter(|_| waiting.purposes.len() < MAX_WAITING) {
            waiting.purposes.insert(id.clone(), purpose);
        }
        drop(waiting);
        host.request(&id, method, &params);
    }

    /// Asks the client to edit.
    pub fn send_edit(&self, host: &QueueHost, edit: lsp::WorkspaceEdit, purpose: Option<Purpose>) {
        let params = lsp::ApplyWorkspaceEditParams { label: None, edit };
        self.send(host, "workspace/applyEdit", Json::of(params), purpose);
    }

    /// Shows the first of some messages, and asks whether the user wants the next one.
    pub fn offer_messages(&self, host: &QueueHost, messages: Vec<String>) {
        let mut rest = messages.into_iter();
        let Some(first) = rest.next() else { return };
        let message = format!("cpz: {}", plain(&first));
        if rest.len() == 0 {
            return host.show_message(lsp::MessageType::INFO, &message);
        }
        let actions = [json!({ "title": NEXT_HINT })];
        let question = json!({ "type": lsp::MessageType::INFO, "message": message, "actions": actions });
        let purpose = Purpose::NextMessage(rest.collect());
        self.send(host, "window/showMessageRequest", Json::of(question), Some(purpose));
    }

    /// What an answer is for, once.
    pub fn take(&self, id: &Value) -> Option<Purpose> {
        self.waiting().purposes.remove(id.as_str()?)
    }

    /// Whether no command has sent an edit of this version of the document yet. A second one would come before the
    /// client has told of the first, and insert the same answer again.
    pub fn claim_edit(&self, uri: &str, version: Option<i32>) -> bool {
        let this = version.map(|version| (uri.to_owned(), version));
        this.is_none() || std::mem::replace(&mut self.waiting().sent_edit, this.clone()) != this
    }

    /// The document keeps its version or begins anew, so that a command may be run again.
    pub fn forget_edit(&self) {
        self.waiting().sent_edit = None;
    }
}
