//! The grammars under `grammar` against the parser: on paper, and for tree-sitter.
//!
//! What only JavaScript can run, the TextMate grammar, is tested by `grammar/run`.

mod corpus;
mod ebnf;
mod highlights;
mod keywords;
mod paper;
mod samples;
mod trees;
