//! `cpz sort`

use std::io;

use crate::cli::args::Sort;
use crate::cli::out::Out;
use crate::cli::rewrite::{Mode, rewrite_all};
use cpz_check::authoring::sorted;
use cpz_text::syntax::parse;

/// Sorts the puzzles of files.
pub fn run(args: &Sort, out: &mut Out) -> io::Result<u8> {
    let mode = Mode { options: &args.rewrite, verb: "sorted" };
    rewrite_all(&args.paths, &mode, out, |input| {
        sorted(&parse(input.text.clone()), args.by, &input.search(args.budget.budget))
    })
}
