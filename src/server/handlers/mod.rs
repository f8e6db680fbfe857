//! The requests and notifications of the client, one file for each group. The `impl` below is the index: one line a
//! method.
//!
//! Invariant: a handler sends its event to the state's thread before it awaits anything, so the order of the
//! messages is kept. The files import `backend` and `context`; no file of the folder imports this one.

mod action_list;
mod authoring;
mod backend;
mod board;
mod board_edit;
mod code_action;
mod code_lens;
mod command_effect;
mod completion;
mod context;
mod diagnostics;
mod execute_command;
mod explain;
mod finding_actions;
mod formatting;
mod hover;
mod inlay_hints;
mod lifecycle;
pub(crate) mod middleware;
mod navigation;
mod notifications;
mod ranges;
mod repair_actions;
mod semantic_tokens;
mod settings;
mod symbols;

use std::sync::Arc;

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;
use tower_lsp::{ClientSocket, LanguageServer, LspService};

use crate::server::handlers::backend::Backend;
use crate::server::transport::large_texts::TextPlaceholders;
use crate::server::transport::lifecycle::Lifecycle;
use crate::server::transport::log::Log;

/// The service with all methods: those of the protocol, and those that tower-lsp has no handler for.
pub(crate) fn service(
    lifecycle: &Arc<Lifecycle>,
    texts: &TextPlaceholders,
    log: &Log,
) -> (LspService<Backend>, ClientSocket) {
    LspService::build(|client| Backend::new(client, lifecycle.clone(), texts.clone(), log.clone()))
        .custom_method("window/workDoneProgress/cancel", notifications::cancel_progress)
        .custom_method("cpz/board", board::board)
        .custom_method("cpz/square", board::square)
        .custom_method("cpz/edit", board_edit::edit)
        .custom_method("cpz/targets", board_edit::targets)
        .custom_method("cpz/hint", authoring::hint_request)
        .custom_method("cpz/explain", explain::explain)
        .finish()
}

#[rustfmt::skip] // One line a method.
impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> { lifecycle::initialize(self, params).await }
    async fn initialized(&self, _: InitializedParams) { lifecycle::initialized(self).await }
    async fn shutdown(&self) -> Result<()> { lifecycle::shutdown(self).await }

    async fn did_open(&self, params: DidOpenTextDocumentParams) { notifications::did_open(self, params).await }
    async fn did_change(&self, params: DidChangeTextDocumentParams) { notifications::did_change(self, params).await }
    async fn did_save(&self, _: DidSaveTextDocumentParams) { notifications::did_save(self).await }
    async fn did_close(&self, params: DidCloseTextDocumentParams) { notifications::did_close(self, params).await }
    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) { settings::did_change_configuration(self, params).await }
    async fn did_create_files(&self, params: CreateFilesParams) { notifications::did_create_files(self, params).await }
    async fn did_rename_files(&self, params: RenameFilesParams) { notifications::did_rename_files(self, params).await }
    async fn did_delete_files(&self, params: DeleteFilesParams) { notifications::did_delete_files(self, params).await }
    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) { notifications::did_change_watched_files(self, params).await }
    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) { notifications::did_change_workspace_folders(self, params).await }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> { diagnostics::document_diagnostic(self, params).await }
    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> { diagnostics::workspace_diagnostic(self, params).await }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> { hover::hover(self, params).await }
    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> { completion::completion(self, params).await }
    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> { inlay_hints::inlay_hint(self, params).await }
    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> { code_lens::code_lens(self, params).await }
    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> { code_lens::code_lens_resolve(self, lens).await }
    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> { code_action::code_action(self, params).await }
    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> { execute_command::execute_command(self, params).await }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> { formatting::formatting(self, params).await }
    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> { formatting::range_formatting(self, params).await }
    async fn on_type_formatting(&self, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> { formatting::on_type_formatting(self, params).await }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> { semantic_tokens::full(self, params).await }
    async fn semantic_tokens_full_delta(&self, params: SemanticTokensDeltaParams) -> Result<Option<SemanticTokensFullDeltaResult>> { semantic_tokens::full_delta(self, params).await }
    async fn semantic_tokens_range(&self, params: SemanticTokensRangeParams) -> Result<Option<SemanticTokensRangeResult>> { semantic_tokens::range(self, params).await }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> { symbols::document_symbol(self, params).await }
    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> { symbols::workspace_symbol(self, params).await }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> { ranges::folding_range(self, params).await }
    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> { ranges::selection_range(self, params).await }
    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> { ranges::document_link(self, params).await }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> { navigation::goto_definition(self, params).await }
    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> { navigation::references(self, params).await }
    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> { navigation::document_highlight(self, params).await }
    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> { navigation::prepare_rename(self, params).await }
    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> { navigation::rename(self, params).await }
}
