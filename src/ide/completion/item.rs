//! Completion items, and the point of a text where one is inserted.

use crate::keyword_docs::keyword_docs;
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Item, Keyword, set_apart};

/// What a completion inserts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A reserved word.
    Keyword,
    /// A puzzle with placeholders.
    Snippet,
    /// The letter of a piece.
    Piece,
    /// A square.
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
#[derive(Clone, Copy)]
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
    /// Whether it is within quotes.
    pub quoted: bool,
}

impl InsertionPoint<'_> {
    /// The whole word at the cursor.
    pub fn word(&self) -> Span {
        Span::new(self.start, self.offset + self.rest.len() as u32)
    }

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
        let is_begun = self.quoted || !self.typed.is_empty() || text.is_empty();
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

    /// An item that inserts nothing: its detail explains why there are no completions. Nothing once a word is
    /// begun, since the item would swallow the Enter behind that word.
    pub fn explanation(&self, why: String) -> Vec<Completion> {
        if !self.typed.is_empty() {
            return Vec::new();
        }
        let item = self.item_writing(CompletionKind::Move, "(no move)", String::new(), why);
        vec![Completion { rank: RANK_EXPLANATION, ..item }]
    }

    /// Whether any of the completions continues the typed word.
    pub fn matches_any(&self, found: &[Completion]) -> bool {
        found.iter().any(|c| self.continues(c))
    }

    /// Whether a completion may be offered: it continues the typed word, that word is not complete, and a rest of
    /// the word behind the cursor is its end.
    pub fn accepts(&self, item: &Completion) -> bool {
        let typed = self.typed;
        let fits_rest = typed.is_empty() || self.rest.is_empty() || item.text.ends_with(self.rest);
        fits_rest && self.continues(item) && !is_complete(typed, item.kind)
    }

    /// Whether a completion begins with the typed word. Only values may differ in case: a capital letter is a
    /// piece, and never begins a keyword.
    fn continues(&self, item: &Completion) -> bool {
        let ignores_case = matches!(item.kind, CompletionKind::Value | CompletionKind::Answer);
        let start = item.label.get(..self.typed.len());
        start.is_some_and(|s| s == self.typed || ignores_case && s.eq_ignore_ascii_case(self.typed))
    }
}

/// Whether a word is complete as it stands: a keyword, or a number where a value or an answer is expected.
fn is_complete(word: &str, kind: CompletionKind) -> bool {
    let expects_value = matches!(kind, CompletionKind::Value | CompletionKind::Answer);
    let is_number = || !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    Keyword::from_word(word).is_some() || expects_value && is_number()
}
