//! What is under the cursor, explained.

use super::diagram;
use super::hints::{path, query_at, summary};
use super::manual::manual;
use super::markdown::{bullets, escape, said};
use super::panel::picture_of;
use super::picture::Picture;
use crate::analysis::{
    Bound, Config, Outcome, PuzzleReport, QueryReport, Settings, Severities, bind_one, codes, position_of,
    puzzle_at, steps_of,
};
use crate::board::{Board, Colour, Kind, Notation, Square, square_name};
use crate::games::{Answer, Position, Question, Reason, Request, Status, Step, Work};
use crate::syntax::{
    Code, Finding, Item, Keyword, Property, Puzzle, Query, Severity, Span, Token, TokenKind, Tree, Verb,
};

/// An explanation of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub span: Span,
    /// Markdown; what comes from the file is escaped in it.
    pub markdown: String,
}

/// Explains what stands at an offset. `pictures` draws boards as images, for clients that show them;
/// `report` gives what is known of the puzzle: all that can be, or what
/// takes no long search.
pub fn hover(
    tree: &Tree,
    config: &Config,
    offset: u32,
    pictures: bool,
    report: impl FnOnce(Puzzle<'_>, Settings, bool) -> PuzzleReport,
) -> Option<Hover> {
    let token = token_at(tree, offset)?;
    let Some((puzzle, settings)) = puzzle_at(tree, config.settings, token.span().start) else {
        return keyword_or_code(token);
    };
    let Some(bound) = bind_one(puzzle, settings) else { return keyword_or_code(token) };
    let page =
        Page { pictures, severities: &config.severities, bound: &bound, position: position_of(&bound) };
    let at = token.span().start.max(offset.min(token.span().end.saturating_sub(1)));
    let inside = |s: Span| s.start <= at && at < s.end;
    if let Some(board) = puzzle.boards().next().filter(|b| inside(b.span())) {
        let piece = bound.reading.as_ref().and_then(|r| r.places.iter().find(|p| inside(p.span)));
        if let (Some(placed), Some(position)) = (piece, &page.position) {
            let markdown = page.piece(position.board.square(placed.cell.into()), position);
            return Some(Hover { span: placed.span, markdown });
        }
        return Some(Hover {
            span: board.span(),
            markdown: page.board(puzzle, &report(puzzle, settings, false))?,
        });
    }
    if inside(puzzle.head()) {
        let mut markdown = page.board(puzzle, &report(puzzle, settings, false)).unwrap_or_default();
        if inside(puzzle.keyword().span()) {
            markdown = format!("{markdown}\n\n---\n\n{}", manual(Keyword::Game(bound.id)));
        }
        return Some(Hover { span: puzzle.head(), markdown });
    }
    if let Some(query) = puzzle.queries().find(|q| inside(q.span())) {
        if let Some(step) = page.step(query, at) {
            return Some(step);
        }
        let report = report(puzzle, settings, true);
        let found = query_at(&report, query.span().start)?;
        let mut markdown = page.query(found, &report);
        if pictures && let Some((image, words)) = picture_of(&bound, config, &report, query) {
            // Before the reasons, of which there may be more than are seen without scrolling.
            markdown = format!("{}\n\n{markdown}", diagram::image(&image, &words));
        }
        if inside(query.keyword().span())
            && let Some(verb) = query.verb()
        {
            markdown = format!("{markdown}\n\n---\n\n{}", manual(Keyword::Item(Item::Query(verb))));
        }
        return Some(Hover { span: query.span(), markdown });
    }
    keyword_or_code(token)
}

/// The token round an offset, or the one that ends there; neither white space nor a comment.
fn token_at(tree: &Tree, offset: u32) -> Option<Token<'_>> {
    let offset = offset.min(tree.text().len() as u32);
    let mut best = None;
    for token in tree.tokens_in(Span::at(offset)) {
        if !token.kind().is_trivia() && token.span().start <= offset && offset <= token.span().end {
            best = Some(token);
        }
    }
    best
}

/// The manual's entry of a keyword, or the explanation of a diagnostic code.
fn keyword_or_code(token: Token<'_>) -> Option<Hover> {
    let span = token.span();
    if let Some(keyword) = Keyword::from_word(token.text()) {
        return Some(Hover { span, markdown: manual(keyword).to_string() });
    }
    let code = Code::from_name(token.content().0).filter(|_| is_allowed(token))?;
    let entry = codes::entry(code);
    let markdown =
        format!("**{}** ({}): {}\n\n{}", code.name(), entry.severity.name(), entry.title, entry.text);
    Some(Hover { span, markdown })
}

/// Whether a word stands in an `allow`.
fn is_allowed(token: Token<'_>) -> bool {
    let before = std::iter::successors(token.previous(), |t| t.previous());
    let word = before
        .take_while(|t| !matches!(t.kind(), TokenKind::LBrace | TokenKind::RBrace | TokenKind::Arrow))
        .find_map(|t| Keyword::from_word(t.text()));
    word == Some(Keyword::Item(Item::Property(Property::Allow)))
}

/// What hovers over one puzzle have in common.
struct Page<'a, 't> {
    pictures: bool,
    severities: &'a Severities,
    bound: &'a Bound<'t>,
    position: Option<Position>,
}

impl Page<'_, '_> {
    fn cube(&self) -> bool {
        self.bound.game.format().is_cube()
    }

    fn name(&self, square: Square) -> String {
        square_name(square, self.cube())
    }

    fn diagram(&self, board: &Board, marks: &[Square]) -> String {
        match self.pictures {
            true => {
                let picture = Picture::of(board, self.bound.game.format(), marks);
                diagram::image(&picture.image(), &picture.words())
            }
            false => format!("```text\n{}```", diagram::text(board, self.bound.game.format())),
        }
    }

    /// The description, the board, and whose mate it is and why.
    fn board(&self, puzzle: Puzzle<'_>, report: &PuzzleReport) -> Option<String> {
        let mut parts: Vec<String> = puzzle.description().iter().map(|line| escape(line)).collect();
        let Some(position) = &self.position else {
            parts.push(said(&report.findings.first()?.message));
            // What could be made out of it.
            let board = self.bound.reading.as_ref().and_then(|r| r.board.as_ref());
            parts.extend(board.map(|board| self.diagram(board, &[])));
            return Some(parts.join("\n\n"));
        };
        parts.push(self.diagram(&position.board, &[]));
        if self.bound.game.verbs().contains(&Verb::Mate) {
            let question = Question { verb: Verb::Mate, request: None };
            let work = Work::new(crate::analysis::DEFAULT_NODES, None);
            if let Ok(Answer::Mate { status, side, reasons }) =
                self.bound.game.answer(position, &question, &work)
            {
                if status != Status::None {
                    parts.push(format!("{}: {}", side.name(), status.word()));
                }
                parts.extend((!reasons.is_empty()).then(|| bullets(&Reason::texts(&reasons))));
            }
        }
        Some(parts.join("\n\n"))
    }

    /// A piece and where it can go.
    fn piece(&self, square: Square, position: &Position) -> String {
        let Some(piece) = position.board.at(square) else { return self.diagram(&position.board, &[square]) };
        let coloured = self.bound.game.format().coloured;
        let what = if coloured { piece.to_string() } else { piece.kind.name().to_string() };
        let to = destinations(self.bound, position, square);
        let mut marks = to.clone();
        marks.push(square);
        let names: Vec<String> = to.iter().map(|&s| self.name(s)).collect();
        let can = match (!self.cube(), names.is_empty()) {
            (false, _) => String::new(),
            (true, true) => match self.bound.game.verbs()[0] {
                Verb::Solve => ": it captures nothing".to_string(),
                Verb::Capture if !self.bound.game.quiet(position, square).is_empty() => {
                    ": another piece has to capture".to_string()
                }
                _ => ": it cannot move".to_string(),
            },
            (true, false) => format!(": it can go to {}", names.join(", ")),
        };
        let head = format!("The {what} on {}{can}", self.name(square));
        format!("{head}\n\n{}", self.diagram(&position.board, &marks))
    }

    /// The board after a step of a written sequence.
    fn step(&self, query: Query<'_>, at: u32) -> Option<Hover> {
        let position = self.position.as_ref()?;
        let steps = steps_of(self.bound, query);
        let index = steps.iter().position(|(_, s)| s.start <= at && at < s.end)?;
        let span = steps[index].1;
        let plain: Vec<Step> = steps[..=index].iter().map(|s| s.0).collect();
        if let Err(slip) = self.bound.game.follow(position, &plain)
            && slip.step <= index
        {
            let mut markdown = format!("Step {} fails: {}", slip.step + 1, said(&slip.message));
            if slip.step < index {
                markdown = format!("An earlier step fails.\n\n{markdown}");
            }
            let before = self.after(&position.board, &plain[..slip.step], false);
            let wrong = plain[slip.step];
            let marks: Vec<Square> =
                [wrong.from, wrong.to].into_iter().filter(|&s| holds(&before, s)).collect();
            return Some(Hover {
                span,
                markdown: format!("{markdown}\n\n{}", self.diagram(&before, &marks)),
            });
        }
        let step = plain[index];
        let is_last = index + 1 == steps.len();
        let followed = self.bound.game.follow(position, &plain);
        let board = self.after(&position.board, &plain, is_last && followed.is_ok());
        let mut head = format!("After step {}, {}x{}", index + 1, self.name(step.from), self.name(step.to));
        if let Err(slip) = followed
            && is_last
        {
            head = format!("{head}\n\n✗ {}", said(&slip.message));
        }
        Some(Hover { span, markdown: format!("{head}\n\n{}", self.diagram(&board, &[step.from, step.to])) })
    }

    /// The board after some steps; if that `is_all`, what was jumped in draughts has left it.
    fn after(&self, board: &Board, steps: &[Step], is_all: bool) -> Board {
        after(board, steps, is_all && self.bound.game.format().notation == Notation::Pdn)
    }

    /// The verdict on a query and what it rests on.
    fn query(&self, query: &QueryReport, report: &PuzzleReport) -> String {
        let board = self.position.as_ref().map(|p| &p.board);
        let inside = |s: Span| query.span.start <= s.start && s.end <= query.span.end;
        let mut findings: Vec<&Finding> = report.findings.iter().filter(|f| inside(f.span)).collect();
        findings.sort_by_key(|f| self.severities.shown(f.code));
        let mut parts: Vec<String> = Vec::new();
        let mut add = |part: String| {
            if !part.is_empty() && !parts.contains(&part) {
                parts.push(part);
            }
        };
        let told = |what: &str| {
            findings.iter().any(|f| f.message.contains(what) || f.notes.iter().any(|n| n.contains(what)))
        };
        for finding in &findings {
            let mark = match self.severities.shown(finding.code) {
                Severity::Error => "✗ ",
                Severity::Warning => "⚠ ",
                _ => "",
            };
            add(format!("{mark}{}", said(&finding.message)));
            add(bullets(&finding.notes));
        }
        match &query.outcome {
            Outcome::Answer(answer) => {
                let summary = summary(answer, board);
                if findings.is_empty() && query.answered {
                    add("✓ verified".into());
                }
                // A wrong number is told with the right one.
                let is_count = matches!(answer, Answer::Count { .. }) && !findings.is_empty();
                if !is_count && !told(&summary) {
                    let lead = if findings.is_empty() { "" } else { "The answer: " };
                    add(format!("{lead}{}", said(&summary)));
                }
                match answer {
                    Answer::Mate { reasons, .. } => add(bullets(&Reason::texts(reasons))),
                    Answer::Capture { lines, .. } => {
                        add(bullets(&lines.iter().map(path).collect::<Vec<_>>()));
                    }
                    _ => {}
                }
            }
            Outcome::Undecided(why) => add(format!("undecided: {}", said(why))),
            Outcome::Error(why) if !told(why) => add(format!("✗ {}", said(why))),
            Outcome::Error(_) => {}
        }
        parts.join("\n\n")
    }
}

/// The board after steps that are possible, men promoted; what was jumped goes only if it `leaves`.
pub(super) fn after(board: &Board, steps: &[Step], leaves: bool) -> Board {
    let mut board = board.clone();
    for step in steps.iter().filter(|s| holds(&board, s.from) && holds(&board, s.to)).collect::<Vec<_>>() {
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
pub(super) fn between(from: Square, to: Square) -> Vec<Square> {
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

/// Where the piece of a square can go, in one step, whoever is to move.
pub fn destinations(bound: &Bound<'_>, position: &Position, from: Square) -> Vec<Square> {
    let Some(piece) = position.board.at(from) else { return Vec::new() };
    let all = (0..position.board.cells.len()).map(|i| position.board.square(i)).filter(|&s| s != from);
    let game = bound.game;
    let work = Work::new(crate::analysis::DEFAULT_NODES, None);
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
            let question = Question { verb: Verb::Move, request: Some(request) };
            matches!(game.answer(position, &question, &work), Ok(Answer::Move(None)))
        };
        return all.filter(legal).collect();
    }
    if game.verbs().contains(&Verb::Solve) {
        let possible = |&to: &Square| match game.follow(position, &[Step { from, to, taken: None }]) {
            Ok(()) => true,
            Err(slip) => slip.step > 0,
        };
        return all.filter(possible).collect();
    }
    if game.verbs().contains(&Verb::Capture) {
        let position = Position { turn: piece.colour, ..position.clone() };
        let question = Question { verb: Verb::Capture, request: None };
        if let Ok(Answer::Capture { lines, .. }) = game.answer(&position, &question, &work) {
            let mut to: Vec<Square> =
                lines.iter().filter(|l| l.path[0] == from).filter_map(|l| l.path.get(1).copied()).collect();
            to.dedup();
            // Who can capture must.
            return if lines.is_empty() { game.quiet(&position, from) } else { to };
        }
    }
    Vec::new()
}
