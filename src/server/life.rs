//! When and how the process ends.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};

/// How long what is under way may still take when the end has come.
const GRACE: Duration = Duration::from_millis(800);
/// How often the client's process is looked for.
const WATCH: Duration = Duration::from_millis(500);

/// Whether `shutdown` was asked for, and whether the end has come.
#[derive(Default)]
pub(super) struct Life {
    shut_down: AtomicBool,
    ending: AtomicBool,
    /// Whether the process ends with it.
    is_process: bool,
}

impl Life {
    /// That of the whole process.
    pub fn of_process() -> Life {
        Life { is_process: true, ..Life::default() }
    }

    /// The client asked for `shutdown`.
    pub fn shut_down(&self) {
        self.shut_down.store(true, Ordering::Relaxed);
    }

    /// The exit code: 0 after `shutdown`, 1 otherwise.
    pub fn code(&self) -> i32 {
        i32::from(!self.shut_down.load(Ordering::Relaxed))
    }

    /// The end has come: whatever hangs from now on, the process is gone soon.
    pub fn end(self: &Arc<Life>) {
        if !self.ending.swap(true, Ordering::Relaxed) && self.is_process {
            let life = self.clone();
            std::thread::spawn(move || {
                std::thread::sleep(GRACE);
                std::process::exit(life.code());
            });
        }
    }

    /// Ends the process when the client's is gone.
    #[cfg(unix)]
    pub fn watch(self: &Arc<Life>, client: u32) {
        if !self.is_process {
            return;
        }
        let Some(pid) = i32::try_from(client).ok().and_then(rustix::process::Pid::from_raw) else { return };
        let life = self.clone();
        std::thread::spawn(move || {
            while rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH) {
                std::thread::sleep(WATCH);
            }
            std::process::exit(life.code());
        });
    }

    /// Elsewhere the end of standard input tells it.
    #[cfg(not(unix))]
    pub fn watch(self: &Arc<Life>, _: u32) {}
}

/// Standard input that notices its end.
pub(super) struct Watched<R> {
    inner: R,
    life: Arc<Life>,
}

impl<R> Watched<R> {
    pub fn new(inner: R, life: Arc<Life>) -> Watched<R> {
        Watched { inner, life }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buf.filled().len();
        let poll = Pin::new(&mut self.inner).poll_read(cx, buf);
        if matches!(&poll, Poll::Ready(r) if r.is_err() || buf.filled().len() == before) {
            self.life.end();
        }
        poll
    }
}
