//! The lossless tree: tokens and nodes in flat arrays, and typed views of them.
//!
//! Arrays without pointers keep files of a million puzzles small: five bytes a token, sixteen a node.

use crate::diagnostic::{Code, Finding, Span};
use crate::syntax::keywords::{
    GameId, Item, Keyword, Property as PropertyName, Verb, is_custom_name, is_length, nearest_keyword,
    short_form,
};
use crate::syntax::lexer::TokenKind;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum NodeKind {
    /// The whole text.
    File,
    /// A puzzle: from the keyword of its game to its closing brace.
    Puzzle,
    /// A property with its value.
    Property,
    /// `board` and its content.
    Board,
    /// A verb with its argument, answer and remark.
    Query,
    /// The argument of `move`.
    Argument,
    /// The answer after `=>`.
    Answer,
    /// A bracketed list.
    List,
    /// Tokens that the parser skipped.
    Error,
}

#[derive(Clone, Copy)]
pub(super) struct NodeData {
    pub kind: NodeKind,
    /// The first token.
    pub first: u32,
    /// The token after the last.
    pub end: u32,
    /// The node after all descendants of this one; nodes are in preorder.
    pub next: u32,
}

/// A parsed text.
pub struct Tree {
    pub(super) text: String,
    pub(super) kinds: Vec<TokenKind>,
    pub(super) starts: Vec<u32>,
    pub(super) nodes: Vec<NodeData>,
    pub(super) errors: Vec<Finding>,
}

impl Tree {
    /// The parsed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, without the tree.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The syntax errors, by position.
    pub fn errors(&self) -> &[Finding] {
        &self.errors
    }

    /// The node of the whole text.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, id: 0 }
    }

    /// All tokens, trivia included. Their texts joined are the whole text.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        (0..self.kinds.len() as u32).map(|index| Token { tree: self, index })
    }

    /// The token of the byte at an offset; `None` at the end of the text.
    pub fn token_at(&self, offset: u32) -> Option<Token<'_>> {
        let index = self.starts.partition_point(|&s| s <= offset).checked_sub(1)?;
        (index < self.kinds.len()).then_some(Token { tree: self, index: index as u32 })
    }

    /// The tokens that touch a range, trivia included.
    pub fn tokens_in(&self, span: Span) -> impl Iterator<Item = Token<'_>> {
        let first = self.starts.partition_point(|&s| s < span.start).saturating_sub(1);
        let end = self.starts.partition_point(|&s| s <= span.end).min(self.kinds.len());
        (first.min(end) as u32..end as u32).map(|index| Token { tree: self, index })
    }

    /// The puzzles, in order.
    pub fn puzzles(&self) -> impl Iterator<Item = Puzzle<'_>> {
        self.root().children().filter_map(Puzzle::cast)
    }

    /// The memory of the tree in bytes, without the text.
    pub fn memory(&self) -> usize {
        self.kinds.capacity()
            + self.starts.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<NodeData>()
    }
}

/// A token of a tree.
#[derive(Clone, Copy)]
pub struct Token<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> Token<'t> {
    /// The kind.
    pub fn kind(self) -> TokenKind {
        self.tree.kinds[self.index as usize]
    }

    /// The index among the tokens of the tree.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The tree.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The span in the text.
    pub fn span(self) -> Span {
        Span::new(self.tree.starts[self.index as usize], self.tree.starts[self.index as usize + 1])
    }

    /// The text.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span().range()]
    }

    /// The text and span of a string without its quotes, or of any other token.
    pub fn content(self) -> (&'t str, Span) {
        let span = self.span();
        let inner = match self.kind() {
            TokenKind::String => {
                let bytes = self.tree.text.as_bytes();
                // Curly quotes have more bytes than one.
                let one = bytes[span.start as usize].is_ascii() && bytes[span.end as usize - 1].is_ascii();
                let (open, close) = if one { (1, 1) } else { quote_lengths(self.text()) };
                Span::new(span.start + open, span.end - close)
            }
            TokenKind::UnclosedString => Span::new(span.start + 1, span.end),
            _ => span,
        };
        (&self.tree.text[inner.range()], inner)
    }

    /// The token before, trivia included.
    pub fn previous(self) -> Option<Token<'t>> {
        self.index.checked_sub(1).map(|index| Token { tree: self.tree, index })
    }

    /// The token after, trivia included.
    pub fn next(self) -> Option<Token<'t>> {
        let index = self.index + 1;
        ((index as usize) < self.tree.kinds.len()).then_some(Token { tree: self.tree, index })
    }
}

/// The bytes of the quotes of a string.
fn quote_lengths(string: &str) -> (u32, u32) {
    let length = |c: Option<char>| c.map_or(0, char::len_utf8) as u32;
    (length(string.chars().next()), length(string.chars().next_back()))
}

/// A node of a tree.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    id: u32,
}

impl<'t> Node<'t> {
    fn data(self) -> NodeData {
        self.tree.nodes[self.id as usize]
    }

    /// The kind.
    pub fn kind(self) -> NodeKind {
        self.data().kind
    }

    /// The tree.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// The span from the first token to the last, without trivia at either end.
    pub fn span(self) -> Span {
        let d = self.data();
        let start = self.tree.starts[d.first as usize];
        if d.end <= d.first { Span::at(start) } else { Span::new(start, self.tree.starts[d.end as usize]) }
    }

    /// The text.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span().range()]
    }

    /// The child nodes.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let end = self.data().next;
        let mut id = self.id + 1;
        std::iter::from_fn(move || {
            (id < end).then(|| {
                let node = Node { tree: self.tree, id };
                id = node.data().next;
                node
            })
        })
    }

    /// All tokens, including trivia and the tokens of descendants.
    pub fn tokens(self) -> impl Iterator<Item = Token<'t>> + Clone + use<'t> {
        let d = self.data();
        (d.first..d.end).map(move |index| Token { tree: self.tree, index })
    }

    /// The first token. Only an empty file has none.
    pub fn first_token(self) -> Option<Token<'t>> {
        let d = self.data();
        (d.first < d.end).then_some(Token { tree: self.tree, index: d.first })
    }

    /// The last token.
    pub fn last_token(self) -> Option<Token<'t>> {
        let d = self.data();
        (d.first < d.end).then(|| Token { tree: self.tree, index: d.end - 1 })
    }

    /// The lists, words and strings that are direct parts of the node, in order.
    pub fn elements(self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        let d = self.data();
        let mut index = d.first;
        let mut child = self.id + 1;
        std::iter::from_fn(move || {
            while index < d.end {
                if child < d.next && self.tree.nodes[child as usize].first == index {
                    let node = Node { tree: self.tree, id: child };
                    (index, child) = (node.data().end, node.data().next);
                    if node.kind() == NodeKind::List {
                        return Some(Element::List(node));
                    }
                    continue;
                }
                let token = Token { tree: self.tree, index };
                index += 1;
                match token.kind() {
                    TokenKind::Word => return Some(Element::Word(token)),
                    TokenKind::String | TokenKind::UnclosedString => return Some(Element::String(token)),
                    _ => {}
                }
            }
            None
        })
    }
}

/// An element of a list.
#[derive(Clone, Copy)]
pub enum Element<'t> {
    /// A list.
    List(Node<'t>),
    /// A word.
    Word(Token<'t>),
    /// A string.
    String(Token<'t>),
}

impl<'t> Element<'t> {
    /// The span in the text.
    pub fn span(self) -> Span {
        match self {
            Element::List(n) => n.span(),
            Element::Word(t) | Element::String(t) => t.span(),
        }
    }
}

/// The value after a keyword or an arrow.
#[derive(Clone, Copy)]
pub enum Value<'t> {
    /// A word.
    Word(Token<'t>),
    /// A string.
    String(Token<'t>),
    /// One list, or several that are short for a list of them. The node is their parent.
    Lists(Node<'t>),
    /// Several words or strings. The first of the node's elements that do not belong to them are counted.
    Words(Node<'t>, usize),
}

impl<'t> Value<'t> {
    /// The value after `skip` elements of a node: its lists, or all its words.
    fn all_of(node: Node<'t>, skip: usize) -> Option<Value<'t>> {
        let is_several = node.elements().nth(skip + 1).is_some();
        match Value::of(node, skip)? {
            Value::Word(_) | Value::String(_) if is_several => Some(Value::Words(node, skip)),
            value => Some(value),
        }
    }

    fn of(node: Node<'t>, skip: usize) -> Option<Value<'t>> {
        match node.elements().nth(skip)? {
            Element::List(_) => Some(Value::Lists(node)),
            Element::Word(t) => Some(Value::Word(t)),
            Element::String(t) => Some(Value::String(t)),
        }
    }

    /// The span in the text.
    pub fn span(self) -> Span {
        match self {
            Value::Word(t) | Value::String(t) => t.span(),
            Value::Lists(n) => {
                let lists = n.children().filter(|c| c.kind() == NodeKind::List);
                lists.map(|c| c.span()).reduce(Span::cover).unwrap_or_else(|| n.span())
            }
            Value::Words(n, skip) => {
                let words = n.elements().skip(skip).map(Element::span);
                words.reduce(Span::cover).unwrap_or_else(|| n.span())
            }
        }
    }

    /// The text of a word or a string without its quotes.
    pub fn scalar(self) -> Option<(&'t str, Span)> {
        match self {
            Value::Word(t) | Value::String(t) => Some(t.content()),
            Value::Lists(_) | Value::Words(..) => None,
        }
    }

    /// The elements of the list, or the words. Several lists are read as one list without its outer brackets.
    pub fn elements(self) -> Vec<Element<'t>> {
        match self {
            Value::Word(t) => vec![Element::Word(t)],
            Value::String(t) => vec![Element::String(t)],
            Value::Words(n, skip) => n.elements().skip(skip).collect(),
            Value::Lists(n) => {
                let mut lists = n.children().filter(|c| c.kind() == NodeKind::List);
                match (lists.next(), lists.next()) {
                    (Some(only), None) => only.elements().collect(),
                    _ => n.children().filter(|c| c.kind() == NodeKind::List).map(Element::List).collect(),
                }
            }
        }
    }
}

macro_rules! view {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $name<'t>(Node<'t>);

        impl<'t> $name<'t> {
            /// The view of a node, if it has this kind.
            pub fn cast(node: Node<'t>) -> Option<$name<'t>> {
                (node.kind() == NodeKind::$name).then_some($name(node))
            }

            /// The node.
            pub fn node(self) -> Node<'t> {
                self.0
            }

            /// The span in the text.
            pub fn span(self) -> Span {
                self.0.span()
            }

            /// The keyword as written: it may be misspelt.
            pub fn keyword(self) -> Token<'t> {
                Token { tree: self.0.tree, index: self.0.data().first }
            }
        }
    };
}

view!(
    /// A puzzle.
    Puzzle
);
view!(
    /// A property.
    Property
);
view!(
    /// A board.
    Board
);
view!(
    /// A query.
    Query
);

/// The keyword of a token: exact, or the nearest one.
fn keyword_of(token: Token<'_>, fits: impl Fn(Keyword) -> bool) -> Option<Keyword> {
    let exact = Keyword::from_word(token.text()).filter(|&k| fits(k));
    exact.or_else(|| nearest_keyword(token.text(), fits))
}

impl<'t> Puzzle<'t> {
    /// The game, or the nearest one to a misspelt keyword.
    pub fn game(self) -> Option<GameId> {
        match keyword_of(self.keyword(), |k| matches!(k, Keyword::Game(_)))? {
            Keyword::Game(g) => Some(g),
            Keyword::Item(_) => None,
        }
    }

    /// The token of the name: a string, or a word if the quotes are missing.
    pub fn name(self) -> Option<Token<'t>> {
        let token = self.0.tokens().skip(1).find(|t| !t.kind().is_trivia())?;
        let is_name = match token.kind() {
            TokenKind::String | TokenKind::UnclosedString => true,
            // A name without quotes; a keyword is not a name.
            TokenKind::Word => Keyword::from_word(token.text()).is_none(),
            _ => false,
        };
        is_name.then_some(token)
    }

    /// The properties, in order.
    pub fn properties(self) -> impl Iterator<Item = Property<'t>> {
        self.0.children().filter_map(Property::cast)
    }

    /// The texts of all properties of one name, without quotes, in order. Lists have none.
    pub fn texts_of(self, name: PropertyName) -> impl Iterator<Item = (&'t str, Span)> {
        let of_name = self.properties().filter(move |p| p.name() == Some(name));
        of_name.filter_map(|p| p.value().and_then(Value::scalar))
    }

    /// The boards, in order. A valid puzzle has one.
    pub fn boards(self) -> impl Iterator<Item = Board<'t>> {
        self.0.children().filter_map(Board::cast)
    }

    /// The queries, in order.
    pub fn queries(self) -> impl Iterator<Item = Query<'t>> {
        self.0.children().filter_map(Query::cast)
    }

    /// The span of the game and the name, for findings about the whole puzzle.
    pub fn head(self) -> Span {
        let keyword = self.keyword().span();
        self.name().map_or(keyword, |n| keyword.cover(n.span()))
    }

    /// The texts of the comment lines directly above the puzzle, without slashes.
    pub fn description(self) -> Vec<&'t str> {
        let comments = self.comments_above();
        comments.iter().map(|c| c.text().trim_start_matches('/').trim()).collect()
    }

    /// The offset of the first comment directly above the puzzle, or of the puzzle.
    pub fn described_from(self) -> u32 {
        self.comments_above().first().map_or(self.span().start, |c| c.span().start)
    }

    /// The comments directly above the puzzle, from the top.
    fn comments_above(self) -> Vec<Token<'t>> {
        let mut lines = Vec::new();
        let mut token = self.keyword().previous();
        while let Some(gap) = token.filter(|t| t.kind() == TokenKind::Space) {
            let breaks =
                gap.text().replace("\r\n", "\n").chars().filter(|c| matches!(c, '\n' | '\r')).count();
            let Some(comment) = gap.previous().filter(|t| breaks == 1 && t.kind() == TokenKind::Comment)
            else {
                break;
            };
            let alone = comment.previous().is_none_or(|t| {
                t.kind() == TokenKind::Space && (t.index() == 0 || t.text().contains(['\n', '\r']))
            });
            if !alone {
                break;
            }
            lines.push(comment);
            token = comment.previous();
        }
        lines.reverse();
        lines
    }
}

impl<'t> Property<'t> {
    /// The name of a custom property, `x-rating`.
    pub fn custom_name(self) -> Option<&'t str> {
        Some(self.keyword().text()).filter(|word| is_custom_name(word))
    }

    /// The property, or the nearest one to a misspelt keyword; nothing for a custom property.
    pub fn name(self) -> Option<PropertyName> {
        if self.custom_name().is_some() {
            return None;
        }
        match keyword_of(self.keyword(), |k| matches!(k, Keyword::Item(Item::Property(_))))? {
            Keyword::Item(Item::Property(p)) => Some(p),
            _ => None,
        }
    }

    /// The value after the keyword.
    pub fn value(self) -> Option<Value<'t>> {
        Value::all_of(self.0, 1)
    }
}

/// The form of a board in the text.
#[derive(Clone, Copy)]
pub enum BoardForm<'t> {
    /// Words without quotes, or a string and the words after it. The node is the board.
    Text(Node<'t>),
    /// Lists.
    Lists(Value<'t>),
}

impl<'t> Board<'t> {
    /// The form; `None` if the content is missing.
    pub fn form(self) -> Option<BoardForm<'t>> {
        match Value::of(self.0, 1)? {
            value @ Value::Lists(_) => Some(BoardForm::Lists(value)),
            _ => Some(BoardForm::Text(self.0)),
        }
    }

    /// The span of the content after `board`.
    pub fn content(self) -> Option<Span> {
        let mut spans = self.0.elements().skip(1).map(|e| e.span());
        let first = spans.next()?;
        Some(spans.last().map_or(first, |last| first.cover(last)))
    }
}

impl<'t> Query<'t> {
    /// The verb, or the nearest one to a misspelt keyword.
    pub fn verb(self) -> Option<Verb> {
        match keyword_of(self.keyword(), |k| matches!(k, Keyword::Item(Item::Query(_))))? {
            // `mate in 2` asks something else than `mate`.
            Keyword::Item(Item::Query(Verb::Mate)) if self.argument_node().is_some() => Some(Verb::MateIn),
            Keyword::Item(Item::Query(v)) => Some(v),
            _ => None,
        }
    }

    /// The length of a chess problem as it is written, with its place: `2` of `mate in 2` and of `#2`. `None` if it is
    /// missing or misspelt, which is a syntax error.
    pub fn length(self) -> Option<(&'t str, Span)> {
        let keyword = self.keyword();
        if let Some((_, length)) = short_form(keyword.text()) {
            let end = keyword.span().end;
            return Some((length, Span::new(end - length.len() as u32, end)));
        }
        let words = self.argument_node()?.tokens().filter(|t| t.kind() == TokenKind::Word);
        let last = words.last().filter(|t| is_length(t.text()))?;
        Some((last.text(), last.span()))
    }

    /// The argument of `move`.
    pub fn argument(self) -> Option<Value<'t>> {
        self.argument_node().and_then(|n| Value::all_of(n, 0))
    }

    fn argument_node(self) -> Option<Node<'t>> {
        self.0.children().find(|c| c.kind() == NodeKind::Argument)
    }

    /// The text of an argument that is no list, without quotes, and its place: `1. Rd8#`, `exd8 (Q)`.
    pub fn argument_text(self) -> Option<(&'t str, Span)> {
        match self.argument()? {
            Value::String(token) => Some(token.content()),
            Value::Lists(_) => None,
            Value::Word(_) | Value::Words(..) => self.argument_node().map(|n| (n.text(), n.span())),
        }
    }

    /// The answer after the arrow.
    pub fn answer(self) -> Option<Value<'t>> {
        self.0.children().find(|c| c.kind() == NodeKind::Answer).and_then(|n| Value::all_of(n, 0))
    }

    /// Whether there is an arrow, with an answer or without.
    pub fn has_arrow(self) -> bool {
        self.answer().is_some() || self.0.tokens().any(|t| t.kind() == TokenKind::Arrow)
    }

    /// The span of the verb and its argument.
    pub fn asked(self) -> Span {
        let verb = self.keyword().span();
        self.argument_node().map_or(verb, |a| verb.cover(a.span()))
    }
}

impl Tree {
    /// The tree of a text longer than [`MAX_TEXT`](super::MAX_TEXT): one error.
    pub(super) fn too_long(text: String) -> Tree {
        let message = "this text is longer than 1 GiB; split the collection";
        let errors = vec![Finding::new(Code::Syntax, Span::at(0), message)];
        let nodes = vec![NodeData { kind: NodeKind::File, first: 0, end: 0, next: 1 }];
        // The whole text is one token of white space, which no reader inspects.
        let starts = vec![0, u32::try_from(text.len()).unwrap_or(u32::MAX)];
        Tree { text, kinds: vec![TokenKind::Space], starts, nodes, errors }
    }
}
