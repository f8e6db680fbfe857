//! What all threads of a session share.

pub(crate) mod outbox;
pub(crate) mod progress;
pub(crate) mod settings;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};
use rustc_hash::FxHashMap;
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tower_lsp::ls_types::{InitializeParams, ProgressToken, SemanticToken};

use crate::analysis::Cache;
use crate::server::protocol::client_capabilities::ClientCapabilities;
use crate::server::session::outbox::Outbox;
use crate::server::session::progress::ProgressTask;

pub(crate) struct Session {
    /// What is agreed on in `initialize`, before which nothing is asked.
    agreed: OnceLock<ClientCapabilities>,
    /// Whether boards are drawn as images: a setting may say so.
    pub pictures: AtomicBool,
    /// What is known of puzzles.
    pub cache: Cache,
    /// The tokens that each document was last said to have, for what changes in them.
    pub tokens: Mutex<FxHashMap<String, (String, Vec<SemanticToken>)>>,
    /// Counts such results.
    pub results: AtomicU64,
    /// Told when hints, and when lenses, are known that were not when they were asked for.
    pub fresh_hints: Notify,
    pub fresh_lenses: Notify,
    /// Told when findings changed that the client asked for before.
    pub stale: Notify,
    /// Where work goes that is shown to the client; nothing for clients that show none.
    pub works: OnceLock<UnboundedSender<ProgressTask>>,
    /// What ends each work that is shown.
    cancels: Mutex<FxHashMap<String, Arc<AtomicBool>>>,
    /// What is to be sent.
    pub outbox: Outbox,
    /// Runs what the client asks.
    pub pool: ThreadPool,
    /// Runs what the client asks and takes long.
    pub long: ThreadPool,
    /// Runs slow searches for findings of what is open.
    pub searches: ThreadPool,
    /// Runs those of all other files.
    pub background: ThreadPool,
    /// Reads files.
    pub disk: ThreadPool,
    /// Analyses those that are not open.
    pub checks: ThreadPool,
    /// Looks for the configuration of a document, which is waited for.
    pub look: ThreadPool,
}

impl Session {
    pub fn new() -> Session {
        let pool = |threads, name: &'static str| {
            let named = move |i| format!("{name}-{i}");
            // A panic in a job is the job's own: its answer is an error, and the pool goes on.
            let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(named);
            builder.panic_handler(|_| ()).build().expect("threads can be started")
        };
        Session {
            agreed: OnceLock::new(),
            pictures: AtomicBool::new(false),
            cache: Cache::default(),
            tokens: Mutex::default(),
            results: AtomicU64::new(1),
            fresh_hints: Notify::new(),
            fresh_lenses: Notify::new(),
            stale: Notify::new(),
            works: OnceLock::new(),
            cancels: Mutex::default(),
            outbox: Outbox::default(),
            pool: pool(4, "ask"),
            long: pool(2, "long"),
            searches: pool(1, "search"),
            background: pool(1, "background"),
            disk: pool(1, "disk"),
            checks: pool(1, "check"),
            look: pool(1, "look"),
        }
    }

    /// What is agreed on with the client; with one that has not spoken yet, the least.
    pub fn agreed(&self) -> ClientCapabilities {
        self.agreed.get().copied().unwrap_or_else(|| ClientCapabilities::by(&InitializeParams::default()))
    }

    /// Takes in what a client declares. Only its first word counts.
    pub fn agree(&self, params: &InitializeParams) -> ClientCapabilities {
        *self.agreed.get_or_init(|| ClientCapabilities::by(params))
    }

    /// Has the client ask for hints and lenses again.
    pub fn refresh(&self) {
        self.fresh_hints.notify_one();
        self.fresh_lenses.notify_one();
    }

    /// Shows a work to the client, which may cancel it: where to tell how far it is.
    pub fn progress(&self, cancel: Arc<AtomicBool>) -> Option<UnboundedSender<(usize, usize)>> {
        let works = self.works.get()?;
        let (sender, done) = unbounded_channel();
        let token = format!("cpz/check/{}", self.results.fetch_add(1, Ordering::Relaxed));
        let mut cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        // Only the last ones can still be under way.
        cancels.retain(|_, flag| Arc::strong_count(flag) > 1);
        cancels.insert(token.clone(), cancel.clone());
        drop(cancels);
        works.send(ProgressTask { token: ProgressToken::String(token), done, cancel }).ok()?;
        Some(sender)
    }

    /// Ends a work that is shown.
    pub fn cancel(&self, token: &str) {
        let cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancel) = cancels.get(token) {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}
