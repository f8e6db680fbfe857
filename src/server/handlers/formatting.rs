//! `textDocument/formatting`, `…/rangeFormatting` and `…/onTypeFormatting`.

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::ide;
use crate::server::handlers::backend::Backend;

pub(crate) async fn formatting(
    backend: &Backend,
    params: lsp::DocumentFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    backend
        .run(params.text_document.uri.as_str(), |context| context.edits(&ide::format_edits(context.tree())))
        .await
}

pub(crate) async fn range_formatting(
    backend: &Backend,
    params: lsp::DocumentRangeFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    let range = params.range;
    backend
        .run(params.text_document.uri.as_str(), move |context| {
            context.edits(&ide::format_range(context.tree(), context.span(range)))
        })
        .await
}

pub(crate) async fn on_type_formatting(
    backend: &Backend,
    params: lsp::DocumentOnTypeFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position;
    backend
        .run(text_document.uri.as_str(), move |context| {
            let context = context.for_position(position);
            let Some(typed) = params.ch.chars().next() else { return Vec::new() };
            context.edits(&ide::on_type(context.tree(), context.offset(position), typed))
        })
        .await
}
