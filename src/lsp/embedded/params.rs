//! Parameters of requests. Those that flatten others into themselves are read field by field, without the tokens for progress,
//! which an embedded server does not report: what serde derives for them takes ten times the code.

use ls_types as lsp;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::lsp::protocol::request_error::{RequestError, Result};

/// The parameters of a request.
///
/// # Errors
/// They lack something, or have something else in its place.
pub(super) fn read<P: DeserializeOwned>(params: Value) -> Result<P> {
    serde_json::from_value(params).map_err(|error| RequestError::invalid_params(error.to_string()))
}

/// Parameters that only name a document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    text_document: lsp::TextDocumentIdentifier,
}

/// Reads parameters that only name a document or a position in one.
macro_rules! reads {
    ($($name:ident -> $params:ident { $field:ident $(, $other:ident)* } = $read:expr;)*) => {$(
        /// # Errors
        /// Those of [`read`].
        pub(super) fn $name(params: Value) -> Result<lsp::$params> {
            Ok(lsp::$params { $field: $read(params)?, $($other: Default::default()),* })
        }
    )*};
}

fn document(params: Value) -> Result<lsp::TextDocumentIdentifier> {
    Ok(read::<Document>(params)?.text_document)
}

reads! {
    hover -> HoverParams { text_document_position_params, work_done_progress_params } = read;
    definition -> GotoDefinitionParams {
        text_document_position_params, work_done_progress_params, partial_result_params
    } = read;
    highlight -> DocumentHighlightParams {
        text_document_position_params, work_done_progress_params, partial_result_params
    } = read;
    code_lens -> CodeLensParams { text_document, work_done_progress_params, partial_result_params } = document;
    tokens -> SemanticTokensParams { text_document, work_done_progress_params, partial_result_params } = document;
    symbols -> DocumentSymbolParams { text_document, work_done_progress_params, partial_result_params } = document;
    folding -> FoldingRangeParams { text_document, work_done_progress_params, partial_result_params } = document;
    links -> DocumentLinkParams { text_document, work_done_progress_params, partial_result_params } = document;
}
