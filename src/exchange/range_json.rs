//! Places in a text, as every JSON document has them.

use serde::Serialize;

use cpz_text::diagnostic::{LineIndex, Position, Span};

/// Both numbers are 0-based; `character` is in UTF-16 units.
#[derive(Serialize)]
struct PositionDocument {
    line: u32,
    character: u32,
}

/// A range of a text. The end is exclusive.
#[derive(Serialize)]
pub struct RangeDocument {
    start: PositionDocument,
    end: PositionDocument,
}

/// The range of a span in a text.
pub fn range_document(text: &str, index: &LineIndex, span: Span) -> RangeDocument {
    let place = |offset| {
        let Position { line, character } = index.position(text, offset);
        PositionDocument { line, character }
    };
    RangeDocument { start: place(span.start), end: place(span.end) }
}
