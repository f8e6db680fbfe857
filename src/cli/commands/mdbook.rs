//! `cpz mdbook`

use std::io::{self, Read, Write};

use crate::cli::out::{DONE, FAILED, FOUND, Out, report_error};
use crate::cli::print_args::{Mdbook, MdbookRequest};
use cpz_api::print::process_book;
use cpz_text::syntax::MAX_TEXT;

/// Runs the preprocessor: a book comes from standard input and goes to standard output.
pub fn run(args: &Mdbook, out: &mut Out) -> io::Result<u8> {
    if let Some(MdbookRequest::Supports { renderer }) = &args.request {
        // Other renderers show no SVG inside of a page.
        return Ok(if renderer == "html" { DONE } else { FOUND });
    }
    let mut input = String::new();
    if let Err(error) = io::stdin().lock().take(MAX_TEXT as u64).read_to_string(&mut input) {
        report_error("mdbook", &format!("standard input cannot be read: {error}"));
        return Ok(FAILED);
    }
    match process_book(&input) {
        Ok(book) => {
            out.stdout.write_all(book.json.as_bytes())?;
            book.findings.iter().for_each(|finding| report_error("mdbook", finding));
            Ok(if book.findings.is_empty() { DONE } else { FOUND })
        }
        Err(why) => {
            report_error("mdbook", &why);
            Ok(FAILED)
        }
    }
}
