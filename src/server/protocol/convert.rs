//! Byte offsets and plain data ↔ the protocol's positions and types, in one place.

use ropey::{Rope, RopeSlice};
use tower_lsp::ls_types::{self as lsp, PositionEncodingKind};

use crate::diagnostic::Span;

/// What columns count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 units, which every client knows.
    #[default]
    Utf16,
}

impl Encoding {
    /// Bytes where the client offers them: they cost nothing.
    pub fn choose(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        let utf8 = offered.is_some_and(|kinds| kinds.contains(&PositionEncodingKind::UTF8));
        if utf8 { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// The offset of a position: beyond a line's end its end, beyond the last line the text's end, within a
/// character its beginning.
pub(crate) fn offset(rope: &Rope, position: lsp::Position, encoding: Encoding) -> u32 {
    let line = position.line as usize;
    if line >= rope.len_lines() {
        return rope.len_bytes() as u32;
    }
    let start = rope.line_to_byte(line);
    let content = without_end(rope.line(line));
    let column = position.character as usize;
    let char = match encoding {
        Encoding::Utf8 => content.byte_to_char(column.min(content.len_bytes())),
        Encoding::Utf16 => content.utf16_cu_to_char(column.min(content.len_utf16_cu())),
    };
    (start + content.char_to_byte(char)) as u32
}

/// A line without its end.
fn without_end(line: RopeSlice<'_>) -> RopeSlice<'_> {
    let mut end = line.len_chars();
    while end > 0 && matches!(line.char(end - 1), '\n' | '\r') {
        end -= 1;
    }
    line.slice(..end)
}

/// The position of an offset, clamped to the text.
pub(crate) fn position(rope: &Rope, offset: u32, encoding: Encoding) -> lsp::Position {
    let offset = (offset as usize).min(rope.len_bytes());
    let line = rope.byte_to_line(offset);
    let start = rope.line_to_byte(line);
    let character = match encoding {
        Encoding::Utf8 => offset - start,
        Encoding::Utf16 => {
            let units = |byte| rope.char_to_utf16_cu(rope.byte_to_char(byte));
            units(offset) - units(start)
        }
    };
    lsp::Position { line: line as u32, character: character as u32 }
}

/// The range of a span.
pub(crate) fn range(rope: &Rope, span: Span, encoding: Encoding) -> lsp::Range {
    lsp::Range { start: position(rope, span.start, encoding), end: position(rope, span.end, encoding) }
}

/// The span of a range; a range that ends before it starts is read the other way round.
pub(crate) fn span(rope: &Rope, range: lsp::Range, encoding: Encoding) -> Span {
    let (a, b) = (offset(rope, range.start, encoding), offset(rope, range.end, encoding));
    Span::new(a.min(b), a.max(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::LineIndex;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn positions_are_those_of_the_command_line_and_lead_back(
            text in "(\\PC|[\r\n\u{B}\u{C}\u{85}\u{2028}😀é]){0,300}", at in 0usize..400,
        ) {
            let rope = Rope::from_str(&text);
            let index = LineIndex::new(&text);
            let mut at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let there = position(&rope, at as u32, Encoding::Utf16);
            let here = index.position(&text, at as u32);
            prop_assert_eq!((there.line, there.character), (here.line, here.character));
            let within_end = at > 0 && text.as_bytes()[at - 1] == b'\r' && text.as_bytes().get(at) == Some(&b'\n');
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let back = offset(&rope, position(&rope, at as u32, encoding), encoding);
                prop_assert_eq!(back, if within_end { at as u32 - 1 } else { at as u32 });
            }
        }

        #[test]
        fn no_position_is_outside_or_within_a_character(
            text in "(\\PC|[\r\n😀é]){0,100}", line in 0u32..200, character in 0u32..200,
        ) {
            let rope = Rope::from_str(&text);
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                for character in [character, u32::MAX, i32::MAX as u32] {
                    let at = offset(&rope, lsp::Position { line, character }, encoding);
                    prop_assert!(text.is_char_boundary(at as usize));
                }
            }
        }
    }
}
