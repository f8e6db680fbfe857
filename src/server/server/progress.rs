//! Progress of tasks that the server starts itself and the user can cancel.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ls_types::notification::Progress;
use ls_types::request::WorkDoneProgressCreate;
use ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};
use tokio::sync::mpsc::UnboundedReceiver;
use tower_lsp::Client;

/// How long to wait for the client's answer to `window/workDoneProgress/create`. The task itself does not wait.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(5);
/// Minimum time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// A task whose progress the client shows.
pub(crate) struct ProgressTask {
    pub token: ProgressToken,
    /// Receives (files done, files in all); closed at the end of the task.
    pub done: UnboundedReceiver<(usize, usize)>,
    /// Set when the client cancels it.
    pub cancel: Arc<AtomicBool>,
}

/// Shows the progress of a task until it ends.
pub(crate) async fn show(client: Client, mut task: ProgressTask) {
    let token = task.token.clone();
    let create = WorkDoneProgressCreateParams { token: token.clone() };
    let created =
        tokio::time::timeout(CLIENT_TIMEOUT, client.send_request::<WorkDoneProgressCreate>(create)).await;
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
    while let Some((mut done, all)) = task.done.recv().await {
        while let Ok((later, _)) = task.done.try_recv() {
            done = done.max(later);
        }
        // Batches end out of order: files that have not changed need no analysis.
        files = done.max(files);
        let report = WorkDoneProgressReport {
            cancellable: Some(true),
            message: Some(format!("{files} of {all} files")),
            percentage: Some((100 * files / all.max(1)) as u32),
        };
        say(WorkDoneProgress::Report(report)).await;
        tokio::time::sleep(REPORT_INTERVAL).await;
    }
    let cancelled = task.cancel.load(Ordering::Relaxed);
    let message = if cancelled { "cancelled".into() } else { format!("{files} files") };
    say(WorkDoneProgress::End(WorkDoneProgressEnd { message: Some(message) })).await;
}
