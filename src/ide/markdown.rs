//! Markdown of hovers: escaping of text from files, and plain text for clients without Markdown.

use cpz_text::diagnostic::visible;

/// Escapes text from a file for a Markdown paragraph: it contains no markup and begins no block. Invisible
/// characters are spelled out.
pub(super) fn escape(text: &str) -> String {
    let text = &visible(text);
    let mut out = String::with_capacity(text.len());
    escape_to(&mut out, text.trim_start(), true);
    out
}

/// Escapes one of our messages for Markdown. Quotations of a file in backticks stay code.
pub(super) fn escape_message(text: &str) -> String {
    let text = &visible(text);
    let pieces: Vec<&str> = text.trim_start().split('`').collect();
    let closed = pieces.len() % 2 == 1;
    let mut out = String::with_capacity(text.len());
    for (i, piece) in pieces.iter().enumerate() {
        let is_code = i % 2 == 1 && (closed || i + 1 < pieces.len());
        match is_code {
            true if piece.trim().is_empty() => {
                out.push_str("\\`");
                out.push_str(&piece.replace(['\n', '\r'], " "));
                out.push_str("\\`");
            }
            true => {
                out.push('`');
                out.push_str(&piece.replace(['\n', '\r'], " "));
                out.push('`');
            }
            false => {
                if i % 2 == 1 {
                    out.push_str("\\`");
                }
                escape_to(&mut out, piece, i == 0);
            }
        }
    }
    out
}

fn escape_to(out: &mut String, text: &str, begins: bool) {
    let mut begins_number = begins;
    for (i, c) in text.char_indices() {
        let first = begins && i == 0;
        let marks = match c {
            '\n' | '\r' | '\t' => {
                out.push(' ');
                begins_number = false;
                continue;
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' => true,
            '#' | '+' | '-' | '=' => first,
            // `1.` and `1)` begin a list.
            '.' | ')' => begins_number && i > 0,
            _ => false,
        };
        if marks {
            out.push('\\');
        }
        out.push(c);
        begins_number &= c.is_ascii_digit();
    }
}

/// Messages as a Markdown list.
pub(super) fn bullets(lines: &[String]) -> String {
    lines.iter().map(|l| format!("- {}", escape_message(l))).collect::<Vec<_>>().join("\n")
}

/// The Markdown of a hover as plain text.
pub fn plain_text(markdown: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut fenced = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced || line.starts_with("    ") {
            lines.push(line.to_string());
        } else if line != "---" {
            lines.push(inline(line));
        }
    }
    lines.dedup_by(|a, b| a.is_empty() && b.is_empty());
    lines.join("\n").trim_end().to_string()
}

/// A line without emphasis and escapes; code keeps its backticks.
fn inline(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let mut next = c.len_utf8();
        match c {
            '\\' => {
                let escaped = rest[1..].chars().next().filter(char::is_ascii_punctuation);
                out.push(escaped.unwrap_or('\\'));
                next += escaped.map_or(0, char::len_utf8);
            }
            '*' if rest.starts_with("**") => next = 2,
            '`' => {
                let end = rest[1..].find('`').map_or(rest.len(), |end| end + 2);
                out.push_str(&rest[..end]);
                next = end;
            }
            c => out.push(c),
        }
        rest = &rest[next..];
    }
    out
}

/// An SVG picture as a Markdown image with a `data:` URL, so that no client fetches anything.
pub(super) fn image(svg: &str, alt_text: &str) -> String {
    format!("![{alt_text}](data:image/svg+xml;base64,{})", base64(svg.as_bytes()))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let n = chunk.iter().fold(0u32, |n, &b| n << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let letter = LETTERS[(n >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= chunk.len() { letter.into() } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn message_keeps_code_and_escapes_the_rest() {
        assert_eq!(escape_message("under `rules solo` *b1* (I)"), "under `rules solo` \\*b1\\* (I)");
        assert_eq!(escape_message("`[[1,2]]` and ` alone"), "`[[1,2]]` and \\` alone");
        assert_eq!(escape("- a"), "\\- a");
        assert_eq!(escape("12. a_b"), "12\\. a\\_b");
        assert_eq!(
            plain_text("**solve**: takes\n\n---\n\n```text\n*.*\n```\n\nx \\*y `\\*`\n"),
            "solve: takes\n\n*.*\n\nx *y `\\*`"
        );
    }

    #[test]
    fn base64_matches_rfc_4648() {
        for (plain, coded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    proptest! {
        /// Reading the Markdown as plain text gives the original, so nothing of it was markup.
        #[test]
        fn escaped_text_reads_as_the_original(text in r"([a-z0-9 *_\\`\[\]<>#.()+=~&|-]|\n|é){0,30}") {
            let line = text.trim_start().replace('\n', " ");
            prop_assume!(!line.is_empty());
            prop_assert_eq!(inline(&escape(&text)), line.clone());
            prop_assert_eq!(inline(&escape_message(&text)), line);
        }
    }
}
