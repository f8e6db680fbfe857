//! Queue of diagnostics to push: of each document only the newest are kept, so that a slow client cannot make
//! the queue grow.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use ls_types::Diagnostic;
use rustc_hash::FxHashMap;
use serde::Serialize;

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
    }

    /// Queues a warning for the user. Does not block.
    pub fn warn_user(&self, notice: String) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).notices.push_back(notice);
    }

    /// How many warnings are queued.
    #[cfg(test)]
    pub fn notices(&self) -> usize {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).notices.len()
    }

    /// Takes the next warning.
    pub fn take_notice(&self) -> Option<String> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).notices.pop_front()
    }

    /// Takes the next diagnostics.
    pub fn take(&self) -> Option<Publish> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let uri = queue.order.pop_front()?;
        queue.newest.remove(&uri)
    }
}

/// Hashes of the last diagnostics of files that are not open: diagnostics that changed and changed back while they were
/// queued are not sent again.
#[derive(Default)]
pub(crate) struct SentHashes(FxHashMap<String, u64>);

impl SentHashes {
    /// Whether diagnostics differ from what was sent last, and keeps them as sent.
    pub fn is_news(&mut self, publish: &Publish) -> bool {
        match publish.version {
            Some(_) => {
                self.0.remove(&publish.uri);
                true
            }
            None => self.0.insert(publish.uri.clone(), publish.hash) != Some(publish.hash),
        }
    }
}
