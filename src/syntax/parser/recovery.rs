//! Slips of a few words that are one mistake each, and not one for each of their words.

use crate::diagnostic::Fix;
use crate::syntax::in_latin;
use crate::syntax::notation::{captures_as_shown, captures_in_lists};
use crate::syntax::parser::{Keyword, NodeKind, Parser, T, nearest_keyword};

/// Quotes as word processors set them.
pub(crate) const CURLY: [char; 8] = ['“', '”', '„', '«', '»', '‘', '’', '‚'];

impl Parser<'_> {
    /// Whether a word among bare rows is a misspelt keyword rather than a row: it is near one or an arrow follows it,
    /// and it has two letters that are neither pieces nor can both be the empty cell.
    pub(crate) fn at_misspelt_item(&self) -> bool {
        // Nearly all rows leave here.
        let whole = self.word();
        let in_keywords = |b: &u8| !b.is_ascii() || b.is_ascii_alphanumeric() || matches!(b, b';' | b':');
        if !whole.as_bytes().iter().all(in_keywords) {
            return false;
        }
        // `solve;` is a keyword with a habit of other languages behind it.
        let word = whole.trim_end_matches([';', ':']);
        if word.len() < whole.len() && Keyword::from_word(word).is_some() {
            return true;
        }
        let latin = in_latin(word);
        let word = latin.as_deref().unwrap_or(word);
        if !(3..=10).contains(&word.len()) || !word.bytes().all(|b| b.is_ascii_alphabetic()) {
            return false;
        }
        let mut odd =
            word.bytes().filter(|b| !b"KQRBNPMWkqrbnpmw".contains(b)).map(|b| b.to_ascii_lowercase());
        let Some(first) = odd.next() else { return false };
        // What an answer follows is a query, however it is called.
        let near = || nearest_keyword(word, |k| matches!(k, Keyword::Item(_))).is_some();
        odd.any(|b| b != first) && (self.second() == Some(T::Arrow) || near())
    }

    /// Whether a word here says only in which format the board follows.
    pub(crate) fn at_label(&mut self) -> bool {
        const LABELS: [&str; 8] = ["fen", "pdn", "text", "list", "lists", "matrix", "numbers", "coordinates"];
        // Nearly all boards leave here.
        if !self.at(T::Word) || !self.word().as_bytes()[0].is_ascii_alphabetic() {
            return false;
        }
        let label = |word: &str| LABELS.iter().position(|w| w.eq_ignore_ascii_case(word));
        let Some(label) = label(self.word()) else { return false };
        let next = (self.pos + 1..self.kinds.len()).find(|&i| !self.kinds[i].is_trivia());
        next.is_some_and(|i| match self.kinds[i] {
            T::Word | T::String | T::UnclosedString if label < 2 => self.text_of(i).contains(['/', ':']),
            T::Word => label == 2 && Keyword::from_word(self.text_of(i)).is_none(),
            T::String | T::UnclosedString | T::LBracket | T::UnclosedLBracket => label >= 2,
            _ => false,
        })
    }

    /// One mistake, and not one for each of its cells.
    pub(crate) fn labelled_board(&mut self) {
        let node = self.start(NodeKind::Error);
        let (span, label) = (self.span_of(self.pos), self.word());
        let message = format!("a board shows by itself in which format it is: `{label}` has no place here");
        self.bump();
        let space = self.kinds.get(self.pos) == Some(&T::Space);
        let all = if space { span.cover(self.span_of(self.pos)) } else { span };
        let fix = Fix::new("remove it", all, "", false);
        self.error(span, message).fixes.push(fix);
        if self.at_list() {
            self.lists();
        }
        while self.at_string() || self.at(T::Comma) || self.at_word() && !self.at_misspelt_item() {
            self.bump();
        }
        self.finish(node);
    }

    /// The last word of a board that stands in quotes that are no straight ones.
    pub(crate) fn at_curly_quote(&mut self) -> Option<usize> {
        if !self.at(T::Word) || self.word().is_ascii() || !self.word().starts_with(CURLY) {
            return None;
        }
        let first = self.pos;
        let is_row = |i: usize| self.kinds[i] == T::Word && Keyword::from_word(self.text_of(i)).is_none();
        let parts = (first..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia());
        let mut parts = parts.take_while(|&i| self.kinds[i] == T::Comma || is_row(i));
        let closes = |&i: &usize| {
            let word = self.text_of(i);
            word.ends_with(CURLY) && (i > first || word.chars().nth(1).is_some())
        };
        let last = parts.find(closes)?;
        // Rows behind it make it one of several, or its quotes empty cells.
        parts.next().is_none_or(|i| !is_row(i)).then_some(last)
    }

    pub(crate) fn curly_board(&mut self, keyword: usize, last: usize) {
        let node = self.start(NodeKind::Error);
        let begin = self.pos;
        while self.peek().is_some() && self.pos <= last {
            self.bump();
        }
        // In a string a comment would be cells.
        let comments = self.kinds[begin..=last].contains(&T::Comment);
        let all = self.span_of(begin).cover(self.span_of(last));
        let inner = self.text[all.range()].trim_matches(CURLY);
        // Only behind `board` itself a string runs over lines.
        let safe = self.text_of(keyword) == "board";
        let fix = (!comments).then(|| Fix::new("make them straight", all, format!("\"{inner}\""), safe));
        self.error(all, "a board stands in straight quotes, or in none").fixes.extend(fix);
        self.finish(node);
    }

    /// Whether an answer stands here as cpz shows it: `d1xb2 a2xb2`, `a1:d4:h8`.
    pub(crate) fn at_notation(&mut self) -> bool {
        self.at(T::Word) && captures_in_lists(&[self.word()]).is_some()
    }

    pub(crate) fn answer_in_notation(&mut self) {
        let node = self.start(NodeKind::Error);
        let first = self.span_of(self.pos);
        let mut words = Vec::new();
        while self.at_notation() {
            words.push(self.word());
            self.bump();
            if self.at(T::Comma) && self.second() == Some(T::Word) {
                self.bump();
            }
        }
        let span = first.cover(self.span_of(self.end - 1));
        self.errors.extend(captures_as_shown(&words, span));
        self.finish(node);
    }
}
