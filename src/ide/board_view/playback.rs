//! Sequences as they are played: the board after each step, with the squares and the arrow it is about.
//!
//! Hovers, the panel and completion go by this, so they show one step the same.

use crate::analysis::{Bound, DEFAULT_NODES};
use crate::board::{Board, Colour, Format, Kind, Notation, Square, square_name};
use crate::diagnostic::Span;
use crate::games::{Answer, Budget, Position, Question, ReplayError, Request, Step};
use crate::ide::board_view::svg::{Arrow, Mark, Picture};
use crate::syntax::Verb;

/// What a picture is drawn of, and what is said below it.
#[derive(Clone)]
pub(crate) struct BoardView {
    pub board: Board,
    pub marks: Vec<(Square, Mark)>,
    pub arrows: Vec<Arrow>,
    pub caption: String,
    /// Whether it shows what is wrong.
    pub failed: bool,
    /// What is shown, where it is written.
    pub span: Option<Span>,
}

impl BoardView {
    /// A board by itself.
    pub fn still(board: Board, caption: String) -> BoardView {
        BoardView { board, marks: Vec::new(), arrows: Vec::new(), caption, failed: false, span: None }
    }

    pub fn picture<'a>(&'a self, format: &'a Format) -> Picture<'a> {
        Picture { board: &self.board, format, marks: self.marks.clone(), arrows: self.arrows.clone() }
    }
}

/// A puzzle and the position that is played from.
pub(crate) struct Play<'a, 't> {
    pub bound: &'a Bound<'t>,
    pub position: &'a Position,
}

impl Play<'_, '_> {
    pub fn format(&self) -> &'static Format {
        self.bound.game.format()
    }

    pub fn name(&self, square: Square) -> String {
        square_name(square, self.format().is_cube())
    }

    /// `the white king on e1`
    pub fn on(&self, board: &Board, square: Square) -> String {
        match board.at(square) {
            Some(piece) => format!("the {} on {}", self.format().called(piece), self.name(square)),
            None => format!("nothing on {}", self.name(square)),
        }
    }

    /// The answer to a question that takes no long search.
    pub fn answer(&self, verb: Verb, request: Option<Request>) -> Option<Answer> {
        let question = Question { verb, request };
        self.bound.game.answer(self.position, &question, &Budget::new(DEFAULT_NODES, None)).ok()
    }

    /// What is wrong with a sequence.
    pub fn slip(&self, steps: &[Step]) -> Option<ReplayError> {
        self.bound.game.follow(self.position, steps).err()
    }

    /// The board before all steps.
    pub fn start(&self) -> BoardView {
        let count = self.position.board.count();
        let plural = if count == 1 { "piece" } else { "pieces" };
        BoardView::still(self.position.board.clone(), format!("The start: {count} {plural}"))
    }

    /// The board after steps that can be made, of which the last is shown. What is jumped in draughts
    /// stands until all is over, that is, until the step that `ends` it.
    pub fn made(&self, steps: &[Step], ends: bool) -> BoardView {
        let draughts = self.format().notation == Notation::Pdn;
        let board = after(&self.position.board, steps, ends && draughts);
        let mut scene = BoardView::still(board, String::new());
        let Some((&Step { from, to, .. }, earlier)) = steps.split_last() else { return scene };
        scene.marks = vec![(from, Mark::Seen), (to, Mark::Seen)];
        scene.arrows = vec![Arrow { from, to, failed: false }];
        let before = after(&self.position.board, earlier, false);
        let what = match before.at(to) {
            Some(_) => format!("captures {}", self.on(&before, to)),
            None => format!("jumps to {}", self.name(to)),
        };
        scene.caption = format!("{} {what}", self.on(&before, from));
        if draughts {
            let jumped = |s: &Step| {
                let enemy =
                    |&s: &Square| self.position.board.at(s).is_some_and(|p| p.colour != self.position.turn);
                between(s.from, s.to).into_iter().find(enemy)
            };
            if let Some(taken) = steps.last().and_then(jumped) {
                scene.caption = format!("{} and takes {}", scene.caption, self.on(&before, taken));
            }
            if !ends {
                scene.marks.extend(steps.iter().filter_map(jumped).map(|s| (s, Mark::Danger)));
            }
        }
        scene
    }

    /// The board before all steps and after each, captioned as those of a sequence of this length.
    pub fn sequence(&self, steps: &[Step], length: usize, ends: bool) -> Vec<BoardView> {
        let mut scenes = vec![self.start()];
        for i in 1..=steps.len() {
            let mut scene = self.made(&steps[..i], ends && i == steps.len());
            scene.caption = format!("Step {i} of {length}: {}", scene.caption);
            scenes.push(scene);
        }
        scenes
    }

    /// A step that fails, on the board after those before it.
    pub fn failing(&self, before: &[Step], wrong: Step) -> BoardView {
        let board = after(&self.position.board, before, false);
        let mut scene = BoardView::still(board, String::new());
        let on_board = |&s: &Square| holds(&scene.board, s);
        let ends: Vec<Square> = [wrong.from, wrong.to].into_iter().filter(on_board).collect();
        if ends.len() == 2 {
            scene.arrows = vec![Arrow { from: wrong.from, to: wrong.to, failed: true }];
        }
        scene.marks = ends.into_iter().map(|s| (s, Mark::Failed)).collect();
        scene.failed = true;
        scene
    }

    /// Where the piece of a square can go, in one step, whoever is to move.
    pub fn destinations(&self, from: Square) -> Vec<Square> {
        let (game, position) = (self.bound.game, self.position);
        let Some(piece) = position.board.at(from) else { return Vec::new() };
        let all = (0..position.board.cells.len()).map(|i| position.board.square(i)).filter(|&s| s != from);
        if game.verbs().contains(&Verb::Move) {
            let legal = |&to: &Square| {
                let request = Request {
                    colour: piece.colour,
                    kind: Some(piece.kind),
                    to,
                    from: (Some(from.x), Some(from.y)),
                    captures: false,
                    promotion: None,
                    castling: false,
                };
                self.is_legal(request)
            };
            return all.filter(legal).collect();
        }
        if game.verbs().contains(&Verb::Solve) {
            let can =
                |&to: &Square| self.slip(&[Step { from, to, taken: None }]).is_none_or(|slip| slip.step > 0);
            return all.filter(can).collect();
        }
        if game.verbs().contains(&Verb::Capture) {
            let position = Position { turn: piece.colour, ..position.clone() };
            let turned = Play { bound: self.bound, position: &position };
            if let Some(Answer::Capture { lines, .. }) = turned.answer(Verb::Capture, None) {
                let own = lines.iter().filter(|l| l.path[0] == from);
                let mut to: Vec<Square> = own.filter_map(|l| l.path.get(1).copied()).collect();
                to.dedup();
                // Who can capture must.
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

/// The board after steps that are possible, men promoted; what was jumped goes only if it `leaves`.
pub(crate) fn after(board: &Board, steps: &[Step], leaves: bool) -> Board {
    let mut board = board.clone();
    for step in steps {
        if !holds(&board, step.from) || !holds(&board, step.to) {
            continue;
        }
        let (from, to) = (board.index(step.from), board.index(step.to));
        if leaves {
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

fn holds(board: &Board, s: Square) -> bool {
    s.x < board.size.w && s.y < board.size.h && s.z < board.size.d
}

/// The squares strictly between two of a diagonal.
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
