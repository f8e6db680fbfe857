//! Queries: verb, argument, arrow and answer.

use crate::diagnostic::{Edit, Fix, Span};
use crate::syntax::keywords::Verb;
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::parser::Parser;
use crate::syntax::tree::NodeKind;

impl Parser<'_> {
    pub(super) fn query(&mut self, verb: Verb) {
        let node = self.start(NodeKind::Query);
        let keyword = self.pos;
        self.bump();
        if verb == Verb::Move {
            self.argument(keyword);
        }
        let arrow = self.arrow();
        if arrow || self.at_list() || self.at_answer_word() {
            self.answer(arrow);
        }
        self.finish(node);
    }

    /// Whether the next word can only be an answer: then its arrow is missing.
    pub(super) fn at_answer_word(&mut self) -> bool {
        const WORDS: [&str; 8] =
            ["none", "true", "false", "legal", "illegal", "checkmate", "check", "stalemate"];
        self.at(T::Word)
            && (WORDS.iter().any(|w| w.eq_ignore_ascii_case(self.word()))
                || self.word().bytes().all(|b| b.is_ascii_digit()))
    }

    pub(super) fn argument(&mut self, keyword: usize) {
        if (self.at_string() || self.at_word()) && self.second() == Some(T::Comma) {
            // A list without brackets.
            let node = self.start(NodeKind::Error);
            let first = self.span_of(self.pos);
            while self.at_string() || self.at_word() {
                self.bump();
                if self.at(T::Comma) {
                    self.bump();
                }
            }
            let span = first.cover(self.span_of(self.end - 1));
            let edits = [(span.start, "["), (span.end, "]")];
            let edits = edits.map(|(at, text)| Edit { span: Span::at(at), text: text.into() }).to_vec();
            let fix = Fix { title: "put it in brackets".into(), edits, safe: true };
            let fix = (!self.ends_open()).then_some(fix);
            self.error(span, "a move with commas needs brackets around it").fixes.extend(fix);
            self.finish(node);
        } else if self.at_list() || self.at_value() && self.arrow_by_mistake().is_none() {
            let node = self.start(NodeKind::Argument);
            if self.at_list() {
                self.list();
            } else {
                self.spelled_move();
            }
            self.finish(node);
        } else if self.at_string() {
            let node = self.start(NodeKind::Argument);
            let (span, word) = (self.span_of(self.pos), self.word());
            let bare = word.trim_matches(['"', '\'']);
            let is_move = |c: char| c.is_ascii_alphanumeric() || "+-#=!?".contains(c);
            let safe = !bare.is_empty() && bare.chars().all(is_move);
            // A space keeps separate what the quotes separated.
            let space = |i: usize| if self.kinds.get(i).is_none_or(|&k| k == T::Space) { "" } else { " " };
            let bare = format!("{}{bare}{}", space(self.pos - 1), space(self.pos + 1));
            let fix = Fix::new("remove the quotes", span, bare, safe);
            self.error(span, "write a move without quotes, as in `move Rh2`, or as a list").fixes.push(fix);
            self.bump();
            self.finish(node);
        } else {
            let message = "`move` needs a move after it: `[\"W\",\"R\",8,2]`, `h1h2` or `Rh2`";
            self.error(self.span_of(keyword), message);
        }
    }

    /// A move as text: perhaps its number before it (`1. Rd8`), perhaps words behind it (`exd6 e.p.`, `exd8 (Q)`).
    fn spelled_move(&mut self) {
        let is_number =
            |word: &str| word.ends_with(['.', '…']) && word.starts_with(|c: char| c.is_ascii_digit());
        while is_number(self.word()) {
            self.bump();
            if !self.at_word() {
                return;
            }
        }
        if self.word().chars().all(|c| matches!(c, '.' | '…')) {
            self.bump();
            if !self.at_word() {
                return;
            }
        }
        self.bump();
        let says_en_passant =
            |word: &str| matches!(word.trim_end_matches(['+', '#', '!', '?']), "e.p." | "ep." | "e.p" | "ep");
        if self.at(T::Word) && says_en_passant(self.word()) {
            self.bump();
        }
        let is_piece = |remark: &str| {
            let mut letters = remark.trim_matches(['(', ')', '=']).chars();
            letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.next().is_none()
        };
        if self.at(T::Remark) && is_piece(self.word()) {
            self.bump();
            // `exd8(Q)+`
            if self.at(T::Word) && self.word().chars().all(|c| matches!(c, '+' | '#' | '!' | '?')) {
                self.bump();
            }
        }
    }

    pub(super) fn arrow(&mut self) -> bool {
        if self.eat(T::Arrow) {
            return true;
        }
        let Some(mut span) = self.arrow_by_mistake() else { return false };
        self.bump();
        // `==>` is a word and an arrow to the lexer.
        if self.kinds.get(self.pos) == Some(&T::Arrow) {
            span = span.cover(self.span_of(self.pos));
            self.bump();
        }
        let message = format!("an answer is written after `=>`, not `{}`", &self.text[span.range()]);
        self.error(span, message).fixes.push(Fix::new("replace with `=>`", span, "=>", true));
        true
    }

    /// The span of a word that was probably meant as an arrow.
    pub(super) fn arrow_by_mistake(&mut self) -> Option<Span> {
        let mistake =
            self.at(T::Word) && matches!(self.word(), "=" | "->" | "==" | "→" | "⇒" | ":" | "-" | "-->");
        mistake.then(|| self.span_of(self.pos))
    }

    pub(super) fn answer(&mut self, arrow: bool) {
        if !arrow {
            // A comment needs a space before it.
            let arrow = if self.kinds.get(self.end) == Some(&T::Space) { " =>" } else { " => " };
            let fix = (!self.ends_open()).then(|| Fix::new("insert `=>`", self.last_end(), arrow, true));
            self.error(self.span_of(self.pos), "an answer is written after `=>`").fixes.extend(fix);
        }
        if !(self.at_list() || self.at_string() || self.at_value()) {
            let span = self.span_of(self.end - 1);
            self.error(span, "`=>` needs an answer after it").fixes.push(Fix::new(
                "remove it",
                span,
                "",
                false,
            ));
        } else {
            let node = self.start(NodeKind::Answer);
            if self.at_list() {
                self.lists();
            } else if self.at_string() {
                self.bump();
            } else {
                self.bump();
                self.more_words(false);
            }
            self.finish(node);
        }
        if matches!(self.peek(), Some(T::Remark | T::UnclosedRemark)) {
            self.bump();
        }
    }
}
