//! Reports by content: a search is not repeated for a puzzle with the same text under the same defaults, wherever the
//! puzzle is and whatever changes around it. Reports that take no time are not stored.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::analysis::defaults::Defaults;
use crate::analysis::file_report::{Options, PuzzleReport};
use crate::analysis::puzzle::analyse_puzzle;
use crate::analysis::suppress::without_consequences;
use cpz_text::diagnostic::{Code, CodeSet};
use cpz_text::syntax::Puzzle;

/// Reports by content, shared between threads.
#[derive(Default)]
pub struct Cache {
    entries: RwLock<FxHashMap<u128, CacheEntry>>,
    /// The number of reports asked for so far: the clock of `last_used`.
    age: AtomicU32,
    /// How many reports are stored before unused ones are looked for.
    until_sweep: AtomicU32,
}

struct CacheEntry {
    report: Arc<PuzzleReport>,
    /// Whether a search with the whole budget would find no more.
    is_complete: bool,
    last_used: AtomicU32,
}

/// A report of a quick pass, in which each search has a small node limit.
pub struct QuickReport {
    /// The report. Where it is incomplete, it does not say that queries are undecided.
    pub report: PuzzleReport,
    /// Whether a search with the whole budget would find no more.
    pub is_complete: bool,
    /// The key of the puzzle in the cache.
    pub(super) key: u128,
}

/// The number of puzzles of one analysis whose searches may use up the quick node limit. Searches after that get a
/// smaller limit: a few such puzzles are quick, thousands are not.
const MAX_SLOW_PUZZLES: u32 = 64;

/// The divisor of the quick node limit for the puzzles after these.
const LOWER_LIMIT: u64 = 64;

/// The number of visited nodes from which on a report is stored. Fewer take less than a tenth of a millisecond.
const MIN_NODES_TO_CACHE: u64 = 1000;

/// The number of stored reports. When there are more, those not used for longest are removed.
const MAX_ENTRIES: usize = 16 * 1024;

/// The cache removes a report after so many questions for other reports, or after a number of them for each stored report: an editor
/// asks for the reports of present texts at each edit, so this report is of a text that was typed over.
const MIN_UNUSED: u32 = 4096;
const UNUSED_AN_ENTRY: u32 = 8;

/// Unused reports are looked for when so many are new, or a quarter of all.
const MIN_SWEEP: u32 = 16;

impl Cache {
    /// The number of stored reports.
    pub fn len(&self) -> usize {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether there is no report.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A stored report, and whether it is complete.
    fn get(&self, key: u128) -> Option<(Arc<PuzzleReport>, bool)> {
        let age = self.age.fetch_add(1, Ordering::Relaxed);
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.get(&key)?;
        entry.last_used.store(age, Ordering::Relaxed);
        Some((entry.report.clone(), entry.is_complete))
    }

    /// Stores a report, if it was worth a search and the search was not cancelled. A complete report is not replaced
    /// with an incomplete one.
    fn store(&self, key: u128, report: &PuzzleReport, is_complete: bool, options: &Options) {
        if report.nodes < MIN_NODES_TO_CACHE || report.hit_budget && is_cancelled(options) {
            return;
        }
        let last_used = AtomicU32::new(self.age.load(Ordering::Relaxed));
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        if is_complete || entries.get(&key).is_none_or(|e| !e.is_complete) {
            entries.insert(key, CacheEntry { report: Arc::new(report.clone()), is_complete, last_used });
        }
        if self.until_sweep.fetch_sub(1, Ordering::Relaxed) <= 1 || entries.len() > MAX_ENTRIES {
            self.sweep(&mut entries);
        }
    }

    /// Removes unused reports.
    fn sweep(&self, entries: &mut FxHashMap<u128, CacheEntry>) {
        let age = self.age.load(Ordering::Relaxed);
        let unused = |e: &CacheEntry| age.wrapping_sub(e.last_used.load(Ordering::Relaxed));
        let most = MIN_UNUSED.max(UNUSED_AN_ENTRY * entries.len() as u32);
        entries.retain(|_, e| unused(e) <= most);
        if entries.len() > MAX_ENTRIES {
            let mut ages: Vec<u32> = entries.values().map(unused).collect();
            let (_, &mut most, _) = ages.select_nth_unstable(MAX_ENTRIES / 2);
            entries.retain(|_, e| unused(e) < most);
        }
        self.until_sweep.store(MIN_SWEEP.max(entries.len() as u32 / 4), Ordering::Relaxed);
    }

    /// The complete report of a puzzle by itself, without findings that are allowed or turned off.
    pub fn report_full(&self, puzzle: Puzzle<'_>, defaults: Defaults, options: &Options) -> PuzzleReport {
        let key = key(puzzle, &defaults, options.nodes);
        let report = match self.get(key) {
            Some((stored, true)) => moved(&stored, puzzle.span().start, &defaults),
            _ => {
                let report = analyse_puzzle(puzzle, defaults, options);
                self.store(key, &report, true, options);
                report
            }
        };
        finish(puzzle, report, defaults, options)
    }

    /// The report of a puzzle by itself after searches of at most `quick_nodes` nodes each, without findings that are
    /// allowed or turned off.
    pub fn report_quick(
        &self,
        puzzle: Puzzle<'_>,
        defaults: Defaults,
        options: &Options,
        quick_nodes: u64,
    ) -> QuickReport {
        let quick = self.analyse_quick(puzzle, defaults, options, quick_nodes);
        QuickReport { report: finish(puzzle, quick.report, defaults, options), ..quick }
    }

    /// The same, only if it is complete.
    pub fn report_if_quick(
        &self,
        puzzle: Puzzle<'_>,
        defaults: Defaults,
        options: &Options,
        quick_nodes: u64,
    ) -> Option<PuzzleReport> {
        let quick = self.report_quick(puzzle, defaults, options, quick_nodes);
        quick.is_complete.then_some(quick.report)
    }

    /// The report of one of many puzzles, without the parser's errors and with all findings. `slow_puzzles` counts
    /// those whose report is incomplete.
    pub(super) fn report_quick_among(
        &self,
        puzzle: Puzzle<'_>,
        defaults: Defaults,
        options: &Options,
        quick_nodes: u64,
        slow_puzzles: &AtomicU32,
    ) -> QuickReport {
        let is_early = slow_puzzles.load(Ordering::Relaxed) < MAX_SLOW_PUZZLES;
        let quick_nodes = if is_early { quick_nodes } else { quick_nodes / LOWER_LIMIT };
        let quick = self.analyse_quick(puzzle, defaults, options, quick_nodes);
        slow_puzzles.fetch_add(u32::from(!quick.is_complete), Ordering::Relaxed);
        quick
    }

    /// The stored report, or one of a quick analysis. An incomplete one is stored too: a second quick analysis would
    /// find no more.
    fn analyse_quick(
        &self,
        puzzle: Puzzle<'_>,
        defaults: Defaults,
        options: &Options,
        quick_nodes: u64,
    ) -> QuickReport {
        let key = key(puzzle, &defaults, options.nodes);
        if let Some((stored, is_complete)) = self.get(key) {
            return QuickReport { report: moved(&stored, puzzle.span().start, &defaults), is_complete, key };
        }
        let quick_options = Options { nodes: quick_nodes.min(options.nodes), ..options.clone() };
        let mut report = analyse_puzzle(puzzle, defaults, &quick_options);
        let is_complete = !report.hit_budget || quick_options.nodes == options.nodes;
        if !is_complete {
            // The whole budget may decide these queries.
            report.findings.retain(|f| f.code != Code::Undecided);
        }
        self.store(key, &report, is_complete, options);
        QuickReport { report, is_complete, key }
    }
}

fn is_cancelled(options: &Options) -> bool {
    options.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed))
        || options.watch.as_ref().is_some_and(|watch| watch.is_stopped())
}

/// Adds the parser's errors, and removes findings that are allowed or turned off.
fn finish(
    puzzle: Puzzle<'_>,
    mut report: PuzzleReport,
    defaults: Defaults,
    options: &Options,
) -> PuzzleReport {
    report.add_syntax_errors(puzzle);
    let own = report.allows.iter().filter_map(|a| a.code).collect::<CodeSet>();
    let allowed = own.union(defaults.allowed);
    let is_shown = |code: Code| !allowed.contains(code) && options.config.severities.of(code).is_some();
    report.silenced =
        report.findings.iter().filter(|f| !is_shown(f.code)).map(|f| (f.code, f.span)).collect();
    report.findings.retain(|f| is_shown(f.code));
    without_consequences(&mut report.findings);
    report
}

/// A hash of what a report depends on: the puzzle's text, the defaults and the budget, but no places.
fn key(puzzle: Puzzle<'_>, defaults: &Defaults, nodes: u64) -> u128 {
    let text = puzzle.node().text();
    let size = defaults.size.map(|s| (s.columns, s.rows));
    let rest = (size, defaults.origin, defaults.turn, defaults.dialect, defaults.unique.is_some());
    let rest = (rest, defaults.rights.values(), defaults.unread, defaults.notation, nodes);
    // Syntax errors affect how the board is read; they follow from the puzzle's text, so the text covers them.
    let hash = |salt: u64| {
        let mut h = DefaultHasher::new();
        (salt, &rest, text).hash(&mut h);
        h.finish()
    };
    u128::from(hash(1)) << 64 | u128::from(hash(2))
}

/// A stored report, for the puzzle at `start`.
fn moved(report: &PuzzleReport, start: u32, defaults: &Defaults) -> PuzzleReport {
    let mut report = report.clone();
    report.file_allows = defaults.allows;
    report.shift(i64::from(start) - i64::from(report.span.start));
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::puzzles;
    use cpz_text::syntax::parse;

    #[test]
    fn reports_of_texts_that_were_typed_over_are_removed() {
        let (cache, options) = (Cache::default(), Options { nodes: 2000, ..Options::default() });
        let ask = |name: usize| {
            let board = "NNNNNNNN ........ BBBBBBBB ........ PPPPPPPP KKKKKKKK ........ RRRRRRRR";
            let tree = parse(format!("solitaire '{name}' {{ board '{board}' solve }}"));
            let (puzzle, defaults) = puzzles(&tree, Defaults::default()).next().expect("a puzzle");
            cache.report_full(puzzle, defaults, &options)
        };
        let kept = ask(0);
        assert_eq!(kept.findings.len(), 1);
        for typed in 1..=100 {
            ask(typed);
            // A report that is in use is asked for again and again.
            (0..MIN_UNUSED / 20).for_each(|_| drop(cache.get(0)));
            ask(0);
        }
        assert!((20..=20 + 2 * MIN_SWEEP as usize).contains(&cache.len()), "{}", cache.len());
    }

    #[test]
    fn unreadable_default_above_the_puzzle_is_part_of_the_key() {
        let (cache, options) = (Cache::default(), Options { nodes: 2000, ..Options::default() });
        let codes = |above: &str| -> Vec<Code> {
            let board = "NNNNNNNN ........ BBBBBBBB ........ PPPPPPPP KKKKKKKK ........ RRRRRRRR";
            let tree = parse(format!("{above} solitaire {{ board '{board}' solve }}"));
            let (puzzle, defaults) = puzzles(&tree, Defaults::default()).last().expect("a puzzle");
            cache.report_full(puzzle, defaults, &options).findings.iter().map(|f| f.code).collect()
        };
        assert_eq!(codes(""), [Code::Undecided]);
        assert_eq!(cache.len(), 1, "the search is stored");
        // Which rules apply is not known, so there is no answer.
        assert_eq!(codes("rules rang"), []);
        assert_eq!(codes(""), [Code::Undecided]);
    }
}
