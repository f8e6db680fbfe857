//! The command line.
//!
//! Invariant: the only layer that prints; it formats what the layers below found, and decides nothing. Of the server it
//! uses only what starts it: `commands/lsp.rs`.

mod analyse;
mod args;
mod atomic_write;
mod baseline;
mod commands;
mod inputs;
mod output;
mod progress;
mod rewrite;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::Parser;

use args::{Args, CheckFormat, Colour, Command};
use commands::{check, convert, explain, fmt, lsp, man, report, schema, solve};

/// Exit code: no finding at or above the severity of `--fail-on`, and everything was done.
const DONE: u8 = 0;
/// Exit code: there are such findings.
const FOUND: u8 = 1;
/// Exit code: something could not be run, read or written.
const FAILED: u8 = 2;

/// Where a command prints.
struct Out {
    /// Standard output. It drops colours unless the user wants them.
    stdout: Box<dyn Write>,
    /// Whether to print in colour.
    colour: bool,
    /// Whether `--watch` clears the screen before each check: only for people at a terminal.
    clear_screen: bool,
    /// The exit code for the case that the reader closes the pipe before the output ends.
    code: u8,
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // clap reports `--help` and `--version` as errors for standard output.
            let code = if error.use_stderr() { FAILED } else { DONE };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let mut out = Out::new(&args);
    let result = run(args.command, &mut out);
    let flushed = result.and_then(|code| out.stdout.flush().map(|()| code));
    match flushed {
        Ok(code) => ExitCode::from(code),
        // The reader stopped early, as `head` does: not a failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(out.code),
        Err(error) => {
            report_error("standard output", &error.to_string());
            ExitCode::from(FAILED)
        }
    }
}

fn run(command: Command, out: &mut Out) -> io::Result<u8> {
    match command {
        Command::Check(args) => check::run(&args, out),
        Command::Solve(args) => solve::run(&args, out),
        Command::Fmt(args) => fmt::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Lsp(args) => lsp::run(&args),
        Command::Report(args) => report::run(&args, out),
        Command::Schema(args) => schema::run(&args, out),
        Command::Man(args) => man::man(&args, out),
        Command::Completions { shell } => man::completions(shell, out),
    }
}

impl Out {
    fn new(args: &Args) -> Out {
        let choice = match args.colour {
            Colour::Auto => AutoStream::choice(&io::stdout()),
            Colour::Always => ColorChoice::Always,
            Colour::Never => ColorChoice::Never,
        };
        let colour = choice != ColorChoice::Never;
        // Reports for programs contain no colours, so the stream need not search them for any.
        let for_programs = matches!(&args.command, Command::Check(a) if a.format != CheckFormat::Human);
        let choice = if for_programs { ColorChoice::AlwaysAnsi } else { choice };
        let stdout = io::BufWriter::with_capacity(1 << 16, AutoStream::new(io::stdout(), choice));
        let clear_screen = io::stdout().is_terminal() && !for_programs;
        Out { stdout: Box::new(stdout), colour, clear_screen, code: DONE }
    }
}

/// Prints on standard error why something about `path` failed.
fn report_error(path: &str, why: &str) {
    // If standard error is closed, there is no place left to report that.
    let _ = writeln!(anstream::stderr(), "cpz: {}: {}", inputs::one_line(path), inputs::one_line(why));
}

/// A number with its noun.
fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
