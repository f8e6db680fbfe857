//! Frames of chess moves: of one move, and of a written line.

use crate::answer_text::capture_path;
use crate::board_view::playback::{Frame, Playback};
use crate::diagram::{ArrowKind, BoardArrow, SquareMark};
use cpz_check::analysis::{DraughtsReplay, LineReplay};
use cpz_rules::board::{Board, Square, home_rank};
use cpz_rules::games::{ChessMove, Position, after_cube_move, after_move, cube_move_name, san};
use cpz_text::diagnostic::{Finding, Span};

/// The frame after a legal move.
pub(crate) fn frame_after_move(play: &Playback<'_, '_>, mv: ChessMove) -> Frame {
    let board = &play.position.board;
    let what = if let Some(wing) = mv.castling {
        let colour = board.at(mv.from).map_or("", |p| p.colour.name());
        format!("{colour} castles {}", wing.name())
    } else {
        let taken = if mv.en_passant { Square { y: mv.from.y, ..mv.to } } else { mv.to };
        let captures = match board.at(taken) {
            Some(_) if mv.en_passant => {
                format!(" and captures {} en passant", play.describe_square(board, taken))
            }
            Some(_) => format!(" and captures {}", play.describe_square(board, taken)),
            None => String::new(),
        };
        let becomes = mv.promotion.map_or(String::new(), |kind| format!(" and becomes a {}", kind.name()));
        format!("{} goes to {}{captures}{becomes}", play.describe_square(board, mv.from), play.name(mv.to))
    };
    let is_cube = play.bound.game.format().is_cube();
    let after = if is_cube { after_cube_move(play.position, mv) } else { after_move(play.position, mv) };
    let mut frame = Frame::new(after.board, what);
    frame.marks = [mv.from, mv.to].map(|s| (s, SquareMark::Subject)).to_vec();
    if let Some(wing) = mv.castling {
        let (_, _, rook) = wing.files();
        let rank = board.at(mv.from).map_or(0, |p| home_rank(p.colour));
        frame.marks.push((Square::new(rook, rank), SquareMark::Subject));
    }
    frame
}

/// The frames of a line: the start, each legal move, and the move that fails.
pub(crate) fn line_frames(
    play: &Playback<'_, '_>,
    replay: &LineReplay,
    error: Option<&Finding>,
) -> Vec<Frame> {
    let mut frames = vec![play.start_frame()];
    let mut position: Position = play.position.clone();
    let length = replay.moves.len();
    for (i, step) in replay.moves.iter().enumerate() {
        let before = Playback { bound: play.bound, position: &position };
        let mut frame = frame_after_move(&before, step.mv);
        let name = match play.bound.game.format().is_cube() {
            true => cube_move_name(&position, step.mv),
            false => san(&position, step.mv),
        };
        frame.caption = format!("Move {} of {length}: {name}, {}", i + 1, frame.caption);
        frame.arrows = vec![BoardArrow { from: step.mv.from, to: step.mv.to, kind: ArrowKind::Move }];
        frame.span = Some(step.span);
        frames.push(frame);
        position = step.after.clone();
    }
    add_failure(&mut frames, &position.board, replay.failed, error);
    frames
}

/// The frames of a line of draughts: the start, each legal move, and the move that fails.
pub(crate) fn draughts_frames(
    play: &Playback<'_, '_>,
    replay: &DraughtsReplay,
    error: Option<&Finding>,
) -> Vec<Frame> {
    let mut frames = vec![play.start_frame()];
    let length = replay.moves.len();
    for (i, step) in replay.moves.iter().enumerate() {
        let path = &step.line.path;
        let sign = if step.line.taken.is_empty() { "-" } else { ":" };
        let name = capture_path(&step.line).replace(':', sign);
        let mut frame = Frame::new(step.after.board.clone(), format!("Move {} of {length}: {name}", i + 1));
        let ends = path.first().into_iter().chain(path.last());
        frame.marks = ends.map(|&square| (square, SquareMark::Subject)).collect();
        let arrow = |leg: &[Square]| BoardArrow { from: leg[0], to: leg[1], kind: ArrowKind::Move };
        frame.arrows = path.windows(2).map(arrow).collect();
        frame.span = Some(step.span);
        frames.push(frame);
    }
    let board = &replay.end(play.position).board;
    add_failure(&mut frames, board, replay.failed.as_ref().map(|failed| failed.0), error);
    frames
}

/// Adds the move that fails on the board before it, or marks the one about which a finding is.
fn add_failure(frames: &mut Vec<Frame>, board: &Board, failed: Option<Span>, error: Option<&Finding>) {
    if let Some(span) = failed {
        let mut frame = Frame::new(board.clone(), String::new());
        frame.failed = true;
        frame.span = Some(span);
        frame.caption =
            error.map_or_else(|| "this move fails".to_string(), |finding| finding.message.clone());
        frames.push(frame);
    } else if let Some(finding) = error
        && let Some(frame) = frames
            .iter_mut()
            .find(|f| f.span.is_some_and(|s| s.start <= finding.span.start && finding.span.end <= s.end))
    {
        frame.failed = true;
        frame.caption = finding.message.clone();
    }
}
