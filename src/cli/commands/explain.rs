//! `cpz explain`

use std::io::{self, Write};

use crate::cli::args::Explain;
use crate::cli::out::{DONE, FAILED, Out};
use cpz_api::api::{codes, explain};

/// Prints the explanation of a code or a keyword, or the list of codes.
pub fn run(args: &Explain, out: &mut Out) -> io::Result<u8> {
    let Some(name) = args.code.as_deref().filter(|_| !args.list) else {
        for code in codes() {
            writeln!(out.stdout, "{:<20} {:<8} {}", code.code, code.severity, code.title)?;
        }
        return Ok(DONE);
    };
    let explained = match explain(name) {
        Ok(explained) => explained,
        Err(why) => {
            let _ = writeln!(anstream::stderr(), "cpz: {why}");
            return Ok(FAILED);
        }
    };
    if let (Some(title), Some(severity)) = (explained.title, explained.severity) {
        writeln!(out.stdout, "{}: {title} ({severity})\n", explained.name)?;
    }
    write!(out.stdout, "{}", explained.text)?;
    Ok(DONE)
}
