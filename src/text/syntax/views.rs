//! Typed views of the nodes of a tree: puzzles, properties, boards, queries and their values.

use crate::diagnostic::Span;
use crate::syntax::keywords::{
    GameId, Item, Keyword, Property as PropertyName, Verb, is_custom_name, nearest_keyword, verb_before_in,
};
use crate::syntax::lexer::TokenKind;
use crate::syntax::stipulation::{
    ProblemKind, ShortForm, is_ply_counts, is_square_name, length_before_star, short_form,
};
use crate::syntax::tree::{Element, Node, NodeKind, Token, Tree};

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
                self.0.opening()
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

impl Tree {
    /// The puzzles, in order.
    pub fn puzzles(&self) -> impl Iterator<Item = Puzzle<'_>> {
        self.root().children().filter_map(Puzzle::cast)
    }
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

    /// Whether it has a property of its own with a name.
    pub fn has_property(self, name: PropertyName) -> bool {
        self.properties().any(|own| own.name() == Some(name))
    }

    /// The intended numbers of continuations at each ply, where `solutions` has them: `2.1.1.1`. Each query may have its own.
    pub fn ply_counts(self) -> Option<&'t str> {
        let own = self.properties().find(|own| own.name() == Some(PropertyName::Solutions))?;
        own.value()?.scalar().map(|(text, _)| text).filter(|text| is_ply_counts(text))
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
        let word = self.keyword();
        if let Some(verb) =
            verb_before_in(word.text()).filter(|v| *v == Verb::Problem(ProblemKind::STALEMATE))
        {
            return Some(verb);
        }
        match keyword_of(word, |k| matches!(k, Keyword::Item(Item::Query(_))))? {
            // `mate in 2` asks something else than `mate`.
            Keyword::Item(Item::Query(Verb::Mate)) if self.argument_node().is_some() => {
                Some(Verb::Problem(ProblemKind::MATE))
            }
            Keyword::Item(Item::Query(v)) => Some(v),
            _ => None,
        }
    }

    /// The length of a chess problem as it is written, with its place: `2` of `mate in 2` and of `#2`. `None` if it is
    /// missing or misspelt, which is a syntax error.
    pub fn length(self) -> Option<(&'t str, Span)> {
        self.part_of_short_form(|short| short.length.clone())
            .or_else(|| self.argument_words().into_iter().find_map(before_star))
            .filter(|_| !self.is_twin())
    }

    /// Whether it is a `twin`, whose argument has changes.
    fn is_twin(self) -> bool {
        self.keyword().text() == Verb::Twin.word()
    }

    /// The place of the star that asks for set play, as in `h#2*`, `mate in 2 *` and `mate in 2*`, and in the changes of a twin.
    pub fn star(self) -> Option<Span> {
        let keyword = self.keyword();
        let end = keyword.span().end;
        if short_form(keyword.text()).is_some_and(|short| short.has_star) {
            return Some(Span::new(end - 1, end));
        }
        let is_starred = |text: &str| short_form(text).is_some_and(|short| short.has_star);
        let is_star = |text: &str| {
            let is_length = text.ends_with('*') && length_before_star(text).is_some();
            text == "*" || is_length || self.is_twin() && is_starred(text)
        };
        let word = self.argument_words().into_iter().find(|(text, _)| is_star(text));
        word.map(|(_, span)| Span::new(span.end - 1, span.end))
    }

    /// The numbers of continuations at each ply behind a stipulation, with their place: `2.1.1.1`.
    pub fn ply_counts(self) -> Option<(&'t str, Span)> {
        let words = self.argument_words();
        if self.is_twin() {
            // Behind `in` stands a length.
            let pairs = words.windows(2).filter(|pair| pair[0].0 != "in");
            return pairs.map(|pair| pair[1]).find(|(text, _)| is_ply_counts(text));
        }
        let length = self.length().map(|(_, span)| span);
        words.into_iter().filter(|(_, span)| Some(*span) != length).find(|(text, _)| is_ply_counts(text))
    }

    /// The square of `hze5 3`, with its place. `None` if it is missing or misspelt, which is a syntax error.
    pub fn goal_square(self) -> Option<(&'t str, Span)> {
        self.part_of_short_form(|short| short.square.clone())
            .or_else(|| self.argument_words().into_iter().find(|(text, _)| is_square_name(text)))
    }

    /// A part of the keyword, if that is a composers' short form.
    fn part_of_short_form(
        self,
        part: impl Fn(&ShortForm) -> Option<std::ops::Range<usize>>,
    ) -> Option<(&'t str, Span)> {
        let keyword = self.keyword();
        let bytes = part(&short_form(keyword.text())?)?;
        let start = keyword.span().start;
        let span = Span::new(start + bytes.start as u32, start + bytes.end as u32);
        Some((&keyword.text()[bytes], span))
    }

    /// The tokens of the argument, white space and comments included.
    pub fn argument_tokens(self) -> impl Iterator<Item = Token<'t>> {
        self.argument_node().into_iter().flat_map(|node| node.tokens())
    }

    fn argument_words(self) -> Vec<(&'t str, Span)> {
        let tokens = self.argument_tokens();
        tokens.filter(|t| t.kind() == TokenKind::Word).map(|t| (t.text(), t.span())).collect()
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

/// The length of a chess problem in a word, without a star behind it, with its place.
fn before_star((text, span): (&str, Span)) -> Option<(&str, Span)> {
    let length = length_before_star(text)?;
    Some((length, Span::new(span.start, span.start + length.len() as u32)))
}
