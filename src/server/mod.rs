//! The language server: `cpz lsp`, over standard input and output.
//!
//! Invariant: the only room with LSP types and tokio. Handlers are thin: what changes a text is sent on
//! to one thread that owns all texts, in the order in which it came, before anything is awaited; what
//! asks gets an immutable snapshot from that thread and runs on a pool of its own. Nothing waits for
//! the client while it holds anything, so neither a slow client nor an unanswered request stops it.

mod backend;
mod configured;
mod convert;
mod diagnostics;
mod document;
mod features;
pub(crate) mod files;
mod gate;
mod life;
mod outbox;
mod progress;
mod publish;
mod repair;
mod settings;
mod state;
mod structure;
mod survey;
mod uris;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tower_lsp::{LspService, Server};

use backend::Backend;
use gate::Gate;
use life::{Life, Watched};

/// How many requests may wait at a time: few enough would let one slow answer hold up all others.
const CONCURRENCY: usize = 256;

/// Serves until the client says `exit`, closes standard input or is gone, and ends the process: with
/// 0 after `shutdown`, and with 1 otherwise.
pub fn run() -> ! {
    let life = Arc::new(Life::default());
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        // Without threads there is nobody to tell it to but whoever started the process.
        Err(_) => std::process::exit(1),
    };
    runtime.block_on(async {
        let (service, socket) = LspService::build(|client| Backend::new(client, life.clone()))
            // The library has no handler for it.
            .custom_method("window/workDoneProgress/cancel", Backend::cancel_work)
            .finish();
        let out_of_step = service.inner().events();
        let stdin = Watched::new(tokio::io::stdin(), life.clone());
        let gate = Gate::new(service, life.clone(), out_of_step);
        Server::new(stdin, tokio::io::stdout(), socket).concurrency_level(CONCURRENCY).serve(gate).await;
    });
    std::process::exit(life.code())
}

/// Says that nobody waits for an answer any more when it is dropped.
struct Cancel(Arc<AtomicBool>);

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}
