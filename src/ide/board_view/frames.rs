//! The modes to play a query, and the frames of each.

use crate::answer_text::{AnswerStyle, answer_in_words, capture_path, status_sentence};
use crate::board_view::chess_moves::{draughts_frames, frame_after_move, line_frames};
use crate::board_view::playback::{Frame, Playback, board_after, count_of_pieces};
use crate::board_view::problem_frames::{Beginning, ProblemPlayback, Walk};
use crate::board_view::sketch::{is_first_row, sketch};
use crate::diagram::{ArrowKind, BoardArrow, SquareMark};
use crate::puzzle_status::query_at;
use crate::twin_edit::twin_position;
use cpz_check::analysis::{
    Bound, Config, DraughtsReplay, LineReplay, Outcome, Played, PuzzleReport, QueryReport, asked_problem_of,
    draughts_line_of, line_of, played_of, position_of, problem_of, request_of, sequence_in_names,
};
use cpz_rules::board::{Board, Kind, Size, Sizes, Square};
use cpz_rules::games::{
    Answer, Budget, Capture, Line, NamedMove, Position, Reason, Request, Step, Stipulation, after_pass,
    matching_moves, san,
};
use cpz_text::diagnostic::{Code, Finding, Severity, Span};
use cpz_text::syntax::{GameId, Query, Value, Verb};

/// The most keys that one problem is shown with.
const MAX_KEYS: usize = 24;
/// The most solutions that one helpmate is shown with.
const MAX_SOLUTIONS: usize = 24;
/// The most captures that one query is shown with.
const MAX_CAPTURES: usize = 24;
/// The nodes that the search for a second solution may take.
const SECOND_SOLUTION_NODES: u64 = 200_000;
/// The most pieces that a `move` may mean and still have an arrow each.
const MAX_ARROWS: usize = 8;

/// The position that a query is about: that of a twin, or the diagram.
pub(crate) fn position_shown(bound: &Bound<'_>, query: Option<Query<'_>>, diagram: Position) -> Position {
    match query.filter(|query| query.verb() == Some(Verb::Twin)) {
        Some(query) => twin_position(bound, query, diagram),
        None => diagram,
    }
}

/// The first frame of a query: the board with the squares that the query is about.
pub(crate) fn first_frame(
    bound: &Bound<'_>,
    config: &Config,
    report: &PuzzleReport,
    query: Query<'_>,
) -> Option<Frame> {
    let position = position_shown(bound, Some(query), position_of(bound)?);
    let builder = FrameBuilder { bound, report, config };
    let mode = builder.modes(Some(query)).into_iter().next()?;
    builder.frames(&position, Some(query), &mode).into_iter().next()
}

/// The frames of the first solution of a puzzle, from the position that is given: as it is written, or as it was found.
/// `None` if no query has one.
pub fn solution_frames(
    bound: &Bound<'_>,
    report: &PuzzleReport,
    config: &Config,
    budget: &Budget<'_>,
) -> Option<Vec<Frame>> {
    let position = position_of(bound)?;
    let builder = FrameBuilder { bound, report, config };
    for query in bound.puzzle.queries() {
        for mode in builder.modes(Some(query)).iter().filter(|mode| mode.is_solution()) {
            let frames = builder.walk(&position, Some(query), mode, &[], budget).frames;
            if frames.len() > 1 && !frames.iter().any(|frame| frame.failed) {
                return Some(frames);
            }
        }
    }
    None
}

/// A way to play a query.
pub(crate) enum PlaybackMode<'r> {
    /// The board alone: the puzzle has no query, or its board cannot be read.
    Board,
    /// The board with the result of a query that moves no piece, under this label.
    Verdict(String),
    /// The steps or boards of the written answer.
    Written(Played),
    /// The solution that was found.
    Solution {
        captures: &'r [Capture],
        /// Whether the text has a solution that fails.
        replaces_written: bool,
    },
    /// A second solution of a puzzle that is not unique, and the number of its first step that the other one does not have.
    OtherSolution { captures: Vec<Capture>, parts: usize },
    /// One capture of draughts.
    Capture(&'r Line),
    /// A `move`.
    Move,
    /// A `mate`.
    Mate,
    /// A written line of chess.
    Line(LineReplay),
    /// A written line of draughts.
    DraughtsLine(DraughtsReplay),
    /// The variations of a problem that has keys.
    Problem(Beginning<'r>),
    /// A solution of a problem that has whole sequences.
    Sequence(Stipulation, &'r [NamedMove]),
    /// A whole sequence of the set play that a star asks for, with the other side to move.
    SetSequence(Stipulation, &'r [NamedMove]),
}

impl PlaybackMode<'_> {
    /// Whether its frames are the steps of a solution.
    fn is_solution(&self) -> bool {
        match self {
            PlaybackMode::Written(_) | PlaybackMode::Solution { .. } | PlaybackMode::Capture(_) => true,
            PlaybackMode::OtherSolution { .. } | PlaybackMode::DraughtsLine(_) => true,
            PlaybackMode::Move | PlaybackMode::Line(_) | PlaybackMode::Sequence(..) => true,
            PlaybackMode::Problem(beginning) => matches!(beginning, Beginning::Key(_)),
            PlaybackMode::Board | PlaybackMode::Verdict(_) | PlaybackMode::Mate => false,
            PlaybackMode::SetSequence(..) => false,
        }
    }

    pub(crate) fn label(&self) -> String {
        match self {
            PlaybackMode::Board => "board".into(),
            PlaybackMode::Verdict(label) => label.clone(),
            PlaybackMode::Written(_) | PlaybackMode::Line(_) | PlaybackMode::DraughtsLine(_) => {
                "as written".into()
            }
            PlaybackMode::Solution { replaces_written: false, .. } => "solution".into(),
            PlaybackMode::Solution { replaces_written: true, .. } => "a solution that works".into(),
            PlaybackMode::OtherSolution { parts, .. } => format!("another solution, from step {parts}"),
            PlaybackMode::Capture(line) => capture_path(line),
            PlaybackMode::Move => Verb::Move.word().into(),
            PlaybackMode::Mate => Verb::Mate.word().into(),
            PlaybackMode::Problem(Beginning::Key(key)) => format!("1.{}!", key.mv.san),
            PlaybackMode::Problem(Beginning::SetPlay) => "set play".into(),
            PlaybackMode::Problem(Beginning::Tries) => "tries".into(),
            PlaybackMode::Sequence(asked, solution) => sequence_in_names(*asked, solution),
            PlaybackMode::SetSequence(asked, solution) => {
                format!("set play: {}", sequence_in_names(*asked, solution))
            }
        }
    }
}

/// Makes the frames of one puzzle.
pub(crate) struct FrameBuilder<'a, 't> {
    pub bound: &'a Bound<'t>,
    pub report: &'a PuzzleReport,
    pub config: &'a Config,
}

impl<'a> FrameBuilder<'a, '_> {
    /// The frame of a board that is being typed: the rows or the pieces so far, without blame. `None` if it can be read.
    pub(crate) fn draft(&self, cursor: u32) -> Option<Frame> {
        let nothing = || Board::empty(Size::flat(0, 0));
        let board = self.bound.puzzle.boards().next();
        let Some(board) = board.filter(|board| board.content().is_some()) else {
            return Some(Frame::new(nothing(), "No board yet: type one row of cells on each line".into()));
        };
        let format = self.bound.game.format();
        let plural = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
        if position_of(self.bound).is_some() && !is_first_row(board) {
            return None;
        }
        let Some(sketch) = sketch(board, format, Some(cursor)) else {
            let board = self.bound.reading.as_ref().and_then(|r| r.board.clone()).unwrap_or_else(nothing);
            let pieces = plural(board.pieces().count(), "piece");
            return Some(Frame::new(board, format!("The board so far: {pieces}")));
        };
        let (columns, rows) = (sketch.board.size.w, sketch.rows);
        let so_far = match (format.sizes, sketch.long) {
            (_, Some((row, cells))) => format!("row {row} has {cells} cells, {columns} is the most"),
            (Sizes::Fixed(side), None) => format!("{rows} of {side} rows"),
            _ => format!("{}, {}", plural(rows, "row"), plural(usize::from(columns), "column")),
        };
        let mut frame = Frame::new(sketch.board, format!("The board so far: {so_far}"));
        frame.missing = sketch.missing;
        Some(frame)
    }

    /// The frame of a board with errors: the part that can be read, or its rows as they stand; the wrong cells marked.
    pub(crate) fn unreadable_board(&self) -> Frame {
        let board = self.bound.reading.as_ref().and_then(|r| r.board.clone());
        let nothing = || Board::empty(Size::flat(0, 0));
        let rows = || sketch(self.bound.puzzle.boards().next()?, self.bound.game.format(), None);
        let sketch = if board.is_some() { None } else { rows() };
        let (board, missing) = match sketch {
            Some(sketch) => (sketch.board, sketch.missing),
            None => (board.unwrap_or_else(nothing), Vec::new()),
        };
        let mut frame = Frame::new(board, String::new());
        frame.missing = missing;
        let worst = self.report.findings.iter().min_by_key(|f| self.config.severities.shown(f));
        frame.caption = worst.map_or_else(|| "there is no board".to_string(), |f| f.message.clone());
        frame.failed = true;
        if let Some(reading) = &self.bound.reading {
            let wrong = reading.places.iter().filter(|p| reading.findings.iter().any(|f| f.span == p.span));
            let on_board = wrong.filter(|p| usize::from(p.cell) < frame.board.cells.len());
            frame.marks =
                on_board.map(|p| (frame.board.square(usize::from(p.cell)), SquareMark::Failed)).collect();
        }
        frame
    }

    /// The first error of a query.
    fn first_error(&self, query: Span) -> Option<&Finding> {
        let inside = |f: &&Finding| query.start <= f.span.start && f.span.end <= query.end;
        let bad = |f: &&Finding| self.config.severities.shown(f) == Severity::Error;
        self.report.findings.iter().filter(inside).find(bad)
    }

    /// The ways to play a query; never empty.
    pub(crate) fn modes(&self, query: Option<Query<'_>>) -> Vec<PlaybackMode<'a>> {
        let Some((query, verb)) = query.and_then(|q| Some((q, q.verb()?))) else {
            return vec![PlaybackMode::Board];
        };
        let mut modes = Vec::new();
        match verb {
            Verb::Move => modes.push(PlaybackMode::Move),
            Verb::Mate => modes.push(PlaybackMode::Mate),
            Verb::Count => {}
            Verb::Problem(_) | Verb::Twin | Verb::SetPlay | Verb::Duplex => modes = self.problem_modes(query),
            Verb::Unsolved => {}
            Verb::Line if self.bound.id == GameId::Draughts => {
                modes.extend(draughts_line_of(self.bound, query).ok().map(PlaybackMode::DraughtsLine))
            }
            Verb::Line | Verb::Win | Verb::Draw => {
                modes.extend(line_of(self.bound, query).map(PlaybackMode::Line))
            }
            Verb::Solve | Verb::Capture => {
                let is_wrong = self.first_error(query.span()).is_some();
                match played_of(self.bound, query) {
                    Some(played) => modes.push(PlaybackMode::Written(played)),
                    None if query.has_arrow() && is_wrong => {
                        modes.push(PlaybackMode::Verdict("as written".into()))
                    }
                    None => {}
                }
                let is_good = !modes.is_empty() && !is_wrong;
                match query_at(self.report, query.span().start).map(|k| &k.outcome) {
                    Some(Outcome::Answer(Answer::Solve(Some(captures)))) if !is_good => {
                        modes.push(PlaybackMode::Solution { captures, replaces_written: !modes.is_empty() });
                    }
                    Some(Outcome::Answer(Answer::Capture { lines, .. })) => {
                        modes.extend(lines.iter().take(MAX_CAPTURES).map(PlaybackMode::Capture));
                    }
                    _ => {}
                }
                modes.extend(self.other_solution(query));
            }
        }
        if modes.is_empty() {
            modes.push(PlaybackMode::Verdict(verb.word().into()));
        }
        modes
    }

    /// A second solution, if the puzzle should be unique and has one.
    fn other_solution(&self, query: Query<'_>) -> Option<PlaybackMode<'a>> {
        if !self.report.findings.iter().any(|f| f.code == Code::NotUnique) {
            return None;
        }
        let position = position_of(self.bound)?;
        let written = match played_of(self.bound, query) {
            Some(Played::Steps(steps)) => {
                let plain: Vec<Step> = steps.iter().map(|s| s.0).collect();
                let is_right = self.bound.game.follow(&position, &plain).is_ok();
                is_right.then(|| plain.iter().map(|s| Capture { from: s.from, to: s.to }).collect())
            }
            _ => None,
        };
        let first: Vec<Capture> =
            match (written, query_at(self.report, query.span().start).map(|k| &k.outcome)) {
                (Some(written), _) => written,
                (None, Some(Outcome::Answer(Answer::Solve(Some(captures))))) => captures.clone(),
                _ => return None,
            };
        let budget = Budget::new(SECOND_SOLUTION_NODES, None);
        let captures = self.bound.game.second(&position, &first, &budget).ok()??;
        let same = captures.iter().zip(&first).take_while(|(a, b)| a == b).count();
        Some(PlaybackMode::OtherSolution { captures, parts: same + 1 })
    }

    /// The ways to play a chess problem. Whether there is set play is not known yet.
    fn problem_modes(&self, query: Query<'_>) -> Vec<PlaybackMode<'a>> {
        let mut modes = Vec::new();
        let label = problem_of(self.bound, query).map_or("as written".into(), |(_, asked)| asked.short());
        if self.first_error(query.span()).is_some() {
            modes.push(PlaybackMode::Verdict(label));
        }
        let known = query_at(self.report, query.span().start);
        match known.map(|k| &k.outcome) {
            Some(Outcome::Answer(Answer::Keys { keys, stipulation, .. })) => {
                modes.extend(keys.iter().take(MAX_KEYS).map(|k| PlaybackMode::Problem(Beginning::Key(k))));
                if stipulation.moves() > 1 {
                    modes.extend([Beginning::SetPlay, Beginning::Tries].map(PlaybackMode::Problem));
                }
            }
            Some(Outcome::Answer(Answer::Sequences { stipulation, solutions, .. })) => {
                let shown = solutions.iter().take(MAX_SOLUTIONS);
                modes.extend(shown.map(|s| PlaybackMode::Sequence(*stipulation, s)));
            }
            Some(Outcome::Answer(Answer::SetPlay { variations, .. })) if !variations.is_empty() => {
                modes.push(PlaybackMode::Problem(Beginning::SetPlay));
            }
            _ => {}
        }
        if let Some(Outcome::Answer(Answer::Sequences { stipulation, solutions, .. })) =
            known.and_then(|k| k.set_play.as_deref())
        {
            let shown = solutions.iter().take(MAX_SOLUTIONS);
            modes.extend(shown.map(|s| PlaybackMode::SetSequence(*stipulation, s)));
        }
        modes
    }

    /// Removes set play where there is none. Returns whether the budget ran out before that was known.
    pub(crate) fn remove_missing_set_play(
        &self,
        query: Query<'_>,
        modes: &mut Vec<PlaybackMode<'_>>,
        budget: &Budget<'_>,
    ) -> bool {
        let is_set_play = |mode: &PlaybackMode<'_>| matches!(mode, PlaybackMode::Problem(Beginning::SetPlay));
        // The answer of `set-play` says that there is some.
        let is_asked = query.verb() == Some(Verb::SetPlay) || !modes.iter().any(is_set_play);
        let problem = asked_problem_of(self.bound, query).filter(|_| !is_asked);
        let Some((position, asked)) = problem else { return false };
        let has_any = ProblemPlayback { position: &position, asked }.has_set_play(budget);
        modes.retain(|mode| !is_set_play(mode) || has_any != Ok(false));
        has_any.is_err()
    }

    /// The frames of a way to play, and its branches. `chosen` has the index of the move at each branch.
    pub fn walk(
        &self,
        position: &Position,
        query: Option<Query<'_>>,
        mode: &PlaybackMode<'_>,
        chosen: &[usize],
        budget: &Budget<'_>,
    ) -> Walk {
        if let (&PlaybackMode::Problem(beginning), Some(query)) = (mode, query)
            && let Some((position, asked)) = asked_problem_of(self.bound, query)
        {
            let play = Playback { bound: self.bound, position: &position };
            return ProblemPlayback { position: &position, asked }.walk(&play, beginning, chosen, budget);
        }
        Walk { frames: self.frames(position, query, mode), ..Walk::default() }
    }

    /// The frames of a way to play, without the variations of a problem; never empty.
    pub(crate) fn frames(
        &self,
        position: &Position,
        query: Option<Query<'_>>,
        mode: &PlaybackMode<'_>,
    ) -> Vec<Frame> {
        let board = &position.board;
        let play = Playback { bound: self.bound, position };
        let Some(query) = query else {
            return vec![Frame::new(board.clone(), count_of_pieces(board))];
        };
        let known = query_at(self.report, query.span().start);
        match mode {
            PlaybackMode::Board | PlaybackMode::Verdict(_) => vec![self.verdict(board, query, known)],
            PlaybackMode::Written(Played::Boards(boards)) => self.written_boards(query, boards),
            PlaybackMode::Written(Played::Steps(steps)) => self.written_steps(&play, query, steps),
            PlaybackMode::Solution { captures, .. } => {
                found_frames(&play, captures.iter().map(|c| (c.from, c.to)))
            }
            PlaybackMode::OtherSolution { captures, parts } => {
                let mut frames = found_frames(&play, captures.iter().map(|c| (c.from, c.to)));
                if let Some(frame) = frames.get_mut(*parts) {
                    frame.caption.push_str(" (here the solutions part)");
                }
                frames
            }
            PlaybackMode::Capture(line) => found_frames(&play, line.path.windows(2).map(|w| (w[0], w[1]))),
            PlaybackMode::Move => self.move_frames(&play, query, known),
            PlaybackMode::Line(replay) => line_frames(&play, replay, self.first_error(query.span())),
            PlaybackMode::DraughtsLine(replay) => {
                draughts_frames(&play, replay, self.first_error(query.span()))
            }
            PlaybackMode::Mate => self.mate_frames(board, query, known),
            PlaybackMode::Problem(_) | PlaybackMode::Sequence(..) | PlaybackMode::SetSequence(..) => {
                let Some((position, asked)) = asked_problem_of(self.bound, query) else {
                    return vec![self.verdict(board, query, known)];
                };
                let problem = ProblemPlayback { position: &position, asked };
                match *mode {
                    PlaybackMode::Sequence(_, solution) => problem.sequence(&play, solution),
                    PlaybackMode::SetSequence(asked, solution) => {
                        let position = after_pass(&position);
                        ProblemPlayback { position: &position, asked }.sequence(&play, solution)
                    }
                    _ => vec![problem.start()],
                }
            }
        }
    }

    /// The board, captioned with the result of a query or its first error.
    fn verdict(&self, board: &Board, query: Query<'_>, known: Option<&QueryReport>) -> Frame {
        let mut frame = Frame::new(board.clone(), self.outcome_text(board, known));
        if let Some(finding) = self.first_error(query.span()) {
            frame.caption = finding.message.clone();
            frame.failed = true;
        }
        frame
    }

    fn outcome_text(&self, board: &Board, known: Option<&QueryReport>) -> String {
        match known.map(|k| &k.outcome) {
            Some(Outcome::Answer(answer)) => answer_in_words(answer, AnswerStyle::Short(Some(board))),
            Some(Outcome::Undecided(why)) => format!("undecided: {why}"),
            Some(Outcome::Error(why)) => why.clone(),
            Some(Outcome::NotAsked(why)) => (*why).to_string(),
            None => String::new(),
        }
    }

    /// A written sequence up to its first failing step, which is shown on the board before that step.
    fn written_steps(&self, play: &Playback<'_, '_>, query: Query<'_>, steps: &[(Step, Span)]) -> Vec<Frame> {
        let plain: Vec<Step> = steps.iter().map(|s| s.0).collect();
        let error = play.replay_error(&plain);
        let good = error.as_ref().map_or(steps.len(), |s| s.step.min(steps.len()));
        let mut frames = play.frames(&plain[..good], steps.len(), error.is_none());
        for (frame, (_, span)) in frames.iter_mut().skip(1).zip(steps) {
            frame.span = Some(*span);
        }
        let wrong = self.first_error(query.span());
        let Some(error) = error else {
            if let Some(finding) = wrong {
                // A step cannot be read, or its letter is not that of the captured piece.
                let mut frame = frames[good].clone();
                frame.failed = true;
                frame.caption = finding.message.clone();
                frame.span = Some(finding.span);
                frames.push(frame);
            }
            return frames;
        };
        frames.push(match steps.get(error.step) {
            Some(&(step, span)) => {
                let mut frame = play.failing_frame(&plain[..good], step);
                frame.caption =
                    format!("Step {} of {} fails: {}", error.step + 1, steps.len(), error.message);
                frame.span = Some(span);
                frame
            }
            // The sequence stops short, or its next step cannot be read.
            None => {
                let mut frame = Frame::new(board_after(&play.position.board, &plain, false), error.message);
                if let Some(finding) = wrong {
                    frame.caption = finding.message.clone();
                }
                frame.failed = true;
                frame.marks = frame.board.pieces().map(|(s, _)| (s, SquareMark::Failed)).collect();
                frame.span = wrong.map(|f| f.span).or(query.answer().map(Value::span));
                frame
            }
        });
        frames
    }

    /// A solution written as a list of boards, up to the first wrong one.
    fn written_boards(&self, query: Query<'_>, boards: &[(Board, Span)]) -> Vec<Frame> {
        let wrong = self.first_error(query.span());
        let mut frames: Vec<Frame> = Vec::new();
        for (i, (board, span)) in boards.iter().enumerate() {
            let failed = wrong.filter(|f| span.start <= f.span.start && f.span.end <= span.end);
            let mut frame = Frame::new(board.clone(), format!("Board {} of {}", i + 1, boards.len()));
            frame.span = Some(*span);
            let mark = if failed.is_some() { SquareMark::Failed } else { SquareMark::Subject };
            if let Some((before, _)) = i.checked_sub(1).map(|b| &boards[b])
                && before.size == board.size
            {
                let other = |&c: &usize| board.cells[c] != before.cells[c];
                let changed = (0..board.cells.len()).filter(other);
                frame.marks = changed.map(|c| (board.square(c), mark)).collect();
            }
            if let Some(finding) = failed {
                frame.caption = format!("Board {} of {}: {}", i + 1, boards.len(), finding.message);
                frame.failed = true;
            }
            let stop = frame.failed;
            frames.push(frame);
            if stop {
                return frames;
            }
        }
        if let Some(finding) = wrong
            && let Some(last) = frames.last_mut()
        {
            last.caption = finding.message.clone();
            last.failed = true;
        }
        frames
    }

    /// The frames of a `move`: the pieces that could make it, and the board after it if it is legal.
    fn move_frames(
        &self,
        play: &Playback<'_, '_>,
        query: Query<'_>,
        known: Option<&QueryReport>,
    ) -> Vec<Frame> {
        let board = &play.position.board;
        let mut first = self.verdict(board, query, known);
        let request = request_of(self.bound, query);
        let Some(request) = request else { return vec![first] };
        let fits = |s: &Square| {
            let kind = board
                .at(*s)
                .is_some_and(|p| p.colour == request.colour && request.kind.is_none_or(|k| k == p.kind));
            let (x, y) = request.from;
            kind && *s != request.to && x.is_none_or(|x| x == s.x) && y.is_none_or(|y| y == s.y)
        };
        let all: Vec<Square> = board.pieces().map(|(s, _)| s).filter(fits).collect();
        let can = |s: &&Square| play.is_legal(Request { from: (Some(s.x), Some(s.y)), ..request });
        let legal: Vec<Square> = all.iter().filter(can).copied().collect();
        let is_legal = !legal.is_empty();
        let from = if is_legal { &legal } else { &all };
        first.marks = vec![(request.to, if is_legal { SquareMark::Target } else { SquareMark::Failed })];
        first.marks.extend(from.iter().map(|&s| (s, SquareMark::Subject)));
        if from.len() <= MAX_ARROWS {
            let arrow = |&from: &Square| BoardArrow { from, to: request.to, kind: arrow_kind(is_legal) };
            first.arrows = from.iter().map(arrow).collect();
        }
        let Some(&mv) = matching_moves(play.position, &request).first() else { return vec![first] };
        let after = frame_after_move(play, mv);
        if !first.failed && request.colour == play.position.turn {
            let name = san(play.position, mv);
            let effect = match name.chars().last() {
                Some('#') => ", mate",
                Some('+') => ", check",
                _ => "",
            };
            first.caption = format!("{name} is legal: {}{effect}", after.caption);
        }
        vec![first, after]
    }

    /// The frames of a `mate`: the verdict, then one frame for each escape, block and capture.
    fn mate_frames(&self, board: &Board, query: Query<'_>, known: Option<&QueryReport>) -> Vec<Frame> {
        let mut first = self.verdict(board, query, known);
        let Some(Outcome::Answer(Answer::Mate { side, status, reasons })) = known.map(|k| &k.outcome) else {
            return vec![first];
        };
        if !first.failed {
            first.caption = status_sentence(*side, *status);
        }
        let king = board.pieces().find(|(_, p)| p.kind == Kind::King && p.colour == *side);
        first.marks.extend(king.map(|(s, _)| (s, SquareMark::Subject)));
        let mut frames = vec![first];
        for (i, reason) in reasons.iter().enumerate() {
            let mut frame = reason_frame(board, reason);
            frame.caption = format!("Reason {} of {}: {}", i + 1, reasons.len(), reason.text);
            if let Some((king, _)) = king
                && frame.marks.iter().all(|(s, _)| *s != king)
            {
                frame.marks.push((king, SquareMark::Subject));
            }
            frames.push(frame);
        }
        frames
    }
}

/// The frames of steps that the search found.
fn found_frames(play: &Playback<'_, '_>, squares: impl Iterator<Item = (Square, Square)>) -> Vec<Frame> {
    let steps: Vec<Step> = squares.map(|(from, to)| Step { from, to, taken: None }).collect();
    let mut frames = play.frames(&steps, steps.len(), true);
    if steps.is_empty() {
        frames[0].caption = "Solved already: one piece".into();
    }
    frames
}

fn arrow_kind(is_possible: bool) -> ArrowKind {
    if is_possible { ArrowKind::Move } else { ArrowKind::Failed }
}

/// The frame of one reason of a mate verdict, without a caption.
fn reason_frame(board: &Board, reason: &Reason) -> Frame {
    let mut frame = Frame::new(board.clone(), String::new());
    frame.marks = reason.by.iter().map(|&s| (s, SquareMark::Danger)).collect();
    if let Some((from, to)) = reason.step {
        frame.marks.push((to, if reason.possible { SquareMark::Target } else { SquareMark::Failed }));
        frame.arrows.push(BoardArrow { from, to, kind: arrow_kind(reason.possible) });
    }
    frame
}
