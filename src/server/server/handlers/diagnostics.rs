//! `textDocument/diagnostic` and `workspace/diagnostic`, for clients that pull diagnostics.

use ls_types as lsp;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

use crate::lsp::features::pulled_diagnostics::{document_report, known_results, workspace_report};
use crate::lsp::state::Event;
use crate::lsp::state::pull::{DocumentPull, WorkspacePull};
use crate::server::handlers::backend::{Backend, CancelOnDrop};

pub(crate) async fn document_diagnostic(
    backend: &Backend,
    params: lsp::DocumentDiagnosticParams,
) -> Result<lsp::DocumentDiagnosticReportResult> {
    let (reply, answer) = oneshot::channel();
    let reply = Box::new(move |found| drop(reply.send(found)));
    let uri = params.text_document.uri.as_str().into();
    backend.send(Event::PullDocument(DocumentPull { uri, reply }));
    let Ok(found) = answer.await else { return Err(Error::internal_error()) };
    Ok(document_report(found, params.previous_result_id))
}

/// Answers when a document has other diagnostics than the client knows.
pub(crate) async fn workspace_diagnostic(
    backend: &Backend,
    params: lsp::WorkspaceDiagnosticParams,
) -> Result<lsp::WorkspaceDiagnosticReportResult> {
    let (reply, answer) = oneshot::channel();
    let (cancel, flag) = CancelOnDrop::new();
    backend.send(Event::PullWorkspace(WorkspacePull {
        known: known_results(params),
        seen: false,
        cancel: flag,
        reply: Box::new(move |news| drop(reply.send(news))),
    }));
    let answer = answer.await;
    drop(cancel);
    let Ok(news) = answer else { return Err(Error::internal_error()) };
    Ok(workspace_report(news))
}
