//! The cpz language for [tree-sitter](https://tree-sitter.github.io/tree-sitter).
//!
//! Hand [`LANGUAGE`] to a parser of the `tree-sitter` crate:
//! `parser.set_language(&tree_sitter_cpz::LANGUAGE.into())`.

use tree_sitter_language::LanguageFn;

extern "C" {
    fn tree_sitter_cpz() -> *const ();
}

/// The language, for a parser.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_cpz) };

/// What kinds of nodes there are, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// What colours each token.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// What can be folded.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// How lines are indented.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");

/// Other languages inside.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");

/// The names of puzzles.
pub const TAGS_QUERY: &str = include_str!("../../queries/tags.scm");
