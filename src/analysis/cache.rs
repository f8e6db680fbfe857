//! What is known of puzzles by their content: the same text under the same defaults is analysed once,
//! wherever it stands and whatever changes round it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::{FileReport, Options, PuzzleReport, Settings, add_errors, analyse_by, analyse_puzzle};
use crate::syntax::{Code, Puzzle, Span, Tree};

/// Reports by content. Shared between threads.
#[derive(Default)]
pub struct Cache {
    known: RwLock<FxHashMap<u128, Entry>>,
    /// Counts analyses, so that what none of the last ones used can go.
    age: AtomicU32,
}

struct Entry {
    report: Arc<PuzzleReport>,
    /// Whether a longer search would say no more; else it says what a quick pass found.
    whole: bool,
    used: AtomicU32,
}

/// A puzzle whose searches want more than they were allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pending {
    /// What it is known by.
    pub key: u128,
    /// An offset in it.
    pub offset: u32,
}

/// How many searches of one analysis get all the nodes of a first pass and end at them.
const MOST_SLOW: u32 = 64;

/// How many analyses a report is kept for without being used, and how many reports at least.
const KEPT: (u32, usize) = (64, 4096);

impl Cache {
    /// The number of reports.
    pub fn len(&self) -> usize {
        self.known.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is known of a puzzle, and whether that is the whole of it.
    fn get(&self, key: u128) -> Option<(Arc<PuzzleReport>, bool)> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let entry = known.get(&key)?;
        entry.used.store(self.age.load(Ordering::Relaxed), Ordering::Relaxed);
        Some((entry.report.clone(), entry.whole))
    }

    /// Keeps a report; what is known whole stays so.
    fn keep(&self, key: u128, report: PuzzleReport, whole: bool) {
        let used = AtomicU32::new(self.age.load(Ordering::Relaxed));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if whole || known.get(&key).is_none_or(|e| !e.whole) {
            known.insert(key, Entry { report: Arc::new(report), whole, used });
        }
    }

    /// The report of a puzzle where it stands, or as much of it as `quick` nodes a search give, and
    /// whether it is the whole one. What ends at `quick` is kept too, or each key stroke would repeat it
    /// for all puzzles of the file.
    fn begin(&self, puzzle: Puzzle<'_>, settings: Settings, options: &Options, quick: u64) -> Begun {
        let key = key(puzzle, &settings, options.nodes);
        if let Some((known, whole)) = self.get(key) {
            return Begun { key, report: moved(&known, puzzle.span().start, &settings), whole };
        }
        let quick = Options { nodes: quick.min(options.nodes), ..options.clone() };
        let mut report = analyse_puzzle(puzzle, settings, &quick);
        let whole = !report.cut || quick.nodes == options.nodes;
        if !whole {
            // Nobody knows yet.
            report.findings.retain(|f| f.code != Code::Undecided);
        }
        if !(report.cut && is_cancelled(options)) {
            self.keep(key, report.clone(), whole);
        }
        Begun { key, report, whole }
    }

    /// Drops what the last analyses had no use for.
    fn sweep(&self, live: usize) {
        let age = self.age.fetch_add(1, Ordering::Relaxed);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() > 2 * live + KEPT.1 {
            known.retain(|_, e| age.saturating_sub(e.used.load(Ordering::Relaxed)) < KEPT.0);
        }
    }

    /// Analyses a file; searches that are not known yet get `quick` nodes, and those for which that is
    /// too little are pending: their findings leave out what is undecided.
    pub fn analyse(&self, tree: &Tree, options: &Options, quick: u64) -> (FileReport, Vec<Pending>) {
        let pending = Mutex::new(Vec::new());
        let slow = AtomicU32::new(0);
        let report = analyse_by(tree, &options.config, |puzzle, settings| {
            // Few searches are long; where thousands are, the first pass must be over soon all the same.
            let quick = if slow.load(Ordering::Relaxed) < MOST_SLOW { quick } else { quick / 64 };
            let begun = self.begin(puzzle, settings, options, quick);
            if !begun.whole {
                slow.fetch_add(1, Ordering::Relaxed);
                let more = Pending { key: begun.key, offset: puzzle.span().start };
                pending.lock().unwrap_or_else(PoisonError::into_inner).push(more);
            }
            begun.report
        });
        self.sweep(report.puzzles.len());
        let mut pending = pending.into_inner().unwrap_or_else(PoisonError::into_inner);
        pending.sort_by_key(|p| p.offset);
        (report, pending)
    }

    /// The whole report of a puzzle by itself, without what is allowed or turned off; nothing is kept of
    /// a search that was cancelled.
    pub fn report(&self, puzzle: Puzzle<'_>, settings: Settings, options: &Options) -> PuzzleReport {
        let key = key(puzzle, &settings, options.nodes);
        let mut report = match self.get(key) {
            Some((known, true)) => moved(&known, puzzle.span().start, &settings),
            _ => {
                let report = analyse_puzzle(puzzle, settings, options);
                if !(report.cut && is_cancelled(options)) {
                    self.keep(key, report.clone(), true);
                }
                report
            }
        };
        add_errors(puzzle, &mut report);
        show(&mut report, settings, options);
        report
    }

    /// The report of a puzzle if it takes no more than `quick` nodes a search.
    pub fn quick(
        &self,
        puzzle: Puzzle<'_>,
        settings: Settings,
        options: &Options,
        quick: u64,
    ) -> Option<PuzzleReport> {
        let (report, whole) = self.begun(puzzle, settings, options, quick);
        whole.then_some(report)
    }

    /// The report of a puzzle, or as much of it as `quick` nodes a search give, and whether that is all.
    pub fn begun(
        &self,
        puzzle: Puzzle<'_>,
        settings: Settings,
        options: &Options,
        quick: u64,
    ) -> (PuzzleReport, bool) {
        let Begun { mut report, whole, .. } = self.begin(puzzle, settings, options, quick);
        add_errors(puzzle, &mut report);
        show(&mut report, settings, options);
        (report, whole)
    }
}

/// A report, what it is known by, and whether it is the whole one.
struct Begun {
    key: u128,
    report: PuzzleReport,
    whole: bool,
}

fn is_cancelled(options: &Options) -> bool {
    options.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed))
}

/// Leaves out what is allowed or turned off.
fn show(report: &mut PuzzleReport, settings: Settings, options: &Options) {
    let own = report.allows.iter().filter_map(|a| a.code).fold(0u32, |bits, c| bits | 1 << c as u32);
    let allowed = own | settings.allowed;
    let shown = |code: Code| allowed & 1 << code as u32 == 0 && options.config.severities.of(code).is_some();
    report.findings.retain(|f| shown(f.code));
}

/// What a report depends on: the puzzle's text, the defaults above it and the budget, but not their places.
fn key(puzzle: Puzzle<'_>, settings: &Settings, nodes: u64) -> u128 {
    let text = puzzle.node().text();
    let size = settings.size.map(|s| (s.columns, s.rows));
    let rest = (size, settings.origin, settings.turn, settings.dialect, settings.unique.is_some());
    let rest = (rest, settings.notation, nodes);
    // Whether the puzzle has a syntax error decides what is read of its board: the errors stand in its
    // own text, so that says it.
    let hash = |salt: u64| {
        let mut h = DefaultHasher::new();
        (salt, &rest, text).hash(&mut h);
        h.finish()
    };
    u128::from(hash(1)) << 64 | u128::from(hash(2))
}

/// A report as it would be if the puzzle stood at `start`.
fn moved(report: &PuzzleReport, start: u32, settings: &Settings) -> PuzzleReport {
    let mut report = report.clone();
    report.file_allows = settings.allows;
    let by = i64::from(start) - i64::from(report.span.start);
    if by == 0 {
        return report;
    }
    let shift = |s: &mut Span| {
        s.start = (i64::from(s.start) + by).max(0) as u32;
        s.end = (i64::from(s.end) + by).max(0) as u32;
    };
    shift(&mut report.span);
    shift(&mut report.head);
    report.name.iter_mut().for_each(shift);
    for finding in &mut report.findings {
        shift(&mut finding.span);
        finding.related.iter_mut().filter(|r| r.file.is_none()).for_each(|r| shift(&mut r.span));
        finding.fixes.iter_mut().flat_map(|f| &mut f.edits).for_each(|e| shift(&mut e.span));
    }
    for query in &mut report.queries {
        shift(&mut query.span);
        shift(&mut query.asked);
    }
    for allow in &mut report.allows {
        shift(&mut allow.span);
        shift(&mut allow.remove);
    }
    report
}
