//! One version of a document, for requests and searches on other threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ls_types::Location;
use ropey::Rope;

use cpz_check::analysis::{Config, Options, SegmentedText, Window};
use cpz_text::diagnostic::{Finding, Span};
use cpz_text::syntax::{Tree, parse};

/// One version of a document. Its text never changes: an edit makes the next snapshot. Derived data (tree,
/// findings, places of duplicates) is filled in as it becomes known.
pub(crate) struct Snapshot {
    /// Its URI, with all characters percent-encoded that must be.
    pub uri: String,
    /// The client's version number; nothing for a file that is not open.
    pub version: Option<i32>,
    pub rope: Rope,
    /// The configuration of its folder, overridden by the client's settings.
    pub config: Arc<Config>,
    /// Where the last edit ended; nothing for a text as it was opened.
    pub edited_at: Option<u32>,
    /// Where its puzzles are, once that is known.
    segments: Mutex<Option<SegmentedText>>,
    /// Kept only while a request uses it: a tree takes several times the memory of its text.
    tree: Mutex<Weak<Tree>>,
    /// What was last found in it; only for open documents.
    findings: Mutex<Option<Arc<Vec<Finding>>>>,
    /// The heads of its puzzles that have a duplicate, with the place of the other one; only for open documents.
    duplicates: Mutex<Option<Vec<(Span, Location)>>>,
    /// Whether slow searches for its findings run.
    searched: AtomicBool,
    /// Whether another snapshot has replaced it, and the flags that end slow requests on it.
    outdated: Mutex<(bool, Vec<Weak<AtomicBool>>)>,
}

impl Snapshot {
    pub fn new(uri: String, version: Option<i32>, rope: Rope, config: Arc<Config>) -> Snapshot {
        Snapshot {
            uri,
            version,
            rope,
            config,
            edited_at: None,
            segments: Mutex::default(),
            tree: Mutex::default(),
            findings: Mutex::default(),
            duplicates: Mutex::default(),
            searched: AtomicBool::new(false),
            outdated: Mutex::default(),
        }
    }

    /// The same text under another configuration.
    pub fn under(&self, config: Arc<Config>) -> Snapshot {
        Snapshot::new(self.uri.clone(), self.version, self.rope.clone(), config)
    }

    /// Another snapshot replaces this one: ends slow requests on it.
    pub fn outdate(&self) {
        let mut outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner);
        outdated.0 = true;
        for flag in outdated.1.drain(..).filter_map(|flag| flag.upgrade()) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Whether another snapshot has replaced it.
    pub fn is_outdated(&self) -> bool {
        self.outdated.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// Sets a flag when another snapshot replaces it, or now if one has.
    pub fn cancel_when_outdated(&self, flag: &Arc<AtomicBool>) {
        let mut outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner);
        flag.fetch_or(outdated.0, Ordering::Relaxed);
        outdated.1.retain(|flag| flag.strong_count() > 0);
        outdated.1.push(Arc::downgrade(flag));
    }

    pub fn set_searched(&self, searched: bool) {
        self.searched.store(searched, Ordering::Relaxed);
    }

    /// Whether slow searches for its findings run, or ran when the snapshot was replaced.
    pub fn is_searched(&self) -> bool {
        self.searched.load(Ordering::Relaxed)
    }

    /// The findings of the whole text, if they are known already.
    pub fn findings(&self) -> Option<Arc<Vec<Finding>>> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what was found, with the places of duplicates. Requests are about open documents, so the caller
    /// leaves this out for others.
    pub fn keep_findings(&self, findings: Vec<Finding>, duplicates: Vec<(Span, Location)>) {
        *self.findings.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(findings));
        *self.duplicates.lock().unwrap_or_else(PoisonError::into_inner) = Some(duplicates);
    }

    /// The duplicate of the puzzle whose head is at an offset, if it has one; nothing if duplicates are not known
    /// yet.
    pub fn duplicate_at(&self, offset: u32) -> Option<Option<Location>> {
        let duplicates = self.duplicates.lock().unwrap_or_else(PoisonError::into_inner);
        let at = |(span, _): &&(Span, Location)| span.start <= offset && offset <= span.end;
        Some(duplicates.as_ref()?.iter().find(at).map(|(_, location)| location.clone()))
    }

    /// Options for analyses of it.
    pub fn options(&self) -> Options {
        Options { answers: true, ..Options::new(self.config.clone()) }
    }

    /// Where its puzzles are, if that is known already.
    pub fn segments(&self) -> Option<SegmentedText> {
        self.segments.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps where its puzzles are. The document's newest value is kept, so that both share their memory.
    pub fn keep_segments(&self, segments: &SegmentedText) {
        *self.segments.lock().unwrap_or_else(PoisonError::into_inner) = Some(segments.clone());
    }

    fn read_segments(&self) -> SegmentedText {
        self.segments().unwrap_or_else(|| {
            let mut segments = SegmentedText::of(&self.rope, self.config.settings);
            segments.read(&self.rope);
            self.keep_segments(&segments);
            segments
        })
    }

    /// The segments that a range touches and the one before them; if they are many, `most` bytes of them.
    pub fn window(&self, range: Span, most: u32) -> Window {
        self.read_segments().window(&self.rope, range, most)
    }

    /// All puzzles in order, in windows of at most `most` bytes, or of one larger puzzle.
    pub fn windows(&self, most: u32) -> impl Iterator<Item = Window> {
        let (segments, mut start) = (self.read_segments(), 0);
        std::iter::from_fn(move || {
            let window = segments.window_from(&self.rope, start, most)?;
            start = window.start + window.tree.text().len() as u32;
            Some(window)
        })
    }

    /// The tree of the whole text.
    pub fn tree(&self) -> Arc<Tree> {
        let mut kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        kept.upgrade().unwrap_or_else(|| {
            let tree = Arc::new(parse(String::from(&self.rope)));
            *kept = Arc::downgrade(&tree);
            tree
        })
    }
}
