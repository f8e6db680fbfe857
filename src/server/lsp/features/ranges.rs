//! `textDocument/foldingRange`, `…/selectionRange` and `…/documentLink`.

use ls_types as lsp;

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::convert::folding_kind;
use cpz_ide as ide;

/// The most folds or links of one answer: these requests have no range.
const MAX_RANGES: usize = 5000;

pub(crate) fn folding_range(
    context: &RequestContext<'_>,
    _: &lsp::FoldingRangeParams,
) -> Option<Vec<lsp::FoldingRange>> {
    Some(context.collect_windows(MAX_RANGES, |window, missing| {
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
    }))
}

pub(crate) fn selection_range(
    context: &RequestContext<'_>,
    params: &lsp::SelectionRangeParams,
) -> Option<Vec<lsp::SelectionRange>> {
    Some(params.positions.iter().map(|&position| selection(context, position)).collect())
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

pub(crate) fn document_link(
    context: &RequestContext<'_>,
    _: &lsp::DocumentLinkParams,
) -> Option<Vec<lsp::DocumentLink>> {
    Some(context.collect_windows(MAX_RANGES, |window, missing| {
        let link = |(span, url): (_, String)| {
            Some(lsp::DocumentLink {
                range: window.range(span),
                target: Some(url.parse().ok()?),
                tooltip: None,
                data: None,
            })
        };
        ide::links(window.tree()).into_iter().filter_map(link).take(missing).collect()
    }))
}
