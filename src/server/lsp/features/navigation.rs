//! Definition, references, highlights and rename.

use ls_types as lsp;

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::convert::highlight_kind;
use crate::lsp::protocol::request_error::{RequestError, Result};
use cpz_ide as ide;

/// From the use of a name to the puzzle with that name, and from a duplicate to the other puzzle; and whether
/// the duplicates of the document were known.
pub(crate) fn definition(
    context: &RequestContext<'_>,
    position: lsp::Position,
) -> (Option<lsp::Location>, bool) {
    let tree = context.tree();
    let offset = context.offset(position);
    let duplicate = context.snapshot.duplicate_at(offset);
    let is_final = duplicate.is_some();
    let (place, name) = ide::name_at(tree, offset).unzip();
    let named = name.and_then(|n| ide::references(tree, &n).into_iter().next());
    let named = named.filter(|&span| Some(span) != place);
    let found = duplicate.flatten().or_else(|| named.and_then(|span| context.location(span)));
    (found, is_final)
}

pub(crate) fn references(
    context: &RequestContext<'_>,
    params: &lsp::ReferenceParams,
) -> Option<Vec<lsp::Location>> {
    let tree = context.tree();
    let offset = context.offset(params.text_document_position.position);
    let Some((_, name)) = ide::name_at(tree, offset) else { return Some(Vec::new()) };
    Some(ide::references(tree, &name).into_iter().filter_map(|span| context.location(span)).collect())
}

/// The occurrences, in the same puzzle, of the square or name under the cursor.
pub(crate) fn document_highlight(
    context: &RequestContext<'_>,
    params: &lsp::DocumentHighlightParams,
) -> Option<Vec<lsp::DocumentHighlight>> {
    let position = params.text_document_position_params.position;
    let context = context.for_position(position);
    let highlight = |(span, is_definition)| lsp::DocumentHighlight {
        range: context.range(span),
        kind: Some(highlight_kind(is_definition)),
    };
    Some(ide::highlights(context.tree(), context.offset(position)).into_iter().map(highlight).collect())
}

pub(crate) fn prepare_rename(
    context: &RequestContext<'_>,
    params: &lsp::TextDocumentPositionParams,
) -> Option<lsp::PrepareRenameResponse> {
    let (span, placeholder) = ide::name_at(context.tree(), context.offset(params.position))?;
    Some(lsp::PrepareRenameResponse::RangeWithPlaceholder { range: context.range(span), placeholder })
}

/// Renames the puzzle under the cursor and every use of its name in the file.
///
/// # Errors
/// There is no name here, or the new one cannot be written.
pub(crate) fn rename(
    context: &RequestContext<'_>,
    params: &lsp::RenameParams,
) -> Result<Option<lsp::WorkspaceEdit>> {
    let (tree, offset) = (context.tree(), context.offset(params.text_document_position.position));
    let Some((_, name)) = ide::name_at(tree, offset) else {
        return Err(RequestError::invalid_params("there is no name here"));
    };
    let edits = ide::rename(tree, &name, offset, &params.new_name).map_err(RequestError::invalid_params)?;
    Ok(Some(context.workspace_edit(&edits)))
}
