//! What the lines of YAML look like: indents, keys, items, comments.

/// The columns between two stops of a tab.
const TAB: usize = 8;

/// The columns of white space before a line.
pub(super) fn indent(line: &str) -> usize {
    let mut column = 0;
    for c in line.chars() {
        match c {
            ' ' => column += 1,
            '\t' => column += TAB - column % TAB,
            _ => break,
        }
    }
    column
}

/// The key that a line begins with, and the length up to behind its colon.
pub(super) fn key(line: &str) -> Option<(String, usize)> {
    let body = line.trim_start_matches([' ', '\t']);
    let lead = line.len() - body.len();
    let quote = body.chars().next().filter(|c| matches!(c, '"' | '\''));
    let plain = body.trim_start_matches(['"', '\'']);
    let len =
        plain.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(plain.len());
    let name = &plain[..len];
    let mut end = lead + (body.len() - plain.len()) + len;
    if let Some(quote) = quote {
        end += line[end..].strip_prefix(quote).map(|_| 1)?;
    }
    let spaces = line[end..].len() - line[end..].trim_start_matches([' ', '\t']).len();
    let behind = line[end + spaces..].strip_prefix(':')?;
    let is_key = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && (behind.is_empty() || behind.starts_with(char::is_whitespace));
    is_key.then(|| (name.to_string(), end + spaces + 1))
}

/// Whether a text begins with a `#` that is no comment.
pub(super) fn is_text_hash(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

pub(super) fn is_item(body: &str) -> bool {
    body.strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// A line without the comment at its end.
pub(super) fn without_comment(line: &str) -> &str {
    let is_comment = |&(at, _): &(usize, &str)| {
        let before = &line[..at];
        (before.is_empty() || before.ends_with([' ', '\t'])) && !is_text_hash(&line[at..])
    };
    let end = line.match_indices('#').find(is_comment).map_or(line.len(), |(at, _)| at);
    &line[..end]
}
