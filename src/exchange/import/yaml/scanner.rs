//! Reads values: block style, brackets, and scalars without quotes.

use crate::import::yaml::lines::{indent, is_item, is_text_hash, key, without_comment};
use crate::import::yaml::quoted::read_quoted;
use crate::import::yaml::value::Yaml;

/// The deepest nesting of lists and maps.
const MAX_DEPTH: usize = 32;

pub(super) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
    /// What is wrong with the text, which is read as far as it goes.
    pub broken: Option<&'static str>,
}

impl<'t> Scanner<'t> {
    /// The reader of a part of a text.
    pub fn new(text: &'t str, at: usize, end: usize) -> Scanner<'t> {
        Scanner { text: &text[..end], at, depth: 0, broken: None }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn line(&self) -> &'t str {
        self.rest().split('\n').next().unwrap_or_default()
    }

    fn skip_spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches([' ', '\t']).len();
    }

    fn next_line(&mut self) {
        self.at += (self.line().len() + 1).min(self.rest().len());
    }

    /// Whether nothing but a comment is left of the line.
    fn is_line_end(&self) -> bool {
        let line = self.line().trim_start();
        line.is_empty() || line.starts_with('#') && !is_text_hash(line)
    }

    /// The value of a field, with all that is left of it.
    pub fn field_value(&mut self, base: isize) -> Yaml {
        self.skip_properties();
        let value = match self.block_header() {
            true => self.block_scalar(None),
            false => self.value(base),
        };
        let left = self.rest().lines().filter(|l| {
            let l = l.trim_start();
            !l.is_empty() && (!l.starts_with('#') || is_text_hash(l))
        });
        let left = left.collect::<Vec<_>>().join("\n");
        match value {
            _ if left.is_empty() => value,
            Yaml::Text(text) => Yaml::Text(format!("{text}\n{left}")),
            Yaml::Null => Yaml::Text(left),
            other => {
                self.broken.get_or_insert("its end cannot be read");
                other
            }
        }
    }

    /// Skips tags and anchors.
    fn skip_properties(&mut self) {
        loop {
            self.skip_spaces();
            let rest = self.rest();
            let is_tag = rest.starts_with('!')
                && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '!' | '<'));
            let is_anchor =
                rest.starts_with('&') && rest[1..].starts_with(|c: char| c.is_ascii_alphanumeric());
            if !is_tag && !is_anchor {
                return;
            }
            self.at += rest.find(char::is_whitespace).unwrap_or(rest.len());
        }
    }

    /// Whether a literal or folded block begins; its header is read then.
    fn block_header(&mut self) -> bool {
        let line = self.line().trim_end();
        let is_header = line.starts_with(['|', '>'])
            && line[1..].split(" #").next().unwrap_or_default().trim_end().len() <= 2
            && line[1..].chars().take_while(|c| *c != '#').all(|c| c.is_ascii_digit() || "+- \t".contains(c));
        if is_header {
            self.next_line();
        }
        is_header
    }

    /// The lines of a block scalar: those that are indented deeper than `parent`, or all that there are.
    fn block_scalar(&mut self, parent: Option<isize>) -> Yaml {
        let mut out = String::new();
        while !self.rest().is_empty() {
            let line = self.line();
            let is_blank = line.trim().is_empty();
            if !is_blank && parent.is_some_and(|parent| indent(line) as isize <= parent) {
                break;
            }
            out.push_str(line.trim_end());
            out.push('\n');
            self.next_line();
        }
        Yaml::Text(out)
    }

    /// A value whose parent has an indent.
    fn value(&mut self, parent: isize) -> Yaml {
        if self.depth == MAX_DEPTH {
            self.broken = Some("it is nested too deep");
            self.at = self.text.len();
            return Yaml::Null;
        }
        self.depth += 1;
        self.skip_properties();
        let value = match self.rest().as_bytes().first() {
            _ if self.is_line_end() => self.nested(parent),
            Some(b'"' | b'\'') => Yaml::Text(self.quoted()),
            Some(b'[' | b'{') => self.flow(),
            Some(b'|' | b'>') if self.block_header() => self.block_scalar(Some(parent)),
            _ => self.plain(parent),
        };
        self.depth -= 1;
        value
    }

    /// A value on the lines below.
    fn nested(&mut self, parent: isize) -> Yaml {
        let before = self.at;
        self.skip_blank_lines();
        let line = self.line();
        let indent = indent(line) as isize;
        let body = line.trim_start();
        let is_item = is_item(body);
        if body.is_empty() || indent < parent || indent == parent && !is_item {
            self.at = before;
            return Yaml::Null;
        }
        if is_item {
            return self.sequence(indent);
        }
        if key(line).is_some() {
            return self.mapping(indent);
        }
        self.skip_spaces();
        self.value(parent)
    }

    /// Goes to the start of the next line that is not blank and no comment.
    fn skip_blank_lines(&mut self) {
        if self.at > 0 && !self.text[..self.at].ends_with('\n') {
            self.next_line();
        }
        while !self.rest().is_empty() && self.is_line_end() {
            self.next_line();
        }
    }

    fn sequence(&mut self, indent_of_items: isize) -> Yaml {
        let mut items = Vec::new();
        while !self.rest().is_empty() {
            let line = self.line();
            if indent(line) as isize != indent_of_items || !is_item(line.trim_start()) {
                break;
            }
            self.at += line.find('-').map_or(0, |at| at + 1);
            let body = self.line();
            let column = indent_of_items + 1 + indent(body) as isize;
            let item = match key(body) {
                Some(_) => self.mapping(column),
                None => self.value(indent_of_items),
            };
            items.push(self.with_leftover(item));
            self.skip_blank_lines();
        }
        Yaml::List(items)
    }

    /// A map whose keys have an indent; the first key may stand behind a dash.
    fn mapping(&mut self, indent_of_keys: isize) -> Yaml {
        let mut entries = Vec::new();
        let mut is_first = true;
        while !self.rest().is_empty() {
            let line = self.line();
            if !is_first && indent(line) as isize != indent_of_keys {
                break;
            }
            is_first = false;
            let Some((name, len)) = key(line) else { break };
            self.at += len;
            let value = self.value(indent_of_keys);
            entries.push((name, self.with_leftover(value)));
            self.skip_blank_lines();
        }
        Yaml::Map(entries)
    }

    /// Adds to a text what stands behind it on its line, where a quote ended early.
    fn with_leftover(&mut self, value: Yaml) -> Yaml {
        if self.at > 0 && self.text[..self.at].ends_with('\n') || self.is_line_end() {
            return value;
        }
        let left = self.line().trim();
        self.next_line();
        match value {
            Yaml::Text(text) => Yaml::Text(format!("{text} {left}")),
            other => {
                self.broken.get_or_insert("its end cannot be read");
                other
            }
        }
    }

    /// A scalar without quotes, which goes on in lines that are indented deeper than its parent.
    fn plain(&mut self, parent: isize) -> Yaml {
        let mut text = without_comment(self.line()).trim().to_string();
        self.next_line();
        let mut breaks = 0;
        while !self.rest().is_empty() {
            let line = self.line();
            let body = without_comment(line).trim();
            if body.is_empty() {
                breaks += 1;
            } else if indent(line) as isize <= parent {
                break;
            } else {
                text.push_str(&if breaks > 0 { "\n".repeat(breaks) } else { " ".to_string() });
                text.push_str(body);
                breaks = 0;
            }
            self.next_line();
        }
        match text.as_str() {
            "~" | "null" | "" => Yaml::Null,
            _ => Yaml::Text(text),
        }
    }

    fn quoted(&mut self) -> String {
        let scalar = read_quoted(self.text, self.at);
        self.at = scalar.end;
        if !scalar.is_closed {
            self.broken = Some("its quote is not closed");
        }
        scalar.text
    }

    fn skip_flow_space(&mut self) {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            let is_comment = self.rest().starts_with('#') && !is_text_hash(self.rest());
            if !is_comment || self.rest().is_empty() {
                return;
            }
            self.next_line();
        }
    }

    /// A list or map in brackets.
    pub fn flow(&mut self) -> Yaml {
        if self.depth == MAX_DEPTH {
            self.broken = Some("it is nested too deep");
            self.at = self.text.len();
            return Yaml::Null;
        }
        self.depth += 1;
        let is_map = self.rest().starts_with('{');
        self.at += 1;
        let (mut items, mut entries) = (Vec::new(), Vec::new());
        loop {
            self.skip_flow_space();
            match self.rest().chars().next() {
                None => {
                    self.broken.get_or_insert("its bracket is not closed");
                    break;
                }
                Some(']' | '}') => {
                    self.at += 1;
                    break;
                }
                Some(',') => self.at += 1,
                Some(_) => {
                    let first = self.flow_value();
                    self.skip_flow_space();
                    let value = self.rest().starts_with(':').then(|| {
                        self.at += 1;
                        self.flow_value()
                    });
                    match (is_map, value) {
                        (true, value) => entries.push((first.in_words(), value.unwrap_or(Yaml::Null))),
                        (false, None) => items.push(first),
                        (false, Some(value)) => items.push(Yaml::Map(vec![(first.in_words(), value)])),
                    }
                }
            }
        }
        self.depth -= 1;
        if is_map { Yaml::Map(entries) } else { Yaml::List(items) }
    }

    fn flow_value(&mut self) -> Yaml {
        self.skip_flow_space();
        self.skip_properties();
        match self.rest().chars().next() {
            Some('"' | '\'') => Yaml::Text(self.quoted()),
            Some('[' | '{') => self.flow(),
            _ => self.flow_plain(),
        }
    }

    fn flow_plain(&mut self) -> Yaml {
        let rest = self.rest();
        let ends = |(at, c): (usize, char)| {
            let behind = &rest[at + c.len_utf8()..];
            let ends_key =
                c == ':' && (behind.is_empty() || behind.starts_with([' ', '\n', '\r', ',', '[', '{', '"']));
            (matches!(c, ',' | '[' | ']' | '{' | '}') || ends_key).then_some(at)
        };
        let len = rest.char_indices().find_map(ends).unwrap_or(rest.len());
        self.at += len;
        let text = rest[..len].split_whitespace().collect::<Vec<_>>().join(" ");
        match text.as_str() {
            "" | "null" | "~" => Yaml::Null,
            _ => Yaml::Text(text),
        }
    }
}
