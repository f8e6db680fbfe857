//! `textDocument/formatting`, `…/rangeFormatting` and `…/onTypeFormatting`.

use ls_types as lsp;

use crate::lsp::features::context::RequestContext;
use cpz_ide as ide;

pub(crate) fn formatting(
    context: &RequestContext<'_>,
    _: &lsp::DocumentFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    Some(context.edits(&ide::format_edits(context.tree())))
}

pub(crate) fn range_formatting(
    context: &RequestContext<'_>,
    params: &lsp::DocumentRangeFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    Some(context.edits(&ide::format_range(context.tree(), context.span(params.range))))
}

pub(crate) fn on_type_formatting(
    context: &RequestContext<'_>,
    params: &lsp::DocumentOnTypeFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    let position = params.text_document_position.position;
    let context = context.for_position(position);
    let Some(typed) = params.ch.chars().next() else { return Some(Vec::new()) };
    Some(context.edits(&ide::on_type(context.tree(), context.offset(position), typed)))
}
