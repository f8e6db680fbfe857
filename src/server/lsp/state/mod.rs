//! The state owns all texts: it applies events in the order in which they were sent, and publishes diagnostics when no
//! message waits.
//!
//! [`State`] has its methods in several files, which therefore import each other: `sync` (open, change, close),
//! `workspace` (folders, settings, configurations), `scans` (results of scans), `analysis` (from edits to
//! findings), `publish` (from findings to the client) and `pull` (answers to the client's pulls).

mod analysis;
pub(crate) mod configs;
pub(crate) mod diagnostics;
pub(crate) mod diagnostics_mode;
pub(crate) mod document;
pub(crate) mod event;
mod pipeline;
mod publish;
pub(crate) mod pull;
mod scan_queue;
mod scan_results;
pub(crate) mod snapshot;
mod sync;
#[cfg(test)]
mod tests;
mod workspace;

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

pub(crate) use event::Event;

use crate::lsp::protocol::uris;
use crate::lsp::scan::RunScan;
use crate::lsp::session::Session;
use crate::lsp::session::host::JobKind;
use crate::lsp::session::limits::MAX_EVENTS_PER_TURN;
use crate::lsp::state::diagnostics_mode::DiagnosticsMode;
use crate::lsp::state::document::{Document, SilenceReason};
use crate::lsp::state::event::Job;
use crate::lsp::state::pipeline::Pipeline;
use crate::lsp::state::pull::Pulls;
use crate::lsp::state::scan_queue::{ScanQueue, ScanRequest};
use crate::lsp::state::sync::ClientUris;
use crate::lsp::state::workspace::Workspace;
use cpz_check::analysis::DuplicateIndex;

pub(crate) struct State {
    session: Arc<Session>,
    /// For jobs to send their results.
    events: Sender<Event>,
    run_scan: RunScan,
    /// By key, that is in the order in which `cpz check` has the files.
    documents: BTreeMap<String, Document>,
    /// Events that wait until no message of the client is left.
    deferred: VecDeque<Event>,
    client_uris: ClientUris,
    workspace: Workspace,
    scans: ScanQueue,
    pipeline: Pipeline,
    /// All documents but standalone ones, as they were last analysed.
    duplicates: DuplicateIndex,
    pulls: Pulls,
    mode: DiagnosticsMode,
}

/// The key of a document: its path, or its URI if it has no path.
pub(crate) fn key(uri: &str) -> String {
    uris::path(uri).map_or_else(|| uri.to_string(), |p| p.to_string_lossy().into_owned())
}

impl State {
    pub fn new(session: Arc<Session>, events: Sender<Event>, run_scan: RunScan) -> State {
        State {
            session,
            events,
            run_scan,
            documents: BTreeMap::new(),
            deferred: VecDeque::new(),
            client_uris: ClientUris::default(),
            workspace: Workspace::default(),
            scans: ScanQueue::default(),
            pipeline: Pipeline::default(),
            duplicates: DuplicateIndex::default(),
            pulls: Pulls::default(),
            mode: DiagnosticsMode::default(),
        }
    }

    /// Runs until [`Event::Stop`], and waits for events when there is nothing to do.
    pub fn run(mut self, inbox: &Receiver<Event>) {
        loop {
            let first = match self.has_work() {
                false => inbox.recv().ok(),
                true => inbox.try_recv().ok(),
            };
            if first.is_none() && !self.has_work() {
                return;
            }
            if self.turn(first.into_iter().chain(inbox.try_iter().take(MAX_EVENTS_PER_TURN))).is_break() {
                return;
            }
        }
    }

    /// Whether a turn would do something without an event.
    pub fn has_work(&self) -> bool {
        !self.deferred.is_empty()
            || self.pipeline.has_partially_analysed()
            || !self.pipeline.affected_files.is_empty()
            || self.duplicates.has_moved_files()
    }

    /// Applies events, publishes, and then does one piece of background work, so that the client never waits for more
    /// than one piece. Breaks at [`Event::Stop`].
    pub fn turn(&mut self, events: impl Iterator<Item = Event>) -> ControlFlow<()> {
        for event in events {
            if let Event::Stop = event {
                self.documents.values().for_each(Document::end);
                return ControlFlow::Break(());
            }
            if event.is_deferred() {
                self.deferred.push_back(event);
            } else {
                self.catch_panic("an event", |state| state.apply(event));
            }
        }
        self.catch_panic("a batch", |state| state.analyse_and_publish(None));
        if self.pipeline.has_partially_analysed() {
            self.catch_panic("a batch", State::analyse_next_batch);
        } else if let Some(event) = self.deferred.pop_front() {
            self.catch_panic("an event", |state| state.apply(event));
            self.catch_panic("a batch", |state| state.analyse_and_publish(None));
        } else {
            self.catch_panic("a batch", State::publish_affected);
        }
        ControlFlow::Continue(())
    }

    /// Runs one step. A panic ends the step, and the session goes on. Returns nothing after a panic.
    ///
    /// Half-done updates are harmless:
    /// - A document's text and configuration change in one assignment. If an edit panics, the document is out of
    ///   step: it shows no diagnostics until the client sends the whole text.
    /// - If the analysis of a document panics, all that is known of its text is forgotten (see
    ///   [`State::forget_analysis`]), and the next edit or save begins again. If only its report panics, its
    ///   analysis stays, and the next change of the document or of a duplicate publishes it.
    /// - The queues hold keys only. A key too many costs work; a key too few delays diagnostics until the
    ///   document changes or is saved.
    /// - The duplicate index may lack or keep puzzles of the file that panicked until it is analysed again: then a
    ///   `duplicate-puzzle` is missing or out of date.
    /// - The reply of a request that is dropped becomes an error response.
    fn catch_panic<T>(&mut self, step: &str, work: impl FnOnce(&mut State) -> T) -> Option<T> {
        let result = catch_unwind(AssertUnwindSafe(|| work(self)));
        if result.is_err() {
            // The panic hook has written the place of the panic.
            self.session.log(&format!("state: a panic ended {step}; the session goes on"));
        }
        result.ok()
    }

    /// Runs a step for each of some documents that were taken from a queue. A panic skips one document only, and
    /// that one is not put back: a document that panics every time would keep the thread busy for ever.
    fn for_each_document(
        &mut self,
        keys: impl IntoIterator<Item = impl AsRef<str>>,
        step: &str,
        mut work: impl FnMut(&mut State, &str),
        on_panic: impl Fn(&mut State, &str),
    ) {
        for key in keys {
            let key = key.as_ref();
            if self.catch_panic(step, |state| work(state, key)).is_none() {
                on_panic(self, key);
            }
        }
    }

    /// After a panic in the analysis of a document: forgets what is known of its present text. Without results
    /// of this text the document is not current, so the next save requests its analysis again.
    fn forget_analysis(&mut self, key: &str) {
        self.pipeline.end_analysis(key);
        if let Some(document) = self.documents.get_mut(key) {
            document.cancel_searches();
            let snapshot = document.snapshot.clone();
            document.reset_segments(&snapshot.rope, &snapshot.config);
            document.found.take_if(|found| Arc::ptr_eq(&found.snapshot, &snapshot));
        }
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::Initialized(mode) => self.mode = mode,
            Event::ClientUri { uri, as_written } => self.client_uris.announce(uri, as_written),
            Event::DidOpen { uri, version, text } => self.open(uri, version, text),
            Event::DidChange { uri, version, changes } => self.change_or_lose(&key(&uri), version, changes),
            Event::EditLost(uri) => self.lose_edit(&key(&uri)),
            Event::DidSave => self.save(),
            Event::DidClose(uri) => self.close(&key(&uri)),
            Event::WithSnapshot(uri, job) => self.run_with_snapshot(&key(&uri), job),
            Event::WithAllSnapshots(job) => {
                let known = self.documents.values().filter(|d| !d.is_silenced() && !d.is_config());
                let all = known.map(|d| d.snapshot.clone()).collect();
                self.session.spawn(JobKind::Request, move || job(all));
            }
            Event::PullDocument(pull) => self.pulls.documents.push(pull),
            Event::PullWorkspace(pull) => self.add_workspace_pull(pull),
            Event::WorkspacePullOverdue => self.push_files_on_disk(),
            Event::PollConfigs => self.poll_configs(),
            Event::FilesChanged(uris) => self.apply_file_changes(&uris),
            Event::FoldersChanged { added, removed } => self.change_folders(added, &removed),
            Event::SettingsChanged(settings) => self.change_settings(settings),
            Event::ConfigsChanged => {
                self.request_scan(ScanRequest { show_progress: false, ends_suppression: true });
            }
            Event::ConfigsLoaded { folders, scan } => self.load_configs(folders, scan),
            Event::ScanListed(list) => self.apply_file_list(list),
            Event::ScanLoaded(files) => self.load_files(files),
            Event::ScanFinished => self.finish_scan(),
            Event::FilesAnalysed(files) => files.into_iter().for_each(|file| self.accept_analysis(file)),
            Event::SearchFinished { key, puzzle } => self.finish_search(&key, puzzle),
            Event::Shutdown => self.pulls.end(),
            // `run` has handled it.
            Event::Stop => {}
        }
    }

    fn run_with_snapshot(&mut self, key: &str, job: Job) {
        let document = self.documents.get_mut(key);
        let snapshot = document.filter(|d| !d.is_out_of_step() && !d.is_config()).map(|document| {
            document.read();
            document.snapshot.clone()
        });
        self.session.spawn(JobKind::Request, move || job(snapshot));
    }

    /// The client lost track of a document: an edit of it could not be read.
    fn lose_edit(&mut self, key: &str) {
        if let Some(document) = self.documents.get_mut(key).filter(|d| d.is_open()) {
            document.silenced.set(SilenceReason::OutOfStep, true);
            self.pipeline.request_analysis_of_edit(key);
        }
    }
}
