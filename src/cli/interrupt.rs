//! What ends long searches early: Ctrl+C, and a time limit.

use std::io::Write;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use cpz_check::analysis::Watch;

/// Exit code: Ctrl+C ended the searches. It is the one of a program that the signal ends.
pub const INTERRUPTED: u8 = 130;

/// When a time limit will stop the searches of this process.
static DEADLINE: OnceLock<Instant> = OnceLock::new();

/// When a time limit will stop the searches, if there is one.
pub fn deadline() -> Option<Instant> {
    DEADLINE.get().copied()
}

/// Lets Ctrl+C stop the searches, and a second one end the process. The flag says whether it was pressed.
pub fn stop_on_ctrl_c(watch: &Arc<Watch>) -> Arc<AtomicBool> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let (watch, pressed) = (watch.clone(), is_interrupted.clone());
    // Without a handler Ctrl+C ends the process, as it did before.
    let _ = ctrlc::set_handler(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            exit(INTERRUPTED.into());
        }
        // On a thread of its own: a terminal that is halted by Ctrl+S would hold up the next Ctrl+C. The process may end as soon
        // as the searches stop, so they stop after the message.
        let watch = watch.clone();
        std::thread::spawn(move || {
            let text = "cpz: stopped, what is proved is kept; Ctrl+C again ends at once";
            let _ = writeln!(anstream::stderr(), "{text}");
            watch.stop();
        });
    });
    is_interrupted
}

/// Stops the searches after some seconds.
pub fn stop_after(seconds: u64, watch: &Arc<Watch>) {
    let watch = watch.clone();
    if let Some(deadline) = Instant::now().checked_add(Duration::from_secs(seconds)) {
        let _ = DEADLINE.set(deadline);
    }
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(seconds));
        watch.stop();
    });
}
