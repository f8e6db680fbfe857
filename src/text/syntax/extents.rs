//! How far the tokens reach whose end depends on more than one character.

use crate::syntax::keywords::{Keyword, is_custom_name};
use crate::syntax::spelling::is_invisible;
use crate::syntax::typography::full_width;

/// The number of bytes of `rest` that continue a word.
pub(super) fn word_rest(rest: &str) -> usize {
    let ends = |c: char| {
        c.is_whitespace()
            || matches!(c, '\0'..='\x08' | '\x0E'..='\x1F' | '\x7F')
            || matches!(c, '"' | '\'' | '[' | ']' | '{' | '}' | '(' | ')' | ',' | '\u{FEFF}')
            || !c.is_ascii() && (is_invisible(c) || full_width(c).is_some())
    };
    let mut chars = rest.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        if ends(c) || c == '=' && chars.peek().is_some_and(|&(_, d)| d == '>') {
            return i;
        }
    }
    rest.len()
}

/// The number of bytes of `rest` before the end of its first line.
pub(super) fn line_rest(rest: &str) -> usize {
    rest.bytes().position(|b| b == b'\n' || b == b'\r').unwrap_or(rest.len())
}

/// The length of a string after its opening quote, and whether it is closed.
pub(super) fn string_rest(rest: &str, quote: u8, has_lines: bool) -> (usize, bool) {
    let stop = rest.bytes().position(|b| b == quote || b == b'\n' || b == b'\r');
    let Some(stop) = stop else { return (rest.len(), false) };
    if rest.as_bytes()[stop] == quote {
        return (stop + 1, true);
    }
    if has_lines {
        // Only the string of a board and the solution of a problem may span lines, and never a brace: so an unclosed
        // quote cannot swallow the puzzles below it. A quote behind a keyword opens the string of that keyword.
        let end = rest.bytes().position(|b| b == quote || b == b'{' || b == b'}');
        if let Some(end) =
            end.filter(|&e| rest.as_bytes()[e] == quote && !opens_string_of_keyword(&rest[..e]))
        {
            return (end + 1, true);
        }
    }
    (stop, false)
}

/// Whether the last line of a text, which has several, begins with a keyword, and a quote behind it opens a string: `note `.
fn opens_string_of_keyword(text: &str) -> bool {
    let line = text.rsplit(['\n', '\r']).next().unwrap_or_default().trim_start_matches([' ', '\t']);
    let word = &line[..word_rest(line)];
    line.ends_with([' ', '\t', '[']) && (is_custom_name(word) || Keyword::all().any(|k| k.word() == word))
}

/// The length of a remark after its opening parenthesis, and the number of unclosed parentheses at its end.
pub(super) fn remark_rest(rest: &str) -> (usize, usize) {
    let mut depth = 1usize;
    for (i, b) in rest.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'\n' | b'\r' => return (i, depth),
            _ => {}
        }
        if depth == 0 {
            return (i + 1, 0);
        }
    }
    (rest.len(), depth)
}
