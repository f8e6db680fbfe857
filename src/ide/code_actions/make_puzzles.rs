//! Puzzles in place of a text of another program that was pasted between the puzzles.

use cpz_exchange::import::{ImportOptions, detect, import_file, reader_of};
use cpz_text::diagnostic::{Edit, Fix, Span};
use cpz_text::syntax::MAX_PASTED;

/// The fix that makes puzzles of the text of another format at `span`. What cannot be read stays as comments. `None` if
/// the text is of no format that is imported, has no puzzle, or is longer than 256 KiB.
pub fn make_puzzles(text: &str, span: Span) -> Option<Fix> {
    let block = &text[span.range()];
    if block.len() > MAX_PASTED {
        return None;
    }
    let format = detect("", block)?;
    let options = ImportOptions { whole_comments: true, ..ImportOptions::default() };
    let reader = reader_of(format, block, &options);
    let imported = import_file(&*reader, block.as_bytes()).ok()?;
    let count = imported.original.puzzles();
    if count == 0 {
        return None;
    }
    let mut puzzles = imported.text.trim_end().to_string();
    for notice in imported.notices.iter().filter(|notice| !notice.imported) {
        puzzles.push_str(&format!("\n\n// not imported: {}", notice.reason));
        for line in block[notice.entry.clone()].lines().filter(|line| !line.trim().is_empty()) {
            puzzles.push_str(&format!("\n// {}", line.trim()));
        }
    }
    if block.contains("\r\n") {
        puzzles = puzzles.replace('\n', "\r\n");
    }
    let title = match count {
        1 => "make a puzzle of it".to_string(),
        n => format!("make {n} puzzles of it"),
    };
    Some(Fix { title, edits: vec![Edit { span, text: puzzles }], safe: false })
}
