//! The functions that other programs call: what the commands do, from text to data.
//!
//! Invariant: no function panics, reads a file or waits. A wrong value of an option is an error. The commands and these
//! functions call the same code below, and their documents have the same schemas.

mod authoring;
mod check;
mod diff;
mod draw;
mod exchange;
mod explain;
mod generate;
mod notebook;
mod options;
mod print;
mod puzzles;
mod repair;
mod rewrite;

pub use authoring::{HintOptions, RateOptions, hint_text, plot_text, rate_text, sort_text, stats_text};
pub use check::{CheckOptions, SolveOptions, check_json, check_text, solve_json, solve_text};
pub use diff::{DiffOptions, diff_html, diff_markdown, diff_texts};
pub use draw::{DrawOptions, Picture, draw_text};
pub use exchange::export_tree;
pub use exchange::{
    ExportOptions, ExportedText, ImportNotice, ImportOptions, ImportedText, answer_line, export_text,
    import_text,
};
pub use explain::{CodeSummary, Explanation, codes, explain};
pub use generate::{GenerateOptions, GeneratedText, generate_puzzles};
pub use notebook::{coloured_parts, puzzle_texts, show_text};
pub use options::{Error, TextOptions};
pub use print::{LeftOutPuzzle, PrintOptions, PrintedText, print_text};
pub use puzzles::{file_document, hint_of, passes, puzzle_document, rating_of};
pub use repair::{RepairOptions, RepairedDocument, aim_word, repair_document, repair_text};
pub use rewrite::convert_boards;
pub use rewrite::{ConvertedText, FixedText, UnchangedBoard, convert_text, fix_text, format_text};
