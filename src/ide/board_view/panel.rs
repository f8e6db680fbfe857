//! The board beside the text: the puzzle under the cursor as a picture, step by step.

use crate::analysis::{
    Bound, Config, Defaults, Outcome, Played, PuzzleReport, QueryReport, bind_one, played_of, position_of,
    puzzle_near, request_of,
};
use crate::board::{Board, Kind, Size, SourceLayout, Square, source_layout, square_name};
use crate::diagnostic::{Finding, Severity, Span};
use crate::games::{Answer, Capture, Line, Position, Reason, Request, Step};
use crate::ide::answer_text::{AnswerStyle, answer_in_words, capture_path};
use crate::ide::board_view::playback::{BoardView, Play, after};
use crate::ide::board_view::svg::{Arrow, Mark};
use crate::ide::puzzle_status::{puzzle_state, query_at};
use crate::syntax::{Puzzle, Query, Tree, Value, Verb};

/// The most ways to play that one query is shown with.
const MOST_LINES: usize = 24;
/// The longest label of a query, in characters.
const MOST_LABEL: usize = 24;
/// The most squares that a piece of a `move` may come from and still have an arrow each.
const MOST_ARROWS: usize = 8;

/// A puzzle as it is shown.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The puzzle in the text.
    pub span: Span,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its game's keyword.
    pub game: &'static str,
    /// The comments above it.
    pub description: Vec<String>,
    /// What is right or wrong with it, in a few words.
    pub state: String,
    /// What is asked, in the order of the text; one of them is shown.
    pub queries: Vec<PanelQuery>,
    /// The ways to play that the shown query has: as it is written, a solution, each capture.
    pub lines: Vec<String>,
    /// Which of them is shown, from 0.
    pub line: usize,
    /// How many pictures this way has.
    pub frames: usize,
    /// The one that is shown.
    pub frame: Frame,
}

/// A query among those of the puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct PanelQuery {
    pub label: String,
    pub span: Span,
    pub shown: bool,
}

/// One picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its number, from 0.
    pub number: usize,
    /// The board, as a part of a page; nothing where none could be made out.
    pub svg: String,
    /// The board in words.
    pub words: String,
    /// What is shown, in a sentence or two.
    pub caption: String,
    /// Whether it shows what is wrong.
    pub failed: bool,
    /// The step in the text, where it is written.
    pub span: Option<Span>,
}

/// The puzzle at or nearest above an offset. Of the query under the cursor, or the first, one way to play
/// is shown, and of this one picture: those that are asked for, or what the cursor is on. `report` gives
/// what is known of the puzzle.
pub fn panel(
    tree: &Tree,
    config: &Config,
    offset: u32,
    line: Option<usize>,
    frame: Option<usize>,
    report: impl FnOnce(Puzzle<'_>, Defaults) -> PuzzleReport,
) -> Option<Panel> {
    let (puzzle, settings) = puzzle_near(tree, config.settings, offset)?;
    let bound = bind_one(puzzle, settings)?;
    let report = report(puzzle, settings);
    let queries: Vec<Query<'_>> = puzzle.queries().filter(|q| q.verb().is_some()).collect();
    let touches = |q: &&Query<'_>| q.span().start <= offset && offset <= q.span().end;
    let shown = queries.iter().find(touches).or(queries.first()).copied();
    let view = View { bound: &bound, report: &report, config };
    let position = position_of(&bound);
    let ways = position.as_ref().map_or_else(|| vec![PlaybackMode::Board], |_| view.ways(shown));
    let line = line.unwrap_or(0).min(ways.len() - 1);
    let scenes = match &position {
        Some(position) => view.scenes(position, shown, &ways[line]),
        None => vec![view.broken()],
    };
    let under = |s: &BoardView| s.span.is_some_and(|s| s.start <= offset && offset < s.end);
    // Behind the step that fails nothing can be shown but that step.
    let behind = |s: &BoardView| s.failed && s.span.is_some_and(|s| s.end <= offset);
    let inside = shown.is_some_and(|q| offset < q.span().end);
    let last = scenes.len() - 1;
    let at = scenes.iter().position(under).or_else(|| (inside && behind(&scenes[last])).then_some(last));
    let number = frame.or(at).unwrap_or(0).min(last);
    let scene = &scenes[number];
    let picture = scene.picture(bound.game.format());
    let label = |q: &Query<'_>| {
        let text = &tree.text()[q.span().range()];
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.char_indices().nth(MOST_LABEL) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    };
    Some(Panel {
        span: puzzle.span(),
        name: report.name_in(tree.text()).map(str::to_string).filter(|n| !n.trim().is_empty()),
        game: bound.id.word(),
        description: puzzle.description().into_iter().map(str::to_string).collect(),
        state: puzzle_state(&report, &config.severities),
        queries: queries
            .iter()
            .map(|q| PanelQuery {
                label: label(q),
                span: q.span(),
                shown: shown.is_some_and(|s| s.span() == q.span()),
            })
            .collect(),
        lines: ways.iter().map(PlaybackMode::label).collect(),
        line,
        frames: scenes.len(),
        frame: Frame {
            number,
            svg: if scene.board.cells.is_empty() { String::new() } else { picture.live() },
            words: if scene.board.cells.is_empty() { String::new() } else { picture.words() },
            caption: scene.caption.clone(),
            failed: scene.failed,
            span: scene.span,
        },
    })
}

/// A query as it stands at first: the board with what it is about.
pub(crate) fn first_scene(
    bound: &Bound<'_>,
    config: &Config,
    report: &PuzzleReport,
    query: Query<'_>,
) -> Option<BoardView> {
    let position = position_of(bound)?;
    let view = View { bound, report, config };
    let way = view.ways(Some(query)).into_iter().next()?;
    view.scenes(&position, Some(query), &way).into_iter().next()
}

/// Where the text has a square of the board of the puzzle at or nearest above an offset. An empty square of
/// a list of pieces, or of FEN, is written nowhere.
pub fn written_at(tree: &Tree, base: Defaults, offset: u32, square: &str) -> Option<Span> {
    let (puzzle, settings) = puzzle_near(tree, base, offset)?;
    let bound = bind_one(puzzle, settings)?;
    let reading = bound.reading.as_ref()?;
    let board = reading.board.as_ref()?;
    let format = bound.game.format();
    let name = |i: &usize| square_name(board.square(*i), format.is_cube()) == square;
    let cell = (0..board.cells.len()).find(name)?;
    if let Some(place) = reading.place(cell) {
        return Some(place);
    }
    let SourceLayout::Cells { spans, .. } = source_layout(puzzle.boards().next()?.form()?, format) else {
        return None;
    };
    let (s, size) = (board.square(cell), board.size);
    let row = usize::from(size.d - 1 - s.z) * usize::from(size.h) + usize::from(size.h - 1 - s.y);
    let index = row * usize::from(size.w) + usize::from(s.x);
    spans.get(index).copied().filter(|_| spans.len() == board.cells.len())
}

/// A way to play that a query has.
enum PlaybackMode<'r> {
    /// Nothing is asked, or nothing can be.
    Board,
    /// What is known of a query that plays nothing.
    Verdict(String),
    /// What is written.
    Written(Played),
    /// The solution that was found, and whether another that fails is written.
    Solution(&'r [Capture], bool),
    Capture(&'r Line),
    Move,
    Mate,
}

impl PlaybackMode<'_> {
    fn label(&self) -> String {
        match self {
            PlaybackMode::Board => "board".into(),
            PlaybackMode::Verdict(label) => label.clone(),
            PlaybackMode::Written(_) => "as written".into(),
            PlaybackMode::Solution(_, false) => "solution".into(),
            PlaybackMode::Solution(_, true) => "a solution that works".into(),
            PlaybackMode::Capture(line) => capture_path(line),
            PlaybackMode::Move => Verb::Move.word().into(),
            PlaybackMode::Mate => Verb::Mate.word().into(),
        }
    }
}

/// What the pictures of one puzzle have in common.
struct View<'a, 't> {
    bound: &'a Bound<'t>,
    report: &'a PuzzleReport,
    config: &'a Config,
}

impl<'a> View<'a, '_> {
    /// A board that cannot be asked about: what could be made out of it, and what is wrong.
    fn broken(&self) -> BoardView {
        let board = self.bound.reading.as_ref().and_then(|r| r.board.clone());
        let nothing = || Board::empty(Size::flat(0, 0));
        let mut scene = BoardView::still(board.unwrap_or_else(nothing), String::new());
        let worst = self.report.findings.iter().min_by_key(|f| self.config.severities.shown(f.code));
        scene.caption = worst.map_or_else(|| "there is no board".to_string(), |f| f.message.clone());
        scene.failed = true;
        if let Some(reading) = &self.bound.reading {
            let wrong = reading.places.iter().filter(|p| reading.findings.iter().any(|f| f.span == p.span));
            let on_board = wrong.filter(|p| usize::from(p.cell) < scene.board.cells.len());
            scene.marks = on_board.map(|p| (scene.board.square(usize::from(p.cell)), Mark::Failed)).collect();
        }
        scene
    }

    /// What is wrong with a query, the worst first.
    fn wrong(&self, query: Span) -> Option<&Finding> {
        let inside = |f: &&Finding| query.start <= f.span.start && f.span.end <= query.end;
        let bad = |f: &&Finding| self.config.severities.shown(f.code) == Severity::Error;
        self.report.findings.iter().filter(inside).find(bad)
    }

    /// The ways to play that a query has, one at least.
    fn ways(&self, query: Option<Query<'_>>) -> Vec<PlaybackMode<'a>> {
        let Some((query, verb)) = query.and_then(|q| Some((q, q.verb()?))) else {
            return vec![PlaybackMode::Board];
        };
        let mut ways = Vec::new();
        match verb {
            Verb::Move => ways.push(PlaybackMode::Move),
            Verb::Mate => ways.push(PlaybackMode::Mate),
            Verb::Count => {}
            Verb::Solve | Verb::Capture => {
                let is_wrong = self.wrong(query.span()).is_some();
                match played_of(self.bound, query) {
                    Some(played) => ways.push(PlaybackMode::Written(played)),
                    None if query.has_arrow() && is_wrong => {
                        ways.push(PlaybackMode::Verdict("as written".into()))
                    }
                    None => {}
                }
                let is_good = !ways.is_empty() && !is_wrong;
                match query_at(self.report, query.span().start).map(|k| &k.outcome) {
                    Some(Outcome::Answer(Answer::Solve(Some(captures)))) if !is_good => {
                        ways.push(PlaybackMode::Solution(captures, !ways.is_empty()));
                    }
                    Some(Outcome::Answer(Answer::Capture { lines, .. })) => {
                        ways.extend(lines.iter().take(MOST_LINES).map(PlaybackMode::Capture));
                    }
                    _ => {}
                }
            }
        }
        if ways.is_empty() {
            ways.push(PlaybackMode::Verdict(verb.word().into()));
        }
        ways
    }

    /// The pictures of a way to play, one at least.
    fn scenes(
        &self,
        position: &Position,
        query: Option<Query<'_>>,
        way: &PlaybackMode<'_>,
    ) -> Vec<BoardView> {
        let board = &position.board;
        let play = Play { bound: self.bound, position };
        let Some(query) = query else {
            let caption = format!("{} pieces; nothing is asked", board.count());
            return vec![BoardView::still(board.clone(), caption)];
        };
        let known = query_at(self.report, query.span().start);
        match way {
            PlaybackMode::Board | PlaybackMode::Verdict(_) => vec![self.verdict(board, query, known)],
            PlaybackMode::Written(Played::Boards(boards)) => self.boards(query, boards),
            PlaybackMode::Written(Played::Steps(steps)) => self.written(&play, query, steps),
            PlaybackMode::Solution(captures, _) => found(&play, captures.iter().map(|c| (c.from, c.to))),
            PlaybackMode::Capture(line) => found(&play, line.path.windows(2).map(|w| (w[0], w[1]))),
            PlaybackMode::Move => self.moved(&play, query, known),
            PlaybackMode::Mate => self.mated(board, query, known),
        }
    }

    /// The board with what is known of a query that plays nothing.
    fn verdict(&self, board: &Board, query: Query<'_>, known: Option<&QueryReport>) -> BoardView {
        let mut scene = BoardView::still(board.clone(), self.said(board, known));
        if let Some(finding) = self.wrong(query.span()) {
            scene.caption = finding.message.clone();
            scene.failed = true;
        }
        scene
    }

    fn said(&self, board: &Board, known: Option<&QueryReport>) -> String {
        match known.map(|k| &k.outcome) {
            Some(Outcome::Answer(answer)) => answer_in_words(answer, AnswerStyle::Short(Some(board))),
            Some(Outcome::Undecided(why)) => format!("undecided: {why}"),
            Some(Outcome::Error(why)) => why.clone(),
            None => String::new(),
        }
    }

    /// A written sequence: up to the step that fails, which is shown on the board before it.
    fn written(&self, play: &Play<'_, '_>, query: Query<'_>, steps: &[(Step, Span)]) -> Vec<BoardView> {
        let plain: Vec<Step> = steps.iter().map(|s| s.0).collect();
        let slip = play.slip(&plain);
        let good = slip.as_ref().map_or(steps.len(), |s| s.step.min(steps.len()));
        let mut scenes = play.sequence(&plain[..good], steps.len(), slip.is_none());
        for (scene, (_, span)) in scenes.iter_mut().skip(1).zip(steps) {
            scene.span = Some(*span);
        }
        let wrong = self.wrong(query.span());
        let Some(slip) = slip else {
            if let Some(finding) = wrong {
                // A step that cannot be read, or a letter that is not that of what was captured.
                let mut scene = scenes[good].clone();
                scene.failed = true;
                scene.caption = finding.message.clone();
                scene.span = Some(finding.span);
                scenes.push(scene);
            }
            return scenes;
        };
        scenes.push(match steps.get(slip.step) {
            Some(&(step, span)) => {
                let mut scene = play.failing(&plain[..good], step);
                scene.caption = format!("Step {} of {} fails: {}", slip.step + 1, steps.len(), slip.message);
                scene.span = Some(span);
                scene
            }
            // It stops short, or what comes next cannot be read.
            None => {
                let mut scene = BoardView::still(after(&play.position.board, &plain, false), slip.message);
                if let Some(finding) = wrong {
                    scene.caption = finding.message.clone();
                }
                scene.failed = true;
                scene.marks = scene.board.pieces().map(|(s, _)| (s, Mark::Failed)).collect();
                scene.span = wrong.map(|f| f.span).or(query.answer().map(Value::span));
                scene
            }
        });
        scenes
    }

    /// A solution that is written as boards.
    fn boards(&self, query: Query<'_>, boards: &[(Board, Span)]) -> Vec<BoardView> {
        let wrong = self.wrong(query.span());
        let mut scenes: Vec<BoardView> = Vec::new();
        for (i, (board, span)) in boards.iter().enumerate() {
            let failed = wrong.filter(|f| span.start <= f.span.start && f.span.end <= span.end);
            let mut scene = BoardView::still(board.clone(), format!("Board {} of {}", i + 1, boards.len()));
            scene.span = Some(*span);
            let mark = if failed.is_some() { Mark::Failed } else { Mark::Seen };
            if let Some((before, _)) = i.checked_sub(1).map(|b| &boards[b])
                && before.size == board.size
            {
                let other = |&c: &usize| board.cells[c] != before.cells[c];
                let changed = (0..board.cells.len()).filter(other);
                scene.marks = changed.map(|c| (board.square(c), mark)).collect();
            }
            if let Some(finding) = failed {
                scene.caption = format!("Board {} of {}: {}", i + 1, boards.len(), finding.message);
                scene.failed = true;
            }
            let stop = scene.failed;
            scenes.push(scene);
            if stop {
                return scenes;
            }
        }
        if let Some(finding) = wrong
            && let Some(last) = scenes.last_mut()
        {
            last.caption = finding.message.clone();
            last.failed = true;
        }
        scenes
    }

    /// A move as it is asked for: who could make it, and the board after it.
    fn moved(&self, play: &Play<'_, '_>, query: Query<'_>, known: Option<&QueryReport>) -> Vec<BoardView> {
        let board = &play.position.board;
        let mut first = self.verdict(board, query, known);
        // Castling names no square.
        let request = request_of(self.bound, query).filter(|r| !r.castling);
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
        first.marks = vec![(request.to, if is_legal { Mark::Target } else { Mark::Failed })];
        first.marks.extend(from.iter().map(|&s| (s, Mark::Seen)));
        if from.len() <= MOST_ARROWS {
            let arrow = |&from: &Square| Arrow { from, to: request.to, failed: !is_legal };
            first.arrows = from.iter().map(arrow).collect();
        }
        let Some(&from) = legal.first() else { return vec![first] };
        let mut scene = BoardView::still(board.clone(), String::new());
        let (a, b) = (board.index(from), board.index(request.to));
        let taken = board.cells[b].map(|_| format!(" and captures {}", play.on(board, request.to)));
        let (piece, to) = (play.on(board, from), play.name(request.to));
        scene.caption = format!("{piece} goes to {to}{}", taken.unwrap_or_default());
        scene.board.cells[b] = scene.board.cells[a].take();
        let last = request.to.y == 0 || request.to.y + 1 == board.size.h;
        if let Some(piece) = &mut scene.board.cells[b]
            && piece.kind == Kind::Pawn
            && last
        {
            piece.kind = request.promotion.unwrap_or(Kind::Queen);
        }
        scene.marks = vec![(from, Mark::Seen), (request.to, Mark::Seen)];
        vec![first, scene]
    }

    /// A verdict on a king, and what it rests on: a picture for each escape, block and capture.
    fn mated(&self, board: &Board, query: Query<'_>, known: Option<&QueryReport>) -> Vec<BoardView> {
        let mut first = self.verdict(board, query, known);
        let Some(Outcome::Answer(Answer::Mate { side, status, reasons })) = known.map(|k| &k.outcome) else {
            return vec![first];
        };
        if !first.failed {
            first.caption = format!("{}: {}", side.name(), status.word());
        }
        let king = board.pieces().find(|(_, p)| p.kind == Kind::King && p.colour == *side);
        first.marks.extend(king.map(|(s, _)| (s, Mark::Seen)));
        let mut scenes = vec![first];
        for reason in reasons {
            let mut scene = reason_scene(board, reason);
            if let Some((king, _)) = king
                && scene.marks.iter().all(|(s, _)| *s != king)
            {
                scene.marks.push((king, Mark::Seen));
            }
            scenes.push(scene);
        }
        scenes
    }
}

/// A sequence that was found.
fn found(play: &Play<'_, '_>, squares: impl Iterator<Item = (Square, Square)>) -> Vec<BoardView> {
    let steps: Vec<Step> = squares.map(|(from, to)| Step { from, to, taken: None }).collect();
    let mut scenes = play.sequence(&steps, steps.len(), true);
    if steps.is_empty() {
        scenes[0].caption = "Solved already: one piece".into();
    }
    scenes
}

/// What a verdict rests on.
fn reason_scene(board: &Board, reason: &Reason) -> BoardView {
    let mut letters = reason.text.chars();
    let mut scene = BoardView::still(board.clone(), String::new());
    // Names of squares stay small.
    let is_name = reason.text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    scene.caption = match letters.next() {
        Some(c) if !is_name => c.to_uppercase().chain(letters).collect(),
        _ => reason.text.clone(),
    };
    scene.marks = reason.by.iter().map(|&s| (s, Mark::Danger)).collect();
    if let Some((from, to)) = reason.step {
        scene.marks.push((to, if reason.possible { Mark::Target } else { Mark::Failed }));
        scene.arrows.push(Arrow { from, to, failed: !reason.possible });
    }
    scene
}
