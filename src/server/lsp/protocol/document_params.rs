//! The document that the parameters of a request name.

use ls_types::*;

use crate::lsp::protocol::board_ext::{BoardParams, EditParams, HintParams, SquareParams};
use crate::lsp::protocol::exchange_ext::{CaptionsParams, ExportParams};

/// Parameters about one document.
pub(crate) trait DocumentParams {
    /// The URI of the document.
    fn uri(&self) -> &str;
}

macro_rules! document_params {
    ($($params:ty: $($field:ident).+;)+) => {
        $(impl DocumentParams for $params {
            fn uri(&self) -> &str {
                self.$($field).+.uri.as_str()
            }
        })+
    };
}

document_params! {
    HoverParams: text_document_position_params.text_document;
    CompletionParams: text_document_position.text_document;
    InlayHintParams: text_document;
    CodeLensParams: text_document;
    CodeActionParams: text_document;
    DocumentFormattingParams: text_document;
    DocumentRangeFormattingParams: text_document;
    DocumentOnTypeFormattingParams: text_document_position.text_document;
    SemanticTokensParams: text_document;
    SemanticTokensDeltaParams: text_document;
    SemanticTokensRangeParams: text_document;
    DocumentSymbolParams: text_document;
    FoldingRangeParams: text_document;
    SelectionRangeParams: text_document;
    DocumentLinkParams: text_document;
    GotoDefinitionParams: text_document_position_params.text_document;
    ReferenceParams: text_document_position.text_document;
    DocumentHighlightParams: text_document_position_params.text_document;
    TextDocumentPositionParams: text_document;
    RenameParams: text_document_position.text_document;
    BoardParams: text_document;
    SquareParams: text_document;
    EditParams: text_document;
    HintParams: text_document;
    ExportParams: text_document;
    CaptionsParams: text_document;
}
