//! Signs that other languages have where this one has none: `mate: none`, `# comment`, `size 4 x 4`; and apostrophes, which open a
//! string.

use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::syntax::keywords::{Item, Keyword, Property, Verb, is_custom_word};
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::tree::NodeKind;

/// The longest rest of a line that is looked at for a comment, in characters.
const MAX_REST: usize = 400;

impl Parser<'_> {
    /// A query with a colon in the place of its arrow, with its answer: one finding. Returns whether one was here.
    pub(super) fn colon_of_query(&mut self) -> bool {
        let Some(word) = self.at(T::Word).then(|| self.word().strip_suffix(':')).flatten() else {
            return false;
        };
        let is_query = match Keyword::from_word(word) {
            Some(Keyword::Item(item @ Item::Query(verb))) => {
                matches!(verb, Verb::Mate | Verb::Duplex | Verb::SetPlay)
                    || item.is_plain() && verb != Verb::Move
            }
            _ => false,
        };
        let is_answer = self.ahead(1).next().is_some_and(|(next, new_line)| match self.kinds[next] {
            T::Word => !new_line && !self.begins_item_at(next),
            kind => matches!(kind, T::String | T::LBracket),
        });
        if !is_query || !is_answer {
            return false;
        }
        let node = self.start(NodeKind::Error);
        let span = self.span_of(self.pos);
        let message = format!("an answer is written after `=>`, not `:`; write `{word} =>`");
        let fix = Fix::new(format!("replace with `{word} =>`"), span, format!("{word} =>"), true);
        self.errors.push(Finding::new(Code::UnknownKeyword, span, message).fix(fix));
        self.bump();
        self.peek();
        self.answer(true);
        self.finish(node);
        true
    }

    /// A sign between a property and its value, as in `author = "…"`: one finding. `tags` has words for values, of which the sign
    /// is one.
    pub(super) fn sign_before_value(&mut self, keyword: usize, property: Option<Property>) {
        let is_sign = self.at(T::Word) && matches!(self.word(), "=" | ":" | ":=") && self.on_same_line();
        if !is_sign || matches!(property, Some(Property::Tags | Property::Allow)) {
            return;
        }
        let has_value = self.ahead(1).next().is_some_and(|(next, new_line)| match self.kinds[next] {
            T::Word => !new_line && !self.begins_item_at(next),
            kind => !new_line && matches!(kind, T::String | T::LBracket),
        });
        if has_value {
            let (name, sign) = (self.text_of(keyword), self.word());
            let message = format!("`{name}` has its value directly behind it, without `{sign}`");
            let span = self.span_of(self.pos);
            let from = Span::new(self.span_of(keyword).end, span.end);
            let fix = Fix::new(format!("remove `{sign}`"), from, "", true);
            self.error(span, message).fixes.push(fix);
            self.error_tokens(1);
        }
    }

    /// A property with a colon behind its name and a text without quotes, `author: Paul Morphy`: one finding. Returns whether it
    /// was here. With a value of one word or in quotes the colon is a misspelling.
    pub(super) fn colon_of_text(&mut self) -> bool {
        let Some(word) = self.at(T::Word).then(|| self.word().strip_suffix(':')).flatten() else {
            return false;
        };
        let property = match Keyword::from_word(word) {
            Some(Keyword::Item(Item::Property(property))) => Some(property),
            None if is_custom_word(word) => None,
            _ => return false,
        };
        let takes_text = property.is_none_or(|property| {
            matches!(property, Property::Author | Property::Source | Property::Note | Property::Hint)
        });
        let behind: Vec<(usize, bool)> = self.ahead(3).collect();
        let is = |n: usize, kind: T| behind.get(n).is_some_and(|&(i, line)| !line && self.kinds[i] == kind);
        // An apostrophe opens a string.
        let goes_on = is(1, T::Word) || is(1, T::UnclosedString);
        let is_text = is(0, T::Word) && goes_on && !self.begins_item_at(behind[0].0);
        let has_arrow = behind.iter().any(|&(i, new_line)| !new_line && self.kinds[i] == T::Arrow);
        if !takes_text || !is_text || has_arrow {
            return false;
        }
        let (keyword, found) = (self.pos, self.errors.len());
        let span = self.span_of(keyword);
        self.property(property);
        // The quotes that the text needs come with the colon in one finding.
        let colon = Span::new(span.end - 1, span.end);
        match self.errors.get_mut(found) {
            Some(finding) if finding.fixes.len() == 1 && finding.fixes[0].edits.len() == 1 => {
                finding.span = span.cover(finding.span);
                finding.fixes[0].edits.insert(0, Edit { span: colon, text: String::new() });
            }
            Some(_) => {}
            None => {
                let message = format!("`{word}` has its value directly behind it, without a colon");
                let fix = Fix::new("remove the colon", colon, "", true);
                self.error(colon, message).fixes.push(fix);
            }
        }
        true
    }

    /// Men with their squares and commas between them, `Ke1, ke8`, at the place of a board: one finding. Returns whether they were
    /// here. Without commas they are rows, which the reader of the board knows.
    pub(super) fn men_with_commas(&mut self) -> bool {
        let is_man = |word: &str| matches!(word.as_bytes(), [letter, b'a'..=b'h', b'1'..=b'8'] if letter.is_ascii_alphabetic());
        if !(is_man(self.word()) && self.second() == Some(T::Comma)) {
            return false;
        }
        let (node, mut span) = (self.start(NodeKind::Error), self.span_of(self.pos));
        let mut men = Vec::new();
        while self.at(T::Word) && is_man(self.word()) {
            let (letter, square) = self.word().split_at(1);
            men.push(format!("[\"{letter}\",\"{square}\"]"));
            span = span.cover(self.span_of(self.pos));
            self.bump();
            if self.at(T::Comma) && self.second() == Some(T::Word) {
                self.bump();
            }
        }
        self.finish(node);
        let message = format!("write each piece and its square in a list of two, as in `{}`", men[0]);
        let fix = Fix::new("write them so", span, format!("[{}]", men.join(", ")), false);
        self.error(span, message).fixes.push(fix);
        true
    }

    /// The rest of a size with blanks around its sign, `4 x 4` or `4x 4`, behind its first word: one finding.
    pub(super) fn spaced_size(&mut self) {
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let first = self.end - 1;
        let start = self.span_of(first).start as usize;
        let end = |i: usize| self.starts[i + 1] as usize;
        let is_size = |last: &usize| {
            let parts = self.text[start..end(*last)].split_once(['x', '×', '*']);
            parts.is_some_and(|(a, b)| is_number(a.trim()) && is_number(b.trim()))
        };
        let line = (first + 1..self.kinds.len()).take(4).take_while(|&i| {
            matches!(self.kinds[i], T::Word | T::Space) && !self.text_of(i).contains(['\n', '\r'])
        });
        let Some(last) = line.filter(|&i| self.kinds[i] == T::Word).find(is_size) else { return };
        let node = self.start(NodeKind::Error);
        self.nodes[node].first = first as u32;
        (self.pos, self.end) = (last + 1, last + 1);
        self.finish(node);
        let span = Span::new(start as u32, self.starts[last + 1]);
        let size: String = self.text[span.range()].split_whitespace().collect();
        let fix = Fix::new(format!("replace with `{size}`"), span, size.as_str(), true);
        self.error(span, format!("a size is one word: `{size}`")).fixes.push(fix);
    }

    /// Whether the next token is a string that an apostrophe within a text without quotes opens, `note it's nice`. The text begins
    /// with the token `value`; it becomes one finding.
    pub(super) fn apostrophe(&mut self, value: usize) -> bool {
        let is_letter = |c: char| c.is_alphabetic();
        let is_here = self.kinds.get(self.end) == Some(&T::UnclosedString)
            && self.kinds[self.end - 1] == T::Word
            && self.text_of(self.end - 1).ends_with(is_letter)
            && self.text_of(self.end).strip_prefix('\'').is_some_and(|rest| rest.starts_with(is_letter));
        let Some(error) = is_here.then(|| self.lexer_error(self.end)).flatten() else { return false };
        let span = self.span_of(value).cover(self.span_of(self.end));
        let text = self.text[span.range()].trim_end();
        let span = Span::new(span.start, span.start + text.len() as u32);
        let mut finding =
            Finding::new(Code::Syntax, span, "a text with an apostrophe stands in double quotes");
        if !text.contains(['"', '{', '}', '\n', '\r']) && !text.contains("//") {
            finding.fixes.push(Fix::new("put it in double quotes", span, format!("\"{text}\""), false));
        }
        self.errors[error] = finding;
        self.pos = self.end;
        self.bump();
        true
    }

    /// The fix for lines that begin as comments of another language, if nothing else stands on them.
    pub(super) fn comment_of_another_language(&self, span: Span) -> Option<Fix> {
        let text = &self.text[span.range()];
        let sign = ["#", ";", "%", "--"].into_iter().find(|sign| text.starts_with(sign))?;
        let rest = &self.text[span.end as usize..];
        let ends_line = rest[..rest.find(['\n', '\r']).unwrap_or(rest.len())].trim().is_empty();
        if !ends_line || text.contains(['{', '}']) || text.contains("=>") {
            return None;
        }
        let edit = |line: &str| {
            let line = line.trim_start();
            let is_comment = line.strip_prefix(sign).is_some_and(|rest| rest.starts_with([' ', '\t']));
            let start = (line.as_ptr() as usize - self.text.as_ptr() as usize) as u32;
            let span = Span::new(start, start + sign.len() as u32);
            is_comment.then(|| Edit { span, text: "//".into() })
        };
        let lines = text.split(['\n', '\r']).filter(|line| !line.trim().is_empty());
        let edits = lines.map(edit).collect::<Option<Vec<Edit>>>()?;
        Some(Fix { title: "make it a comment".into(), edits, safe: false })
    }

    /// The fix that makes `/* … */` a comment of each of its lines, behind which nothing else stands.
    pub(super) fn lines_of_comment(&self, span: Span) -> Option<Fix> {
        let text = &self.text[span.range()];
        // The rest of its line, if that is short: a line may have many comments.
        let rest = &self.text[span.end as usize..];
        let near = rest.char_indices().nth(MAX_REST).map_or(rest, |(at, _)| &rest[..at]);
        let end = near.find(['\n', '\r']).or_else(|| (near.len() == rest.len()).then_some(rest.len()))?;
        let rest = &rest[..end];
        let ends_line = rest.trim().is_empty();
        let is_one_line = !text.contains(['\n', '\r']);
        let Some(inner) = text.strip_prefix("/*")?.strip_suffix("*/") else {
            let mark = Span::new(span.start, span.start + 2);
            return (is_one_line && ends_line)
                .then(|| Fix::new("make this line a comment", mark, "//", false));
        };
        if inner.contains("*/") {
            return None;
        }
        if !ends_line {
            // It goes to the end of its line, if no other comment or string that goes on is there.
            let is_free = is_one_line
                && !["//", "/*", "'", "{", "}", "("].iter().any(|sign| rest.contains(sign))
                && rest.matches('"').count().is_multiple_of(2);
            let end = span.end + rest.trim_end().len() as u32;
            let edits = vec![
                Edit { span, text: String::new() },
                Edit { span: Span::at(end), text: format!(" // {}", inner.trim()) },
            ];
            let title = "make it a comment at the end of the line".into();
            return is_free.then_some(Fix { title, edits, safe: false });
        }
        let place = |part: &str, len: usize| {
            let start = (part.as_ptr() as usize - self.text.as_ptr() as usize) as u32;
            Span::new(start, start + len as u32)
        };
        let first = Edit { span: place(text, 2), text: "//".into() };
        let kept = inner.trim_end();
        let last =
            Edit { span: place(&inner[kept.len()..], inner.len() - kept.len() + 2), text: String::new() };
        // Many write an asterisk in front of each line.
        let line = |line: &str| {
            let line = line.trim_start();
            let mark = if line.starts_with('*') { "//" } else { "// " };
            Edit { span: place(line, usize::from(line.starts_with('*'))), text: mark.into() }
        };
        let lines = kept.split(['\n', '\r']).skip(1).filter(|line| !line.trim().is_empty()).map(line);
        let edits = [first].into_iter().chain(lines).chain([last]).collect();
        Some(Fix { title: "make it a comment".into(), edits, safe: false })
    }
}
