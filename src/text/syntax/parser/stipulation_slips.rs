//! Slips in the stipulation of a problem: each is one finding.

use crate::diagnostic::{Code, Edit, Finding, Fix, Span};
use crate::syntax::keywords::{Item, Keyword, Verb};
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::parser::problem::has_length;
use crate::syntax::stipulation::{is_square_name, nearest_short_form, short_form};
use crate::syntax::tree::NodeKind;

impl Parser<'_> {
    /// A short form that is near a known one, as in `hsr#3`, with its answer: one finding. Returns whether one was here.
    pub(super) fn unknown_short_form(&mut self) -> bool {
        if self.after_stray {
            return false;
        }
        let (span, word) = (self.span_of(self.pos), self.word());
        let finding = if let Some(meant) = nearest_short_form(word) {
            let message = format!("unknown stipulation `{word}`; did you mean `{meant}`?");
            let fix = Fix::new(format!("replace with `{meant}`"), span, meant, false);
            Finding::new(Code::UnknownKeyword, span, message).fix(fix)
        } else if word.len() > 1 && short_form(&format!("{word}2")).is_some() {
            Finding::new(Code::Syntax, span, format!("`{word}` needs the number of moves, as in `{word}2`"))
        } else if let Some(at) = wrong_square(word) {
            let message = format!("`{}` is no square", &word[at..at + 2]);
            let start = span.start + at as u32;
            Finding::new(Code::Syntax, Span::new(start, start + 2), message)
        } else {
            return false;
        };
        self.errors.push(finding);
        let node = self.start(NodeKind::Error);
        self.bump();
        if self.at(T::Word) && self.on_same_line() && has_length(self.word()) {
            self.bump();
        }
        if self.arrow() {
            self.answer(true);
        }
        self.finish(node);
        true
    }

    /// A word in front of a stipulation, as other programs write it, `stip h#3` or `stipulation: "#2"`: one finding. Returns whether
    /// one was here.
    pub(super) fn word_of_stipulation(&mut self) -> bool {
        if !self.at(T::Word) {
            return false;
        }
        let (word, first) = (self.word(), self.span_of(self.pos));
        let name = word.trim_end_matches([':', '=']);
        if !["stipulation", "stip"].iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return false;
        }
        let behind: Vec<(usize, bool)> = self.ahead(2).collect();
        let is_sign = |&&(i, _): &&(usize, bool)| matches!(self.text_of(i), ":" | "=" | ":=");
        let sign = behind.first().filter(is_sign).map(|&(i, _)| i);
        let Some(&(value, _)) = behind.get(usize::from(sign.is_some())) else { return false };
        if behind.iter().any(|&(i, new_line)| new_line && i <= value) {
            return false;
        }
        let (span, text) = (self.span_of(value), self.text_of(value));
        let title = |meant: &str| format!("write `{meant}` alone");
        let edit = |from, to| Edit { span: Span::new(from, to), text: String::new() };
        let before = edit(first.start, span.start);
        match self.kinds[value] {
            T::Word if matches!(self.keyword_at(value), Some(Keyword::Item(Item::Query(_)))) => {
                let message = format!("a stipulation stands alone: `{text}`, without `{name}`");
                let fix = Fix { title: title(text), edits: vec![before], safe: false };
                self.error(first, message).fixes.push(fix);
                self.error_tokens(sign.unwrap_or(self.pos) + 1 - self.pos);
            }
            T::String if short_form(text.trim_matches('"')).is_some() => {
                let meant = text.trim_matches('"');
                let message = format!("a stipulation stands alone and without quotes: `{meant}`");
                let edits = vec![edit(first.start, span.start + 1), edit(span.end - 1, span.end)];
                let fix = Fix { title: title(meant), edits, safe: false };
                let own = format!("x-{}", name.to_ascii_lowercase());
                let own =
                    Fix::new(format!("write `{own}` (if it is a field of your own)"), first, own, false);
                let has_own = name == word && sign.is_none();
                let fixes = &mut self.error(first.cover(span), message).fixes;
                fixes.push(fix);
                fixes.extend(has_own.then_some(own));
                self.error_tokens(value + 1 - self.pos);
                if self.arrow() {
                    self.answer(true);
                }
            }
            _ => return false,
        }
        true
    }

    /// Takes what is written behind the length of a problem in another way: `**` for one star, `2 sols` for `solutions 2`.
    pub(super) fn slip_behind_length(&mut self) {
        if self.at(T::Word) && self.on_same_line() && self.word() == "**" {
            let span = self.span_of(self.pos);
            let fix = Fix::new("replace with `*`", span, "*", false);
            self.error(span, "one `*` asks for the set play").fixes.push(fix);
            return self.error_tokens(1);
        }
        if self.at(T::Word) && self.on_same_line() && self.digits_of_plies() {
            return;
        }
        let first = self.pos;
        let mut next = (first..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia());
        let Some(mut number) = next.next().filter(|_| self.on_same_line()) else { return };
        if self.kinds[number] == T::Comma {
            let Some(behind) = next.next() else { return };
            number = behind;
        }
        let Some(last) = next.next().filter(|&i| [number, i].map(|i| self.kinds[i]) == [T::Word; 2]) else {
            return;
        };
        let digits = self.text_of(number);
        let is_number = digits.len() < 4 && digits.bytes().all(|b| b.is_ascii_digit());
        let of_solutions = matches!(
            self.text_of(last).trim_end_matches(['.', ',']),
            "sol" | "sols" | "solution" | "solutions"
        );
        if !is_number || !of_solutions || self.span_has_line_end(first, last) {
            return;
        }
        let from = self.starts[self.end];
        let span = self.span_of(number).cover(self.span_of(last));
        let words = format!("solutions {digits}");
        let message = format!("write how many solutions are meant as `{words}`");
        let fix =
            Fix::new(format!("replace with `{words}`"), Span::new(from, span.end), format!(" {words}"), true);
        self.error_tokens(last + 1 - self.pos);
        // Behind the words an answer would be one of the number.
        let fix = (!self.at(T::Arrow)).then_some(fix);
        self.error(span, message).fixes.extend(fix);
    }

    /// Takes the numbers of continuations without the points between them, `2111`, if they are next.
    fn digits_of_plies(&mut self) -> bool {
        let (word, span) = (self.word(), self.span_of(self.pos));
        let is_it = (2..12).contains(&word.len()) && word.bytes().all(|b| matches!(b, b'1'..=b'9'));
        let behind = self.ahead(1).next();
        if !is_it
            || behind.is_some_and(|(i, new_line)| !new_line && matches!(self.kinds[i], T::Word | T::Comma))
        {
            return false;
        }
        let meant = word.split("").filter(|digit| !digit.is_empty()).collect::<Vec<_>>().join(".");
        self.error_tokens(1);
        let fix = Fix::new(format!("replace with `{meant}`"), span, meant.clone(), false);
        let message = format!("a point parts the numbers of continuations: `{meant}`");
        self.error(span, message).fixes.push(fix);
        true
    }

    /// Takes the number of moves behind `win` or `draw`, which have none.
    pub(super) fn length_of_study(&mut self, verb: Verb) {
        if !self.at(T::Word) || !self.on_same_line() || self.word() != "in" {
            return;
        }
        let number = self.ahead(1).next().filter(|&(i, new_line)| !new_line && has_length(self.text_of(i)));
        let Some((number, _)) = number else { return };
        let (from, span) = (self.last_end().end, self.span_of(self.pos).cover(self.span_of(number)));
        // A verb that is misspelt may be another one, which has a number.
        let is_sure = self.text_of(self.end - 1) == verb.word();
        self.error_tokens(number + 1 - self.pos);
        let title = format!("remove `{}`", &self.text[span.range()]);
        let fix = is_sure.then(|| Fix::new(title, Span::new(from, span.end), "", false));
        self.error(span, format!("`{}` has no number of moves", verb.word())).fixes.extend(fix);
    }

    /// The strings behind the first one of an answer, where no brackets stand around them: one finding. A comma or `and` may
    /// stand between two on a line.
    pub(super) fn strings_without_brackets(&mut self, first: Span) {
        let at_between = |p: &mut Self| p.at(T::Comma) || p.at(T::Word) && matches!(p.word(), "and" | "or");
        // Nearly all answers end here.
        if !at_between(self) && !matches!(self.peek(), Some(T::String | T::RBracket)) {
            return;
        }
        let edit = |span, text: &str| Edit { span, text: text.into() };
        let mut edits = vec![edit(Span::at(first.start), "[")];
        let mut last = first;
        loop {
            let is_between = at_between(self);
            if is_between {
                let is_string = |&(i, _): &(usize, bool)| self.kinds[i] == T::String;
                if !self.on_same_line() || !self.ahead(1).next().as_ref().is_some_and(is_string) {
                    break;
                }
                if self.at(T::Word) {
                    edits.push(edit(Span::new(last.end, self.span_of(self.pos).end), ","));
                }
                self.bump();
                self.peek();
            } else if !self.at(T::String) || self.second() == Some(T::LBrace) {
                break;
            } else {
                edits.push(edit(Span::at(last.end), ","));
            }
            last = self.span_of(self.pos);
            self.bump();
        }
        // In a list a text ends on its line.
        let whole = first.cover(last);
        let is_on_lines = self.has_string_over_lines(whole);
        if self.at(T::RBracket) && self.on_same_line() {
            let fix = Fix::new("insert `[`", Span::at(first.start), "[", true);
            let finding = self.error(whole, "the `[` of this list is missing");
            finding.fixes.extend((!is_on_lines).then_some(fix));
            return self.bump();
        }
        if last == first {
            return;
        }
        edits.push(edit(Span::at(last.end), "]"));
        let message = "brackets stand around several texts of an answer: `[\"…\", \"…\"]`";
        // A string that is not closed may end elsewhere, so brackets around it may be wrong.
        let mut within = (0..self.end).rev().take_while(|&i| self.starts[i] >= whole.start);
        let safe = !within.any(|i| self.kinds[i] == T::UnclosedString);
        let fix = Fix { title: "put them in brackets".into(), edits, safe };
        self.error(whole, message).fixes.extend((!is_on_lines).then_some(fix));
    }

    /// Whether a string that ends before the next token, and begins within a span, goes over several lines.
    fn has_string_over_lines(&self, span: Span) -> bool {
        (0..self.end)
            .rev()
            .take_while(|&i| self.starts[i] >= span.start)
            .any(|i| self.kinds[i] == T::String && self.text_of(i).contains(['\n', '\r']))
    }

    /// Takes tokens as a node of an error.
    pub(super) fn error_tokens(&mut self, number: usize) {
        let node = self.start(NodeKind::Error);
        (0..number).for_each(|_| self.bump());
        self.finish(node);
    }

    fn span_has_line_end(&self, first: usize, last: usize) -> bool {
        self.text[self.starts[first] as usize..self.starts[last] as usize].contains(['\n', '\r'])
    }
}

/// Where the two characters stand that should be the square of an arrival: `e9` in `hze9`.
fn wrong_square(word: &str) -> Option<usize> {
    let at = word.find('z')? + 1;
    let square = word.get(at..at + 2)?;
    let is_meant = matches!(square.as_bytes(), [b'a'..=b'z', b'0'..=b'9']) && !is_square_name(square);
    let right = format!("{}e4{}", &word[..at], &word[at + 2..]);
    (is_meant && short_form(&right).is_some()).then_some(at)
}
