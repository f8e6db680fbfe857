//! What an analysis may do, and what it reports about a query, a puzzle and a file.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::analysis::allow_word::Allow;
use crate::analysis::config::{Config, Severities};
use crate::analysis::consequences::drop_consequences;
use crate::analysis::defaults::Notation;
use crate::analysis::watch::Watch;
use crate::parallel::*;
use cpz_rules::games::{Answer, Budget};
use cpz_text::diagnostic::{Code, Finding, Span};
use cpz_text::syntax::{GameId, Property, Puzzle, Query, Verb};

/// What an analysis may do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The node budget of one search.
    pub nodes: u64,
    /// Ends all searches early when it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Counts the bytes of the puzzles that are done.
    pub progress: Option<Arc<AtomicU64>>,
    /// Shows and stops the searches.
    pub watch: Option<Arc<Watch>>,
    /// Whether the report holds answers, or findings alone.
    pub answers: bool,
    /// Whether hints are wanted that are off as a rule.
    pub hints: bool,
    /// The configuration of the text. The budget is `nodes`, not the one of the configuration.
    pub config: Arc<Config>,
}

impl Options {
    /// The options of a configuration: its budget, findings alone.
    pub fn new(config: Arc<Config>) -> Options {
        Options {
            nodes: config.nodes(),
            cancel: None,
            progress: None,
            watch: None,
            answers: false,
            hints: false,
            config,
        }
    }
}

impl Options {
    /// Runs a search of at most some nodes. `counts_moves` says whether who waits for it sees its first moves.
    pub(super) fn search<T>(&self, nodes: u64, counts_moves: bool, run: impl FnOnce(&Budget<'_>) -> T) -> T {
        let budget = Budget::new(nodes, self.cancel.as_deref()).with_max_solutions(self.config.max_solutions);
        self.shown(budget, counts_moves, run)
    }

    /// Runs a search for something beside a report, of at most `nodes`, which who waits for it sees and can stop.
    pub fn search_beside<T>(&self, nodes: u64, run: impl FnOnce(&Budget<'_>) -> T) -> T {
        self.shown(Budget::new(nodes, self.cancel.as_deref()), false, run)
    }

    fn shown<T>(&self, budget: Budget<'_>, counts_moves: bool, run: impl FnOnce(&Budget<'_>) -> T) -> T {
        match &self.watch {
            None => run(&budget),
            Some(watch) => watch.show(budget, counts_moves, run),
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new(Arc::default())
    }
}

/// The result of a query.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The answer.
    Answer(Answer),
    /// The search ended without an answer; the reason.
    Undecided(String),
    /// The query cannot be evaluated; the reason.
    Error(String),
    /// The query is not asked, as that of a diagram of which only the twins are; the reason.
    NotAsked(&'static str),
}

/// A query and its result.
#[derive(Clone, Debug)]
pub struct QueryReport {
    /// The verb.
    pub verb: Verb,
    /// The whole query with its written answer.
    pub span: Span,
    /// The verb and its argument.
    pub asked: Span,
    /// Whether an arrow follows, with an answer or without.
    pub answered: bool,
    /// The result.
    pub outcome: Outcome,
    /// The twin that was asked; nothing for other queries.
    pub twin: Option<Box<TwinReport>>,
    /// The set play that a star behind the stipulation asks for, where no `set-play` query does.
    pub set_play: Option<Box<Outcome>>,
    /// The nodes that the search for the answer visited; 0 where the same was asked before.
    pub nodes: u64,
}

/// A twin of a chess problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinReport {
    /// Its letter.
    pub letter: String,
    /// The changes as they are written, `from b` among them.
    pub changes: Vec<String>,
    /// Its position as a FEN.
    pub fen: String,
}

impl QueryReport {
    /// Whether it is the answer of a chess problem, and what the search for it took is known.
    pub fn is_searched_problem(&self) -> bool {
        self.nodes > 0
            && self.verb != Verb::SetPlay
            && matches!(self.outcome, Outcome::Answer(Answer::Keys { .. } | Answer::Sequences { .. }))
    }

    /// The report of a query that cannot be evaluated; nothing where its verb is unknown.
    pub(super) fn failed(query: Query<'_>, reason: &str) -> Option<QueryReport> {
        QueryReport::without_answer(query, Outcome::Error(reason.to_string()))
    }

    /// The report of a query that is not evaluated; nothing where its verb is unknown.
    pub(super) fn without_answer(query: Query<'_>, outcome: Outcome) -> Option<QueryReport> {
        Some(QueryReport {
            verb: query.verb()?,
            span: query.span(),
            asked: query.asked(),
            answered: query.has_arrow(),
            outcome,
            twin: None,
            set_play: None,
            nodes: 0,
        })
    }
}

/// Hashes that are equal for puzzles that are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PuzzleIdentity {
    /// Equal for boards that differ by a symmetry.
    pub canonical_hash: u128,
    /// Equal for equal boards only. Its lowest bit says whether the form that the other hash is made of has the colours
    /// exchanged.
    pub exact_hash: u64,
}

/// A puzzle's findings and answers.
#[derive(Clone)]
pub struct PuzzleReport {
    /// From its game to its closing brace.
    pub span: Span,
    /// Its game and name.
    pub head: Span,
    /// Its name, with quotes.
    pub name: Option<Span>,
    /// The text of its `id`, without quotes, in the text.
    pub id: Option<Span>,
    /// A hash of its `id`; 0 where it has none.
    pub(super) id_hash: u64,
    /// Its game; nothing where the game is unknown.
    pub game: Option<GameId>,
    /// The first coordinate: 0 or 1.
    pub origin: u8,
    /// How its answers are written.
    pub notation: Notation,
    /// The findings, in no particular order.
    pub findings: Vec<Finding>,
    /// Its queries; empty where [`Options::answers`] is false.
    pub queries: Vec<QueryReport>,
    /// Whether it has syntax errors, allowed or not.
    pub broken: bool,
    /// Whether a twin names a man where another one stands.
    pub(super) names_others: bool,
    /// Whether it has no position that can be read, so that nothing was searched.
    pub(super) unreadable: bool,
    /// The codes and places of findings that are allowed or turned off, where they were removed.
    pub silenced: Vec<(Code, Span)>,
    /// The number of its queries.
    pub asked: u32,
    /// Whether a search used up its budget or was cancelled: a larger budget may give more findings.
    pub hit_budget: bool,
    /// The number of nodes that its searches visited.
    pub nodes: u64,
    pub(super) allows: Vec<Allow>,
    /// The number of the file's `allow` words above it.
    pub(super) file_allows: u32,
    pub(super) identity: Option<PuzzleIdentity>,
    /// A hash of its board, if hints are wanted; 0 where it has none.
    pub(super) board_hash: u64,
}

impl PuzzleReport {
    /// A report without findings.
    pub(super) fn empty(span: Span, head: Span) -> PuzzleReport {
        PuzzleReport {
            span,
            head,
            name: None,
            id: None,
            id_hash: 0,
            game: None,
            origin: 0,
            notation: Notation::default(),
            findings: Vec::new(),
            queries: Vec::new(),
            broken: false,
            names_others: false,
            unreadable: false,
            silenced: Vec::new(),
            asked: 0,
            hit_budget: false,
            nodes: 0,
            allows: Vec::new(),
            file_allows: 0,
            identity: None,
            board_hash: 0,
        }
    }

    /// Whether nothing but the puzzle's place, name and identity needs to be kept.
    pub(super) fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.allows.is_empty() && !self.broken && !self.hit_budget
    }

    /// Moves all positions by a number of bytes.
    pub(super) fn shift(&mut self, by: i64) {
        if by == 0 {
            return;
        }
        self.span.shift(by);
        self.head.shift(by);
        self.id.iter_mut().for_each(|s| s.shift(by));
        self.name.iter_mut().for_each(|s| s.shift(by));
        self.findings.iter_mut().for_each(|f| f.shift(by));
        self.silenced.iter_mut().for_each(|(_, s)| s.shift(by));
        for query in &mut self.queries {
            query.span.shift(by);
            query.asked.shift(by);
        }
        self.allows.iter_mut().for_each(|a| *a = a.shifted(by));
    }

    /// Adds the parser's errors that are inside of the puzzle.
    pub(super) fn add_syntax_errors(&mut self, puzzle: Puzzle<'_>) {
        let (span, errors) = (self.span, puzzle.node().tree().errors());
        let first = errors.partition_point(|e| e.span.start < span.start);
        errors[first..].iter().take_while(|e| e.span.start < span.end).for_each(|e| self.add_syntax_error(e));
        if self.broken {
            drop_consequences(&mut self.findings, puzzle);
        }
    }

    /// Adds an error of the parser.
    pub(super) fn add_syntax_error(&mut self, error: &Finding) {
        self.broken = true;
        self.findings.push(error.clone());
        if self.names_others
            && let Some((error, others)) = self.findings.split_last_mut()
        {
            ask_about(std::slice::from_mut(error), others);
        }
    }

    /// A name of what it is, 32 hexadecimal digits: equal for puzzles that `duplicate-puzzle` reports as the same. `None`
    /// where the board cannot be read.
    pub fn canonical(&self) -> Option<String> {
        self.identity.map(|identity| format!("{:032x}", identity.canonical_hash))
    }

    /// Its name without quotes; `text` is the text that was analysed.
    pub fn name_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        Some(unquoted(&text[self.name?.range()]))
    }

    /// Its `id`; `text` is the text that was analysed.
    pub fn id_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        Some(&text[self.id?.range()])
    }
}

/// The place of a puzzle's `id`, without quotes, and a hash of it; nothing and 0 where it has none.
pub(super) fn id_of(puzzle: Puzzle<'_>) -> (Option<Span>, u64) {
    match puzzle.texts_of(Property::Id).next() {
        Some((text, span)) if !text.trim().is_empty() => {
            let mut h = DefaultHasher::new();
            text.trim().hash(&mut h);
            (Some(span), h.finish().max(1))
        }
        _ => (None, 0),
    }
}

/// The key of an `id` among the keys of puzzles, which is odd; an identity is even.
pub(super) fn id_key(id_hash: u64) -> Option<u128> {
    (id_hash != 0).then_some(u128::from(id_hash) << 1 | 1)
}

/// A name without its quotes; the closing one may be missing.
pub(super) fn unquoted(name: &str) -> &str {
    let Some(quote) = name.chars().next().filter(|&c| c == '"' || c == '\'') else {
        return name.trim_matches(['“', '”', '„', '«', '»', '‘', '’']);
    };
    let inner = &name[1..];
    inner.strip_suffix(quote).unwrap_or(inner)
}

/// The report of a file.
#[derive(Clone)]
pub struct FileReport {
    /// Its puzzles, in order.
    pub puzzles: Vec<PuzzleReport>,
    /// Findings outside of puzzles.
    pub top: Vec<Finding>,
    /// The severity of each code.
    pub severities: Severities,
    pub(super) allows: Vec<Allow>,
}

impl FileReport {
    /// The report of a text without puzzles, such as a configuration.
    pub fn of(findings: Vec<Finding>) -> FileReport {
        FileReport {
            puzzles: Vec::new(),
            top: findings,
            severities: Severities::default(),
            allows: Vec::new(),
        }
    }

    /// The same report with other severities.
    pub fn under(self, severities: Severities) -> FileReport {
        FileReport { severities, ..self }
    }

    /// All findings in no particular order, each with its puzzle if it is in one.
    pub fn unordered(&self) -> impl Iterator<Item = (&Finding, Option<&PuzzleReport>)> {
        let inside = self.puzzles.iter().flat_map(|p| p.findings.iter().map(move |f| (f, Some(p))));
        inside.chain(self.top.iter().map(|f| (f, None)))
    }

    /// All findings in order of position, and at the same position the worst first; each with its puzzle if
    /// it is in one.
    pub fn findings(&self) -> Vec<(&Finding, Option<&PuzzleReport>)> {
        let mut all: Vec<_> = self.unordered().collect();
        let order = |(f, _): &(&Finding, Option<&PuzzleReport>)| {
            (f.span.start, self.severities.shown(f), f.span.end, f.code)
        };
        match all.len() {
            0..10_000 => all.sort_by_key(order),
            _ => all.par_sort_by_key(order),
        }
        all
    }
}

/// Makes the fixes of findings ask that change what another finding is about.
pub(super) fn ask_about(findings: &mut [Finding], others: &[Finding]) {
    for fix in findings.iter_mut().flat_map(|finding| &mut finding.fixes) {
        let covers = |at: Span| fix.edits.iter().any(|e| e.span.start <= at.start && at.end <= e.span.end);
        fix.safe &= !others.iter().any(|other| covers(other.span));
    }
}
