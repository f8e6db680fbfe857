//! The board view of editors (`cpz/board`): a puzzle as pictures, one for each step of a way to play it.
//!
//! Pictures are drawn as SVG ([`crate::diagram`]) or as text ([`ascii`]). [`playback`] makes the frames of a sequence of
//! steps; [`frames`] decides which sequences a query has. A chess problem is a tree: [`problem_frames`] walks one path
//! through the [`variations`].

pub(crate) mod ascii;
pub(crate) mod chess_moves;
pub(crate) mod frames;
pub(crate) mod playback;
mod problem_frames;
mod sketch;
mod variations;

use crate::board_view::frames::{FrameBuilder, PlaybackMode, position_shown};
use crate::board_view::playback::Frame;
use crate::board_view::problem_frames::Walk;
pub use crate::board_view::problem_frames::{Branch, Choice};
use crate::puzzle_status::{draft_of, forgive_unfinished, puzzle_status};
use crate::twin_edit::{twin_at, twin_square_source};
use cpz_check::analysis::{Config, Defaults, PuzzleReport, bind_one, position_of, puzzle_near};
use cpz_rules::board::{Format, SourceLayout, source_layout, square_name};
use cpz_rules::games::Budget;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Puzzle, Query, Tree};

/// The longest label of a query in characters.
const MAX_QUERY_LABEL_CHARS: usize = 24;

/// What the board view shows of a puzzle.
#[derive(Clone, Debug)]
pub struct BoardView {
    /// The puzzle in the text.
    pub span: Span,
    /// The name of the puzzle; `None` if it has none or a blank one.
    pub name: Option<String>,
    /// The keyword of the game.
    pub game: &'static str,
    /// The comment lines above the puzzle.
    pub description: Vec<String>,
    /// The status of the puzzle: `✓ verified`, `✗ step 2: nothing to capture on d3`.
    pub state: String,
    /// Where the error or warning is that the status speaks of.
    pub trouble: Option<Span>,
    /// Whether the board is being typed, so that what it lacks is no error yet.
    pub draft: bool,
    /// The queries in the order of the text; one of them is shown.
    pub queries: Vec<BoardViewQuery>,
    /// The ways to play the shown query, by label: as written, a solution, each capture. Never empty.
    pub lines: Vec<String>,
    /// The index in `lines` of the shown way to play.
    pub line: usize,
    /// The number of frames of the shown way to play, 1 or more.
    pub frames: usize,
    /// The shown frame.
    pub frame: RenderedFrame,
    /// The moves that can be chosen at the shown frame.
    pub branch: Option<BoardViewBranch>,
    /// Whether variations are missing because the budget ran out.
    pub is_cut: bool,
}

/// What the board view is asked to show.
pub struct BoardRequest<'a> {
    /// The offset in the text: the puzzle there or nearest above, of it the query at the offset or the first.
    pub offset: u32,
    /// The way to play; the first if missing.
    pub line: Option<usize>,
    /// The frame; if missing, that of the step at the offset, or the first.
    pub frame: Option<usize>,
    /// The index of the chosen move at each branch of a problem; the first move where it ends.
    pub choices: &'a [usize],
    /// How many levels of a cube are drawn side by side, 1 to 10; 4 if missing.
    pub across: Option<usize>,
    /// The nodes that the variations of a problem may take.
    pub budget: &'a Budget<'a>,
}

/// The moves that can be chosen at a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardViewBranch {
    /// The moves.
    pub branch: Branch,
    /// What is chosen at each branch before this one.
    pub before: Vec<usize>,
}

/// A query of the shown puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct BoardViewQuery {
    pub label: String,
    pub span: Span,
    pub shown: bool,
}

/// A frame as a picture and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedFrame {
    /// The index of the frame in its way to play.
    pub number: usize,
    /// The board as SVG, to be put into a page; empty if no board can be read.
    pub svg: String,
    /// The board in words, and what is wrong with it.
    pub words: String,
    /// One or two sentences about the frame.
    pub caption: String,
    /// Whether the frame shows an error.
    pub failed: bool,
    /// The step in the text, if it is written there.
    pub span: Option<Span>,
}

/// The board view of a request. Numbers that are too large mean the last that exists. `report` analyses the puzzle.
pub fn board_view(
    tree: &Tree,
    config: &Config,
    request: &BoardRequest<'_>,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Option<BoardView> {
    let &BoardRequest { offset, line, frame, choices, across, budget } = request;
    let (puzzle, settings) = puzzle_near(tree, config.settings, offset)?;
    let bound = bind_one(puzzle, settings)?;
    let mut report = report(puzzle, settings);
    forgive_unfinished(&mut report, puzzle, offset);
    let queries: Vec<Query<'_>> = puzzle.queries().filter(|q| q.verb().is_some()).collect();
    let touches = |q: &&Query<'_>| q.span().start <= offset && offset <= q.span().end;
    let shown = queries.iter().find(touches).or(queries.first()).copied();
    let builder = FrameBuilder { bound: &bound, report: &report, config };
    let position = position_of(&bound).map(|diagram| position_shown(&bound, shown, diagram));
    let modes = position.as_ref().map_or_else(|| vec![PlaybackMode::Board], |_| builder.modes(shown));
    let typed = draft_of(puzzle, offset);
    let draft = typed.and_then(|_| builder.draft(offset));
    let is_draft = draft.is_some();
    let status = puzzle_status(&report, &config.severities, typed.filter(|_| is_draft));
    let mut modes = if is_draft { vec![PlaybackMode::Board] } else { modes };
    let is_cut = shown.is_some_and(|q| builder.remove_missing_set_play(q, &mut modes, budget));
    let line = line.unwrap_or(0).min(modes.len() - 1);
    let only = |frames: Vec<Frame>| Walk { frames, ..Walk::default() };
    let walk = match &position {
        _ if is_draft => only(draft.into_iter().collect()),
        Some(position) => builder.walk(position, shown, &modes[line], choices, budget),
        None => only(vec![builder.unreadable_board()]),
    };
    let frames = &walk.frames;
    let number = frame.or_else(|| frame_at(frames, shown, offset)).unwrap_or(0).min(frames.len() - 1);
    let query = |q: &Query<'_>| BoardViewQuery {
        label: query_label(&tree.text()[q.span().range()]),
        span: q.span(),
        shown: shown.is_some_and(|s| s.span() == q.span()),
    };
    Some(BoardView {
        span: puzzle.span(),
        name: report.name_in(tree.text()).map(str::to_string).filter(|n| !n.trim().is_empty()),
        game: bound.id.word(),
        description: puzzle.description().into_iter().map(str::to_string).collect(),
        state: status.text,
        trouble: status.trouble,
        draft: is_draft,
        queries: queries.iter().map(query).collect(),
        lines: modes.iter().map(PlaybackMode::label).collect(),
        line,
        frames: frames.len(),
        frame: rendered(
            &frames[number],
            number,
            bound.game.format(),
            position.is_some() && !is_draft,
            across,
        ),
        branch: branch_at(&walk.branches, number),
        is_cut: is_cut || walk.is_cut,
    })
}

/// The last branch up to a frame.
fn branch_at(branches: &[Branch], frame: usize) -> Option<BoardViewBranch> {
    let last = branches.iter().rposition(|b| b.from <= frame)?;
    let before = branches[..last].iter().map(|b| b.chosen).collect();
    Some(BoardViewBranch { branch: branches[last].clone(), before })
}

/// The index of the frame of the step at an offset.
fn frame_at(frames: &[Frame], query: Option<Query<'_>>, offset: u32) -> Option<usize> {
    let at_offset = |f: &Frame| f.span.is_some_and(|s| s.start <= offset && offset < s.end);
    // Steps behind a failing one have no frames: show the failing step for them.
    let behind_failure = |f: &Frame| f.failed && f.span.is_some_and(|s| s.end <= offset);
    let inside = query.is_some_and(|q| offset < q.span().end);
    let last = frames.len() - 1;
    frames.iter().position(at_offset).or_else(|| (inside && behind_failure(&frames[last])).then_some(last))
}

/// `is_whole` says that the board can be read as a whole.
fn rendered(
    frame: &Frame,
    number: usize,
    format: &Format,
    is_whole: bool,
    across: Option<usize>,
) -> RenderedFrame {
    let has_board = !frame.board.cells.is_empty();
    let picture = frame.picture(format).with_levels_across(across);
    let mut words = if has_board { picture.words() } else { "There is no board to show.".to_string() };
    if has_board && !is_whole {
        words = format!("{words} {}.", sentence(&frame.caption));
    }
    RenderedFrame {
        number,
        svg: if has_board { picture.interactive() } else { String::new() },
        words,
        caption: frame.caption.clone(),
        failed: frame.failed,
        span: frame.span,
    }
}

/// A text with a capital at its start, unless it begins with the name of a square or with what is quoted.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().filter(char::is_ascii_lowercase);
    match first.filter(|_| letters.clone().next().is_some_and(|c| !c.is_ascii_digit())) {
        Some(first) => format!("{}{}", first.to_ascii_uppercase(), letters.as_str()),
        None => text.to_string(),
    }
}

/// The text of a query without its answer on one line, cut off at [`MAX_QUERY_LABEL_CHARS`]: with the answers the buttons of
/// a few twins would fill a panel.
fn query_label(text: &str) -> String {
    let asked = text.split("=>").next().unwrap_or(text);
    let line = asked.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_QUERY_LABEL_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Where a square is written, by its name, in the board of the puzzle at or nearest above an offset; of a twin, in the change
/// that puts a man there or takes it away, if there is one. `None` for an empty square of a list of pieces, of FEN or of PDN:
/// the text does not contain it.
pub fn square_source(tree: &Tree, base: Defaults, offset: u32, square: &str) -> Option<Span> {
    let (puzzle, settings) = puzzle_near(tree, base, offset)?;
    let bound = bind_one(puzzle, settings)?;
    let reading = bound.reading.as_ref()?;
    let board = reading.board.as_ref()?;
    let format = bound.game.format();
    let has_name = |i: &usize| square_name(board.square(*i), format.is_cube()) == square;
    let cell = (0..board.cells.len()).find(has_name)?;
    if let Some(query) = twin_at(&bound, offset)
        && let Some(change) = twin_square_source(&bound, query, board.square(cell)).ok()?
    {
        return Some(change);
    }
    if let Some(place) = reading.place(cell) {
        return Some(place);
    }
    let SourceLayout::Cells { spans, .. } = source_layout(puzzle.boards().next()?.form()?, format) else {
        return None;
    };
    let index = board.size.reading_index(board.square(cell));
    spans.get(index).copied().filter(|_| spans.len() == board.cells.len())
}
