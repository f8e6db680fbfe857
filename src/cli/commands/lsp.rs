//! `cpz lsp`

use std::io;

use crate::cli::args::Lsp;
use crate::cli::out::{FAILED, report_error};
use cpz_server::server;

/// Serves an editor, and ends the process. Returns only if the log cannot be opened.
pub fn run(args: &Lsp) -> io::Result<u8> {
    match args.log.as_deref().map(server::Log::to).transpose() {
        Ok(log) => server::run(log),
        Err(error) => {
            report_error("--log", &error.to_string());
            Ok(FAILED)
        }
    }
}
