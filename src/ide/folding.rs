//! Folding ranges.

use crate::cursor::{count_line_breaks, is_multiline};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Node, NodeKind, TokenKind, Tree};

/// What a folding range contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// A puzzle.
    Puzzle,
    /// Two or more comment lines.
    Comment,
    /// A board.
    Board,
    /// A list outside of a board.
    List,
    /// The solution of a chess problem in quotes.
    Solution,
}

/// The first `most` folding ranges in order of position. Each spans several lines.
pub fn folds(tree: &Tree, most: usize) -> Vec<(Span, FoldKind)> {
    let text = tree.text();
    let mut found = comments(tree, most);
    let mut nodes = Vec::new();
    for node in tree.root().children() {
        if nodes.len() >= most {
            break;
        }
        walk(node, &mut nodes);
    }
    found.extend(nodes.into_iter().filter(|(s, _)| is_multiline(&text[s.range()])));
    found.sort_by_key(|(s, _)| (s.start, std::cmp::Reverse(s.end)));
    found.truncate(most);
    found
}

fn walk(node: Node<'_>, found: &mut Vec<(Span, FoldKind)>) {
    // A node on one line contains nothing to fold.
    if !is_multiline(node.text()) {
        return;
    }
    match node.kind() {
        NodeKind::Puzzle => found.push((node.span(), FoldKind::Puzzle)),
        NodeKind::Board => return found.push((node.span(), FoldKind::Board)),
        NodeKind::Answer if node.first_token().is_some_and(|t| t.kind() == TokenKind::String) => {
            return found.push((node.span(), FoldKind::Solution));
        }
        NodeKind::List => found.push((node.span(), FoldKind::List)),
        _ => {}
    }
    for child in node.children() {
        walk(child, found);
    }
}

/// Comments alone on their lines, two or more on consecutive lines.
fn comments(tree: &Tree, most: usize) -> Vec<(Span, FoldKind)> {
    let mut found = Vec::new();
    let mut run: Option<(Span, usize)> = None;
    // Whether the next token begins its line, and the number of line breaks before it.
    let (mut begins, mut lines) = (true, 0);
    for token in tree.tokens() {
        match token.kind() {
            TokenKind::Space => {
                lines = count_line_breaks(token.text());
                begins |= lines > 0;
                continue;
            }
            TokenKind::Comment if begins => {
                run = Some(match run {
                    Some((span, n)) if lines == 1 => (span.cover(token.span()), n + 1),
                    other => {
                        close(other, &mut found);
                        (token.span(), 1)
                    }
                });
            }
            _ => close(run.take(), &mut found),
        }
        (begins, lines) = (false, 0);
        if found.len() >= most {
            return found;
        }
    }
    close(run, &mut found);
    found
}

fn close(run: Option<(Span, usize)>, found: &mut Vec<(Span, FoldKind)>) {
    if let Some((span, 2..)) = run {
        found.push((span, FoldKind::Comment));
    }
}
