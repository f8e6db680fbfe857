//! Written answers as words: several words, a string of them, or a list of words and strings.

use crate::diagnostic::Span;
use crate::syntax::{Element, Value};

/// A word of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WrittenWord<'t> {
    /// The text without quotes and commas.
    pub text: &'t str,
    /// Its place.
    pub span: Span,
}

/// The words of an answer, between white space, commas and semicolons; nothing if a list is among its elements.
pub(crate) fn written_words<'t>(value: Value<'t>) -> Option<Vec<WrittenWord<'t>>> {
    let mut words = Vec::new();
    for element in value.elements() {
        let (Element::Word(token) | Element::String(token)) = element else { return None };
        let (text, span) = token.content();
        let separates = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
        for word in text.split(separates).filter(|word| !word.is_empty()) {
            let start = span.start + (word.as_ptr() as usize - text.as_ptr() as usize) as u32;
            words.push(WrittenWord { text: word, span: Span::new(start, start + word.len() as u32) });
        }
    }
    Some(words)
}

/// Words without the numbers of moves, `1.` and `1...`, also where they are joined to the move behind them, and without
/// the result of a game.
pub(crate) fn without_numbers(words: Vec<WrittenWord<'_>>) -> Vec<WrittenWord<'_>> {
    let is_result = |text: &str| matches!(text, "1-0" | "0-1" | "1/2-1/2" | "1-1" | "2-0" | "0-2" | "*");
    let bare = words.into_iter().filter_map(|word| {
        let digits = word.text.bytes().take_while(u8::is_ascii_digit).count();
        let dots = word.text[digits..].bytes().take_while(|&b| b == b'.').count();
        let (skip, rest) =
            if dots > 0 { (digits + dots, &word.text[digits + dots..]) } else { (0, word.text) };
        let span = Span::new(word.span.start + skip as u32, word.span.end);
        (!rest.is_empty() && !is_result(rest)).then_some(WrittenWord { text: rest, span })
    });
    bare.collect()
}
