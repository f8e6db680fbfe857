//! A puzzle as an importer makes it, and its text.

use std::fmt::Write;

use cpz_text::diagnostic::wrapped;
use cpz_text::syntax::{GameId, Keyword};

/// The columns that a line may have before its answer is broken.
const MAX_COLUMNS: usize = 88;

/// What stands before a line of a long answer.
const INDENT: &str = "\n    ";

/// A puzzle that was read from another format.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The game.
    pub game: GameId,
    /// Its name.
    pub name: Option<String>,
    /// The comment lines above it.
    pub comments: Vec<String>,
    /// Its properties, in the order in which they are written.
    pub properties: Vec<(String, Value)>,
    /// Its board.
    pub board: BoardText,
    /// Its queries.
    pub queries: Vec<QueryText>,
    /// What the format says and no property or query can say, kept in a note: one word for each kind, such as
    /// `condition`.
    pub kept: Vec<&'static str>,
    /// What is left out, by kind, such as clock times.
    pub left_out: Vec<&'static str>,
}

/// The value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A word, or a string where it is more than a word.
    Word(String),
    /// A string.
    Text(String),
    /// A list of words.
    List(Vec<String>),
    /// A value as the language writes it.
    Raw(String),
    /// A string made of what is kept because nothing else can say it.
    Kept(String),
}

/// A board as it is written behind `board`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardText {
    /// On the same line, such as a FEN.
    Inline(String),
    /// One line for each row, from the top.
    Rows(Vec<String>),
}

/// A query as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryText {
    /// The verb with its argument: `mate in 2`.
    pub question: String,
    /// The answer behind `=>`.
    pub answer: Option<Answer>,
}

/// A written answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Words: a move, or a line of moves.
    Words(String),
    /// A string: a solution with variations.
    Text(String),
    /// Several of them in a list: words.
    List(Vec<String>),
    /// Several strings in a list.
    Texts(Vec<String>),
    /// An answer as the language writes it, with a remark behind it.
    Raw(String),
}

impl Entry {
    /// A puzzle with a board alone.
    pub fn new(game: GameId, board: BoardText) -> Entry {
        Entry {
            game,
            name: None,
            comments: Vec::new(),
            properties: Vec::new(),
            board,
            queries: Vec::new(),
            kept: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Adds a property that is a string, unless it is empty.
    pub fn text(&mut self, name: &str, value: &str) {
        if !value.trim().is_empty() {
            self.properties.push((name.to_string(), Value::Text(value.trim().to_string())));
        }
    }

    /// Adds a property that is a string, or a list of them where there are several.
    pub fn texts(&mut self, name: &str, values: Vec<String>) {
        let mut values: Vec<String> = values.into_iter().filter(|value| !value.trim().is_empty()).collect();
        match values.len() {
            0 | 1 => self.text(name, &values.pop().unwrap_or_default()),
            _ => self.properties.push((name.to_string(), Value::List(values))),
        }
    }

    /// Adds a note that the format has, such as a comment.
    pub fn note(&mut self, kind: &'static str, text: &str) {
        if !text.trim().is_empty() {
            self.kept.push(kind);
            self.text("note", text);
        }
    }

    /// Adds a property that is a word, unless it is empty.
    pub fn word(&mut self, name: &str, value: &str) {
        if !value.trim().is_empty() {
            self.properties.push((name.to_string(), Value::Word(value.trim().to_string())));
        }
    }

    /// Keeps in a note what the language cannot say otherwise. `kind` names it in the summary: `condition`.
    pub fn keep(&mut self, kind: &'static str, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        self.kept.push(kind);
        let kept = self.properties.iter_mut().find_map(|(_, value)| match value {
            Value::Kept(kept) => Some(kept),
            _ => None,
        });
        match kept {
            Some(kept) => {
                kept.push_str("; ");
                kept.push_str(text);
            }
            None => self.properties.push(("note".to_string(), Value::Kept(text.to_string()))),
        }
    }

    /// Adds a query.
    pub fn ask(&mut self, question: impl Into<String>, answer: Option<Answer>) {
        self.queries.push(QueryText { question: question.into(), answer });
    }

    /// Appends the puzzle as the formatter writes it, with a line break at its end.
    pub fn write(&self, out: &mut String) {
        write_comments(&self.comments, out);
        out.push_str(self.game.word());
        if let Some(name) = self.name.as_deref().filter(|name| !name.trim().is_empty()) {
            out.push(' ');
            push_string(out, name);
        }
        out.push_str(" {\n");
        for (name, value) in &self.properties {
            out.push_str("  ");
            out.push_str(name);
            // A property that says something by being there has no value.
            if *value != Value::Raw(String::new()) {
                out.push(' ');
                push_value(out, value);
            }
            out.push('\n');
        }
        out.push_str("  board");
        match &self.board {
            BoardText::Inline(board) => {
                out.push(' ');
                out.push_str(board);
            }
            BoardText::Rows(rows) => {
                for row in rows {
                    out.push_str("\n    ");
                    out.push_str(row);
                }
            }
        }
        out.push('\n');
        for query in &self.queries {
            query.write(out);
        }
        out.push_str("}\n");
    }
}

/// Appends comment lines.
pub(super) fn write_comments(comments: &[String], out: &mut String) {
    let lines = comments.iter().flat_map(|comment| comment.split('\n'));
    for line in lines.map(str::trim) {
        out.push_str(if line.is_empty() { "//" } else { "// " });
        push_plain(out, line);
        out.push('\n');
    }
}

impl QueryText {
    fn write(&self, out: &mut String) {
        let start = out.len();
        out.push_str("  ");
        out.push_str(&self.question);
        if let Some(answer) = &self.answer {
            out.push_str(" =>");
            let column = out.len() - start;
            match answer {
                Answer::Raw(text) => {
                    out.push(' ');
                    out.push_str(text);
                }
                Answer::Words(words) if words.split_whitespace().all(is_answer_word) => {
                    push_wrapped(out, words, column, "");
                }
                // What cannot stand as words stands in quotes, on one line.
                Answer::Words(words) => {
                    out.push(' ');
                    push_string(out, words);
                }
                // Only the string of a problem may run over lines.
                Answer::Text(text) if matches!(self.question.as_str(), "win" | "draw") => {
                    out.push(' ');
                    push_string(out, text);
                }
                Answer::Text(text) => push_solution(out, text, column),
                Answer::List(words) => {
                    out.push_str(" [");
                    for (i, word) in words.iter().enumerate() {
                        out.push_str(if i > 0 { ", " } else { "" });
                        push_word(out, word, true);
                    }
                    out.push(']');
                }
                Answer::Texts(texts) => {
                    out.push_str(" [");
                    for (i, text) in texts.iter().enumerate() {
                        out.push_str(if i > 0 { ",\n    " } else { "\n    " });
                        push_string(out, text);
                    }
                    out.push_str("\n  ]");
                }
            }
        }
        out.push('\n');
    }
}

/// Appends words behind `=>`, on lines of their own if they are too long for this one.
fn push_wrapped(out: &mut String, text: &str, column: usize, quote: &str) {
    let lines = match column + 1 + text.chars().count() + 2 * quote.len() <= MAX_COLUMNS {
        true => wrapped(text, usize::MAX),
        false => wrapped(text, MAX_COLUMNS - INDENT.len() - quote.len()),
    };
    match lines.as_slice() {
        [only] => write!(out, " {quote}{only}{quote}"),
        // A quote stands on the line of the question, words stand below it.
        lines if quote.is_empty() => write!(out, "{INDENT}{}", lines.join(INDENT)),
        lines => write!(out, " {quote}{INDENT}{}{quote}", lines.join(INDENT)),
    }
    .unwrap_or_default();
}

/// Appends a solution as a string. It may run over lines, so that it must not have braces.
fn push_solution(out: &mut String, text: &str, column: usize) {
    let text = without_quotes(&plain(text));
    push_wrapped(out, &text.replace('{', "(").replace('}', ")"), column, "\"");
}

fn push_value(out: &mut String, value: &Value) {
    match value {
        Value::Text(text) | Value::Kept(text) => push_string(out, text),
        Value::Word(word) => push_word(out, word, false),
        Value::Raw(text) => out.push_str(text),
        Value::List(words) => {
            out.push('[');
            for (i, word) in words.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                push_word(out, word, true);
            }
            out.push(']');
        }
    }
}

/// Whether a word may stand without quotes. In a list no word is a keyword.
fn is_plain_word(word: &str, in_list: bool) -> bool {
    let is_special = |c: char| c.is_whitespace() || c.is_control() || "\"'[](){},".contains(c);
    !word.is_empty()
        && !word.contains(is_special)
        && !word.contains("=>")
        && !word.contains("//")
        && (in_list || Keyword::from_word(word).is_none())
        && word.is_ascii()
}

/// Whether a word may stand behind `=>`: one with a slash may be taken for a board, and one of signs alone is none.
fn is_answer_word(word: &str) -> bool {
    is_plain_word(word, false) && !word.contains('/') && word.contains(|c: char| c.is_ascii_alphanumeric())
}

/// Appends a word, as a string where the language would read it otherwise.
fn push_word(out: &mut String, word: &str, in_list: bool) {
    match is_plain_word(word, in_list) {
        true => out.push_str(word),
        false => push_string(out, word),
    }
}

/// Appends a string in the quotes that it does not have. A text with both has its double quotes written as `“` and `”`;
/// a text with curly quotes has its braces written as parentheses, since those would say that a quote was not closed.
pub(super) fn push_string(out: &mut String, text: &str) {
    let text = plain(text);
    let (quote, mut inner) = match (text.contains('"'), text.contains('\'')) {
        (true, false) => ('\'', text),
        (false, _) => ('"', text),
        (true, true) => ('"', without_quotes(&text)),
    };
    if inner.contains(['“', '”', '’']) {
        inner = inner.replace('{', "(").replace('}', ")");
    }
    out.push(quote);
    out.push_str(&inner);
    out.push(quote);
}

/// A text with its double quotes written as opening and closing ones.
fn without_quotes(text: &str) -> String {
    let mut open = true;
    let turned = text.chars().map(|c| {
        if c != '"' {
            return c;
        }
        open = !open;
        if open { '\u{201D}' } else { '\u{201C}' }
    });
    turned.collect()
}

/// A text on one line: a line break becomes a space, with the white space around it. Other control characters become U+FFFD,
/// so that one sees that something was there.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_plain(&mut out, text);
    out
}

fn push_plain(out: &mut String, text: &str) {
    let is_break = |c: char| c.is_whitespace() && c.is_control() && c != '\t';
    let shown = |c: char| if c.is_control() && c != '\t' { char::REPLACEMENT_CHARACTER } else { c };
    if !text.contains(is_break) {
        out.extend(text.chars().map(shown));
        return;
    }
    let lines = text.split(is_break).map(str::trim).filter(|line| !line.is_empty());
    for (i, line) in lines.enumerate() {
        out.push_str(if i > 0 { " " } else { "" });
        out.extend(line.chars().map(shown));
    }
}
