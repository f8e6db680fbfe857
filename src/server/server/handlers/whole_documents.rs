//! The requests about whole documents and the workspace, whose answers may be large: one function a method.

use ls_types::*;
use tower_lsp::jsonrpc::Result;

use crate::lsp::features::{
    code_lens, formatting, inlay_hints, navigation, ranges, semantic_tokens, symbols,
};
use crate::server::handlers::backend::Backend;
use crate::server::handlers::symbols::workspace_symbols;

/// Their methods, and the names under which they have their handlers: those of tower-lsp cannot answer with a placeholder.
pub(crate) const METHODS: [(&str, &str); 11] = [
    ("textDocument/codeLens", "cpz/whole/codeLens"),
    ("textDocument/formatting", "cpz/whole/formatting"),
    ("textDocument/semanticTokens/full", "cpz/whole/semanticTokens"),
    ("textDocument/semanticTokens/full/delta", "cpz/whole/semanticTokensDelta"),
    ("textDocument/documentSymbol", "cpz/whole/documentSymbol"),
    ("textDocument/foldingRange", "cpz/whole/foldingRange"),
    ("textDocument/documentLink", "cpz/whole/documentLink"),
    ("textDocument/inlayHint", "cpz/whole/inlayHint"),
    ("textDocument/references", "cpz/whole/references"),
    ("textDocument/semanticTokens/range", "cpz/whole/semanticTokensRange"),
    ("workspace/symbol", "cpz/whole/workspaceSymbol"),
];

/// The placeholder of an answer.
type Placeholder = Result<Option<String>>;

pub(super) async fn code_lens(backend: &Backend, params: CodeLensParams) -> Placeholder {
    backend.answer_large(params, code_lens::code_lens).await
}

pub(super) async fn formatting(backend: &Backend, params: DocumentFormattingParams) -> Placeholder {
    backend.answer_large(params, formatting::formatting).await
}

pub(super) async fn semantic_tokens(backend: &Backend, params: SemanticTokensParams) -> Placeholder {
    backend.answer_large(params, semantic_tokens::full).await
}

pub(super) async fn semantic_tokens_delta(
    backend: &Backend,
    params: SemanticTokensDeltaParams,
) -> Placeholder {
    backend.answer_large(params, semantic_tokens::full_delta).await
}

pub(super) async fn document_symbol(backend: &Backend, params: DocumentSymbolParams) -> Placeholder {
    backend.answer_large(params, symbols::document_symbol).await
}

pub(super) async fn folding_range(backend: &Backend, params: FoldingRangeParams) -> Placeholder {
    backend.answer_large(params, ranges::folding_range).await
}

pub(super) async fn document_link(backend: &Backend, params: DocumentLinkParams) -> Placeholder {
    backend.answer_large(params, ranges::document_link).await
}

pub(super) async fn inlay_hint(backend: &Backend, params: InlayHintParams) -> Placeholder {
    backend.answer_large(params, inlay_hints::inlay_hint).await
}

pub(super) async fn references(backend: &Backend, params: ReferenceParams) -> Placeholder {
    backend.answer_large(params, navigation::references).await
}

pub(super) async fn semantic_tokens_range(
    backend: &Backend,
    params: SemanticTokensRangeParams,
) -> Placeholder {
    backend.answer_large(params, semantic_tokens::range).await
}

pub(super) async fn workspace_symbol(backend: &Backend, params: WorkspaceSymbolParams) -> Placeholder {
    workspace_symbols(backend, params).await.map(Some)
}
