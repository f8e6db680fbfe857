//! `cpz print`

use std::io;

use crate::cli::out::Out;
use crate::cli::print_args::Print;

/// Makes a sheet.
pub fn run(_args: &Print, _out: &mut Out) -> io::Result<u8> {
    Ok(2)
}
