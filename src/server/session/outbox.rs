//! Findings on their way to the client: of each document only the newest, however slow the client is.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use serde::Serialize;
use tokio::sync::Notify;
use tower_lsp::Client;
use tower_lsp::ls_types::{Diagnostic, MessageType, notification::Notification};

/// The findings of a document.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Publish {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
    pub diagnostics: Vec<Diagnostic>,
    /// Another number where something else is found.
    #[serde(skip)]
    pub stamp: u64,
}

impl<'de> serde::Deserialize<'de> for Publish {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Publish, D::Error> {
        Err(serde::de::Error::custom("only sent, never received"))
    }
}

/// `textDocument/publishDiagnostics` with the URI as the client wrote it.
enum PublishDiagnostics {}

impl Notification for PublishDiagnostics {
    type Params = Publish;
    const METHOD: &'static str = "textDocument/publishDiagnostics";
}

#[derive(Default)]
struct Queue {
    order: VecDeque<String>,
    newest: FxHashMap<String, Publish>,
    /// What the person is to be told.
    notices: VecDeque<String>,
}

/// Where findings wait to be sent.
#[derive(Clone, Default)]
pub(crate) struct Outbox {
    queue: Arc<Mutex<Queue>>,
    filled: Arc<Notify>,
}

impl Outbox {
    /// Takes the place of what still waits for the same document. Never waits.
    pub fn put(&self, publish: Publish) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let uri = publish.uri.clone();
        // What somebody looks at goes first, however many files were checked.
        let open = publish.version.is_some();
        let waits = queue.newest.insert(uri.clone(), publish).is_some();
        if open {
            if waits {
                queue.order.retain(|other| *other != uri);
            }
            queue.order.push_front(uri);
        } else if !waits {
            queue.order.push_back(uri);
        }
        drop(queue);
        self.filled.notify_one();
    }

    /// Tells the person something. Never waits.
    pub fn say(&self, notice: String) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).notices.push_back(notice);
        self.filled.notify_one();
    }

    fn notice(&self) -> Option<String> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).notices.pop_front()
    }

    fn take(&self) -> Option<Publish> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let uri = queue.order.pop_front()?;
        queue.newest.remove(&uri)
    }

    /// Sends whatever is put in, one at a time, as fast as the client takes it.
    pub async fn send_to(self, client: Client) {
        // What was last said of files that are not open: what changed and changed back while it waited is
        // no news.
        let mut last: FxHashMap<String, u64> = FxHashMap::default();
        loop {
            self.filled.notified().await;
            while let Some(notice) = self.notice() {
                client.show_message(MessageType::WARNING, notice).await;
            }
            while let Some(publish) = self.take() {
                match publish.version {
                    Some(_) => drop(last.remove(&publish.uri)),
                    None if last.insert(publish.uri.clone(), publish.stamp) == Some(publish.stamp) => {
                        continue;
                    }
                    None => {}
                }
                client.send_notification::<PublishDiagnostics>(publish).await;
            }
        }
    }
}
