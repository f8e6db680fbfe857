//! Puzzles → answers and findings; what holds across a file and across all that is checked together.
//!
//! Invariant: the command line and the server call the same functions here, so they cannot disagree;
//! nothing here prints, and nothing knows of an editor.

mod binding;
mod cache;
pub mod code_docs;
pub mod config;
mod duplicates;
mod lookup;
mod segments;
mod verbs;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use crate::board::{Colour, Piece, Size, Square};
use crate::diagnostic::{Code, Finding, Fix, Span};
use crate::games::{Answer, Game, Position, Request, Symmetry};
use crate::syntax::{GameId, Property, Puzzle, Query, Tree, Value, Verb};
use binding::Allow;
use verbs::evaluate::QueryEvaluator;

pub use binding::{Bound, Defaults, insert_property};
pub use cache::Cache;
pub use config::{Config, Notation, Severities};
pub use duplicates::batch::{Placed, allow, duplicates, link};
pub use duplicates::index::{DuplicateFindings, DuplicateIndex};
pub use lookup::{
    Played, answer_parts, bind_all, bind_one, bound_at, played_of, position_of, puzzle_at, puzzle_near,
    puzzles, puzzles_in, request_of, steps_of,
};
pub use segments::{Pending, PuzzleRef, SegmentedText, Source, Window};
pub use verbs::answer_syntax::AnswerPart;
pub use verbs::evaluate::{answer_text, solution_in_names};

/// What an analysis may do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The nodes that one search may visit.
    pub nodes: u64,
    /// Ends all searches early when it becomes true.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Counts the bytes of the puzzles that are done.
    pub progress: Option<Arc<AtomicU64>>,
    /// Whether answers are wanted, or findings alone.
    pub answers: bool,
    /// What is configured where the text stands. Its budget is not read from here.
    pub config: Arc<Config>,
}

/// The nodes that one search may visit where nothing says otherwise: seconds of work at most.
pub const DEFAULT_NODES: u64 = 4_000_000;

impl Options {
    /// What a configuration allows.
    pub fn new(config: Arc<Config>) -> Options {
        Options { nodes: config.nodes, cancel: None, progress: None, answers: false, config }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::new(Arc::default())
    }
}

/// What became of a query.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Its answer.
    Answer(Answer),
    /// The search gave none; why.
    Undecided(String),
    /// It cannot be asked; why.
    Error(String),
}

/// A query and what became of it.
#[derive(Clone, Debug)]
pub struct QueryReport {
    /// What was asked.
    pub verb: Verb,
    /// The whole query with its answer.
    pub span: Span,
    /// The verb and its argument.
    pub asked: Span,
    /// Whether something is written after it.
    pub answered: bool,
    /// What became of it.
    pub outcome: Outcome,
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
    /// Its game, where it has one.
    pub game: Option<GameId>,
    /// What its coordinates count from.
    pub origin: u8,
    /// How its answers are written.
    pub notation: Notation,
    /// What is wrong with it.
    pub findings: Vec<Finding>,
    /// Its queries, where answers are wanted.
    pub queries: Vec<QueryReport>,
    /// Whether it has syntax errors, allowed or not.
    pub broken: bool,
    /// The number of its queries.
    pub asked: u32,
    /// Whether a search ended before it knew all: with a larger budget more may be said.
    pub cut: bool,
    /// How many nodes its searches visited.
    pub nodes: u64,
    allows: Vec<Allow>,
    /// How many of the file's allows stand above it.
    file_allows: u32,
    key: Option<PuzzleIdentity>,
}

impl PuzzleReport {
    /// Of a puzzle of which nothing is known yet.
    fn bare(span: Span, head: Span) -> PuzzleReport {
        PuzzleReport {
            span,
            head,
            name: None,
            game: None,
            origin: 0,
            notation: Notation::default(),
            findings: Vec::new(),
            queries: Vec::new(),
            broken: false,
            asked: 0,
            cut: false,
            nodes: 0,
            allows: Vec::new(),
            file_allows: 0,
            key: None,
        }
    }

    /// Whether there is nothing to tell of it.
    fn is_plain(&self) -> bool {
        self.findings.is_empty() && self.allows.is_empty() && !self.broken && !self.cut
    }

    fn forget_answers(&mut self) {
        self.queries = Vec::new();
    }

    /// Moves it so many bytes.
    fn shift(&mut self, by: i64) {
        if by == 0 {
            return;
        }
        self.span.shift(by);
        self.head.shift(by);
        self.name.iter_mut().for_each(|s| s.shift(by));
        self.findings.iter_mut().for_each(|f| f.shift(by));
        for query in &mut self.queries {
            query.span.shift(by);
            query.asked.shift(by);
        }
        self.allows.iter_mut().for_each(|a| *a = a.shifted(by));
    }

    /// Its name without quotes, in the text that it was found in.
    pub fn name_in<'t>(&self, text: &'t str) -> Option<&'t str> {
        Some(unquoted(&text[self.name?.range()]))
    }
}

/// A name without its quotes, of which the last may be missing.
fn unquoted(name: &str) -> &str {
    let Some(quote) = name.chars().next().filter(|&c| c == '"' || c == '\'') else { return name };
    let inner = &name[1..];
    inner.strip_suffix(quote).unwrap_or(inner)
}

/// What makes two puzzles the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PuzzleIdentity {
    /// Alike for boards that differ by a symmetry.
    canonical_hash: u128,
    /// Alike for equal boards only.
    exact_hash: u64,
}

/// All that is known of a file.
#[derive(Clone)]
pub struct FileReport {
    /// Its puzzles, in order.
    pub puzzles: Vec<PuzzleReport>,
    /// Findings outside of puzzles.
    pub top: Vec<Finding>,
    /// How bad each of its findings is.
    pub severities: Severities,
    allows: Vec<Allow>,
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

    /// The same with other severities.
    pub fn under(self, severities: Severities) -> FileReport {
        FileReport { severities, ..self }
    }

    /// All findings with the puzzle that each belongs to, in no order.
    pub fn unordered(&self) -> impl Iterator<Item = (&Finding, Option<&PuzzleReport>)> {
        let inside = self.puzzles.iter().flat_map(|p| p.findings.iter().map(move |f| (f, Some(p))));
        inside.chain(self.top.iter().map(|f| (f, None)))
    }

    /// All findings with the puzzle that each belongs to, in order of position; of one place the
    /// worst first.
    pub fn findings(&self) -> Vec<(&Finding, Option<&PuzzleReport>)> {
        let mut all: Vec<_> = self.unordered().collect();
        let order = |(f, _): &(&Finding, Option<&PuzzleReport>)| {
            (f.span.start, self.severities.shown(f.code), f.span.end, f.code)
        };
        match all.len() {
            0..10_000 => all.sort_by_key(order),
            _ => all.par_sort_by_key(order),
        }
        all
    }
}

/// Analyses a file by itself; [`link`] adds what holds across files, and must be called once.
pub fn analyse(tree: &Tree, options: &Options) -> FileReport {
    let one = |&(puzzle, settings): &(Puzzle<'_>, Defaults)| {
        let report = analyse_puzzle(puzzle, settings, options);
        if let Some(done) = &options.progress {
            done.fetch_add(u64::from(report.span.end - report.span.start), Ordering::Relaxed);
        }
        report
    };
    let (mut puzzles, top, allows) = read_file(tree, options.config.settings, |all| match all.len() {
        0..16 => all.iter().map(one).collect(),
        _ => all.par_iter().map(one).collect(),
    });
    duplicates::batch::names(tree.text(), &mut puzzles);
    FileReport { puzzles, top, severities: options.config.severities, allows }
}

/// Reads a file under these defaults, its puzzles by `reports`: their reports with the parser's errors, what
/// is wrong outside of them, and what is allowed in the file.
fn read_file<'t>(
    tree: &'t Tree,
    defaults: Defaults,
    reports: impl FnOnce(&[(Puzzle<'t>, Defaults)]) -> Vec<PuzzleReport>,
) -> (Vec<PuzzleReport>, Vec<Finding>, Vec<Allow>) {
    let (mut top, mut allows) = (Vec::new(), Vec::new());
    let mut settings = defaults;
    let mut puzzles = Vec::new();
    for node in tree.root().children() {
        if let Some(puzzle) = Puzzle::cast(node) {
            puzzles.push((puzzle, settings));
        } else if let Some(property) = crate::syntax::PropertyNode::cast(node) {
            binding::property(property, false, &mut settings, &mut allows, &mut top);
            settings.allows = allows.len() as u32;
        }
    }
    let mut reports = reports(&puzzles);
    // The parser's errors go to the puzzles that they stand in.
    let mut at = 0;
    for error in tree.errors() {
        while at < reports.len() && reports[at].span.end <= error.span.start {
            at += 1;
        }
        match reports.get_mut(at).filter(|p| p.span.start <= error.span.start) {
            Some(puzzle) => {
                puzzle.broken = true;
                puzzle.findings.push(error.clone());
            }
            None => top.push(error.clone()),
        }
    }
    (reports, top, allows)
}

/// The findings and answers of one puzzle by itself.
pub fn report_of(puzzle: Puzzle<'_>, defaults: Defaults, options: &Options) -> PuzzleReport {
    let mut report = analyse_puzzle(puzzle, defaults, options);
    add_errors(puzzle, &mut report);
    report
}

/// Adds the parser's errors in a puzzle to what is said of it.
fn add_errors(puzzle: Puzzle<'_>, report: &mut PuzzleReport) {
    let (span, errors) = (report.span, puzzle.node().tree().errors());
    let first = errors.partition_point(|e| e.span.start < span.start);
    let inside: Vec<Finding> =
        errors[first..].iter().take_while(|e| e.span.start < span.end).cloned().collect();
    report.broken |= !inside.is_empty();
    report.findings.extend(inside);
}

fn analyse_puzzle(puzzle: Puzzle<'_>, defaults: Defaults, options: &Options) -> PuzzleReport {
    let mut report = PuzzleReport {
        name: puzzle.name().map(|t| t.span()),
        game: puzzle.game(),
        notation: defaults.notation,
        file_allows: defaults.allows,
        ..PuzzleReport::bare(puzzle.span(), puzzle.head())
    };
    let Some(bound) = binding::bind(puzzle, defaults, &mut report.allows, &mut report.findings) else {
        report.asked = puzzle.queries().count() as u32;
        if options.answers {
            report.queries = puzzle.queries().filter_map(|q| failed(q, "the game is unknown")).collect();
        }
        return report;
    };
    report.origin = bound.origin;
    let findings = &mut report.findings;
    let asked: Vec<ParsedQuery<'_>> = puzzle.queries().filter_map(|q| ParsedQuery::read(q, &bound)).collect();
    let position = position(&bound, findings);
    let position = position.and_then(|p| validate(&bound, &p, &asked, report.head, findings).map(|()| p));
    let mut asker = position.map(|p| QueryEvaluator::new(&bound, p, options));
    report.asked = puzzle.queries().count() as u32;
    for one in &asked {
        let doubt = bound.in_doubt(one.query);
        let query = match (&one.request, &mut asker) {
            _ if !bound.game.verbs().contains(&one.verb) => {
                let finding = wrong_query(&bound, one);
                let report = failed(one.query, &finding.message);
                findings.push(finding);
                report
            }
            (Some(Err(wrong)), _) => {
                findings.extend(wrong.iter().filter(|f| !bound.is_guess(f)).cloned());
                failed(one.query, wrong.first().map_or("the move is missing", |f| &f.message))
            }
            (request, Ok(asker)) if doubt.is_none() => {
                let request = request.as_ref().and_then(|r| r.as_ref().ok()).copied();
                Some(asker.query(one.query, one.verb, request))
            }
            (_, known) => {
                findings.extend(
                    one.query.answer().and_then(|a| verbs::answer_syntax::unreadable_word(a, one.verb)),
                );
                failed(one.query, known.as_ref().err().or(doubt.as_ref()).map_or("", String::as_str))
            }
        };
        report.queries.extend(query.filter(|_| options.answers));
    }
    if let Ok(mut asker) = asker {
        let in_doubt = bound.in_doubt_at_all();
        if let Some(at) = bound.settings.unique.filter(|_| !in_doubt) {
            asker.unique(at);
        }
        findings.append(&mut asker.findings);
        (report.cut, report.nodes) = (asker.cut, asker.nodes);
        report.key = (!in_doubt).then(|| key(&bound, &asker.position, &asked));
    }
    report
}

/// A query with its move read.
struct ParsedQuery<'t> {
    query: Query<'t>,
    verb: Verb,
    /// For `move`, the move or what is wrong with it.
    request: Option<Result<Request, Vec<Finding>>>,
}

impl<'t> ParsedQuery<'t> {
    /// Nothing where even the verb is unknown.
    fn read(query: Query<'t>, bound: &Bound<'_>) -> Option<ParsedQuery<'t>> {
        let verb = query.verb()?;
        let request = (verb == Verb::Move).then(|| match query.argument() {
            Some(value) => verbs::chess_move::read(value, bound.game.format(), bound.origin, bound.turn),
            // The parser has said that it is missing.
            None => Err(Vec::new()),
        });
        Some(ParsedQuery { query, verb, request })
    }

    /// What makes two queries the same; a move that cannot be read, only if it is written the same.
    fn key(&self) -> (Verb, Option<Request>, Option<&'t str>) {
        match &self.request {
            Some(Ok(request)) => (self.verb, Some(*request), None),
            Some(Err(_)) => {
                let text = self.query.node().tree().text();
                (self.verb, None, self.query.argument().map(|a| &text[a.span().range()]))
            }
            None => (self.verb, None, None),
        }
    }
}

fn wrong_query(bound: &Bound<'_>, asked: &ParsedQuery<'_>) -> Finding {
    let can: Vec<String> = bound.game.verbs().iter().map(|v| format!("`{}`", v.word())).collect();
    let (game, verb) = (bound.game.format().game, asked.verb.word());
    let message = format!("{game} cannot be asked `{verb}`, only {}", can.join(" and "));
    let fix = Fix::new("remove it", asked.query.span(), "", false);
    Finding::new(Code::NotForThisGame, asked.query.keyword().span(), message).fix(fix)
}

/// Says what is odd about a position.
///
/// # Errors
/// Why it cannot be asked about: a colour has two kings.
fn validate(
    bound: &Bound<'_>,
    position: &Position,
    asked: &[ParsedQuery<'_>],
    head: Span,
    findings: &mut Vec<Finding>,
) -> Result<(), String> {
    let place = |cell| bound.reading.as_ref().and_then(|r| r.place(cell)).unwrap_or(head);
    let mut stop = Ok(());
    for odd in bound.game.validate(position, &sides(bound, asked)) {
        let (mut at, mut other) = (place(odd.cell), odd.other.map(|(cell, what)| (place(cell), what)));
        if odd.code == Code::TooManyKings {
            stop = stop.and(Err(odd.message.clone()));
            // Of two kings the second is the one that is written later.
            if let Some((first, _)) = &mut other
                && at.start < first.start
            {
                std::mem::swap(&mut at, first);
            }
        }
        let finding = Finding::new(odd.code, at, odd.message);
        findings.push(match other {
            Some((span, what)) => finding.related(span, what),
            None => finding,
        });
    }
    stop
}

/// The report of a query that cannot be asked; nothing where even its verb is unknown.
fn failed(query: Query<'_>, why: &str) -> Option<QueryReport> {
    Some(QueryReport {
        verb: query.verb()?,
        span: query.span(),
        asked: query.asked(),
        answered: query.has_arrow(),
        outcome: Outcome::Error(why.to_string()),
    })
}

/// The position that a puzzle's queries are asked of, or why there is none.
fn position(bound: &Bound<'_>, findings: &mut Vec<Finding>) -> Result<Position, String> {
    let Some(reading) = &bound.reading else {
        return Err(match bound.puzzle.boards().next() {
            None => "the puzzle has no board".to_string(),
            Some(_) => "the board is missing".to_string(),
        });
    };
    if bound.unclosed {
        return Err("a string of the board is not closed".to_string());
    }
    findings.extend(reading.findings.iter().filter(|f| !bound.is_guess(f)).cloned());
    if bound.half_read {
        return Err("the board has a syntax error".to_string());
    }
    match &reading.board {
        Some(board) if reading.is_good() => Ok(Position {
            board: board.clone(),
            turn: bound.turn,
            dialect: bound.settings.dialect.unwrap_or_default(),
        }),
        _ => {
            let first = reading.findings.iter().find(|f| f.code != Code::KingLetter);
            Err(first.map_or("the board cannot be read".to_string(), |f| f.message.clone()))
        }
    }
}

/// Who may be to move: what is told, or else white and every colour that a move names. A position
/// is impossible if it is so for all of them.
fn sides(bound: &Bound<'_>, asked: &[ParsedQuery<'_>]) -> Vec<Colour> {
    let mut sides = vec![bound.turn];
    if bound.settings.unread.has(Property::Turn) {
        return vec![Colour::White, Colour::Black];
    }
    if !bound.turn_told {
        for one in asked.iter().filter(|a| matches!(a.query.argument(), Some(Value::Lists(_)))) {
            if let Some(Ok(request)) = &one.request
                && !sides.contains(&request.colour)
            {
                sides.push(request.colour);
            }
        }
    }
    sides
}

/// Hashes what makes puzzles the same: game, dialect, side, queries and position, of which the least
/// of its symmetric forms counts, unless a query names squares.
fn key(bound: &Bound<'_>, position: &Position, asked: &[ParsedQuery<'_>]) -> PuzzleIdentity {
    let mut asked: Vec<_> = asked.iter().map(ParsedQuery::key).collect();
    asked.sort();
    let board = &position.board;
    let code = |p: Piece| p.kind as u8 | if p.colour == Colour::Black { 8 } else { 0 };
    let pieces: Vec<(Square, u8)> = board.pieces().map(|(s, p)| (s, code(p))).collect();
    let turned = |symmetry: Symmetry, bytes: &mut Vec<u8>| {
        let Size { w, h, d } = symmetry.size(board.size);
        bytes.clear();
        bytes.extend([w, h, d]);
        bytes.resize(3 + board.cells.len(), 0);
        for &(square, code) in &pieces {
            let s = symmetry.apply(square, board.size);
            let cell =
                usize::from(s.x) + usize::from(w) * (usize::from(s.y) + usize::from(h) * usize::from(s.z));
            bytes[3 + cell] = code;
        }
    };
    let mut exact_hash = Vec::new();
    turned(Symmetry::IDENTITY, &mut exact_hash);
    let mut least = exact_hash.clone();
    if asked.iter().all(|a| a.0 != Verb::Move) {
        let game: &dyn Game = bound.game;
        let mut one = Vec::new();
        for symmetry in game.symmetries(position) {
            turned(symmetry, &mut one);
            if one < least {
                std::mem::swap(&mut one, &mut least);
            }
        }
    }
    let mut all = DefaultHasher::new();
    (bound.id, position.dialect, position.turn, &asked).hash(&mut all);
    let hash = |salt: u8, cells: &[u8]| {
        let mut h = all.clone();
        (cells, salt).hash(&mut h);
        h.finish()
    };
    let canonical_hash = u128::from(hash(1, &least)) << 64 | u128::from(hash(2, &least));
    PuzzleIdentity { canonical_hash, exact_hash: hash(3, &exact_hash) }
}
