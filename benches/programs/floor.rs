//! A language server without findings: it measures the cost of the protocol, the library and the pipes, which
//! `benches/table` subtracts from its figures.

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;
use tower_lsp::{Client, LanguageServer, LspService, Server};

struct Floor(Client);

impl LanguageServer for Floor {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        let sync = TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL);
        let capabilities = ServerCapabilities {
            text_document_sync: Some(sync),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            ..Default::default()
        };
        Ok(InitializeResult { capabilities, ..Default::default() })
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem { uri, version, .. } = params.text_document;
        self.0.publish_diagnostics(uri, Vec::new(), Some(version)).await;
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        self.0.publish_diagnostics(uri, Vec::new(), Some(version)).await;
    }

    async fn hover(&self, _: HoverParams) -> Result<Option<Hover>> {
        Ok(None)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (service, socket) = LspService::new(Floor);
    Server::new(tokio::io::stdin(), tokio::io::stdout(), socket).serve(service).await;
}
