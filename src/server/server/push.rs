//! Sends the queue of diagnostics and warnings to the client.

use std::sync::Arc;

use ls_types::MessageType;
use ls_types::notification::Notification;
use tower_lsp::Client;

use crate::lsp::session::Session;
use crate::lsp::session::outbox::{Publish, SentHashes};
use crate::server::threads::Threads;

/// `textDocument/publishDiagnostics` with a string as URI: the library would normalise the client's spelling.
enum PublishDiagnostics {}

impl Notification for PublishDiagnostics {
    type Params = Publish;
    const METHOD: &'static str = "textDocument/publishDiagnostics";
}

/// Sends the queue, one message at a time, as fast as the client reads. Never returns.
pub(crate) async fn send_outbox(session: Arc<Session>, threads: Arc<Threads>, client: Client) {
    let mut sent = SentHashes::default();
    loop {
        threads.outbox_filled.notified().await;
        while let Some(notice) = session.outbox.take_notice() {
            client.show_message(MessageType::WARNING, notice).await;
        }
        while let Some(publish) = session.outbox.take() {
            if sent.is_news(&publish) {
                client.send_notification::<PublishDiagnostics>(publish).await;
            }
        }
    }
}
