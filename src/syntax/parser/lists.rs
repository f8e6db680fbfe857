//! Lists, parsed without recursion.

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
                    if inner_is_unclosed && self.keyword().is_some() {
                        break;
                    }
                    self.bump();
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
        if let Some(&first) = unclosed.first() {
            let n = unclosed.len();
            let message = match n {
                1 => "this `[` is never closed".to_string(),
                _ => format!("this `[` and {} more after it are never closed", n - 1),
            };
            match n {
                ..=MAX_DEPTH => self.missing(self.span_of(first), message, "close it", &"]".repeat(n)),
                _ => drop(self.error(self.span_of(first), message)),
            }
        }
        if let Some(token) = too_deep {
            self.error(self.span_of(token), format!("lists are nested deeper than {MAX_DEPTH} levels here"));
        }
    }
}
