//! The words of Popeye's input: white space, commas and semicolons part them.

/// The words of a text, one after the other.
pub(in crate::import) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// The words of a text.
    pub fn new(text: &'t str) -> Tokens<'t> {
        Tokens { text, at: 0 }
    }

    /// The next word, which is not read yet. Empty at the end.
    pub fn peek(&self) -> &'t str {
        let rest = &self.text[self.start()..];
        &rest[..rest.find(parts).unwrap_or(rest.len())]
    }

    /// Reads the next word. Empty at the end.
    pub fn next(&mut self) -> &'t str {
        let word = self.peek();
        self.at = self.start() + word.len();
        word
    }

    /// Where the next word begins.
    pub fn start(&self) -> usize {
        self.text.len() - self.text[self.at..].trim_start_matches(parts).len()
    }

    /// The text behind the next word.
    pub fn after_next(&self) -> &'t str {
        &self.text[self.start() + self.peek().len()..]
    }

    /// Whether all words are read.
    pub fn is_done(&self) -> bool {
        self.start() == self.text.len()
    }

    /// Reads the rest of the line behind the last word.
    pub fn rest_of_line(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        self.at += line.len();
        line.trim_start_matches(parts).trim_end()
    }

    /// Whether the next word is a number, which is read then.
    pub fn skip_number(&mut self) -> bool {
        let word = self.peek();
        let is_number = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        if is_number {
            self.next();
        }
        is_number
    }
}

fn parts(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';')
}
