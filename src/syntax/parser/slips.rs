//! Slips of a few words that are one mistake each, and not one for each of their words.

use super::{Keyword, NodeKind, Parser, T};
use crate::syntax::Fix;
use crate::syntax::notation::captures_in_lists;

/// Quotes as word processors set them.
pub(super) const CURLY: [char; 8] = ['“', '”', '„', '«', '»', '‘', '’', '‚'];

impl Parser<'_> {
    /// Whether a word here says only in which format the board follows.
    pub(super) fn at_label(&mut self) -> bool {
        const LABELS: [&str; 8] = ["fen", "pdn", "text", "list", "lists", "matrix", "numbers", "coordinates"];
        let label = |word: &str| LABELS.iter().position(|w| w.eq_ignore_ascii_case(word));
        let Some(label) = self.at(T::Word).then(|| label(self.word())).flatten() else { return false };
        let next = (self.pos + 1..self.kinds.len()).find(|&i| !self.kinds[i].is_trivia());
        next.is_some_and(|i| match self.kinds[i] {
            T::Word | T::String | T::UnclosedString if label < 2 => self.text_of(i).contains(['/', ':']),
            T::Word => label == 2 && Keyword::from_word(self.text_of(i)).is_none(),
            T::String | T::UnclosedString | T::LBracket | T::UnclosedLBracket => label >= 2,
            _ => false,
        })
    }

    /// One mistake, and not one for each of its cells.
    pub(super) fn labelled_board(&mut self) {
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

    /// Whether a board stands in quotes that are no straight ones.
    pub(super) fn at_curly_quote(&mut self) -> bool {
        if !self.at(T::Word) || !self.word().starts_with(CURLY) {
            return false;
        }
        let parts = (self.pos..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia());
        for i in parts {
            let word = self.text_of(i);
            match self.kinds[i] {
                T::Word if Keyword::from_word(word).is_some() => return false,
                T::Word if self.closes(i) => {
                    // Rows behind it make it one of several, or its quotes empty cells.
                    let mut behind = (i + 1..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia());
                    let next = behind.next().filter(|&i| self.kinds[i] == T::Word);
                    return next.is_none_or(|i| Keyword::from_word(self.text_of(i)).is_some());
                }
                T::Word | T::Comma => {}
                _ => return false,
            }
        }
        false
    }

    /// Whether a word ends with such a quote that is not the one it begins the board with.
    fn closes(&self, i: usize) -> bool {
        let word = self.text_of(i);
        word.ends_with(CURLY) && (i > self.pos || word.chars().nth(1).is_some())
    }

    pub(super) fn curly_board(&mut self, keyword: usize) {
        let node = self.start(NodeKind::Error);
        let first = self.span_of(self.pos);
        let begin = self.pos;
        let last = (begin..self.kinds.len()).find(|&i| self.kinds[i] == T::Word && self.closes(i));
        while self.peek().is_some() && last.is_some_and(|last| self.pos <= last) {
            self.bump();
        }
        // In a string a comment would be cells.
        let comments = self.kinds[begin..self.end].contains(&T::Comment);
        let all = first.cover(self.span_of(self.end - 1));
        let inner = self.text[all.range()].trim_matches(CURLY);
        // Only behind `board` itself a string runs over lines.
        let safe = self.text_of(keyword) == "board";
        let fix = (!comments).then(|| Fix::new("make them straight", all, format!("\"{inner}\""), safe));
        self.error(all, "a board stands in straight quotes, or in none").fixes.extend(fix);
        self.finish(node);
    }

    /// Whether an answer stands here as cpz shows it: `d1xb2 a2xb2`, `a1:d4:h8`.
    pub(super) fn at_notation(&mut self) -> bool {
        self.at(T::Word) && captures_in_lists(&[self.word()]).is_some()
    }

    pub(super) fn answer_in_notation(&mut self) {
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
        let list = captures_in_lists(&words);
        let fix = list.map(|list| Fix::new("write it as a list", span, list, false));
        self.error(span, "captures stand in a list, as in `[[c1,b2], [b2,d4]]`").fixes.extend(fix);
        self.finish(node);
    }
}
