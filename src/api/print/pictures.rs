//! A picture of a puzzle for a file.

use crate::print::Entry;
use cpz_check::analysis::{
    Bound, Config, Options, first_problem, position_or_reason, problem_of, report_of, request_of,
};
use cpz_exchange::export::BoardPicture;
use cpz_ide::{Frame, PictureStyle, Theme, solution_frames};
use cpz_rules::board::{Colour, Notation};
use cpz_rules::games::Budget;
use cpz_text::syntax::{Query, Verb};

/// The longer side of the picture of a card in pixels.
const CARD_SIDE: u32 = 400;

/// What a picture shows of a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// The position that is given.
    #[default]
    Start,
    /// The position after so many moves of the solution, with an arrow for the last one.
    Step(usize),
    /// The position that is given, with arrows for the solution.
    Solution,
}

/// How pictures are drawn.
#[derive(Clone, Debug)]
pub struct PictureOptions {
    /// The longer side in pixels.
    pub size: u32,
    /// The colours.
    pub theme: Theme,
    /// Whether files and ranks are named.
    pub coordinates: bool,
    /// What is shown.
    pub moment: Moment,
}

/// A puzzle as SVG.
///
/// # Errors
/// Why there is no picture: the board cannot be read, or there is no such step.
pub fn picture(entry: &Entry<'_>, options: &PictureOptions, search: &Options) -> Result<String, String> {
    let bound = entry.bound.as_ref().ok_or("the game is unknown")?;
    let position = position_or_reason(bound)?;
    let start = || Frame::new(position.board.clone(), String::new());
    let (frame, other_side) = match options.moment {
        Moment::Start => (start(), false),
        moment => solution_frame(entry, bound, moment, search)?,
    };
    let turn = side_to_move(bound).map(|turn| if other_side { turn.other() } else { turn });
    let style = PictureStyle { theme: options.theme, coordinates: options.coordinates, turn };
    Ok(frame.picture(bound.game.format()).in_style(style).with_side(options.size))
}

/// The board of a puzzle for a card, if it can be read.
pub fn card_picture(bound: &Bound<'_>) -> Option<BoardPicture> {
    let position = position_or_reason(bound).ok()?;
    let frame = Frame::new(position.board.clone(), String::new());
    let style = PictureStyle { turn: side_to_move(bound), ..PictureStyle::default() };
    let picture = frame.picture(bound.game.format()).in_style(style);
    Some(BoardPicture { svg: picture.with_side(CARD_SIDE), words: picture.words() })
}

/// The side that moves first, in games with two sides: in a helpmate that is Black, unless the puzzle says something else.
pub(crate) fn side_to_move(bound: &Bound<'_>) -> Option<Colour> {
    let problem = first_problem(bound);
    let asked = || bound.puzzle.queries().find_map(|query| request_of(bound, query));
    let turn = match problem {
        Some((position, _)) => position.turn,
        // The move of a list names its side.
        None if !bound.turn_is_explicit => asked().map_or(bound.turn, |request| request.colour),
        None => bound.turn,
    };
    bound.game.format().coloured.then_some(turn)
}

/// Whether the other side is to move after a step of a solution with `last` steps.
pub(crate) fn is_other_side(bound: &Bound<'_>, step: usize, last: usize) -> bool {
    let is_line = || bound.puzzle.queries().find_map(Query::verb) == Some(Verb::Line);
    match bound.game.format().notation {
        // The steps of one capture of draughts are one move.
        Notation::Pdn if !is_line() => step == last && step > 0,
        _ => step % 2 == 1,
    }
}

/// The frame of a moment of the solution, and whether the other side is to move then.
fn solution_frame(
    entry: &Entry<'_>,
    bound: &Bound<'_>,
    moment: Moment,
    search: &Options,
) -> Result<(Frame, bool), String> {
    let options = Options { answers: true, ..search.clone() };
    let report = report_of(entry.puzzle, entry.defaults, &options);
    let config: &Config = &options.config;
    let budget = Budget::new(options.nodes, None);
    let frames = solution_frames(bound, &report, config, &budget).ok_or("it has no solution to show")?;
    match moment {
        Moment::Step(step) => {
            let last = frames.len() - 1;
            let other_side = is_other_side(bound, step, last);
            let frame = frames.into_iter().nth(step);
            frame.map(|frame| (frame, other_side)).ok_or_else(|| {
                format!("its solution has {last} {}", if last == 1 { "step" } else { "steps" })
            })
        }
        _ => {
            let mut first = frames[0].clone();
            // The key of a problem; every step of a line, which may be that of another query.
            let queries = || bound.puzzle.queries();
            let has_key = queries().all(|query| {
                problem_of(bound, query).is_some_and(|(_, asked)| !asked.play().has_sequences())
            });
            let shown = if has_key { &frames[1..frames.len().min(2)] } else { &frames[1..] };
            let arrows: Vec<_> = shown.iter().filter_map(|frame| frame.arrows.first().copied()).collect();
            // A `move` has its arrows on the first frame.
            if !arrows.is_empty() {
                first.arrows = arrows;
            }
            Ok((first, false))
        }
    }
}

/// An SVG that [`picture`] made, as PNG.
///
/// # Errors
/// Why it cannot be drawn.
#[cfg(feature = "png")]
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    use resvg::{tiny_skia, usvg};
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("the picture is too large")?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
