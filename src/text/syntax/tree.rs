//! The lossless tree: tokens and nodes in flat arrays.
//!
//! Arrays without pointers keep files of a million puzzles small: five bytes a token, sixteen a node.

use crate::diagnostic::{Code, Finding, Span};
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

    /// The token that it begins with, which every node but that of an empty file has.
    pub(super) fn opening(self) -> Token<'t> {
        Token { tree: self.tree, index: self.data().first }
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

    /// The tree that it is part of.
    pub fn tree(self) -> &'t Tree {
        match self {
            Element::List(n) => n.tree(),
            Element::Word(t) | Element::String(t) => t.tree(),
        }
    }
}

impl Tree {
    /// The tree of a text that was parsed in parts: each begins where a puzzle of the part before is closed.
    pub fn join(text: String, parts: Vec<Tree>) -> Tree {
        let count = |of: fn(&Tree) -> usize| parts.iter().map(of).sum::<usize>();
        let (tokens, all) = (count(|t| t.kinds.len()), count(|t| t.nodes.len()));
        let (mut kinds, mut starts) = (Vec::with_capacity(tokens), Vec::with_capacity(tokens + 1));
        let (mut nodes, mut errors) = (Vec::with_capacity(all), Vec::new());
        nodes.push(NodeData { kind: NodeKind::File, first: 0, end: tokens as u32, next: 0 });
        let mut offset = 0;
        for part in parts {
            // Its own root is left out.
            let (token, node) = (kinds.len() as u32, nodes.len() as u32 - 1);
            nodes.extend(part.nodes[1..].iter().map(|n| NodeData {
                kind: n.kind,
                first: n.first + token,
                end: n.end + token,
                next: n.next + node,
            }));
            let tokens = &part.starts[..part.kinds.len()];
            starts.extend(tokens.iter().map(|start| start + offset));
            kinds.extend_from_slice(&part.kinds);
            errors.extend(part.errors.into_iter().map(|mut error| {
                error.shift(offset.into());
                error
            }));
            offset += part.text.len() as u32;
        }
        starts.push(offset);
        nodes[0].next = nodes.len() as u32;
        Tree { text, kinds, starts, nodes, errors }
    }

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
