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

/// The longest comment of another language, in bytes: an end is not looked for in the whole rest of a text for each beginning.
const MAX_OTHER_COMMENT: usize = 4_000;

/// The number of bytes of `rest` up to the `*/` that ends a comment; 0 where a brace or nothing ends it.
pub(super) fn other_comment_rest(rest: &str) -> usize {
    let near = &rest.as_bytes()[..rest.len().min(MAX_OTHER_COMMENT)];
    let ends = |pair: &[u8]| pair == b"*/" || matches!(pair[0], b'{' | b'}');
    near.windows(2).position(ends).filter(|&at| near[at] == b'*').map_or(0, |at| at + 2)
}

/// Whether a line has the letters of the files below a board: `a b c d`.
fn names_files(line: &str) -> bool {
    let mut letters = line.chars().filter(|c| !c.is_whitespace()).zip('a'..='z').peekable();
    letters.peek().is_some() && letters.all(|(letter, name)| letter == name)
}

/// Whether a line names a level of a cube: `level II`.
fn is_name_of_level(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("level")) && words.count() < 2
}

/// The length of the rows of a board behind a quote that nothing closes: lines of as many cells each, behind which the puzzle
/// ends or a line begins with a keyword. Nothing for other texts.
pub(super) fn unclosed_rows(rest: &str) -> Option<usize> {
    let is_keyword = |word: &str| Keyword::from_word(word).is_some() || is_custom_name(word);
    let cells = |line: &str| {
        let is_cell = |c: char| c.is_ascii_alphanumeric() || " \t.-*_/#".contains(c);
        line.chars().all(is_cell).then(|| line.split_whitespace().map(str::len).sum::<usize>())
    };
    let (mut end, mut first, mut rows) = (0, None, 0);
    for line in rest.split_inclusive(['\n', '\r']) {
        let at = line.as_ptr() as usize - rest.as_ptr() as usize;
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let word = text.split_whitespace().next().unwrap_or_default();
        if at > 0 && (text.starts_with(['{', '}']) || is_keyword(word)) {
            return (rows > 1).then_some(end);
        }
        // What is behind the brace of a puzzle must not count.
        if text.contains(['{', '}']) {
            return None;
        }
        if text.starts_with("//") {
            continue;
        }
        let line = line.split(" //").next().unwrap_or(line);
        if is_name_of_level(line) {
            continue;
        }
        if rows > 0 && names_files(line) {
            end = at + line.trim_end().len();
            continue;
        }
        let cells = cells(line.trim())?;
        if *first.get_or_insert(cells) != cells || cells < 2 {
            return None;
        }
        (end, rows) = (at + line.trim_end().len(), rows + 1);
    }
    (rows > 1).then_some(end)
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

/// Whether the text behind a parenthesis is that of a list, as Python writes tuples: `3,3,'N')` and `(2,0),(1,1))`. A remark
/// has words of more than one letter.
pub(super) fn is_tuple(inner: &str) -> bool {
    let inner = inner.trim_end_matches(')');
    let mut parts = inner.split(',').map(|part| part.trim_matches(|c: char| c == ' ' || "()[]".contains(c)));
    let is_quoted =
        |part: &str| part.len() > 1 && part.starts_with(['"', '\'']) && part.ends_with(['"', '\'']);
    let is_short =
        |part: &str| part.len() < 3 && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    inner.contains(',')
        && inner.contains(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\''))
        && parts.all(|part| !part.is_empty() && (is_short(part) || is_quoted(part)))
}

/// The longest rest of a line, in bytes, in which a second quote is looked for.
const MAX_QUOTED_LINE: usize = 1_000;

/// The length of a text on one line that begins with a second quote, `""Bohemia, 1923"`: up to its end, and behind the first
/// quote. As two texts, one of them empty, the quotes of the line would be no pairs.
pub(super) fn doubled_quote(rest: &str, quote: u8) -> Option<usize> {
    let inner =
        rest.strip_prefix(char::from(quote)).filter(|inner| inner.starts_with(char::is_alphanumeric))?;
    // What is behind a brace may change without this part being read again, and a long line is not read for each of its quotes.
    let mut bytes = inner.bytes().take(MAX_QUOTED_LINE);
    let length = bytes.position(|byte| matches!(byte, b'\n' | b'\r' | b'{' | b'}'));
    let line = &inner[..length.or((inner.len() < MAX_QUOTED_LINE).then_some(inner.len()))?];
    let end = line.find(char::from(quote))?;
    let behind = &line[end + 1..];
    let ends = behind.chars().next().is_none_or(|c| c.is_whitespace() || ",])}".contains(c));
    let are_pairs = behind.matches(char::from(quote)).count().is_multiple_of(2);
    (ends && are_pairs).then_some(1 + end + 1)
}
