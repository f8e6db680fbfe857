//! What all report formats print, and how they print much of it.

use std::io;

use rayon::prelude::*;

use crate::cli::analyse::{AnalysedFile, SeverityFilter};
use crate::cli::baseline::Accepted;
use cpz_exchange::Summary;

/// What `check` reports.
pub struct CheckResults<'a> {
    pub files: &'a [AnalysedFile],
    /// Which findings to print.
    pub filter: &'a SeverityFilter<'a>,
    pub summary: Summary,
    /// How many hints are printed.
    pub hints: usize,
    /// How many findings people are shown in full, at most.
    pub max: usize,
    /// Whether many findings are summed up in a table.
    pub has_table: bool,
    /// What the baseline accepts, if there is one.
    pub accepted: Option<&'a Accepted>,
}

/// How many findings one thread formats at a time.
pub(super) const CHUNK: usize = 1024;
/// How many chunks are formatted before they are written: a bound on memory.
const CHUNKS_IN_MEMORY: usize = 64;

/// Formats items in parallel, `size` at a time, and returns the texts in order.
pub(super) fn format_chunks<T: Sync>(
    items: &[T],
    size: usize,
    format: impl Fn(&[T]) -> io::Result<String> + Sync + Send,
) -> impl Iterator<Item = io::Result<String>> {
    items.chunks(size * CHUNKS_IN_MEMORY).flat_map(move |some| -> Vec<io::Result<String>> {
        if some.len() <= size { vec![format(some)] } else { some.par_chunks(size).map(&format).collect() }
    })
}

/// A path as a repository names it, to whose files findings are matched.
pub(super) fn repository_path(path: &str) -> &str {
    let plain = path.strip_prefix("./");
    plain.or_else(|| path.strip_prefix(".\\").filter(|_| cfg!(windows))).unwrap_or(path)
}
