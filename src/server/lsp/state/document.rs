//! A document as the state has it: its newest snapshot, what is known of it, and what the client has of that.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ls_types::Diagnostic;
use ropey::Rope;
use rustc_hash::FxHashMap;

use crate::lsp::state::snapshot::Snapshot;
use crate::workspace::FileStamp;
use cpz_check::analysis::{Config, DuplicateIndex, SegmentedText};
use cpz_text::diagnostic::Finding;
use cpz_text::syntax::MAX_TEXT;

/// Who owns the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The client has it open.
    Open,
    /// A file of the workspace, read by a scan.
    OnDisk,
}

/// What the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Puzzles,
    /// A `cpz.toml`.
    Config,
}

/// A reason why a document is not analysed. A third reason for silence, a file that was closed lately, is in
/// [`crate::lsp::state::scan_queue::ScanQueue`]: such a file is analysed, and its puzzles count as duplicates
/// of others, but its own diagnostics are not published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SilenceReason {
    /// An edit was lost: the text is unknown until the client sends it completely.
    OutOfStep = 1,
    /// The settings or a `cpz.toml` exclude the file.
    Excluded = 2,
}

/// A set of reasons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Silenced(u8);

impl Silenced {
    pub fn has(self, reason: SilenceReason) -> bool {
        self.0 & reason as u8 != 0
    }

    /// Adds or removes a reason, and returns whether that changed the set.
    pub fn set(&mut self, reason: SilenceReason, silenced: bool) -> bool {
        let is_new = self.has(reason) != silenced;
        self.0 ^= if is_new { reason as u8 } else { 0 };
        is_new
    }
}

pub(crate) struct Document {
    pub snapshot: Arc<Snapshot>,
    pub origin: Origin,
    pub kind: Kind,
    pub silenced: Silenced,
    /// What is known of the snapshot's text so far.
    pub segments: SegmentedText,
    /// After the first complete analysis, partial results are published while the user types.
    pub publishes_partial: bool,
    /// The offset of the last edit in bytes: analysis begins there.
    pub last_edit_offset: u32,
    /// Not compared with other documents: an ignored file in a folder of the workspace, another path of a
    /// listed file, or an older version that a client shows.
    pub standalone: bool,
    /// Its duplicates within itself, if it is standalone.
    pub own_duplicates: DuplicateIndex,
    /// Analyse it at the next batch even if diagnostics wait for a save.
    pub force_analysis: bool,
    /// The stamp of its file when it was read.
    pub stamp: Option<FileStamp>,
    /// The last results, which may be those of an older snapshot.
    pub found: Option<Found>,
    /// Slow searches that run, by puzzle, with the flags that end them.
    pub searches: FxHashMap<u128, Arc<AtomicBool>>,
    pub published: Published,
}

/// Results of an analysis.
#[derive(Clone)]
pub(crate) struct Found {
    /// What was analysed.
    pub snapshot: Arc<Snapshot>,
    /// Empty for a configuration.
    pub segments: SegmentedText,
    /// Mistakes of a configuration.
    pub config_findings: Vec<Finding>,
}

/// What the client has, or can have, of a document's diagnostics.
#[derive(Default)]
pub(crate) struct Published {
    /// A hash of the duplicate findings in the last report.
    pub duplicates: Option<u64>,
    /// A hash of the puzzles that had them: lenses count them.
    pub duplicate_places: Option<u64>,
    /// What was pushed last; nothing if that was retracted.
    pub pushed: Option<Pushed>,
    /// For pulls: the diagnostics with their result id.
    pub result: Option<(u64, Arc<Vec<Diagnostic>>)>,
}

/// Diagnostics that the client shows because they were pushed.
#[derive(Clone, Copy)]
pub(crate) struct Pushed {
    pub hash: u64,
    pub is_empty: bool,
}

impl Published {
    /// Whether the client shows pushed diagnostics of the document.
    pub fn is_shown(&self) -> bool {
        self.pushed.is_some_and(|pushed| !pushed.is_empty)
    }

    /// Forgets what was pushed, and returns whether the client shows any of it. The caller retracts that.
    pub fn take_pushed(&mut self) -> bool {
        let shown = self.is_shown();
        self.pushed = None;
        shown
    }
}

impl Document {
    pub fn new(snapshot: Snapshot, origin: Origin, kind: Kind) -> Document {
        Document {
            segments: SegmentedText::of(&snapshot.rope, snapshot.config.settings),
            snapshot: Arc::new(snapshot),
            origin,
            kind,
            silenced: Silenced::default(),
            publishes_partial: false,
            last_edit_offset: 0,
            standalone: false,
            own_duplicates: DuplicateIndex::default(),
            force_analysis: true,
            stamp: None,
            found: None,
            searches: FxHashMap::default(),
            published: Published::default(),
        }
    }

    pub fn is_open(&self) -> bool {
        self.origin == Origin::Open
    }

    pub fn is_config(&self) -> bool {
        self.kind == Kind::Config
    }

    /// Whether it must not be analysed. It is then published without diagnostics.
    pub fn is_silenced(&self) -> bool {
        self.silenced != Silenced::default()
    }

    /// Whether its diagnostics can be suppressed after it was closed: not those of configurations, which apply
    /// at once.
    pub fn can_be_suppressed(&self) -> bool {
        self.origin == Origin::OnDisk && self.kind == Kind::Puzzles
    }

    /// Whether its text is unknown, so that no request about it can be answered.
    pub fn is_out_of_step(&self) -> bool {
        self.silenced.has(SilenceReason::OutOfStep)
    }

    /// Whether the last results are those of the newest snapshot.
    pub fn is_current(&self) -> bool {
        self.found.as_ref().is_some_and(|found| Arc::ptr_eq(&found.snapshot, &self.snapshot))
    }

    /// Cancels all slow searches.
    pub fn cancel_searches(&mut self) {
        self.searches.values().for_each(|cancel| cancel.store(true, Ordering::Relaxed));
        self.searches.clear();
        self.snapshot.set_searched(false);
    }

    /// Finds the puzzles of the text, so that requests about them can be answered.
    pub fn read(&mut self) {
        if !self.segments.is_read() || self.snapshot.segments().is_none() {
            let Snapshot { rope, config, .. } = &*self.snapshot;
            match rope.len_bytes() > MAX_TEXT {
                true => self.segments = SegmentedText::unknown(rope, config.settings),
                false => self.segments.read(rope),
            }
            self.snapshot.keep_segments(&self.segments);
        }
    }

    /// Changes the configuration of the same text.
    pub fn configure(&mut self, config: Arc<Config>) {
        let snapshot = self.snapshot.under(config);
        self.reset_segments(&snapshot.rope, &snapshot.config);
        self.replace(snapshot);
    }

    /// Forgets all that is known of the text, because another text or configuration replaces it.
    pub fn reset_segments(&mut self, rope: &Rope, config: &Config) {
        self.segments = SegmentedText::of(rope, config.settings);
        self.publishes_partial = false;
    }

    /// Replaces the snapshot. The caller updates or resets the segments.
    pub fn replace(&mut self, snapshot: Snapshot) {
        self.snapshot.outdate();
        self.snapshot = Arc::new(snapshot);
    }

    /// Ends all requests and searches about a document that is being removed.
    pub fn end(&self) {
        self.snapshot.outdate();
        self.searches.values().for_each(|cancel| cancel.store(true, Ordering::Relaxed));
    }
}
