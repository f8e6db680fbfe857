//! The puzzles of a text one by one, and what a notebook shows of one: boards, questions, solutions.

use serde::Serialize;

use crate::print::answers::{Detail, exercises};
use crate::print::entries::Entry;
use crate::print::pictures::{is_other_side, side_to_move};
use crate::print::sheet::credits;
use crate::print::{Language, Theme};
use cpz_check::analysis::{Bound, Options, position_or_reason, report_of};
use cpz_ide::{Frame, PictureStyle, board_text, solution_frames};
use cpz_rules::games::Budget;
use cpz_text::diagnostic::LineIndex;
use cpz_text::syntax::{Property, PropertyNode, Puzzle, Tree};

/// A puzzle of a text as a text of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PuzzleText {
    /// Its `id`.
    pub id: Option<String>,
    /// Its name, without quotes.
    pub name: Option<String>,
    /// Its game as it is written, so a misspelt one too.
    pub game: String,
    /// The line on which it begins in the text of all, from 1.
    pub line: usize,
    /// The properties above it that apply to it, the comments directly above it, and the puzzle.
    pub text: String,
}

/// The puzzles of a text, in order.
pub fn puzzle_texts(tree: &Tree) -> Vec<PuzzleText> {
    let (text, index) = (tree.text(), LineIndex::new(tree.text()));
    let mut above = PropertiesAbove::default();
    let mut all = Vec::new();
    for node in tree.root().children() {
        if let Some(property) = PropertyNode::cast(node) {
            above.add(property);
        } else if let Some(puzzle) = Puzzle::cast(node) {
            above.old = above.nodes.len();
            let span = puzzle.span();
            let mut own: String =
                above.nodes.iter().map(|node| format!("{}\n", &text[node.span().range()])).collect();
            if !own.is_empty() {
                own.push('\n');
            }
            own.push_str(&text[puzzle.described_from() as usize..span.end as usize]);
            own.push('\n');
            let name = puzzle.name().map(|token| token.content().0).filter(|name| !name.trim().is_empty());
            all.push(PuzzleText {
                id: puzzle.texts_of(Property::Id).next().map(|(id, _)| id.to_string()),
                name: name.map(String::from),
                game: puzzle.keyword().text().to_string(),
                line: index.line(span.start) as usize + 1,
                text: own,
            });
        }
    }
    all
}

/// The properties outside of puzzles that apply to the next puzzle. Of several of one name the last counts, but those that
/// no puzzle parts count together, and so do all `allow`.
#[derive(Default)]
struct PropertiesAbove<'t> {
    nodes: Vec<PropertyNode<'t>>,
    /// How many of them stand above the last puzzle.
    old: usize,
}

impl<'t> PropertiesAbove<'t> {
    fn add(&mut self, node: PropertyNode<'t>) {
        let is_replaced = |known: &PropertyNode<'t>| {
            node.name() != Some(Property::Allow)
                && (known.name(), known.custom_name()) == (node.name(), node.custom_name())
        };
        let new = self.nodes.split_off(self.old);
        self.nodes.retain(|known| !is_replaced(known));
        self.old = self.nodes.len();
        self.nodes.extend(new);
        self.nodes.push(node);
    }
}

/// A puzzle as a notebook shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownPuzzle {
    /// The board that is given.
    pub board: ShownBoard,
    /// The same as text.
    pub rows: String,
    /// Who made it, where it was published, what it won: the lines that are not empty.
    pub credits: Vec<String>,
    /// Its questions with their solutions.
    pub questions: Vec<ShownQuestion>,
    /// The position after each step of the solution, if whole solutions are asked for; none where no query has one.
    pub steps: Vec<ShownBoard>,
}

/// A board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownBoard {
    /// The picture.
    pub svg: String,
    /// Its width in pixels.
    pub width: u32,
    /// The pieces, for those who cannot see it.
    pub words: String,
    /// The step that leads to it; empty for the board that is given.
    pub caption: String,
}

/// A question of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownQuestion {
    /// `White to move: mate in 2`
    pub asked: String,
    /// The lines of its solution, each with its depth among the variations.
    pub solution: Vec<(usize, String)>,
}

/// The look and the extent of a [`ShownPuzzle`].
#[derive(Clone, Copy, Debug)]
pub struct ShowOptions {
    /// The most pixels of the longer side of the board; twice as many for a cube, whose levels stand side by side.
    pub size: u32,
    /// The same for the boards of the steps.
    pub step_size: u32,
    /// Whether solutions have variations and steps; otherwise they are one line.
    pub whole: bool,
}

/// A puzzle for a notebook. `search` says what its solution may cost.
///
/// # Errors
/// Why it cannot be shown: its game is unknown, or its board cannot be read.
pub fn show(entry: &Entry<'_>, options: ShowOptions, search: &Options) -> Result<ShownPuzzle, String> {
    let bound = entry.bound.as_ref().ok_or("the game is unknown")?;
    let position = position_or_reason(bound)?;
    let search = Options { answers: true, ..search.clone() };
    let report = report_of(entry.puzzle, entry.defaults, &search);
    let budget = Budget::new(search.nodes, None);
    let frames = match options.whole {
        true => solution_frames(bound, &report, &search.config, &budget).unwrap_or_default(),
        false => Vec::new(),
    };
    let last = frames.len().saturating_sub(1);
    let step =
        |(i, frame): (usize, &Frame)| shown(bound, frame, is_other_side(bound, i, last), options.step_size);
    let detail = if options.whole { Detail::Full } else { Detail::Short };
    let exercises = exercises(bound, &report, Language::English.words(), detail, &search).into_iter();
    let start = Frame::new(position.board.clone(), String::new());
    Ok(ShownPuzzle {
        board: shown(bound, &start, false, options.size),
        rows: board_text(&position.board, bound.game.format()),
        credits: credits(entry).lines().cloned().collect(),
        questions: exercises.map(|e| ShownQuestion { asked: e.asked, solution: e.solution }).collect(),
        steps: frames.iter().enumerate().skip(1).map(step).collect(),
    })
}

fn shown(bound: &Bound<'_>, frame: &Frame, other_side: bool, size: u32) -> ShownBoard {
    let turn = side_to_move(bound).map(|turn| if other_side { turn.other() } else { turn });
    let style = PictureStyle { theme: Theme::default(), turn, ..PictureStyle::default() };
    let picture = frame.picture(bound.game.format()).in_style(style);
    let (width, height) = picture.size();
    let most = if bound.game.format().is_cube() { size.saturating_mul(2) } else { size };
    // A small board has squares no larger than those of a large one.
    let side = most.min(width.max(height));
    ShownBoard {
        words: picture.words(),
        svg: picture.with_side(side),
        width: side.min(width * side / height.max(1)),
        caption: frame.caption.clone(),
    }
}
