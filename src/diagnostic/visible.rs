//! Texts as they can be shown anywhere.

use std::borrow::Cow;

/// A text as it can be shown anywhere: control characters, but for line ends and tabs, those that turn the direction
/// of writing and those without width are written out, so that it steers no terminal and does not look like another text.
pub fn visible(text: &str) -> Cow<'_, str> {
    let unseen = |c: char| match c {
        '\n' | '\t' => false,
        '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}' => true,
        c => c.is_control(),
    };
    if !text.contains(unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match unseen(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}
