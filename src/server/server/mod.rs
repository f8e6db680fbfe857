//! The language server: `cpz lsp`, over standard input and output.
//!
//! Invariant: the only layer with LSP types and tokio. One thread, `state`, owns all texts. A handler sends its
//! event to that thread before it awaits anything, so events keep the order of the messages. A request gets an
//! immutable snapshot from that thread and runs on a pool. No code waits for the client while it holds a lock or
//! the state's thread, so neither a slow client nor an unanswered request blocks the server.
//!
//! Order inside: `transport`, `protocol` < `session` < `scan` < `state` < `handlers` < this file.

mod handlers;
mod progress;
mod push;
mod scan;
mod threads;
mod transport;

use std::io::{Read, Write};
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::runtime::{Handle, Runtime};
use tower_lsp::Server;

use crate::lsp::state::Event;
use crate::server::handlers::middleware::GuardedService;
use crate::server::transport::frames::Frames;
use crate::server::transport::large_answers::{AnswerWriter, LargeAnswers};
use crate::server::transport::large_texts::TextPlaceholders;
use crate::server::transport::lifecycle::Lifecycle;

pub use crate::server::transport::log::Log;

/// Practically no limit, because edits and cancellations count too and must not wait for slow requests. The thread
/// pools bound the work.
const MAX_CONCURRENT_REQUESTS: usize = usize::MAX >> 1;

/// Serves until the client sends `exit`, closes standard input or ends, and then exits the process: with 0 after
/// `shutdown`, with 1 otherwise.
pub fn run(log: Option<Log>) -> ! {
    cpz_allocator::give_back_large_blocks();
    let log = log.unwrap_or_default();
    log.log_panics();
    let lifecycle = Arc::new(Lifecycle::of_process());
    let Some(runtime) = runtime() else { std::process::exit(1) };
    runtime.block_on(serve_client(tokio::io::stdin(), tokio::io::stdout(), &lifecycle, log.clone()));
    log.line(&format!("ended with {}", lifecycle.exit_code()));
    std::process::exit(lifecycle.exit_code())
}

/// Serves a client in this process until it sends `exit` or closes `input`. Returns what would be the exit code of
/// the process.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> i32 {
    let lifecycle = Arc::new(Lifecycle::default());
    let Some(runtime) = runtime() else { return 1 };
    let (inside, outside) = tokio::io::duplex(BUFFER);
    let (from_server, to_server) = tokio::io::split(outside);
    let handle = runtime.handle().clone();
    std::thread::spawn(move || copy_input(input, to_server, &handle));
    let handle = runtime.handle().clone();
    let writer = std::thread::spawn(move || copy_output(from_server, output, &handle));
    let (stdin, stdout) = tokio::io::split(inside);
    runtime.block_on(serve_client(stdin, stdout, &lifecycle, Log::default()));
    // The last messages are still written.
    let _ = writer.join();
    runtime.shutdown_background();
    lifecycle.exit_code()
}

/// The size of the buffers of `serve`, in bytes.
const BUFFER: usize = 1 << 16;

fn copy_input(mut from: impl Read, mut to: impl AsyncWriteExt + Unpin, handle: &Handle) {
    let mut buffer = vec![0; BUFFER];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        if handle.block_on(to.write_all(&buffer[..n])).is_err() {
            return;
        }
    }
    let _ = handle.block_on(to.shutdown());
}

fn copy_output(mut from: impl AsyncReadExt + Unpin, mut to: impl Write, handle: &Handle) {
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

async fn serve_client(
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin,
    lifecycle: &Arc<Lifecycle>,
    log: Log,
) {
    let texts = TextPlaceholders::new();
    let answers = LargeAnswers::new();
    let (service, socket) = handlers::service(lifecycle, &texts, &answers, &log);
    let events = service.inner().events.clone();
    let guarded = GuardedService::new(service, events.clone(), log);
    let input = Frames::new(input, lifecycle.clone(), texts);
    let output = AnswerWriter::new(output, answers);
    Server::new(input, output, socket).concurrency_level(MAX_CONCURRENT_REQUESTS).serve(guarded).await;
    let _ = events.send(Event::Stop);
}
