//! Texts that are safe to show.

use std::borrow::Cow;

/// A text that is safe to show: control characters except line ends and tabs, characters that change the writing
/// direction and characters without width are escaped. So the text cannot control a terminal or imitate another text.
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
