//! Tokens → tree, by recursive descent with one token of look-ahead; lists by an explicit stack.
//!
//! Every function consumes at least one token or leaves the error to its caller, so parsing ends.
//!
//! The files of this folder are one `impl` of [`Parser`]: they call each other, and import only its type and
//! helpers from here.

mod board;
mod foreign;
mod lists;
mod misspelt;
mod problem;
mod query;
mod recovery;
mod signs;
mod stipulation_slips;

pub use board::{joined_fen_fields, side_in_words};
pub use foreign::{EPD_OPERATIONS, is_epd_opcode};
pub use misspelt::is_lost_board;
pub use query::{EN_PASSANT_WORDS, says_en_passant};

use std::cell::Cell;

use crate::diagnostic::{Code, Finding, Fix, Span};
use crate::syntax::keywords::{GameId, Item, Keyword, Property, Verb, is_custom_word, nearest_keyword};
use crate::syntax::lexer::{TokenKind as T, lex};
use crate::syntax::limits::MAX_TEXT;
use crate::syntax::stipulation::ProblemKind;
use crate::syntax::tree::{NodeData, NodeKind, Tree};

/// The tree of a text, and the offset behind each brace that closes a puzzle.
pub(super) fn parse(text: String) -> (Tree, Vec<u32>) {
    if text.len() > MAX_TEXT {
        return (Tree::too_long(text), Vec::new());
    }
    let tokens = lex(&text);
    let (kinds, starts, mut errors) = (tokens.kinds, tokens.starts, tokens.errors);
    errors.sort_by_key(|e| (e.span.start, e.span.end));
    let nodes = Vec::with_capacity(kinds.len() / 6 + 4);
    let mut parser = Parser {
        text: &text,
        kinds: &kinds,
        starts: &starts,
        nodes,
        lexed: errors.len(),
        errors,
        pos: 0,
        end: 0,
        closed: Vec::new(),
        foreign: Vec::new(),
        after_stray: false,
        has_board: false,
        has_problems: true,
        known: Cell::new((usize::MAX, None)),
        brace: 0,
        opener: None,
    };
    parser.file();
    let Parser { nodes, mut errors, closed, foreign, .. } = parser;
    if !foreign.is_empty() {
        // The quotes and brackets of another format are no mistakes.
        errors.retain(|e| !is_within(&foreign, e.span));
    }
    errors.sort_by_key(|e| (e.span.start, e.span.end));
    (Tree { text, kinds, starts, nodes, errors }, closed)
}

struct Parser<'t> {
    text: &'t str,
    kinds: &'t [T],
    starts: &'t [u32],
    nodes: Vec<NodeData>,
    errors: Vec<Finding>,
    /// How many of the errors are the lexer's; they come first, in order.
    lexed: usize,
    /// The next token.
    pos: usize,
    /// The token after the last consumed one: the end of a node that is finished here.
    end: usize,
    /// The offset behind each brace that closes a puzzle.
    closed: Vec<u32>,
    /// Texts that are no puzzles and have one finding each, in order.
    foreign: Vec<Span>,
    /// Whether unexpected text has just been skipped: what follows may belong to it.
    after_stray: bool,
    /// Whether the puzzle has a `board` so far.
    has_board: bool,
    /// Whether the game of the puzzle has problems and twins: it is chess, or is not known.
    has_problems: bool,
    /// The token that was looked up last, and the keyword that it is: of one token it is asked several times.
    known: Cell<(usize, Option<Keyword>)>,
    /// The brace that was found last when one was looked for.
    brace: usize,
    /// The error about another bracket that opens the puzzle.
    opener: Option<usize>,
}

/// Whether a span is a part of one of `spans`, which are in order, and not the whole of it.
fn is_within(spans: &[Span], span: Span) -> bool {
    let next = spans.partition_point(|s| s.start <= span.start);
    next.checked_sub(1).is_some_and(|i| span.end <= spans[i].end && span != spans[i])
}

/// The beginning of an item of a puzzle or a file.
enum Start {
    Keyword(Keyword),
    /// A word that is nearly a keyword.
    Misspelt(Keyword),
    /// The name of a custom property.
    Custom,
    Other,
}

impl<'t> Parser<'t> {
    // ---- tokens

    fn peek(&mut self) -> Option<T> {
        while self.kinds.get(self.pos).is_some_and(|k| k.is_trivia()) {
            self.pos += 1;
        }
        self.kinds.get(self.pos).copied()
    }

    fn at(&mut self, kind: T) -> bool {
        self.peek() == Some(kind)
    }

    fn at_string(&mut self) -> bool {
        matches!(self.peek(), Some(T::String | T::UnclosedString))
    }

    fn at_list(&mut self) -> bool {
        matches!(self.peek(), Some(T::LBracket | T::UnclosedLBracket))
    }

    /// A word that begins no item.
    fn at_word(&mut self) -> bool {
        self.at(T::Word) && !self.begins_item()
    }

    /// A word that is not a keyword: where a value is expected, the name of a custom property is a value.
    fn at_value(&mut self) -> bool {
        self.at(T::Word) && self.keyword().is_none()
    }

    /// Whether the next token, a word, is a keyword or the name of a custom property.
    fn begins_item(&self) -> bool {
        self.begins_item_at(self.pos)
    }

    fn bump(&mut self) {
        self.pos += 1;
        self.end = self.pos;
    }

    fn eat(&mut self, kind: T) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn span_of(&self, token: usize) -> Span {
        match self.starts.get(token + 1) {
            Some(&end) => Span::new(self.starts[token], end),
            None => Span::at(self.text.len() as u32),
        }
    }

    fn text_of(&self, token: usize) -> &'t str {
        &self.text[self.span_of(token).range()]
    }

    /// The text of the next token; call after `peek`.
    fn word(&self) -> &'t str {
        self.text_of(self.pos)
    }

    fn keyword(&self) -> Option<Keyword> {
        self.keyword_at(self.pos)
    }

    /// The keyword that a token is. `stalemate` is one only before `in`.
    fn keyword_at(&self, token: usize) -> Option<Keyword> {
        let (known, keyword) = self.known.get();
        if known == token {
            return keyword;
        }
        let keyword = self.look_up(token);
        self.known.set((token, keyword));
        keyword
    }

    fn look_up(&self, token: usize) -> Option<Keyword> {
        let word = self.text_of(token);
        let is_before_in = || {
            let gap = self.kinds.get(token + 1) == Some(&T::Space)
                && !self.text_of(token + 1).contains(['\n', '\r']);
            gap && self.text_of(token + 2) == "in"
        };
        let stalemate = ProblemKind::STALEMATE;
        match word == stalemate.word() && is_before_in() {
            true => Some(Keyword::Item(Item::Query(Verb::Problem(stalemate)))),
            false => Keyword::from_word(word),
        }
    }

    /// The token after the next one, trivia aside.
    fn second(&self) -> Option<T> {
        self.kinds.get(self.pos + 1..)?.iter().copied().find(|k| !k.is_trivia())
    }

    /// The end of the last consumed token.
    fn last_end(&self) -> Span {
        Span::at(self.starts[self.end])
    }

    /// Reports a missing mark at the keyword or bracket that needs it. The fix inserts the mark behind the last
    /// consumed token.
    fn missing(&mut self, span: Span, message: String, title: &str, mark: &str) {
        let (at, open) = (self.last_end(), self.ends_open());
        let finding = self.error(span, message);
        if !open {
            finding.fixes.push(Fix::new(title, at, mark, false));
        }
    }

    /// Whether the last consumed token is a comment, or an unclosed string or remark: it would swallow a mark behind it.
    fn ends_open(&self) -> bool {
        let last = self.end.checked_sub(1).map(|i| self.kinds[i]);
        matches!(last, Some(T::UnclosedString | T::UnclosedRemark | T::Comment))
    }

    // ---- nodes and errors

    fn start(&mut self, kind: NodeKind) -> usize {
        self.peek();
        self.nodes.push(NodeData { kind, first: self.pos as u32, end: 0, next: 0 });
        self.nodes.len() - 1
    }

    fn finish(&mut self, node: usize) {
        let next = self.nodes.len() as u32;
        let data = &mut self.nodes[node];
        data.end = (self.end as u32).max(data.first);
        data.next = next;
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> &mut Finding {
        self.errors.push(Finding::new(Code::Syntax, span, message));
        self.errors.last_mut().expect("just pushed")
    }

    // ---- the grammar

    fn file(&mut self) {
        let file = self.start(NodeKind::File);
        self.nodes[file].first = 0;
        while self.peek().is_some() {
            // Most items of a file are puzzles: ask for other things after that.
            let is_game = self.at(T::Word) && matches!(self.keyword(), Some(Keyword::Game(_)));
            if is_game && self.opens_puzzle() {
                self.puzzle();
                continue;
            }
            if self.foreign() || self.torn_keyword(true) {
                continue;
            }
            match self.item_start(|k| !matches!(k, Keyword::Item(Item::Board | Item::Query(_)))) {
                Start::Keyword(Keyword::Game(_)) => self.puzzle(),
                Start::Misspelt(k @ Keyword::Game(_)) if self.opens_puzzle() => {
                    self.misspelt(k);
                    self.puzzle();
                }
                Start::Keyword(Keyword::Item(Item::Property(p))) => self.property(Some(p)),
                Start::Custom => self.property(None),
                Start::Misspelt(k @ Keyword::Item(Item::Property(p)))
                    if !self.opens_puzzle() || self.has_text_alone() =>
                {
                    self.misspelt(k);
                    self.property(Some(p));
                }
                Start::Keyword(Keyword::Item(item)) => {
                    let message = format!("`{}` must be inside a puzzle", self.word());
                    self.error(self.span_of(self.pos), message);
                    self.misplaced(item);
                }
                _ if self.puzzle_without_game() => {}
                _ if self.at(T::Word) && self.opens_puzzle() => {
                    let span = self.span_of(self.pos);
                    let games: Vec<&str> = GameId::ALL.iter().map(|g| g.word()).collect();
                    let message =
                        format!("unknown game `{}`; the games are {}", self.word(), games.join(", "));
                    self.errors.push(Finding::new(Code::UnknownKeyword, span, message));
                    self.puzzle();
                }
                _ => self.stray("a puzzle", true),
            }
        }
        self.end = self.kinds.len();
        self.finish(file);
    }

    /// Whether a name or a brace follows the next word, as after the keyword of a game.
    fn opens_puzzle(&self) -> bool {
        matches!(self.second(), Some(T::LBrace | T::String | T::UnclosedString))
    }

    /// Whether a text is all that follows the next word on its line, and no brace opens a puzzle behind it.
    fn has_text_alone(&self) -> bool {
        let mut ahead = self.ahead(2);
        let is_text = ahead.next().is_some_and(|(i, new_line)| !new_line && self.kinds[i] == T::String);
        is_text && ahead.next().is_none_or(|(i, new_line)| new_line && self.kinds[i] != T::LBrace)
    }

    fn item_start(&mut self, fits: impl Fn(Keyword) -> bool) -> Start {
        if !self.at(T::Word) {
            return Start::Other;
        }
        if let Some(k) = self.keyword() {
            return Start::Keyword(k);
        }
        if is_custom_word(self.word()) {
            return Start::Custom;
        }
        match self.meant(fits) {
            Some(k) => Start::Misspelt(k),
            None => Start::Other,
        }
    }

    /// A board or a query outside of a puzzle, in one error node: one finding instead of one for each word, and for each item of
    /// a puzzle that has lost its head.
    fn misplaced(&mut self, item: Item) {
        let node = self.start(NodeKind::Error);
        self.item(item);
        let has_end = self.next_brace_closes();
        loop {
            match self.peek() {
                Some(T::Word) => match self.keyword() {
                    Some(Keyword::Item(Item::Property(property))) if has_end => self.property(Some(property)),
                    Some(Keyword::Item(item @ (Item::Board | Item::Query(_)))) => self.item(item),
                    None if has_end && is_custom_word(self.word()) => self.property(None),
                    _ => break,
                },
                Some(T::RBrace) if has_end => {
                    self.bump();
                    break;
                }
                _ => break,
            }
        }
        self.finish(node);
    }

    fn puzzle(&mut self) {
        let node = self.start(NodeKind::Puzzle);
        let head = self.pos;
        (self.after_stray, self.has_board, self.opener) = (false, false, None);
        self.has_problems = !matches!(self.text_of(head), "solitaire" | "draughts" | "chess3d");
        self.bump();
        let (mut swallowed, mut has_open_name) = (false, false);
        if self.at(T::Comma) && matches!(self.second(), Some(T::LBrace | T::String)) {
            let span = self.span_of(self.pos);
            self.error(span, "no comma belongs here").fixes.push(Fix::new("remove it", span, "", false));
            self.bump();
        }
        if self.at_string() {
            // A name without its closing quote takes the brace into it.
            let (span, has_brace) = (self.span_of(self.pos), self.word().contains('{'));
            let unclosed = self.at(T::UnclosedString);
            has_open_name = unclosed;
            swallowed = has_brace && (unclosed || self.second() != Some(T::LBrace));
            if swallowed && !unclosed {
                self.error(span, "a `{` is in this name; where does the name end?");
            }
            self.bump();
        } else if self.at_word() && self.second() == Some(T::LBrace) {
            let (span, word) = (self.span_of(self.pos), self.word());
            let bare = word.trim_matches(board::CURLY);
            let fix = Fix::new("quote the name", span, format!("\"{bare}\""), true);
            self.error(span, "write a puzzle's name in straight quotes").fixes.push(fix);
            self.bump();
        }
        swallowed = swallowed || self.torn_name();
        self.more_than_a_name(head);
        self.peek();
        let open = self.pos;
        if swallowed {
            // Reported with the name.
        } else if self.at_list() && self.item_begins_behind() {
            let span = self.span_of(self.pos);
            let fix = Fix::new("replace with `{`", span, "{", false);
            self.error(span, "a puzzle begins with `{`, not with `[`").fixes.push(fix);
            self.opener = Some(self.errors.len() - 1);
            self.bump();
        } else if self.opened_by_mistake() {
            // Reported.
        } else if self.puzzle_in_parentheses() {
            self.finish(node);
            return;
        } else if !self.eat(T::LBrace) {
            let message = format!("`{}` needs a `{{` to open its puzzle", self.text_of(head));
            // Without a brace only an item of a puzzle continues the puzzle. A name that has lost its first quote may be a
            // keyword.
            let continues = self.at(T::Word)
                && self.second() != Some(T::UnclosedString)
                && match self.keyword() {
                    Some(keyword) => matches!(keyword, Keyword::Item(_)),
                    None => is_custom_word(self.word()),
                };
            // One slip is one finding: an unclosed name may have taken the brace, and the lexer has reported it.
            match continues {
                false if has_open_name => {}
                true => self.missing(self.span_of(head), message, "insert `{`", " {"),
                false => drop(self.error(self.span_of(head), message)),
            }
            if !continues {
                self.finish(node);
                return;
            }
        }
        loop {
            match self.peek() {
                None => break self.unclosed(head, open),
                Some(T::RBrace) => {
                    self.bump();
                    self.closed.push(self.last_end().start);
                    (self.after_stray, self.has_board, self.has_problems) = (false, false, true);
                    break;
                }
                _ => {}
            }
            // Most items begin with a word that begins nothing else: ask for mistakes after that.
            if let Some(Keyword::Item(item)) = self.at(T::Word).then(|| self.keyword()).flatten()
                && item.is_plain()
            {
                self.after_stray = false;
                self.item(item);
                continue;
            }
            if self.closed_by_mistake() {
                break;
            }
            if self.misspelt_problem()
                || self.misspelt_stalemate()
                || self.misspelt_twin()
                || self.misspelt_set_play()
                || self.torn_keyword(false)
                || self.colon_of_query()
                || self.colon_of_text()
                || self.word_of_stipulation()
            {
                self.after_stray = false;
                continue;
            }
            match self.item_start(|k| matches!(k, Keyword::Item(_))) {
                Start::Keyword(Keyword::Game(_)) if self.opens_puzzle() => break self.unclosed(head, open),
                Start::Keyword(Keyword::Item(item)) => {
                    self.after_stray = false;
                    self.item(item);
                }
                Start::Custom => self.property(None),
                Start::Misspelt(k @ Keyword::Item(item)) if self.second() != Some(T::LBrace) => {
                    self.misspelt(k);
                    self.item(item);
                }
                _ if self.at(T::Word) && self.starts_puzzle_by_mistake() => break self.unclosed(head, open),
                _ if self.at(T::Word) && (self.unknown_property() || self.unknown_short_form()) => {}
                _ if self.lost_board() => {}
                _ => self.stray("a board, a query, a property or `}`", false),
            }
        }
        self.finish(node);
    }

    /// Whether a misspelt game opens a puzzle here: then the puzzle before it is not closed.
    fn starts_puzzle_by_mistake(&self) -> bool {
        self.opens_puzzle() && nearest_keyword(self.word(), |k| matches!(k, Keyword::Game(_))).is_some()
    }

    fn unclosed(&mut self, head: usize, open: usize) {
        // A string that is not closed may have taken the brace, and the lexer has reported it.
        if self.kinds.get(open) == Some(&T::LBrace) && !self.is_in_open_text(open, '}') {
            let message = format!("this brace of `{}` is never closed", self.text_of(head));
            let count = |kind| self.kinds[open..self.end].iter().filter(|&&k| k == kind).count();
            // Where the name is broken, it is not known which brace opens the puzzle.
            let name = self.span_of(head).cover(self.span_of(open));
            let is_named_well = !self.errors.iter().rev().take(16).any(|e| {
                e.span != self.span_of(head) && name.start <= e.span.start && e.span.end <= name.end
            });
            match count(T::LBrace).saturating_sub(count(T::RBrace)) {
                1 if is_named_well => {
                    self.missing(self.span_of(open), message, "insert `}` (if the puzzle ends here)", " }")
                }
                // With several missing braces the place of each is unknown: no fix.
                _ => drop(self.error(self.span_of(open), message)),
            }
        }
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Property(p) => self.property(Some(p)),
            Item::Board => {
                self.board();
                self.has_board = true;
            }
            Item::Query(v) => self.query(v),
        }
    }

    /// A property, or a custom one.
    fn property(&mut self, property: Option<Property>) {
        let node = self.start(NodeKind::Property);
        let keyword = self.pos;
        self.bump();
        self.sign_before_value(keyword, property);
        if matches!(property, Some(Property::HalfDuplex | Property::ZeroPosition)) {
            // They say it by being there.
            self.yes_behind(keyword);
        } else if property == Some(Property::Unique) {
            // `unique` needs no value; only `true` and `false` belong to it.
            if self.at(T::Word) && ["true", "false"].iter().any(|w| w.eq_ignore_ascii_case(self.word())) {
                self.bump();
            }
        } else if self.at_list() {
            self.list();
        } else if self.at_string() || self.at_property_value() {
            let is_word = self.at(T::Word);
            self.bump();
            self.torn_text();
            match property {
                Some(Property::Size) => self.spaced_size(),
                Some(Property::Turn) if is_word => self.words_behind_turn(),
                Some(Property::Tags | Property::Allow) => self.more_words(true),
                None
                | Some(
                    Property::Author
                    | Property::Source
                    | Property::Note
                    | Property::Hint
                    | Property::Condition,
                ) if is_word => {
                    self.unquoted_text(keyword);
                }
                _ => {}
            }
        } else {
            let name = self.text_of(keyword);
            self.error(self.span_of(keyword), format!("`{name}` needs a value after it"));
        }
        self.finish(node);
    }

    /// The words after the first one, with or without commas between them; and `strings`, if they may be among them.
    fn more_words(&mut self, strings: bool) {
        loop {
            if self.at(T::Comma) && self.comma_continues(strings) {
                self.bump();
                self.peek();
                self.bump();
            } else if strings && self.at_string()
                || self.at_word() && !self.ends_words()
                || !strings && self.at_counted_solutions()
            {
                self.bump();
            } else {
                break;
            }
        }
    }

    /// Whether the next word is the noun of `204 solutions`, as cpz prints a count, and not the property.
    fn at_counted_solutions(&mut self) -> bool {
        let before = self.text_of(self.end - 1);
        let digits = before.strip_prefix('-').unwrap_or(before);
        self.at(T::Word)
            && self.word() == Property::Solutions.word()
            && self.on_same_line()
            && self.kinds[self.end - 1] == T::Word
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !self.has_value_behind()
    }

    /// Whether a string or a list follows the next token, which then has it as its value.
    fn has_value_behind(&self) -> bool {
        let behind = self.kinds[self.pos + 1..].iter().find(|&&kind| kind != T::Space);
        matches!(behind, Some(T::String | T::UnclosedString | T::LBracket | T::UnclosedLBracket))
    }

    /// Whether a word that is not a keyword, or a string, follows the comma.
    fn comma_continues(&self, strings: bool) -> bool {
        let next = (self.pos + 1..self.kinds.len()).find(|&i| !self.kinds[i].is_trivia());
        next.is_some_and(|i| match self.kinds[i] {
            T::String | T::UnclosedString => strings,
            T::Word => self.keyword_at(i).is_none(),
            _ => false,
        })
    }

    /// Whether the next word, which no comma precedes, is a misspelt arrow, or a misspelt keyword where one is evident:
    /// at the start of a line or before an arrow. On the line of other words it is one of them.
    fn ends_words(&mut self) -> bool {
        let is_evident = |p: &mut Self| p.begins_line() || p.second() == Some(T::Arrow);
        self.arrow_by_mistake().is_some()
            || self.at_other_comment()
            || self.at_line_comment()
            || self.begins_line()
                && (self.has_list_behind()
                    || self.joined(self.pos).is_some()
                    || self.at_twin_by_mistake()
                    || self.set_play_by_mistake().is_some()
                    || self.at_problem_by_mistake())
            || is_evident(self) && self.at_misspelt_item() && !self.is_printed_word()
    }

    /// Whether the next word, or it and one more on its line, stand before a list: they name a board.
    fn has_list_behind(&self) -> bool {
        let mut ahead = self.ahead(2).take_while(|(_, new_line)| !new_line).map(|(i, _)| i);
        let behind = match ahead.next() {
            Some(i) if self.kinds[i] == T::Word && !self.begins_item_at(i) => ahead.next(),
            behind => behind,
        };
        behind.is_some_and(|i| matches!(self.kinds[i], T::LBracket | T::UnclosedLBracket))
    }
}
