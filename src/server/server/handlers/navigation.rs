//! `textDocument/definition`.

use std::time::Duration;

use ls_types as lsp;
use tower_lsp::jsonrpc::Result;

use crate::lsp::features::navigation::definition;
use crate::server::handlers::backend::Backend;

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
