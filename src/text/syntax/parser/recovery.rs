//! Recovery from mistakes of several words, with one finding for each mistake instead of one for each word.

use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::syntax::keywords::{GameId, Keyword, is_custom_name, nearest_keyword};
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::spelling::{in_latin, plain};
use crate::syntax::tree::NodeKind;

/// The tokens of a solution without quotes, so that many mistakes in one line take little time.
const MAX_SOLUTION: usize = 512;

impl Parser<'_> {
    /// Skips words and strings between a name and its brace.
    pub(super) fn more_than_a_name(&mut self, game: usize) {
        if !(self.at_string() || self.at_word()) {
            return;
        }
        let mut ahead = (self.pos..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia()).take(8);
        let name_like = |i: &usize| {
            matches!(self.kinds[*i], T::Word | T::String) && Keyword::from_word(self.text_of(*i)).is_none()
        };
        if ahead.find(|i| !name_like(i)).map(|i| self.kinds[i]) != Some(T::LBrace) {
            return;
        }
        let node = self.start(NodeKind::Error);
        // The name before it, or what is here.
        let start = (game + 1..=self.pos).find(|&i| !self.kinds[i].is_trivia()).unwrap_or(self.pos);
        let first = self.span_of(self.pos);
        while self.at(T::Word) || self.at(T::String) {
            self.bump();
        }
        let span = first.cover(self.span_of(self.end - 1));
        let whole = self.span_of(start).cover(span);
        let trivia = self.kinds[start..self.end].iter().any(|&k| k.is_trivia() && k != T::Space);
        let bare = self.text[whole.range()].replace(['"', '\''], "");
        let one_line = !trivia && !bare.contains(['\n', '\r']);
        let finding = self.error(span, "a puzzle has one name, in one pair of quotes");
        if one_line && !finding.message.is_empty() {
            finding.fixes.push(Fix::new(
                "put all of it in one pair of quotes",
                whole,
                format!("\"{bare}\""),
                false,
            ));
        }
        self.finish(node);
    }

    /// Skips the rest of a name that has a quote too few or too many, if a string that is not closed has taken the brace of
    /// the puzzle: `in two" {` and `"x"" {`. The lexer has reported the string. The rest may stand on the next line.
    pub(super) fn torn_name(&mut self) -> bool {
        let has_break =
            |i: usize| self.kinds.get(i) == Some(&T::Space) && self.text_of(i).contains(['\n', '\r']);
        let first = self.end - 1;
        let broken_at = (self.kinds[first] == T::UnclosedString && has_break(self.end)).then_some(self.end);
        let is_part = |i: &usize| match self.kinds[*i] {
            T::Word => true,
            T::Space => Some(*i) == broken_at || !has_break(*i),
            _ => false,
        };
        let from = broken_at.unwrap_or(self.pos);
        let last = from + (from..self.kinds.len()).take(24).take_while(is_part).count();
        let has_brace = self.kinds.get(last) == Some(&T::UnclosedString) && self.text_of(last).contains('{');
        if !has_brace {
            return false;
        }
        if let Some(at) = broken_at {
            if !self.text_of(last)[1..].trim_start().starts_with('{') {
                return false;
            }
            let (gap, rest) = (self.span_of(at), self.span_of(last));
            if let Some(error) = self.lexer_error(first).map(|at| &mut self.errors[at]) {
                error.span = error.span.cover(Span::at(rest.start + 1));
                error.message = "a name stands on one line; this one goes on in the next".into();
                error.fixes = vec![Fix::new("put both lines together", gap, " ", false)];
            }
            // One slip is one finding.
            self.foreign.push(gap.cover(rest));
        }
        self.pos = last;
        self.bump();
        true
    }

    /// Takes the second half of a text that goes on in the next line and ends there, with the string that its last quote opens.
    /// The lexer has reported both strings: this is one finding.
    pub(super) fn torn_text(&mut self) {
        let (first, gap) = (self.end - 1, self.end);
        let is_break =
            |i: usize| self.kinds.get(i) == Some(&T::Space) && self.text_of(i).contains(['\n', '\r']);
        if self.kinds[first] != T::UnclosedString || !is_break(gap) {
            return;
        }
        let is_part = |i: &usize| match self.kinds[*i] {
            T::Space => !is_break(*i),
            T::Word | T::Comma => true,
            _ => false,
        };
        let last = gap + 1 + (gap + 1..self.kinds.len()).take(64).take_while(is_part).count();
        let quote = &self.text_of(first)[..1];
        let ends = self.kinds.get(last) == Some(&T::UnclosedString) && self.text_of(last).trim_end() == quote;
        let begins_item = matches!(self.keyword_at(gap + 1), Some(Keyword::Item(_)));
        if !ends || begins_item || self.text_of(gap).matches('\n').count() > 1 {
            return;
        }
        let (gap, rest) = (self.span_of(gap), self.span_of(last));
        if let Some(error) = self.lexer_error(first).map(|at| &mut self.errors[at]) {
            error.span = error.span.cover(Span::at(rest.start + 1));
            error.message = "a text stands on one line; this one goes on in the next".into();
            error.fixes = vec![Fix::new("put both lines together", gap, " ", false)];
        }
        self.foreign.push(gap.cover(rest));
        self.pos = last;
        self.bump();
    }

    /// Whether an item of a puzzle begins behind the next token.
    pub(super) fn item_begins_behind(&self) -> bool {
        let behind = (self.pos + 1..self.kinds.len()).find(|&i| !self.kinds[i].is_trivia());
        behind.is_some_and(|i| {
            self.kinds[i] == T::Word
                && (is_custom_name(self.text_of(i)) || matches!(self.keyword_at(i), Some(Keyword::Item(_))))
        })
    }

    /// Takes `]` or `{` where the last brace of a puzzle is meant, or `)` if the first one is not there either: at the end of the
    /// text, or before another puzzle. Returns whether one was here.
    pub(super) fn closed_by_mistake(&mut self) -> bool {
        let opener = self.opener;
        if !(self.at(T::RBracket) || self.at(T::LBrace) || opener.is_some() && self.at(T::RParen)) {
            return false;
        }
        let mut behind = (self.pos + 1..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia());
        let ends = behind.next().is_none_or(|i| {
            let opens = behind.next().is_some_and(|i| {
                matches!(self.kinds[i], T::LBrace | T::String | T::LBracket | T::UnclosedLBracket)
            });
            opens && self.kinds[i] == T::Word && matches!(self.keyword_at(i), Some(Keyword::Game(_)))
        });
        if ends {
            let (span, node) = (self.span_of(self.pos), self.start(NodeKind::Error));
            match opener.and_then(|first| self.errors[first].fixes.first_mut()) {
                Some(fix) => {
                    fix.title = "replace both with `{` and `}`".into();
                    fix.edits.push(Edit { span, text: "}".into() });
                }
                None => {
                    let message = format!("a puzzle ends with `}}`, not with `{}`", self.word());
                    self.error(span, message).fixes.push(Fix::new("replace with `}`", span, "}", false));
                }
            }
            self.bump();
            self.finish(node);
        }
        ends
    }

    /// Takes the items of a puzzle in parentheses, which the lexer has taken for a remark. Returns whether they were here.
    pub(super) fn puzzle_in_parentheses(&mut self) -> bool {
        let is_item = |inner: &str| {
            let word = inner.split_whitespace().next().unwrap_or_default();
            matches!(Keyword::from_word(word), Some(Keyword::Item(_))) || is_custom_name(word)
        };
        let is_here = self.at(T::Remark) && self.word().strip_prefix('(').is_some_and(is_item);
        if is_here {
            let Span { start, end } = self.span_of(self.pos);
            let edit = |at: u32, text: &str| Edit { span: Span::new(at, at + 1), text: text.into() };
            let edits = vec![edit(start, "{"), edit(end - 1, "}")];
            let fix = Fix { title: "replace both with `{` and `}`".into(), edits, safe: false };
            self.error(Span::new(start, start + 1), "a puzzle begins with `{`, not with `(`").fixes.push(fix);
            self.bump();
        }
        is_here
    }

    /// The place of the error of the lexer about a string or a remark that is not closed.
    pub(super) fn lexer_error(&self, token: usize) -> Option<usize> {
        let span = self.span_of(token);
        let lexed = &self.errors[..self.lexed];
        let at = lexed.partition_point(|error| (error.span.start, error.span.end) < (span.start, span.end));
        lexed.get(at).filter(|error| error.span == span).map(|_| at)
    }

    /// Whether the next brace closes a puzzle.
    pub(super) fn next_brace_closes(&mut self) -> bool {
        if self.brace <= self.pos {
            let is_brace = |i: &usize| matches!(self.kinds[*i], T::LBrace | T::RBrace);
            self.brace = (self.pos..self.kinds.len()).find(is_brace).unwrap_or(usize::MAX);
        }
        self.kinds.get(self.brace) == Some(&T::RBrace)
    }

    /// Takes another bracket, or another sign, where the brace is meant that opens a puzzle, behind its head. Returns whether one
    /// was here.
    pub(super) fn opened_by_mistake(&mut self) -> bool {
        let (token, end) = (self.pos, self.end);
        let start = self.span_of(token).start;
        let span = Span::new(start, start + 1);
        let fix = |sign: char| {
            let message = format!("a puzzle begins with `{{`, not with `{sign}`");
            Finding::new(Code::Syntax, span, message).fix(Fix::new("replace with `{`", span, "{", false))
        };
        match self.peek() {
            Some(T::RBrace) if self.item_begins_behind() => {
                self.bump();
                let is_closed = self.next_brace_closes();
                match is_closed {
                    true => self.errors.push(fix('}')),
                    false => (self.pos, self.end, self.brace) = (token, end, 0),
                }
                is_closed
            }
            Some(T::RBracket | T::RParen | T::Word)
                if matches!(self.word().as_bytes(), [sign] if sign.is_ascii_punctuation())
                    && self.item_begins_behind() =>
            {
                self.errors.push(fix(char::from(self.word().as_bytes()[0])));
                self.opener = Some(self.errors.len() - 1);
                self.bump();
                true
            }
            Some(T::UnclosedRemark) if self.text_of(token).trim_end() == "(" && self.item_begins_behind() => {
                let new = fix('(');
                self.opener = self.lexer_error(token);
                match self.opener {
                    Some(at) => self.errors[at] = new,
                    None => self.errors.push(new),
                }
                self.bump();
                true
            }
            _ => false,
        }
    }

    /// Skips a puzzle that has lost the word for its game: `{` or a name and `{`, with its items. Returns whether one was here.
    pub(super) fn puzzle_without_game(&mut self) -> bool {
        let is_head = match self.peek() {
            Some(T::LBrace) => self.item_begins_behind(),
            Some(T::String) => self.second() == Some(T::LBrace),
            _ => false,
        };
        if !is_head {
            return false;
        }
        let (node, first) = (self.start(NodeKind::Error), self.span_of(self.pos));
        let mut braces = 0_usize;
        while let Some(kind) = self.peek() {
            let opens = kind == T::Word
                && matches!(self.keyword(), Some(Keyword::Game(_)))
                && matches!(self.second(), Some(T::LBrace | T::String));
            if opens {
                break;
            }
            self.bump();
            match kind {
                T::LBrace => braces += 1,
                T::RBrace => braces -= 1,
                _ => {}
            }
            if kind == T::RBrace && braces == 0 {
                break;
            }
        }
        let games: Vec<&str> = GameId::ALL.iter().map(|game| game.word()).collect();
        self.error(
            first,
            format!("this puzzle does not say its game; write one of {} before it", games.join(", ")),
        );
        self.finish(node);
        true
    }

    /// Whether one of the last consumed tokens, from one on, is a string or a remark that is not closed and has a sign in it.
    pub(super) fn is_in_open_text(&self, from: usize, sign: char) -> bool {
        let is_open = |&i: &usize| matches!(self.kinds[i], T::UnclosedString | T::UnclosedRemark);
        (from..self.end).filter(is_open).any(|i| self.text_of(i).contains(sign))
    }

    /// Skips unexpected tokens up to the beginning of an item.
    pub(super) fn stray(&mut self, wanted: &str, top: bool) {
        if self.lost_slash() {
            return;
        }
        let node = self.start(NodeKind::Error);
        let first = self.pos;
        let mut braces = 0;
        self.after_stray = true;
        loop {
            match self.peek() {
                None => break,
                Some(T::RBrace) if !top && braces == 0 => break,
                Some(T::RBrace) => braces -= 1,
                Some(T::LBrace) => braces += 1,
                Some(T::Word) if self.pos > first => {
                    if self.begins_item() || (top || self.begins_line()) && self.opens_puzzle() {
                        break;
                    }
                    // A misspelt keyword begins its line: no word of a sentence is one.
                    if !top && self.begins_line() && self.meant(|k| matches!(k, Keyword::Item(_))).is_some() {
                        break;
                    }
                }
                _ => {}
            }
            self.bump();
            if braces < 0 {
                braces = 0;
            }
        }
        let span = self.span_of(first).cover(self.span_of(self.end - 1));
        let message = match self.kinds[first] {
            T::RBracket | T::RBrace | T::RParen if self.end == first + 1 => {
                format!("this `{}` closes nothing", self.text_of(first))
            }
            T::Remark | T::UnclosedRemark => {
                // To close it here helps nothing.
                if let Some(at) = self.lexer_error(first) {
                    self.errors[at].fixes.clear();
                }
                "a remark is allowed only after an answer".to_string()
            }
            T::Arrow => "`=>` is allowed only after a query".to_string(),
            _ => {
                let text = &self.text[span.range()];
                // What may be a sentence.
                let is_prose =
                    text.split_whitespace().filter(|w| w.chars().all(char::is_alphabetic)).count() > 2;
                let advice = if is_prose { "; a comment begins with `//`" } else { "" };
                format!("unexpected {}; expected {wanted}{advice}", shown(text))
            }
        };
        let fix = if self.text_of(first).starts_with("//") {
            Some(Fix::new("put a space before it, as before any comment", Span::at(span.start), " ", false))
        } else {
            // Words, strings and lists may be pieces, answers or a comment: only marks are removed.
            let mark = matches!(self.kinds[first], T::Comma | T::RParen);
            // A space keeps separate what the mark separated.
            let space = if self.kinds.get(self.end) == Some(&T::Space) { "" } else { " " };
            let removal = (self.end == first + 1 && mark).then(|| Fix::new("remove it", span, space, false));
            removal.or_else(|| self.comment_of_another_language(span))
        };
        // The lexer has reported a string or a remark that is not closed.
        let unclosed = |at: usize| matches!(self.kinds.get(at), Some(T::UnclosedString | T::UnclosedRemark));
        let is_reported = self.kinds[first] == T::UnclosedString && self.end == first + 1
            || self.kinds[first] == T::Word && (first + 1..=self.end).any(unclosed);
        match self.variations(first) {
            Some(text) => {
                let edits = [text.start, text.end].map(|at| Edit { span: Span::at(at), text: "\"".into() });
                let fix = Fix { title: "put it in quotes".into(), edits: edits.into(), safe: false };
                self.error(text, "a solution with variations stands in quotes").fixes.push(fix);
            }
            None if is_reported => {}
            None => self.error(span, message).fixes.extend(fix),
        }
        self.finish(node);
    }

    /// The solution on this line whose variation in brackets was taken for a remark, if moves that a number begins have been
    /// skipped behind it.
    fn variations(&self, first: usize) -> Option<Span> {
        let number = self.text_of(first).trim_start_matches(|c: char| c.is_ascii_digit());
        if self.kinds[first] != T::Word
            || number.len() == self.text_of(first).len()
            || !number.starts_with('.')
        {
            return None;
        }
        let is_break = |i: &usize| self.text_of(*i).contains(['\n', '\r', '"', '{', '}']);
        let before = || (0..first).rev().take(MAX_SOLUTION).take_while(|i| !is_break(i));
        let arrow = before().find(|&i| self.kinds[i] == T::Arrow)?;
        let has_remark = before().take_while(|&i| i > arrow).any(|i| self.kinds[i] == T::Remark);
        let start = (arrow + 1..first).find(|&i| self.kinds[i] != T::Space)?;
        let text = self.span_of(start).cover(self.span_of(self.end - 1));
        (has_remark && !(first..self.end).any(|i| is_break(&i))).then_some(text)
    }

    /// Whether the next token is the first of its line, or stands directly behind the brace of a puzzle, where the text
    /// may be read from.
    pub(super) fn begins_line(&self) -> bool {
        // A control character, which the formatter gives a line of its own, is no part of the line.
        let before = self.kinds[..self.pos].iter().rposition(|&kind| kind != T::Control);
        before.is_none_or(|i| match self.kinds[i] {
            // A part of a text begins behind a brace.
            T::Space => i == 0 || self.kinds[i - 1] == T::RBrace || self.text_of(i).contains(['\n', '\r']),
            kind => kind == T::RBrace,
        })
    }

    /// A line that begins with one slash is a comment that has lost the other one. Returns whether one was here.
    fn lost_slash(&mut self) -> bool {
        if self.at_other_comment() {
            self.other_comment();
            return true;
        }
        if self.at_line_comment() {
            self.line_comment();
            return true;
        }
        if self.at(T::Word) && self.word() == "*/" {
            let span = self.span_of(self.pos);
            let node = self.start(NodeKind::Error);
            self.bump();
            self.finish(node);
            self.error(
                span,
                "here ends a comment of another language; each line of one begins with two slashes, `//`",
            );
            return true;
        }
        if !self.at(T::Word) || !self.word().starts_with('/') || !self.begins_line() {
            return false;
        }
        let span = self.span_of(self.pos);
        let node = self.start(NodeKind::Error);
        while self.pos < self.kinds.len()
            && !(self.kinds[self.pos] == T::Space && self.text_of(self.pos).contains(['\n', '\r']))
        {
            // A brace counts wherever it stands: what is behind it is read again without this line.
            if matches!(self.kinds[self.pos], T::RBrace | T::LBrace) {
                break;
            }
            self.bump();
        }
        self.finish(node);
        let rest = self.kinds.get(self.pos).copied();
        let finding = self.error(span, "a comment begins with two slashes: `//`");
        if !matches!(rest, Some(T::RBrace | T::LBrace)) {
            finding.fixes.push(Fix::new("add the second slash", Span::at(span.start), "/", false));
        }
        true
    }

    /// Whether a comment to the end of the line as other languages have it comes next: their sign alone, and words behind it.
    pub(super) fn at_line_comment(&mut self) -> bool {
        if !self.at(T::Word) || !matches!(self.word(), "#" | "%" | "--" | ";" | "REM" | "<!--") {
            return false;
        }
        // `solve ; count` has a sign between two queries.
        let is_separator = matches!(self.word(), ";" | "%");
        let next = self.ahead(1).next().filter(|(_, new_line)| !new_line).map(|(i, _)| i);
        next.is_some_and(|i| self.kinds[i] == T::Word && !(is_separator && self.begins_item_at(i)))
    }

    /// Skips a comment to the end of the line, or to a brace, as other languages have it, and the lines behind it that begin with
    /// the same sign.
    fn line_comment(&mut self) {
        let node = self.start(NodeKind::Error);
        let first = self.pos;
        let sign = self.word().to_string();
        let ends = |p: &Self, i: usize| match p.kinds[i] {
            T::LBrace | T::RBrace => true,
            T::Space => p.text_of(i).contains(['\n', '\r']),
            _ => false,
        };
        let mut edits = Vec::new();
        let mut end = first;
        loop {
            edits.push(Edit { span: self.span_of(self.pos), text: "//".into() });
            end = (end + 1..self.kinds.len()).find(|&i| ends(self, i)).unwrap_or(self.kinds.len());
            self.take_to(end - 1);
            if sign == "<!--" && self.text_of(self.end - 1).ends_with("-->") {
                let last = self.span_of(self.end - 1).end;
                edits.push(Edit { span: Span::new(last - 3, last), text: String::new() });
            }
            let is_line =
                self.kinds.get(end) == Some(&T::Space) && self.text_of(end).matches('\n').count() < 2;
            if !(is_line && self.kinds.get(end + 1) == Some(&T::Word) && self.text_of(end + 1) == sign) {
                break;
            }
            self.peek();
            end += 1;
        }
        self.finish(node);
        let span = self.span_of(first).cover(self.span_of(self.end - 1));
        let is_whole = !matches!(self.kinds.get(end), Some(T::LBrace | T::RBrace));
        let message = "a comment begins with two slashes, `//`, and ends with its line";
        let mut finding = Finding::new(Code::Syntax, span, message);
        finding.fixes.extend(is_whole.then(|| Fix { title: "make it a comment".into(), edits, safe: false }));
        // An apostrophe within it opens no string.
        let unclosed = (first..end).find(|&i| self.kinds[i] == T::UnclosedString);
        match unclosed.and_then(|token| self.lexer_error(token)) {
            Some(at) => self.errors[at] = finding,
            None => self.errors.push(finding),
        }
    }

    /// Whether a comment as other languages have it comes next, `/* … */`.
    pub(super) fn at_other_comment(&mut self) -> bool {
        self.at(T::Word) && self.word().starts_with("/*")
    }

    /// Skips a comment between `/*` and `*/`, as other languages have it. Of one with braces in it, or without an end, only the
    /// first line is skipped, and its last one for itself: a puzzle between them is read.
    pub(super) fn other_comment(&mut self) {
        let node = self.start(NodeKind::Error);
        let first = self.pos;
        let ends_line = |&i: &usize| match self.kinds[i] {
            T::RBrace | T::LBrace => true,
            T::Space => self.text_of(i).contains(['\n', '\r']),
            T::Word => matches!(self.keyword_at(i), Some(Keyword::Game(_))),
            _ => false,
        };
        // The lexer makes one word of it, where it can.
        let end = match self.text_of(first).ends_with("*/") {
            true => first + 1,
            false => (first + 1..self.kinds.len()).find(ends_line).unwrap_or(self.kinds.len()),
        };
        while self.pos < end {
            self.bump();
        }
        let span = self.span_of(first).cover(self.span_of(self.end - 1));
        let fix = self.lines_of_comment(span);
        self.error(span, "a comment begins with two slashes, `//`, and ends with its line").fixes.extend(fix);
        self.finish(node);
    }

    /// Whether a word among the rows of a board is a misspelt keyword: it is near one, or an arrow follows it; and it
    /// has two different letters that are not pieces, of which only one could be the empty cell.
    pub(super) fn at_misspelt_item(&self) -> bool {
        // Reject nearly all rows at once.
        let whole = self.word();
        let in_keywords =
            |b: &u8| !b.is_ascii() || b.is_ascii_alphanumeric() || matches!(b, b';' | b':' | b'-');
        if !whole.as_bytes().iter().all(in_keywords) {
            return false;
        }
        // `solve;` is a keyword with the punctuation of other languages.
        let word = whole.trim_end_matches([';', ':']);
        if word.len() < whole.len() && Keyword::from_word(word).is_some() {
            return true;
        }
        let word = &*plain(word);
        if word.len() < whole.len() && Keyword::from_word(word).is_some() {
            return true;
        }
        let latin = in_latin(word);
        let word = latin.as_deref().unwrap_or(word);
        if !(3..=20).contains(&word.len()) || !word.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-') {
            return false;
        }
        // A hyphen may be the empty cell, or that of a custom property.
        let hyphens = word.bytes().filter(|b| *b == b'-').count();
        if hyphens > 2 || hyphens > 0 && (word.len() < 6 || is_custom_name(word)) {
            return false;
        }
        let mut odd =
            word.bytes().filter(|b| !b"KQRBNPMWkqrbnpmw-".contains(b)).map(|b| b.to_ascii_lowercase());
        let Some(first) = odd.next() else { return false };
        // A word before an answer is a query, whatever its spelling.
        let near = || nearest_keyword(word, |k| matches!(k, Keyword::Item(_))).is_some();
        odd.any(|b| b != first) && (self.second() == Some(T::Arrow) || near())
    }

    /// Whether the next word is one of those in which cpz prints answers, some of which are near keywords.
    pub(super) fn is_printed_word(&self) -> bool {
        const WORDS: &str = "none not true false legal illegal check checkmate checkmated mated stalemate stalemated \
                             solution solutions solved counted distinct more";
        let word = self.word().trim_end_matches(':');
        WORDS.split(' ').any(|w| w.eq_ignore_ascii_case(word))
    }
}

/// A part of the text in a message: quoted and shortened.
pub(super) fn shown(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() > 24 || line.len() < text.len() {
        format!("`{}…`", line.chars().take(24).collect::<String>().trim_end())
    } else {
        format!("`{line}`")
    }
}
