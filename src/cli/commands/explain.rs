//! `cpz explain`

use std::io::{self, Write};

use crate::analysis::code_docs;
use crate::cli::args::Explain;
use crate::cli::out::{DONE, FAILED, Out};
use crate::diagnostic::Code;
use crate::syntax::nearest;

/// Prints the explanation of a code, or the list of codes.
pub fn run(args: &Explain, out: &mut Out) -> io::Result<u8> {
    let Some(name) = args.code.as_deref().filter(|_| !args.list) else {
        for entry in code_docs::TABLE {
            writeln!(out.stdout, "{:<20} {:<8} {}", entry.code.name(), entry.severity.name(), entry.title)?;
        }
        return Ok(DONE);
    };
    let Some(code) = Code::from_name(name) else {
        let similar = nearest(name, Code::ALL.iter().map(|c| c.name()));
        let hint = similar.map_or_else(
            || "`cpz explain --list` lists them all".to_string(),
            |i| format!("did you mean `{}`?", Code::ALL[i].name()),
        );
        let _ = writeln!(anstream::stderr(), "cpz: there is no code `{name}`; {hint}");
        return Ok(FAILED);
    };
    let entry = code_docs::entry(code);
    writeln!(out.stdout, "{}: {} ({})\n", code.name(), entry.title, entry.severity.name())?;
    write!(out.stdout, "{}", entry.page())?;
    Ok(DONE)
}
