//! The requests and notifications of the client, one file for each group. The `impl` below is the index: one line a
//! method.
//!
//! Invariant: a handler sends its event to the state's thread before it awaits anything, so the order of the
//! messages is kept. The files import `backend` and `context`; no file of the folder imports this one.

mod backend;
mod diagnostics;
mod execute_command;
mod lifecycle;
pub(crate) mod middleware;
mod navigation;
mod notifications;
mod settings;
mod symbols;
mod whole_documents;

use std::sync::Arc;

use ls_types::*;
use tower_lsp::jsonrpc::Result;
use tower_lsp::{ClientSocket, LanguageServer, LspService};

use crate::lsp::features::code_lens::UnresolvedLens;
use crate::lsp::features::context::RequestContext;
use crate::lsp::features::execute_command::SOLVING;
use crate::lsp::features::explain::{ExplainParams, Explanation};
use crate::lsp::features::{
    authoring, board, board_edit, code_action, code_lens, completion, exchange, explain, formatting, hover,
    navigation as places, ranges,
};
use crate::lsp::protocol::board_ext::{
    BoardParams, BoardView, EditParams, EditResult, HintParams, HintResult, SquareParams, TargetsResult,
};
use crate::lsp::protocol::exchange_ext::{
    CaptionsParams, Exchanged, ExportParams, ImportParams, PrintedCaptions,
};
use crate::lsp::protocol::request_error::RequestError;
use crate::server::handlers::backend::Backend;
use crate::server::handlers::whole_documents::{self as whole, METHODS};
use crate::server::transport::large_answers::LargeAnswers;
use crate::server::transport::large_texts::TextPlaceholders;
use crate::server::transport::lifecycle::Lifecycle;
use crate::server::transport::log::Log;

/// The service with all methods: those of the protocol, and those that tower-lsp has no handler for.
pub(crate) fn service(
    lifecycle: &Arc<Lifecycle>,
    texts: &TextPlaceholders,
    answers: &LargeAnswers,
    log: &Log,
) -> (LspService<Backend>, ClientSocket) {
    let backend =
        |client| Backend::new(client, lifecycle.clone(), texts.clone(), answers.clone(), log.clone());
    LspService::build(backend)
        .custom_method("window/workDoneProgress/cancel", notifications::cancel_progress)
        .custom_method("cpz/board", board)
        .custom_method("cpz/square", square)
        .custom_method("cpz/edit", edit)
        .custom_method("cpz/targets", targets)
        .custom_method("cpz/hint", hint)
        .custom_method("cpz/import", import)
        .custom_method("cpz/export", export)
        .custom_method("cpz/captions", captions)
        .custom_method("cpz/explain", explain)
        .custom_method(METHODS[0].1, whole::code_lens)
        .custom_method(METHODS[1].1, whole::formatting)
        .custom_method(METHODS[2].1, whole::semantic_tokens)
        .custom_method(METHODS[3].1, whole::semantic_tokens_delta)
        .custom_method(METHODS[4].1, whole::document_symbol)
        .custom_method(METHODS[5].1, whole::folding_range)
        .custom_method(METHODS[6].1, whole::document_link)
        .custom_method(METHODS[7].1, whole::inlay_hint)
        .custom_method(METHODS[8].1, whole::references)
        .custom_method(METHODS[9].1, whole::semantic_tokens_range)
        .custom_method(METHODS[10].1, whole::workspace_symbol)
        .finish()
}

async fn board(backend: &Backend, params: BoardParams) -> Result<Option<BoardView>> {
    match params.wait {
        true => {
            backend.answer_shown(SOLVING, params, |context, params| Ok(board::board(context, params))).await
        }
        false => backend.answer(params, board::board).await,
    }
}

async fn square(backend: &Backend, params: SquareParams) -> Result<Option<Range>> {
    backend.answer(params, board::square).await
}

async fn edit(backend: &Backend, params: EditParams) -> Result<Option<EditResult>> {
    backend.try_answer(params, board_edit::edit).await
}

async fn targets(backend: &Backend, params: SquareParams) -> Result<Option<TargetsResult>> {
    backend.answer(params, board_edit::targets).await
}

async fn hint(backend: &Backend, params: HintParams) -> Result<Option<HintResult>> {
    let hint =
        |context: &RequestContext<'_>, params: &HintParams| Ok(authoring::hint_request(context, params));
    backend.answer_shown(SOLVING, params, hint).await
}

/// On a thread of its own: a long file must not hold up other requests.
async fn import(_: &Backend, params: ImportParams) -> Result<Exchanged> {
    let read = tokio::task::spawn_blocking(move || exchange::import(&params)).await;
    Ok(read.unwrap_or_else(|_| Err(RequestError::internal()))?)
}

async fn export(backend: &Backend, params: ExportParams) -> Result<Option<Exchanged>> {
    backend.answer_shown(SOLVING, params, exchange::export).await
}

async fn captions(backend: &Backend, params: CaptionsParams) -> Result<Option<Vec<PrintedCaptions>>> {
    backend.answer(params, exchange::captions).await
}

async fn explain(_: &Backend, params: ExplainParams) -> Result<Explanation> {
    Ok(explain::explain(&params)?)
}

async fn resolve(backend: &Backend, lens: CodeLens) -> Result<CodeLens> {
    let unresolved = UnresolvedLens::of(lens.clone())?;
    Ok(backend.answer(unresolved, code_lens::code_lens_resolve).await?.unwrap_or(lens))
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

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> { self.answer(params, hover::hover).await }
    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> { self.answer(params, completion::completion).await }
    async fn code_lens_resolve(&self, lens: CodeLens) -> Result<CodeLens> { resolve(self, lens).await }
    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> { self.answer(params, code_action::code_action).await }
    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> { execute_command::execute_command(self, params).await }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> { self.answer(params, formatting::range_formatting).await }
    async fn on_type_formatting(&self, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> { self.answer(params, formatting::on_type_formatting).await }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> { self.answer(params, ranges::selection_range).await }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> { navigation::goto_definition(self, params).await }
    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> { self.answer(params, places::document_highlight).await }
    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> { self.answer(params, places::prepare_rename).await }
    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> { self.try_answer(params, places::rename).await }
}
