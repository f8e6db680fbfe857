//! The formats: their names, and what stands around and between their puzzles.

use crate::export::losses::Losses;
use crate::export::source::ExportPuzzle;
use crate::export::{csv, fen, json, markdown, olv, pdn, pgn, popeye};

/// A format of other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON document.
    Json,
    /// One JSON object a line.
    Jsonl,
    /// A row of CSV for each question.
    Csv,
    /// A FEN a line.
    Fen,
    /// Extended position description: a position with operations a line.
    Epd,
    /// A game of chess for each puzzle.
    Pgn,
    /// A game of draughts for each puzzle.
    Pdn,
    /// Input of the solver Popeye.
    Popeye,
    /// The YAML of Olive and YACPDB.
    Olv,
    /// Text with boards in code blocks.
    Markdown,
    /// A package of cards for Anki, which is no text.
    Anki,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 11] = [
        Format::Json,
        Format::Jsonl,
        Format::Csv,
        Format::Fen,
        Format::Epd,
        Format::Pgn,
        Format::Pdn,
        Format::Popeye,
        Format::Olv,
        Format::Markdown,
        Format::Anki,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        ["json", "jsonl", "csv", "fen", "epd", "pgn", "pdn", "popeye", "olv", "markdown", "anki"]
            [self as usize]
    }

    /// What it is, for a list of formats.
    pub fn description(self) -> &'static str {
        match self {
            Format::Json => "One JSON document: everything, with verified answers and verdicts",
            Format::Jsonl => "The same, one puzzle a line",
            Format::Csv => "A row for each question",
            Format::Fen => "A FEN on each line, with the name behind it",
            Format::Epd => "Positions with operations, as engines use them",
            Format::Pgn => "A game for each chess puzzle, the solution as its moves",
            Format::Pdn => "A game for each draughts puzzle",
            Format::Popeye => "Input of the solver Popeye",
            Format::Olv => "The YAML of Olive and YACPDB",
            Format::Markdown => "Text with boards, the answers behind a click",
            Format::Anki => "A package of cards for Anki: the board and the question, behind it the solution",
        }
    }

    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Format::Json | Format::Jsonl => "JSON",
            Format::Csv => "CSV",
            Format::Fen => "FEN",
            Format::Epd => "EPD",
            Format::Pgn => "PGN",
            Format::Pdn => "PDN",
            Format::Popeye => "Popeye",
            Format::Olv => "Olive",
            Format::Markdown => "this Markdown",
            Format::Anki => "Anki",
        }
    }

    /// Whether it is text. What is not is written by [`DeckExporter`](crate::export::DeckExporter).
    pub fn is_text(self) -> bool {
        self != Format::Anki
    }

    /// Whether answers are written in it.
    pub(super) fn has_answers(self) -> bool {
        !matches!(self, Format::Fen | Format::Popeye)
    }

    /// What stands before the first puzzle.
    pub(super) fn head(self) -> String {
        match self {
            Format::Json => json::HEAD.into(),
            Format::Csv => csv::head(),
            _ => String::new(),
        }
    }

    /// What stands before each puzzle; `is_first` says that no puzzle is before it.
    pub(super) fn before(self, is_first: bool) -> &'static str {
        match (self, is_first) {
            (Format::Json, true) => "\n",
            (Format::Json, false) => ",\n",
            (Format::Popeye, true) => "BeginProblem\n",
            (Format::Popeye, false) => "NextProblem\n",
            _ => "",
        }
    }

    /// What stands behind the last puzzle; `is_empty` says that there is none.
    pub(super) fn tail(self, is_empty: bool) -> &'static str {
        match self {
            Format::Json => json::TAIL,
            Format::Popeye if !is_empty => "EndProblem\n",
            _ => "",
        }
    }

    /// The text of a puzzle; nothing where the format cannot hold it, or is no text.
    pub(super) fn puzzle(self, puzzle: &ExportPuzzle<'_>, losses: &mut Losses) -> Option<String> {
        match self {
            Format::Json => json::puzzle(puzzle, losses),
            Format::Jsonl => json::puzzle(puzzle, losses).map(|line| line + "\n"),
            Format::Csv => csv::rows(puzzle, losses),
            Format::Fen => fen::line(puzzle, losses),
            Format::Epd => fen::epd(puzzle, losses),
            Format::Pgn => pgn::game(puzzle, losses),
            Format::Pdn => pdn::game(puzzle, losses),
            Format::Popeye => popeye::problem(puzzle, losses),
            Format::Olv => olv::document(puzzle, losses),
            Format::Markdown => markdown::section(puzzle, losses),
            Format::Anki => None,
        }
    }
}
