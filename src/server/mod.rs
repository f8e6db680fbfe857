//! The language server: `cpz lsp`, over standard input and output.
//!
//! Invariant: the only room with LSP types and tokio. Handlers are thin: what changes a text is sent on
//! to one thread that owns all texts, in the order in which it came, before anything is awaited; what
//! asks gets an immutable snapshot from that thread and runs on a pool of its own. Nothing waits for
//! the client while it holds anything, so neither a slow client nor an unanswered request stops it.

mod handlers;
mod protocol;
mod scan;
mod session;
mod state;
mod transport;

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::{Handle, Runtime};
use tower_lsp::{LspService, Server};

use handlers::Backend;
use handlers::middleware::GuardedService;
use state::Event;
use transport::frames::Frames;
use transport::large_texts::TextPlaceholders;
use transport::lifecycle::Lifecycle;

pub use transport::log::Log;

/// How many requests may wait at a time. Edits and cancels count too, so there is no number of slow answers
/// that may hold up the next message; what works at a time is bounded by threads.
const CONCURRENCY: usize = usize::MAX >> 1;

/// Serves until the client says `exit`, closes standard input or is gone, and ends the process: with
/// 0 after `shutdown`, and with 1 otherwise. What it does is told to a log, if there is one.
pub fn run(log: Option<Log>) -> ! {
    let log = log.unwrap_or_default();
    log.log_panics();
    let life = Arc::new(Lifecycle::of_process());
    // Without threads there is nobody to tell it to but whoever started the process.
    let Some(runtime) = runtime() else { std::process::exit(1) };
    runtime.block_on(speak(tokio::io::stdin(), tokio::io::stdout(), &life, log.clone()));
    log.line(&format!("ended with {}", life.exit_code()));
    std::process::exit(life.exit_code())
}

/// Serves a client in this process until it says `exit` or closes its end, and returns what the exit code
/// of a process would be.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> i32 {
    let life = Arc::new(Lifecycle::default());
    let Some(runtime) = runtime() else { return 1 };
    let (inside, outside) = tokio::io::duplex(BUFFER);
    let (from_server, to_server) = tokio::io::split(outside);
    let handle = runtime.handle().clone();
    std::thread::spawn(move || carry_in(input, to_server, &handle));
    let handle = runtime.handle().clone();
    let writer = std::thread::spawn(move || carry_out(from_server, output, &handle));
    let (stdin, stdout) = tokio::io::split(inside);
    runtime.block_on(speak(stdin, stdout, &life, Log::default()));
    // What was said last is still carried out.
    let _ = writer.join();
    runtime.shutdown_background();
    life.exit_code()
}

/// Enough for any message but the largest.
const BUFFER: usize = 1 << 16;

fn carry_in(mut from: impl Read, mut to: impl AsyncWriteExt + Unpin, handle: &Handle) {
    let mut buffer = vec![0; BUFFER];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        if handle.block_on(to.write_all(&buffer[..n])).is_err() {
            return;
        }
    }
    let _ = handle.block_on(to.shutdown());
}

fn carry_out(mut from: impl AsyncReadExt + Unpin, mut to: impl Write, handle: &Handle) {
    let mut buffer = vec![0; BUFFER];
    while let Ok(n @ 1..) = handle.block_on(from.read(&mut buffer)) {
        if to.write_all(&buffer[..n]).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

fn runtime() -> Option<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().ok()
}

async fn speak(
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite,
    life: &Arc<Lifecycle>,
    log: Log,
) {
    let texts = TextPlaceholders::new();
    let (service, socket) = LspService::build(|client| Backend::new(client, life.clone(), texts.clone()))
        // The library has no handler for it.
        .custom_method("window/workDoneProgress/cancel", Backend::cancel_work)
        .custom_method("cpz/board", Backend::board)
        .custom_method("cpz/square", Backend::square)
        .finish();
    let events = service.inner().events();
    let gate = GuardedService::new(service, events.clone(), log);
    let stdin = Frames::new(input, life.clone(), texts.clone());
    Server::new(stdin, output, socket).concurrency_level(CONCURRENCY).serve(gate).await;
    let _ = events.send(Event::Stop);
}

/// Says that nobody waits for an answer any more when it is dropped.
struct Cancel(Arc<AtomicBool>);

impl Drop for Cancel {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}
