//! A text as the client has it, at one version.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use ropey::Rope;
use rustc_hash::FxHashMap;
use tower_lsp::ls_types::{Diagnostic, Location};

use crate::analysis::{Config, DuplicateIndex, Options, SegmentedText, Source, Window};
use crate::diagnostic::{Finding, Span};
use crate::server::scan::Stamp;
use crate::syntax::{MAX_TEXT, Tree, parse};

impl Source for Rope {
    fn len(&self) -> u32 {
        self.len_bytes() as u32
    }

    fn read(&self, range: Span) -> String {
        let end = self.char_to_byte(self.byte_to_char(range.end as usize));
        String::from(self.byte_slice(range.start as usize..end))
    }
}

/// A document as the server has it.
pub(crate) struct Document {
    /// Its text.
    pub snapshot: Arc<Snapshot>,
    /// What is known of that.
    pub parts: SegmentedText,
    /// Whether all of that was known once: then what is typed is told before the rest is looked at anew.
    pub complete: bool,
    /// Where it was edited last.
    pub edited: u32,
    /// Its own duplicates, if it is not compared with others.
    pub alone: DuplicateIndex,
    /// Whether the client has it open; else it is a file of the workspace.
    pub open: bool,
    /// Whether it is a `cpz.toml`.
    pub is_config: bool,
    /// An edit was lost: nothing is said of the text until it arrives whole.
    pub out_of_step: bool,
    /// Whether it is left out.
    pub excluded: bool,
    /// Whether it is not compared with others: a file of the workspace that does not belong to it, or one
    /// that does by another name.
    pub apart: bool,
    /// Whether nothing is said of it until all is validated again.
    pub quiet: bool,
    /// Whether it is to be analysed even if findings wait for a save.
    pub due: bool,
    /// How its file was when it was read.
    pub stamp: Option<Stamp>,
    /// What was found last, and in which text.
    pub found: Option<Found>,
    /// Searches under way, each with its flag to end it.
    pub searches: FxHashMap<u128, Arc<AtomicBool>>,
    /// What the client was told.
    pub said: Said,
}

/// What was found in a text.
#[derive(Clone)]
pub(crate) struct Found {
    pub snapshot: Arc<Snapshot>,
    /// Nothing for a configuration.
    pub parts: SegmentedText,
    /// What is wrong with a configuration.
    pub mistakes: Vec<Finding>,
}

/// What the client was told of a document.
#[derive(Default)]
pub(crate) struct Said {
    /// A hash of what is said because of other files.
    pub more: Option<u64>,
    /// A hash of what was pushed last.
    pub pushed: Option<u64>,
    /// Whether that was more than nothing.
    pub shown: bool,
    /// What it can ask for, and the number of that.
    pub result: Option<(u64, Arc<Vec<Diagnostic>>)>,
}

impl Document {
    pub fn new(snapshot: Snapshot, open: bool) -> Document {
        Document {
            parts: SegmentedText::of(&snapshot.rope, snapshot.config.settings),
            complete: false,
            edited: 0,
            alone: DuplicateIndex::default(),
            snapshot: Arc::new(snapshot),
            open,
            is_config: false,
            out_of_step: false,
            excluded: false,
            apart: false,
            quiet: false,
            due: true,
            stamp: None,
            found: None,
            searches: FxHashMap::default(),
            said: Said::default(),
        }
    }

    /// Whether what was found last was found in the text as it is.
    pub fn is_current(&self) -> bool {
        self.found.as_ref().is_some_and(|found| Arc::ptr_eq(&found.snapshot, &self.snapshot))
    }

    /// Ends all searches.
    pub fn cancel_searches(&mut self) {
        self.searches.values().for_each(|cancel| cancel.store(true, Ordering::Relaxed));
        self.searches.clear();
        self.snapshot.set_searched(false);
    }

    /// Finds the puzzles of the text, so that it can be asked about.
    pub fn read(&mut self) {
        if !self.parts.is_read() || self.snapshot.parts().is_none() {
            let Snapshot { rope, config, .. } = &*self.snapshot;
            match rope.len_bytes() > MAX_TEXT {
                // Nothing is said of it.
                true => self.parts = SegmentedText::unknown(rope, config.settings),
                false => self.parts.read(rope),
            }
            self.snapshot.keep_parts(&self.parts);
        }
    }

    /// Puts the same text under another configuration.
    pub fn configure(&mut self, config: Arc<Config>) {
        let snapshot = self.snapshot.under(config);
        self.begin(&snapshot.rope, &snapshot.config);
        self.replace(snapshot);
    }

    /// Nothing is known of a text that takes the place of this one.
    pub fn begin(&mut self, rope: &Rope, config: &Config) {
        self.parts = SegmentedText::of(rope, config.settings);
        self.complete = false;
    }

    /// Puts another text in the place of this one. The parts are the caller's business.
    pub fn replace(&mut self, snapshot: Snapshot) {
        self.snapshot.outdate();
        self.snapshot = Arc::new(snapshot);
    }

    /// Ends all searches of a document that goes.
    pub fn end(&self) {
        self.snapshot.outdate();
        self.searches.values().for_each(|cancel| cancel.store(true, Ordering::Relaxed));
    }
}

/// One version of a document. Never changes: an edit makes the next one.
pub(crate) struct Snapshot {
    /// Its URI, with what has no place in one escaped.
    pub uri: String,
    /// The client's number for it; nothing for a file that is not open.
    pub version: Option<i32>,
    /// The text.
    pub rope: Rope,
    /// What is configured where it stands, with the client's settings on top.
    pub config: Arc<Config>,
    /// Where its puzzles are, once somebody wants to know.
    parts: Mutex<Option<SegmentedText>>,
    tree: Mutex<Weak<Tree>>,
    /// What was last found in it, if it is open.
    findings: Mutex<Option<Arc<Vec<Finding>>>>,
    /// Its duplicates, once they are known: a puzzle's head, and the other one.
    twins: Mutex<Option<Vec<(Span, Location)>>>,
    /// Whether slow searches for its findings are under way.
    searched: AtomicBool,
    /// Whether another text has taken its place, and what ends the long requests about it.
    outdated: Mutex<(bool, Vec<Weak<AtomicBool>>)>,
}

impl Snapshot {
    pub fn new(uri: String, version: Option<i32>, rope: Rope, config: Arc<Config>) -> Snapshot {
        Snapshot {
            uri,
            version,
            rope,
            config,
            parts: Mutex::default(),
            tree: Mutex::default(),
            findings: Mutex::default(),
            twins: Mutex::default(),
            searched: AtomicBool::new(false),
            outdated: Mutex::default(),
        }
    }

    /// The same text under another configuration.
    pub fn under(&self, config: Arc<Config>) -> Snapshot {
        Snapshot::new(self.uri.clone(), self.version, self.rope.clone(), config)
    }

    /// Another text takes its place: long requests about it end.
    pub fn outdate(&self) {
        let mut outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner);
        outdated.0 = true;
        for flag in outdated.1.drain(..).filter_map(|flag| flag.upgrade()) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Whether another text has taken its place.
    pub fn is_outdated(&self) -> bool {
        self.outdated.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// Sets a flag when another text takes its place.
    pub fn ends(&self, flag: &Arc<AtomicBool>) {
        let mut outdated = self.outdated.lock().unwrap_or_else(PoisonError::into_inner);
        flag.fetch_or(outdated.0, Ordering::Relaxed);
        outdated.1.retain(|flag| flag.strong_count() > 0);
        outdated.1.push(Arc::downgrade(flag));
    }

    /// Slow searches for its findings are begun, or all ended.
    pub fn set_searched(&self, searched: bool) {
        self.searched.store(searched, Ordering::Relaxed);
    }

    /// Whether slow searches for its findings are under way, or were.
    pub fn is_searched(&self) -> bool {
        self.searched.load(Ordering::Relaxed)
    }

    /// What was found in the whole text, where that is known already.
    pub fn findings(&self) -> Option<Arc<Vec<Finding>>> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps what was found; of files that are not open nobody asks.
    pub fn keep_findings(&self, findings: &[&Finding]) {
        if self.version.is_some() {
            let findings = findings.iter().map(|&f| f.clone()).collect();
            *self.findings.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(findings));
        }
    }

    /// Keeps which of its puzzles have duplicates; of files that are not open nobody asks.
    pub fn keep_twins(&self, twins: Vec<(Span, Location)>) {
        if self.version.is_some() {
            *self.twins.lock().unwrap_or_else(PoisonError::into_inner) = Some(twins);
        }
    }

    /// The duplicate of the puzzle whose head is at an offset; nothing where it is not known yet.
    pub fn twin(&self, offset: u32) -> Option<Option<Location>> {
        let twins = self.twins.lock().unwrap_or_else(PoisonError::into_inner);
        let at = |(span, _): &&(Span, Location)| span.start <= offset && offset <= span.end;
        Some(twins.as_ref()?.iter().find(at).map(|(_, location)| location.clone()))
    }

    /// What analyses of it may do.
    pub fn options(&self) -> Options {
        Options { answers: true, ..Options::new(self.config.clone()) }
    }

    fn parts(&self) -> Option<SegmentedText> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps where its puzzles are: the last that is known, so that nothing is held twice.
    pub fn keep_parts(&self, parts: &SegmentedText) {
        *self.parts.lock().unwrap_or_else(PoisonError::into_inner) = Some(parts.clone());
    }

    fn read_parts(&self) -> SegmentedText {
        self.parts().unwrap_or_else(|| {
            let mut parts = SegmentedText::of(&self.rope, self.config.settings);
            parts.read(&self.rope);
            self.keep_parts(&parts);
            parts
        })
    }

    /// The puzzles that a range touches, by themselves.
    pub fn window(&self, range: Span, most: u32) -> Window {
        self.read_parts().window(&self.rope, range, most)
    }

    /// All puzzles in their order, so many bytes at a time, or a larger puzzle by itself.
    pub fn stretches(&self, most: u32) -> impl Iterator<Item = Window> {
        let (parts, mut start) = (self.read_parts(), 0);
        std::iter::from_fn(move || {
            let window = parts.stretch(&self.rope, start, most)?;
            start = window.start + window.tree.text().len() as u32;
            Some(window)
        })
    }

    /// Its tree, for what is asked of a whole text. It takes several times the room of that, so it is kept only
    /// as long as somebody works with it.
    pub fn tree(&self) -> Arc<Tree> {
        let mut kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        kept.upgrade().unwrap_or_else(|| {
            let tree = Arc::new(parse(String::from(&self.rope)));
            *kept = Arc::downgrade(&tree);
            tree
        })
    }
}
