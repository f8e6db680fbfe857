//! The server's side of the connection: the client, the session and the channel to the state's thread.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use ls_types::MessageType;
use serde::Serialize;
use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, Result};

use crate::lsp::features::context::{RequestContext, attempt};
use crate::lsp::protocol::document_params::DocumentParams;
use crate::lsp::protocol::request_error::{self, RequestError};
use crate::lsp::session::Session;
use crate::lsp::session::host::JobKind;
use crate::lsp::state::{Event, State};
use crate::server::progress::show_searches;
use crate::server::push::send_outbox;
use crate::server::scan::run_scan;
use crate::server::threads::Threads;
use crate::server::transport::large_answers::LargeAnswers;
use crate::server::transport::large_texts::TextPlaceholders;
use crate::server::transport::lifecycle::Lifecycle;
use crate::server::transport::log::Log;
use cpz_check::analysis::Watch;

/// The time that the client has to answer a request of the server.
pub(crate) const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) struct Backend {
    pub client: Client,
    pub session: Arc<Session>,
    pub threads: Arc<Threads>,
    pub lifecycle: Arc<Lifecycle>,
    pub texts: TextPlaceholders,
    pub answers: LargeAnswers,
    pub events: Sender<Event>,
    /// The workspace folders from `initialize`.
    pub folders: OnceLock<Vec<PathBuf>>,
    /// The settings from `initialize`.
    pub first_settings: OnceLock<serde_json::Value>,
    /// The document and version of the last edit that a command sent.
    pub sent_edit: Arc<Mutex<Option<(String, i32)>>>,
}

/// A function that answers a request about a document.
type Feature<P, T> = fn(&RequestContext<'_>, &P) -> Option<T>;
/// The same for a request that may be refused.
type TryFeature<P, T> = fn(&RequestContext<'_>, &P) -> request_error::Result<Option<T>>;

impl Backend {
    /// Starts the state's thread and the task that sends diagnostics.
    pub fn new(
        client: Client,
        lifecycle: Arc<Lifecycle>,
        texts: TextPlaceholders,
        answers: LargeAnswers,
        log: Log,
    ) -> Backend {
        let threads = Arc::new(Threads::new(log));
        let session = Arc::new(Session::new(threads.clone()));
        let (events, inbox) = channel();
        let state = State::new(session.clone(), events.clone(), run_scan);
        std::thread::Builder::new()
            .name("state".into())
            .spawn(move || state.run(&inbox))
            .expect("a thread can be started");
        tokio::spawn(send_outbox(session.clone(), threads.clone(), client.clone()));
        Backend {
            client,
            session,
            threads,
            lifecycle,
            texts,
            answers,
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
                let first = attempt(&job, &session, &snapshot, &flag, false);
                if !first.needs_slow_pass {
                    let _ = reply.send(first.answer.map(Some).map_err(Error::from));
                    return;
                }
                let threads = session.clone();
                threads.spawn(JobKind::SlowRequest, move || {
                    snapshot.cancel_when_outdated(&flag);
                    if flag.load(Ordering::Relaxed) && !snapshot.is_outdated() {
                        return;
                    }
                    let answer = attempt(&job, &session, &snapshot, &flag, true).answer;
                    let stale = snapshot.is_outdated();
                    let _ = reply.send(if stale {
                        Err(Error::content_modified())
                    } else {
                        answer.map(Some).map_err(Error::from)
                    });
                });
            }),
        ));
        async move {
            let answer = answer.await;
            drop(cancel);
            answer.unwrap_or_else(|_| Err(Error::internal_error()))
        }
    }

    /// Answers a request about a document.
    pub async fn answer<P, T>(&self, params: P, feature: Feature<P, T>) -> Result<Option<T>>
    where
        P: DocumentParams + Send + 'static,
        T: Send + 'static,
    {
        let uri = params.uri().to_string();
        Ok(self.run(&uri, move |context| feature(context, &params)).await?.flatten())
    }

    /// Answers a request about a whole document, whose answer may be large: returns the placeholder of its JSON.
    pub async fn answer_large<P, T>(&self, params: P, feature: Feature<P, T>) -> Result<Option<String>>
    where
        P: DocumentParams + Send + 'static,
        T: Serialize + 'static,
    {
        let uri = params.uri().to_string();
        let json = move |context: &RequestContext<'_>| {
            feature(context, &params).map(|answer| serde_json::to_string(&answer)).transpose()
        };
        let answer = self.run(&uri, json).await?.transpose().map_err(|_| Error::internal_error())?;
        Ok(answer.flatten().map(|json| self.answers.keep(json)))
    }

    /// Answers a request that the user waits for: its searches are shown under a title if they take long, and can be stopped.
    pub async fn answer_shown<P, T>(
        &self,
        title: &'static str,
        params: P,
        feature: TryFeature<P, T>,
    ) -> Result<Option<T>>
    where
        P: DocumentParams + Send + 'static,
        T: Send + 'static,
    {
        let uri = params.uri().to_string();
        let watch = Arc::new(Watch::default());
        let watched = watch.clone();
        let answer = self.run(&uri, move |context| feature(&context.watched(&watched), &params));
        let answer = show_searches(&self.client, &self.session, (title, &watch), answer).await?;
        Ok(answer.transpose()?.flatten())
    }

    /// Answers a request about a document that may be refused.
    pub async fn try_answer<P, T>(&self, params: P, feature: TryFeature<P, T>) -> Result<Option<T>>
    where
        P: DocumentParams + Send + 'static,
        T: Send + 'static,
    {
        let uri = params.uri().to_string();
        let answer = self.run(&uri, move |context| feature(context, &params)).await?;
        Ok(answer.transpose()?.flatten())
    }
}

impl From<RequestError> for Error {
    fn from(error: RequestError) -> Error {
        Error { code: error.code.into(), message: error.message, data: None }
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
