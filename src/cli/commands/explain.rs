//! `cpz explain`

use std::io::{self, Write};

use crate::cli::args::Explain;
use crate::cli::out::{DONE, FAILED, Out, one_line};
use cpz_check::analysis::code_docs;
use cpz_ide::{keyword_docs, plain_text};
use cpz_text::diagnostic::Code;
use cpz_text::syntax::{Keyword, nearest};

/// Prints the explanation of a code or a keyword, or the list of codes.
pub fn run(args: &Explain, out: &mut Out) -> io::Result<u8> {
    let Some(name) = args.code.as_deref().filter(|_| !args.list) else {
        for entry in code_docs::TABLE {
            writeln!(out.stdout, "{:<20} {:<8} {}", entry.code.name(), entry.severity.name(), entry.title)?;
        }
        return Ok(DONE);
    };
    if let Some(keyword) = Keyword::from_word(name).filter(|_| Code::from_name(name).is_none()) {
        writeln!(out.stdout, "{}", plain_text(keyword_docs(keyword)).trim_end())?;
        return Ok(DONE);
    }
    let Some(code) = Code::from_name(name) else {
        let names: Vec<&str> =
            Code::ALL.iter().map(|c| c.name()).chain(Keyword::all().map(Keyword::word)).collect();
        let hint = nearest(name, names.iter().copied()).map_or_else(
            || "`cpz explain --list` lists all codes".to_string(),
            |i| format!("did you mean `{}`?", names[i]),
        );
        let _ =
            writeln!(anstream::stderr(), "cpz: there is no code and no keyword `{}`; {hint}", one_line(name));
        return Ok(FAILED);
    };
    let entry = code_docs::entry(code);
    writeln!(out.stdout, "{}: {} ({})\n", code.name(), entry.title, entry.severity.name())?;
    write!(out.stdout, "{}", entry.page())?;
    Ok(DONE)
}
