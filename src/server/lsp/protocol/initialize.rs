//! What `initialize` answers and what is registered after it.

use ls_types as lsp;

use crate::lsp::protocol::client_capabilities::ClientCapabilities;
use crate::lsp::protocol::server_capabilities::server_capabilities;

/// The answer to `initialize`.
pub(crate) fn initialize_result(client: &ClientCapabilities) -> lsp::InitializeResult {
    lsp::InitializeResult {
        capabilities: server_capabilities(client),
        server_info: Some(lsp::ServerInfo {
            name: "cpz".into(),
            version: Some(env!("CARGO_PKG_VERSION").into()),
        }),
        ..Default::default()
    }
}

/// The registration for changes of files, if the client supports it.
pub(crate) fn file_registration(client: &ClientCapabilities) -> Option<lsp::Registration> {
    let watch = |glob: &str| serde_json::json!({ "globPattern": glob });
    client.register_watchers.then(|| lsp::Registration {
        id: "cpz-files".into(),
        method: "workspace/didChangeWatchedFiles".into(),
        register_options: Some(serde_json::json!({ "watchers": [watch("**/*.cpz"), watch("**/cpz.toml")] })),
    })
}

/// The registration for changes of settings, if the client supports it.
pub(crate) fn settings_registration(client: &ClientCapabilities) -> Option<lsp::Registration> {
    client.register_settings.then(|| lsp::Registration {
        id: "cpz-settings".into(),
        method: "workspace/didChangeConfiguration".into(),
        register_options: Some(serde_json::json!({ "section": "cpz" })),
    })
}
