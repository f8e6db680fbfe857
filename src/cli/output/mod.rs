//! Reports: one file a format.
//!
//! To add a format of `cpz check`: a variant of `CheckFormat` in `args.rs` (its doc comment is the help text), a file
//! here with a function that prints [`CheckResults`], an arm in [`print`], and a row in `docs/command-line.md`. Formats
//! other than `Human` print no colours, and send the summary of a baseline to standard error.
//!
//! To add a format of `cpz solve`: a variant of `SolveFormat`, and an arm in `commands/solve.rs`.
//!
//! To add a format that `cpz convert` writes: a variant of `board::Target` with its name, an arm in `board/write.rs`, and
//! its help text in `args.rs`.

pub(crate) mod diff_text;
mod github;
pub(crate) mod json;
pub(crate) mod repair_json;
pub(crate) mod repair_text;
mod results;
mod sarif;
pub(crate) mod text;

use std::io;

use crate::cli::args::CheckFormat;
use crate::cli::out::Out;

pub(crate) use results::CheckResults;

/// Prints the results of `check`.
pub fn print(results: &CheckResults<'_>, format: CheckFormat, out: &mut Out) -> io::Result<()> {
    match format {
        CheckFormat::Human => text::check(results, out),
        CheckFormat::Json => json::check(results, out),
        CheckFormat::Sarif => sarif::check(results, out),
        CheckFormat::Github => github::check(results, out),
    }
}
