//! cpz checks and solves collections of chess puzzles kept as text.
//!
//! This page has the functions that other programs call: they take texts and give data. What they find in a puzzle is in
//! the data; an [`Error`] means that an option is wrong. Documents have the schemas that `cpz schema` prints. The functions
//! read no file, share no state, and may be called from several threads at the same time.
//!
//! ```
//! let text = "solitaire \"First\" { board RN.. solve }";
//! let found = cpz::check_text(text, &cpz::CheckOptions::default())?;
//! assert_eq!(found["summary"]["puzzles"], 1);
//! let solved = cpz::solve_text(text, &cpz::SolveOptions::default())?;
//! assert_eq!(solved["files"][0]["puzzles"][0]["queries"][0]["answer"]["solvable"], true);
//! # Ok::<(), cpz::Error>(())
//! ```
//!
//! The modules are parts of the program and change from version to version. They are a stack of layers, each of which uses
//! only those before it: `diagnostic`, `syntax`, `board`, `games`, `analysis`, `repair`, `authoring`, `exchange`, `ide`,
//! `print`, `api`, `workspace`, `lsp`, `server`, `cli`. Without the feature `native`, `server` and `cli` are left out: the rest
//! needs neither files nor threads.

#![warn(missing_docs)]

#[cfg(feature = "native")]
#[doc(hidden)]
pub mod cli;

#[doc(hidden)]
pub use cpz_api::{api, print};
#[doc(hidden)]
pub use cpz_check::{analysis, authoring, repair};
#[doc(hidden)]
pub use cpz_rules::{board, games};
#[doc(hidden)]
pub use cpz_server::lsp;
#[cfg(feature = "native")]
#[doc(hidden)]
pub use cpz_server::server;
#[doc(hidden)]
pub use cpz_text::{diagnostic, syntax};
#[doc(hidden)]
pub use {cpz_exchange as exchange, cpz_ide as ide};

mod schema;

pub use cpz_api::api::{
    CheckOptions, CodeSummary, ConvertedText, DiffOptions, DrawOptions, Error, Explanation, ExportOptions,
    ExportedText, FixedText, GenerateOptions, GeneratedText, HintOptions, ImportNotice, ImportOptions,
    ImportedText, LeftOutPuzzle, Picture, PrintOptions, PrintedText, RateOptions, RepairOptions,
    SolveOptions, TextOptions, UnchangedBoard, answer_line, check_json, check_text, codes, convert_text,
    diff_html, diff_markdown, diff_texts, draw_text, explain, export_text, fix_text, format_text,
    generate_puzzles, hint_text, import_text, plot_text, print_text, rate_text, repair_text, solve_json,
    solve_text, sort_text, stats_text,
};
pub use schema::{JsonSchema, SCHEMAS, schema};
