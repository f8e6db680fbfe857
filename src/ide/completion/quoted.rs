//! Completions within the quotes of an answer: the next move of a line or of a solution.

use crate::completion::answers::next_captures;
use crate::completion::item::{Completion, InsertionPoint};
use crate::completion::line::{Written, answer_moves, without_number};
use crate::cursor::floor_char_boundary;
use cpz_check::analysis::{Defaults, bind_one, puzzle_at};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{TokenKind, Tree, Verb};

/// The moves that may follow the words before the cursor in a string of an answer, which may not be closed yet.
pub(super) fn moves(
    tree: &Tree,
    base: Defaults,
    offset: u32,
) -> Option<(InsertionPoint<'_>, Vec<Completion>)> {
    let text = tree.text();
    let offset = floor_char_boundary(text, offset);
    let is_within = |inner: Span| inner.start <= offset && offset <= inner.end;
    let string = tree.tokens_in(Span::at(offset)).find(|token| {
        matches!(token.kind(), TokenKind::String | TokenKind::UnclosedString) && is_within(token.content().1)
    })?;
    let inner = string.content().1;
    let (puzzle, settings) = puzzle_at(tree, base, offset)?;
    let bound = bind_one(puzzle, settings)?;
    let query = puzzle.queries().take_while(|q| q.span().start < offset).last()?;
    let mut answer = query.node().tokens().skip_while(|t| t.kind() != TokenKind::Arrow);
    let arrow = answer.next()?;
    answer.find(|token| token.span() == string.span())?;
    // The levels of a cube are in parentheses, which elsewhere are around variations.
    let is_cube = bound.game.format().is_cube();
    let in_word = |c: char| !c.is_whitespace() && !",;{}".contains(c) && (is_cube || !"()/".contains(c));
    let (before, behind) = text[inner.range()].split_at((offset - inner.start) as usize);
    let start = inner.start + before.trim_end_matches(in_word).len() as u32;
    let rest = &behind[..behind.len() - behind.trim_start_matches(in_word).len()];
    let typed = &text[start as usize..offset as usize];
    let point = InsertionPoint { text, typed, rest, start, offset, quoted: true };
    let goes_on = behind.trim_start().starts_with(in_word);
    if without_number(&point).typed.is_empty() && goes_on {
        return None;
    }
    // Each string of a list is a solution of its own; those of a line are one.
    let from = match query.verb() {
        Some(Verb::Problem(_) | Verb::Twin | Verb::Duplex | Verb::SetPlay) => inner.start,
        _ => arrow.span().end,
    };
    let written = text[from as usize..start as usize].replace(['[', '"', '\''], " ");
    let written = Written { text: written, in_list: false };
    let found = match query.verb() {
        Some(Verb::Solve) => next_captures(&point, &bound, query, &written),
        _ => answer_moves(&point, &bound, query, &written),
    };
    Some((point, found))
}
