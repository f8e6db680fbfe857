//! Document links: web addresses.

use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Element, Property, PropertyNode, Token, TokenKind, Tree};

/// The longest address in bytes; browsers reject longer ones.
const MAX_BYTES: usize = 2000;

/// The `http` and `https` addresses in comments and in the values of `source`, `author` and `note`, in order of
/// position.
pub fn links(tree: &Tree) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    for token in tree.tokens().filter(|t| t.kind() == TokenKind::Comment) {
        links_in(token, &mut found);
    }
    for node in tree.root().children() {
        for property in node.children().chain([node]).filter_map(PropertyNode::cast) {
            if !matches!(
                property.name(),
                Some(Property::Source | Property::Author | Property::Note | Property::Hint)
            ) {
                continue;
            }
            let Some(value) = property.value() else { continue };
            for element in value.elements() {
                if let Element::Word(token) | Element::String(token) = element {
                    links_in(token, &mut found);
                }
            }
        }
    }
    found.sort_by_key(|(s, _)| *s);
    found
}

fn links_in(token: Token<'_>, found: &mut Vec<(Span, String)>) {
    let (text, span) = token.content();
    let mut at = 0;
    while let Some(start) = text[at..].find("http").map(|i| at + i) {
        let rest = &text[start..];
        at = start + "http".len();
        let host = rest.strip_prefix("https://").or_else(|| rest.strip_prefix("http://"));
        let within_word = text[..start].ends_with(|c: char| c.is_alphanumeric());
        if within_word || !host.is_some_and(|h| h.starts_with(char::is_alphanumeric)) {
            continue;
        }
        let stop = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '<' | '>' | '`');
        let end = rest.find(stop).unwrap_or(rest.len());
        if end > MAX_BYTES {
            at = start + end;
            continue;
        }
        let url = trimmed(&rest[..end]);
        at = start + url.len();
        found.push((Span::new(span.start + start as u32, span.start + at as u32), url.to_string()));
    }
}

/// An address without the punctuation of the sentence around it. A closing bracket is kept if the address
/// contains its opening bracket.
fn trimmed(url: &str) -> &str {
    let mut url = url;
    while let Some(last) = url.chars().last() {
        let opening = match last {
            ')' => '(',
            ']' => '[',
            '}' => '{',
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '…' | '»' | '”' | '’' => ' ',
            _ => break,
        };
        if url.matches(opening).count() >= url.matches(last).count() {
            break;
        }
        url = &url[..url.len() - last.len_utf8()];
    }
    url
}
