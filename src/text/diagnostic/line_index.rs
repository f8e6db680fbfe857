//! Conversion of byte offsets to lines and UTF-16 columns.

use crate::diagnostic::Span;

/// A position as editors count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// 0-based.
    pub line: u32,
    /// 0-based, in UTF-16 units from the line's start.
    pub character: u32,
}

/// How a text ends its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// `\r`
    Cr,
}

impl LineEnd {
    /// The characters.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
            LineEnd::Cr => "\r",
        }
    }

    /// The end of the line that holds a 0-based offset in bytes, so that only this line is read. The last line of a text has none: then
    /// as [`LineEnd::of`].
    ///
    /// # Panics
    /// If the offset is no boundary of a character.
    pub fn at(text: &str, offset: usize) -> LineEnd {
        let rest =
            &text.as_bytes()[offset + text[offset..].find(['\n', '\r']).unwrap_or(text.len() - offset)..];
        match rest {
            [b'\r', b'\n', ..] => LineEnd::CrLf,
            [b'\r', ..] => LineEnd::Cr,
            [b'\n', ..] => LineEnd::Lf,
            _ => LineEnd::of(text),
        }
    }

    /// The most frequent line end of a text; `\n` where it has none.
    pub fn of(text: &str) -> LineEnd {
        let (mut lf, mut crlf, mut cr) = (0usize, 0usize, 0usize);
        let mut bytes = text.bytes().peekable();
        while let Some(b) = bytes.next() {
            match b {
                b'\n' => lf += 1,
                b'\r' if bytes.peek() == Some(&b'\n') => {
                    bytes.next();
                    crlf += 1;
                }
                b'\r' => cr += 1,
                _ => {}
            }
        }
        if crlf > 0 && crlf >= lf && crlf >= cr {
            LineEnd::CrLf
        } else if cr > lf {
            LineEnd::Cr
        } else {
            LineEnd::Lf
        }
    }
}

/// The starts of the lines of a text. A line ends with `\n`, `\r\n` or a lone `\r`, as in LSP.
pub struct LineIndex {
    starts: Vec<u32>,
    /// The number of UTF-16 units before every [`STEP`]th byte; empty where all text is ASCII. It makes the cost of a
    /// look-up independent of the length of the line.
    units: Vec<u32>,
    /// The line of every [`PAGE`]th byte, so that a look-up in a long text reads two places of the memory, not twenty.
    pages: Vec<u32>,
    len: u32,
}

const STEP: usize = 256;

const PAGE: usize = 4096;

impl LineIndex {
    /// The index of a text shorter than 4 GiB.
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (i, &b) in bytes.iter().enumerate() {
            if b == b'\n' || b == b'\r' && bytes.get(i + 1) != Some(&b'\n') {
                starts.push(i as u32 + 1);
            }
        }
        let mut units = Vec::new();
        if !text.is_ascii() {
            let mut n = 0;
            for (i, &b) in bytes.iter().enumerate() {
                if i % STEP == 0 {
                    units.push(n);
                }
                n += utf16_of_lead(b);
            }
        }
        let mut pages = Vec::with_capacity(text.len() / PAGE + 1);
        for (line, &start) in starts.iter().enumerate() {
            // The pages that begin in the line before.
            while pages.len() * PAGE < start as usize {
                pages.push(line as u32 - 1);
            }
        }
        LineIndex { starts, units, pages, len: text.len() as u32 }
    }

    /// The number of lines; a text without a line end has one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The 0-based line of a byte.
    pub fn line(&self, offset: u32) -> u32 {
        let page = offset as usize / PAGE;
        let line = |page: usize| self.pages.get(page).map(|&line| line as usize);
        // Behind the last one there is only the last line.
        let from = line(page).unwrap_or(self.starts.len() - 1);
        let to = line(page + 1).map_or(self.starts.len(), |line| line + 1);
        (from + self.starts[from..to].partition_point(|&s| s <= offset)) as u32 - 1
    }

    /// The byte range of a 0-based line with its line end, clamped to the text.
    pub fn span(&self, line: u32) -> Span {
        let at = |l: u32| self.starts.get(l as usize).copied().unwrap_or(self.len);
        Span::new(at(line), at(line.saturating_add(1)))
    }

    /// The number of UTF-16 units before a byte.
    fn units_before(&self, text: &str, offset: u32) -> u32 {
        if self.units.is_empty() {
            return offset;
        }
        let step = (offset as usize / STEP).min(self.units.len() - 1);
        let rest = &text.as_bytes()[step * STEP..offset as usize];
        self.units[step] + rest.iter().map(|&b| utf16_of_lead(b)).sum::<u32>()
    }

    /// The position of a byte, clamped to the end of the text. `text` is the one that the index was made from.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let offset = offset.min(self.len);
        let line = self.line(offset);
        let start = self.starts[line as usize];
        Position { line, character: self.units_before(text, offset) - self.units_before(text, start) }
    }
}

/// The number of UTF-16 units of the character that starts with a UTF-8 byte; 0 for continuation bytes.
fn utf16_of_lead(b: u8) -> u32 {
    match b {
        0x80..=0xBF => 0,
        0xF0.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_of_long_texts_agree_with_a_scan(lengths in proptest::collection::vec(0usize..9000, 0..12)) {
            let text: String = lengths.iter().map(|&n| "x".repeat(n) + "\n").collect();
            let index = LineIndex::new(&text);
            for offset in (0..=text.len()).step_by(97).chain([PAGE, 2 * PAGE, text.len()]).filter(|&o| o <= text.len()) {
                let line = text.as_bytes()[..offset].iter().filter(|&&b| b == b'\n').count();
                prop_assert_eq!(index.line(offset as u32), line as u32);
            }
        }

        #[test]
        fn positions_agree_with_a_scan_of_the_text(text in "(\\PC|[\r\n😀é]){0,400}") {
            let index = LineIndex::new(&text);
            let (mut line, mut character) = (0, 0);
            let mut chars = text.char_indices().peekable();
            while let Some((i, c)) = chars.next() {
                prop_assert_eq!(index.position(&text, i as u32), Position { line, character });
                let next = chars.peek().map(|&(_, c)| c);
                if c == '\n' || c == '\r' && next != Some('\n') {
                    (line, character) = (line + 1, 0);
                } else {
                    character += c.len_utf16() as u32;
                }
            }
            prop_assert_eq!(index.position(&text, text.len() as u32), Position { line, character });
        }
    }
}
