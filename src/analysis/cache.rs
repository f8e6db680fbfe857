//! What is known of puzzles by their content: what took a search is not searched for again under the same
//! defaults, wherever the puzzle stands and whatever changes round it. What is found in no time is not kept.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::{Defaults, Options, PuzzleReport, add_errors, analyse_puzzle};
use crate::diagnostic::{Code, CodeSet};
use crate::syntax::Puzzle;

/// Reports by content. Shared between threads.
#[derive(Default)]
pub struct Cache {
    known: RwLock<FxHashMap<u128, Entry>>,
    /// Counts reports that are kept, so that what was not used since most of them can go.
    age: AtomicU32,
}

struct Entry {
    report: Arc<PuzzleReport>,
    /// Whether a longer search would say no more; else it says what a quick pass found.
    whole: bool,
    used: AtomicU32,
}

/// How many searches of one analysis get all the nodes of a first pass and end at them.
const MOST_SLOW: u32 = 64;

/// The nodes from which on a report is kept: fewer are visited again in less than a tenth of a millisecond.
const WORTH: u64 = 1000;

/// How many reports are kept at most; of more those go that were not used for longest.
const MOST_KEPT: usize = 16 * 1024;

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
        let age = self.age.fetch_add(1, Ordering::Relaxed);
        if known.len() > MOST_KEPT {
            known.retain(|_, e| age.wrapping_sub(e.used.load(Ordering::Relaxed)) < MOST_KEPT as u32 / 2);
        }
    }

    /// The report of a puzzle where it stands, or as much of it as `quick` nodes a search give, and
    /// whether it is the whole one. What ends at `quick` is kept too: whoever asks again learns no more.
    fn begin(&self, puzzle: Puzzle<'_>, settings: Defaults, options: &Options, quick: u64) -> Begun {
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
        if report.nodes >= WORTH && !(report.cut && is_cancelled(options)) {
            self.keep(key, report.clone(), whole);
        }
        Begun { key, report, whole }
    }

    /// The same among many puzzles, of which `slow` counts those whose searches want more: few are long, but
    /// where thousands are, the first pass must be over soon all the same.
    pub(super) fn begin_among(
        &self,
        puzzle: Puzzle<'_>,
        settings: Defaults,
        options: &Options,
        quick: u64,
        slow: &AtomicU32,
    ) -> Begun {
        let quick = if slow.load(Ordering::Relaxed) < MOST_SLOW { quick } else { quick / 64 };
        let begun = self.begin(puzzle, settings, options, quick);
        slow.fetch_add(u32::from(!begun.whole), Ordering::Relaxed);
        begun
    }

    /// The whole report of a puzzle by itself, without what is allowed or turned off; nothing is kept of
    /// a search that was cancelled.
    pub fn report(&self, puzzle: Puzzle<'_>, settings: Defaults, options: &Options) -> PuzzleReport {
        let key = key(puzzle, &settings, options.nodes);
        let mut report = match self.get(key) {
            Some((known, true)) => moved(&known, puzzle.span().start, &settings),
            _ => {
                let report = analyse_puzzle(puzzle, settings, options);
                if report.nodes >= WORTH && !(report.cut && is_cancelled(options)) {
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
        settings: Defaults,
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
        settings: Defaults,
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
pub(super) struct Begun {
    pub key: u128,
    pub report: PuzzleReport,
    pub whole: bool,
}

fn is_cancelled(options: &Options) -> bool {
    options.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed))
}

/// Leaves out what is allowed or turned off.
fn show(report: &mut PuzzleReport, settings: Defaults, options: &Options) {
    let own = report.allows.iter().filter_map(|a| a.code).collect::<CodeSet>();
    let allowed = own.union(settings.allowed);
    let shown = |code: Code| !allowed.contains(code) && options.config.severities.of(code).is_some();
    report.findings.retain(|f| shown(f.code));
}

/// What a report depends on: the puzzle's text, the defaults above it and the budget, but not their places.
fn key(puzzle: Puzzle<'_>, settings: &Defaults, nodes: u64) -> u128 {
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
fn moved(report: &PuzzleReport, start: u32, settings: &Defaults) -> PuzzleReport {
    let mut report = report.clone();
    report.file_allows = settings.allows;
    report.shift(i64::from(start) - i64::from(report.span.start));
    report
}
