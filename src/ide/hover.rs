//! Hovers.

use crate::answer_text::{AnswerStyle, answer_in_words, capture_path, status_sentence};
use crate::board_view::ascii;
use crate::board_view::frames::{FrameBuilder, first_frame};
use crate::board_view::playback::{Frame, Playback};
use crate::cursor::last_token_touching;
use crate::diagram::SquareMark;
use crate::keyword_docs::keyword_docs;
use crate::markdown::{bullets, escape, escape_message, image};
use crate::problem_text::{MAX_PLAY_LINES, PlayLine, play_lines, short_play};
use crate::puzzle_status::{is_verified, query_at};
use cpz_check::analysis::{
    Bound, Config, Defaults, Options, Outcome, PlayParts, PuzzleReport, QueryReport, Severities, bind_one,
    code_docs, position_of, problem_play, puzzle_at, steps_of,
};
use cpz_check::authoring::{rate, rating_in_words};
use cpz_rules::board::{Board, Square};
use cpz_rules::games::{Answer, Position, Reason, Status, Step};
use cpz_text::diagnostic::{Code, Finding, Severity, Span};
use cpz_text::syntax::{Item, Keyword, Property, Puzzle, Query, Token, TokenKind, Tree, Verb};

/// The height of a picture in pixels: VS Code shows 250 pixels of a hover, and words stand above the picture.
const MAX_PICTURE_HEIGHT: u32 = 190;

/// The node budget of the play of a chess problem in a hover, which takes a few hundredths of a second.
const PLAY_NODES: u64 = 400_000;

/// The most keys whose trees a hover shows.
const MAX_KEYS: usize = 8;

/// A hover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The range that it is about.
    pub span: Span,
    /// Markdown, with text from the file escaped.
    pub markdown: String,
}

/// The hover at an offset. With `pictures` boards are images, else text. `report` analyses the puzzle; its last
/// argument says whether a slow search is allowed.
pub fn hover(
    tree: &Tree,
    config: &Config,
    offset: u32,
    pictures: bool,
    report: impl FnOnce(Puzzle<'_>, Defaults, bool) -> PuzzleReport,
) -> Option<Hover> {
    let token = last_token_touching(tree, offset)?;
    let Some((puzzle, settings)) = puzzle_at(tree, config.settings, token.span().start) else {
        return keyword_or_code(token);
    };
    let Some(bound) = bind_one(puzzle, settings) else { return keyword_or_code(token) };
    let writer = PuzzleHover {
        pictures,
        config,
        severities: &config.severities,
        bound: &bound,
        position: position_of(&bound),
    };
    let at = token.span().start.max(offset.min(token.span().end.saturating_sub(1)));
    let inside = |s: Span| s.start <= at && at < s.end;
    if let Some(board) = puzzle.boards().next().filter(|b| inside(b.span())) {
        let piece = bound.reading.as_ref().and_then(|r| r.places.iter().find(|p| inside(p.span)));
        if let (Some(placed), Some(play)) = (piece, writer.play()) {
            let markdown = writer.piece(&play, play.position.board.square(placed.cell.into()));
            return Some(Hover { span: placed.span, markdown });
        }
        let report = report(puzzle, settings, false);
        let markdown = match writer.rows(&report).filter(|_| writer.is_said(&report, at)) {
            Some(picture) => picture,
            None => writer.board(puzzle, &report)?,
        };
        return Some(Hover { span: board.span(), markdown });
    }
    if inside(puzzle.head()) {
        let is_game = inside(puzzle.keyword().span());
        let markdown = writer.head(puzzle, &report(puzzle, settings, false), is_game);
        return Some(Hover { span: puzzle.head(), markdown });
    }
    if let Some(query) = puzzle.queries().find(|q| inside(q.span())) {
        if let Some(step) = writer.step(query, at) {
            return Some(step);
        }
        let report = report(puzzle, settings, true);
        let found = query_at(&report, query.span().start)?;
        let picture = first_frame(&bound, config, &report, query).filter(|_| pictures);
        let picture = picture.map(|frame| writer.draw(&frame));
        if let Some(markdown) = picture.clone().filter(|_| writer.is_said(&report, at)) {
            return Some(Hover { span: query.span(), markdown });
        }
        let mut markdown = writer.query(found, &report);
        if let Some(play) = writer.play_of(query) {
            markdown = format!("{markdown}\n\n{play}");
        }
        if let Some(picture) = picture {
            markdown = format!("{markdown}\n\n{picture}");
        }
        // `in 2` belongs to the question of a problem; the argument of `move` has a hover of its own.
        let question = if query.length().is_some() { query.asked() } else { query.keyword().span() };
        if inside(question)
            && let Some(verb) = query.verb()
        {
            markdown = format!("{markdown}\n\n---\n\n{}", keyword_docs(Keyword::Item(Item::Query(verb))));
        }
        return Some(Hover { span: query.span(), markdown });
    }
    keyword_or_code(token)
}

/// The documentation of a keyword or of a diagnostic code.
fn keyword_or_code(token: Token<'_>) -> Option<Hover> {
    let span = token.span();
    if let Some(keyword) = Keyword::from_word(token.text()) {
        return Some(Hover { span, markdown: keyword_docs(keyword).to_string() });
    }
    let code = Code::from_name(token.content().0).filter(|_| is_in_allow(token))?;
    let entry = code_docs::entry(code);
    let markdown =
        format!("**{}** ({}): {}\n\n{}", code.name(), entry.severity.name(), entry.title, entry.text);
    Some(Hover { span, markdown })
}

/// Whether a token is a value of `allow`.
fn is_in_allow(token: Token<'_>) -> bool {
    let before = std::iter::successors(token.previous(), |t| t.previous());
    let word = before
        .take_while(|t| !matches!(t.kind(), TokenKind::LBrace | TokenKind::RBrace | TokenKind::Arrow))
        .find_map(|t| Keyword::from_word(t.text()));
    word == Some(Keyword::Item(Item::Property(Property::Allow)))
}

/// Writes the hovers of one puzzle.
struct PuzzleHover<'a, 't> {
    pictures: bool,
    config: &'a Config,
    severities: &'a Severities,
    bound: &'a Bound<'t>,
    position: Option<Position>,
}

impl PuzzleHover<'_, '_> {
    fn play(&self) -> Option<Playback<'_, '_>> {
        self.position.as_ref().map(|position| Playback { bound: self.bound, position })
    }

    fn draw(&self, frame: &Frame) -> String {
        let format = self.bound.game.format();
        if !self.pictures {
            return format!("```text\n{}```", ascii::text(&frame.board, format));
        }
        let picture = frame.small_picture(format);
        image(&picture.standalone(MAX_PICTURE_HEIGHT), &picture.words())
    }

    fn diagram(&self, board: &Board, marked: &[Square]) -> String {
        let mut frame = Frame::new(board.clone(), String::new());
        frame.marks = marked.iter().map(|&s| (s, SquareMark::Subject)).collect();
        self.draw(&frame)
    }

    /// Whether the editor itself shows a finding at an offset, next to a hover with pictures.
    fn is_said(&self, report: &PuzzleReport, at: u32) -> bool {
        self.pictures && report.findings.iter().any(|f| f.span.start <= at && at < f.span.end)
    }

    /// The picture of a board: that of its position, or what can be read of it.
    fn rows(&self, report: &PuzzleReport) -> Option<String> {
        if let Some(play) = self.play() {
            return Some(self.diagram(&play.position.board, &[]));
        }
        let builder = FrameBuilder { bound: self.bound, report, config: self.config };
        let frame = builder.unreadable_board();
        (!frame.board.cells.is_empty()).then(|| self.draw(&frame))
    }

    /// The description, the mate status with its reasons, and the board.
    fn board(&self, puzzle: Puzzle<'_>, report: &PuzzleReport) -> Option<String> {
        let mut parts: Vec<String> = puzzle.description().iter().map(|line| escape(line)).collect();
        let Some(play) = self.play() else {
            parts.push(escape_message(&report.findings.first()?.message));
            parts.extend(self.rows(report));
            return Some(parts.join("\n\n"));
        };
        if self.bound.game.verbs().contains(&Verb::Mate)
            && let Some(Answer::Mate { status, side, reasons }) = play.answer(Verb::Mate, None)
        {
            if status != Status::None {
                parts.push(status_sentence(side, status));
            }
            parts.extend((!reasons.is_empty()).then(|| bullets(&Reason::texts(&reasons))));
        }
        parts.push(self.diagram(&play.position.board, &[]));
        Some(parts.join("\n\n"))
    }

    /// The board and the rating, and at the word of the game what that is.
    fn head(&self, puzzle: Puzzle<'_>, report: &PuzzleReport, is_game: bool) -> String {
        let mut parts: Vec<String> = self.board(puzzle, report).into_iter().collect();
        parts.extend(self.rating());
        if is_game {
            parts.push("---".into());
            parts.push(keyword_docs(Keyword::Game(self.bound.id)).into());
        }
        parts.join("\n\n")
    }

    /// How hard the puzzle is, if that is known soon.
    fn rating(&self) -> Option<String> {
        let options = Options { nodes: PLAY_NODES, ..Options::new(self.config.clone().into()) };
        let rating = rate(self.bound, &options).ok()?;
        Some(bullets(&rating_in_words(&rating)))
    }

    /// A piece and the squares that it can go to.
    fn piece(&self, play: &Playback<'_, '_>, square: Square) -> String {
        let position = play.position;
        let Some(piece) = position.board.at(square) else { return self.diagram(&position.board, &[square]) };
        let to = play.destinations(square);
        let names: Vec<String> = to.iter().map(|&s| play.name(s)).collect();
        let can = match (!play.format().is_cube(), names.is_empty()) {
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
        let marks = [to.as_slice(), &[square]].concat();
        let head = format!("The {} on {}{can}", play.format().called(piece), play.name(square));
        format!("{head}\n\n{}", self.diagram(&position.board, &marks))
    }

    /// The board after the written step at an offset.
    fn step(&self, query: Query<'_>, at: u32) -> Option<Hover> {
        let play = self.play()?;
        let steps = steps_of(self.bound, query);
        let index = steps.iter().position(|(_, s)| s.start <= at && at < s.end)?;
        let plain: Vec<Step> = steps[..=index].iter().map(|s| s.0).collect();
        let error = play.replay_error(&plain);
        let is_last = index + 1 == steps.len();
        let (head, frame) = match error {
            Some(error) if error.step <= index => {
                let lead = if error.step < index { "An earlier step fails.\n\n" } else { "" };
                let head = format!("{lead}Step {} fails: {}", error.step + 1, escape_message(&error.message));
                // An editor with pictures shows the finding of this very step itself.
                let head = if self.pictures && error.step == index { String::new() } else { head };
                (head, play.failing_frame(&plain[..error.step], plain[error.step]))
            }
            error => {
                let Step { from, to, .. } = plain[index];
                let mut head = format!("After step {}, {}x{}", index + 1, play.name(from), play.name(to));
                let frame = play.frame_after(&plain, is_last && error.is_none());
                if let Some(error) = error.filter(|_| is_last) {
                    head = format!("{head}\n\n✗ {}", escape_message(&error.message));
                }
                (head, frame)
            }
        };
        let parts = [head, self.draw(&frame)];
        let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|p| !p.is_empty()).collect();
        Some(Hover { span: steps[index].1, markdown: parts.join("\n\n") })
    }

    /// The play of a chess problem: key, variations, set play, tries.
    fn play_of(&self, query: Query<'_>) -> Option<String> {
        let options = Options { nodes: PLAY_NODES, ..Options::new(self.config.clone().into()) };
        let play = problem_play(self.bound, query, MAX_KEYS, PlayParts::All, &options)?;
        let lines = play_lines(&play);
        let (shown, more) = short_play(&lines, MAX_PLAY_LINES);
        let line = |l: &PlayLine| format!("{}- {}", "  ".repeat(l.depth), escape_message(&l.text));
        let mut text: Vec<String> = shown.into_iter().map(line).collect();
        if more > 0 {
            text.push(format!("- … and {more} more"));
        }
        if !play.complete {
            text.push("- more was not searched".into());
        }
        (!lines.is_empty()).then(|| text.join("\n"))
    }

    /// The result of a query: findings, answer and reasons.
    fn query(&self, query: &QueryReport, report: &PuzzleReport) -> String {
        let board = self.position.as_ref().map(|p| &p.board);
        let inside = |s: Span| query.span.start <= s.start && s.end <= query.span.end;
        let mut findings: Vec<&Finding> = report.findings.iter().filter(|f| inside(f.span)).collect();
        findings.sort_by_key(|f| self.severities.shown(f));
        let mut parts: Vec<String> = Vec::new();
        let mut add = |part: String| {
            if !part.is_empty() && !parts.contains(&part) {
                parts.push(part);
            }
        };
        let is_mentioned = |what: &str| {
            findings.iter().any(|f| f.message.contains(what) || f.notes.iter().any(|n| n.contains(what)))
        };
        for finding in &findings {
            let mark = match self.severities.shown(finding) {
                Severity::Error => "✗ ",
                Severity::Warning => "⚠ ",
                _ => "",
            };
            add(format!("{mark}{}", escape_message(&finding.message)));
            add(bullets(&finding.notes));
        }
        match &query.outcome {
            Outcome::Answer(answer) => {
                let summary = answer_in_words(answer, AnswerStyle::Short(board));
                if is_verified(query, report) {
                    add("✓ verified".into());
                }
                // The finding on a wrong number contains the right one.
                let is_count = matches!(answer, Answer::Count { .. }) && !findings.is_empty();
                if !is_count && !is_mentioned(&summary) {
                    let lead = if findings.is_empty() { "" } else { "Answer: " };
                    add(format!("{lead}{}", escape_message(&summary)));
                }
                match answer {
                    Answer::Mate { reasons, .. } => add(bullets(&Reason::texts(reasons))),
                    Answer::Capture { lines, .. } => {
                        add(bullets(&lines.iter().map(capture_path).collect::<Vec<_>>()));
                    }
                    _ => {}
                }
            }
            Outcome::Undecided(why) => add(format!("undecided: {}", escape_message(why))),
            Outcome::Error(why) if !is_mentioned(why) => add(format!("✗ {}", escape_message(why))),
            Outcome::NotAsked(why) => add(escape_message(why).to_string()),
            Outcome::Error(_) => {}
        }
        parts.join("\n\n")
    }
}
