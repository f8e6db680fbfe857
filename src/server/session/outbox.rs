//! Queue of diagnostics to push: of each document only the newest are kept, so that a slow client cannot make
//! the queue grow.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use serde::Serialize;
use tokio::sync::Notify;
use tower_lsp::Client;
use tower_lsp::ls_types::{Diagnostic, MessageType, notification::Notification};

/// Parameters of `textDocument/publishDiagnostics`.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Publish {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i32>,
    pub diagnostics: Vec<Diagnostic>,
    /// A hash of `diagnostics`.
    #[serde(skip)]
    pub hash: u64,
}

impl<'de> serde::Deserialize<'de> for Publish {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Publish, D::Error> {
        Err(serde::de::Error::custom("only sent, never received"))
    }
}

/// `textDocument/publishDiagnostics` with a string as URI: the library would normalise the client's spelling.
enum PublishDiagnostics {}

impl Notification for PublishDiagnostics {
    type Params = Publish;
    const METHOD: &'static str = "textDocument/publishDiagnostics";
}

#[derive(Default)]
struct Queue {
    order: VecDeque<String>,
    newest: FxHashMap<String, Publish>,
    /// Messages for the user.
    notices: VecDeque<String>,
}

#[derive(Clone, Default)]
pub(crate) struct Outbox {
    queue: Arc<Mutex<Queue>>,
    filled: Arc<Notify>,
}

impl Outbox {
    /// Queues diagnostics, and replaces those of the same document that are still queued. Does not block.
    pub fn put(&self, publish: Publish) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let uri = publish.uri.clone();
        // Open documents first, however many other files are queued.
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

    /// Queues a warning for the user. Does not block.
    pub fn warn_user(&self, notice: String) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).notices.push_back(notice);
        self.filled.notify_one();
    }

    /// How many warnings are queued.
    #[cfg(test)]
    pub fn notices(&self) -> usize {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).notices.len()
    }

    fn notice(&self) -> Option<String> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).notices.pop_front()
    }

    fn take(&self) -> Option<Publish> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let uri = queue.order.pop_front()?;
        queue.newest.remove(&uri)
    }

    /// Sends the queue, one message at a time, as fast as the client reads. Never returns.
    pub async fn send_to(self, client: Client) {
        // Hashes of the last diagnostics of files that are not open: diagnostics that changed and changed back
        // while they were queued are not sent again.
        let mut last: FxHashMap<String, u64> = FxHashMap::default();
        loop {
            self.filled.notified().await;
            while let Some(notice) = self.notice() {
                client.show_message(MessageType::WARNING, notice).await;
            }
            while let Some(publish) = self.take() {
                match publish.version {
                    Some(_) => drop(last.remove(&publish.uri)),
                    None if last.insert(publish.uri.clone(), publish.hash) == Some(publish.hash) => {
                        continue;
                    }
                    None => {}
                }
                client.send_notification::<PublishDiagnostics>(publish).await;
            }
        }
    }
}
