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
    // Nearly all texts are plain.
    let is_plain = |b: u8| matches!(b, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || !text.contains(unseen) {
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

/// A message for a place that shows plain text: [`visible`], and quotations of a file in ‘quotes’ instead of backticks.
pub fn plain(text: &str) -> Cow<'_, str> {
    let text = visible(text);
    if !text.contains('`') {
        return text;
    }
    let parts: Vec<&str> = text.split('`').collect();
    let mut out = String::with_capacity(text.len() + 2 * parts.len());
    for (i, part) in parts.iter().enumerate() {
        out.push_str(part);
        match (i + 1 == parts.len(), i % 2 == 0) {
            (true, _) => {}
            // The last one of an odd number quotes nothing, or what is cut off.
            (_, true) if i + 2 == parts.len() && !text.ends_with('…') => out.push('`'),
            (_, opens) => out.push(if opens { '‘' } else { '’' }),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn plain_text_has_quotes_instead_of_backticks() {
        assert_eq!(plain("say `none`, or `true`"), "say ‘none’, or ‘true’");
        assert_eq!(plain("` is alone"), "` is alone");
        assert_eq!(plain("`a` and `"), "‘a’ and `");
        assert_eq!(plain("one of `a`, `add black…"), "one of ‘a’, ‘add black…");
        assert_eq!(plain("a\u{202e}b"), "a\\u{202e}b");
        assert!(matches!(plain("as it is"), std::borrow::Cow::Borrowed(_)));
    }
}
