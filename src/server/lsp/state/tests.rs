use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};

use ropey::Rope;

use crate::lsp::session::Session;
use crate::lsp::session::host::{Host, JobKind, Refresh, ReportProgress};
use crate::lsp::state::diagnostics_mode::DiagnosticsMode;
use crate::lsp::state::document::Origin;
use crate::lsp::state::pull::DocumentPull;
use crate::lsp::state::scan_queue::{ScanQueue, ScanRequest};
use crate::lsp::state::{Event, State};
use cpz_text::diagnostic::Span;

/// A host that runs no job.
struct Idle;

impl Host for Idle {
    fn spawn(&self, _: JobKind, _: Box<dyn FnOnce() + Send>) {}
    fn runs_slow_searches(&self) -> bool {
        false
    }
    fn refresh(&self, _: Refresh) {}
    fn outbox_filled(&self) {}
    fn show_progress(&self, _: String, _: Arc<AtomicBool>) -> Option<ReportProgress> {
        None
    }
    fn log(&self, _: &str) {}
}

const URIS: [&str; 3] = ["untitled:a", "untitled:b", "untitled:c"];

/// A state with three open documents that are not analysed yet.
fn opened() -> (State, Receiver<Event>) {
    let (events, inbox) = channel();
    let mut state = State::new(Arc::new(Session::new(Arc::new(Idle))), events, |_, _| ());
    for uri in URIS {
        let text = Rope::from_str("puzzle \"one\" {\n");
        state.apply(Event::DidOpen { uri: uri.into(), version: 1, text });
    }
    (state, inbox)
}

/// Makes every reading of a document panic: its segments are longer than its text.
fn break_segments(state: &mut State, uri: &str) {
    let document = state.documents.get_mut(uri).expect("an open document");
    document.segments.edit(Span::at(0), 10_000);
}

fn has_results(state: &State, uri: &str) -> bool {
    state.documents[uri].is_current() && state.documents[uri].published.pushed.is_some()
}

#[test]
fn panic_in_one_document_does_not_drop_the_rest_of_the_batch() {
    let (mut state, _inbox) = opened();
    break_segments(&mut state, URIS[0]);
    state.analyse_and_publish(None);
    assert_eq!(URIS.map(|uri| has_results(&state, uri)), [false, true, true]);
    // It is in no queue, so it cannot panic again and again.
    assert!(!state.pipeline.is_pending(URIS[0]));
    // The next save analyses it.
    state.apply(Event::DidSave);
    state.analyse_and_publish(None);
    assert!(has_results(&state, URIS[0]));
}

#[test]
fn panic_in_a_partially_analysed_document_does_not_loop() {
    let (mut state, _inbox) = opened();
    state.analyse_and_publish(None);
    break_segments(&mut state, URIS[1]);
    state.pipeline.mark_partially_analysed(URIS[1]);
    let (sender, receiver) = channel();
    let reply = Box::new(move |_| sender.send(()).expect("a receiver"));
    state.apply(Event::PullDocument(DocumentPull { uri: URIS[1].into(), reply }));
    state.analyse_next_batch();
    assert!(!state.pipeline.has_partially_analysed());
    // No later event would answer it.
    assert!(receiver.try_recv().is_ok(), "the pull is answered");
    // The results of this text are forgotten, so a save requests them again.
    state.apply(Event::DidSave);
    state.analyse_and_publish(None);
    assert!(has_results(&state, URIS[1]));
}

#[test]
fn panic_in_a_report_keeps_the_analysis() {
    let (mut state, _inbox) = opened();
    state.analyse_and_publish(None);
    let panic = |_: &mut State, _: &str| panic!("a panic that the test expects");
    state.for_each_document([URIS[2]], "a report", panic, |_, _| ());
    assert!(has_results(&state, URIS[2]) && state.documents[URIS[2]].segments.stale() == 0);
}

#[test]
fn panic_ends_one_step_only() {
    let (mut state, _inbox) = opened();
    let mut done = Vec::new();
    let keys = URIS.map(String::from);
    let work = |_: &mut State, key: &str| {
        assert_ne!(key, URIS[1], "a panic that the test expects");
        done.push(key.to_string());
    };
    state.for_each_document(&keys, "a test", work, State::forget_analysis);
    assert_eq!(done, [URIS[0], URIS[2]]);
    assert_eq!(state.catch_panic("a test", |state| state.documents.len()), Some(3));
}

#[test]
fn scan_requests_are_merged_while_a_scan_runs() {
    let mut queue = ScanQueue::default();
    queue.request(ScanRequest { show_progress: true, ends_suppression: false });
    let (first, id, stop) = queue.begin().expect("the first scan");
    assert!(first.show_progress && id == 1);
    queue.suppress("/a.cpz");
    queue.request(ScanRequest { show_progress: false, ends_suppression: true });
    queue.request(ScanRequest::default());
    assert!(queue.begin().is_none());
    assert!(queue.end_suppression(1).is_empty());
    queue.invalidate();
    assert!(stop.load(std::sync::atomic::Ordering::Relaxed) && !queue.is_valid(1));
    queue.complete();
    let (second, id, _) = queue.begin().expect("the second scan");
    assert!(!second.show_progress && second.ends_suppression && id == 2 && queue.is_valid(2));
    assert_eq!(queue.end_suppression(2), ["/a.cpz"]);
    assert!(!queue.is_suppressed("/a.cpz"));
    queue.complete();
    assert!(queue.begin().is_none());
}

#[test]
fn diagnostics_mode_changes_only_for_clients_that_pull() {
    let mut mode = DiagnosticsMode::Push;
    assert!(!mode.on_workspace_pull() && !mode.on_workspace_pull_overdue() && !mode.keeps_results());
    let mut mode = DiagnosticsMode::PullOpen;
    assert!(!mode.pushes(Origin::OnDisk) && mode.on_workspace_pull_overdue());
    assert!(mode.pushes(Origin::OnDisk) && !mode.pushes(Origin::Open));
    assert!(mode.on_workspace_pull() && !mode.on_workspace_pull());
    assert!(!mode.pushes(Origin::OnDisk) && !mode.on_workspace_pull_overdue());
}
