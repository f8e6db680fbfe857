//! `cpz fmt`

use std::io;

use crate::cli::args::Fmt;
use crate::cli::out::Out;
use crate::cli::rewrite::{Mode, rewrite_all};
use crate::ide;
use crate::syntax::parse;

/// Formats files.
pub fn run(args: &Fmt, out: &mut Out) -> io::Result<u8> {
    let mode = Mode { check: args.check, diff: args.diff, force: args.force, verb: "formatted" };
    rewrite_all(&args.paths, &mode, out, |input| {
        let tree = parse(input.text.clone());
        ide::format(&tree).ok_or_else(|| "not formatted: a word or a comment would change".to_string())
    })
}
