//! `workspace/symbol`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ls_types as lsp;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

use crate::lsp::features::symbols;
use crate::lsp::state::Event;
use crate::server::handlers::backend::{Backend, CancelOnDrop};

/// The placeholder of the symbols that fit a query.
pub(crate) async fn workspace_symbols(
    backend: &Backend,
    params: lsp::WorkspaceSymbolParams,
) -> Result<String> {
    let (reply, answer) = oneshot::channel();
    let (cancel, flag) = CancelOnDrop::new();
    let session = backend.session.clone();
    backend.send(Event::WithAllSnapshots(Box::new(move |snapshots| {
        let run = || {
            let found = symbols::workspace_symbols(&session, &snapshots, &params.query, &flag).ok()?;
            serde_json::to_string(&found).ok()
        };
        let _ = reply.send(catch_unwind(AssertUnwindSafe(run)));
    })));
    let answer = answer.await;
    drop(cancel);
    match answer {
        Ok(Ok(Some(json))) => Ok(backend.answers.keep(json)),
        _ => Err(Error::internal_error()),
    }
}
