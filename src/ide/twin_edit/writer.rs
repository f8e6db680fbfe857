//! The edits that make the words of one list of changes those of another one.

use crate::twin_edit::item::{Item, is_remove, joined, words_of};
use cpz_check::analysis::TwinText;
use cpz_text::diagnostic::{Edit, Span};
use cpz_text::syntax::{Query, Token};

/// What stands between two commas: one change, or the removal of several men.
struct Part {
    span: Span,
    /// The changes by their numbers.
    changes: std::ops::Range<usize>,
}

/// Writes a list of changes.
pub(super) struct Writer<'a, 't> {
    tokens: Vec<Token<'t>>,
    twin: &'a TwinText<'t>,
    parts: Vec<Part>,
    list: &'a [Item],
    edits: Vec<Edit>,
}

impl<'a, 't> Writer<'a, 't> {
    /// The edits after which the twin has the changes of a list, in order of position.
    pub fn edits(query: Query<'t>, twin: &'a TwinText<'t>, list: &'a [Item]) -> Vec<Edit> {
        let mut parts: Vec<Part> = Vec::new();
        for (number, (_, span)) in twin.changes.iter().enumerate() {
            match parts.last_mut().filter(|part| part.span == *span) {
                Some(part) => part.changes.end = number + 1,
                None => parts.push(Part { span: *span, changes: number..number + 1 }),
            }
        }
        let tokens = query.argument_tokens().collect();
        let mut writer = Writer { tokens, twin, parts, list, edits: Vec::new() };
        writer.write();
        writer.edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        writer.edits
    }

    fn items(&self, part: &Part) -> Vec<Item> {
        let is_in = |item: &&Item| item.written.is_some_and(|number| part.changes.contains(&number));
        self.list.iter().filter(is_in).copied().collect()
    }

    fn write(&mut self) {
        let kept: Vec<Vec<Item>> = self.parts.iter().map(|part| self.items(part)).collect();
        let new: Vec<Item> = self.list.iter().filter(|item| item.written.is_none()).copied().collect();
        for (i, items) in kept.iter().enumerate() {
            match items.is_empty() {
                true => self.remove_part(i, &kept),
                false => self.rewrite_part(i, items),
            }
        }
        if let Some(first) = new.first() {
            let last = kept.iter().rposition(|items| !items.is_empty());
            let is_kept = |i: &usize| self.is_as_written(&kept[*i], &self.parts[*i]);
            let goes_on =
                is_remove(first) && last.filter(is_kept).and_then(|i| kept[i].last()).is_some_and(is_remove);
            let mut words = joined(&new);
            if goes_on {
                words = words.trim_start_matches("remove").to_string();
            }
            self.append(last, words, goes_on);
        }
    }

    /// Writes further changes behind a part, or as the first ones.
    fn append(&mut self, last: Option<usize>, words: String, goes_on: bool) {
        let behind = last.map(|i| self.parts[i].span.end).or(self.twin.from.map(|(_, span)| span.end));
        let (at, text) = match behind {
            Some(at) if goes_on => (at, words),
            Some(at) => (at, format!(", {words}")),
            None => match self.parts.first() {
                Some(first) => (first.span.start, words),
                None => {
                    let is_end = |token: &&Token<'_>| !token.kind().is_trivia();
                    let end =
                        self.tokens.iter().rev().find(is_end).map(|token| (token.span().end, token.text()));
                    let (at, text) = end.unwrap_or((self.twin.letter.1.end, ""));
                    let colon = if text.ends_with([':', ')']) { "" } else { ":" };
                    (at, format!("{colon} {words}"))
                }
            },
        };
        // Where something is removed, one edit replaces it.
        match self.edits.iter_mut().find(|edit| edit.span.start == at && edit.text.is_empty()) {
            Some(edit) => edit.text = text,
            None => self.edits.push(Edit { span: Span::at(at), text }),
        }
    }

    fn is_as_written(&self, items: &[Item], part: &Part) -> bool {
        let written = &self.twin.changes[part.changes.clone()];
        items.iter().map(|item| item.change).eq(written.iter().map(|(change, _)| *change))
    }

    /// Removes a part with the comma that sets it apart.
    fn remove_part(&mut self, i: usize, kept: &[Vec<Item>]) {
        let span = self.parts[i].span;
        let has_before = self.twin.from.is_some() || kept[..i].iter().any(|items| !items.is_empty());
        let range = if has_before {
            let before = i.checked_sub(1).map(|before| self.parts[before].span);
            let before = before.or(self.twin.from.map(|(_, span)| span)).unwrap_or(span);
            Span::new(before.end.min(span.start), span.end)
        } else {
            Span::new(span.start, self.parts.get(i + 1).map_or(span.end, |next| next.span.start))
        };
        self.edits.push(Edit { span: range, text: String::new() });
    }

    /// The words of a part with their places.
    fn words(&self, part: &Part) -> Vec<Span> {
        let is_word = |token: &&Token<'_>| {
            let span = token.span();
            !token.kind().is_trivia() && part.span.start <= span.start && span.end <= part.span.end
        };
        self.tokens.iter().filter(is_word).map(|token| token.span()).collect()
    }

    /// Changes the words of a part that are others now.
    fn rewrite_part(&mut self, i: usize, items: &[Item]) {
        let part = &self.parts[i];
        if self.is_as_written(items, part) {
            return;
        }
        let words = self.words(part);
        let changes = part.changes.clone();
        let is_same = |item: &Item| item.written.is_some_and(|n| self.twin.changes[n].0 == item.change);
        if changes.len() > 1 {
            if items.iter().all(is_same) {
                // One of the squares behind `remove` is gone.
                for number in changes.clone().filter(|n| items.iter().all(|item| item.written != Some(*n))) {
                    let at = number - changes.start + 1;
                    let span = Span::new(words[at - 1].end, words[at].end);
                    self.edits.push(Edit { span, text: String::new() });
                }
            } else {
                self.edits.push(Edit { span: part.span, text: joined(items) });
            }
            return;
        }
        let (old, new) = (words_of(self.twin.changes[changes.start].0), words_of(items[0].change));
        if old.len() == words.len() && new.len() == words.len() {
            let differs = (0..words.len()).filter(|&word| old[word] != new[word]);
            self.edits.extend(differs.map(|word| Edit { span: words[word], text: new[word].clone() }));
        } else {
            self.edits.push(Edit { span: part.span, text: new.join(" ") });
        }
    }
}
