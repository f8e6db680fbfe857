//! `textDocument/foldingRange`, `…/selectionRange` and `…/documentLink`.

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::ide;
use crate::server::handlers::backend::Backend;
use crate::server::handlers::context::RequestContext;
use crate::server::protocol::convert::folding_kind;

/// The most folds or links of one answer: these requests have no range.
const MAX_RANGES: usize = 5000;

pub(crate) async fn folding_range(
    backend: &Backend,
    params: lsp::FoldingRangeParams,
) -> Result<Option<Vec<lsp::FoldingRange>>> {
    let job = |context: &RequestContext<'_>| {
        context.collect_windows(MAX_RANGES, |window, missing| {
            let fold = |(span, kind)| {
                let range = window.range(span);
                lsp::FoldingRange {
                    start_line: range.start.line,
                    end_line: range.end.line,
                    kind: folding_kind(kind),
                    ..Default::default()
                }
            };
            ide::folds(window.tree(), missing).into_iter().map(fold).collect()
        })
    };
    backend.run(params.text_document.uri.as_str(), job).await
}

pub(crate) async fn selection_range(
    backend: &Backend,
    params: lsp::SelectionRangeParams,
) -> Result<Option<Vec<lsp::SelectionRange>>> {
    let job = move |context: &RequestContext<'_>| {
        params.positions.iter().map(|&position| selection(context, position)).collect()
    };
    backend.run(params.text_document.uri.as_str(), job).await
}

/// The nested ranges around a position.
fn selection(context: &RequestContext<'_>, position: lsp::Position) -> lsp::SelectionRange {
    let spans = ide::selection(context.tree(), context.offset(position));
    let innermost = spans.iter().rev().fold(None, |parent, &span| {
        Some(lsp::SelectionRange { range: context.range(span), parent: parent.map(Box::new) })
    });
    let here = lsp::Range { start: position, end: position };
    innermost.unwrap_or(lsp::SelectionRange { range: here, parent: None })
}

pub(crate) async fn document_link(
    backend: &Backend,
    params: lsp::DocumentLinkParams,
) -> Result<Option<Vec<lsp::DocumentLink>>> {
    let job = |context: &RequestContext<'_>| {
        context.collect_windows(MAX_RANGES, |window, missing| {
            let link = |(span, url): (_, String)| {
                Some(lsp::DocumentLink {
                    range: window.range(span),
                    target: Some(url.parse().ok()?),
                    tooltip: None,
                    data: None,
                })
            };
            ide::links(window.tree()).into_iter().filter_map(link).take(missing).collect()
        })
    };
    backend.run(params.text_document.uri.as_str(), job).await
}
