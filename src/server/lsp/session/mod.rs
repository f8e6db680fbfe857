//! What all parts of a session share: capabilities, caches, limits, and what is to be sent to the client.
//!
//! Invariant: knows neither threads nor the connection. [`host::Host`] stands for both.

pub(crate) mod background_work;
pub(crate) mod host;
pub(crate) mod limits;
pub(crate) mod outbox;
pub(crate) mod settings;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ls_types::SemanticToken;
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::lsp::protocol::client_capabilities::ClientCapabilities;
use crate::lsp::session::background_work::BackgroundWork;
use crate::lsp::session::host::{Host, JobKind, Refresh, ReportProgress};
use crate::lsp::session::outbox::{Outbox, Publish};
use crate::lsp::session::settings::SettingsOrder;
use cpz_check::analysis::Cache;

pub(crate) struct Session {
    host: Arc<dyn Host>,
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
    /// Cancellation flags by progress token.
    cancels: Mutex<FxHashMap<String, Arc<AtomicBool>>>,
    pub outbox: Outbox,
}

impl Session {
    pub fn new(host: Arc<dyn Host>) -> Session {
        Session {
            host,
            client_capabilities: OnceLock::new(),
            pictures: AtomicBool::new(false),
            cache: Cache::default(),
            tokens: Mutex::default(),
            background_work: BackgroundWork::default(),
            settings_order: SettingsOrder::default(),
            results: AtomicU64::new(1),
            cancels: Mutex::default(),
            outbox: Outbox::default(),
        }
    }

    /// The client's capabilities; before `initialize` those of a client that declares none.
    pub fn client_capabilities(&self) -> ClientCapabilities {
        self.client_capabilities
            .get()
            .copied()
            .unwrap_or_else(|| ClientCapabilities::from_params(&Value::Null))
    }

    /// Sets the client's capabilities, from the parameters of `initialize`. Only the first call has an effect.
    pub fn set_client_capabilities(&self, params: &Value) -> ClientCapabilities {
        *self.client_capabilities.get_or_init(|| ClientCapabilities::from_params(params))
    }

    /// Runs a job later.
    pub fn spawn(&self, kind: JobKind, job: impl FnOnce() + Send + 'static) {
        self.host.spawn(kind, Box::new(job));
    }

    /// Whether slow searches for diagnostics are run.
    pub fn runs_slow_searches(&self) -> bool {
        self.host.runs_slow_searches()
    }

    /// Asks the client to request inlay hints and lenses again.
    pub fn refresh_answers(&self) {
        self.refresh(Refresh::InlayHints);
        self.refresh(Refresh::CodeLenses);
    }

    /// Asks the client to request something again.
    pub fn refresh(&self, what: Refresh) {
        self.host.refresh(what);
    }

    /// Sends diagnostics as soon as the client reads. Does not block.
    pub fn publish(&self, publish: Publish) {
        self.outbox.put(publish);
        self.host.outbox_filled();
    }

    /// Shows a warning to the user. Does not block.
    pub fn warn_user(&self, warning: String) {
        self.outbox.warn_user(warning);
        self.host.outbox_filled();
    }

    /// Whether no further search in files that are not open may start. The user is told once.
    pub fn is_background_work_used_up(&self) -> bool {
        let is_used_up = self.background_work.is_used_up(&self.outbox);
        if is_used_up {
            self.host.outbox_filled();
        }
        is_used_up
    }

    /// Writes a line to the log, if there is one.
    pub fn log(&self, line: &str) {
        self.host.log(line);
    }

    /// Shows a task to the client; `cancel` is set if the user cancels it. Returns what reports
    /// (files done, files in all); nothing if the client cannot show progress.
    pub fn progress(&self, cancel: Arc<AtomicBool>) -> Option<ReportProgress> {
        let token = self.progress_token("check", &cancel)?;
        self.host.show_progress(token, cancel)
    }

    /// The token of a task; `cancel` is set if the user cancels it. Nothing if the client cannot show progress.
    pub fn progress_token(&self, task: &str, cancel: &Arc<AtomicBool>) -> Option<String> {
        if !self.client_capabilities().progress {
            return None;
        }
        let token = format!("cpz/{task}/{}", self.results.fetch_add(1, Ordering::Relaxed));
        let mut cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        // Flags that only this map holds belong to finished tasks.
        cancels.retain(|_, flag| Arc::strong_count(flag) > 1);
        cancels.insert(token.clone(), cancel.clone());
        Some(token)
    }

    /// Cancels the task with this progress token.
    pub fn cancel(&self, token: &str) {
        let cancels = self.cancels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancel) = cancels.get(token) {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}
