//! Semantic tokens, for syntax colouring.

use crate::cursor::spans_touch;
use cpz_rules::board::Notation;
use cpz_rules::games::game;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{
    Board, BoardForm, Element, Node, NodeKind, Property, PropertyNode, Puzzle, Query, Token, TokenKind, Tree,
    Value, Verb, is_ply_counts, length_before_star, lookalike,
};

/// The class of a part of a text, and the LSP token type that it maps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// The keyword of a game, or `board`: `keyword`.
    Keyword,
    /// The keyword of a property: `property`.
    Property,
    /// The verb of a query: `function`.
    Verb,
    /// The name of a puzzle: `class`.
    Name,
    /// A text, quoted or not: `string`.
    String,
    /// A number: `number`.
    Number,
    /// Pieces, by letter or by number: `enumMember`.
    Piece,
    /// Empty cells: `comment`, so that they are as faint as comments.
    Empty,
    /// The name of a square: `variable`.
    Square,
    /// A move in one word: `variable`.
    Move,
    /// `=>`: `operator`.
    Operator,
    /// From `//` to the end of the line: `comment`.
    Comment,
    /// A remark in parentheses behind an answer: `comment`.
    Remark,
    /// An answer in a word: `enumMember`.
    Answer,
    /// A word as the value of a property: `parameter`.
    Word,
}

impl TokenClass {
    /// All classes.
    pub const ALL: [TokenClass; 15] = [
        TokenClass::Keyword,
        TokenClass::Property,
        TokenClass::Verb,
        TokenClass::Name,
        TokenClass::String,
        TokenClass::Number,
        TokenClass::Piece,
        TokenClass::Empty,
        TokenClass::Square,
        TokenClass::Move,
        TokenClass::Operator,
        TokenClass::Comment,
        TokenClass::Remark,
        TokenClass::Answer,
        TokenClass::Word,
    ];

    /// The LSP token type.
    pub fn name(self) -> &'static str {
        match self {
            TokenClass::Keyword => "keyword",
            TokenClass::Property => "property",
            TokenClass::Verb => "function",
            TokenClass::Name => "class",
            TokenClass::String => "string",
            TokenClass::Number => "number",
            TokenClass::Piece | TokenClass::Answer => "enumMember",
            TokenClass::Empty | TokenClass::Comment | TokenClass::Remark => "comment",
            TokenClass::Square | TokenClass::Move => "variable",
            TokenClass::Operator => "operator",
            TokenClass::Word => "parameter",
        }
    }
}

/// A part of a text to be coloured, on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The range.
    pub span: Span,
    /// The class.
    pub class: TokenClass,
}

/// The coloured parts of a text, or those that touch a range, in order of position and without overlaps. Brackets,
/// commas and syntax errors have none.
pub fn semantic_tokens(tree: &Tree, range: Option<Span>) -> Vec<SemanticToken> {
    let range = range.unwrap_or(Span::new(0, tree.text().len() as u32));
    let mut painter = Painter { text: tree.text(), found: Vec::new() };
    for node in tree.root().children() {
        let span = node.span();
        if span.start > range.end {
            break;
        }
        if spans_touch(span, range) {
            painter.top(node);
        }
    }
    for token in tree.tokens_in(range) {
        match token.kind() {
            TokenKind::Comment => painter.paint(token.span(), TokenClass::Comment),
            TokenKind::Remark | TokenKind::UnclosedRemark => painter.paint(token.span(), TokenClass::Remark),
            TokenKind::Arrow => painter.paint(token.span(), TokenClass::Operator),
            _ => {}
        }
    }
    let mut found = painter.found;
    found.retain(|t| spans_touch(t.span, range));
    found.sort_by_key(|t| t.span);
    found
}

struct Painter<'t> {
    text: &'t str,
    found: Vec<SemanticToken>,
}

impl Painter<'_> {
    /// Adds a range, split at line breaks.
    fn paint(&mut self, span: Span, class: TokenClass) {
        let mut start = span.start;
        for line in self.text[span.range()].split(['\n', '\r']) {
            let end = start + line.len() as u32;
            if start < end {
                self.found.push(SemanticToken { span: Span::new(start, end), class });
            }
            start = end + 1;
        }
    }

    fn top(&mut self, node: Node<'_>) {
        let Some(puzzle) = Puzzle::cast(node) else { return self.item(node, Notation::None) };
        let notation = puzzle.game().map_or(Notation::None, |id| game(id).format().notation);
        if puzzle.game().is_some() {
            self.paint(puzzle.keyword().span(), TokenClass::Keyword);
        }
        if let Some(name) = puzzle.name() {
            self.paint(name.span(), TokenClass::Name);
        }
        for item in node.children() {
            self.item(item, notation);
        }
    }

    fn item(&mut self, node: Node<'_>, notation: Notation) {
        if let Some(property) = PropertyNode::cast(node) {
            self.property(property);
        } else if let Some(board) = Board::cast(node) {
            self.paint(board.keyword().span(), TokenClass::Keyword);
            match board.form() {
                Some(BoardForm::Text(_)) => self.text_board(board, notation),
                Some(BoardForm::Lists(_)) => self.board_elements(node, 1),
                None => {}
            }
        } else if let Some(query) = Query::cast(node) {
            self.query(query);
        } else {
            self.error_strings(node);
        }
    }

    fn property(&mut self, property: PropertyNode<'_>) {
        if property.custom_name().is_some() {
            self.paint(property.keyword().span(), TokenClass::Property);
            return self.words(property.node(), 1, TokenClass::Word);
        }
        let Some(name) = property.name() else { return self.error_strings(property.node()) };
        self.paint(property.keyword().span(), TokenClass::Property);
        let class = match name {
            Property::Size | Property::Origin | Property::Solutions => TokenClass::Number,
            Property::Author | Property::Source | Property::Note | Property::Hint | Property::Condition => {
                TokenClass::String
            }
            Property::Turn
            | Property::Castling
            | Property::EnPassant
            | Property::Rules
            | Property::Unique
            | Property::Difficulty
            | Property::HalfDuplex
            | Property::ZeroPosition
            | Property::Id
            | Property::Tags
            | Property::Allow => TokenClass::Word,
        };
        self.words(property.node(), 1, class);
    }

    /// Adds words of a class, in lists or alone; quoted words are strings.
    fn words(&mut self, node: Node<'_>, skip: usize, class: TokenClass) {
        for element in node.elements().skip(skip) {
            match element {
                Element::Word(t) => self.paint(t.span(), class),
                Element::String(t) => self.paint(t.span(), TokenClass::String),
                Element::List(n) => self.words(n, 0, class),
            }
        }
    }

    fn query(&mut self, query: Query<'_>) {
        if query.verb().is_some() {
            self.paint(query.keyword().span(), TokenClass::Verb);
        }
        // What is misspelt beyond the words of others is the question of a problem: `s# 3`.
        if query.verb().is_none_or(is_problem) {
            return self.problem(query);
        }
        match query.argument() {
            Some(Value::Word(t) | Value::String(t)) => self.paint(t.span(), TokenClass::Move),
            Some(Value::Lists(n)) => self.answer_elements(n),
            Some(words @ Value::Words(..)) => {
                for element in words.elements() {
                    self.paint(element.span(), TokenClass::Move);
                }
            }
            None => {}
        }
        match query.answer() {
            Some(Value::Word(t) | Value::String(t)) => self.verdict(t),
            Some(words @ Value::Words(..)) => {
                for element in words.elements() {
                    if let Element::Word(t) | Element::String(t) = element {
                        self.verdict(t);
                    }
                }
            }
            Some(Value::Lists(n)) => self.answer_elements(n),
            None => {}
        }
    }

    /// Adds the length and the answer of a chess problem.
    fn problem(&mut self, query: Query<'_>) {
        for t in query.argument_tokens().filter(|t| t.kind() == TokenKind::Word) {
            match t.text() {
                "in" => self.paint(t.span(), TokenClass::Keyword),
                text if length_before_star(text).is_some() || is_ply_counts(text) => {
                    self.paint(t.span(), TokenClass::Number)
                }
                text if is_square(text) && text.len() == 2 => self.paint(t.span(), TokenClass::Move),
                "*" => self.paint(t.span(), TokenClass::Keyword),
                _ if query.verb() == Some(Verb::Twin) => self.paint(t.span(), TokenClass::Word),
                _ => {}
            }
        }
        match query.answer() {
            Some(Value::Lists(n)) => self.solution_elements(n),
            Some(value) => {
                for element in value.elements() {
                    self.solution_part(element);
                }
            }
            None => {}
        }
    }

    fn solution_elements(&mut self, node: Node<'_>) {
        for element in node.elements() {
            match element {
                Element::List(n) => self.solution_elements(n),
                Element::Word(t) if t.text() == "none" => self.paint(t.span(), TokenClass::Move),
                _ => self.solution_part(element),
            }
        }
    }

    /// Adds a part of the answer of a chess problem: moves, or a solution in quotes.
    fn solution_part(&mut self, element: Element<'_>) {
        match element {
            Element::Word(t) if t.text() == "none" => self.paint(t.span(), TokenClass::Answer),
            Element::Word(t) if is_number(t.text()) => self.paint(t.span(), TokenClass::Number),
            Element::Word(t) => self.paint(t.span(), TokenClass::Move),
            Element::String(t) => self.paint(t.span(), TokenClass::String),
            Element::List(n) => self.solution_elements(n),
        }
    }

    fn verdict(&mut self, token: Token<'_>) {
        let class = if is_number(token.content().0) { TokenClass::Number } else { TokenClass::Answer };
        self.paint(token.span(), class);
    }

    /// Adds the elements of answers: steps, squares, verdicts, moves and boards.
    fn answer_elements(&mut self, node: Node<'_>) {
        for element in node.elements() {
            match element {
                Element::List(n) => self.answer_elements(n),
                Element::Word(t) | Element::String(t) => {
                    let text = t.content().0;
                    let class = match text {
                        "directly" | "after" | "no" => TokenClass::Answer,
                        _ if is_number(text) => TokenClass::Number,
                        _ if is_square(text) => TokenClass::Square,
                        _ => {
                            self.cells(t);
                            continue;
                        }
                    };
                    self.paint(t.span(), class);
                }
            }
        }
    }

    /// Adds the elements of a board in lists: rows of cells, or coordinates. A list is one of coordinates if it has
    /// numbers and words, or the name of a square.
    fn board_elements(&mut self, node: Node<'_>, skip: usize) {
        let elements: Vec<Element<'_>> = node.elements().skip(skip).collect();
        let scalars = || {
            elements.iter().filter_map(|e| match e {
                Element::Word(t) | Element::String(t) => Some(*t),
                Element::List(_) => None,
            })
        };
        let numbers = scalars().filter(|t| t.kind() == TokenKind::Word && is_number(t.text())).count();
        let coordinates =
            numbers > 0 && numbers < scalars().count() || scalars().any(|t| is_square(t.content().0));
        for element in elements {
            match element {
                Element::List(n) => self.board_elements(n, 0),
                Element::Word(t) | Element::String(t) => {
                    let text = t.content().0;
                    if coordinates && is_number(text) {
                        self.paint(t.span(), TokenClass::Number);
                    } else if coordinates && is_square(text) {
                        self.paint(t.span(), TokenClass::Square);
                    } else if is_number(text) && text.starts_with('-') {
                        self.paint(t.span(), TokenClass::Piece);
                    } else {
                        self.cells(t);
                    }
                }
            }
        }
    }

    fn text_board(&mut self, board: Board<'_>, notation: Notation) {
        let words = || board.node().tokens().skip(1).filter(|t| !t.kind().is_trivia());
        let noted = words().next().is_some_and(|first| match notation {
            Notation::None => false,
            Notation::Fen => first.text().contains('/'),
            Notation::Pdn => first.text().contains(':'),
        });
        let scalar = |t: &Token<'_>| {
            matches!(t.kind(), TokenKind::Word | TokenKind::String | TokenKind::UnclosedString)
        };
        for (i, token) in words().filter(scalar).enumerate() {
            match notation {
                _ if !noted => self.cells(token),
                Notation::Fen if i == 0 && token.kind() == TokenKind::Word => self.ranks(token),
                _ if token.kind() == TokenKind::Word => self.paint(token.span(), TokenClass::Word),
                _ => self.paint(token.span(), TokenClass::String),
            }
        }
    }

    /// Adds runs of pieces and of empty cells, or the colour of a piece. Quotes around one cell belong to it; quotes
    /// around several are strings.
    fn cells(&mut self, token: Token<'_>) {
        let (content, span) = token.content();
        let whole = token.span();
        if ["white", "black"].iter().any(|w| w.eq_ignore_ascii_case(content)) {
            return self.paint(whole, TokenClass::Piece);
        }
        let mut chars = content.chars();
        match (chars.next(), chars.next()) {
            (None, _) => return self.paint(whole, TokenClass::Empty),
            (Some(c), None) => return self.paint(whole, cell_class(c)),
            _ => {}
        }
        self.paint(Span::new(whole.start, span.start), TokenClass::String);
        self.runs(content, span.start, |c| (!c.is_whitespace()).then(|| cell_class(c)));
        self.paint(Span::new(span.end, whole.end), TokenClass::String);
    }

    /// Adds the ranks of a FEN, where digits count empty squares.
    fn ranks(&mut self, token: Token<'_>) {
        self.runs(token.text(), token.span().start, |c| match c {
            '/' => None,
            '0'..='9' => Some(TokenClass::Empty),
            _ => Some(TokenClass::Piece),
        });
    }

    /// Adds runs of characters of one class; `content` begins at `offset`.
    fn runs(&mut self, content: &str, offset: u32, class: impl Fn(char) -> Option<TokenClass>) {
        let mut run: Option<SemanticToken> = None;
        for (i, c) in content.char_indices() {
            let start = offset + i as u32;
            let end = start + c.len_utf8() as u32;
            let class = class(c);
            match &mut run {
                Some(open) if class == Some(open.class) => open.span.end = end,
                _ => {
                    self.found.extend(run.take());
                    run = class.map(|class| SemanticToken { span: Span::new(start, end), class });
                }
            }
        }
        self.found.extend(run);
    }

    /// Adds only the strings of a syntax error: what other tokens were meant to be is unknown.
    fn error_strings(&mut self, node: Node<'_>) {
        for element in node.elements() {
            match element {
                Element::String(t) => self.paint(t.span(), TokenClass::String),
                Element::List(n) => self.error_strings(n),
                Element::Word(_) => {}
            }
        }
        for child in node.children().filter(|c| c.kind() != NodeKind::List) {
            self.error_strings(child);
        }
    }
}

/// The class of a cell: letters of pieces of any game and the digits 1 to 9 are pieces, all else is empty.
fn cell_class(c: char) -> TokenClass {
    let c = lookalike(c).unwrap_or(c).to_ascii_uppercase();
    if "KQRBNPMW123456789".contains(c) { TokenClass::Piece } else { TokenClass::Empty }
}

fn is_problem(verb: Verb) -> bool {
    verb.is_problem() || verb == Verb::Unsolved
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a text is the name of a square: `e1`, `c2 (I)`.
fn is_square(text: &str) -> bool {
    let text = text.trim();
    let Some(rest) = text.strip_prefix(|c: char| c.is_ascii_alphabetic()) else { return false };
    let level = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    level.len() < rest.len() && (level.is_empty() || level.trim_start().starts_with('('))
}
