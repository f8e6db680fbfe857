//! Progress of tasks that the user can cancel: of those that the server starts itself, and of requests that search.

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
use tokio::time::timeout;
use tower_lsp::Client;

use crate::lsp::session::Session;
use cpz_check::analysis::Watch;
use cpz_ide::first_moves_in_words;

/// How long to wait for the client's answer to `window/workDoneProgress/create`. The task itself does not wait.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(5);
/// Minimum time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// How long a request searches before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

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
    let created = timeout(CLIENT_TIMEOUT, client.send_request::<WorkDoneProgressCreate>(create)).await;
    if !matches!(created, Ok(Ok(()))) {
        return;
    }
    let say = |what: WorkDoneProgress| say(client.clone(), token.clone(), what);
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

/// Waits for an answer, and shows its searches under a title if it takes long. If the user cancels them, they end as if their
/// budget were used up, so that what they have proved is the answer.
pub(crate) async fn show_searches<T>(
    client: &Client,
    session: &Session,
    (title, watch): (&'static str, &Watch),
    answer: impl Future<Output = T>,
) -> T {
    let mut answer = std::pin::pin!(answer);
    if let Ok(answer) = timeout(PATIENCE, &mut answer).await {
        return answer;
    }
    let cancel = Arc::new(AtomicBool::new(false));
    let mut bar: Option<SearchBar> = None;
    loop {
        if let Some(search) = watch.oldest() {
            if bar.is_none() {
                let Some(token) = session.progress_token("search", &cancel) else { return answer.await };
                bar = Some(SearchBar::new(client.clone(), ProgressToken::String(token), title));
            }
            let (nodes, visited) = search.nodes();
            let words = first_moves_in_words(search.first_moves());
            let message = words.unwrap_or_else(|| format!("{visited} of {nodes} nodes"));
            if let Some(bar) = &mut bar {
                bar.show(message).await;
            }
        }
        if let Ok(answer) = timeout(REPORT_INTERVAL, &mut answer).await {
            return answer;
        }
        if cancel.load(Ordering::Relaxed) {
            watch.stop();
        }
    }
}

/// A progress that the client shows until this is dropped, as it is when the client cancels the command.
struct SearchBar {
    client: Client,
    token: ProgressToken,
    title: &'static str,
    /// Set when the client has accepted the token.
    is_accepted: Arc<AtomicBool>,
    has_begun: bool,
}

impl SearchBar {
    /// Offers the token to the client. The search does not wait for its answer.
    fn new(client: Client, token: ProgressToken, title: &'static str) -> SearchBar {
        let is_accepted = Arc::new(AtomicBool::new(false));
        let (creator, accepted) = (client.clone(), is_accepted.clone());
        let params = WorkDoneProgressCreateParams { token: token.clone() };
        tokio::spawn(async move {
            let created = creator.send_request::<WorkDoneProgressCreate>(params);
            let created = timeout(CLIENT_TIMEOUT, created).await;
            accepted.store(matches!(created, Ok(Ok(()))), Ordering::Relaxed);
        });
        SearchBar { client, token, title, is_accepted, has_begun: false }
    }

    /// Shows how far the searches are. There is no percentage, because the first moves are counted anew for each length and
    /// for each puzzle, and one that falls is not allowed.
    async fn show(&mut self, message: String) {
        if !self.is_accepted.load(Ordering::Relaxed) {
            return;
        }
        let (cancellable, message, percentage) = (Some(true), Some(message), None);
        let said = if self.has_begun {
            WorkDoneProgress::Report(WorkDoneProgressReport { cancellable, message, percentage })
        } else {
            let title = self.title.into();
            WorkDoneProgress::Begin(WorkDoneProgressBegin { title, cancellable, message, percentage })
        };
        self.has_begun = true;
        say(self.client.clone(), self.token.clone(), said).await;
    }
}

impl Drop for SearchBar {
    fn drop(&mut self) {
        if self.has_begun {
            let end = WorkDoneProgress::End(WorkDoneProgressEnd { message: None });
            tokio::spawn(say(self.client.clone(), self.token.clone(), end));
        }
    }
}

async fn say(client: Client, token: ProgressToken, what: WorkDoneProgress) {
    let params = ProgressParams { token, value: ProgressParamsValue::WorkDone(what) };
    client.send_notification::<Progress>(params).await;
}
