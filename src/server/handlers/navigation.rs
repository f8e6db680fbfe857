//! Definition, references, highlights and rename.

use std::time::Duration;

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::ide;
use crate::server::handlers::backend::Backend;
use crate::server::handlers::context::RequestContext;
use crate::server::protocol::convert::highlight_kind;

/// How often `definition` asks whether the duplicates of a document are known. The waits between are 0, 1, 2 …
/// milliseconds: half a second in all.
const MAX_DEFINITION_ATTEMPTS: u64 = 32;

pub(crate) async fn goto_definition(
    backend: &Backend,
    params: lsp::GotoDefinitionParams,
) -> Result<Option<lsp::GotoDefinitionResponse>> {
    let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    let ask = || backend.run(text_document.uri.as_str(), move |context| definition(context, position));
    let (mut found, mut is_final) = ask().await?.unwrap_or_default();
    for wait in 0..MAX_DEFINITION_ATTEMPTS {
        if is_final {
            break;
        }
        // The duplicates are known when the diagnostics of the document are published, which happens soon.
        tokio::time::sleep(Duration::from_millis(wait)).await;
        (found, is_final) = ask().await?.unwrap_or_default();
    }
    Ok(found.map(lsp::GotoDefinitionResponse::Scalar))
}

/// From the use of a name to the puzzle with that name, and from a duplicate to the other puzzle; and whether
/// the duplicates of the document were known.
fn definition(context: &RequestContext<'_>, position: lsp::Position) -> (Option<lsp::Location>, bool) {
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

pub(crate) async fn references(
    backend: &Backend,
    params: lsp::ReferenceParams,
) -> Result<Option<Vec<lsp::Location>>> {
    let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let job = move |context: &RequestContext<'_>| {
        let tree = context.tree();
        let Some((_, name)) = ide::name_at(tree, context.offset(position)) else { return Vec::new() };
        ide::references(tree, &name).into_iter().filter_map(|span| context.location(span)).collect()
    };
    backend.run(text_document.uri.as_str(), job).await
}

/// The occurrences, in the same puzzle, of the square or name under the cursor.
pub(crate) async fn document_highlight(
    backend: &Backend,
    params: lsp::DocumentHighlightParams,
) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
    let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    let job = move |context: &RequestContext<'_>| {
        let context = context.for_position(position);
        let highlights = ide::highlights(context.tree(), context.offset(position)).into_iter();
        highlights
            .map(|(span, is_definition)| lsp::DocumentHighlight {
                range: context.range(span),
                kind: Some(highlight_kind(is_definition)),
            })
            .collect()
    };
    backend.run(text_document.uri.as_str(), job).await
}

pub(crate) async fn prepare_rename(
    backend: &Backend,
    params: lsp::TextDocumentPositionParams,
) -> Result<Option<lsp::PrepareRenameResponse>> {
    let position = params.position;
    let job = move |context: &RequestContext<'_>| {
        let (span, placeholder) = ide::name_at(context.tree(), context.offset(position))?;
        Some(lsp::PrepareRenameResponse::RangeWithPlaceholder { range: context.range(span), placeholder })
    };
    Ok(backend.run(params.text_document.uri.as_str(), job).await?.flatten())
}

/// Renames the puzzle under the cursor and every use of its name in the file.
pub(crate) async fn rename(
    backend: &Backend,
    params: lsp::RenameParams,
) -> Result<Option<lsp::WorkspaceEdit>> {
    let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let new_name = params.new_name;
    let job = move |context: &RequestContext<'_>| {
        let failed = |why: String| Error { message: why.into(), ..Error::invalid_params("") };
        let (tree, offset) = (context.tree(), context.offset(position));
        let Some((_, name)) = ide::name_at(tree, offset) else {
            return Err(failed("there is no name here".into()));
        };
        let edits = ide::rename(tree, &name, offset, &new_name).map_err(failed)?;
        Ok(context.workspace_edit(&edits))
    };
    backend.run(text_document.uri.as_str(), job).await?.transpose()
}
