//! `cpz schema`

use std::io::{self, Write};

use crate::cli::args::Schema;
use crate::cli::out::{DONE, Out};

/// Prints a JSON schema.
pub fn run(args: &Schema, out: &mut Out) -> io::Result<u8> {
    out.stdout.write_all(args.of.text.as_bytes()).map(|()| DONE)
}
