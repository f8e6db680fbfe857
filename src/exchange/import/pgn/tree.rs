//! The moves of a game with their variations.

use crate::game_tags::MARKS;
use crate::import::chess_text::read_move;
use crate::import::pgn::lexer::Token;
use cpz_rules::board::Colour;
use cpz_rules::games::{Position, after_move};

/// The deepest nesting of variations that is read.
const MAX_DEPTH: usize = 64;

/// A move of the tree.
#[derive(Debug)]
pub(super) struct Node {
    /// As it is written, without number and marks.
    pub text: String,
    /// `!`, `?` and the like.
    pub marks: String,
    /// Its half move from the start, from 0.
    pub ply: usize,
    /// The node before it; `None` for the first moves.
    pub parent: Option<usize>,
    /// The moves behind it, the main line first.
    pub children: Vec<usize>,
}

/// A tree of moves, each checked.
#[derive(Debug, Default)]
pub(super) struct MoveTree {
    pub nodes: Vec<Node>,
    /// The first moves, the main line first.
    pub roots: Vec<usize>,
    /// What stands in comments, each behind the move that it follows.
    pub comments: Vec<(Option<usize>, String)>,
    /// The byte of the first move that is not legal, with the reason.
    pub illegal: Option<(usize, String)>,
    /// Whether a parenthesis is not closed, or closed twice.
    pub is_unbalanced: bool,
}

impl MoveTree {
    /// Builds the tree of a movetext that begins in a position. Moves behind an illegal one are kept, too.
    pub(super) fn new(start: &Position, tokens: &[(usize, Token<'_>)]) -> MoveTree {
        let mut tree = MoveTree::default();
        // The last move, and the position before it and after it.
        let mut last: Option<usize> = None;
        let mut positions: Vec<Option<Position>> = Vec::new();
        let mut open: Vec<Option<usize>> = Vec::new();
        for (at, token) in tokens {
            match token {
                Token::Move(text) => {
                    let text = text.replace("(=", "(").replace('(', "=").replace(')', "");
                    let before = match last {
                        None => Some(start),
                        Some(node) => positions[node].as_ref(),
                    };
                    let after = before.and_then(|before| match read_move(before, &text) {
                        Ok(mv) => Some(after_move(before, mv)),
                        Err(why) => {
                            tree.illegal.get_or_insert((*at, why));
                            None
                        }
                    });
                    positions.push(after);
                    last = Some(tree.push(last, &text));
                }
                Token::Mark(mark) => tree.mark(last, mark, mark),
                Token::Nag(nag) => match MARKS.get(usize::from(*nag)) {
                    Some(mark) if last.is_some() => tree.mark(last, mark, &format!("${nag}")),
                    _ => tree.comments.push((last, format!("${nag}"))),
                },
                Token::Comment(text) if text.is_empty() => {}
                Token::Comment(text) => tree.comments.push((last, text.clone())),
                Token::Open if open.len() < MAX_DEPTH => {
                    open.push(last);
                    last = last.and_then(|node| tree.nodes[node].parent);
                }
                Token::Open => tree.is_unbalanced = true,
                Token::Close => match open.pop() {
                    Some(node) => last = node,
                    None => tree.is_unbalanced = true,
                },
            }
        }
        tree.is_unbalanced |= !open.is_empty();
        tree
    }

    /// Marks a move. A second mark beside another one would make a third of both, so that it becomes a comment, in its own
    /// words; the same one says nothing new.
    fn mark(&mut self, node: Option<usize>, mark: &str, words: &str) {
        let Some(node) = node else { return };
        let marks = &mut self.nodes[node].marks;
        match marks.as_str() {
            "" => marks.push_str(mark),
            known if known == mark || mark.is_empty() => {}
            _ => self.comments.push((Some(node), words.to_string())),
        }
    }

    fn push(&mut self, parent: Option<usize>, text: &str) -> usize {
        let index = self.nodes.len();
        let ply = parent.map_or(0, |p| self.nodes[p].ply + 1);
        self.nodes.push(Node {
            text: text.to_string(),
            marks: String::new(),
            ply,
            parent,
            children: Vec::new(),
        });
        match parent {
            Some(parent) => self.nodes[parent].children.push(index),
            None => self.roots.push(index),
        }
        index
    }

    /// The moves of the main line from one of the first moves on.
    pub(super) fn main_line(&self, root: usize) -> Vec<usize> {
        let next = |&node: &usize| self.nodes[node].children.first().copied();
        std::iter::successors(Some(root), next).collect()
    }

    /// Takes out the side lines that only show what else was possible, as movetext: in a problem that ends in mate those of the
    /// side that chooses at a half move, without a mark, of which none mates. As a part of the answer each would be a second
    /// solution. A main line that does not mate itself says no more than they do, so beside it they stay.
    pub(super) fn take_side_lines(&mut self, first: Colour, chooses: impl Fn(usize) -> bool) -> Vec<String> {
        let mut mates = vec![false; self.nodes.len()];
        // A move stands behind the one that it follows.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            mates[index] = node.text.ends_with('#') || node.children.iter().any(|&child| mates[child]);
        }
        let (mut taken, mut open) = (Vec::new(), vec![None]);
        while let Some(parent) = open.pop() {
            let all = std::mem::take(self.moves_behind(parent));
            let is_solution = all.first().is_some_and(|&main| mates[main] && chooses(self.nodes[main].ply));
            let says_more = |&node: &usize| !is_solution || mates[node] || !self.nodes[node].marks.is_empty();
            let (kept, others): (Vec<usize>, Vec<usize>) = all.iter().partition(|&node| says_more(node));
            open.extend(kept.iter().copied().map(Some));
            taken.extend(others);
            *self.moves_behind(parent) = kept;
        }
        taken.sort_unstable();
        taken.iter().map(|&node| self.movetext(&[node], first)).collect()
    }

    /// The moves behind one; the first moves behind none.
    fn moves_behind(&mut self, parent: Option<usize>) -> &mut Vec<usize> {
        match parent {
            Some(parent) => &mut self.nodes[parent].children,
            None => &mut self.roots,
        }
    }

    /// Whether there is a move beside the main line.
    pub(super) fn has_variations(&self) -> bool {
        self.roots.len() > 1 || self.nodes.iter().any(|node| node.children.len() > 1)
    }

    /// `1. Qb6`: a move with its number.
    pub(super) fn numbered(&self, node: usize, first: Colour) -> String {
        let Node { text, marks, ply, .. } = &self.nodes[node];
        let (number, is_white) = number_of(*ply, first);
        format!("{number}{} {text}{marks}", if is_white { "." } else { "..." })
    }

    /// The movetext from some first moves on: the first of them is the main line, the others are variations.
    pub(super) fn movetext(&self, roots: &[usize], first: Colour) -> String {
        let mut out = String::new();
        self.write(roots, first, true, &mut out);
        out
    }

    /// Appends a move with what follows it, and the variations beside it.
    fn write(&self, moves: &[usize], first: Colour, mut numbered: bool, out: &mut String) {
        let mut moves = moves;
        while let Some((&main, others)) = moves.split_first() {
            let node = &self.nodes[main];
            let (_, is_white) = number_of(node.ply, first);
            if !out.is_empty() && !out.ends_with('(') {
                out.push(' ');
            }
            match numbered || is_white {
                true => out.push_str(&self.numbered(main, first)),
                false => {
                    out.push_str(&node.text);
                    out.push_str(&node.marks);
                }
            }
            for &other in others {
                out.push_str(" (");
                self.write(&[other], first, true, out);
                out.push(')');
            }
            numbered = !others.is_empty();
            moves = &node.children;
        }
    }
}

/// The number of a move, and whether White makes it.
fn number_of(ply: usize, first: Colour) -> (usize, bool) {
    let ply = ply + usize::from(first == Colour::Black);
    (ply / 2 + 1, ply.is_multiple_of(2))
}
