//! What the server gives a session: thread pools, signals to the client, and the log.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use ls_types::ProgressToken;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::lsp::session::host::{Host, JobKind, Refresh, ReportProgress};
use crate::server::progress::ProgressTask;
use crate::server::transport::log::Log;

pub(crate) struct Threads {
    log: Log,
    /// Signalled when the client should request something again because a slow search has finished.
    pub refresh_hints: Notify,
    pub refresh_lenses: Notify,
    pub refresh_diagnostics: Notify,
    /// Signalled when the outbox has something to send.
    pub outbox_filled: Notify,
    /// Receives the tasks whose progress is shown; unset if the client cannot show progress.
    pub works: OnceLock<UnboundedSender<ProgressTask>>,
    request: ThreadPool,
    slow_request: ThreadPool,
    search: ThreadPool,
    background_search: ThreadPool,
    disk: ThreadPool,
    analysis: ThreadPool,
    config: ThreadPool,
}

impl Threads {
    pub fn new(log: Log) -> Threads {
        let pool = |threads, name: &'static str| {
            let named = move |i| format!("{name}-{i}");
            // A panic ends one job only. Its request is answered with an error.
            let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(named);
            builder.panic_handler(|_| ()).build().expect("threads can be started")
        };
        Threads {
            log,
            refresh_hints: Notify::new(),
            refresh_lenses: Notify::new(),
            refresh_diagnostics: Notify::new(),
            outbox_filled: Notify::new(),
            works: OnceLock::new(),
            request: pool(4, "request"),
            slow_request: pool(2, "slow-request"),
            search: pool(1, "search"),
            background_search: pool(1, "background"),
            disk: pool(1, "disk"),
            analysis: pool(1, "analysis"),
            config: pool(1, "config"),
        }
    }
}

impl Host for Threads {
    fn spawn(&self, kind: JobKind, job: Box<dyn FnOnce() + Send>) {
        let pool = match kind {
            JobKind::Request => &self.request,
            JobKind::SlowRequest => &self.slow_request,
            JobKind::Search => &self.search,
            JobKind::BackgroundSearch => &self.background_search,
            JobKind::Disk => &self.disk,
            JobKind::Analysis => &self.analysis,
            JobKind::Config => &self.config,
        };
        pool.spawn(job);
    }

    fn runs_slow_searches(&self) -> bool {
        true
    }

    fn refresh(&self, what: Refresh) {
        match what {
            Refresh::InlayHints => self.refresh_hints.notify_one(),
            Refresh::CodeLenses => self.refresh_lenses.notify_one(),
            Refresh::Diagnostics => self.refresh_diagnostics.notify_one(),
        }
    }

    fn outbox_filled(&self) {
        self.outbox_filled.notify_one();
    }

    fn show_progress(&self, token: String, cancel: Arc<AtomicBool>) -> Option<ReportProgress> {
        let works = self.works.get()?;
        let (sender, done) = unbounded_channel();
        works.send(ProgressTask { token: ProgressToken::String(token), done, cancel }).ok()?;
        let report = move |done, all| {
            let _ = sender.send((done, all));
        };
        Some(Arc::new(report))
    }

    fn log(&self, line: &str) {
        self.log.line(line);
    }
}
