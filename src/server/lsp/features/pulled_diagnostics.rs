//! The answers to `textDocument/diagnostic` and `workspace/diagnostic`.

use std::sync::Arc;

use ls_types as lsp;

use crate::lsp::state::key;
use crate::lsp::state::pull::{Known, News, Numbered};

/// The report of a document. `previous` is the result id that the client has.
pub(crate) fn document_report(
    found: Option<Numbered>,
    previous: Option<String>,
) -> lsp::DocumentDiagnosticReportResult {
    let (number, items) = found.unwrap_or_default();
    let report = match previous {
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
    report.into()
}

/// What the client has. A result id that is not ours is replaced by one that no document has.
pub(crate) fn known_results(params: lsp::WorkspaceDiagnosticParams) -> Known {
    let known = |p: lsp::PreviousResultId| {
        (key(p.uri.as_str()), (p.uri.to_string(), p.value.parse().unwrap_or(u64::MAX)))
    };
    params.previous_result_ids.into_iter().map(known).collect()
}

/// The report of what the client does not have.
pub(crate) fn workspace_report(news: Vec<News>) -> lsp::WorkspaceDiagnosticReportResult {
    let report = |news: News| {
        let report = lsp::WorkspaceFullDocumentDiagnosticReport {
            uri: news.uri.parse().ok()?,
            version: news.version.map(i64::from),
            full_document_diagnostic_report: full_report(news.found),
        };
        Some(lsp::WorkspaceDocumentDiagnosticReport::Full(report))
    };
    lsp::WorkspaceDiagnosticReport { items: news.into_iter().filter_map(report).collect() }.into()
}

fn full_report((number, items): Numbered) -> lsp::FullDocumentDiagnosticReport {
    let items = Arc::try_unwrap(items).unwrap_or_else(|shared| Vec::clone(&shared));
    lsp::FullDocumentDiagnosticReport { result_id: Some(number.to_string()), items }
}
