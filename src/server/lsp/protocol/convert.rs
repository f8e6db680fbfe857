//! Byte offsets and types of `ide` ↔ positions and types of the protocol.

use ls_types::{self as lsp, PositionEncodingKind};
use ropey::{Rope, RopeSlice};

use cpz_ide::{CompletionKind, FoldKind, SymbolKind};
use cpz_text::diagnostic::Span;

/// The kind of the code action that applies all safe fixes.
pub(crate) const FIX_ALL: lsp::CodeActionKind = lsp::CodeActionKind::new("source.fixAll.cpz");
/// The kind of the code actions that insert the answers of a file.
pub(crate) const INSERT_ANSWERS: lsp::CodeActionKind = lsp::CodeActionKind::new("source.insertAnswers.cpz");
/// The kind of the code actions that sort the puzzles of a file.
pub(crate) const SORT_PUZZLES: lsp::CodeActionKind = lsp::CodeActionKind::new("source.sortPuzzles.cpz");
/// The kind of the code actions that convert a board, so that a client can ask for them alone.
pub(crate) const CONVERT_BOARD: lsp::CodeActionKind = lsp::CodeActionKind::new("refactor.rewrite.convert");

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, which every client must support.
    #[default]
    Utf16,
}

impl Encoding {
    /// The name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// The byte offset of a position. A position after the end of a line is at the end of that line; after the
/// last line, at the end of the text; within a character, at its start.
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

/// A line without its line break.
fn without_end(line: RopeSlice<'_>) -> RopeSlice<'_> {
    let mut end = line.len_chars();
    while end > 0 && matches!(line.char(end - 1), '\n' | '\r') {
        end -= 1;
    }
    line.slice(..end)
}

/// The position of a byte offset, clamped to the text.
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

/// The span of a range. The ends of a reversed range are swapped.
pub(crate) fn span(rope: &Rope, range: lsp::Range, encoding: Encoding) -> Span {
    let (a, b) = (offset(rope, range.start, encoding), offset(rope, range.end, encoding));
    Span::new(a.min(b), a.max(b))
}

/// The format of a text for the user.
pub(crate) fn markup_kind(markdown: bool) -> lsp::MarkupKind {
    if markdown { lsp::MarkupKind::Markdown } else { lsp::MarkupKind::PlainText }
}

pub(crate) fn completion_kind(kind: CompletionKind) -> lsp::CompletionItemKind {
    match kind {
        CompletionKind::Keyword => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Snippet => lsp::CompletionItemKind::SNIPPET,
        CompletionKind::Piece => lsp::CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Square => lsp::CompletionItemKind::CONSTANT,
        CompletionKind::Value | CompletionKind::Answer => lsp::CompletionItemKind::VALUE,
        CompletionKind::Move => lsp::CompletionItemKind::EVENT,
    }
}

pub(crate) fn symbol_kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Puzzle => lsp::SymbolKind::CLASS,
        SymbolKind::Board => lsp::SymbolKind::ARRAY,
        SymbolKind::Query => lsp::SymbolKind::METHOD,
    }
}

pub(crate) fn folding_kind(kind: FoldKind) -> Option<lsp::FoldingRangeKind> {
    match kind {
        FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
        _ => None,
    }
}

/// The kind of an occurrence of a name or square that the text defines (`is_definition`) or uses.
pub(crate) fn highlight_kind(is_definition: bool) -> lsp::DocumentHighlightKind {
    match is_definition {
        true => lsp::DocumentHighlightKind::WRITE,
        false => lsp::DocumentHighlightKind::READ,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cpz_text::diagnostic::LineIndex;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn positions_match_line_index_and_round_trip(
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
        fn offsets_are_char_boundaries(
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
