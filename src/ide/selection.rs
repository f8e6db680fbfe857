//! Selection ranges.

use crate::cursor::{enclosing_nodes, floor_char_boundary, token_at_cursor};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Board, Node, NodeKind, PropertyNode, Puzzle, Query, Token, TokenKind, Tree};

/// The ranges around an offset from the inside out: cell, word, string, lists, value, item, puzzle, the puzzle with
/// its description, the text. Each range contains the one before it and is larger.
pub fn selection(tree: &Tree, offset: u32) -> Vec<Span> {
    let offset = floor_char_boundary(tree.text(), offset);
    let mut steps = Vec::new();
    let whole = Span::new(0, tree.text().len() as u32);
    let token = token_at_cursor(tree, offset).filter(|t| t.kind() != TokenKind::Space);
    let at = token.map_or(Span::at(offset), |t| t.span());
    let path = enclosing_nodes(tree, at);
    if let Some(token) = token {
        let board = path.iter().copied().find_map(Board::cast);
        if board.is_some_and(|b| b.keyword().index() != token.index()) {
            steps.extend(cell(token, offset));
        }
        steps.push(token.content().1);
        steps.push(at);
    }
    for &node in path.iter().rev() {
        values(node, &mut steps);
        if node.kind() != NodeKind::File {
            steps.push(node.span());
        }
        if let Some(puzzle) = Puzzle::cast(node) {
            steps.push(with_description(puzzle));
        }
    }
    steps.push(whole);
    let mut grown: Vec<Span> = Vec::new();
    for step in steps {
        let holds = step.start <= offset && offset <= step.end;
        let grows = grown.last().is_none_or(|l| step != *l && step.start <= l.start && l.end <= step.end);
        if holds && grows {
            grown.push(step);
        }
    }
    grown
}

/// The character at an offset; at the end of a word the character before it.
fn cell(token: Token<'_>, offset: u32) -> Option<Span> {
    let (content, span) = token.content();
    let at = offset.checked_sub(span.start)? as usize;
    let (before, after) = (content.get(..at)?, content.get(at..)?);
    let is_cell = |c: &char| !c.is_whitespace();
    let next = after.chars().next().filter(is_cell).map(|c| Span::new(offset, offset + c.len_utf8() as u32));
    let last = || before.chars().last().filter(is_cell);
    next.or_else(|| last().map(|c| Span::new(offset - c.len_utf8() as u32, offset)))
}

/// The value of an item, and a query without its answer.
fn values(node: Node<'_>, steps: &mut Vec<Span>) {
    match node.kind() {
        NodeKind::Board => steps.extend(Board::cast(node).and_then(Board::content)),
        NodeKind::Property => {
            steps.extend(PropertyNode::cast(node).and_then(|p| p.value()).map(|v| v.span()));
        }
        NodeKind::Query => steps.extend(Query::cast(node).map(Query::asked)),
        _ => {}
    }
}

fn with_description(puzzle: Puzzle<'_>) -> Span {
    let lines = puzzle.description().len();
    let above = std::iter::successors(puzzle.keyword().previous(), |t| t.previous());
    let comments = above.filter(|t| t.kind() == TokenKind::Comment).take(lines);
    comments.last().map_or(puzzle.span(), |first| first.span().cover(puzzle.span()))
}
