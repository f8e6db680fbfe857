//! The one thread that owns all texts: edits are applied in the order in which they came, and what is
//! found is published when no message waits any more.

pub(crate) mod configs;
pub(crate) mod diagnostics;
pub(crate) mod document;
pub(crate) mod publish;
pub(crate) mod sync;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, PoisonError};

use ropey::Rope;
use rustc_hash::{FxHashMap, FxHashSet};
use tower_lsp::ls_types::TextDocumentContentChangeEvent;

use super::session::Session;
use crate::analysis::{DuplicateIndex, SegmentedText};
use crate::server::protocol::convert::span;
use crate::server::protocol::uris;
use crate::server::scan::{FileList, Folders, LoadedFiles, ScanProgress, configured};
use crate::server::session::settings::{Excludes, Settings};
use crate::server::state::configs::ConfigStore;
use crate::server::state::document::{Document, Snapshot};
use crate::server::state::publish::{DocumentPull, WorkspacePull};
use crate::server::state::sync::ScanRequest;
use crate::workspace::is_config;

/// What runs with a snapshot; nothing where the document is unknown or out of step.
pub(crate) type Job = Box<dyn FnOnce(Option<Arc<Snapshot>>) + Send>;

/// A file analysed apart.
pub(crate) struct Analysed {
    pub key: String,
    pub snapshot: Arc<Snapshot>,
    pub parts: SegmentedText,
}

/// What the thread is told, in order.
pub(crate) enum Event {
    /// The client writes a URI in a way of its own.
    ClientUri { uri: String, told: String },
    /// A document was opened.
    DidOpen { uri: String, version: i32, text: Rope },
    /// It was edited.
    DidChange { uri: String, version: i32, changes: Vec<TextDocumentContentChangeEvent> },
    /// An edit of it could not be read.
    EditLost(String),
    /// A document was saved, so all that is there is validated.
    DidSave,
    /// It was closed.
    DidClose(String),
    /// Somebody asks about it.
    WithSnapshot(String, Job),
    /// Somebody asks about all.
    WithAllSnapshots(Box<dyn FnOnce(Vec<Arc<Snapshot>>) + Send>),
    /// Somebody asks what is found in it.
    PullDocument(DocumentPull),
    /// Somebody asks what is found anywhere.
    PullWorkspace(WorkspacePull),
    /// The client has had time to ask for the findings of the workspace.
    WorkspacePullOverdue,
    /// It is time to see whether a configuration was changed.
    PollConfigs,
    /// Files were made, changed, deleted or renamed on the disk.
    FilesChanged(Vec<String>),
    /// The workspace's folders.
    FoldersChanged { added: Vec<PathBuf>, removed: Vec<PathBuf> },
    /// The client's settings.
    SettingsChanged(Settings),
    /// Some `cpz.toml` is another than when it was last looked at.
    ConfigsChanged,
    /// What is configured in folders: in all that count, if it comes from a survey.
    ConfigsLoaded { folders: Folders, survey: Option<u64> },
    /// Which files there are.
    ScanListed(FileList),
    /// What was read from the disk.
    ScanLoaded(LoadedFiles),
    /// A survey is at its end.
    ScanFinished,
    /// What was found in files that are not open.
    FilesAnalysed(Vec<Analysed>),
    /// A slow search of a puzzle is done.
    SearchFinished { key: String, puzzle: u128 },
    /// The session ends: who still waits for news gets none.
    Shutdown,
    /// Nobody listens any more.
    Stop,
}

/// How many messages are taken in before something is said in between.
const BATCH: usize = 4096;

pub(crate) struct State {
    pub(crate) session: Arc<Session>,
    pub(crate) events: Sender<Event>,
    /// By path, or by URI where there is none: in the order in which `cpz check` has the files.
    pub(crate) documents: BTreeMap<String, Document>,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) settings: Settings,
    /// What the settings leave out of the folders.
    pub(crate) excludes: Excludes,
    pub(crate) configs: ConfigStore,
    pub(crate) twins: DuplicateIndex,
    /// URIs as the client writes them where it does so in a way of its own, by document.
    pub(crate) spellings: FxHashMap<String, String>,
    /// Those of documents that are about to be opened, by what they are with all escaped that has to be.
    loose: FxHashMap<String, String>,
    /// What is to be analysed.
    pub(crate) dirty: BTreeSet<String>,
    /// What is analysed some parts at a time, when nothing else is to be done.
    pub(crate) unfinished: BTreeSet<String>,
    /// What was analysed and is to be linked.
    pub(crate) fresh: BTreeSet<String>,
    /// Other files whose duplicates may be others now, by their numbers.
    pub(crate) beside: FxHashSet<u32>,
    /// Those that have other findings than when somebody was last told of all.
    pub(crate) changed: FxHashSet<String>,
    /// What the client itself changed since something was last said.
    pub(crate) edited: FxHashSet<String>,
    /// Folders whose configuration is being looked for.
    asked: FxHashSet<PathBuf>,
    pub(crate) pulls: Vec<DocumentPull>,
    pub(crate) workspace_pulls: Vec<WorkspacePull>,
    /// Whether the client asks for the findings of the workspace: then nothing is pushed.
    pub(crate) pulls_workspace: bool,
    /// Whether it does ask, but has not asked for those of the workspace for a while: then what it does not
    /// have open is pushed.
    pub(crate) pushes_rest: bool,
    /// How many surveys were begun.
    pub(crate) surveys: u64,
    /// The first survey that counts: those before it were of other folders or under other settings.
    pub(crate) first: u64,
    /// What ends the one that is under way.
    pub(crate) surveying: Option<Arc<AtomicBool>>,
    /// Whether it ends the silence about what was closed before it.
    pub(crate) tells_all: bool,
    /// The next one.
    pub(crate) wanted: Option<ScanRequest>,
    /// The files that belong to the workspace, once that is known.
    pub(crate) listed: FxHashSet<String>,
    pub(crate) has_listed: bool,
    /// Which folders of the workspace are left out, in sentences.
    pub(crate) gaps: Vec<String>,
    /// Whether it has more than is read.
    pub(crate) beyond: bool,
    /// What was closed, with the first survey that was begun after it: nothing is said of it before.
    pub(crate) closed: FxHashMap<String, u64>,
    /// Tells configurations apart from those that were last looked at.
    pub(crate) polled: Arc<AtomicU64>,
    /// How much is done with what was just read.
    pub(crate) step: Option<ScanProgress>,
}

/// What a document is known by.
pub(crate) fn key(uri: &str) -> String {
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
            configs: ConfigStore::default(),
            twins: DuplicateIndex::default(),
            spellings: FxHashMap::default(),
            loose: FxHashMap::default(),
            dirty: BTreeSet::new(),
            unfinished: BTreeSet::new(),
            fresh: BTreeSet::new(),
            beside: FxHashSet::default(),
            changed: FxHashSet::default(),
            edited: FxHashSet::default(),
            asked: FxHashSet::default(),
            pulls: Vec::new(),
            workspace_pulls: Vec::new(),
            pulls_workspace: false,
            pushes_rest: false,
            surveys: 0,
            first: 0,
            surveying: None,
            tells_all: false,
            wanted: None,
            listed: FxHashSet::default(),
            has_listed: false,
            gaps: Vec::new(),
            beyond: false,
            closed: FxHashMap::default(),
            polled: Arc::default(),
            step: None,
        }
    }

    /// Works until the end. What comes from the disk waits for what comes from the client, and for itself,
    /// a part at a time.
    pub fn run(mut self, inbox: &Receiver<Event>) {
        let mut later = VecDeque::new();
        loop {
            let told = self.beside.is_empty() && !self.twins.has_moved();
            let idle = later.is_empty() && told && self.unfinished.is_empty();
            let first = match idle {
                true => inbox.recv().ok(),
                false => inbox.try_recv().ok(),
            };
            if first.is_none() && idle {
                return;
            }
            for event in first.into_iter().chain(inbox.try_iter().take(BATCH)) {
                match event {
                    Event::Stop => return self.documents.values().for_each(Document::end),
                    // In their own order.
                    Event::ScanListed(_)
                    | Event::ScanLoaded(_)
                    | Event::ScanFinished
                    | Event::FilesAnalysed(_) => {
                        later.push_back(event);
                    }
                    event => self.safely(|state| state.apply(event)),
                }
            }
            self.safely(State::publish);
            if !self.unfinished.is_empty() {
                self.safely(State::go_on);
            } else if let Some(event) = later.pop_front() {
                self.safely(|state| state.apply(event));
                self.safely(State::publish);
            } else {
                self.safely(State::tell_beside);
            }
        }
    }

    /// A panic ends what it happens in, and the session goes on.
    fn safely(&mut self, work: impl FnOnce(&mut State)) {
        let _ = catch_unwind(AssertUnwindSafe(|| work(self)));
    }

    fn apply(&mut self, event: Event) {
        match event {
            Event::ClientUri { uri, told } => drop(self.loose.insert(uri, told)),
            Event::DidOpen { uri, version, text } => self.open(uri, version, text),
            Event::DidChange { uri, version, changes } => self.change(&key(&uri), version, changes),
            Event::EditLost(uri) => {
                let key = key(&uri);
                if let Some(document) = self.documents.get_mut(&key).filter(|d| d.open) {
                    document.out_of_step = true;
                    self.edited.insert(key.clone());
                    self.dirty.insert(key);
                }
            }
            Event::DidSave => {
                for (key, document) in self.documents.iter_mut().filter(|(_, d)| !d.is_current()) {
                    document.due = true;
                    self.dirty.insert(key.clone());
                }
                self.survey(ScanRequest { shown: true, all: true });
            }
            Event::DidClose(uri) => self.close(&key(&uri)),
            Event::WithSnapshot(uri, job) => {
                let known = self.documents.get_mut(&key(&uri));
                let snapshot = known.filter(|d| !d.out_of_step && !d.is_config).map(|document| {
                    document.read();
                    document.snapshot.clone()
                });
                self.session.pool.spawn(move || job(snapshot));
            }
            Event::WithAllSnapshots(job) => {
                let known = self.documents.values().filter(|d| !d.out_of_step && !d.is_config && !d.excluded);
                let all = known.map(|d| d.snapshot.clone()).collect();
                self.session.pool.spawn(move || job(all));
            }
            Event::PullDocument(pull) => self.pulls.push(pull),
            Event::PullWorkspace(pull) => self.begin_pull(pull),
            Event::PollConfigs => self.poll(),
            // Whoever has asked for all is told nothing.
            Event::WorkspacePullOverdue if self.pulls_workspace => {}
            Event::WorkspacePullOverdue => {
                self.pushes_rest = true;
                let closed = self.documents.iter().filter(|(_, d)| !d.open && d.found.is_some());
                self.fresh.extend(closed.map(|(key, _)| key.clone()));
            }
            Event::FilesChanged(uris) => self.touched(&uris),
            Event::FoldersChanged { added, removed } => {
                self.folders.retain(|f| !removed.contains(f));
                let new: Vec<PathBuf> = added.into_iter().filter(|f| !self.folders.contains(f)).collect();
                self.folders.extend(new);
                self.keep_only(|state, key| state.holds(Path::new(key)));
                self.excludes = self.settings.excludes(&self.folders);
                self.survey_anew();
            }
            Event::SettingsChanged(settings) => {
                self.settings = settings;
                self.excludes = self.settings.excludes(&self.folders);
                self.configs.forget_effective();
                self.reconfigure();
                // What is left out may be other files now.
                self.survey_anew();
                if !self.settings.on_save {
                    let behind = self.documents.iter().filter(|(_, d)| d.open && !d.is_current());
                    self.dirty.extend(behind.map(|(key, _)| key.clone()));
                }
            }
            Event::ConfigsChanged => self.survey(ScanRequest { shown: false, all: true }),
            Event::ConfigsLoaded { survey: Some(number), .. } if number < self.first => {}
            Event::ConfigsLoaded { folders, survey } => {
                self.asked.retain(|folder| !folders.contains_key(folder));
                // A folder may have been asked for since the survey was begun.
                let open = self.documents.iter().filter(|(_, d)| d.open);
                let kept =
                    open.filter_map(|(key, _)| Path::new(key).parent().map(Path::to_path_buf)).collect();
                let changed = self.configs.merge(folders, survey.is_some().then_some(kept));
                for path in changed {
                    self.show_config(&path);
                }
                self.reconfigure();
            }
            Event::ScanListed(listed) if listed.number < self.first => {}
            Event::ScanListed(listed) => self.list(listed),
            Event::ScanLoaded(part) if part.number < self.first => {}
            Event::ScanLoaded(part) => {
                self.step = part.step;
                part.files.into_iter().for_each(|file| self.take_in(file));
            }
            Event::ScanFinished => {
                self.surveying = None;
                self.begin_survey();
            }
            Event::FilesAnalysed(files) => files.into_iter().for_each(|file| self.accept(file)),
            Event::SearchFinished { key, puzzle } => {
                if let Some(document) = self.documents.get_mut(&key) {
                    document.searches.remove(&puzzle);
                    document.parts.forget_pending(puzzle);
                    document.snapshot.set_searched(!document.searches.is_empty());
                    document.due |= document.is_current();
                    self.dirty.insert(key);
                    if document.open {
                        // Hints and lenses that waited for it can be shown now.
                        self.session.refresh();
                    }
                }
            }
            Event::Shutdown => self.workspace_pulls.drain(..).for_each(|pull| (pull.reply)(Vec::new())),
            Event::Stop => {}
        }
    }

    fn open(&mut self, uri: String, version: i32, text: Rope) {
        let key = key(&uri);
        let before = self.documents.remove(&key);
        // What is opened mostly is as it was on the disk: there is no need to keep it twice.
        let known = before.as_ref().map(|d| &d.snapshot.rope).filter(|rope| **rope == text);
        let text = known.cloned().unwrap_or(text);
        let shown = before.as_ref().filter(|d| d.said.shown).map(|d| self.told(&key, &d.snapshot.uri));
        let told = self.loose.remove(&uri).unwrap_or_else(|| uri.clone());
        // One file has one name in what is told, from now on this one.
        let renamed = shown.filter(|before| *before != told);
        renamed.iter().for_each(|before| self.clear(before.clone()));
        self.spellings.insert(key.clone(), told);
        let config = self.configs.of(self.place(&key).as_deref(), &self.settings).unwrap_or_default();
        let snapshot = Snapshot::new(uri, Some(version), text, config);
        let mut document = Document::new(snapshot, true);
        document.is_config = is_config(Path::new(&key));
        // A file that was not listed: a new one, one from elsewhere, one of the workspace by another name.
        document.apart = match Path::new(&key).is_absolute() {
            true => self.has_listed && !self.listed.contains(&key),
            // What an older version of a file is shown as.
            false => uris::path_of_any(&key)
                .is_some_and(|path| self.listed.contains(&path) || self.documents.contains_key(&path)),
        };
        if let Some(before) = before {
            before.end();
            let (old, new) = (&before.snapshot, &document.snapshot);
            if old.rope == new.rope && old.config == new.config && before.parts.stale() == 0 {
                document.parts = before.parts;
            }
            (document.said, document.found) = (before.said, before.found);
            document.said.shown &= renamed.is_none();
        }
        self.documents.insert(key.clone(), document);
        self.closed.remove(&key);
        self.take_over(&key);
        self.mark_excluded(&key);
        if !self.listed.contains(&key) && Path::new(&key).is_absolute() {
            // Whether it belongs to the workspace is to be found out.
            self.survey(ScanRequest::default());
        }
        self.edited.insert(key.clone());
        self.dirty.insert(key);
    }

    fn change(&mut self, key: &str, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let encoding = self.session.agreed().encoding;
        let Some(document) = self.documents.get_mut(key).filter(|d| d.open) else { return };
        let mut rope = document.snapshot.rope.clone();
        for change in changes {
            match change.range {
                None => {
                    rope = Rope::from_str(&change.text);
                    let config = document.snapshot.config.clone();
                    document.begin(&rope, &config);
                    document.out_of_step = false;
                }
                Some(range) => {
                    let span = span(&rope, range, encoding);
                    document.parts.edit(span, change.text.len() as u32);
                    document.edited = span.start;
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
        if !self.session.agreed().pulls {
            self.clear(self.told(key, &uri));
        }
        if !Path::new(key).is_absolute() {
            self.spellings.remove(key);
        }
        let path = PathBuf::from(key);
        if is_config(&path) {
            // What it holds on the disk may be wrong all the same.
            self.show_config(&path);
        }
        if path.is_absolute() {
            self.closed.insert(key.to_string(), self.surveys + 1);
            self.survey(ScanRequest::default());
        }
    }

    /// Takes a document away with all that was said of it.
    pub(crate) fn forget(&mut self, key: &str) {
        let Some(document) = self.documents.remove(key) else { return };
        document.end();
        let mut tokens = self.session.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.remove(&document.snapshot.uri);
        drop(tokens);
        if document.said.shown {
            self.clear(self.told(key, &document.snapshot.uri));
        }
        self.changed.insert(key.to_string());
        self.dirty.remove(key);
        self.unfinished.remove(key);
        self.fresh.remove(key);
        self.unlink(key);
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
    pub(crate) fn is_configured(&mut self, key: &str) -> bool {
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
                document.configure(config);
                document.due = true;
                self.dirty.insert(key);
            }
        }
        if changed {
            self.session.refresh();
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
}
