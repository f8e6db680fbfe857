//! `workspace/symbol`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ls_types as lsp;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::{Error, Result};

use crate::lsp::features::symbols::workspace_symbols;
use crate::lsp::state::Event;
use crate::server::handlers::backend::{Backend, CancelOnDrop};

pub(crate) async fn workspace_symbol(
    backend: &Backend,
    params: lsp::WorkspaceSymbolParams,
) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
    let (reply, answer) = oneshot::channel();
    let (cancel, flag) = CancelOnDrop::new();
    let session = backend.session.clone();
    backend.send(Event::WithAllSnapshots(Box::new(move |snapshots| {
        let run = || workspace_symbols(&session, &snapshots, &params.query, &flag);
        let _ = reply.send(catch_unwind(AssertUnwindSafe(run)));
    })));
    let answer = answer.await;
    drop(cancel);
    match answer {
        Ok(Ok(Ok(found))) => Ok(Some(lsp::WorkspaceSymbolResponse::Nested(found))),
        _ => Err(Error::internal_error()),
    }
}
