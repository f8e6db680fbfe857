//! Playing steps: the board after each step, with the squares and the arrow of the step.
//!
//! Hovers, the board view and completion use this module, so all of them show a step in the same way.

use crate::diagram::{ArrowKind, BoardArrow, LEVELS_PER_ROW, Picture, PictureStyle, SquareMark};
use cpz_check::analysis::{Bound, DEFAULT_NODES};
use cpz_rules::board::{Board, Colour, Format, Kind, Notation, Piece, Square, square_name};
use cpz_rules::games::{Answer, Budget, Position, Question, ReplayError, Request, Step};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::Verb;

/// A board with marked squares, arrows and a caption: one picture of the board view.
#[derive(Clone)]
pub struct Frame {
    pub board: Board,
    pub marks: Vec<(Square, SquareMark)>,
    pub arrows: Vec<BoardArrow>,
    pub caption: String,
    /// Squares that the text lacks.
    pub missing: Vec<Square>,
    /// Pieces that the last step took off, drawn faintly where they stood.
    pub ghosts: Vec<(Square, Piece)>,
    /// Whether the frame shows an error.
    pub failed: bool,
    /// The step in the text, if it is written there.
    pub span: Option<Span>,
}

impl Frame {
    /// A frame without marks and arrows.
    pub fn new(board: Board, caption: String) -> Frame {
        let (marks, arrows, missing, ghosts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Frame { board, marks, arrows, caption, missing, ghosts, failed: false, span: None }
    }

    pub fn picture<'a>(&'a self, format: &'a Format) -> Picture<'a> {
        let (marks, arrows) = (self.marks.clone(), self.arrows.clone());
        let levels = (0..self.board.size.d).rev().collect();
        let style = PictureStyle::default();
        let (missing, ghosts) = (&self.missing[..], &self.ghosts[..]);
        let across = LEVELS_PER_ROW;
        Picture { board: &self.board, format, marks, arrows, missing, ghosts, levels, across, style }
    }

    /// A picture of the levels that the frame is about, one row of them: those with marks or arrows, the nearest to
    /// the last mark first; without marks, those with pieces.
    pub fn small_picture<'a>(&'a self, format: &'a Format) -> Picture<'a> {
        let ends = self.arrows.iter().flat_map(|a| [a.from.z, a.to.z]);
        let mut levels: Vec<u8> = self.marks.iter().map(|(s, _)| s.z).chain(ends).collect();
        let focus = self.marks.last().map_or(self.board.size.d, |(s, _)| s.z);
        if levels.is_empty() {
            levels = self.board.pieces().map(|(s, _)| s.z).collect();
        }
        levels.sort_by_key(|&z| (z.abs_diff(focus), z));
        levels.dedup();
        levels.truncate(LEVELS_PER_ROW);
        levels.sort_by_key(|&z| std::cmp::Reverse(z));
        let all = self.picture(format);
        if levels.is_empty() { all } else { Picture { levels, ..all } }
    }
}

/// Plays steps from the position of a puzzle.
pub(crate) struct Playback<'a, 't> {
    pub bound: &'a Bound<'t>,
    pub position: &'a Position,
}

impl Playback<'_, '_> {
    pub fn format(&self) -> &'static Format {
        self.bound.game.format()
    }

    pub fn name(&self, square: Square) -> String {
        square_name(square, self.format().is_cube())
    }

    /// `the white king on e1`
    pub fn describe_square(&self, board: &Board, square: Square) -> String {
        match board.at(square) {
            Some(piece) => format!("the {} on {}", self.format().called(piece), self.name(square)),
            None => format!("nothing on {}", self.name(square)),
        }
    }

    /// Answers a question within the default node budget.
    pub fn answer(&self, verb: Verb, request: Option<Request>) -> Option<Answer> {
        let question = Question { request, ..Question::of(verb) };
        self.bound.game.answer(self.position, &question, &Budget::new(DEFAULT_NODES, None)).ok()
    }

    /// The first error of a sequence of steps.
    pub fn replay_error(&self, steps: &[Step]) -> Option<ReplayError> {
        self.bound.game.follow(self.position, steps).err()
    }

    /// The frame before the first step.
    pub fn start_frame(&self) -> Frame {
        let board = &self.position.board;
        Frame::new(board.clone(), format!("The start: {}", count_of_pieces(board)))
    }

    /// The frame after legal steps; marks and arrow show the last one. In draughts the captured pieces stay on
    /// the board until the capture is complete: `ends` says whether it is.
    pub fn frame_after(&self, steps: &[Step], ends: bool) -> Frame {
        let draughts = self.format().notation == Notation::Pdn;
        let board = board_after(&self.position.board, steps, ends && draughts);
        let mut frame = Frame::new(board, String::new());
        let Some((&Step { from, to, .. }, earlier)) = steps.split_last() else { return frame };
        frame.marks = vec![(from, SquareMark::Subject), (to, SquareMark::Subject)];
        frame.arrows = vec![BoardArrow { from, to, kind: ArrowKind::Move }];
        let before = board_after(&self.position.board, earlier, false);
        let what = match before.at(to) {
            Some(_) => format!("captures {}", self.describe_square(&before, to)),
            None => format!("jumps to {}", self.name(to)),
        };
        frame.caption = format!("{} {what}", self.describe_square(&before, from));
        if draughts {
            let jumped = |s: &Step| {
                let enemy =
                    |&s: &Square| self.position.board.at(s).is_some_and(|p| p.colour != self.position.turn);
                between(s.from, s.to).into_iter().find(enemy)
            };
            if let Some(taken) = steps.last().and_then(jumped) {
                frame.caption =
                    format!("{} and takes {}", frame.caption, self.describe_square(&before, taken));
            }
            if ends {
                let taken = steps.iter().filter_map(jumped);
                frame.ghosts = taken.filter_map(|s| Some((s, self.position.board.at(s)?))).collect();
            } else {
                frame.marks.extend(steps.iter().filter_map(jumped).map(|s| (s, SquareMark::Danger)));
            }
        }
        frame
    }

    /// The frames before the first step and after each one; captions count the steps up to `length`.
    pub fn frames(&self, steps: &[Step], length: usize, ends: bool) -> Vec<Frame> {
        let mut frames = vec![self.start_frame()];
        for i in 1..=steps.len() {
            let mut frame = self.frame_after(&steps[..i], ends && i == steps.len());
            frame.caption = format!("Step {i} of {length}: {}", frame.caption);
            frames.push(frame);
        }
        frames
    }

    /// A failing step, on the board after the steps `before` it.
    pub fn failing_frame(&self, before: &[Step], wrong: Step) -> Frame {
        let board = board_after(&self.position.board, before, false);
        let mut frame = Frame::new(board, String::new());
        let on_board = |&s: &Square| is_on_board(&frame.board, s);
        let ends: Vec<Square> = [wrong.from, wrong.to].into_iter().filter(on_board).collect();
        if ends.len() == 2 {
            frame.arrows = vec![BoardArrow { from: wrong.from, to: wrong.to, kind: ArrowKind::Failed }];
        }
        frame.marks = ends.into_iter().map(|s| (s, SquareMark::Failed)).collect();
        frame.failed = true;
        frame
    }

    /// The squares that the piece on a square can reach in one step, whichever side is to move.
    pub fn destinations(&self, from: Square) -> Vec<Square> {
        let (game, position) = (self.bound.game, self.position);
        let Some(piece) = position.board.at(from) else { return Vec::new() };
        let all = (0..position.board.cells.len()).map(|i| position.board.square(i)).filter(|&s| s != from);
        if game.verbs().contains(&Verb::Move) {
            let legal = |&to: &Square| {
                let from = (Some(from.x), Some(from.y));
                self.is_legal(Request { kind: Some(piece.kind), from, ..Request::to(piece.colour, to) })
            };
            return all.filter(legal).collect();
        }
        if game.verbs().contains(&Verb::Solve) {
            let can = |&to: &Square| {
                self.replay_error(&[Step { from, to, taken: None }]).is_none_or(|error| error.step > 0)
            };
            return all.filter(can).collect();
        }
        if game.verbs().contains(&Verb::Capture) {
            let position = Position { turn: piece.colour, ..position.clone() };
            let own_turn = Playback { bound: self.bound, position: &position };
            if let Some(Answer::Capture { lines, .. }) = own_turn.answer(Verb::Capture, None) {
                let own = lines.iter().filter(|l| l.path[0] == from);
                let mut to: Vec<Square> = own.filter_map(|l| l.path.get(1).copied()).collect();
                to.dedup();
                // A side that can capture must do so.
                return if lines.is_empty() { game.quiet(&position, from) } else { to };
            }
        }
        Vec::new()
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, request: Request) -> bool {
        matches!(self.answer(Verb::Move, Some(request)), Some(Answer::Move(None)))
    }
}

/// `3 pieces`
pub(crate) fn count_of_pieces(board: &Board) -> String {
    let count = board.count();
    format!("{count} {}", if count == 1 { "piece" } else { "pieces" })
}

/// The board after legal steps. Men of draughts are promoted on the last rank; jumped pieces are removed only
/// if `remove_jumped`. Steps off the board are skipped.
pub(crate) fn board_after(board: &Board, steps: &[Step], remove_jumped: bool) -> Board {
    let mut board = board.clone();
    for step in steps {
        if !is_on_board(&board, step.from) || !is_on_board(&board, step.to) {
            continue;
        }
        let (from, to) = (board.index(step.from), board.index(step.to));
        if remove_jumped {
            for square in between(step.from, step.to) {
                let i = board.index(square);
                board.cells[i] = None;
            }
        }
        board.cells[to] = board.cells[from].take();
        let last = match board.cells[to].map(|p| p.colour) {
            Some(Colour::White) => board.size.h - 1,
            _ => 0,
        };
        if let Some(piece) = &mut board.cells[to]
            && piece.kind == Kind::Man
            && step.to.y == last
        {
            piece.kind = Kind::King;
        }
    }
    board
}

fn is_on_board(board: &Board, s: Square) -> bool {
    s.x < board.size.w && s.y < board.size.h && s.z < board.size.d
}

/// The squares strictly between two squares of a diagonal; empty if they are on no common diagonal.
fn between(from: Square, to: Square) -> Vec<Square> {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    if dx.abs() != dy.abs() {
        return Vec::new();
    }
    let at = |i: i32| {
        let (x, y) = (i32::from(from.x) + i * dx.signum(), i32::from(from.y) + i * dy.signum());
        Square::new(x as u8, y as u8)
    };
    (1..dx.abs()).map(at).collect()
}
