//! The lossless tree: tokens and nodes in flat arrays, and typed views of them.
//!
//! A file of a million puzzles is a few arrays and no pointers: five bytes a token and sixteen a node.

use crate::diagnostic::{Code, Finding, Span};
use crate::syntax::keywords::{GameId, Item, Keyword, Property as PropertyName, Verb, nearest_keyword};
use crate::syntax::lexer::TokenKind;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum NodeKind {
    /// The whole text.
    File,
    /// A game's keyword to its closing brace.
    Puzzle,
    /// A property with its value.
    Property,
    /// `board` and what follows.
    Board,
    /// A verb with its argument, answer and remark.
    Query,
    /// The argument of `move`.
    Argument,
    /// What follows `=>`.
    Answer,
    /// A bracketed list.
    List,
    /// Tokens that the grammar has no place for.
    Error,
}

#[derive(Clone, Copy)]
pub(super) struct NodeData {
    pub kind: NodeKind,
    /// The first token.
    pub first: u32,
    /// The token after the last.
    pub end: u32,
    /// The node after all below this one; nodes stand in preorder.
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
    /// The text that it was parsed from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, without the tree.
    pub fn into_text(self) -> String {
        self.text
    }

    /// What the grammar does not have, in order of position.
    pub fn errors(&self) -> &[Finding] {
        &self.errors
    }

    /// The node of the whole text.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, id: 0 }
    }

    /// All tokens, trivia included; their texts joined are the text.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        (0..self.kinds.len() as u32).map(|index| Token { tree: self, index })
    }

    /// The token that holds the byte at an offset; nothing at the end of the text.
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

    /// The memory of the tree without its text, in bytes.
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
    /// What it is.
    pub fn kind(self) -> TokenKind {
        self.tree.kinds[self.index as usize]
    }

    /// Its place in the tree's sequence of tokens.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The tree that it is of.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        Span::new(self.tree.starts[self.index as usize], self.tree.starts[self.index as usize + 1])
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span().range()]
    }

    /// The text between a string's quotes and where it stands; a word's own text.
    pub fn content(self) -> (&'t str, Span) {
        let span = self.span();
        let inner = match self.kind() {
            TokenKind::String => Span::new(span.start + 1, span.end - 1),
            TokenKind::UnclosedString => Span::new(span.start + 1, span.end),
            _ => span,
        };
        (&self.tree.text[inner.range()], inner)
    }

    /// The token before it, trivia included.
    pub fn previous(self) -> Option<Token<'t>> {
        self.index.checked_sub(1).map(|index| Token { tree: self.tree, index })
    }

    /// The token after it, trivia included.
    pub fn next(self) -> Option<Token<'t>> {
        let index = self.index + 1;
        ((index as usize) < self.tree.kinds.len()).then_some(Token { tree: self.tree, index })
    }
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

    /// What it is.
    pub fn kind(self) -> NodeKind {
        self.data().kind
    }

    /// The tree that it is of.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// From its first token to its last, without trivia at either end.
    pub fn span(self) -> Span {
        let d = self.data();
        let start = self.tree.starts[d.first as usize];
        if d.end <= d.first { Span::at(start) } else { Span::new(start, self.tree.starts[d.end as usize]) }
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        &self.tree.text[self.span().range()]
    }

    /// The nodes directly below it.
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

    /// All its tokens, those of nodes below and trivia included.
    pub fn tokens(self) -> impl Iterator<Item = Token<'t>> + use<'t> {
        let d = self.data();
        (d.first..d.end).map(move |index| Token { tree: self.tree, index })
    }

    /// Its first token; every node but an empty file has one.
    pub fn first_token(self) -> Option<Token<'t>> {
        let d = self.data();
        (d.first < d.end).then_some(Token { tree: self.tree, index: d.first })
    }

    /// Its last token.
    pub fn last_token(self) -> Option<Token<'t>> {
        let d = self.data();
        (d.first < d.end).then(|| Token { tree: self.tree, index: d.end - 1 })
    }

    /// The lists, words and strings directly in it, in order.
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

/// A part of a list.
#[derive(Clone, Copy)]
pub enum Element<'t> {
    /// A list.
    List(Node<'t>),
    /// A word.
    Word(Token<'t>),
    /// A quoted text.
    String(Token<'t>),
}

impl<'t> Element<'t> {
    /// Where it stands.
    pub fn span(self) -> Span {
        match self {
            Element::List(n) => n.span(),
            Element::Word(t) | Element::String(t) => t.span(),
        }
    }
}

/// What stands after a keyword or an arrow.
#[derive(Clone, Copy)]
pub enum Value<'t> {
    /// A word.
    Word(Token<'t>),
    /// A quoted text.
    String(Token<'t>),
    /// One list, or several that stand for the list of them: the node is the one they stand in.
    Lists(Node<'t>),
}

impl<'t> Value<'t> {
    fn of(node: Node<'t>, skip: usize) -> Option<Value<'t>> {
        match node.elements().nth(skip)? {
            Element::List(_) => Some(Value::Lists(node)),
            Element::Word(t) => Some(Value::Word(t)),
            Element::String(t) => Some(Value::String(t)),
        }
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        match self {
            Value::Word(t) | Value::String(t) => t.span(),
            Value::Lists(n) => {
                let lists = n.children().filter(|c| c.kind() == NodeKind::List);
                lists.map(|c| c.span()).reduce(Span::cover).unwrap_or_else(|| n.span())
            }
        }
    }

    /// The text of a word or a string without its quotes.
    pub fn scalar(self) -> Option<(&'t str, Span)> {
        match self {
            Value::Word(t) | Value::String(t) => Some(t.content()),
            Value::Lists(_) => None,
        }
    }

    /// The elements of the list; several lists are one list without its outer brackets.
    pub fn elements(self) -> Vec<Element<'t>> {
        match self {
            Value::Word(t) => vec![Element::Word(t)],
            Value::String(t) => vec![Element::String(t)],
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
            /// The view of a node of this kind.
            pub fn cast(node: Node<'t>) -> Option<$name<'t>> {
                (node.kind() == NodeKind::$name).then_some($name(node))
            }

            /// The node itself.
            pub fn node(self) -> Node<'t> {
                self.0
            }

            /// Where it stands.
            pub fn span(self) -> Span {
                self.0.span()
            }

            /// The keyword that opens it, as it is written.
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

/// The keyword that a token is, or was most likely meant to be.
fn keyword_of(token: Token<'_>, fits: impl Fn(Keyword) -> bool) -> Option<Keyword> {
    let exact = Keyword::from_word(token.text()).filter(|&k| fits(k));
    exact.or_else(|| nearest_keyword(token.text(), fits))
}

impl<'t> Puzzle<'t> {
    /// The game; of a misspelt keyword the nearest one.
    pub fn game(self) -> Option<GameId> {
        match keyword_of(self.keyword(), |k| matches!(k, Keyword::Game(_)))? {
            Keyword::Game(g) => Some(g),
            Keyword::Item(_) => None,
        }
    }

    /// The name, as a token with its quotes.
    pub fn name(self) -> Option<Token<'t>> {
        let token = self.0.tokens().skip(1).find(|t| !t.kind().is_trivia())?;
        let is_name = match token.kind() {
            TokenKind::String | TokenKind::UnclosedString => true,
            // Where the quotes are missing; a keyword is no name.
            TokenKind::Word => Keyword::from_word(token.text()).is_none(),
            _ => false,
        };
        is_name.then_some(token)
    }

    /// The properties, in order.
    pub fn properties(self) -> impl Iterator<Item = Property<'t>> {
        self.0.children().filter_map(Property::cast)
    }

    /// The boards, in order; a good puzzle has one.
    pub fn boards(self) -> impl Iterator<Item = Board<'t>> {
        self.0.children().filter_map(Board::cast)
    }

    /// The queries, in order.
    pub fn queries(self) -> impl Iterator<Item = Query<'t>> {
        self.0.children().filter_map(Query::cast)
    }

    /// The first line of the puzzle: its game and name, for findings about the whole of it.
    pub fn head(self) -> Span {
        let keyword = self.keyword().span();
        self.name().map_or(keyword, |n| keyword.cover(n.span()))
    }

    /// The comment lines directly above it, without their slashes.
    pub fn description(self) -> Vec<&'t str> {
        let comments = self.comments_above();
        comments.iter().map(|c| c.text().trim_start_matches('/').trim()).collect()
    }

    /// Where the puzzle begins with its description.
    pub fn described_from(self) -> u32 {
        self.comments_above().first().map_or(self.span().start, |c| c.span().start)
    }

    /// The comments directly above it, from the top.
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
    /// Which; of a misspelt one the nearest.
    pub fn name(self) -> Option<PropertyName> {
        match keyword_of(self.keyword(), |k| matches!(k, Keyword::Item(Item::Property(_))))? {
            Keyword::Item(Item::Property(p)) => Some(p),
            _ => None,
        }
    }

    /// What follows the keyword.
    pub fn value(self) -> Option<Value<'t>> {
        Value::of(self.0, 1)
    }
}

/// How a board is written.
#[derive(Clone, Copy)]
pub enum BoardForm<'t> {
    /// Bare words, or a string and the bare words after it: the node is the board's.
    Text(Node<'t>),
    /// Lists.
    Lists(Value<'t>),
}

impl<'t> Board<'t> {
    /// How it is written; nothing where it is missing.
    pub fn form(self) -> Option<BoardForm<'t>> {
        match Value::of(self.0, 1)? {
            value @ Value::Lists(_) => Some(BoardForm::Lists(value)),
            _ => Some(BoardForm::Text(self.0)),
        }
    }

    /// What follows `board`, from its first token to its last.
    pub fn content(self) -> Option<Span> {
        let mut spans = self.0.elements().skip(1).map(|e| e.span());
        let first = spans.next()?;
        Some(spans.last().map_or(first, |last| first.cover(last)))
    }
}

impl<'t> Query<'t> {
    /// The verb; of a misspelt one the nearest.
    pub fn verb(self) -> Option<Verb> {
        match keyword_of(self.keyword(), |k| matches!(k, Keyword::Item(Item::Query(_))))? {
            Keyword::Item(Item::Query(v)) => Some(v),
            _ => None,
        }
    }

    /// The argument of `move`.
    pub fn argument(self) -> Option<Value<'t>> {
        self.0.children().find(|c| c.kind() == NodeKind::Argument).and_then(|n| Value::of(n, 0))
    }

    /// What is written after the arrow.
    pub fn answer(self) -> Option<Value<'t>> {
        self.0.children().find(|c| c.kind() == NodeKind::Answer).and_then(|n| Value::of(n, 0))
    }

    /// Whether there is an arrow, with an answer or without.
    pub fn has_arrow(self) -> bool {
        self.answer().is_some() || self.0.tokens().any(|t| t.kind() == TokenKind::Arrow)
    }

    /// The verb and its argument.
    pub fn asked(self) -> Span {
        let verb = self.keyword().span();
        self.argument().map_or(verb, |a| verb.cover(a.span()))
    }
}

impl Tree {
    /// A tree of one error: the text is longer than positions can be kept for.
    pub(super) fn too_long(text: String) -> Tree {
        let message = "this text is longer than 1 GiB; split the collection";
        let errors = vec![Finding::new(Code::Syntax, Span::at(0), message)];
        let nodes = vec![NodeData { kind: NodeKind::File, first: 0, end: 0, next: 1 }];
        // The text stays whole, as one token of white space that nobody looks into.
        let starts = vec![0, u32::try_from(text.len()).unwrap_or(u32::MAX)];
        Tree { text, kinds: vec![TokenKind::Space], starts, nodes, errors }
    }
}
