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

mod github;
pub(crate) mod json;
mod sarif;
pub(crate) mod text;

use std::io;

use rayon::prelude::*;
use serde::Serialize;

use super::Out;
use super::analyse::{AnalysedFile, SeverityFilter};
use super::args::CheckFormat;
use super::baseline::Accepted;

/// What `check` reports.
pub struct CheckResults<'a> {
    pub files: &'a [AnalysedFile],
    /// Which findings to print.
    pub filter: &'a SeverityFilter<'a>,
    pub summary: Summary,
    /// How many hints are printed.
    pub hints: usize,
    /// What the baseline accepts, if there is one.
    pub accepted: Option<&'a Accepted>,
}

/// Numbers for the last line of a report. The order of the fields is that of the JSON document.
#[derive(Clone, Copy, Default, Serialize)]
pub struct Summary {
    pub files: usize,
    pub puzzles: usize,
    pub queries: usize,
    pub errors: usize,
    pub warnings: usize,
    /// How many findings the baseline accepts, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<usize>,
}

/// Prints the results of `check`.
pub fn print(results: &CheckResults<'_>, format: CheckFormat, out: &mut Out) -> io::Result<()> {
    match format {
        CheckFormat::Human => text::check(results, out),
        CheckFormat::Json => json::check(results, out),
        CheckFormat::Sarif => sarif::check(results, out),
        CheckFormat::Github => github::check(results, out),
    }
}

/// How many findings one thread formats at a time.
const CHUNK: usize = 1024;
/// How many chunks are formatted before they are written: a bound on memory.
const CHUNKS_IN_MEMORY: usize = 64;

/// Formats items in parallel, `size` at a time, and returns the texts in order.
fn format_chunks<T: Sync>(
    items: &[T],
    size: usize,
    format: impl Fn(&[T]) -> io::Result<String> + Sync + Send,
) -> impl Iterator<Item = io::Result<String>> {
    items.chunks(size * CHUNKS_IN_MEMORY).flat_map(move |some| -> Vec<io::Result<String>> {
        if some.len() <= size { vec![format(some)] } else { some.par_chunks(size).map(&format).collect() }
    })
}

/// A path as a repository names it, to whose files findings are matched.
fn repository_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}
