//! A puzzle's properties and board, with the defaults of its file: what its queries are asked of.

use crate::analysis::config::Notation;
use crate::analysis::verbs::chess_move;
use crate::board::{Colour, Reading, SizeValue, SourceLayout, read, read_colour, source_layout};
use crate::diagnostic::{Code, CodeSet, Edit, Finding, Fix, Span};
use crate::games::{Dialect, Game, game};
use crate::syntax::{
    Board, BoardForm, Element, GameId, NodeKind, Property, PropertyNode, Puzzle, Query, TokenKind, Value,
    Verb, nearest, set_apart,
};

/// An `allow` of one code.
#[derive(Clone, Debug)]
pub(crate) struct Allow {
    /// Nothing for a word that is no code.
    pub code: Option<Code>,
    /// The word, with its quotes.
    pub span: Span,
    /// The word itself.
    pub word: Span,
    /// What to take away with it.
    pub remove: Span,
    /// The nearest code to a word that is none.
    pub meant: Option<Code>,
    pub used: bool,
}

impl Allow {
    /// The same so many bytes further on.
    pub fn shifted(&self, by: i64) -> Allow {
        let mut allow = self.clone();
        allow.span.shift(by);
        allow.word.shift(by);
        allow.remove.shift(by);
        allow
    }
}

/// The properties whose value cannot be read: what is answered under them would be a guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unread(u16);

impl Unread {
    fn set(&mut self, property: Property, unread: bool) {
        let bit = 1 << property as u16;
        self.0 = if unread { self.0 | bit } else { self.0 & !bit };
    }

    /// Whether a property is one of them.
    pub fn has(self, property: Property) -> bool {
        self.0 & (1 << property as u16) != 0
    }
}

/// The properties that are in force for a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// The size that is in force.
    pub size: Option<SizeValue>,
    /// What coordinates count from.
    pub origin: Option<u8>,
    /// The side to move.
    pub turn: Option<Colour>,
    /// The dialect of solitaire.
    pub dialect: Option<Dialect>,
    /// Where `unique` stands; nothing where it does not, or is false.
    pub unique: Option<Span>,
    /// How many of the file's allows stand above the puzzle.
    pub allows: u32,
    /// The codes that these allow.
    pub(crate) allowed: CodeSet,
    /// The empty cell of boards that are written.
    pub empty: Option<char>,
    /// How answers are written.
    pub notation: Notation,
    /// What is in force and cannot be read.
    pub(crate) unread: Unread,
}

impl Defaults {
    /// Without what is allowed.
    pub(crate) fn without_allowed(self) -> Defaults {
        Defaults { allows: 0, allowed: CodeSet::default(), ..self }
    }
}

/// Reads a property into settings, and says what is wrong with its value.
pub(crate) fn property(
    node: PropertyNode<'_>,
    own: bool,
    settings: &mut Defaults,
    allows: &mut Vec<Allow>,
    findings: &mut Vec<Finding>,
) {
    let Some(name) = node.name() else { return };
    let value = node.value();
    if name == Property::Unique {
        let no = value.and_then(Value::scalar).is_some_and(|(t, _)| t.eq_ignore_ascii_case("false"));
        settings.unique = (!no).then(|| node.span());
        return;
    }
    let settled = matches!(name, Property::Size | Property::Origin | Property::Turn | Property::Rules);
    settings.unread.set(name, settled);
    // The parser has said that the value is missing.
    let Some(value) = value else { return };
    let span = value.span();
    let scalar = value.scalar();
    let mut read = true;
    let mut wrong = |message: String, words: &[&str]| {
        read = false;
        let mut finding = Finding::new(Code::Syntax, span, message);
        if let Some(i) = scalar.and_then(|(t, _)| nearest(t, words.iter().copied())) {
            finding = finding.fix(Fix::new(format!("replace with `{}`", words[i]), span, words[i], false));
        }
        findings.push(finding);
    };
    match name {
        Property::Size => match scalar.and_then(|(t, s)| SizeValue::parse(t, s, own)) {
            Some(size) => settings.size = Some(size),
            None => wrong("a size is a number or columns x rows, as in `size 5` or `size 5x6`".into(), &[]),
        },
        Property::Origin => match scalar.map(|s| s.0) {
            Some("0") => settings.origin = Some(0),
            Some("1") => settings.origin = Some(1),
            _ => wrong("`origin` is 0 or 1".into(), &[]),
        },
        Property::Turn => match scalar.and_then(|(t, _)| read_colour(t)) {
            Some(colour) => settings.turn = Some(colour),
            None => wrong("`turn` is white or black".into(), &["white", "black"]),
        },
        Property::Rules => {
            let words = Dialect::ALL.map(Dialect::word);
            let found =
                scalar.and_then(|(t, _)| Dialect::ALL.into_iter().find(|d| d.word().eq_ignore_ascii_case(t)));
            match found {
                Some(dialect) => settings.dialect = Some(dialect),
                None => wrong("`rules` is default, ranger or solo".into(), &words),
            }
        }
        Property::Tags | Property::Allow => {
            let elements = value.elements();
            let alone = elements.len() == 1;
            for element in elements {
                let (Element::Word(t) | Element::String(t)) = element else {
                    let message = format!("`{}` takes a word or a list of words", name.word());
                    findings.push(Finding::new(Code::Syntax, element.span(), message));
                    continue;
                };
                if name == Property::Allow {
                    let (text, word) = t.content();
                    let code = Code::from_name(text);
                    let meant = nearest(text, Code::ALL.iter().map(|c| c.name())).map(|i| Code::ALL[i]);
                    let remove = if alone { node.span() } else { t.span() };
                    if !own {
                        code.into_iter().for_each(|code| settings.allowed.insert(code));
                    }
                    allows.push(Allow { code, span: t.span(), word, remove, meant, used: false });
                }
            }
        }
        Property::Unique | Property::Author | Property::Source | Property::Note => {}
    }
    settings.unread.set(name, settled && !read);
}

/// A puzzle with its properties read and its board made out.
pub struct Bound<'t> {
    /// The puzzle.
    pub puzzle: Puzzle<'t>,
    /// Its game.
    pub id: GameId,
    /// The game's rules.
    pub game: &'static dyn Game,
    /// Its own properties and the defaults that fit it.
    pub settings: Defaults,
    /// What its coordinates count from.
    pub origin: u8,
    /// The side to move.
    pub turn: Colour,
    /// Whether the puzzle itself has a `turn`.
    pub turn_is_own: bool,
    /// Whether the puzzle or its board's notation says who is to move.
    pub turn_told: bool,
    /// Its board; nothing where it has none.
    pub reading: Option<Reading>,
    /// Whether a string of the board is cut off: then what it holds says nothing.
    pub(crate) unclosed: bool,
    /// Whether the board holds a syntax error, or one that stands behind its rows cuts it short.
    pub(crate) half_read: bool,
    /// Where the puzzle's own `rules` stands.
    pub(crate) rules: Option<Span>,
    /// Whether it has more than one board, of which either may be meant.
    pub(crate) several_boards: bool,
}

impl Bound<'_> {
    /// The colour that a move names, if it names one.
    pub(crate) fn named_colour(&self, query: Query<'_>) -> Option<Colour> {
        let value = query.argument().filter(|v| matches!(v, Value::Lists(_)))?;
        chess_move::read(value, self.game.format(), self.origin, self.turn).ok().map(|r| r.colour)
    }

    /// Why a query would be answered by a guess: what it depends on cannot be read, or may be meant in two ways.
    pub(crate) fn in_doubt(&self, query: Query<'_>) -> Option<String> {
        let names_its_side =
            || query.verb() == Some(Verb::Move) && matches!(query.argument(), Some(Value::Lists(_)));
        // Squares in numbers depend on what they count from; an answer in squares is shown in numbers.
        let in_squares = || {
            let listed = |value: Option<Value<'_>>| matches!(value, Some(Value::Lists(_)));
            matches!(query.verb(), Some(Verb::Solve | Verb::Capture)) || listed(query.argument())
        };
        let unread = |&name: &Property| {
            self.settings.unread.has(name)
                && match name {
                    Property::Turn => !names_its_side(),
                    Property::Origin => self.by_coordinates() || in_squares(),
                    _ => true,
                }
        };
        let all = [Property::Size, Property::Origin, Property::Turn, Property::Rules];
        match all.iter().find(|name| unread(name)) {
            Some(name) => Some(format!("its `{}` cannot be read", name.word())),
            None => self.several_boards.then(|| "the puzzle has more than one board".to_string()),
        }
    }

    /// Whether a finding about squares or cells depends on what cannot be read.
    pub(crate) fn is_guess(&self, finding: &Finding) -> bool {
        let unread = |name| self.settings.unread.has(name);
        match finding.code {
            Code::OffBoard => unread(Property::Origin) || unread(Property::Size),
            Code::BoardShape => unread(Property::Size),
            _ => false,
        }
    }

    fn by_coordinates(&self) -> bool {
        let form = self.puzzle.boards().next().and_then(Board::form);
        form.is_some_and(|form| matches!(source_layout(form, self.game.format()), SourceLayout::Entries(_)))
    }

    /// Whether anything that its queries depend on cannot be read, or may be meant in two ways.
    pub(crate) fn in_doubt_at_all(&self) -> bool {
        self.settings.unread != Unread::default() || self.several_boards
    }

    /// The side to move as a notation would have it: the one that is told, or else the one colour that
    /// all queries name.
    pub fn mover(&self) -> Colour {
        let mut named = self.puzzle.queries().map(|q| self.named_colour(q));
        match named.next() {
            Some(Some(first)) if !self.turn_told && named.all(|c| c == Some(first)) => first,
            _ => self.turn,
        }
    }
}

/// Binds a puzzle; nothing where its game is unknown, which the parser has said.
pub(crate) fn bind<'t>(
    puzzle: Puzzle<'t>,
    defaults: Defaults,
    allows: &mut Vec<Allow>,
    findings: &mut Vec<Finding>,
) -> Option<Bound<'t>> {
    let id = puzzle.game();
    let game = id.map(game);
    let mut own = Defaults::default();
    let mut seen: Vec<(Property, Span)> = Vec::new();
    let mut rules = None;
    for node in puzzle.properties() {
        let Some(name) = node.name() else { continue };
        let keyword = node.keyword().span();
        if let Some(game) = game
            && !game.takes(name)
        {
            let message = format!("`{}` is no property of {}", name.word(), game.format().game);
            let fix = Fix::new("remove it", node.span(), "", false);
            findings.push(Finding::new(Code::NotForThisGame, keyword, message).fix(fix));
            continue;
        }
        let once = !matches!(
            name,
            Property::Allow | Property::Tags | Property::Note | Property::Source | Property::Author
        );
        if let Some(first) = seen.iter().find(|s| s.0 == name && once) {
            let message = format!("`{}` is given twice; the first one counts", name.word());
            let fix = Fix::new("remove it", node.span(), "", false);
            findings.push(
                Finding::new(Code::Syntax, keyword, message).related(first.1, "the first one").fix(fix),
            );
            continue;
        }
        seen.push((name, keyword));
        property(node, true, &mut own, allows, findings);
        if name == Property::Rules {
            rules = node.value().map(|v| v.span());
        }
    }
    let (id, game) = (id?, game?);
    let format = game.format();
    // A file's default that means nothing to this game, or no size of it, is not for this puzzle.
    let fits = |p: Property| game.takes(p);
    let size = own.size.or(defaults.size.filter(|s| fits(Property::Size) && s.check(format).is_ok()));
    let origin = own.origin.or(defaults.origin).unwrap_or(format.origin);
    let unique_told = seen.iter().any(|s| s.0 == Property::Unique);
    let unique = if unique_told { own.unique } else { defaults.unique.filter(|_| fits(Property::Unique)) };
    let dialect = own.dialect.or(defaults.dialect.filter(|_| fits(Property::Rules)));

    let mut several_boards = false;
    let mut boards = puzzle.boards();
    let reading = match boards.next() {
        None => {
            // Without its brace a puzzle has nothing, which the parser has said.
            if puzzle.node().tokens().any(|t| t.kind() == TokenKind::LBrace) {
                let message = "this puzzle has no board";
                findings.push(Finding::new(Code::MissingBoard, puzzle.head(), message));
            }
            None
        }
        Some(first) => {
            for other in boards {
                several_boards = true;
                let message = "a puzzle has one board, and this is another";
                let fix = Fix::new("remove this board", other.span(), "", false);
                let keyword = other.keyword().span();
                let finding = Finding::new(Code::SecondBoard, keyword, message);
                findings.push(finding.related(first.keyword().span(), "the first board").fix(fix));
            }
            let span = first.content().unwrap_or_else(|| first.keyword().span());
            let text = puzzle.node().tree().text();
            first.form().map(|form| {
                let mut reading = read(form, format, origin, size, span);
                // A size that could not be read is to be mended, and not to be given twice.
                if size.is_none() && seen.iter().any(|s| s.0 == Property::Size) {
                    let gives = |fix: &Fix| fix.edits.iter().any(|e| e.text.starts_with(" size "));
                    reading.findings.iter_mut().for_each(|f| f.fixes.retain(|fix| !gives(fix)));
                }
                let edits = reading.findings.iter_mut().flat_map(|f| &mut f.fixes).flat_map(|f| &mut f.edits);
                for edit in edits.filter(|e| e.text.starts_with(' ')) {
                    edit.text = set_apart(text, edit.span.end, std::mem::take(&mut edit.text));
                }
                reading
            })
        }
    };
    let (unclosed, half_read) = puzzle.boards().next().map_or((false, false), |b| board_errors(puzzle, b));
    let noted = reading.as_ref().and_then(|r| r.turn);
    let turn = own.turn.or(noted).or(defaults.turn.filter(|_| fits(Property::Turn)));
    // Of what stands above the puzzle, what would hold for it.
    let flat = |form| match source_layout(form, format) {
        SourceLayout::Cells { flat, .. } => flat,
        SourceLayout::Entries(_) => true,
        _ => false,
    };
    let mut unread = Unread::default();
    if own.unread != unread || defaults.unread != unread {
        for name in [Property::Size, Property::Origin, Property::Turn, Property::Rules] {
            let in_force = match seen.iter().any(|s| s.0 == name) {
                true => own.unread.has(name),
                // What a notation says goes before it.
                false => {
                    defaults.unread.has(name) && fits(name) && !(name == Property::Turn && noted.is_some())
                }
            };
            let form = || puzzle.boards().next().and_then(Board::form);
            unread.set(name, in_force && (name != Property::Size || form().is_some_and(flat)));
        }
    }
    let settings = Defaults { size, origin: own.origin, turn, dialect, unique, unread, ..defaults };
    Some(Bound {
        puzzle,
        id,
        game,
        settings,
        origin,
        turn: turn.unwrap_or(Colour::White),
        turn_is_own: own.turn.is_some(),
        turn_told: own.turn.is_some() || noted.is_some(),
        reading,
        unclosed,
        half_read,
        rules,
        several_boards,
    })
}

/// Whether a board has a string that is cut off, and whether it has any syntax error.
fn board_errors(puzzle: Puzzle<'_>, board: Board<'_>) -> (bool, bool) {
    let node = board.node();
    let errors = node.tree().errors();
    if errors.is_empty() {
        return (false, false);
    }
    let span = node.span();
    let first = errors.partition_point(|e| e.span.start < span.start);
    let within = errors.get(first).is_some_and(|e| e.span.start < span.end);
    let unclosed = within && node.tokens().any(|t| t.kind() == TokenKind::UnclosedString);
    // Rows that cannot be told from what is stray behind them.
    let text = matches!(board.form(), Some(BoardForm::Text(_)));
    let mut items = puzzle.node().children().skip_while(|n| n.span() != span).skip(1);
    let behind = text && items.next().is_some_and(|n| n.kind() == NodeKind::Error);
    (unclosed, within || behind)
}

/// An edit that puts a property into a puzzle, before its board where there is one.
pub fn insert_property(puzzle: Puzzle<'_>, text: &str) -> Edit {
    match puzzle.boards().next() {
        Some(board) => {
            let start = board.span().start;
            let gap = board.keyword().previous().map_or("", |t| t.text());
            let gap = if gap.contains(['\n', '\r']) { gap.trim_start_matches([' ', '\t']) } else { " " };
            // The white space before `board` is repeated, so that each stays on a line of its own.
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

#[cfg(test)]
mod tests {
    use crate::check_test::check;

    #[test]
    fn a_puzzle_without_board_is_reported_at_its_game() {
        check(
            r#"
solitaire { solve }
//@0+9 error[missing-board]
"#,
        );
    }

    #[test]
    fn a_query_of_another_game_is_reported() {
        check(
            r#"
chess { board 8/8/8/4k3/8/8/8/4K2R mate solve }
//                                      ^^^^^ error[wrong-query]: chess cannot be asked `solve`…
"#,
        );
    }

    #[test]
    fn boards_are_compared_with_the_written_size() {
        check(
            r#"
solitaire { size 3x3 board ...N.....R....B. solve }
//                         ^^^^^^^^^^^^^^^^ error[board-shape]: 16 cells are written; a board of 3×3 has 9
"#,
        );
    }

    #[test]
    fn a_letter_that_is_no_piece_is_reported() {
        check(
            r#"
solitaire { board ...N.....X....B. solve }
//                         ^ error[unknown-piece]: `X` is no piece of solitaire…
"#,
        );
    }

    #[test]
    fn a_square_off_the_board_is_reported_at_the_move() {
        check(
            r#"
chess { board 8/8/8/4k3/8/8/8/4K2R move Rh9 }
//                                      ^^^ error[off-board]
"#,
        );
    }
}
