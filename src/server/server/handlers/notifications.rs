//! Notifications of the client about documents, files and folders: each becomes an event for the state's thread.

use std::time::Duration;

use ls_types as lsp;

use crate::lsp::protocol::repair::escape;
use crate::lsp::state::Event;
use crate::server::handlers::backend::Backend;
use crate::server::handlers::lifecycle::folder_paths;

/// The time between `didClose` and the next read of the file from the disk.
const REREAD_DELAY: Duration = Duration::from_millis(200);

pub(crate) async fn did_open(backend: &Backend, params: lsp::DidOpenTextDocumentParams) {
    let lsp::TextDocumentItem { uri, version, text, .. } = params.text_document;
    let text = backend.texts.put_back(&text);
    // The versions of a document that is opened again may begin anew.
    *backend.sent_edit.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    backend.send(Event::DidOpen { uri: uri.as_str().into(), version, text });
}

pub(crate) async fn did_change(backend: &Backend, params: lsp::DidChangeTextDocumentParams) {
    let lsp::VersionedTextDocumentIdentifier { uri, version } = params.text_document;
    backend.send(Event::DidChange { uri: uri.as_str().into(), version, changes: params.content_changes });
}

pub(crate) async fn did_save(backend: &Backend) {
    backend.send(Event::DidSave);
}

pub(crate) async fn did_close(backend: &Backend, params: lsp::DidCloseTextDocumentParams) {
    let uri: String = params.text_document.uri.as_str().into();
    backend.send(Event::DidClose(uri.clone()));
    if backend.session.client_capabilities().pulls {
        // A document closed without being saved has the text of its file again. A client that pulls diagnostics
        // has removed those of the document, and pulls again.
        let events = backend.events.clone();
        tokio::spawn(async move {
            tokio::time::sleep(REREAD_DELAY).await;
            let _ = events.send(Event::FilesChanged(vec![escape(&uri)]));
        });
    }
}

pub(crate) async fn did_create_files(backend: &Backend, params: lsp::CreateFilesParams) {
    files_changed(backend, params.files.into_iter().map(|f| f.uri));
}

pub(crate) async fn did_rename_files(backend: &Backend, params: lsp::RenameFilesParams) {
    files_changed(backend, params.files.into_iter().flat_map(|f| [f.old_uri, f.new_uri]));
}

pub(crate) async fn did_delete_files(backend: &Backend, params: lsp::DeleteFilesParams) {
    files_changed(backend, params.files.into_iter().map(|f| f.uri));
}

pub(crate) async fn did_change_watched_files(backend: &Backend, params: lsp::DidChangeWatchedFilesParams) {
    files_changed(backend, params.changes.into_iter().map(|c| c.uri.as_str().into()));
}

fn files_changed(backend: &Backend, uris: impl Iterator<Item = String>) {
    backend.send(Event::FilesChanged(uris.map(|uri| escape(&uri)).collect()));
}

pub(crate) async fn did_change_workspace_folders(
    backend: &Backend,
    params: lsp::DidChangeWorkspaceFoldersParams,
) {
    let (added, removed) = (folder_paths(params.event.added), folder_paths(params.event.removed));
    backend.send(Event::FoldersChanged { added, removed });
}

/// `window/workDoneProgress/cancel`
pub(crate) async fn cancel_progress(backend: &Backend, params: lsp::WorkDoneProgressCancelParams) {
    if let lsp::ProgressToken::String(token) = params.token {
        backend.session.cancel(&token);
    }
}
