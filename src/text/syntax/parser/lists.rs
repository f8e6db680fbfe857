//! Lists, parsed without recursion.

use crate::diagnostic::Fix;
use crate::syntax::keywords::Keyword;
use crate::syntax::lexer::TokenKind as T;
use crate::syntax::limits::MAX_DEPTH;
use crate::syntax::parser::Parser;
use crate::syntax::parser::recovery::shown;
use crate::syntax::tree::NodeKind;

impl Parser<'_> {
    /// One or more lists, with or without commas between them.
    pub(super) fn lists(&mut self) {
        loop {
            self.list();
            if self.at(T::Comma) && matches!(self.second(), Some(T::LBracket | T::UnclosedLBracket)) {
                self.bump();
            }
            if !self.at_list() {
                break;
            }
        }
    }

    /// Whether the `]` that is next, which closes the outermost list, must be a `[`: it stands directly before a word or
    /// a string, where a list begins.
    fn means_opening(&self) -> bool {
        let begins = matches!(self.kinds[self.end - 1], T::Comma | T::LBracket | T::UnclosedLBracket);
        begins
            && match self.kinds.get(self.pos + 1) {
                Some(T::String) => true,
                Some(T::Word) => Keyword::from_word(self.text_of(self.pos + 1)).is_none(),
                _ => false,
            }
    }

    /// Whether the `[` that is next must be a `]`: no list can begin before what follows.
    fn means_closing(&self) -> bool {
        let mut ahead = (self.pos + 1..self.kinds.len()).filter(|&i| !self.kinds[i].is_trivia());
        let behind_element = matches!(self.kinds[self.end - 1], T::Word | T::String | T::RBracket);
        let next = ahead.next();
        match next.map(|i| self.kinds[i]) {
            Some(T::Comma) => behind_element,
            Some(T::RBracket) => matches!(self.kinds[self.end - 1], T::Word | T::String),
            None | Some(T::RBrace | T::Arrow) => behind_element,
            Some(T::Word) => {
                behind_element && next.is_some_and(|i| Keyword::from_word(self.text_of(i)).is_some())
            }
            _ => false,
        }
    }

    /// Reports that the next bracket should be the other one, and takes it.
    fn wrong_way_round(&mut self, meant: &str) {
        let span = self.span_of(self.pos);
        let message = format!("this `{}` is the wrong way round; write `{meant}`", self.word());
        let fix = Fix::new(format!("replace with `{meant}`"), span, meant, false);
        self.error(span, message).fixes.push(fix);
        self.bump();
    }

    /// One list with all inner lists. The lexer has marked the brackets that are never closed: such a list ends before
    /// a keyword, a brace or an arrow.
    pub(super) fn list(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        let mut unclosed: Vec<usize> = Vec::new();
        let mut too_deep = None;
        // Lists beyond the limit get no nodes: only their depth is counted.
        let mut beyond = 0usize;
        loop {
            match self.peek() {
                // With as many brackets of both kinds none is the wrong way round.
                Some(kind @ (T::LBracket | T::UnclosedLBracket))
                    if (kind == T::UnclosedLBracket || !unclosed.is_empty())
                        && !open.is_empty()
                        && beyond == 0
                        && self.means_closing() =>
                {
                    self.wrong_way_round("]");
                    // The lexer has counted this bracket and the one that it closes as never closed.
                    unclosed.truncate(unclosed.len().saturating_sub(2));
                    if let Some(node) = open.pop() {
                        self.finish(node);
                    }
                    if open.is_empty() {
                        break;
                    }
                }
                Some(T::RBracket) if open.len() == 1 && beyond == 0 && self.means_opening() => {
                    let node = self.start(NodeKind::List);
                    open.push(node);
                    self.wrong_way_round("[");
                }
                Some(kind @ (T::LBracket | T::UnclosedLBracket)) => {
                    if kind == T::UnclosedLBracket {
                        unclosed.push(self.pos);
                    }
                    if open.len() == MAX_DEPTH {
                        too_deep.get_or_insert(self.pos);
                        beyond += 1;
                    } else {
                        let node = self.start(NodeKind::List);
                        open.push(node);
                    }
                    self.bump();
                }
                Some(T::RBracket) => {
                    self.bump();
                    if beyond > 0 {
                        beyond -= 1;
                    } else if let Some(node) = open.pop() {
                        self.finish(node);
                    }
                    if open.is_empty() {
                        break;
                    }
                }
                None | Some(T::LBrace | T::RBrace | T::Arrow) => break,
                Some(T::Word) => {
                    // Inside closed brackets a keyword is an ordinary word.
                    let inner_is_unclosed = unclosed.len() == open.len() + beyond;
                    if inner_is_unclosed
                        && (self.begins_item() || self.begins_line() && self.at_misspelt_item())
                    {
                        break;
                    }
                    // Nearly no word begins with a slash.
                    match self.text.as_bytes()[self.starts[self.pos] as usize] == b'/'
                        && self.at_other_comment()
                    {
                        true => self.other_comment(),
                        false => self.bump(),
                    }
                }
                Some(T::Comma | T::String | T::UnclosedString) => self.bump(),
                Some(T::Remark | T::UnclosedRemark | T::RParen) => {
                    let span = self.span_of(self.pos);
                    let message = format!("{} is not allowed in a list", shown(self.word()));
                    self.error(span, message);
                    self.bump();
                }
                Some(T::Space | T::Comment | T::Control) => unreachable!("peek passes over trivia"),
            }
        }
        while let Some(node) = open.pop() {
            self.finish(node);
        }
        // A string that is not closed may have taken the bracket, and the lexer has reported it.
        if let Some(&first) = unclosed.first()
            && !self.is_in_open_text(first, ']')
        {
            let n = unclosed.len();
            let message = match n {
                1 => "this `[` is never closed".to_string(),
                _ => format!("this `[` and {} more after it are never closed", n - 1),
            };
            // Elsewhere the list goes on behind the word that ends it.
            let ends = matches!(self.kinds[self.end - 1], T::Word | T::String | T::RBracket);
            // `[[K,Q,R,B]` has lost a bracket, or has one too many: a list of one row and a row are not the same board.
            let brackets =
                self.kinds[first..self.end].iter().filter(|k| matches!(k, T::LBracket | T::UnclosedLBracket));
            let one_row = self.kinds[self.end - 1] == T::RBracket && brackets.count() == 2;
            // A line that nothing joins to the list may be a sentence, and what is wrong with the list itself may be more.
            let is_one = !self.has_loose_line(first) && !self.has_error_at(self.starts[first]);
            let evident = !one_row
                && ends
                && is_one
                && (!self.at(T::Word) || self.begins_line() || self.kinds[self.end - 1] == T::RBracket);
            match n {
                ..=MAX_DEPTH if evident => {
                    self.missing(self.span_of(first), message, "close it", &"]".repeat(n))
                }
                _ => drop(self.error(self.span_of(first), message)),
            }
        }
        if let Some(token) = too_deep {
            self.error(self.span_of(token), format!("lists are nested deeper than {MAX_DEPTH} levels here"));
        }
    }

    /// Whether a line of the list that begins with a token, and ends with the last one consumed, begins with a word behind another
    /// word, without a comma.
    fn has_loose_line(&self, first: usize) -> bool {
        let is_line = |&i: &usize| self.kinds[i] == T::Space && self.text_of(i).contains(['\n', '\r']);
        let ends = |i: usize| self.kinds[i - 1] == T::Word && self.kinds.get(i + 1) == Some(&T::Word);
        (first + 1..self.end).filter(is_line).any(ends)
    }

    /// Whether the lexer, or the parser just before, has reported something that begins at an offset.
    fn has_error_at(&self, start: u32) -> bool {
        let (lexed, parsed) = self.errors.split_at(self.lexed);
        let first = lexed.partition_point(|error| error.span.start < start);
        lexed.get(first).is_some_and(|error| error.span.start == start)
            || parsed.iter().rev().take(2).any(|error| error.span.start == start)
    }
}
