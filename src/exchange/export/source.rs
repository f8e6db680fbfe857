//! The files that are exported, with their reports, and the puzzles in them.

use std::sync::Arc;

use crate::begins::first_side;
use crate::export::properties::{Inherited, Properties};
use crate::export::query::{ExportQuery, Known};
use crate::export::search::{NEEDS_SEARCH, Search};
use crate::filter::{Candidate, Filter};
use cpz_check::analysis::{
    Bound, Config, Defaults, FileReport, Options, Outcome, PuzzleReport, Watch, bind_one, first_problem,
    position_of, problem_of,
};
use cpz_check::authoring::{HINT_GRADES, Rating, first_move, rate};
use cpz_rules::board::{Board, Colour, Notation, write_fen, write_pdn, write_placement};
use cpz_rules::games::{Dialect, Position};
use cpz_text::diagnostic::{Finding, LineIndex, Span};
use cpz_text::syntax::{GameId, Property, PropertyNode, Puzzle, TokenKind, Tree, Verb};

/// A file that was analysed with answers.
pub struct Source<'a> {
    /// Its path in the output.
    pub path: &'a str,
    /// The text that was analysed.
    pub text: &'a str,
    /// The lines of the text.
    pub index: &'a LineIndex,
    /// The report, with answers.
    pub report: &'a FileReport,
    /// The configuration that applies.
    pub config: &'a Arc<Config>,
    /// How far it was searched, and is searched further.
    pub search: Search,
    /// Shows and stops the searches, for who waits for them.
    pub watch: Option<&'a Arc<Watch>>,
}

/// A puzzle with everything that a format may hold of it.
pub(crate) struct ExportPuzzle<'a> {
    /// The file that it is in.
    pub source: &'a Source<'a>,
    /// The puzzle.
    pub puzzle: Puzzle<'a>,
    /// Its board and settings; nothing where its game is unknown.
    pub bound: Option<Bound<'a>>,
    /// The position that its first problem begins with, or that of its board where it asks no problem.
    pub position: Option<Position>,
    /// Its report.
    pub report: &'a PuzzleReport,
    /// Its descriptive properties.
    pub properties: Properties<'a>,
    /// Its questions, in order.
    pub queries: Vec<ExportQuery<'a>>,
    /// The errors and warnings that belong to no question.
    pub findings: Vec<&'a Finding>,
}

/// A puzzle in its file, with what is in force for it.
pub(crate) struct Placed<'a> {
    puzzle: Puzzle<'a>,
    defaults: Defaults,
    inherited: Arc<Inherited<'a>>,
    report: &'a PuzzleReport,
}

/// The side that begins a problem that is not solved.
pub(super) fn unsolved_turn(bound: &Bound<'_>, stipulation: &str) -> Colour {
    let turn = bound.settings.turn.unwrap_or(first_side(stipulation));
    if bound.puzzle.has_property(Property::HalfDuplex) { turn.other() } else { turn }
}

/// The puzzles of a file, in order, each with what is in force for it.
pub(crate) fn placed<'a>(source: &'a Source<'a>, tree: &'a Tree) -> impl Iterator<Item = Placed<'a>> {
    let mut inherited = Arc::new(Inherited::default());
    let mut defaults = cpz_check::analysis::puzzles(tree, source.config.settings);
    let mut reports = source.report.puzzles.iter();
    tree.root().children().filter_map(move |node| {
        if let Some(property) = PropertyNode::cast(node) {
            Arc::make_mut(&mut inherited).add(property);
        }
        Puzzle::cast(node)?;
        let ((puzzle, defaults), report) = (defaults.next()?, reports.next()?);
        if !inherited.is_closed() {
            Arc::make_mut(&mut inherited).close();
        }
        Some(Placed { puzzle, defaults, inherited: inherited.clone(), report })
    })
}

impl<'a> ExportPuzzle<'a> {
    /// Reads a puzzle.
    pub fn read(source: &'a Source<'a>, placed: &Placed<'a>) -> ExportPuzzle<'a> {
        let (puzzle, report) = (placed.puzzle, placed.report);
        let known = Known::of(report, source.search);
        let read = |query| ExportQuery::read(source.text, &source.report.severities, &known, query);
        let queries: Vec<ExportQuery<'a>> = puzzle.queries().map(read).collect();
        let bound = bind_one(puzzle, placed.defaults);
        let position = bound.as_ref().and_then(|bound| {
            first_problem(bound).map(|(position, _)| position).or_else(|| {
                let unsolved = queries.iter().find(|q| q.query.verb() == Some(Verb::Unsolved));
                let position = position_of(bound)?;
                let turn = unsolved.map_or(position.turn, |q| unsolved_turn(bound, q.query.keyword().text()));
                Some(Position { turn, ..position })
            })
        });
        ExportPuzzle {
            source,
            puzzle,
            bound,
            position,
            report,
            properties: Properties::of(puzzle, &placed.inherited),
            queries,
            findings: known.other_findings(&source.report.severities),
        }
    }

    /// Its `id`.
    pub fn id(&self) -> Option<&'a str> {
        self.report.id_in(self.source.text)
    }

    /// Whether a filter lets it through. `number` is its place in the collection, from 1.
    pub fn is_chosen(&self, filter: &Filter, number: usize) -> bool {
        let tags = self.properties.texts(Property::Tags);
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        let (id, name, game) = (self.id(), self.name(), self.game());
        filter.takes(&Candidate { id, name, number, game, tags: &tags })
    }

    /// Its name without quotes.
    pub fn name(&self) -> Option<&'a str> {
        self.report.name_in(self.source.text).filter(|name| !name.trim().is_empty())
    }

    /// What it is called in a format with one place for that: its name, or else its `id`.
    pub fn title(&self) -> Option<&'a str> {
        self.name().or(self.id())
    }

    /// Its game; nothing where that is unknown.
    pub fn game(&self) -> Option<GameId> {
        self.bound.as_ref().map(|b| b.id)
    }

    /// The keyword of its game as it is written, where the game is unknown.
    pub fn game_word(&self) -> &'a str {
        match self.game() {
            Some(game) => game.word(),
            None => self.puzzle.keyword().text(),
        }
    }

    /// Its board, if it can be read.
    pub fn board(&self) -> Option<&Board> {
        let reading = self.bound.as_ref()?.reading.as_ref()?;
        reading.board.as_ref().filter(|_| reading.is_good())
    }

    /// The side to move, in games that have sides.
    pub fn side(&self) -> Option<Colour> {
        let bound = self.bound.as_ref().filter(|b| b.game.format().coloured)?;
        Some(self.position.as_ref().map_or(bound.turn, |p| p.turn))
    }

    /// The dialect of a solitaire puzzle.
    pub fn dialect(&self) -> Option<Dialect> {
        let bound = self.bound.as_ref().filter(|b| b.id == GameId::Solitaire)?;
        Some(bound.settings.dialect.unwrap_or_default())
    }

    /// The position in one line: FEN of chess, the placement of a FEN for solitaire, PDN with named squares for
    /// draughts. Nothing for cubes and for boards of one row or column, and where the board cannot be read.
    pub fn fen(&self) -> Option<String> {
        let bound = self.bound.as_ref()?;
        let (board, format) = (self.board()?, bound.game.format());
        let position = self.position.as_ref()?;
        match format.notation {
            Notation::Pdn => Some(write_pdn(board, position.turn)),
            Notation::Fen => {
                let counters = bound.reading.as_ref().and_then(|r| r.fen_rest.as_deref()).unwrap_or("0 1");
                Some(format!("{} {counters}", write_fen(board, format, position.turn, position.rights)))
            }
            // One rank has no slash, by which a FEN is known, and one file may have no digit.
            Notation::None if format.is_cube() || board.size.h == 1 || board.size.w == 1 => None,
            Notation::None => Some(write_placement(board, format)),
        }
    }

    /// The rows of the board from the top, level after level from the top.
    pub fn rows(&self) -> Option<Vec<String>> {
        let (board, format) = (self.board()?, self.bound.as_ref()?.game.format());
        let (size, row_size) = (board.size, usize::from(board.size.w));
        let rows = usize::from(size.h) * usize::from(size.d);
        let row = |i: usize| {
            let cells = &board.cells[i * row_size..(i + 1) * row_size];
            cells.iter().map(|cell| cell.map_or(format.empty, |p| format.letter(p))).collect()
        };
        Some((0..rows).rev().map(row).collect())
    }

    /// What a search for more than the answers begins with, or why there is none: its problem is not solved, or not in a
    /// short search.
    fn solved(&self) -> Result<&Bound<'a>, String> {
        let bound = self.bound.as_ref().ok_or("the game is unknown")?;
        let problem = self.queries.iter().find(|q| problem_of(bound, q.query).is_some());
        match problem.map(|q| (q, q.report.map(|report| &report.outcome))) {
            Some((query, _)) if query.lacks_answer => Err(NEEDS_SEARCH.into()),
            Some((_, Some(Outcome::Error(why)))) if self.position.is_some() => Err(why.clone()),
            _ => Ok(bound),
        }
    }

    /// How hard it is, or why that is not known.
    pub fn rating(&self) -> Result<Rating, String> {
        rate(self.solved()?, &self.options()).map_err(|why| self.source.search.explained(&why))
    }

    /// Its hints of all grades: the author's own first, then those that are worked out; of the latter none where there is
    /// no solution.
    pub fn hints(&self) -> Vec<String> {
        let mut hints = self.properties.texts(Property::Hint);
        let own = hints.len().min(usize::from(HINT_GRADES)) as u8;
        if own < HINT_GRADES
            && let Ok(bound) = self.solved()
            && let Ok(first) = first_move(bound, &self.options())
        {
            hints.extend((own + 1..=HINT_GRADES).map(|grade| first.hint(bound, grade)));
        }
        hints
    }

    /// The comment lines above it.
    pub fn description(&self) -> Vec<&'a str> {
        self.puzzle.description()
    }

    /// Whether there are comments in it.
    pub fn has_inner_comments(&self) -> bool {
        self.puzzle.node().tokens().any(|t| t.kind() == TokenKind::Comment)
    }

    /// What a search of it may do.
    pub fn options(&self) -> Options {
        let Source { search, config, watch, .. } = self.source;
        Options { nodes: search.nodes(), watch: watch.cloned(), ..Options::new(Arc::clone(config)) }
    }

    /// The text of a span of the file.
    pub fn text_of(&self, span: Span) -> &'a str {
        &self.source.text[span.range()]
    }
}
