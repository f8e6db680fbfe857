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

/// The node types, as JSON (`node-types.json`).
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// The highlight query.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

/// The fold query.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");

/// The indent query, for Neovim and Helix.
pub const INDENTS_QUERY: &str = include_str!("../../queries/indents.scm");

/// The injection query.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");

/// The tags query: the names of puzzles.
pub const TAGS_QUERY: &str = include_str!("../../queries/tags.scm");
