//! `textDocument/diagnostic` and `workspace/diagnostic`, for clients that pull diagnostics.

use std::sync::Arc;

use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::server::handlers::backend::{Backend, CancelOnDrop};
use crate::server::state::pull::{DocumentPull, News, Numbered, WorkspacePull};
use crate::server::state::{Event, key};

pub(crate) async fn document_diagnostic(
    backend: &Backend,
    params: lsp::DocumentDiagnosticParams,
) -> Result<lsp::DocumentDiagnosticReportResult> {
    let (reply, answer) = oneshot::channel();
    let reply = Box::new(move |found| drop(reply.send(found)));
    let uri = params.text_document.uri.as_str().into();
    backend.send(Event::PullDocument(DocumentPull { uri, reply }));
    let Ok(found) = answer.await else { return Err(Error::internal_error()) };
    let (number, items) = found.unwrap_or_default();
    let report = match params.previous_result_id {
        Some(previous) if previous == number.to_string() => {
            let unchanged = lsp::UnchangedDocumentDiagnosticReport { result_id: previous };
            lsp::DocumentDiagnosticReport::Unchanged(lsp::RelatedUnchangedDocumentDiagnosticReport {
                unchanged_document_diagnostic_report: unchanged,
                related_documents: None,
            })
        }
        _ => lsp::DocumentDiagnosticReport::Full(lsp::RelatedFullDocumentDiagnosticReport {
            full_document_diagnostic_report: full_report((number, items)),
            related_documents: None,
        }),
    };
    Ok(report.into())
}

/// Answers when a document has other diagnostics than the client knows.
pub(crate) async fn workspace_diagnostic(
    backend: &Backend,
    params: lsp::WorkspaceDiagnosticParams,
) -> Result<lsp::WorkspaceDiagnosticReportResult> {
    let (reply, answer) = oneshot::channel();
    // A result id that is not ours is replaced by one that no document has.
    let known = params
        .previous_result_ids
        .into_iter()
        .map(|p| (key(p.uri.as_str()), (p.uri.to_string(), p.value.parse().unwrap_or(u64::MAX))));
    let (cancel, flag) = CancelOnDrop::new();
    backend.send(Event::PullWorkspace(WorkspacePull {
        known: known.collect(),
        seen: false,
        cancel: flag,
        reply: Box::new(move |news| drop(reply.send(news))),
    }));
    let answer = answer.await;
    drop(cancel);
    let Ok(news) = answer else { return Err(Error::internal_error()) };
    let report = |news: News| {
        let report = lsp::WorkspaceFullDocumentDiagnosticReport {
            uri: news.uri.parse().ok()?,
            version: news.version.map(i64::from),
            full_document_diagnostic_report: full_report(news.found),
        };
        Some(lsp::WorkspaceDocumentDiagnosticReport::Full(report))
    };
    Ok(lsp::WorkspaceDiagnosticReport { items: news.into_iter().filter_map(report).collect() }.into())
}

fn full_report((number, items): Numbered) -> lsp::FullDocumentDiagnosticReport {
    let items = Arc::try_unwrap(items).unwrap_or_else(|shared| Vec::clone(&shared));
    lsp::FullDocumentDiagnosticReport { result_id: Some(number.to_string()), items }
}
