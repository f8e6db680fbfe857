//! The tests of the library, the command line and the language server, in one crate: it is linked once.
//!
//! `cargo nextest run --test it lsp::` runs one part. The slow comparisons with independent
//! implementations of the rules are in `tests/oracles`.

#[path = "../../fuzz/checks/mod.rs"]
mod checks;
#[path = "../harness/mod.rs"]
mod harness;

mod api;
mod as_in_books;
mod bad_input;
mod boards;
mod cards;
mod cli;
mod config;
mod contract;
mod contributing;
mod damage;
mod documents;
mod export;
mod findings;
mod fix;
mod found_boards;
mod functions;
mod fuzz_corpus;
mod grammar;
mod ide;
mod import;
mod import_properties;
mod incremental;
mod layers;
mod limits;
mod lsp;
mod manual;
mod never;
mod one_finding;
mod other_notations;
mod printed_answers;
mod printed_problems;
mod printing;
mod promises;
mod reasons;
mod repair;
mod round_trip;
mod slips;
mod sort;
mod stray_signs;
mod syntax;
mod tools;
#[cfg(unix)]
mod torn_parts;
mod trust;
mod vscode;
