//! A progress bar on a terminal, for work that takes longer than a second.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::interrupt::deadline;
use cpz_check::analysis::Watch;
use cpz_ide::first_moves_in_words;
use cpz_rules::games::SearchState;

/// Shows how many units of work are done, until it is dropped.
pub struct Progress {
    /// How many units are done. The work adds to it.
    pub done: Arc<AtomicU64>,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts a bar for `total` units of work. `label` is shown with it, and below it the search that `watch` names.
    pub fn new(total: u64, label: &'static str, watch: Option<Arc<Watch>>) -> Progress {
        let (done, end) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let thread = std::io::stderr().is_terminal().then(|| {
            let (done, end) = (done.clone(), end.clone());
            std::thread::spawn(move || show(total, label, watch.as_deref(), &done, &end))
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

fn show(total: u64, label: &'static str, watch: Option<&Watch>, done: &AtomicU64, end: &AtomicBool) {
    std::thread::park_timeout(Duration::from_secs(1));
    if end.load(Ordering::Relaxed) {
        return;
    }
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let template = match watch {
        None => "{prefix} {wide_bar} {pos}/{len} {eta}",
        Some(_) => "{prefix} {wide_bar} {pos}/{len}\n{wide_msg}",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_prefix(label);
    let mut speed = None;
    while !end.load(Ordering::Relaxed) {
        bar.set_position(done.load(Ordering::Relaxed));
        let search = watch.and_then(Watch::oldest);
        let deadline = deadline();
        bar.set_message(search.map_or_else(String::new, |search| described(&search, deadline, &mut speed)));
        std::thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

/// When a search was first seen, and how many nodes it had visited.
type Seen = Option<(Arc<SearchState>, Instant, u64)>;

/// How far a search is: its first moves, its nodes, and the time that it can take at most, by its nodes and by the time limit.
fn described(search: &Arc<SearchState>, deadline: Option<Instant>, seen: &mut Seen) -> String {
    let (nodes, visited) = search.nodes();
    let (_, since, before) = match seen {
        Some(seen) if Arc::ptr_eq(&seen.0, search) => seen,
        _ => seen.insert((search.clone(), Instant::now(), visited)),
    };
    let first = first_moves_in_words(search.first_moves()).map_or_else(String::new, |words| words + "; ");
    let per_second = (visited - *before) as f64 / since.elapsed().as_secs_f64();
    let by_nodes = (per_second >= 1.0).then(|| (nodes - visited) as f64 / per_second);
    let by_clock = deadline.map(|at| at.saturating_duration_since(Instant::now()).as_secs_f64());
    let left = by_nodes.into_iter().chain(by_clock).reduce(f64::min);
    let left = left.map_or_else(String::new, |seconds| format!(", at most {} s left", seconds.ceil()));
    format!("{first}{} of {} nodes{left}", HumanCount(visited), HumanCount(nodes))
}
