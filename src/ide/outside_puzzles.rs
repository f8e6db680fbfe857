//! What stands outside of puzzles: notes, merge markers, a text of another kind. No command may change it.

use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Keyword, Puzzle, TokenKind, Tree};

/// The first syntax error outside of puzzles. A text with one may not be a collection at all.
pub fn error_outside_puzzles(tree: &Tree) -> Option<Span> {
    let mut puzzles = puzzles(tree).peekable();
    tree.errors().iter().map(|e| e.span).find(|error| {
        while puzzles.next_if(|p| p.end < error.start || p.end == error.start && !error.is_empty()).is_some()
        {
        }
        puzzles.peek().is_none_or(|p| error.start < p.start)
    })
}

/// The puzzles. The parser takes any word for the start of one: here it must name a game, or nearly and with a brace.
fn puzzles(tree: &Tree) -> impl Iterator<Item = Span> {
    let has_brace = |p: &Puzzle<'_>| p.node().tokens().any(|t| t.kind() == TokenKind::LBrace);
    let is_exact = |p: &Puzzle<'_>| matches!(Keyword::from_word(p.keyword().text()), Some(Keyword::Game(_)));
    let is_puzzle = move |p: &Puzzle<'_>| is_exact(p) || p.game().is_some() && has_brace(p);
    tree.puzzles().filter(is_puzzle).map(|p| p.span())
}

/// The places that edits of a whole text may change.
pub struct WritableParts {
    /// The puzzles, if nothing else may change.
    puzzles: Option<Vec<Span>>,
}

impl WritableParts {
    /// All of a text, or its puzzles only, if there is a syntax error outside of them.
    pub fn of(tree: &Tree) -> WritableParts {
        WritableParts { puzzles: error_outside_puzzles(tree).map(|_| puzzles(tree).collect()) }
    }

    /// Whether an edit changes such a part only.
    pub fn contain(&self, edit: &Edit) -> bool {
        let Some(puzzles) = &self.puzzles else { return true };
        let next = puzzles.partition_point(|p| p.end < edit.span.end);
        puzzles.get(next).is_some_and(|p| p.start <= edit.span.start)
    }
}

/// Whether a text can be a text that a person wrote: a NUL character is in none, but in UTF-16 and in binary data.
pub fn is_plain_text(text: &str) -> bool {
    !text.as_bytes().contains(&0)
}
