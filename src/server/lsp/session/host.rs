//! What a session needs from the program around it: threads, and ways to wake the client.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a job is about. Jobs of one kind do not delay those of another, where there are threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobKind {
    /// A request.
    Request,
    /// A request that turned out to take long.
    SlowRequest,
    /// A slow search for the diagnostics of an open document.
    Search,
    /// A slow search for the diagnostics of another file.
    BackgroundSearch,
    /// A scan or a poll of the file system.
    Disk,
    /// The first analysis of files that are not open.
    Analysis,
    /// Reading the configuration of one folder, because the diagnostics of an open document wait for it.
    Config,
}

/// What the client should request again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refresh {
    InlayHints,
    CodeLenses,
    Diagnostics,
}

/// Reports (files done, files in all) of a task; the task ends when it is dropped.
pub(crate) type ReportProgress = Arc<dyn Fn(usize, usize) + Send + Sync>;

/// The program around a session. No method blocks.
pub(crate) trait Host: Send + Sync {
    /// Runs a job later, on another thread if there are any. A panic ends the job only.
    fn spawn(&self, kind: JobKind, job: Box<dyn FnOnce() + Send>);
    /// Whether slow searches for diagnostics are run.
    fn runs_slow_searches(&self) -> bool;
    /// The answers to some requests have changed.
    fn refresh(&self, what: Refresh);
    /// The outbox has something to send.
    fn outbox_filled(&self);
    /// Shows a task to the client under a token; the flag is set if the user cancels it. Returns nothing if the client
    /// cannot show it.
    fn show_progress(&self, token: String, cancel: Arc<AtomicBool>) -> Option<ReportProgress>;
    /// Writes a line to the log, if there is one.
    fn log(&self, line: &str);
}
