//! When and how the process ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long what is under way may still take when the end has come.
const GRACE: Duration = Duration::from_millis(800);
/// How often the client's process is looked for.
const WATCH: Duration = Duration::from_millis(500);

/// Whether the session was begun, whether `shutdown` was asked for, and whether the end has come.
#[derive(Default)]
pub(crate) struct Lifecycle {
    begun: AtomicBool,
    shut_down: AtomicBool,
    ending: AtomicBool,
    /// Whether the process ends with it.
    is_process: bool,
}

impl Lifecycle {
    /// That of the whole process.
    pub fn of_process() -> Lifecycle {
        Lifecycle { is_process: true, ..Lifecycle::default() }
    }

    /// A message has come, whatever waits before it.
    pub fn hear(self: &Arc<Lifecycle>, method: &str, is_request: bool) {
        match method {
            "initialize" if is_request => self.begun.store(true, Ordering::Relaxed),
            "shutdown" if is_request && self.begun.load(Ordering::Relaxed) => {
                self.shut_down.store(true, Ordering::Relaxed);
            }
            "exit" => self.end(),
            _ => {}
        }
    }

    /// The exit code: 0 after `shutdown`, 1 otherwise.
    pub fn code(&self) -> i32 {
        i32::from(!self.shut_down.load(Ordering::Relaxed))
    }

    /// The end has come: whatever hangs from now on, the process is gone soon.
    pub fn end(self: &Arc<Lifecycle>) {
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
    pub fn watch(self: &Arc<Lifecycle>, client: u32) {
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
    pub fn watch(self: &Arc<Lifecycle>, _: u32) {}
}
