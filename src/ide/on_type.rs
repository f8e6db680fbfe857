//! On-type formatting: indentation of new lines and of closing braces.

use crate::cursor::{enclosing_nodes, floor_char_boundary};
use cpz_check::analysis::{Defaults, bound_at, puzzle_at};
use cpz_rules::board::Sizes;
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Board, BoardForm, Item, Keyword, Token, TokenKind, Tree};

/// The edits after a character was typed directly before `offset`: `\n` indents the new line, `}` gets the
/// indentation of its puzzle. They change white space at the start of lines only.
pub fn on_type(tree: &Tree, offset: u32, typed: char) -> Vec<Edit> {
    let text = tree.text();
    let offset = floor_char_boundary(text, offset);
    let start = line_start(text, offset);
    let mut edits = Vec::new();
    let mut indent = |start: u32, indent: Option<String>| {
        let old = indent_of(text, start);
        if let Some(text) = indent.filter(|new| new != old) {
            edits.push(Edit { span: Span::new(start, start + old.len() as u32), text });
        }
    };
    match typed {
        '\n' => {
            let before = &text[..start as usize];
            let ended = before.strip_suffix("\r\n").or_else(|| before.strip_suffix(['\n', '\r']));
            if let Some(ended) = ended {
                let ended = line_start(text, ended.len() as u32);
                indent(ended, ended_line(tree, ended));
            }
            indent(start, new_line(tree, start));
        }
        '}' => indent(start, closing_brace(tree, start, offset)),
        _ => {}
    }
    edits
}

/// The indentation of the line that begins at `start` and was just ended. An editor drops the formatting of a new
/// line if the next key comes before it: then a query or a property stands under the rows of the board.
fn ended_line(tree: &Tree, start: u32) -> Option<String> {
    let text = tree.text();
    let first = tree.token_at(start + indent_of(text, start).len() as u32)?;
    let is_item = matches!(Keyword::from_word(first.text()), Some(Keyword::Item(_)));
    if first.kind() == TokenKind::RBrace {
        return closing_brace(tree, start, first.span().end);
    }
    let opening = opening_brace(first.previous()?).filter(|_| is_item)?;
    let puzzle = puzzle_at(tree, Defaults::default(), opening.span().start)?.0.span().start;
    let outer = indent_of_puzzle(text, puzzle);
    (indent_of(text, start) == outer.clone() + "    ").then_some(outer + "  ")
}

fn line_start(text: &str, offset: u32) -> u32 {
    text[..offset as usize].rfind(['\n', '\r']).map_or(0, |i| i as u32 + 1)
}

/// The spaces and tabs at the start of a line.
pub(crate) fn indent_of(text: &str, start: u32) -> &str {
    let line = &text[start as usize..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The indentation of the line of a puzzle; empty if the puzzle does not begin its line.
fn indent_of_puzzle(text: &str, at: u32) -> String {
    let start = line_start(text, at);
    let indent = indent_of(text, start);
    if start + indent.len() as u32 == at { indent.to_string() } else { String::new() }
}

/// The indentation of the line that begins at `start`; `None` outside of braces and inside of lists and strings.
fn new_line(tree: &Tree, start: u32) -> Option<String> {
    let text = tree.text();
    let before = start.checked_sub(1).and_then(|o| tree.token_at(o))?;
    let last =
        std::iter::successors(Some(before), |t| t.previous()).find(|t| t.kind() != TokenKind::Space)?;
    // Inside of a string the lines belong to the board.
    if last.span().end > start {
        return None;
    }
    let opening = opening_brace(last)?;
    let puzzle = puzzle_at(tree, Defaults::default(), opening.span().start).map(|(p, _)| p.span().start);
    let outer = indent_of_puzzle(text, puzzle?);
    let next = std::iter::successors(last.next(), |t| t.next()).find(|t| t.kind() != TokenKind::Space);
    let line_end = text[start as usize..].find(['\n', '\r']).map_or(text.len() as u32, |i| start + i as u32);
    let here = next.filter(|t| t.span().start < line_end);
    if here.is_some_and(|t| t.kind() == TokenKind::RBrace) {
        return Some(outer);
    }
    let word = std::iter::successors(Some(last), |t| t.previous()).find(|t| !t.kind().is_trivia())?;
    let begins = here.is_some_and(|t| t.kind() == TokenKind::Word && Keyword::from_word(t.text()).is_some());
    let continues = !begins && (word.kind() == TokenKind::Arrow || in_text_board(tree, word));
    Some(outer + if continues { "    " } else { "  " })
}

/// The opening brace around the point behind `token`. `None` outside of braces, and in a list, whose lines the
/// user aligns.
fn opening_brace(token: Token<'_>) -> Option<Token<'_>> {
    let mut lists = 0;
    for token in std::iter::successors(Some(token), |t| t.previous()) {
        match token.kind() {
            TokenKind::LBrace => return Some(token),
            TokenKind::RBrace => return None,
            TokenKind::RBracket => lists += 1,
            TokenKind::LBracket | TokenKind::UnclosedLBracket if lists == 0 => return None,
            TokenKind::LBracket | TokenKind::UnclosedLBracket => lists -= 1,
            _ => {}
        }
    }
    None
}

/// Whether the next row of an unquoted text board may follow a token.
fn in_text_board(tree: &Tree, token: Token<'_>) -> bool {
    let board = enclosing_nodes(tree, token.span()).into_iter().find_map(Board::cast);
    let Some(board) = board.filter(|_| token.kind() == TokenKind::Word) else { return false };
    match board.form() {
        None => Keyword::from_word(token.text()) == Some(Keyword::Item(Item::Board)),
        Some(BoardForm::Lists(_)) => false,
        Some(BoardForm::Text(_)) => {
            // The last row of a full board is followed by a query.
            let last = board.node().last_token().is_some_and(|t| t.index() == token.index());
            !(last && is_full(tree, board.span().start))
        }
    }
}

/// Whether the board of the puzzle at an offset probably has all its rows.
pub(crate) fn is_full(tree: &Tree, offset: u32) -> bool {
    let Some((bound, _)) = bound_at(tree, Defaults::default(), offset) else { return false };
    let Some(reading) = bound.reading.as_ref().filter(|r| r.is_good()) else { return false };
    let Some(board) = &reading.board else { return false };
    if reading.is_notation || bound.settings.size.is_some() {
        return true;
    }
    match bound.game.format().sizes {
        Sizes::UpTo { default, .. } => board.size.w == board.size.h && board.size.h >= default,
        Sizes::Fixed(_) => true,
        Sizes::Cube(..) => true,
    }
}

/// The indentation of a closing brace that is the first token on its line.
fn closing_brace(tree: &Tree, start: u32, offset: u32) -> Option<String> {
    let text = tree.text();
    let brace = tree.token_at(offset.checked_sub(1)?).filter(|t| t.kind() == TokenKind::RBrace)?;
    if start + indent_of(text, start).len() as u32 != brace.span().start {
        return None;
    }
    let (puzzle, _) = puzzle_at(tree, Defaults::default(), brace.span().start)?;
    (puzzle.span().end == brace.span().end).then(|| indent_of_puzzle(text, puzzle.span().start))
}
