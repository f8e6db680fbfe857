//! Text → tokens → tree: the lexer, the parser and the lossless tree behind one facade.
//!
//! Invariant: parsing never fails, every byte of the text is in exactly one token, and nothing here
//! knows what a game is beyond the reserved words of the language.

mod extents;
mod keywords;
mod lexer;
mod limits;
mod parser;
mod spelling;
mod stipulation;
mod tree;
mod twin;
mod typography;
mod views;

pub use keywords::{GameId, Item, Keyword, Property, Verb, is_custom_name, nearest_keyword, verb_before_in};
pub use lexer::TokenKind;
pub use limits::{MAX_DEPTH, MAX_PASTED, MAX_TEXT};
pub use parser::{
    EN_PASSANT_WORDS, EPD_OPERATIONS, is_epd_opcode, is_lost_board, joined_fen_fields, says_en_passant,
    side_in_words,
};
pub use spelling::{
    edit_distance, in_latin, is_invisible, lookalike, merge_latin, nearest, written_in_latin,
};
pub use stipulation::{
    Goal, Play, ProblemKind, ShortForm, is_length, is_ply_counts, is_short_form, length_before_star,
    short_form, unsolved_form,
};
pub use tree::{Element, Node, NodeKind, Token, Tree};
pub use twin::{
    TWIN_CHANGES, begins_popeye_twin, behind_cont, changes_in_words, letter_before, men_named, twin_in_words,
};
pub use views::{Board, BoardForm, Property as PropertyNode, Puzzle, Query, Value};

/// Parses a whole text. Never fails: syntax errors are in [`Tree::errors`].
pub fn parse(text: impl Into<String>) -> Tree {
    parser::parse(text.into()).0
}

/// Parses a text that may continue; also returns the offset behind each brace that closes a puzzle.
///
/// The tree up to such an offset does not depend on the text after it, and the text after it is parsed as if it
/// were a text of its own: the brace is a token by itself, no look-ahead crosses it, and neither the lexer nor
/// the parser keeps state across it.
pub fn parse_closed(text: impl Into<String>) -> (Tree, Vec<u32>) {
    parser::parse(text.into())
}

/// Whether two texts have the same tokens and comments, white space aside.
///
/// Edits are checked with it: the part that an edit should not change must keep its tokens.
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

/// `insertion`, with a space after it if it would join the text at the offset.
pub fn set_apart(text: &str, offset: u32, insertion: String) -> String {
    match text[offset as usize..].chars().next() {
        Some(c) if !c.is_whitespace() && !matches!(c, '}' | ',' | ']') => insertion + " ",
        _ => insertion,
    }
}

/// The number of tokens of the generated lexer alone: the lower bound in benchmarks of the parser.
pub fn raw_tokens(text: &str) -> usize {
    lexer::raw_tokens(text)
}
