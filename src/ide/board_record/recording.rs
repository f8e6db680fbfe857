//! What is recorded so far, and the moves that can follow.

use crate::answer_text::capture_path;
use crate::board_record::sequence::SequenceMoves;
use crate::board_record::tree::TreeMoves;
use crate::board_view::playback::board_after;
use crate::twin_edit::twin_at;
use cpz_check::analysis::{
    Bound, Played, draughts_line_of, line_of, played_of, position_or_reason, stipulation_of,
};
use cpz_rules::board::{Board, Colour, Kind, Piece, Square, square_name};
use cpz_rules::games::{
    Answer, Budget, ChessMove, Line, Position, Question, ReplayError, Request, Step, cube_move_name,
    cube_moves, legal_moves, san, why_illegal, why_illegal_on_cube,
};
use cpz_text::syntax::{GameId, Property, Query, Verb};

/// The nodes that the captures of a position of draughts may take.
const CAPTURE_NODES: u64 = 200_000;

/// The moves that are written for a query.
pub(super) struct Recording<'t> {
    /// The query whose answer is written; `None` if it has to be added.
    pub query: Option<Query<'t>>,
    pub state: State,
}

/// The moves so far, and what they lead to.
pub(super) enum State {
    /// Captures of solitaire.
    Captures { start: Position, steps: Vec<Step> },
    /// A line of chess.
    Chess { position: Position, moves: Vec<ChessMove> },
    /// A line of chess3d.
    Cube { position: Position, moves: Vec<ChessMove> },
    /// The solution of a problem with whole sequences.
    Sequence(SequenceMoves),
    /// The tree of a problem that has keys.
    Tree(Box<TreeMoves>),
    /// A line of draughts, or one capture.
    Draughts { position: Position, moves: usize, is_line: bool },
}

/// A legal move.
pub(super) struct LegalMove {
    pub to: Square,
    /// What tells it from other moves with the same squares.
    pub id: String,
    /// The move as it is written: `d1xb2`, `Qb6`, `c3:e5:g7`.
    pub name: String,
    pub step: Step,
    /// The move of chess.
    pub mv: Option<ChessMove>,
}

impl<'t> Recording<'t> {
    /// Reads what is written for the query at an offset, or for the first query that can have moves: one of the diagram.
    pub(super) fn read(bound: &Bound<'t>, offset: u32) -> Result<Recording<'t>, String> {
        let touches = |q: &Query<'t>| q.span().start <= offset && offset <= q.span().end;
        let is_derived = |q: &Query<'t>| matches!(q.verb(), Some(Verb::Duplex | Verb::SetPlay));
        let derived = bound.puzzle.queries().filter(is_derived).find(touches);
        if let Some(query) = derived.or_else(|| twin_at(bound, offset)) {
            return Ok(Recording { query: Some(query), state: problem(bound, query)? });
        }
        let position = position_or_reason(bound)?;
        let verbs: &[Verb] = match bound.id {
            GameId::Solitaire => &[Verb::Solve],
            GameId::Chess => &[Verb::Line],
            GameId::Draughts => &[Verb::Capture, Verb::Line],
            GameId::Chess3d => &[Verb::Line],
        };
        let is_asked = !bound.puzzle.has_property(Property::ZeroPosition);
        let fits = |q: &Query<'t>| {
            q.verb().is_some_and(|verb| verbs.contains(&verb) || is_asked && verb.problem().is_some())
        };
        let query = bound.puzzle.queries().filter(fits).find(touches);
        let query = query.or_else(|| bound.puzzle.queries().find(fits));
        let state = match bound.id {
            GameId::Solitaire => captures(bound, query, position)?,
            GameId::Chess => match query.filter(|q| q.verb().is_some_and(|verb| verb.problem().is_some())) {
                Some(query) => problem(bound, query)?,
                None => chess_line(bound, query, position)?,
            },
            GameId::Chess3d => cube_line(bound, query, position)?,
            GameId::Draughts => draughts_moves(bound, query, position)?,
        };
        Ok(Recording { query, state })
    }

    pub(super) fn query_start(&self) -> Option<u32> {
        self.query.map(|q| q.span().start)
    }

    /// The side that begins a chess problem.
    pub(super) fn first_side(&self) -> Option<Colour> {
        match &self.state {
            State::Sequence(sequence) => Some(sequence.problem.start.turn),
            State::Tree(tree) => Some(tree.asked.start.turn),
            _ => None,
        }
    }

    /// The number of moves.
    pub(super) fn moves(&self) -> usize {
        match &self.state {
            State::Captures { steps, .. } => steps.len(),
            State::Chess { moves, .. } | State::Cube { moves, .. } => moves.len(),
            State::Sequence(sequence) => sequence.moves.len(),
            State::Tree(tree) => tree.moves,
            State::Draughts { moves, .. } => *moves,
        }
    }

    /// The board after the moves.
    pub(super) fn board(&self) -> Board {
        match &self.state {
            State::Captures { start, steps } => board_after(&start.board, steps, false),
            State::Chess { position, .. }
            | State::Cube { position, .. }
            | State::Draughts { position, .. } => position.board.clone(),
            State::Sequence(sequence) => sequence.position().board,
            State::Tree(tree) => tree.spot.position.board.clone(),
        }
    }

    /// The squares of the last move.
    pub(super) fn last_squares(&self) -> Vec<Square> {
        match &self.state {
            State::Captures { steps, .. } => steps.last().map_or(Vec::new(), |s| vec![s.from, s.to]),
            State::Chess { moves, .. }
            | State::Cube { moves, .. }
            | State::Sequence(SequenceMoves { moves, .. }) => {
                moves.last().map_or(Vec::new(), |m| vec![m.from, m.to])
            }
            State::Tree(tree) => tree.spot.line.last().map_or(Vec::new(), |(_, m)| vec![m.from, m.to]),
            State::Draughts { .. } => Vec::new(),
        }
    }

    /// The legal moves of the piece on a square.
    pub(super) fn legal_moves(&self, bound: &Bound<'_>, from: Square) -> Vec<LegalMove> {
        let name = |s: Square| square_name(s, false);
        match &self.state {
            State::Captures { start, steps } => {
                let board = self.board();
                let targets = board.pieces().map(|(s, _)| s).filter(|&to| to != from);
                let step = |to| Step { from, to, taken: None };
                let legal = targets.filter(|&to| capture_error(bound, start, steps, step(to)).is_none());
                let written = |to| LegalMove {
                    to,
                    id: String::new(),
                    name: format!("{}x{}", name(from), name(to)),
                    step: step(to),
                    mv: None,
                };
                legal.map(written).collect()
            }
            State::Chess { position, .. } => chess_moves(position, legal_moves(position), from),
            State::Cube { position, .. } => {
                let own = cube_moves(position).into_iter().filter(|mv| mv.from == from);
                let written = |mv: ChessMove| LegalMove {
                    to: mv.to,
                    id: String::new(),
                    name: cube_move_name(position, mv),
                    step: Step { from, to: mv.to, taken: None },
                    mv: Some(mv),
                };
                own.map(written).collect()
            }
            State::Sequence(sequence) => chess_moves(&sequence.position(), sequence.legal(), from),
            State::Tree(tree) => chess_moves(&tree.spot.position, tree.legal(), from),
            State::Draughts { position, is_line, moves } => {
                if !is_line && *moves > 0 {
                    return Vec::new();
                }
                let captures = draughts_captures(bound, position);
                let own = captures.iter().filter(|l| l.path[0] == from);
                let mut legal: Vec<LegalMove> = own.map(written_capture).collect();
                if captures.is_empty() && *is_line {
                    let quiet = |to| LegalMove {
                        to,
                        id: String::new(),
                        name: format!("{}-{}", name(from), name(to)),
                        step: Step { from, to, taken: None },
                        mv: None,
                    };
                    legal = own_quiet(bound, position, from).into_iter().map(quiet).collect();
                }
                legal
            }
        }
    }

    /// Why a move is not legal, for the user.
    pub(super) fn why_not(&self, bound: &Bound<'_>, from: Square, to: Square) -> String {
        let name = |s: Square| square_name(s, bound.game.format().is_cube());
        let board = self.board();
        let on_board = |s: Square| board.size.has(s);
        if !on_board(from) || !on_board(to) {
            return "there is no such square on this board".into();
        }
        let Some(piece) = board.at(from) else { return format!("nothing stands on {}", name(from)) };
        let what = format!("the {} on {}", bound.game.format().called(piece), name(from));
        match &self.state {
            State::Captures { start, steps } => {
                let error = capture_error(bound, start, steps, Step { from, to, taken: None });
                error.map_or_else(|| format!("{what} cannot capture on {}", name(to)), |e| e.message)
            }
            State::Sequence(sequence) if sequence.is_complete() => sequence.complete(),
            State::Sequence(sequence) => why_no_move(&sequence.position(), piece, (from, to), &what),
            State::Tree(tree) => match tree.why_not(from, to) {
                Some(why) => why,
                None => why_no_move(&tree.spot.position, piece, (from, to), &what),
            },
            State::Chess { position, .. } => why_no_move(position, piece, (from, to), &what),
            State::Cube { position, .. } if piece.colour != position.turn => {
                format!("it is {}'s move", position.turn.name())
            }
            State::Cube { position, .. } => why_illegal_on_cube(position, from, to)
                .unwrap_or_else(|| format!("{what} cannot go to {}", name(to))),
            State::Draughts { is_line: false, moves: 1.., .. } => "the capture is complete".into(),
            State::Draughts { position, .. } if piece.colour != position.turn => {
                format!("it is {}'s move", position.turn.name())
            }
            State::Draughts { position, .. } => match draughts_captures(bound, position).first() {
                Some(line) => {
                    format!("{} must capture, such as {}", position.turn.name(), capture_path(line))
                }
                None => format!("{what} cannot go to {}", name(to)),
            },
        }
    }
}

/// What is written as the answer of a chess problem.
fn problem(bound: &Bound<'_>, query: Query<'_>) -> Result<State, String> {
    let has_sequences = stipulation_of(bound, query).is_some_and(|asked| asked.play().has_sequences());
    if !has_sequences && query.verb() == Some(Verb::SetPlay) {
        return Err(
            "the variations of set play are not recorded; write them by hand, as in `1...Kd5 2.Qd4#`".into(),
        );
    }
    Ok(match has_sequences {
        true => State::Sequence(SequenceMoves::read(bound, query)?),
        false => State::Tree(Box::new(TreeMoves::read(bound, query)?)),
    })
}

/// The moves of the man on a square, of all that are legal.
fn chess_moves(position: &Position, legal: Vec<ChessMove>, from: Square) -> Vec<LegalMove> {
    let mut own: Vec<ChessMove> = legal.into_iter().filter(|m| m.from == from).collect();
    own.sort_by_key(|m| (m.to, m.promotion));
    let written = |mv: ChessMove| LegalMove {
        to: mv.to,
        id: mv.promotion.map_or(String::new(), |kind| kind.letter().to_string()),
        name: san(position, mv),
        step: Step { from, to: mv.to, taken: None },
        mv: Some(mv),
    };
    own.into_iter().map(written).collect()
}

/// Why a man of chess, which `what` names, cannot move so.
fn why_no_move(position: &Position, man: Piece, (from, to): (Square, Square), what: &str) -> String {
    if man.colour != position.turn {
        return format!("it is {}'s move", position.turn.name());
    }
    let from = (Some(from.x), Some(from.y));
    let request = Request { kind: Some(man.kind), from, ..Request::to(man.colour, to) };
    let why = why_illegal(position, &request);
    why.unwrap_or_else(|| format!("{what} cannot go to {}", square_name(to, false)))
}

/// Why a capture is not possible after others.
fn capture_error(bound: &Bound<'_>, start: &Position, steps: &[Step], next: Step) -> Option<ReplayError> {
    let all: Vec<Step> = steps.iter().copied().chain([next]).collect();
    bound.game.follow(start, &all).err().filter(|error| error.step <= steps.len())
}

fn written_capture(line: &Line) -> LegalMove {
    let (from, to) = (line.path[0], line.path[line.path.len() - 1]);
    let path = capture_path(line);
    LegalMove { to, id: path.clone(), name: path, step: Step { from, to, taken: None }, mv: None }
}

/// The captures of the side to move.
pub(super) fn draughts_captures(bound: &Bound<'_>, position: &Position) -> Vec<Line> {
    let budget = Budget::new(CAPTURE_NODES, None);
    match bound.game.answer(position, &Question::of(Verb::Capture), &budget) {
        Ok(Answer::Capture { lines, .. }) => lines,
        _ => Vec::new(),
    }
}

/// The squares that a piece of the side to move can go to without a capture.
fn own_quiet(bound: &Bound<'_>, position: &Position, from: Square) -> Vec<Square> {
    let is_on = position.board.size.has(from);
    let is_own = is_on && position.board.at(from).is_some_and(|p| p.colour == position.turn);
    if is_own { bound.game.quiet(position, from) } else { Vec::new() }
}

/// Whether a query has an answer that no move can follow.
fn has_other_answer(query: Query<'_>, is_played: bool) -> bool {
    query.answer().is_some() && !is_played
}

const OTHER_ANSWER: &str = "what is written as the answer is no list of moves; remove it first";

fn captures(bound: &Bound<'_>, query: Option<Query<'_>>, start: Position) -> Result<State, String> {
    let steps = match query.and_then(|q| played_of(bound, q)) {
        Some(Played::Boards(_)) => {
            return Err("the solution is written as boards; write the next one by hand".into());
        }
        Some(Played::Steps(steps)) => steps.into_iter().map(|s| s.0).collect(),
        None => Vec::new(),
    };
    if query.is_some_and(|q| has_other_answer(q, !steps.is_empty())) {
        return Err(OTHER_ANSWER.into());
    }
    match bound.game.follow(&start, &steps) {
        Err(error) if error.step < steps.len() => {
            Err(format!("step {} fails: {}; correct it first", error.step + 1, error.message))
        }
        _ => Ok(State::Captures { start, steps }),
    }
}

fn cube_line(bound: &Bound<'_>, query: Option<Query<'_>>, start: Position) -> Result<State, String> {
    Ok(match chess_line(bound, query, start)? {
        State::Chess { position, moves } => State::Cube { position, moves },
        other => other,
    })
}

fn chess_line(bound: &Bound<'_>, query: Option<Query<'_>>, start: Position) -> Result<State, String> {
    let Some(replay) = query.and_then(|q| line_of(bound, q)) else {
        if query.is_some_and(|q| has_other_answer(q, false)) {
            return Err(OTHER_ANSWER.into());
        }
        return Ok(State::Chess { position: start, moves: Vec::new() });
    };
    if replay.failed.is_some() {
        let why = replay.findings.last().map_or(String::new(), |f| f.message.clone());
        return Err(format!("{why}; correct it first"));
    }
    let position = replay.moves.last().map_or(start, |m| m.after.clone());
    Ok(State::Chess { position, moves: replay.moves.iter().map(|m| m.mv).collect() })
}

fn draughts_moves(bound: &Bound<'_>, query: Option<Query<'_>>, start: Position) -> Result<State, String> {
    let is_line = query.is_none_or(|q| q.verb() == Some(Verb::Line));
    let Some(query) = query.filter(|q| q.answer().is_some()) else {
        return Ok(State::Draughts { position: start, moves: 0, is_line });
    };
    if is_line {
        let replay = draughts_line_of(bound, query)?;
        if let Some((_, why)) = &replay.failed {
            return Err(why.clone());
        }
        let position = replay.end(&start).clone();
        return Ok(State::Draughts { position, moves: replay.moves.len(), is_line });
    }
    let Some(Played::Steps(steps)) = played_of(bound, query) else { return Err(OTHER_ANSWER.into()) };
    let steps: Vec<Step> = steps.into_iter().map(|s| s.0).collect();
    let board = board_after(&start.board, &steps, true);
    Ok(State::Draughts { position: Position { board, ..start }, moves: 1, is_line })
}

/// The kind of the piece that a capture of solitaire takes.
pub(super) fn captured_kind(recording: &Recording<'_>, to: Square) -> Option<Kind> {
    recording.board().at(to).map(|p| p.kind)
}
