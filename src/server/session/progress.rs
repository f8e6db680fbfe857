//! Progress of work that the client did not ask for, which it can cancel.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tower_lsp::Client;
use tower_lsp::ls_types::notification::Progress;
use tower_lsp::ls_types::request::WorkDoneProgressCreate;
use tower_lsp::ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};

/// How long the client may take to show it; the work does not wait for that.
const PATIENCE: Duration = Duration::from_secs(5);
/// The least time between two reports.
const PACE: Duration = Duration::from_millis(100);

/// Files that are looked at.
pub(crate) struct ProgressTask {
    /// What the client knows it by.
    pub token: ProgressToken,
    /// How many files of how many are done; closed at its end.
    pub done: UnboundedReceiver<(usize, usize)>,
    /// Set when the client cancels it.
    pub cancel: Arc<AtomicBool>,
}

/// Shows how far a work is, until it is done.
pub(crate) async fn show(client: Client, mut work: ProgressTask) {
    let token = work.token.clone();
    let create = WorkDoneProgressCreateParams { token: token.clone() };
    let created = tokio::time::timeout(PATIENCE, client.send_request::<WorkDoneProgressCreate>(create)).await;
    if !matches!(created, Ok(Ok(()))) {
        return;
    }
    let say = |what: WorkDoneProgress| {
        let params = ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(what) };
        client.send_notification::<Progress>(params)
    };
    let begin = WorkDoneProgressBegin {
        title: "Checking the collection".into(),
        cancellable: Some(true),
        message: None,
        percentage: Some(0),
    };
    say(WorkDoneProgress::Begin(begin)).await;
    let mut files = 0;
    while let Some((mut done, all)) = work.done.recv().await {
        while let Ok((later, _)) = work.done.try_recv() {
            done = done.max(later);
        }
        // Files that need no look are done before those that wait for one.
        files = done.max(files);
        let report = WorkDoneProgressReport {
            cancellable: Some(true),
            message: Some(format!("{files} of {all} files")),
            percentage: Some((100 * files / all.max(1)) as u32),
        };
        say(WorkDoneProgress::Report(report)).await;
        tokio::time::sleep(PACE).await;
    }
    let cancelled = work.cancel.load(Ordering::Relaxed);
    let message = if cancelled { "cancelled".into() } else { format!("{files} files") };
    say(WorkDoneProgress::End(WorkDoneProgressEnd { message: Some(message) })).await;
}
