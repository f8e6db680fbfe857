//! `cpz fmt`

use std::io;

use crate::cli::args::Fmt;
use crate::cli::out::Out;
use crate::cli::rewrite::{Mode, rewrite_all};
use cpz_api::api::format_text;

/// Formats files.
pub fn run(args: &Fmt, out: &mut Out) -> io::Result<u8> {
    let mode = Mode { options: &args.rewrite, verb: "formatted" };
    rewrite_all(&args.paths, &mode, out, |input| format_text(&input.text).map_err(|error| error.to_string()))
}
