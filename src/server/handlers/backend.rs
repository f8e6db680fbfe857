//! The server's side of the connection: the client, the session and the channel to the state's thread.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::MessageType;

use crate::server::handlers::context::{RequestContext, attempt};
use crate::server::session::Session;
use crate::server::state::{Event, State};
use crate::server::transport::large_texts::TextPlaceholders;
use crate::server::transport::lifecycle::Lifecycle;
use crate::server::transport::log::Log;

/// The time that the client has to answer a request of the server.
pub(crate) const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) struct Backend {
    pub client: Client,
    pub session: Arc<Session>,
    pub lifecycle: Arc<Lifecycle>,
    pub texts: TextPlaceholders,
    pub events: Sender<Event>,
    /// The workspace folders from `initialize`.
    pub folders: OnceLock<Vec<PathBuf>>,
    /// The settings from `initialize`.
    pub first_settings: OnceLock<serde_json::Value>,
    /// The document and version of the last edit that a command sent.
    pub sent_edit: Arc<Mutex<Option<(String, i32)>>>,
}

impl Backend {
    /// Starts the state's thread and the task that sends diagnostics.
    pub fn new(client: Client, lifecycle: Arc<Lifecycle>, texts: TextPlaceholders, log: Log) -> Backend {
        let session = Arc::new(Session::new(log));
        let (events, inbox) = channel();
        let state = State::new(session.clone(), events.clone());
        std::thread::Builder::new()
            .name("state".into())
            .spawn(move || state.run(&inbox))
            .expect("a thread can be started");
        tokio::spawn(session.outbox.clone().send_to(client.clone()));
        Backend {
            client,
            session,
            lifecycle,
            texts,
            events,
            folders: OnceLock::new(),
            first_settings: OnceLock::new(),
            sent_edit: Arc::default(),
        }
    }

    /// Sends an event to the state's thread.
    pub fn send(&self, event: Event) {
        // If the state's thread is gone, every request fails: no error is needed here.
        let _ = self.events.send(event);
    }

    /// Shows a message to the user.
    pub fn show_message(&self, message: String) {
        let client = self.client.clone();
        tokio::spawn(async move { client.show_message(MessageType::INFO, message).await });
    }

    /// Runs a job with the snapshot of a document after all earlier messages. The result is `None` for an unknown
    /// document. If the client cancels the request, the job's flag is set and its answer is dropped.
    ///
    /// The first attempt runs without slow searches. If the job needs them, it runs again on a pool of its own,
    /// so that it does not delay quick requests; it is cancelled when the text changes.
    pub fn run<T, J>(&self, uri: &str, job: J) -> impl Future<Output = Result<Option<T>>> + use<T, J>
    where
        T: Send + 'static,
        J: Fn(&RequestContext<'_>) -> T + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let (cancel, flag) = CancelOnDrop::new();
        let session = self.session.clone();
        self.send(Event::WithSnapshot(
            uri.to_string(),
            Box::new(move |snapshot| {
                if flag.load(Ordering::Relaxed) {
                    return;
                }
                let Some(snapshot) = snapshot else { return drop(reply.send(Ok(None))) };
                let (answer, needs_slow_pass) = attempt(&job, &session, &snapshot, &flag, false);
                if !needs_slow_pass {
                    let _ = reply.send(answer.map(Some));
                    return;
                }
                let threads = session.clone();
                threads.slow_request_pool.spawn(move || {
                    snapshot.cancel_when_outdated(&flag);
                    if flag.load(Ordering::Relaxed) && !snapshot.is_outdated() {
                        return;
                    }
                    let (answer, _) = attempt(&job, &session, &snapshot, &flag, true);
                    let stale = snapshot.is_outdated();
                    let _ = reply.send(if stale { Err(Error::content_modified()) } else { answer.map(Some) });
                });
            }),
        ));
        async move {
            let answer = answer.await;
            drop(cancel);
            answer.unwrap_or_else(|_| Err(Error::internal_error()))
        }
    }
}

/// Sets a request's flag when the future of the request is dropped or has its answer.
pub(crate) struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    pub fn new() -> (CancelOnDrop, Arc<AtomicBool>) {
        let flag = Arc::new(AtomicBool::new(false));
        (CancelOnDrop(flag.clone()), flag)
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
