//! When the process exits, and with which code. Knows no document.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time that running work has after the end of the session.
const EXIT_GRACE: Duration = Duration::from_millis(800);
/// The time between two checks of the client's process.
#[cfg(unix)]
const CLIENT_CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// The phase of the session.
#[derive(Default)]
pub(crate) struct Lifecycle {
    initialized: AtomicBool,
    shut_down: AtomicBool,
    ending: AtomicBool,
    /// Whether the process exits with the session.
    owns_process: bool,
}

impl Lifecycle {
    /// A session that exits the process at its end.
    pub fn of_process() -> Lifecycle {
        Lifecycle { owns_process: true, ..Lifecycle::default() }
    }

    /// Notes a message when it is read, before earlier messages are handled.
    pub fn observe(self: &Arc<Lifecycle>, method: &str, is_request: bool) {
        match method {
            "initialize" if is_request => self.initialized.store(true, Ordering::Relaxed),
            "shutdown" if is_request && self.initialized.load(Ordering::Relaxed) => {
                self.shut_down.store(true, Ordering::Relaxed);
            }
            "exit" => self.end(),
            _ => {}
        }
    }

    /// The exit code: 0 after `shutdown`, 1 otherwise.
    pub fn exit_code(&self) -> i32 {
        i32::from(!self.shut_down.load(Ordering::Relaxed))
    }

    /// Ends the session. The process exits after `EXIT_GRACE` even if a request hangs.
    pub fn end(self: &Arc<Lifecycle>) {
        if !self.ending.swap(true, Ordering::Relaxed) && self.owns_process {
            let lifecycle = self.clone();
            std::thread::spawn(move || {
                std::thread::sleep(EXIT_GRACE);
                std::process::exit(lifecycle.exit_code());
            });
        }
    }

    /// Exits the process when the client's process ends.
    #[cfg(unix)]
    pub fn watch(self: &Arc<Lifecycle>, client: u32) {
        if !self.owns_process {
            return;
        }
        let Some(pid) = i32::try_from(client).ok().and_then(rustix::process::Pid::from_raw) else { return };
        let lifecycle = self.clone();
        std::thread::spawn(move || {
            while rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH) {
                std::thread::sleep(CLIENT_CHECK_INTERVAL);
            }
            std::process::exit(lifecycle.exit_code());
        });
    }

    /// Elsewhere the server notices only the end of standard input, which the system closes with the client.
    #[cfg(not(unix))]
    pub fn watch(self: &Arc<Lifecycle>, _: u32) {}
}
