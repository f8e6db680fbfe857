//! A puzzle with its properties, the defaults in force for it, and its board.

use std::sync::OnceLock;

use crate::analysis::allow_word::Allow;
use crate::analysis::base_query::twin_in_front;
use crate::analysis::defaults::{Defaults, PropertyScope, UnreadProperties};
use cpz_rules::board::{
    Colour, Format, Language, Reading, SizeValue, SourceLayout, WrittenRights, read, source_layout,
};
use cpz_rules::games::{Game, Position, game};
use cpz_text::diagnostic::{Code, Edit, Finding, Fix, Span};
use cpz_text::syntax::{
    Board, BoardForm, GameId, Node, NodeKind, Property, Puzzle, Query, TokenKind, Verb, is_invisible,
    is_lost_board, set_apart,
};

/// A puzzle of a known game with its properties and its board.
pub struct Bound<'t> {
    /// The puzzle.
    pub puzzle: Puzzle<'t>,
    /// Its game.
    pub id: GameId,
    /// The game's rules.
    pub game: &'static dyn Game,
    /// Its own properties, and those defaults that have a meaning for it.
    pub settings: Defaults,
    /// The first coordinate: 0 or 1.
    pub origin: u8,
    /// The side to move; white where nothing gives it.
    pub turn: Colour,
    /// Whether the puzzle itself has a `turn`.
    pub turn_is_own: bool,
    /// Whether the puzzle or its board's notation gives the side to move; a default does not count.
    pub turn_is_explicit: bool,
    /// The castling rights and the en passant square that the puzzle or its board gives, each with the place of its
    /// value. Those of a default are in [`Defaults::rights`].
    pub rights: WrittenRights,
    /// Its board; nothing where it has none.
    pub reading: Option<Reading>,
    /// Whether a string of the board is not closed: then the board is unknown.
    unclosed: bool,
    /// Whether a list or a notation has an invisible character, which makes another piece or square of what it stands in.
    blurred: bool,
    /// Whether the board has a syntax error, or one behind its rows may cut it short.
    half_read: bool,
    /// The language of the letters in its moves, where they are not English; it is found out when a move is first read.
    pub(super) move_language: OnceLock<Option<&'static Language>>,
    /// Whether it is a chess puzzle whose diagram is not asked.
    pub(super) zero_position: bool,
    /// The value of the puzzle's own `rules`.
    pub(super) rules: Option<Span>,
    /// Whether it has more than one board, and so an ambiguous position.
    pub(super) several_boards: bool,
}

/// The properties that decide what a query is asked about.
pub(super) const DECISIVE: [Property; 6] = [
    Property::Size,
    Property::Origin,
    Property::Turn,
    Property::Castling,
    Property::EnPassant,
    Property::Rules,
];

impl Bound<'_> {
    /// Whether a property that some query may depend on cannot be read, or the position is ambiguous.
    pub(super) fn has_unreadable_dependency(&self) -> bool {
        self.settings.unread != UnreadProperties::default() || self.several_boards
    }

    /// Whether a finding about squares or cells depends on a property that cannot be read.
    pub(super) fn is_guess(&self, finding: &Finding) -> bool {
        let unread = |name| self.settings.unread.has(name);
        match finding.code {
            Code::OffBoard => unread(Property::Origin) || unread(Property::Size),
            Code::BoardShape => unread(Property::Size) || self.half_read,
            _ => false,
        }
    }

    /// Whether the cells of the board are written with coordinates.
    pub(super) fn board_has_coordinates(&self) -> bool {
        let form = self.puzzle.boards().next().and_then(Board::form);
        form.is_some_and(|form| matches!(source_layout(form, self.game.format()), SourceLayout::Entries(_)))
    }

    /// The findings of the board that do not depend on a property that cannot be read.
    pub(super) fn board_findings(&self) -> impl Iterator<Item = &Finding> {
        let reading = self.reading.as_ref().filter(|_| !self.unclosed && !self.blurred);
        reading.into_iter().flat_map(|r| &r.findings).filter(|f| !self.is_guess(f))
    }

    /// Whether the text of the board is complete: a syntax error may hide a part of it.
    pub fn board_is_complete(&self) -> bool {
        !self.unclosed && !self.blurred && !self.half_read
    }

    /// Whether it is a chess puzzle under a condition, its own or that of its file.
    pub fn has_condition(&self) -> bool {
        self.settings.condition.is_some()
    }

    /// Why a query of a chess puzzle is not answered though it can be read: the puzzle has a condition, under which nothing is
    /// judged, or its diagram is not asked.
    pub fn why_not_asked(&self, query: Query<'_>) -> Option<&'static str> {
        match query.verb()? {
            Verb::Unsolved => None,
            _ if self.has_condition() => Some("the problem has a condition that is not solved"),
            Verb::Problem(_) | Verb::SetPlay | Verb::Duplex
                if self.zero_position && twin_in_front(query, self.puzzle).is_none() =>
            {
                Some("the diagram itself is not asked, only its twins")
            }
            _ => None,
        }
    }

    /// The position of the puzzle.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn position(&self) -> Result<Position, String> {
        let Some(reading) = &self.reading else {
            return Err(match self.puzzle.boards().next() {
                None => "the puzzle has no board".to_string(),
                Some(_) => "the board is missing".to_string(),
            });
        };
        if self.unclosed {
            return Err("a string of the board is not closed".to_string());
        }
        if self.half_read {
            return Err("the board has a syntax error".to_string());
        }
        match &reading.board {
            Some(board) if reading.is_good() => Ok(Position {
                board: board.clone(),
                turn: self.turn,
                dialect: self.settings.dialect.unwrap_or_default(),
                rights: self.settings.rights.values(),
            }),
            _ => {
                let first = reading.findings.iter().find(|f| f.code != Code::KingLetter);
                Err(first.map_or("the board cannot be read".to_string(), |f| f.message.clone()))
            }
        }
    }
}

/// A puzzle with what was found while reading its properties and its boards.
pub(super) struct Binding<'t> {
    /// Nothing where the game is unknown, which the parser reports.
    pub bound: Option<Bound<'t>>,
    /// The puzzle's own `allow` words.
    pub allows: Vec<Allow>,
    /// What is wrong with its properties, and with the number of its boards.
    pub findings: Vec<Finding>,
}

/// Reads the properties and the board of a puzzle.
pub(super) fn bind<'t>(puzzle: Puzzle<'t>, defaults: Defaults) -> Binding<'t> {
    let id = puzzle.game();
    let game = id.map(game);
    let OwnProperties { values: own, seen, rules, allows, findings } = OwnProperties::read(puzzle, game);
    let mut binding = Binding { bound: None, allows, findings };
    let (Some(id), Some(game)) = (id, game) else { return binding };
    let format = game.format();
    let has_own = |p: Property| seen.iter().any(|s| s.0 == p);
    // A default that has no meaning in this game is not in force, nor is a size that it does not have.
    let fits = |p: Property| game.takes(p);
    let size = own.size.or(defaults.size.filter(|s| fits(Property::Size) && s.check(format).is_ok()));
    let origin = own.origin.or(defaults.origin).unwrap_or(format.origin);
    let default_unique = || defaults.unique.filter(|_| fits(Property::Unique));
    let unique = if has_own(Property::Unique) { own.unique } else { default_unique() };
    let dialect = own.dialect.or(defaults.dialect.filter(|_| fits(Property::Rules)));

    report_number_of_boards(puzzle, &mut binding.findings);
    let board = puzzle.boards().next();
    let read = |origin| read_board(board?, format, origin, size, has_own(Property::Size));
    let mut reading = read(origin);
    if let Some(reading) = &mut reading {
        offer_origin(puzzle, reading, 1 - origin, || read(1 - origin));
    }
    let is_notation = reading.as_ref().is_some_and(|r| r.is_notation);
    let (unclosed, half_read) = board.map_or((false, false), |b| {
        // A FEN or PDN shows where it ends.
        let may_go_on = !is_notation;
        board_errors(puzzle, b, may_go_on)
    });
    let blurred = board.is_some_and(|board| {
        (is_notation || matches!(board.form(), Some(BoardForm::Lists(_)))) && has_invisible(board)
    });
    let noted = reading.as_ref().and_then(|r| r.turn);
    let turn = own.turn.or(noted).or(defaults.turn.filter(|_| fits(Property::Turn)));

    let rights = own.rights.or(reading.as_ref().map_or_else(Default::default, |r| r.rights));
    let rights_in_force = rights.or(WrittenRights {
        castling: defaults.rights.castling.filter(|_| fits(Property::Castling)),
        en_passant: defaults.rights.en_passant.filter(|_| fits(Property::EnPassant)),
    });

    let mut unread = UnreadProperties::default();
    if own.unread != unread || defaults.unread != unread {
        for name in DECISIVE {
            let in_force = match has_own(name) {
                true => own.unread.has(name),
                // The side to move in a board's notation takes precedence over a default.
                false => {
                    defaults.unread.has(name) && fits(name) && !(name == Property::Turn && noted.is_some())
                }
            };
            let matters = || name != Property::Size || board.is_some_and(|b| needs_size(b, format));
            unread.set(name, in_force && matters());
        }
    }
    binding.bound = Some(Bound {
        puzzle,
        id,
        game,
        settings: Defaults {
            size,
            origin: own.origin,
            turn,
            dialect,
            solutions: own.solutions.or(defaults.solutions.filter(|_| fits(Property::Solutions))),
            unique,
            condition: own.condition.or(defaults.condition.filter(|_| fits(Property::Condition))),
            unread,
            rights: rights_in_force,
            ..defaults
        },
        origin,
        turn: turn.unwrap_or(Colour::White),
        turn_is_own: own.turn.is_some(),
        turn_is_explicit: own.turn.is_some() || noted.is_some(),
        rights,
        reading,
        unclosed,
        blurred,
        half_read,
        move_language: OnceLock::new(),
        zero_position: has_own(Property::ZeroPosition),
        rules,
        several_boards: puzzle.boards().nth(1).is_some(),
    });
    binding
}

/// The properties that a puzzle itself has.
#[derive(Default)]
struct OwnProperties {
    values: Defaults,
    /// Those that the game has, each with its keyword.
    seen: Vec<(Property, Span)>,
    /// The value of `rules`.
    rules: Option<Span>,
    allows: Vec<Allow>,
    findings: Vec<Finding>,
}

impl OwnProperties {
    fn read(puzzle: Puzzle<'_>, game: Option<&dyn Game>) -> OwnProperties {
        let mut own = OwnProperties::default();
        let mut custom: Vec<(&str, Span)> = Vec::new();
        for node in puzzle.properties() {
            if let Some(name) = node.custom_name() {
                let keyword = node.keyword().span();
                match custom.iter().find(|c| c.0 == name) {
                    Some(first) => own.findings.push(given_twice(name, keyword, first.1)),
                    None => custom.push((name, keyword)),
                }
            }
            let Some(name) = node.name() else { continue };
            let keyword = node.keyword().span();
            if let Some(game) = game.filter(|game| !game.takes(name)) {
                let message = format!("`{}` is no property of {}", name.word(), game.format().game);
                let fix = Fix::new("remove it", node.span(), "", false);
                own.findings.push(Finding::new(Code::NotForThisGame, keyword, message).fix(fix));
                continue;
            }
            let is_single = !matches!(
                name,
                Property::Allow
                    | Property::Tags
                    | Property::Note
                    | Property::Hint
                    | Property::Source
                    | Property::Author
            );
            if let Some(first) = own.seen.iter().find(|s| s.0 == name && is_single) {
                let is_bare = |at: Span| puzzle.properties().any(|p| p.span() == at && p.value().is_none());
                // A word that is there twice, and its value once: no fix takes the value.
                let fix = match node.value().is_some() && is_bare(first.1) {
                    true => Fix::new("remove the first one", first.1, "", false),
                    false => Fix::new("remove it", node.span(), "", false),
                };
                own.findings.push(given_twice(name.word(), keyword, first.1).fix(fix));
                continue;
            }
            own.seen.push((name, keyword));
            let mut report = own.values.set(node, PropertyScope::Puzzle);
            own.allows.append(&mut report.allows);
            own.findings.append(&mut report.findings);
            if name == Property::Rules {
                own.rules = node.value().map(|v| v.span());
            }
        }
        own
    }
}

fn given_twice(name: &str, keyword: Span, first: Span) -> Finding {
    let message = format!("`{name}` is given twice; the first one counts");
    Finding::new(Code::Syntax, keyword, message).related(first, "the first one")
}

/// Reports a puzzle without a board, and each board after the first.
fn report_number_of_boards(puzzle: Puzzle<'_>, findings: &mut Vec<Finding>) {
    let mut boards = puzzle.boards();
    let Some(first) = boards.next() else {
        // The parser reports a puzzle without an opening brace, and a board without its keyword.
        let errors = puzzle.node().tree().errors();
        let first = errors.partition_point(|e| e.span.start < puzzle.span().start);
        let mut errors = errors[first..].iter().take_while(|e| e.span.start < puzzle.span().end);
        let may_be_board =
            |node: Node<'_>| node.kind() == NodeKind::Error && node.text().contains(['[', '\n', '\r']);
        let lost = errors.any(is_lost_board) || puzzle.node().children().any(may_be_board);
        if !lost && puzzle.node().tokens().any(|t| t.kind() == TokenKind::LBrace) {
            findings.push(Finding::new(Code::MissingBoard, puzzle.head(), "this puzzle has no board"));
        }
        return;
    };
    for other in boards {
        let message = "a puzzle has one board, and this is another";
        let finding = Finding::new(Code::SecondBoard, other.keyword().span(), message);
        findings.push(finding.related(first.keyword().span(), "the first board"));
    }
}

/// Reads a board; nothing where its content is missing. `has_size` says that the puzzle itself has a `size`.
fn read_board(
    board: Board<'_>,
    format: &Format,
    origin: u8,
    size: Option<SizeValue>,
    has_size: bool,
) -> Option<Reading> {
    let span = board.content().unwrap_or_else(|| board.keyword().span());
    let text = board.node().tree().text();
    let mut reading = read(board.form()?, format, origin, size, span);
    // A `size` that cannot be read must be corrected; a second one would be a mistake.
    if size.is_none() && has_size {
        let adds_size = |fix: &Fix| fix.edits.iter().any(|e| e.text.starts_with(" size "));
        reading.findings.iter_mut().for_each(|f| f.fixes.retain(|fix| !adds_size(fix)));
    }
    let edits = reading.findings.iter_mut().flat_map(|f| &mut f.fixes).flat_map(|f| &mut f.edits);
    for edit in edits.filter(|e| e.text.starts_with(" size ")) {
        edit.text = set_apart(text, edit.span.end, std::mem::take(&mut edit.text));
    }
    Some(reading)
}

/// Adds to what is off the board the fix that counts squares from the other number, if all of them are on the board then.
fn offer_origin(
    puzzle: Puzzle<'_>,
    reading: &mut Reading,
    other: u8,
    read_again: impl FnOnce() -> Option<Reading>,
) {
    let only_off = reading.findings.iter().all(|f| f.code == Code::OffBoard);
    if reading.findings.is_empty()
        || !only_off
        || !read_again().is_some_and(|other| other.findings.is_empty())
    {
        return;
    }
    let text = format!("origin {other}");
    let own = puzzle.properties().find(|property| property.name() == Some(Property::Origin));
    let edit = match own {
        Some(own) => Edit { span: own.span(), text: text.clone() },
        None => insert_property(puzzle, &text),
    };
    let title = format!("set `{text}` (if squares are counted from {other})");
    for finding in &mut reading.findings {
        finding.fixes.push(Fix { title: title.clone(), edits: vec![edit.clone()], safe: false });
    }
}

/// Whether a board does not show its size itself.
fn needs_size(board: Board<'_>, format: &Format) -> bool {
    board.form().is_some_and(|form| match source_layout(form, format) {
        SourceLayout::Cells { flat, .. } => flat,
        SourceLayout::Entries(_) => true,
        _ => false,
    })
}

/// Whether a board has a string that is not closed, or nothing behind a bracket that is not, and whether it has any syntax error. `may_go_on` says that
/// words behind a text board may be rows of it.
fn board_errors(puzzle: Puzzle<'_>, board: Board<'_>, may_go_on: bool) -> (bool, bool) {
    let node = board.node();
    let errors = node.tree().errors();
    if errors.is_empty() {
        return (false, false);
    }
    let span = node.span();
    let first = errors.partition_point(|e| e.span.start < span.start);
    let within = errors.get(first).is_some_and(|e| e.span.start < span.end);
    let has = |kind: TokenKind| node.tokens().any(|t| t.kind() == kind);
    let is_bare = || !node.tokens().skip(1).any(|t| matches!(t.kind(), TokenKind::Word | TokenKind::String));
    let unclosed =
        within && (has(TokenKind::UnclosedString) || has(TokenKind::UnclosedLBracket) && is_bare());
    let text = may_go_on && matches!(board.form(), Some(BoardForm::Text(_)));
    let mut items = puzzle.node().children().skip_while(|n| n.span() != span).skip(1);
    let behind = text && items.next().is_some_and(|n| n.kind() == NodeKind::Error);
    (unclosed, within || behind)
}

/// Whether a finding in a board is about an invisible character.
fn has_invisible(board: Board<'_>) -> bool {
    let tree = board.node().tree();
    let (errors, span) = (tree.errors(), board.span());
    let first = errors.partition_point(|e| e.span.start < span.start);
    let mut within = errors[first..].iter().take_while(|e| e.span.start < span.end);
    within.any(|e| tree.text()[e.span.range()].starts_with(is_invisible))
}

/// An edit that inserts a property into a puzzle, before its board where it has one.
pub fn insert_property(puzzle: Puzzle<'_>, text: &str) -> Edit {
    match puzzle.boards().next() {
        Some(board) => {
            let start = board.span().start;
            let gap = board.keyword().previous().map_or("", |t| t.text());
            let gap = if gap.contains(['\n', '\r']) { gap.trim_start_matches([' ', '\t']) } else { " " };
            // Repeat the white space before `board`: the property gets a line of its own if the board has one.
            let gap = gap.rsplit_once(['\n', '\r']).map_or_else(
                || gap.to_string(),
                |(_, indent)| {
                    let end = if gap.contains("\r\n") {
                        "\r\n"
                    } else {
                        &gap[gap.len() - indent.len() - 1..gap.len() - indent.len()]
                    };
                    format!("{end}{indent}")
                },
            );
            Edit { span: Span::at(start), text: format!("{text}{gap}") }
        }
        None => {
            let open = puzzle.node().tokens().find(|t| t.kind() == TokenKind::LBrace);
            let end = open.map_or(puzzle.head().end, |t| t.span().end);
            Edit { span: Span::at(end), text: format!(" {text}") }
        }
    }
}
