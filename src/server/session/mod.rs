//! What all threads of a session share: capabilities, caches, thread pools, and queues to the client.

pub(crate) mod background_work;
pub(crate) mod file_stamp;
pub(crate) mod limits;
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
use crate::server::session::background_work::BackgroundWork;
use crate::server::session::outbox::Outbox;
use crate::server::session::progress::ProgressTask;
use crate::server::session::settings::SettingsOrder;
use crate::server::transport::log::Log;

pub(crate) struct Session {
    pub log: Log,
    /// Set once by `initialize`.
    client_capabilities: OnceLock<ClientCapabilities>,
    /// Whether boards are drawn as images: from the settings, else from the client's capabilities.
    pub pictures: AtomicBool,
    /// Results of searches, shared by all documents.
    pub cache: Cache,
    /// The last semantic tokens of each document with their result id, for delta requests.
    pub tokens: Mutex<FxHashMap<String, (String, Vec<SemanticToken>)>>,
    /// The slow searches for files that are not open.
    pub background_work: BackgroundWork,
    /// The order of the settings that the client was asked for.
    pub settings_order: SettingsOrder,
    /// The next number for results and tokens. Starts at 1: 0 means "no result".
    pub results: AtomicU64,
    /// Signalled when inlay hints, or lenses, should be requested again because a slow search has finished.
    pub refresh_hints: Notify,
    pub refresh_lenses: Notify,
    /// Signalled when diagnostics that the client has pulled are out of date.
    pub refresh_diagnostics: Notify,
    /// Receives the tasks whose progress is shown; unset if the client cannot show progress.
    pub works: OnceLock<UnboundedSender<ProgressTask>>,
    /// Cancellation flags by progress token.
    cancels: Mutex<FxHashMap<String, Arc<AtomicBool>>>,
    pub outbox: Outbox,
    /// Requests.
    pub request_pool: ThreadPool,
    /// Requests that turned out to take long.
    pub slow_request_pool: ThreadPool,
    /// Slow searches for diagnostics of open documents.
    pub search_pool: ThreadPool,
    /// Slow searches for diagnostics of all other files.
    pub background_search_pool: ThreadPool,
    /// Scans and polls of the file system.
    pub disk_pool: ThreadPool,
    /// First analysis of files that are not open.
    pub analysis_pool: ThreadPool,
    /// Reads the configuration of one folder, because the diagnostics of an open document wait for it.
    pub config_pool: ThreadPool,
}

impl Session {
    pub fn new(log: Log) -> Session {
        let pool = |threads, name: &'static str| {
            let named = move |i| format!("{name}-{i}");
            // A panic ends one job only. Its request is answered with an error.
            let builder = ThreadPoolBuilder::new().num_threads(threads).thread_name(named);
            builder.panic_handler(|_| ()).build().expect("threads can be started")
        };
        Session {
            log,
            client_capabilities: OnceLock::new(),
            pictures: AtomicBool::new(false),
            cache: Cache::default(),
            tokens: Mutex::default(),
            background_work: BackgroundWork::default(),
            settings_order: SettingsOrder::default(),
            results: AtomicU64::new(1),
            refresh_hints: Notify::new(),
            refresh_lenses: Notify::new(),
            refresh_diagnostics: Notify::new(),
            works: OnceLock::new(),
            cancels: Mutex::default(),
            outbox: Outbox::default(),
            request_pool: pool(4, "request"),
            slow_request_pool: pool(2, "slow-request"),
            search_pool: pool(1, "search"),
            background_search_pool: pool(1, "background"),
            disk_pool: pool(1, "disk"),
            analysis_pool: pool(1, "analysis"),
            config_pool: pool(1, "config"),
        }
    }

    /// The client's capabilities; before `initialize` those of a client that declares none.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.client_capabilities
            .get()
            .copied()
            .unwrap_or_else(|| ClientCapabilities::from_params(&InitializeParams::default()))
    }

    /// Sets the client's capabilities. Only the first call has an effect.
    pub fn set_client_capabilities(&self, params: &InitializeParams) -> ClientCapabilities {
        *self.client_capabilities.get_or_init(|| ClientCapabilities::from_params(params))
    }

    /// Asks the client to request inlay hints and lenses again.
    pub fn refresh(&self) {
        self.refresh_hints.notify_one();
        self.refresh_lenses.notify_one();
    }

    /// Shows a task to the client; `cancel` is set if the user cancels it. Returns the sender for
    /// (files done, files in all); nothing if the client cannot show progress.
    pub fn progress(&self, cancel: Arc<AtomicBool>) -> Option<UnboundedSender<(usize, usize)>> {
        let works = self.works.get()?;
        let (sender, done) = unbounded_channel();
        let token = format!("cpz/check/{}", self.results.fetch_add(1, Ordering::Relaxed));
        let mut cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        // Flags that only this map holds belong to finished tasks.
        cancels.retain(|_, flag| Arc::strong_count(flag) > 1);
        cancels.insert(token.clone(), cancel.clone());
        drop(cancels);
        works.send(ProgressTask { token: ProgressToken::String(token), done, cancel }).ok()?;
        Some(sender)
    }

    /// Cancels the task with this progress token.
    pub fn cancel(&self, token: &str) {
        let cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancel) = cancels.get(token) {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}
