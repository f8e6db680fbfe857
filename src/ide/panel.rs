//! The board beside the text: the puzzle under the cursor as a picture, step by step.

use super::hints::{path, puzzle_state, query_at, summary};
use super::hover::{after, between};
use super::picture::{Arrow, Mark, Picture};
use crate::analysis::{
    Bound, Config, Outcome, PuzzleReport, QueryReport, Settings, bind_one, boards_of, position_of,
    puzzle_near, request_of, steps_of,
};
use crate::board::{Board, Format, Kind, Notation, Parts, Size, Square, parts, square_name};
use crate::games::{Answer, Capture, Line, Position, Question, Reason, Request, Step, Work};
use crate::syntax::{Finding, Puzzle, Query, Severity, Span, Tree, Value, Verb};

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

/// What a picture is drawn of.
#[derive(Clone)]
struct Scene {
    board: Board,
    marks: Vec<(Square, Mark)>,
    arrows: Vec<Arrow>,
    caption: String,
    failed: bool,
    span: Option<Span>,
}

impl Scene {
    fn picture<'a>(&'a self, format: &'a Format) -> Picture<'a> {
        Picture { board: &self.board, format, marks: self.marks.clone(), arrows: self.arrows.clone() }
    }

    fn still(board: &Board, caption: String) -> Scene {
        Scene {
            board: board.clone(),
            marks: Vec::new(),
            arrows: Vec::new(),
            caption,
            failed: false,
            span: None,
        }
    }
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
    report: impl FnOnce(Puzzle<'_>, Settings) -> PuzzleReport,
) -> Option<Panel> {
    let (puzzle, settings) = puzzle_near(tree, config.settings, offset)?;
    let bound = bind_one(puzzle, settings)?;
    let report = report(puzzle, settings);
    let queries: Vec<Query<'_>> = puzzle.queries().filter(|q| q.verb().is_some()).collect();
    let touches = |q: &&Query<'_>| q.span().start <= offset && offset <= q.span().end;
    let shown = queries.iter().find(touches).or(queries.first()).copied();
    let view = View { bound: &bound, report: &report, config };
    let ways = match position_of(&bound) {
        Some(position) => view.ways(&position, shown),
        None => vec![("board".to_string(), vec![view.broken()])],
    };
    let line = line.unwrap_or(0).min(ways.len() - 1);
    let scenes = &ways[line].1;
    let under = |s: &Scene| s.span.is_some_and(|s| s.start <= offset && offset < s.end);
    // Behind the step that fails nothing can be shown but that step.
    let behind = |s: &Scene| s.failed && s.span.is_some_and(|s| s.end <= offset);
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
        lines: ways.iter().map(|(label, _)| label.clone()).collect(),
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

/// The picture of a query as it stands at first: the board with what it is about.
pub(super) fn picture_of(
    bound: &Bound<'_>,
    config: &Config,
    report: &PuzzleReport,
    query: Query<'_>,
) -> Option<(String, String)> {
    let position = position_of(bound)?;
    let ways = View { bound, report, config }.ways(&position, Some(query));
    let scene = ways.first()?.1.first()?;
    let picture = scene.picture(bound.game.format());
    Some((picture.image(), picture.words()))
}

/// Where the text has a square of the board of the puzzle at or nearest above an offset. An empty square of
/// a list of pieces, or of FEN, is written nowhere.
pub fn written_at(tree: &Tree, base: Settings, offset: u32, square: &str) -> Option<Span> {
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
    let Parts::Cells { spans, .. } = parts(puzzle.boards().next()?.form()?, format) else { return None };
    let (s, size) = (board.square(cell), board.size);
    let row = usize::from(size.d - 1 - s.z) * usize::from(size.h) + usize::from(size.h - 1 - s.y);
    let index = row * usize::from(size.w) + usize::from(s.x);
    spans.get(index).copied().filter(|_| spans.len() == board.cells.len())
}

/// What the pictures of one puzzle have in common.
struct View<'a, 't> {
    bound: &'a Bound<'t>,
    report: &'a PuzzleReport,
    config: &'a Config,
}

impl View<'_, '_> {
    fn name(&self, square: Square) -> String {
        square_name(square, self.bound.game.format().is_cube())
    }

    /// `the white king on e1`
    fn on(&self, board: &Board, square: Square) -> String {
        let picture = Picture::of(board, self.bound.game.format(), &[]);
        match board.at(square) {
            Some(piece) => format!("the {} on {}", picture.called(piece), self.name(square)),
            None => format!("nothing on {}", self.name(square)),
        }
    }

    /// A board that cannot be asked about: what could be made out of it, and what is wrong.
    fn broken(&self) -> Scene {
        let board = self.bound.reading.as_ref().and_then(|r| r.board.clone());
        let nothing = || Board::empty(Size::flat(0, 0));
        let mut scene = Scene::still(&board.unwrap_or_else(nothing), String::new());
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

    /// The ways to play that a query has, each with a name and its pictures; one of each at least.
    fn ways(&self, position: &Position, query: Option<Query<'_>>) -> Vec<(String, Vec<Scene>)> {
        let board = &position.board;
        let Some((query, verb)) = query.and_then(|q| Some((q, q.verb()?))) else {
            let caption = format!("{} pieces; nothing is asked", board.count());
            return vec![("board".into(), vec![Scene::still(board, caption)])];
        };
        let known = query_at(self.report, query.span().start);
        let mut ways = Vec::new();
        match verb {
            Verb::Move => ways.push(("move".into(), self.moved(position, query, known))),
            Verb::Solve | Verb::Capture => {
                let steps = steps_of(self.bound, query);
                let boards = boards_of(self.bound, query);
                if !steps.is_empty() {
                    ways.push(("as written".into(), self.played(position, query, &steps)));
                } else if !boards.is_empty() {
                    ways.push(("as written".into(), self.boards(query, &boards)));
                } else if query.has_arrow() && self.wrong(query.span()).is_some() {
                    ways.push(("as written".into(), vec![self.verdict(board, query, known)]));
                }
                let good = !ways.is_empty() && self.wrong(query.span()).is_none();
                match known.map(|k| &k.outcome) {
                    Some(Outcome::Answer(Answer::Solve(Some(captures)))) if !good => {
                        let label = if ways.is_empty() { "solution" } else { "a solution that works" };
                        ways.push((label.into(), self.solved(position, captures)));
                    }
                    Some(Outcome::Answer(Answer::Capture { lines, .. })) => {
                        let more = lines.iter().take(MOST_LINES);
                        ways.extend(more.map(|l| (path(l), self.captured(position, l))));
                    }
                    _ => {}
                }
            }
            Verb::Mate => ways.push(("mate".into(), self.mated(position, query, known))),
            Verb::Count => {}
        }
        if ways.is_empty() {
            ways.push((verb.word().into(), vec![self.verdict(board, query, known)]));
        }
        ways
    }

    /// The board with what is known of a query that plays nothing.
    fn verdict(&self, board: &Board, query: Query<'_>, known: Option<&QueryReport>) -> Scene {
        let mut scene = Scene::still(board, self.said(board, known));
        if let Some(finding) = self.wrong(query.span()) {
            scene.caption = finding.message.clone();
            scene.failed = true;
        }
        scene
    }

    fn said(&self, board: &Board, known: Option<&QueryReport>) -> String {
        match known.map(|k| &k.outcome) {
            Some(Outcome::Answer(answer)) => summary(answer, Some(board)),
            Some(Outcome::Undecided(why)) => format!("undecided: {why}"),
            Some(Outcome::Error(why)) => why.clone(),
            None => String::new(),
        }
    }

    fn start(&self, board: &Board) -> Scene {
        let plural = if board.count() == 1 { "piece" } else { "pieces" };
        Scene::still(board, format!("The start: {} {plural}", board.count()))
    }

    /// A written sequence: up to the step that fails, which is shown on the board before it.
    fn played(&self, position: &Position, query: Query<'_>, steps: &[(Step, Span)]) -> Vec<Scene> {
        let plain: Vec<Step> = steps.iter().map(|s| s.0).collect();
        let slip = self.bound.game.follow(position, &plain).err();
        let mut scenes = vec![self.start(&position.board)];
        for (i, &(_, span)) in steps.iter().enumerate() {
            if slip.as_ref().is_some_and(|s| s.step == i) {
                break;
            }
            let mut scene = self.made(position, &plain, i, slip.is_none() && i + 1 == steps.len());
            scene.span = Some(span);
            scenes.push(scene);
        }
        if let Some(slip) = slip {
            let wrong = steps.get(slip.step);
            let mut scene = self.stepped(position, &plain[..slip.step.min(plain.len())], false);
            scene.failed = true;
            scene.marks.clear();
            scene.caption = match (wrong, self.wrong(query.span())) {
                (Some(_), _) => format!("Step {} of {} fails: {}", slip.step + 1, steps.len(), slip.message),
                // It stops short, or what comes next cannot be read.
                (None, Some(finding)) => finding.message.clone(),
                (None, None) => slip.message.clone(),
            };
            if let Some(&(step, span)) = wrong {
                let size = position.board.size;
                let holds = |s: Square| s.x < size.w && s.y < size.h && s.z < size.d;
                scene.span = Some(span);
                let ends = [step.from, step.to];
                scene.marks = ends.into_iter().filter(|&s| holds(s)).map(|s| (s, Mark::Failed)).collect();
                if scene.marks.len() == 2 {
                    scene.arrows = vec![Arrow { from: step.from, to: step.to, failed: true }];
                }
            } else {
                scene.marks = scene.board.pieces().map(|(s, _)| (s, Mark::Failed)).collect();
                let at = self.wrong(query.span()).map(|f| f.span);
                scene.span = at.or(query.answer().map(Value::span));
            }
            scenes.push(scene);
        } else if let Some(finding) = self.wrong(query.span()) {
            // A step that cannot be read, or a letter that is not that of what was captured.
            let mut scene = scenes[scenes.len() - 1].clone();
            scene.failed = true;
            scene.caption = finding.message.clone();
            scene.span = Some(finding.span);
            scenes.push(scene);
        }
        scenes
    }

    /// The board after steps that can be made.
    fn stepped(&self, position: &Position, steps: &[Step], all: bool) -> Scene {
        let draughts = self.bound.game.format().notation == Notation::Pdn;
        let mut scene = Scene::still(&after(&position.board, steps, all && draughts), String::new());
        if let Some(last) = steps.last() {
            scene.marks = vec![(last.from, Mark::Seen), (last.to, Mark::Seen)];
        }
        scene
    }

    /// A step that can be made: `Step 2 of 5: the knight on c4 captures the bishop on d2`
    fn made(&self, position: &Position, steps: &[Step], i: usize, is_last: bool) -> Scene {
        let mut scene = self.stepped(position, &steps[..=i], is_last);
        let before = after(&position.board, &steps[..i], false);
        let Step { from, to, .. } = steps[i];
        let what = match before.at(to) {
            Some(_) => format!("captures {}", self.on(&before, to)),
            None => format!("jumps to {}", self.name(to)),
        };
        scene.caption = format!("Step {} of {}: {} {what}", i + 1, steps.len(), self.on(&before, from));
        if self.bound.game.format().notation == Notation::Pdn {
            // What is jumped stands until the capture is over.
            let jumped = |s: &Step| {
                let mut way = between(s.from, s.to).into_iter();
                way.find(|&s| position.board.at(s).is_some_and(|p| p.colour != position.turn))
            };
            if let Some(taken) = jumped(&steps[i]) {
                scene.caption = format!("{} and takes {}", scene.caption, self.on(&before, taken));
            }
            if !is_last {
                scene.marks.extend(steps[..=i].iter().filter_map(jumped).map(|s| (s, Mark::Danger)));
            }
        }
        scene.arrows = vec![Arrow { from, to, failed: false }];
        scene
    }

    fn solved(&self, position: &Position, captures: &[Capture]) -> Vec<Scene> {
        let steps: Vec<Step> =
            captures.iter().map(|c| Step { from: c.from, to: c.to, taken: None }).collect();
        let mut scenes = vec![self.start(&position.board)];
        if steps.is_empty() {
            scenes[0].caption = "Solved already: one piece".into();
        }
        scenes.extend((0..steps.len()).map(|i| self.made(position, &steps, i, i + 1 == steps.len())));
        scenes
    }

    fn captured(&self, position: &Position, line: &Line) -> Vec<Scene> {
        let steps: Vec<Step> =
            line.path.windows(2).map(|w| Step { from: w[0], to: w[1], taken: None }).collect();
        let mut scenes = vec![self.start(&position.board)];
        scenes.extend((0..steps.len()).map(|i| self.made(position, &steps, i, i + 1 == steps.len())));
        scenes
    }

    /// A solution that is written as boards.
    fn boards(&self, query: Query<'_>, boards: &[(Board, Span)]) -> Vec<Scene> {
        let wrong = self.wrong(query.span());
        let mut scenes: Vec<Scene> = Vec::new();
        for (i, (board, span)) in boards.iter().enumerate() {
            let failed = wrong.filter(|f| span.start <= f.span.start && f.span.end <= span.end);
            let mut scene = Scene::still(board, format!("Board {} of {}", i + 1, boards.len()));
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
    fn moved(&self, position: &Position, query: Query<'_>, known: Option<&QueryReport>) -> Vec<Scene> {
        let board = &position.board;
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
        let legal: Vec<Square> = all.iter().copied().filter(|&s| self.can(position, &request, s)).collect();
        let is_legal = !legal.is_empty();
        let from = if is_legal { &legal } else { &all };
        first.marks = vec![(request.to, if is_legal { Mark::Target } else { Mark::Failed })];
        first.marks.extend(from.iter().map(|&s| (s, Mark::Seen)));
        if from.len() <= MOST_ARROWS {
            let arrow = |&from: &Square| Arrow { from, to: request.to, failed: !is_legal };
            first.arrows = from.iter().map(arrow).collect();
        }
        let Some(&from) = legal.first() else { return vec![first] };
        let mut scene = Scene::still(board, String::new());
        let (a, b) = (board.index(from), board.index(request.to));
        let taken = board.cells[b].map(|_| format!(" and captures {}", self.on(board, request.to)));
        scene.caption = format!(
            "{} goes to {}{}",
            self.on(board, from),
            self.name(request.to),
            taken.unwrap_or_default()
        );
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

    /// Whether the piece of a square makes a move legal.
    fn can(&self, position: &Position, request: &Request, from: Square) -> bool {
        let request = Request { from: (Some(from.x), Some(from.y)), ..*request };
        let question = Question { verb: Verb::Move, request: Some(request) };
        let work = Work::new(crate::analysis::DEFAULT_NODES, None);
        matches!(self.bound.game.answer(position, &question, &work), Ok(Answer::Move(None)))
    }

    /// A verdict on a king, and what it rests on: a picture for each escape, block and capture.
    fn mated(&self, position: &Position, query: Query<'_>, known: Option<&QueryReport>) -> Vec<Scene> {
        let board = &position.board;
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
            let mut scene = self.reason(board, reason);
            if let Some((king, _)) = king
                && scene.marks.iter().all(|(s, _)| *s != king)
            {
                scene.marks.push((king, Mark::Seen));
            }
            scenes.push(scene);
        }
        scenes
    }

    fn reason(&self, board: &Board, reason: &Reason) -> Scene {
        let mut letters = reason.text.chars();
        let mut scene = Scene::still(board, String::new());
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
}
