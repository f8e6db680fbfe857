//! The command line.
//!
//! Invariant: the only room that prints; it formats what the rooms above it found, and decides nothing.

mod args;
mod baseline;
mod commands;
mod inputs;
mod output;
mod progress;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstream::AutoStream;
use clap::Parser;

use args::{Args, Colour, Command};

/// Nothing at or above the wanted severity was found, or all was done.
pub(crate) const DONE: u8 = 0;
/// Something was found.
pub(crate) const FOUND: u8 = 1;
/// Something could not be run or read.
pub(crate) const FAILED: u8 = 2;

/// Where a command prints.
pub(crate) struct Out {
    /// Standard output, with colours only where they are wanted.
    pub stdout: Box<dyn Write>,
    /// Whether colours are wanted.
    pub colour: bool,
    /// Whether what stood there before may be cleared away: a person looks on.
    pub clears: bool,
    /// The exit code if whoever reads the output stops before its end.
    pub code: u8,
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no errors; everything else is a bad option.
            let code = if error.use_stderr() { FAILED } else { DONE };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let choice = match args.colour {
        Colour::Auto => AutoStream::choice(&io::stdout()),
        Colour::Always => anstream::ColorChoice::Always,
        Colour::Never => anstream::ColorChoice::Never,
    };
    let colour = choice != anstream::ColorChoice::Never;
    // What machines read has no colours that would have to be taken out of it.
    let for_machines = matches!(&args.command, Command::Check(a) if a.format != args::CheckFormat::Human);
    let choice = if for_machines { anstream::ColorChoice::AlwaysAnsi } else { choice };
    let stdout = io::BufWriter::with_capacity(1 << 16, AutoStream::new(io::stdout(), choice));
    let clears = io::stdout().is_terminal() && !for_machines;
    let mut out = Out { stdout: Box::new(stdout), colour, clears, code: DONE };
    let result = match args.command {
        Command::Check(a) => commands::check::run(&a, &mut out),
        Command::Solve(a) => commands::solve::run(&a, &mut out),
        Command::Fmt(a) => commands::rewrite::fmt(&a, &mut out),
        Command::Convert(a) => commands::rewrite::convert(&a, &mut out),
        Command::Explain(a) => commands::explain::run(&a, &mut out),
        Command::Lsp(a) => lsp(&a),
        Command::Report(a) => commands::report::run(&a, &mut out),
        Command::Schema(a) => commands::documents::schema(&a, &mut out),
        Command::Man(a) => commands::documents::man(&a, &mut out),
        Command::Completions { shell } => commands::documents::completions(shell, &mut out),
    };
    let flushed = result.and_then(|code| out.stdout.flush().map(|()| code));
    match flushed {
        Ok(code) => ExitCode::from(code),
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(out.code),
        Err(error) => {
            complain("standard output", &error.to_string());
            ExitCode::from(FAILED)
        }
    }
}

/// Serves an editor, and ends the process.
fn lsp(args: &args::Lsp) -> io::Result<u8> {
    match args.log.as_deref().map(crate::server::Log::to).transpose() {
        Ok(log) => crate::server::run(log),
        Err(error) => {
            complain("--log", &error.to_string());
            Ok(FAILED)
        }
    }
}

/// Says on standard error what could not be done with a path.
pub(crate) fn complain(path: &str, why: &str) {
    // Nobody may be left to read it.
    let _ = writeln!(anstream::stderr(), "cpz: {}: {}", inputs::plain(path), inputs::plain(why));
}
