//! The one thread that owns all texts: edits are applied in the order in which they came, and what is
//! found is published when no message waits any more.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, PoisonError};

use ropey::Rope;
use rustc_hash::{FxHashMap, FxHashSet};
use tower_lsp::ls_types::TextDocumentContentChangeEvent;

use super::backend::Session;
use super::configured::Configured;
use super::convert::span;
use super::document::{Document, Snapshot};
use super::files::{is_collection, is_config};
use super::publish::{Pull, PullAll};
use super::settings::{Excludes, Settings};
use super::survey::{Folders, Found, Survey, configured, read};
use super::uris;
use crate::analysis::{FileReport, Pending, Twins};

/// What runs with a snapshot; nothing where the document is unknown or out of step.
pub(super) type Job = Box<dyn FnOnce(Option<Arc<Snapshot>>) + Send>;

/// A file analysed apart.
pub(super) struct Analysed {
    pub key: String,
    pub snapshot: Arc<Snapshot>,
    pub report: FileReport,
    pub pending: Vec<Pending>,
}

/// What the thread is told, in order.
pub(super) enum Event {
    /// The client writes a URI in a way of its own.
    Spelled { uri: String, told: String },
    /// A document was opened.
    Open { uri: String, version: i32, text: String },
    /// It was edited.
    Change { uri: String, version: i32, changes: Vec<TextDocumentContentChangeEvent> },
    /// An edit of it could not be read.
    OutOfStep(String),
    /// A document was saved, so all that is there is validated.
    Save,
    /// It was closed.
    Close(String),
    /// Somebody asks about it.
    Ask(String, Job),
    /// Somebody asks about all.
    AskAll(Box<dyn FnOnce(Vec<Arc<Snapshot>>) + Send>),
    /// Somebody asks what is found in it.
    Pull(Pull),
    /// Somebody asks what is found anywhere.
    PullAll(PullAll),
    /// Files were made, changed, deleted or renamed on the disk.
    Touched(Vec<String>),
    /// The workspace's folders.
    Folders { added: Vec<PathBuf>, removed: Vec<PathBuf> },
    /// The client's settings.
    Settings(Settings),
    /// What is configured in folders: in all that count, if it is the `whole`.
    Configured { folders: Folders, whole: bool },
    /// What was read from the disk.
    Read(Vec<Found>),
    /// What was found in files that are not open.
    Analysed(Vec<Analysed>),
    /// A slow search of a puzzle is done.
    Searched { key: String, puzzle: u128 },
    /// The session ends: who still waits for news gets none.
    Shutdown,
    /// Nobody listens any more.
    End,
}

/// How many messages are taken in before something is said in between.
const BATCH: usize = 4096;

pub(super) struct State {
    pub(super) session: Arc<Session>,
    pub(super) events: Sender<Event>,
    /// By path, or by URI where there is none: in the order in which `cpz check` has the files.
    pub(super) documents: BTreeMap<String, Document>,
    pub(super) folders: Vec<PathBuf>,
    pub(super) settings: Settings,
    /// What the settings leave out of the folders.
    excludes: Excludes,
    pub(super) configs: Configured,
    pub(super) twins: Twins,
    /// URIs as the client writes them, by what they are with all escaped that has to be.
    pub(super) spellings: FxHashMap<String, String>,
    /// What is to be analysed.
    pub(super) dirty: BTreeSet<String>,
    /// What was analysed and is to be linked.
    pub(super) fresh: BTreeSet<String>,
    /// Other files whose duplicates may be others now, by their numbers.
    pub(super) beside: FxHashSet<u32>,
    /// The URIs of those that have other findings than when somebody last asked for all.
    pub(super) changed: FxHashSet<String>,
    /// What the client itself changed since something was last said.
    pub(super) edited: FxHashSet<String>,
    /// Folders whose configuration is being looked for.
    asked: FxHashSet<PathBuf>,
    pub(super) pulls: Vec<Pull>,
    pub(super) workspace_pulls: Vec<PullAll>,
    /// Whether the client asks for the findings of the workspace: then nothing is pushed.
    pub(super) pulls_workspace: bool,
    /// Whether a walk of the workspace waits to begin.
    surveying: Arc<AtomicBool>,
}

/// What a document is known by.
pub(super) fn key(uri: &str) -> String {
    uris::path(uri).map_or_else(|| uri.to_string(), |p| p.to_string_lossy().into_owned())
}

impl State {
    pub fn new(session: Arc<Session>, events: Sender<Event>) -> State {
        State {
            session,
            events,
            documents: BTreeMap::new(),
            folders: Vec::new(),
            settings: Settings::default(),
            excludes: Excludes::default(),
            configs: Configured::default(),
            twins: Twins::default(),
            spellings: FxHashMap::default(),
            dirty: BTreeSet::new(),
            fresh: BTreeSet::new(),
            beside: FxHashSet::default(),
            changed: FxHashSet::default(),
            edited: FxHashSet::default(),
            asked: FxHashSet::default(),
            pulls: Vec::new(),
            workspace_pulls: Vec::new(),
            pulls_workspace: false,
            surveying: Arc::default(),
        }
    }

    /// Works until the end. What comes from the disk waits for what comes from the client, and for itself,
    /// a part at a time.
    pub fn run(mut self, inbox: &Receiver<Event>) {
        let mut later = VecDeque::new();
        loop {
            let idle = later.is_empty() && self.beside.is_empty();
            let first = match idle {
                true => inbox.recv().ok(),
                false => inbox.try_recv().ok(),
            };
            if first.is_none() && idle {
                return;
            }
            for event in first.into_iter().chain(inbox.try_iter().take(BATCH)) {
                match event {
                    Event::End => return self.documents.values().for_each(Document::end),
                    Event::Read(_) | Event::Analysed(_) => later.push_back(event),
                    event => self.apply(event),
                }
            }
            self.publish();
            if let Some(event) = later.pop_front() {
                self.apply(event);
                self.publish();
            } else {
                self.tell_beside();
            }
        }
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::Spelled { uri, told } => drop(self.spellings.insert(uri, told)),
            Event::Open { uri, version, text } => self.open(uri, version, &text),
            Event::Change { uri, version, changes } => self.change(&key(&uri), version, changes),
            Event::OutOfStep(uri) => {
                let key = key(&uri);
                if let Some(document) = self.documents.get_mut(&key).filter(|d| d.open) {
                    document.out_of_step = true;
                    self.edited.insert(key.clone());
                    self.dirty.insert(key);
                }
            }
            Event::Save => {
                for (key, document) in self.documents.iter_mut().filter(|(_, d)| d.open) {
                    if !document.is_current() {
                        document.due = true;
                        self.dirty.insert(key.clone());
                    }
                }
                self.survey(true, true);
            }
            Event::Close(uri) => self.close(&key(&uri)),
            Event::Ask(uri, job) => {
                let known = self.documents.get(&key(&uri));
                let snapshot = known.filter(|d| !d.out_of_step && !d.is_config).map(|d| d.snapshot.clone());
                self.session.pool.spawn(move || job(snapshot));
            }
            Event::AskAll(job) => {
                let known = self.documents.values().filter(|d| !d.out_of_step && !d.is_config && !d.excluded);
                let all = known.map(|d| d.snapshot.clone()).collect();
                self.session.pool.spawn(move || job(all));
            }
            Event::Pull(pull) => self.pulls.push(pull),
            Event::PullAll(pull) => self.begin_pull(pull),
            Event::Touched(uris) => self.touched(&uris),
            Event::Folders { added, removed } => {
                self.folders.retain(|f| !removed.contains(f));
                let gone = self.documents.iter().filter(|(key, d)| !d.open && !self.holds(Path::new(key)));
                let gone: Vec<String> = gone.map(|(key, _)| key.clone()).collect();
                // From the last, which others say the least of.
                gone.iter().rev().for_each(|key| self.forget(key));
                self.folders.extend(added);
                self.excludes = self.settings.excludes(&self.folders);
                self.survey(false, true);
            }
            Event::Settings(settings) => {
                self.settings = settings;
                self.excludes = self.settings.excludes(&self.folders);
                self.configs.forget_effective();
                self.reconfigure();
                // What is left out may be other files now.
                self.survey(false, true);
                if !self.settings.on_save {
                    let behind = self.documents.iter().filter(|(_, d)| d.open && !d.is_current());
                    self.dirty.extend(behind.map(|(key, _)| key.clone()));
                }
            }
            Event::Configured { folders, whole } => {
                self.asked.retain(|folder| !folders.contains_key(folder));
                let changed = self.configs.merge(folders, whole);
                for path in changed {
                    self.show_config(&path);
                }
                if whole {
                    let quiet = self.documents.iter_mut().filter(|(_, d)| d.quiet);
                    for (key, document) in quiet {
                        document.quiet = false;
                        self.changed.insert(document.snapshot.uri.clone());
                        self.fresh.insert(key.clone());
                    }
                }
                self.reconfigure();
            }
            Event::Read(files) => files.into_iter().for_each(|file| self.take_in(file)),
            Event::Analysed(files) => files.into_iter().for_each(|file| self.accept(file)),
            Event::Searched { key, puzzle } => {
                if let Some(document) = self.documents.get_mut(&key) {
                    document.searches.remove(&puzzle);
                    document.due |= document.is_current();
                    self.dirty.insert(key);
                    if document.open {
                        // Hints and lenses that waited for it can be shown now.
                        self.session.refresh.notify_one();
                    }
                }
            }
            Event::Shutdown => self.workspace_pulls.drain(..).for_each(|pull| (pull.reply)(Vec::new())),
            Event::End => {}
        }
    }

    fn open(&mut self, uri: String, version: i32, text: &str) {
        let key = key(&uri);
        let before = self.documents.remove(&key);
        let config = self.configs.of(self.place(&key).as_deref(), &self.settings).unwrap_or_default();
        let snapshot = Snapshot::new(uri, Some(version), Rope::from_str(text), config);
        let mut document = Document::new(snapshot, true);
        document.is_config = is_config(Path::new(&key));
        if let Some(before) = before {
            before.end();
            document.said = before.said;
        }
        self.documents.insert(key.clone(), document);
        self.take_over(&key);
        self.mark_excluded(&key);
        self.edited.insert(key.clone());
        self.dirty.insert(key);
    }

    fn change(&mut self, key: &str, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let encoding = self.session.encoding();
        let Some(document) = self.documents.get_mut(key).filter(|d| d.open) else { return };
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
        let (uri, config) = (document.snapshot.uri.clone(), document.snapshot.config.clone());
        document.replace(Snapshot::new(uri, Some(version), rope, config));
        self.edited.insert(key.to_string());
        self.dirty.insert(key.to_string());
    }

    /// What the file on the disk holds still counts for the others, but of itself nothing is said until
    /// all is validated again.
    fn close(&mut self, key: &str) {
        let Some(document) = self.documents.get_mut(key) else { return };
        let uri = document.snapshot.uri.clone();
        // Cleared once, below.
        document.said.shown = false;
        self.forget(key);
        // Cleared even if nothing was said: the client asked for an end.
        if !self.session.pulls() {
            self.clear(uri.clone());
        }
        self.spellings.remove(&uri);
        let path = PathBuf::from(key);
        if self.holds(&path) && !is_config(&path) {
            self.read(vec![path], true);
        }
    }

    /// A text from the disk; that of an open document is the client's business.
    fn take_in(&mut self, file: Found) {
        let key = file.path.to_string_lossy().into_owned();
        let known = self.documents.get_mut(&key);
        if known.as_ref().is_some_and(|d| d.open) {
            return;
        }
        let Some(text) = file.text else { return self.forget(&key) };
        let config = self.configs.of(Some(&file.path), &self.settings).unwrap_or_default();
        let mut document = match known {
            Some(known) if known.snapshot.rope == *text && known.snapshot.config == config => {
                known.stamp = file.stamp;
                return;
            }
            _ => Document::new(Snapshot::new(file.uri, None, Rope::from_str(&text), config), false),
        };
        if let Some(before) = self.documents.remove(&key) {
            before.end();
            (document.said, document.quiet) = (before.said, before.quiet);
        }
        document.quiet |= file.quiet;
        document.stamp = file.stamp;
        self.documents.insert(key.clone(), document);
        self.dirty.insert(key);
    }

    /// Takes a document away with all that was said of it.
    pub(super) fn forget(&mut self, key: &str) {
        let Some(document) = self.documents.remove(key) else { return };
        document.end();
        let mut tokens = self.session.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.remove(&document.snapshot.uri);
        drop(tokens);
        if document.said.shown {
            self.clear(document.snapshot.uri.clone());
        }
        self.changed.insert(document.snapshot.uri.clone());
        self.dirty.remove(key);
        self.fresh.remove(key);
        self.unlink(key);
    }

    /// Whether a path is below the workspace's folders.
    fn holds(&self, path: &Path) -> bool {
        self.folders.iter().any(|f| path.starts_with(f))
    }

    fn touched(&mut self, uris: &[String]) {
        let paths: Vec<PathBuf> = uris.iter().filter_map(|u| uris::path(u)).collect();
        // A folder, or what is configured: anything may be another.
        if paths.iter().any(|p| !is_collection(p)) {
            return self.survey(false, false);
        }
        let ours = paths.into_iter().filter(|p| self.holds(p)).collect();
        self.read(ours, false);
    }

    // ---- the disk

    /// Reads files on the thread for it.
    fn read(&self, paths: Vec<PathBuf>, quiet: bool) {
        let (events, excludes) = (self.events.clone(), self.excludes.clone());
        self.session.disk.spawn(move || {
            let _ = events.send(read(paths, &excludes, quiet));
        });
    }

    /// Looks at the whole workspace again, with its progress `shown` or not; unless it `must` be, not if
    /// that is to be done anyway.
    fn survey(&mut self, shown: bool, must: bool) {
        if self.surveying.swap(true, Ordering::Relaxed) && !must {
            return;
        }
        let known = self.documents.iter().filter(|(_, d)| !d.open);
        let cancel = Arc::new(AtomicBool::new(false));
        let survey = Survey {
            folders: self.folders.clone(),
            others: self.documents.iter().filter(|(_, d)| d.open).filter_map(|(k, _)| folder(k)).collect(),
            excludes: self.excludes.clone(),
            known: known.map(|(key, d)| (PathBuf::from(key), d.stamp)).collect(),
            cancel: cancel.clone(),
            progress: shown.then(|| self.session.progress(cancel)).flatten(),
        };
        let (events, waiting) = (self.events.clone(), self.surveying.clone());
        self.session.disk.spawn(move || {
            waiting.store(false, Ordering::Relaxed);
            survey.run(&events);
        });
    }

    // ---- configurations

    /// The path by which a document's configuration is found: one that is no file has that of the first
    /// folder.
    fn place(&self, key: &str) -> Option<PathBuf> {
        let path = PathBuf::from(key);
        match path.is_absolute() {
            true => Some(path),
            false => self.folders.first().map(|f| f.join("untitled.cpz")),
        }
    }

    /// Whether it is known what is configured for a document; if not, it is looked for.
    pub(super) fn is_configured(&mut self, key: &str) -> bool {
        let Some(folder) = self.place(key).and_then(|p| p.parent().map(Path::to_path_buf)) else {
            return true;
        };
        if self.configs.knows(&folder) {
            return true;
        }
        if self.asked.insert(folder.clone()) {
            let events = self.events.clone();
            self.session.look.spawn(move || {
                let _ = events.send(configured(&[folder]));
            });
        }
        false
    }

    /// Brings every document under what is configured for it now.
    fn reconfigure(&mut self) {
        let keys: Vec<String> = self.documents.keys().cloned().collect();
        let mut changed = false;
        for key in keys {
            let Some(config) = self.configs.of(self.place(&key).as_deref(), &self.settings) else { continue };
            self.mark_excluded(&key);
            let Some(document) = self.documents.get_mut(&key).filter(|d| !d.is_config) else { continue };
            if document.snapshot.config != config {
                changed = true;
                document.cancel_searches();
                document.replace(document.snapshot.under(config));
                document.due = true;
                self.dirty.insert(key);
            }
        }
        if changed {
            self.session.refresh.notify_one();
        }
    }

    fn mark_excluded(&mut self, key: &str) {
        let path = Path::new(key);
        let excluded = path.is_absolute() && self.excludes.holds(path, self.configs.file(path).as_deref());
        if let Some(document) = self.documents.get_mut(key).filter(|d| d.excluded != excluded) {
            document.excluded = excluded;
            document.due = true;
            self.dirty.insert(key.to_string());
        }
    }

    /// Says what is wrong with a configuration on the disk, unless the client has it open.
    fn show_config(&mut self, path: &Path) {
        let key = path.to_string_lossy().into_owned();
        if self.documents.get(&key).is_some_and(|d| d.open) {
            return;
        }
        let file = self.configs.current(path);
        let findings = file.as_ref().and_then(|f| f.config.as_ref().err()).cloned();
        let (Some(file), Some(findings), Some(uri)) = (file, findings, uris::uri(path)) else {
            return self.forget(&key);
        };
        let mut document =
            Document::new(Snapshot::new(uri, None, Rope::from_str(&file.text), Arc::default()), false);
        if let Some(before) = self.documents.remove(&key) {
            document.said = before.said;
        }
        document.is_config = true;
        document.found = Some((document.snapshot.clone(), Arc::new(FileReport::of(findings))));
        self.documents.insert(key.clone(), document);
        self.fresh.insert(key);
    }
}

fn folder(key: &str) -> Option<PathBuf> {
    let path = Path::new(key);
    path.parent().filter(|_| path.is_absolute()).map(Path::to_path_buf)
}

/// Searches under way, each with its flag to end it.
pub(super) type Searches = FxHashMap<u128, Arc<AtomicBool>>;
