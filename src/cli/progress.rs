//! A progress bar on a terminal, for work that takes longer than a second.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how many units of work are done, until it is dropped.
pub struct Progress {
    /// How many units are done. The work adds to it.
    pub done: Arc<AtomicU64>,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts a bar for `total` units of work. `label` is shown with it.
    pub fn new(total: u64, label: &'static str) -> Progress {
        let (done, end) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let thread = std::io::stderr().is_terminal().then(|| {
            let (done, end) = (done.clone(), end.clone());
            std::thread::spawn(move || watch(total, label, &done, &end))
        });
        Progress { done, end, thread }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn watch(total: u64, label: &'static str, done: &AtomicU64, end: &AtomicBool) {
    std::thread::park_timeout(Duration::from_secs(1));
    if end.load(Ordering::Relaxed) {
        return;
    }
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
        bar.set_style(style);
    }
    bar.set_message(label);
    while !end.load(Ordering::Relaxed) {
        bar.set_position(done.load(Ordering::Relaxed));
        std::thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}
