//! The one thread that owns all texts: edits are applied in the order in which they came, and what is
//! found is published when no message waits any more.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, PoisonError};

use ropey::Rope;
use rustc_hash::FxHashMap;
use tower_lsp::ls_types::{Location, TextDocumentContentChangeEvent};

use super::backend::Session;
use super::convert::{range, span};
use super::diagnostics::diagnostics;
use super::document::Snapshot;
use super::outbox::Publish;
use super::{files, uris};
use crate::analysis::{FileReport, Pending, Placed, duplicates, settle};
use crate::syntax::MAX_TEXT;

/// What runs with a snapshot; nothing where the document is unknown or out of step.
pub(super) type Job = Box<dyn FnOnce(Option<Arc<Snapshot>>) + Send>;

/// What the thread is told, in order.
pub(super) enum Event {
    /// A document was opened.
    Open { uri: String, version: i32, text: String },
    /// It was edited.
    Change { uri: String, version: i32, changes: Vec<TextDocumentContentChangeEvent> },
    /// An edit of it could not be read.
    OutOfStep(String),
    /// It was saved, so all that is there is validated.
    Save,
    /// It was closed.
    Close(String),
    /// Somebody asks about it.
    Ask(String, Job),
    /// Somebody asks about all.
    AskAll(Box<dyn FnOnce(Vec<Arc<Snapshot>>) + Send>),
    /// Files were made, changed, deleted or renamed on the disk.
    Touched(Vec<String>),
    /// The workspace's folders.
    Folders { added: Vec<PathBuf>, removed: Vec<PathBuf> },
    /// What was read from the disk: nothing for a text that is gone.
    Read(Vec<(String, Option<String>)>),
    /// A slow search of a puzzle is done.
    Searched { uri: String, key: u128 },
}

/// The nodes of the first, fast pass; a search that wants more is done apart.
pub(super) const QUICK: u64 = 20_000;
/// How many messages are taken in before something is said in between.
const BATCH: usize = 4096;

struct Document {
    snapshot: Arc<Snapshot>,
    open: bool,
    /// An edit was lost: nothing is said of the text until it arrives whole.
    out_of_step: bool,
    /// Whether it changed since it was analysed.
    dirty: bool,
    report: Option<Arc<FileReport>>,
    /// Searches under way, each with its flag to end it.
    searches: FxHashMap<u128, Arc<AtomicBool>>,
    /// A hash of what was published last.
    published: Option<u64>,
}

impl Document {
    fn new(snapshot: Snapshot, open: bool) -> Document {
        Document {
            snapshot: Arc::new(snapshot),
            open,
            out_of_step: false,
            dirty: true,
            report: None,
            searches: FxHashMap::default(),
            published: None,
        }
    }
}

pub(super) struct State {
    session: Arc<Session>,
    events: Sender<Event>,
    documents: BTreeMap<String, Document>,
    folders: Vec<PathBuf>,
}

impl State {
    pub fn new(session: Arc<Session>, events: Sender<Event>) -> State {
        State { session, events, documents: BTreeMap::new(), folders: Vec::new() }
    }

    /// Works until nobody sends any more.
    pub fn run(mut self, inbox: &Receiver<Event>) {
        while let Ok(first) = inbox.recv() {
            self.apply(first);
            for event in inbox.try_iter().take(BATCH) {
                self.apply(event);
            }
            self.publish();
        }
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::Open { uri, version, text } => {
                let rope = Rope::from_str(&text);
                let published = self.documents.remove(&uri).and_then(|d| self.end(d).published);
                let mut document =
                    Document::new(Snapshot::new(uri.clone(), Some(version), rope, Arc::default()), true);
                document.published = published;
                self.documents.insert(uri, document);
            }
            Event::Change { uri, version, changes } => self.change(&uri, version, changes),
            Event::OutOfStep(uri) => {
                if let Some(document) = self.documents.get_mut(&uri).filter(|d| d.open) {
                    document.out_of_step = true;
                    document.dirty = true;
                }
            }
            Event::Save => self.read_folders(self.folders.clone()),
            Event::Close(uri) => {
                if let Some(document) = self.documents.remove(&uri) {
                    self.end(document);
                    self.clear(uri.clone());
                    // What the file on the disk holds still counts for the others.
                    self.read(vec![uri]);
                }
            }
            Event::Ask(uri, job) => {
                let found = self.documents.get(&uri).filter(|d| !d.out_of_step);
                let snapshot = found.map(|d| d.snapshot.clone());
                self.session.pool.spawn(move || job(snapshot));
            }
            Event::AskAll(job) => {
                let known = self.documents.values().filter(|d| !d.out_of_step);
                let all = known.map(|d| d.snapshot.clone()).collect();
                self.session.pool.spawn(move || job(all));
            }
            Event::Touched(uris) => self.read(uris),
            Event::Folders { added, removed } => {
                self.folders.retain(|f| !removed.contains(f));
                let gone = self.documents.iter().filter(|(uri, d)| !d.open && !self.holds(uri));
                let gone: Vec<String> = gone.map(|(uri, _)| uri.clone()).collect();
                gone.into_iter().for_each(|uri| self.forget(&uri));
                self.folders.extend(added.iter().cloned());
                self.read_folders(added);
            }
            Event::Read(files) => files.into_iter().for_each(|(uri, text)| self.take_in(uri, text)),
            Event::Searched { uri, key } => {
                if let Some(document) = self.documents.get_mut(&uri) {
                    document.searches.remove(&key);
                    document.dirty = true;
                    // Hints and lenses that waited for it can be shown now.
                    self.session.refresh.notify_one();
                }
            }
        }
    }

    fn change(&mut self, uri: &str, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let encoding = self.session.encoding();
        let Some(document) = self.documents.get_mut(uri).filter(|d| d.open) else { return };
        let mut rope = document.snapshot.rope.clone();
        for change in changes {
            match change.range {
                None => {
                    rope = Rope::from_str(&change.text);
                    document.out_of_step = false;
                }
                Some(range) => {
                    let span = span(&rope, range, encoding);
                    let chars = rope.byte_to_char(span.start as usize)..rope.byte_to_char(span.end as usize);
                    let at = chars.start;
                    rope.remove(chars);
                    rope.insert(at, &change.text);
                }
            }
        }
        document.snapshot = Arc::new(Snapshot::new(uri.to_string(), Some(version), rope, Arc::default()));
        document.dirty = true;
    }

    /// A text from the disk; that of an open document is the client's business.
    fn take_in(&mut self, uri: String, text: Option<String>) {
        let known = self.documents.get(&uri);
        if known.is_some_and(|d| d.open) {
            return;
        }
        match text {
            None => self.forget(&uri),
            Some(text) => {
                if known.is_some_and(|d| d.snapshot.rope == *text) {
                    return;
                }
                let published = self.documents.remove(&uri).and_then(|d| self.end(d).published);
                let snapshot = Snapshot::new(uri.clone(), None, Rope::from_str(&text), Arc::default());
                let mut document = Document::new(snapshot, false);
                document.published = published;
                self.documents.insert(uri, document);
            }
        }
    }

    fn forget(&mut self, uri: &str) {
        if let Some(document) = self.documents.remove(uri) {
            let said = document.published.is_some();
            self.end(document);
            if said {
                self.clear(uri.to_string());
            }
        }
    }

    /// Ends the searches of a document.
    fn end(&self, document: Document) -> Document {
        document.searches.values().for_each(|cancel| cancel.store(true, Ordering::Relaxed));
        document
    }

    fn clear(&self, uri: String) {
        self.session.outbox.put(Publish { uri, version: None, diagnostics: Vec::new() });
    }

    /// Whether a URI is of a file below the workspace's folders.
    fn holds(&self, uri: &str) -> bool {
        uris::path(uri).is_some_and(|p| self.folders.iter().any(|f| p.starts_with(f)))
    }

    /// Reads files on a thread of their own; those outside of the workspace are nobody's business.
    fn read(&self, uris: Vec<String>) {
        let wanted: Vec<String> = uris.into_iter().filter(|u| self.holds(u)).collect();
        let events = self.events.clone();
        self.session.disk.spawn(move || {
            let one = |uri: String| {
                let path = uris::path(&uri).filter(|p| files::is_collection(p));
                let text = path.and_then(|p| files::load(&p));
                (uri, text)
            };
            let _ = events.send(Event::Read(wanted.into_iter().map(one).collect()));
        });
    }

    /// Reads whole folders again, and forgets what is gone from them.
    fn read_folders(&self, folders: Vec<PathBuf>) {
        let events = self.events.clone();
        let unopened = self.documents.iter().filter(|(_, d)| !d.open).map(|(uri, _)| uri.clone());
        let unopened: Vec<String> = unopened.collect();
        self.session.disk.spawn(move || {
            let found: Vec<PathBuf> = folders.iter().flat_map(|f| files::walk(f).0).collect();
            let known: rustc_hash::FxHashSet<String> = found.iter().filter_map(|p| uris::uri(p)).collect();
            let below =
                |uri: &String| uris::path(uri).is_some_and(|p| folders.iter().any(|f| p.starts_with(f)));
            let gone = unopened.into_iter().filter(|u| !known.contains(u) && below(u)).map(|u| (u, None));
            let _ = events.send(Event::Read(gone.collect()));
            // In parts, so that what the client asks in between need not wait for all.
            for part in found.chunks(256) {
                let read = part.iter().filter_map(|p| Some((uris::uri(p)?, files::load(p)))).collect();
                let _ = events.send(Event::Read(read));
            }
        });
    }

    /// Analyses what changed, links all, and publishes what is new.
    fn publish(&mut self) {
        if !self.documents.values().any(|d| d.dirty) {
            return;
        }
        let mut edited = Vec::new();
        for (uri, document) in self.documents.iter_mut().filter(|(_, d)| d.dirty) {
            document.dirty = false;
            edited.push(uri.clone());
            if document.out_of_step || document.snapshot.rope.len_bytes() > MAX_TEXT {
                document.report = None;
                continue;
            }
            let tree = document.snapshot.tree();
            let (report, pending) = self.session.cache.analyse(tree, &document.snapshot.options(), QUICK);
            document.report = Some(Arc::new(report));
            search(&self.session, &self.events, document, &pending);
        }
        self.publish_linked(&edited);
    }

    fn publish_linked(&mut self, edited: &[String]) {
        let encoding = self.session.encoding();
        let linked: Vec<(&String, &Document, &Arc<FileReport>)> =
            self.documents.iter().filter_map(|(u, d)| Some((u, d, d.report.as_ref()?))).collect();
        let reports: Vec<&FileReport> = linked.iter().map(|(_, _, r)| &***r).collect();
        let describe = |file: usize, span: crate::syntax::Span| {
            let (uri, document, _) = linked[file];
            let line = document.snapshot.rope.byte_to_line(span.start as usize) + 1;
            format!("{}:{line}", self.name(uri))
        };
        let mut more: FxHashMap<usize, Vec<Placed>> = FxHashMap::default();
        for placed in duplicates(&reports, describe) {
            more.entry(placed.file).or_default().push(placed);
        }
        let mut said: Vec<(String, u64)> = Vec::new();
        for (i, (uri, document, report)) in linked.iter().enumerate() {
            let is_edited = edited.binary_search(uri).is_ok();
            let more = more.remove(&i).unwrap_or_default();
            // A file without a duplicate that was not edited has nothing new to say.
            let stamp = stamp(&more, document.snapshot.version);
            if !is_edited && document.published.is_some_and(|p| p == stamp) {
                continue;
            }
            let twins = more.iter().filter_map(|placed| {
                let related = placed.finding.related.first()?;
                let (_, there, _) = linked.get(related.file.map_or(i, |f| f as usize))?;
                let place = range(&there.snapshot.rope, related.span, encoding);
                let uri = there.snapshot.uri.parse().ok()?;
                Some((placed.finding.span, Location { uri, range: place }))
            });
            let twins: Vec<_> = twins.collect();
            let mut known = self.session.twins.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert((*uri).clone(), twins);
            drop(known);
            let settled = settle(report, more.into_iter().map(|p| (p.puzzle, p.finding)));
            let findings = settled.findings().into_iter().map(|(f, _)| f).collect();
            let other = |file: u32| linked.get(file as usize).map(|(_, d, _)| &*d.snapshot);
            let found = diagnostics(&document.snapshot, findings, &settled.severities, encoding, other);
            said.push(((*uri).clone(), stamp));
            if document.open || document.published.is_some() || !found.is_empty() {
                let (uri, version) = ((*uri).clone(), document.snapshot.version);
                self.session.outbox.put(Publish { uri, version, diagnostics: found });
            }
        }
        // Of a text that is out of step everything said before is wrong.
        for uri in edited {
            if let Some(document) = self.documents.get(uri).filter(|d| d.report.is_none()) {
                let version = document.snapshot.version;
                self.session.outbox.put(Publish { uri: uri.clone(), version, diagnostics: Vec::new() });
            }
        }
        for (uri, stamp) in said {
            if let Some(document) = self.documents.get_mut(&uri) {
                document.published = Some(stamp);
            }
        }
    }

    /// A document's name in messages: below its folder of the workspace as `cpz check` has it there.
    fn name(&self, uri: &str) -> String {
        let Some(path) = uris::path(uri) else { return uri.to_string() };
        let below = self.folders.iter().find_map(|f| path.strip_prefix(f).ok());
        below.unwrap_or(&path).to_string_lossy().into_owned()
    }
}

/// What is said of a file because of others; a change of its own text is published anyway.
fn stamp(more: &[Placed], version: Option<i32>) -> u64 {
    let mut h = DefaultHasher::new();
    version.hash(&mut h);
    for placed in more {
        (placed.puzzle, &placed.finding.message).hash(&mut h);
        placed.finding.related.iter().for_each(|r| (r.file, r.span).hash(&mut h));
    }
    h.finish()
}

/// Starts the searches that a text wants, and ends those that it no longer does.
fn search(session: &Arc<Session>, events: &Sender<Event>, document: &mut Document, pending: &[Pending]) {
    document.searches.retain(|key, cancel| {
        let wanted = pending.iter().any(|p| p.key == *key);
        if !wanted {
            cancel.store(true, Ordering::Relaxed);
        }
        wanted
    });
    for &Pending { key, offset } in pending {
        if document.searches.contains_key(&key) {
            continue;
        }
        let cancel = Arc::new(AtomicBool::new(false));
        document.searches.insert(key, cancel.clone());
        let (session, events) = (session.clone(), events.clone());
        let (tree, uri) = (document.snapshot.tree().clone(), document.snapshot.uri.clone());
        let options = document.snapshot.options();
        let searcher = session.clone();
        searcher.searches.spawn(move || {
            if cancel.load(Ordering::Relaxed) {
                return;
            }
            let options = crate::analysis::Options { cancel: Some(cancel.clone()), ..options };
            if let Some((puzzle, settings)) =
                crate::analysis::puzzle_at(&tree, options.config.settings, offset)
            {
                session.cache.report(puzzle, settings, &options);
            }
            if !cancel.load(Ordering::Relaxed) {
                let _ = events.send(Event::Searched { uri, key });
            }
        });
    }
}
