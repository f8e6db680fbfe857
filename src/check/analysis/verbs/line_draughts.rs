//! A written line of draughts: `c3-d4 d6:b4`, replayed on the position.

use crate::analysis::verbs::capture_words::CaptureWord;
use crate::analysis::verbs::evaluator::{QueryEvaluator, why};
use cpz_rules::board::{Colour, Kind, Piece, Square, square_name};
use cpz_rules::games::{Answer, Budget, Game, Line, Position, Question, Step, Undecided};
use cpz_text::diagnostic::{Code, Finding, Fix, Span};
use cpz_text::syntax::{Verb, written_in_latin};

const CAPTURES: Question = Question::of(Verb::Capture);

/// The most captures that a message names.
const MAX_NAMED: usize = 3;

/// Replays the moves of a line, and reports the first that fails.
pub(super) fn check_line(evaluator: &mut QueryEvaluator<'_, '_>, moves: &[(String, Span)]) {
    let mut position = evaluator.position.clone();
    for (i, (text, span)) in moves.iter().enumerate() {
        let lines = match evaluator.search(|game, _, budget| game.answer(&position, &CAPTURES, budget)) {
            Ok(Answer::Capture { lines, .. }) => lines,
            Ok(_) => return,
            Err(undecided) => {
                let message = format!("this line is undecided: {}", why(undecided));
                evaluator.hit_budget = true;
                return evaluator.report(Finding::new(Code::Undecided, *span, message));
            }
        };
        let play = Play { game: evaluator.game(), position: &position, lines: &lines };
        match play.read(text, *span) {
            Ok(line) => position = after(&position, &line),
            Err(message) => {
                let message = format!("step {} fails: {message}", i + 1);
                let mut finding = Finding::new(Code::WrongSolution, *span, message);
                finding.fixes.extend(written_in_latin(text, *span, "").map(|(_, fix)| fix));
                // Who must capture, and can in one way only, hardly means another move.
                if let [only] = lines.as_slice() {
                    let name = named(&[only]);
                    let title = format!("replace with `{name}` (if it is the move)");
                    finding.fixes.push(Fix::new(title, *span, name, false));
                }
                return evaluator.report(finding);
            }
        }
    }
}

/// A legal move of a line.
#[derive(Clone, Debug)]
pub struct DraughtsMove {
    /// The squares, and the men that it takes.
    pub line: Line,
    /// Its place in the text.
    pub span: Span,
    /// The position after it.
    pub after: Position,
}

/// A line of draughts up to the first move that fails.
#[derive(Clone, Debug, Default)]
pub struct DraughtsReplay {
    /// The legal moves.
    pub moves: Vec<DraughtsMove>,
    /// The place of the move that fails, and why it does.
    pub failed: Option<(Span, String)>,
}

impl DraughtsReplay {
    /// The position behind the legal moves of a line that begins with `start`.
    pub fn end<'p>(&'p self, start: &'p Position) -> &'p Position {
        self.moves.last().map_or(start, |last| &last.after)
    }
}

/// Replays a line up to the first move that fails.
pub(crate) fn replay_on_draughts(
    game: &dyn Game,
    start: &Position,
    moves: &[(String, Span)],
    budget: &Budget<'_>,
) -> DraughtsReplay {
    let mut replay = DraughtsReplay::default();
    for (i, (text, span)) in moves.iter().enumerate() {
        let position = replay.end(start);
        let read = match game.answer(position, &CAPTURES, budget) {
            Ok(Answer::Capture { lines, .. }) => {
                let read = Play { game, position, lines: &lines }.read(text, *span);
                read.map_err(|message| format!("step {} fails: {message}", i + 1))
            }
            _ => Err("this line is undecided".into()),
        };
        match read {
            Ok(line) => {
                let after = after(position, &line);
                replay.moves.push(DraughtsMove { line, span: *span, after });
            }
            Err(message) => {
                replay.failed = Some((*span, message));
                return replay;
            }
        }
    }
    replay
}

/// The legal moves of the side to move, the captures alone where it must capture.
///
/// # Errors
/// The search of the captures is stopped.
pub(crate) fn legal_lines(
    game: &dyn Game,
    position: &Position,
    budget: &Budget<'_>,
) -> Result<Vec<Line>, Undecided> {
    if let Answer::Capture { lines, .. } = game.answer(position, &CAPTURES, budget)?
        && !lines.is_empty()
    {
        return Ok(lines);
    }
    let own = position.board.pieces().filter(|(_, piece)| piece.colour == position.turn);
    let quiet =
        own.flat_map(|(from, _)| game.quiet(position, from).into_iter().map(move |to| vec![from, to]));
    Ok(quiet.map(|path| Line { path, taken: Vec::new() }).collect())
}

/// A position in the line, with its captures.
struct Play<'a> {
    game: &'a dyn Game,
    position: &'a Position,
    lines: &'a [Line],
}

impl Play<'_> {
    /// Reads a move and finds it among the legal ones. A move without a capture takes nothing.
    ///
    /// # Errors
    /// Why it is not legal.
    fn read(&self, text: &str, span: Span) -> Result<Line, String> {
        let word = CaptureWord::read(text, span);
        let path = word.as_ref().and_then(CaptureWord::path);
        let (Some(word), Some(path)) = (word, path) else {
            if let Some((message, _)) = written_in_latin(text, span, "") {
                return Err(message);
            }
            return Err(format!("`{text}` is no move; write `c3-d4` for a move and `c3:e5` for a capture"));
        };
        if let Some(off) = path.iter().find(|s| s.x > 7 || s.y > 7) {
            return Err(format!("{} is not on this 8×8 board", square_name(*off, false)));
        }
        if let Some(line) = self.capture(&path)? {
            return Ok(line);
        }
        let says_capture = word.takes == Some(true) || path.len() > 2;
        if says_capture || self.takes_on_the_way(&path) {
            let steps: Vec<Step> =
                path.windows(2).map(|w| Step { from: w[0], to: w[1], taken: None }).collect();
            return Err(match self.game.follow(self.position, &steps) {
                Err(error) => error.message,
                Ok(()) => "this is no complete capture".to_string(),
            });
        }
        self.quiet(path[0], path[1])
    }

    /// The complete capture with these squares, or with this first and last square, if there is one.
    ///
    /// # Errors
    /// Several captures have this first and last square.
    fn capture(&self, path: &[Square]) -> Result<Option<Line>, String> {
        if let Some(line) = self.lines.iter().find(|l| l.path == path) {
            return Ok(Some(line.clone()));
        }
        let &[from, to] = path else { return Ok(None) };
        let has_ends = |l: &&Line| l.path[0] == from && l.path[l.path.len() - 1] == to;
        let same: Vec<&Line> = self.lines.iter().filter(has_ends).collect();
        match same.as_slice() {
            [] => Ok(None),
            [first, others @ ..] if others.iter().all(|l| l.taken == first.taken) => {
                Ok(Some((*first).clone()))
            }
            several => {
                Err(format!("several captures go from here to there; write all squares: {}", named(several)))
            }
        }
    }

    /// Whether two squares begin a capture that must go on.
    fn takes_on_the_way(&self, path: &[Square]) -> bool {
        self.lines.iter().any(|l| l.path.starts_with(path))
    }

    /// A move without a capture.
    fn quiet(&self, from: Square, to: Square) -> Result<Line, String> {
        let (name, target) = (square_name(from, false), square_name(to, false));
        let side = self.position.turn;
        let Some(piece) = self.position.board.at(from) else {
            return Err(format!("nothing stands on {name} at this point"));
        };
        if piece.colour != side {
            return Err(format!("the {piece} on {name} is not {}'s to move", side.name()));
        }
        if !self.lines.is_empty() {
            let lines: Vec<&Line> = self.lines.iter().collect();
            return Err(format!("{} must capture: {}", side.name(), named(&lines)));
        }
        let able = self.game.quiet(self.position, from);
        if able.contains(&to) {
            return Ok(Line { path: vec![from, to], taken: Vec::new() });
        }
        let reason = match self.position.board.at(to) {
            Some(_) => format!("{target} is occupied"),
            None if (to.x + to.y) % 2 == 1 => format!("{target} is a light square"),
            None if piece.kind == Kind::Man => {
                format!("the man on {name} does not reach {target}: a man moves one step diagonally forward")
            }
            None => format!("the king on {name} does not reach {target}"),
        };
        Err(reason)
    }
}

/// Captures by their squares, as many as a message can hold.
fn named(lines: &[&Line]) -> String {
    let path = |line: &&Line| line.path.iter().map(|&s| square_name(s, false)).collect::<Vec<_>>().join(":");
    let listed: Vec<String> = lines.iter().take(MAX_NAMED).map(path).collect();
    let more = if lines.len() > MAX_NAMED { " and others" } else { "" };
    format!("{}{more}", listed.join(", "))
}

/// The position after a legal move: the pieces that it takes are gone, a man that touched the last rank is a king.
fn after(position: &Position, line: &Line) -> Position {
    let mut next = position.clone();
    let board = &mut next.board;
    let (from, to) = (board.index(line.path[0]), board.index(line.path[line.path.len() - 1]));
    let moved = board.cells[from].take();
    for &square in &line.taken {
        let taken = board.index(square);
        board.cells[taken] = None;
    }
    let last = if position.turn == Colour::White { 7 } else { 0 };
    board.cells[to] = moved.map(|piece| match line.path[1..].iter().any(|s| s.y == last) {
        true => Piece { kind: Kind::King, ..piece },
        false => piece,
    });
    next.turn = position.turn.other();
    next
}
