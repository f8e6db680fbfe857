//! Properties that hold for arbitrary input. The fuzz targets call them, and the tests replay the corpus with them.

#![allow(dead_code, unused_imports, reason = "each fuzz target calls one of them")]

mod boards;
mod brute;
pub mod edits;
mod embedded;
pub mod exports;
mod features;
mod fixes;
pub mod importers;
mod protocol;
mod twins;

pub use boards::boards;
pub use brute::solver;
pub use edits::edits;
pub use embedded::embedded;
pub use exports::exports;
pub use features::features;
pub use fixes::fixes;
pub use importers::importers;
pub use protocol::{bytes, session};
pub use twins::twins;

use cpz::analysis::Defaults;
use cpz::diagnostic::Span;
use cpz::ide;
use cpz::syntax::parse;

/// The tokens of a tree add up to its text, and all spans that editor features return are inside it.
pub fn text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let tree = parse(text);
    let printed: String = tree.tokens().map(|token| token.text()).collect();
    assert_eq!(printed, text);
    let valid = |s: Span| text.get(s.range()).is_some();
    assert!(tree.errors().iter().all(|e| valid(e.span)));
    assert!(ide::semantic_tokens(&tree, None).iter().all(|t| valid(t.span)));
    assert!(ide::folds(&tree, 1000).iter().all(|(s, _)| valid(*s)));
    assert!(ide::links(&tree).iter().all(|(s, _)| valid(*s)));
    for symbol in ide::document_symbols(&tree, Defaults::default(), 0, 1000) {
        assert!(valid(symbol.span) && valid(symbol.selection));
    }
    for offset in [0, text.len() / 3, text.len() / 2, text.len()] {
        let offset = offset as u32;
        assert!(ide::selection(&tree, offset).iter().all(|s| valid(*s)));
        assert!(ide::highlights(&tree, offset).iter().all(|(s, _)| valid(*s)));
        for typed in ['\n', '}'] {
            assert!(ide::on_type(&tree, offset, typed).iter().all(|e| valid(e.span)));
        }
    }
}

/// Formatting changes only white space, keeps comments, and is idempotent.
pub fn format(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(once) = ide::format(&parse(text)) else { return };
    let dense = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    assert_eq!(dense(&once), dense(text));
    let comments = |text: &str| {
        let tree = parse(text);
        let comments = tree.tokens().filter(|t| t.text().starts_with("//"));
        comments.map(|t| t.text().trim_end().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(comments(&once), comments(text));
    assert_eq!(ide::format(&parse(once.as_str())).as_ref(), Some(&once));
}
