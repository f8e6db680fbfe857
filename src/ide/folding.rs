//! What can be folded away.

use crate::diagnostic::Span;
use crate::ide::cursor::{count_line_breaks, is_multiline};
use crate::syntax::{Node, NodeKind, TokenKind, Tree};

/// What a fold hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// A puzzle.
    Puzzle,
    /// Comment lines.
    Comment,
    /// A board.
    Board,
    /// A list outside of boards.
    List,
}

/// What runs over several lines, in order of position, `most` at most.
pub fn folds(tree: &Tree, most: usize) -> Vec<(Span, FoldKind)> {
    let text = tree.text();
    let mut found = comments(tree, most);
    let mut nodes = Vec::new();
    for node in tree.root().children() {
        // Comments may come later than the nodes that are left out, and are few.
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
    // What fits on a line holds nothing to fold.
    if !is_multiline(node.text()) {
        return;
    }
    match node.kind() {
        NodeKind::Puzzle => found.push((node.span(), FoldKind::Puzzle)),
        NodeKind::Board => return found.push((node.span(), FoldKind::Board)),
        NodeKind::List => found.push((node.span(), FoldKind::List)),
        _ => {}
    }
    for child in node.children() {
        walk(child, found);
    }
}

/// Runs of comments that stand alone on lines that follow each other.
fn comments(tree: &Tree, most: usize) -> Vec<(Span, FoldKind)> {
    let mut found = Vec::new();
    let mut run: Option<(Span, usize)> = None;
    // Whether the next token begins its line, and the line breaks before it.
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
