//! Scalars in quotes.

struct Quoted<'t> {
    text: &'t str,
    at: usize,
    broken: bool,
}

/// A scalar in quotes that was read.
pub(super) struct Scalar {
    /// Its text.
    pub text: String,
    /// Where it ends.
    pub end: usize,
    /// Whether its quote is closed.
    pub is_closed: bool,
}

/// Reads the scalar whose quote stands at a byte of a text.
pub(super) fn read_quoted(text: &str, at: usize) -> Scalar {
    let mut quoted = Quoted { text, at, broken: false };
    let text = match quoted.rest().starts_with('"') {
        true => quoted.double_quoted(),
        false => quoted.single_quoted(),
    };
    Scalar { text, end: quoted.at, is_closed: !quoted.broken }
}

impl<'t> Quoted<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Appends the line break of a quoted scalar: a space, or as many breaks as there are blank lines.
    fn fold(&mut self, out: &mut String) {
        let kept = out.trim_end_matches([' ', '\t']).len();
        out.truncate(kept);
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let breaks = rest[..blank].matches('\n').count();
        self.at += blank;
        out.push_str(&if breaks > 1 { "\n".repeat(breaks - 1) } else { " ".to_string() });
    }

    fn single_quoted(&mut self) -> String {
        self.at += 1;
        let mut out = String::new();
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\'' if self.rest().starts_with("''") => {
                    out.push('\'');
                    self.at += 2;
                }
                '\'' => {
                    self.at += 1;
                    return out;
                }
                '\r' | '\n' => self.fold(&mut out),
                _ => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        self.broken = true;
        out
    }

    fn double_quoted(&mut self) -> String {
        self.at += 1;
        let mut out = String::new();
        while let Some(c) = self.rest().chars().next() {
            match c {
                '"' => {
                    self.at += 1;
                    return out;
                }
                '\\' => self.escape(&mut out),
                '\r' | '\n' => self.fold(&mut out),
                _ => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        self.broken = true;
        out
    }

    /// Reads an escape of a double-quoted scalar. What is none stays as it is.
    fn escape(&mut self, out: &mut String) {
        self.at += 1;
        let Some(c) = self.rest().chars().next() else { return };
        self.at += c.len_utf8();
        match c {
            'n' => out.push('\n'),
            't' | '\t' => out.push('\t'),
            'r' => out.push('\r'),
            '"' | '\\' | '/' | ' ' => out.push(c),
            '_' => out.push('\u{A0}'),
            'N' | 'L' | 'P' => out.push('\n'),
            '0' | 'a' | 'b' | 'e' | 'f' | 'v' => out.push(' '),
            'x' => self.hex(2, out),
            'u' => self.hex(4, out),
            'U' => self.hex(8, out),
            '\r' | '\n' => {
                let rest = self.rest();
                self.at = self.text.len() - rest.trim_start_matches(['\n', ' ', '\t']).len();
            }
            _ => out.extend(['\\', c]),
        }
    }

    /// Reads the digits of an escape; two that are a surrogate pair are one character.
    fn hex(&mut self, digits: usize, out: &mut String) {
        let number = |text: &str| text.get(..digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        let Some(first) = number(self.rest()) else { return out.push('\u{FFFD}') };
        self.at += digits;
        let second = self.rest().strip_prefix("\\u").and_then(number);
        let joined = match (first, second) {
            (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
                self.at += 2 + digits;
                0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00)
            }
            _ => first,
        };
        out.push(char::from_u32(joined).unwrap_or('\u{FFFD}'));
    }
}
