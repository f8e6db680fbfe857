//! From edits to findings: first passes, slow searches, and the comparison with other documents.
//!
//! Open documents are analysed on the state's thread, a batch of puzzles at a time, so that requests see their
//! results at once. Files that are not open are analysed on a pool.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;

use crate::lsp::scan::ScanProgress;
use crate::lsp::session::Session;
use crate::lsp::session::host::JobKind;
use crate::lsp::session::limits::{FILES_PER_BATCH, PUZZLES_PER_BATCH, QUICK_NODE_LIMIT};
use crate::lsp::state::document::{Document, Found};
use crate::lsp::state::event::AnalysedFile;
use crate::lsp::state::snapshot::Snapshot;
use crate::lsp::state::{Event, State};
use crate::workspace::READS_CONFIG;
use cpz_check::analysis::config::read_config;
use cpz_check::analysis::{DuplicateIndex, Options, Pending, SegmentedText, puzzle_at};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::MAX_TEXT;

/// A file to be analysed on a pool.
type File = (String, Arc<Snapshot>);

impl State {
    /// Analyses every document that needs it, compares new results with all other documents, and publishes what
    /// changed. `progress` is reported when the files that are analysed on the pool are done.
    pub(super) fn analyse_and_publish(&mut self, progress: Option<ScanProgress>) {
        let mut on_disk = Vec::new();
        let keys = self.pipeline.take_needs_analysis();
        let analyse = |state: &mut State, key: &str| on_disk.extend(state.analyse_document(key));
        self.for_each_document(keys, "an analysis", analyse, State::forget_analysis);
        self.analyse_files(on_disk, progress);
        self.compare_and_publish();
        self.pipeline.end_batch();
        self.answer_pulls();
    }

    /// Analyses a document as far as that is due now. Returns a file that is to be analysed on the pool.
    fn analyse_document(&mut self, key: &str) -> Option<File> {
        // The configuration decides what is found.
        if !self.is_configured(key) {
            self.pipeline.request_analysis(key);
            return None;
        }
        let on_save = self.workspace.settings.on_save;
        let document = self.documents.get_mut(key)?;
        let waits_for_save = document.is_open() && on_save && !document.force_analysis;
        if waits_for_save && document.found.is_some() && !document.is_out_of_step() {
            // `save` requests the analysis of all documents that are not current.
            return None;
        }
        if document.is_silenced() || document.snapshot.rope.len_bytes() > MAX_TEXT {
            document.cancel_searches();
            document.found = None;
            self.pipeline.end_analysis(key);
            self.pipeline.request_publish(key);
        } else if document.is_config() {
            let text = String::from(&document.snapshot.rope);
            let found = if READS_CONFIG { read_config(&text).err() } else { None };
            let config_findings = found.unwrap_or_default();
            let (snapshot, segments) = (document.snapshot.clone(), SegmentedText::default());
            document.found = Some(Found { snapshot, segments, config_findings });
            self.pipeline.request_publish(key);
        } else if document.is_open() {
            self.analyse_open(key);
        } else {
            return Some((key.to_string(), document.snapshot.clone()));
        }
        None
    }

    /// Analyses files on the pool; [`Event::FilesAnalysed`] follows for each batch that is not cancelled.
    fn analyse_files(&self, files: Vec<File>, progress: Option<ScanProgress>) {
        // Reported when the last batch drops it.
        let progress = progress.map(Arc::new);
        for batch in files.chunks(FILES_PER_BATCH) {
            let (session, events, batch) = (self.session.clone(), self.events.clone(), batch.to_vec());
            let progress = progress.clone();
            self.session.spawn(JobKind::Analysis, move || {
                if progress.as_ref().is_some_and(|p| p.is_cancelled()) {
                    // These documents stay without results until the next save.
                    return;
                }
                let analyse = |(key, snapshot): File| {
                    let segments = analyse_file(&session, &snapshot);
                    AnalysedFile { key, snapshot, segments }
                };
                let _ = events.send(Event::FilesAnalysed(batch.into_iter().map(analyse).collect()));
            });
        }
    }

    /// Analyses the first puzzles that were edited. If there are more, the document is partially analysed, and
    /// the run loop continues with it.
    fn analyse_open(&mut self, key: &str) {
        let Some(document) = self.documents.get_mut(key) else { return };
        document.read();
        analyse_batch(&self.session, document);
        if document.segments.stale() == 0 {
            self.pipeline.end_analysis(key);
            self.complete_analysis(key);
            return;
        }
        self.pipeline.mark_partially_analysed(key);
        if document.publishes_partial {
            self.set_found(key);
        }
    }

    /// Continues with a partially analysed document.
    pub(super) fn analyse_next_batch(&mut self) {
        let Some(next) = self.pipeline.next_partially_analysed() else { return };
        let analyse = |state: &mut State, key: &str| {
            let Some(document) = state.documents.get_mut(key).filter(|d| d.is_open()) else {
                return state.pipeline.end_analysis(key);
            };
            document.read();
            analyse_batch(&state.session, document);
            if document.segments.stale() == 0 {
                state.pipeline.end_analysis(key);
                state.complete_analysis(key);
            }
        };
        self.for_each_document([&next], "an analysis", analyse, State::forget_analysis);
        // Also after a panic: a pull may wait for this document.
        if !self.pipeline.is_partially_analysed(&next) {
            self.compare_and_publish();
            self.answer_pulls();
        }
    }

    /// Takes the results of a file that is not open, unless its text has changed since.
    pub(super) fn accept_analysis(&mut self, analysed: AnalysedFile) {
        let AnalysedFile { key, snapshot, segments } = analysed;
        let Some(document) = self.documents.get_mut(&key) else { return };
        if Arc::ptr_eq(&document.snapshot, &snapshot) {
            document.segments = segments;
            self.complete_analysis(&key);
        }
    }

    /// All puzzles of a document are analysed, except for slow searches.
    fn complete_analysis(&mut self, key: &str) {
        let Some(document) = self.documents.get_mut(key) else { return };
        document.publishes_partial = true;
        document.force_analysis = false;
        let pending = document.segments.pending();
        self.update_searches(key, &pending);
        self.set_found(key);
    }

    fn set_found(&mut self, key: &str) {
        let Some(document) = self.documents.get_mut(key) else { return };
        let (snapshot, segments) = (document.snapshot.clone(), document.segments.clone());
        snapshot.keep_segments(&segments);
        document.found = Some(Found { snapshot, segments, config_findings: Vec::new() });
        self.pipeline.request_publish(key);
    }

    /// Starts the slow searches that a text needs, and cancels those that it no longer needs.
    fn update_searches(&mut self, key: &str, pending: &[Pending]) {
        let pending = if self.session.runs_slow_searches() { pending } else { &[] };
        let Some(document) = self.documents.get_mut(key) else { return };
        let needed: FxHashSet<u128> = pending.iter().map(|p| p.key).collect();
        document.searches.retain(|puzzle, cancel| {
            // The background work may have been used up before this search began.
            let is_needed = needed.contains(puzzle) && !cancel.load(Ordering::Relaxed);
            if !is_needed {
                cancel.store(true, Ordering::Relaxed);
            }
            is_needed
        });
        // Searches for open documents do not queue behind those of the whole workspace.
        let kind = if document.is_open() { JobKind::Search } else { JobKind::BackgroundSearch };
        let is_background = !document.is_open();
        for &Pending { key: puzzle, offset } in pending {
            let is_used_up = || is_background && self.session.is_background_work_used_up();
            if document.searches.contains_key(&puzzle) || is_used_up() {
                continue;
            }
            let cancel = Arc::new(AtomicBool::new(false));
            document.searches.insert(puzzle, cancel.clone());
            let (session, events, key) = (self.session.clone(), self.events.clone(), key.to_string());
            let snapshot = document.snapshot.clone();
            self.session.spawn(kind, move || {
                if is_background && session.is_background_work_used_up() {
                    cancel.store(true, Ordering::Relaxed);
                }
                if cancel.load(Ordering::Relaxed) {
                    return;
                }
                let nodes = search(&session, &snapshot, offset, &cancel);
                if is_background {
                    session.background_work.add(nodes);
                }
                if !cancel.load(Ordering::Relaxed) {
                    let _ = events.send(Event::SearchFinished { key, puzzle });
                }
            });
        }
        document.snapshot.set_searched(!document.searches.is_empty());
    }

    /// A slow search has put its result into the cache: analyses the document again, which finds it there.
    pub(super) fn finish_search(&mut self, key: &str, puzzle: u128) {
        let Some(document) = self.documents.get_mut(key) else { return };
        document.searches.remove(&puzzle);
        document.segments.forget_pending(puzzle);
        document.snapshot.set_searched(!document.searches.is_empty());
        document.force_analysis |= document.is_current();
        self.pipeline.request_analysis(key);
        if document.is_open() {
            // Inlay hints and lenses can show the result now.
            self.session.refresh_answers();
        }
    }

    /// Compares new results with all other documents, then publishes them. All are compared before the first is
    /// published, so that each report sees the newest duplicates.
    fn compare_and_publish(&mut self) {
        let keys = self.pipeline.take_needs_publish();
        if keys.is_empty() {
            return;
        }
        self.for_each_document(&keys, "a comparison", State::compare, |_, _| ());
        self.for_each_document(&keys, "a report", |state, key| state.publish_document(key, true), |_, _| ());
    }

    /// Puts a document's puzzles into the index of duplicates; a standalone document has an index of its own.
    fn compare(&mut self, key: &str) {
        let mut compared = None;
        if let Some(document) = self.documents.get_mut(key) {
            let segments = document.found.as_ref().map(|found| &found.segments);
            if document.standalone {
                document.own_duplicates.update(key, segments, &mut FxHashSet::default());
            } else {
                document.own_duplicates = DuplicateIndex::default();
                compared = segments;
            }
        }
        self.duplicates.update(key, compared, &mut self.pipeline.affected_files);
    }
}

/// Finishes the analysis of the puzzle at an offset; its result is kept in the session's cache. Returns the number of
/// nodes.
fn search(session: &Session, snapshot: &Snapshot, offset: u32, cancel: &Arc<AtomicBool>) -> u64 {
    let options = Options { cancel: Some(cancel.clone()), ..snapshot.options() };
    let window = snapshot.window(Span::at(offset), 0);
    let found = puzzle_at(&window.tree, window.defaults, offset - window.start);
    found.map_or(0, |(puzzle, settings)| session.cache.report_full(puzzle, settings, &options).nodes)
}

/// The first pass over a file that is not open. If it panics, this file has no findings.
fn analyse_file(session: &Session, snapshot: &Snapshot) -> SegmentedText {
    let run = || {
        let mut segments = SegmentedText::of(&snapshot.rope, snapshot.config.settings);
        segments.read(&snapshot.rope);
        // A file that is opened or changed meanwhile is analysed elsewhere.
        while segments.stale() > 0 && !snapshot.is_outdated() {
            let (options, limit) = (snapshot.options(), 4 * PUZZLES_PER_BATCH);
            segments.analyse(&snapshot.rope, &session.cache, &options, QUICK_NODE_LIMIT, 0, limit);
        }
        segments
    };
    let unknown = |_| SegmentedText::unknown(&snapshot.rope, snapshot.config.settings);
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(unknown)
}

/// The first pass over some of the puzzles that were edited, beginning at the last edit. If it panics, the
/// text has no findings until it is edited.
fn analyse_batch(session: &Session, document: &mut Document) {
    let snapshot = document.snapshot.clone();
    let (first, segments) = (document.last_edit_offset, &mut document.segments);
    let (options, limit) = (snapshot.options(), PUZZLES_PER_BATCH);
    let run = || segments.analyse(&snapshot.rope, &session.cache, &options, QUICK_NODE_LIMIT, first, limit);
    if catch_unwind(AssertUnwindSafe(run)).is_err() {
        document.segments = SegmentedText::unknown(&snapshot.rope, snapshot.config.settings);
    }
}
