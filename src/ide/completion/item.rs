//! Completion items, and the point of a text where one is inserted.

use crate::diagnostic::Span;
use crate::ide::keyword_docs::keyword_docs;
use crate::syntax::{Item, Keyword, set_apart};

/// What a completion inserts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A reserved word.
    Keyword,
    /// A puzzle with placeholders.
    Snippet,
    /// The letter of a piece.
    Piece,
    /// An empty square.
    Square,
    /// A value of a property.
    Value,
    /// A move or a capture.
    Move,
    /// An answer.
    Answer,
}

/// A completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The label in the list.
    pub label: String,
    /// What is inserted.
    pub kind: CompletionKind,
    /// A few words next to the label.
    pub detail: String,
    /// The documentation in Markdown.
    pub documentation: Option<&'static str>,
    /// The range that `text` replaces: the typed word, and the rest of that word if `text` ends with it.
    pub replace: Span,
    /// The text to insert.
    pub text: String,
    /// The same text with placeholders `${1:…}`, for editors that support snippets.
    pub snippet: Option<String>,
    /// Completions with a smaller rank come first.
    pub rank: u8,
}

/// The node budget of a search for completions, so that the list appears at once.
pub(super) const LOOK_AHEAD_NODES: u64 = 20_000;

/// The rank of an item that inserts nothing and explains why there are no completions.
pub(super) const RANK_EXPLANATION: u8 = 9;

/// The point of a text where a completion is inserted.
pub(super) struct InsertionPoint<'t> {
    pub text: &'t str,
    /// The word at the cursor, up to the cursor.
    pub typed: &'t str,
    /// The part of that word behind the cursor.
    pub rest: &'t str,
    /// The offset of `typed`.
    pub start: u32,
    /// The offset of the cursor.
    pub offset: u32,
}

impl InsertionPoint<'_> {
    /// A completion that inserts its label.
    pub fn item(&self, kind: CompletionKind, label: &str, detail: impl Into<String>) -> Completion {
        self.item_writing(kind, label, label.to_string(), detail)
    }

    /// A completion that inserts `text`.
    pub fn item_writing(
        &self,
        kind: CompletionKind,
        label: &str,
        text: String,
        detail: impl Into<String>,
    ) -> Completion {
        // The rest of the word behind the cursor is replaced only if the inserted text ends with it.
        let replaces_rest = !self.rest.is_empty() && text.ends_with(self.rest);
        let end = self.offset + if replaces_rest { self.rest.len() as u32 } else { 0 };
        let replace = Span::new(self.start, end);
        // A word directly behind the cursor is another word: insert a space before it.
        let is_begun = !self.typed.is_empty() || text.is_empty();
        let text = if is_begun { text } else { set_apart(self.text, end, text) };
        let (label, detail) = (label.to_string(), detail.into());
        Completion { label, kind, detail, documentation: None, replace, text, snippet: None, rank: 1 }
    }

    /// A completion of a keyword, with its documentation.
    pub fn keyword(&self, keyword: Keyword) -> Completion {
        let detail = match keyword {
            Keyword::Game(_) => "game",
            Keyword::Item(Item::Board) => "board",
            Keyword::Item(Item::Property(_)) => "property",
            Keyword::Item(Item::Query(_)) => "query",
        };
        let item = self.item(CompletionKind::Keyword, keyword.word(), detail);
        Completion { documentation: Some(keyword_docs(keyword)), ..item }
    }

    /// An item that inserts what is already typed; its detail explains why there are no completions.
    pub fn explanation(&self, why: String) -> Vec<Completion> {
        let label = if self.typed.is_empty() { "(no move)" } else { self.typed };
        let item = self.item_writing(CompletionKind::Move, label, self.typed.to_string(), why);
        vec![Completion { rank: RANK_EXPLANATION, ..item }]
    }

    /// Whether any of the completions matches the typed word.
    pub fn matches_any(&self, found: &[Completion]) -> bool {
        let typed = self.typed.to_lowercase();
        found.iter().any(|c| label_matches(&c.label.to_lowercase(), &typed))
    }
}

/// Whether a label begins with the first typed letter and contains the others in that order.
pub(super) fn label_matches(label: &str, typed: &str) -> bool {
    let mut letters = label.chars();
    typed.chars().enumerate().all(|(i, c)| match i {
        0 => letters.next() == Some(c),
        _ => letters.any(|l| l == c),
    })
}
