//! `initialize`, `initialized` and `shutdown`.

use std::future::Future;
use std::path::PathBuf;
use std::time::Duration;

use ls_types as lsp;
use tokio::sync::mpsc::unbounded_channel;
use tower_lsp::jsonrpc::Result;

use crate::lsp::protocol::initialize::{file_registration, initialize_result, settings_registration};
use crate::lsp::protocol::uris;
use crate::lsp::state::Event;
use crate::lsp::state::diagnostics_mode::DiagnosticsMode;
use crate::server::handlers::backend::{Backend, CLIENT_TIMEOUT};
use crate::server::handlers::settings::{apply_settings, fetch_settings};
use crate::server::progress;

/// The time that a client which pulls diagnostics has to pull those of the workspace. Some clients never do.
const WORKSPACE_PULL_GRACE: Duration = Duration::from_secs(2);
/// The time between two checks of the configuration files, for a client that does not watch files.
const CONFIG_POLL_INTERVAL: Duration = Duration::from_secs(1);

pub(crate) async fn initialize(
    backend: &Backend,
    params: lsp::InitializeParams,
) -> Result<lsp::InitializeResult> {
    let client = backend.session.set_client_capabilities(&serde_json::json!(params));
    backend.send(Event::Initialized(DiagnosticsMode::negotiated(&client)));
    if client.progress {
        show_progress(backend);
    }
    let _ = backend.first_settings.set(params.initialization_options.unwrap_or_default());
    if let Some(client) = params.process_id {
        backend.lifecycle.watch(client);
    }
    #[allow(deprecated)] // Old clients send no `workspaceFolders`.
    let root = params.root_uri.and_then(|u| uris::path_of(&u));
    let folders = params.workspace_folders.filter(|f| !f.is_empty()).map(folder_paths);
    let _ = backend.folders.set(folders.unwrap_or_else(|| root.into_iter().collect()));
    Ok(initialize_result(&client))
}

pub(crate) async fn initialized(backend: &Backend) {
    let client = backend.session.client_capabilities();
    refresh_on_change(backend);
    if client.pulls {
        let events = backend.events.clone();
        tokio::spawn(async move {
            tokio::time::sleep(WORKSPACE_PULL_GRACE).await;
            let _ = events.send(Event::WorkspacePullOverdue);
        });
    }
    // The server may not send a warning about the settings before `initialized`.
    if let Some(settings) = backend.first_settings.get() {
        apply_settings(settings.get("cpz").unwrap_or(settings), backend);
    }
    if !client.register_watchers {
        poll_configs(backend);
    }
    register(backend);
    fetch_settings(backend);
    let added = backend.folders.get().cloned().unwrap_or_default();
    backend.send(Event::FoldersChanged { added, removed: Vec::new() });
}

pub(crate) async fn shutdown(backend: &Backend) -> Result<()> {
    backend.send(Event::Shutdown);
    Ok(())
}

pub(crate) fn folder_paths(folders: Vec<lsp::WorkspaceFolder>) -> Vec<PathBuf> {
    folders.iter().filter_map(|f| uris::path_of(&f.uri)).collect()
}

/// Shows every progress task of the session to the client.
fn show_progress(backend: &Backend) {
    let (sender, mut tasks) = unbounded_channel();
    let _ = backend.threads.works.set(sender);
    let client = backend.client.clone();
    tokio::spawn(async move {
        while let Some(task) = tasks.recv().await {
            tokio::spawn(progress::show(client.clone(), task));
        }
    });
}

/// Asks the client to request hints, lenses and diagnostics again when their answers have changed.
fn refresh_on_change(backend: &Backend) {
    let client = backend.session.client_capabilities();
    if client.refresh_hints {
        let (client, threads) = (backend.client.clone(), backend.threads.clone());
        tokio::spawn(async move {
            loop {
                threads.refresh_hints.notified().await;
                with_timeout(client.inlay_hint_refresh()).await;
            }
        });
    }
    if client.refresh_lenses {
        let (client, threads) = (backend.client.clone(), backend.threads.clone());
        tokio::spawn(async move {
            loop {
                threads.refresh_lenses.notified().await;
                with_timeout(client.code_lens_refresh()).await;
            }
        });
    }
    if client.pulls {
        let (client, threads) = (backend.client.clone(), backend.threads.clone());
        tokio::spawn(async move {
            loop {
                threads.refresh_diagnostics.notified().await;
                with_timeout(client.workspace_diagnostic_refresh()).await;
            }
        });
    }
}

/// Waits for the client's answer, which does not matter, and no longer than the timeout.
async fn with_timeout(request: impl Future) {
    let _ = tokio::time::timeout(CLIENT_TIMEOUT, request).await;
}

/// Checks the configuration files again and again, because the client reports no change of them.
fn poll_configs(backend: &Backend) {
    let events = backend.events.clone();
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(CONFIG_POLL_INTERVAL).await;
            if events.send(Event::PollConfigs).is_err() {
                return;
            }
        }
    });
}

/// Registers for changes of files and settings.
fn register(backend: &Backend) {
    let client = backend.session.client_capabilities();
    let registrations: Vec<_> =
        file_registration(&client).into_iter().chain(settings_registration(&client)).collect();
    if !registrations.is_empty() {
        let client = backend.client.clone();
        tokio::spawn(async move { with_timeout(client.register_capability(registrations)).await });
    }
}
