//! Text → tokens → tree: the lexer, the parser and the lossless tree behind one facade.
//!
//! Invariant: parsing never fails, every byte of the text is in exactly one token, and nothing here
//! knows what a game is beyond the reserved words of the language.

mod keywords;
mod lexer;
mod limits;
mod parser;
mod printed_captures;
mod spelling;
mod tree;

pub use keywords::{GameId, Item, Keyword, Property, Verb, nearest_keyword};
pub use lexer::TokenKind;
pub use limits::{MAX_DEPTH, MAX_TEXT};
pub use printed_captures::captures_as_shown;
pub use spelling::{in_latin, lookalike, nearest};
pub use tree::{
    Board, BoardForm, Element, Node, NodeKind, Property as PropertyNode, Puzzle, Query, Token, Tree, Value,
};

/// Parses a whole text. Never fails: what the grammar does not have is in [`Tree::errors`].
pub fn parse(text: impl Into<String>) -> Tree {
    parser::parse(text.into()).0
}

/// Parses a text that may go on, and tells where its puzzles are closed.
///
/// Up to each of these places the tree is the same whatever follows, and what follows is read as if it stood
/// by itself: a brace that closes a puzzle is a token of its own, no look-ahead goes beyond it, and neither
/// the lexer nor the parser remembers anything behind it.
pub fn parse_closed(text: impl Into<String>) -> (Tree, Vec<u32>) {
    parser::parse(text.into())
}

/// Whether two texts have the same tokens and comments, white space aside.
///
/// Every writer asks this (of the part it did not mean to change) before it writes.
pub fn same_tokens(a: &str, b: &str) -> bool {
    let (a, b) = (lexer::lex(a), lexer::lex(b));
    let mut x = a.significant();
    let mut y = b.significant();
    loop {
        match (x.next(), y.next()) {
            (None, None) => return true,
            (Some(s), Some(t)) if s == t => {}
            _ => return false,
        }
    }
}

/// Text to insert at an offset, with a space behind it where it would run into what stands there.
pub fn set_apart(text: &str, offset: u32, insertion: String) -> String {
    match text[offset as usize..].chars().next() {
        Some(c) if !c.is_whitespace() && !matches!(c, '}' | ',' | ']') => insertion + " ",
        _ => insertion,
    }
}

/// The tokens of the generated lexer alone: the floor that benchmarks hold the parser against.
pub fn raw_tokens(text: &str) -> usize {
    lexer::raw_tokens(text)
}
