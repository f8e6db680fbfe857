//! A sheet: what is printed of each puzzle, before it is HTML, Typst or LaTeX.

use crate::print::answers::{Detail, Exercise, exercises, pieces_in_words};
use crate::print::entries::Entry;
use crate::print::languages::Language;
use crate::print::pictures::side_to_move;
use crate::print::problem_form::{Form, ProblemForm};
use crate::print::words::Words;
use cpz_check::analysis::{Options, position_or_reason, report_of};
use cpz_check::authoring::{first_move, rate};
use cpz_ide::{Background, Frame, PictureStyle, Theme};
use cpz_rules::board::{Board, Format};

/// Where solutions or hints are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// On pages of their own.
    Apart,
    /// Below each diagram.
    Below,
    /// Nowhere.
    Nowhere,
}

/// Which difficulty a sheet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifficultyShown {
    /// What the author wrote.
    Written,
    /// What the author wrote, or else the estimate.
    Estimate,
    /// None.
    Nothing,
}

/// The size of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 210 mm × 297 mm.
    A4,
    /// 8.5 in × 11 in.
    Letter,
}

/// The margins of a page, the gaps between diagrams and the height of a line for an answer, in millimetres.
pub(crate) const MARGIN_TOP: f64 = 14.0;
pub(crate) const MARGIN_SIDE: f64 = 15.0;
pub(crate) const MARGIN_BOTTOM: f64 = 17.0;
pub(crate) const GAP_X: f64 = 10.0;
pub(crate) const GAP_Y: f64 = 7.0;
pub(crate) const ROOM: f64 = 7.0;

impl Placement {
    /// All of them.
    pub const ALL: [Placement; 3] = [Placement::Apart, Placement::Below, Placement::Nowhere];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        ["apart", "below", "none"][self as usize]
    }
}

impl DifficultyShown {
    /// All of them.
    pub const ALL: [DifficultyShown; 3] =
        [DifficultyShown::Written, DifficultyShown::Estimate, DifficultyShown::Nothing];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        ["written", "estimate", "none"][self as usize]
    }
}

impl Paper {
    /// All of them.
    pub const ALL: [Paper; 2] = [Paper::A4, Paper::Letter];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        ["a4", "letter"][self as usize]
    }

    /// The width and height inside of the margins in millimetres. The height is a millimetre less than there is, so
    /// that rounding makes no empty page.
    pub(crate) fn inner(self) -> (f64, f64) {
        let (width, height) = match self {
            Paper::A4 => (210.0, 297.0),
            Paper::Letter => (215.9, 279.4),
        };
        (width - 2.0 * MARGIN_SIDE, height - MARGIN_TOP - MARGIN_BOTTOM - 1.0)
    }
}

/// How a sheet looks.
#[derive(Clone, Debug)]
pub struct SheetOptions {
    /// The title of the title page; `None` for a sheet without one.
    pub title: Option<String>,
    /// The language of all that is not written by the author.
    pub language: Language,
    /// The size of the paper.
    pub paper: Paper,
    /// The most diagrams on a page, 1 to 12.
    pub per_page: u8,
    /// What stands below the diagrams of chess problems.
    pub form: Form,
    /// Where the solutions are.
    pub solutions: Placement,
    /// Where the hints are.
    pub hints: Placement,
    /// Whether puzzles without hints get some.
    pub added_hints: bool,
    /// Which difficulty is shown.
    pub difficulty: DifficultyShown,
    /// The colours of the boards.
    pub theme: Theme,
    /// Whether files and ranks are named.
    pub coordinates: bool,
}

impl SheetOptions {
    /// The columns and rows of a page.
    pub(crate) fn grid(&self) -> (u8, u8) {
        match self.per_page {
            0 | 1 => (1, 1),
            2 => (1, 2),
            3 => (1, 3),
            4 => (2, 2),
            5 | 6 => (2, 3),
            7 | 8 => (2, 4),
            9 => (3, 3),
            _ => (3, 4),
        }
    }

    /// The size of the text in points.
    pub(crate) fn text_size(&self) -> f64 {
        if self.per_page > 6 { 8.5 } else { 10.0 }
    }

    /// How many lines there are for an answer; none where the solution stands below the diagram.
    pub(crate) fn room(&self) -> u8 {
        match (self.solutions, self.per_page) {
            (Placement::Below, _) => 0,
            _ if self.form == Form::Magazine => 0,
            (_, 0 | 1) => 5,
            (_, 2..=4) => 2,
            _ => 1,
        }
    }
}

/// Who made a puzzle, where it was published, and what it won, in the order of magazines. Each may be empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Credits {
    /// `Samuel Loyd`
    pub authors: String,
    /// `New York Illustrated News, 1860`; the year only once.
    pub source: String,
    /// `1st prize`
    pub award: String,
}

/// A puzzle of a sheet.
pub struct Diagram {
    /// Its name, or nothing.
    pub(crate) name: String,
    pub(crate) credits: Credits,
    /// Its difficulty, or nothing.
    pub(crate) difficulty: String,
    /// Its hints, mildest first.
    pub(crate) hints: Vec<String>,
    /// Its questions with their solutions.
    pub(crate) exercises: Vec<Exercise>,
    /// What is printed below the diagram in signs; `None` where it is no chess problem.
    pub(crate) form: Option<ProblemForm>,
    /// The board, for what draws it by itself.
    pub(crate) board: Board,
    pub(crate) format: &'static Format,
    /// The board in words.
    pub(crate) words: String,
    /// The width and height of the picture.
    pub(crate) size: (u32, u32),
    /// What its background depends on.
    pub(crate) background_key: Background,
    /// The squares, the frame and the names as SVG.
    pub(crate) background: String,
    /// The pieces and the dot as SVG.
    pub(crate) foreground: String,
    /// The shapes of its pieces, by id.
    pub(crate) shapes: Vec<(&'static str, String)>,
}

/// A puzzle as it is printed. `search` says what the solution may cost.
///
/// # Errors
/// Why it cannot be printed: its game is unknown, or its board cannot be read.
pub fn diagram(entry: &Entry<'_>, options: &SheetOptions, search: &Options) -> Result<Diagram, String> {
    let bound = entry.bound.as_ref().ok_or("the game is unknown")?;
    let position = position_or_reason(bound)?;
    let words = options.language.words();
    let needs_answers = options.solutions != Placement::Nowhere;
    let solving =
        Options { answers: true, nodes: if needs_answers { search.nodes } else { 1 }, ..search.clone() };
    let report = report_of(entry.puzzle, entry.defaults, &solving);
    let detail = match options.solutions {
        Placement::Nowhere => Detail::Short,
        Placement::Below if options.per_page > 2 => Detail::Compact,
        Placement::Below | Placement::Apart => Detail::Full,
    };
    let frame = Frame::new(position.board.clone(), String::new());
    let turn = side_to_move(bound);
    let style = PictureStyle { theme: options.theme, coordinates: options.coordinates, turn };
    let picture = frame.picture(bound.game.format()).in_style(style);
    Ok(Diagram {
        name: entry.name.unwrap_or_default().to_string(),
        credits: credits(entry),
        form: ProblemForm::of(bound, &position.board, words, options.form),
        board: position.board.clone(),
        format: bound.game.format(),
        difficulty: difficulty(entry, options.difficulty, search),
        hints: hints(entry, options, words, search),
        exercises: exercises(bound, &report, words, detail, &solving),
        words: pieces_in_words(bound, &position.board, words),
        size: picture.size(),
        background_key: picture.background_key(),
        background: picture.background(),
        foreground: picture.foreground(),
        shapes: picture.shapes(),
    })
}

/// The author's hints, or else those that are worked out, if they are wanted: not the third, which is the first move itself.
fn hints(entry: &Entry<'_>, options: &SheetOptions, words: &Words, search: &Options) -> Vec<String> {
    let is_worked_out = entry.hints.is_empty() && options.added_hints && options.hints != Placement::Nowhere;
    match entry.bound.as_ref().filter(|_| is_worked_out).map(|bound| first_move(bound, search)) {
        Some(Ok(first)) => words.hints_of(&first)[..2].to_vec(),
        Some(Err(_)) => Vec::new(),
        None => entry.hints.iter().map(|hint| hint.to_string()).collect(),
    }
}

/// What is shown as the difficulty of a puzzle; nothing where that is not known.
fn difficulty(entry: &Entry<'_>, shown: DifficultyShown, search: &Options) -> String {
    match (shown, entry.difficulty) {
        (DifficultyShown::Nothing, _) => String::new(),
        (_, Some(written)) => written.to_string(),
        (DifficultyShown::Written, None) => String::new(),
        (DifficultyShown::Estimate, None) => {
            let rating = entry.bound.as_ref().and_then(|bound| rate(bound, search).ok());
            let estimate = rating.and_then(|rating| rating.estimate);
            estimate.map(|estimate| format!("≈ {estimate}")).unwrap_or_default()
        }
    }
}

pub(crate) fn credits(entry: &Entry<'_>) -> Credits {
    let mut source: Vec<&str> = entry.sources.clone();
    source.extend(entry.year.filter(|year| !entry.sources.iter().any(|source| source.contains(year))));
    Credits {
        authors: entry.authors.join(", "),
        source: source.join(", "),
        award: entry.award.unwrap_or_default().to_string(),
    }
}

impl Credits {
    /// The lines that are not empty.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &String> {
        [&self.authors, &self.source, &self.award].into_iter().filter(|line| !line.is_empty())
    }
}

impl Diagram {
    /// What is asked in words. A magazine does without the words where there are signs.
    pub(crate) fn asked_in_words(&self, form: Form) -> Vec<&str> {
        let is_shown = |exercise: &&Exercise| match self.form {
            Some(_) => exercise.in_words && (form == Form::Lesson || !exercise.has_signs),
            None => true,
        };
        self.exercises.iter().filter(is_shown).map(|exercise| exercise.asked.as_str()).collect()
    }

    /// The lines of all solutions, each with its depth and, before the first of a question where there are several, what
    /// it answers.
    pub(crate) fn solution_lines(&self) -> Vec<SolutionLine<'_>> {
        let several = self.exercises.len() > 1;
        self.exercises.iter().flat_map(|exercise| exercise_lines(exercise, several)).collect()
    }
}

/// The lines of the solution of a question. Letters of twins stand on the first line, whole questions above it.
fn exercise_lines(exercise: &Exercise, several: bool) -> Vec<SolutionLine<'_>> {
    // A twin has its letter even where it is the only one.
    let is_labelled = several || !exercise.in_words && exercise.label.ends_with(')');
    let label = is_labelled.then_some(exercise.label.as_str());
    let is_short = exercise.label.chars().count() <= MAX_LABEL;
    let mut lines: Vec<SolutionLine<'_>> = Vec::new();
    lines.extend(label.filter(|_| !is_short).map(|text| SolutionLine {
        label: Some(text),
        depth: 0,
        text: "",
    }));
    for (nth, (depth, text)) in exercise.solution.iter().enumerate() {
        let label = label.filter(|_| is_short && nth == 0);
        lines.push(SolutionLine { label, depth: *depth, text });
    }
    lines
}

/// The longest label that stands on the line of a solution, in letters.
const MAX_LABEL: usize = 16;

/// A line of a solution.
pub(crate) struct SolutionLine<'a> {
    /// `b)`, `set play:`, or a question.
    pub label: Option<&'a str>,
    /// The depth among the variations.
    pub depth: usize,
    /// The moves.
    pub text: &'a str,
}
