//! The command line.
//!
//! Invariant: the only layer that prints; it formats what the layers below found, and decides nothing. Of the server it
//! uses only what starts it: `commands/lsp.rs`.

mod analyse;
mod args;
mod atomic_write;
mod authoring_args;
mod baseline;
mod commands;
mod common_args;
mod diff_args;
#[cfg(unix)]
mod file_attributes;
mod file_lock;
mod inputs;
mod interrupt;
mod new_file;
mod out;
mod output;
mod plays;
mod print_args;
mod progress;
mod repair_args;
mod rewrite;
mod selection;
mod temporary_file;
mod unpacked;
mod values;
mod visible_writer;
mod write_guard;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use args::{Args, Command};
use commands::{
    check, convert, diff, draw, explain, export, fmt, generate, hint, import, lines, lsp, man, mdbook, print,
    rate, repair, report, schema, solve, sort, stats, watch,
};
use cpz_server::workspace::is_collection;
use out::{DONE, FAILED, Out, report_error};

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // clap reports `--help` and `--version` as errors for standard output.
            let code = if error.use_stderr() { FAILED } else { DONE };
            if !says_check(&error) {
                let _ = error.print();
            }
            return ExitCode::from(code);
        }
    };
    let mut out = Out::new(&args);
    let result = run(args.command, &mut out);
    let flushed = result.and_then(|code| out.stdout.flush().map(|()| code));
    match flushed {
        Ok(code) => ExitCode::from(code),
        // The reader stopped early, as `head` does: not a failure.
        Err(error) if is_without_reader(&error) => ExitCode::from(out.code),
        Err(error) => {
            report_error("standard output", &error.to_string());
            ExitCode::from(FAILED)
        }
    }
}

/// Whether nothing reads the pipe that was written to.
fn is_without_reader(error: &io::Error) -> bool {
    // For a pipe that is closed at the other end, Windows has one more error than the standard library knows.
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe
        || cfg!(windows) && error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED)
}

/// Whether an error is about a file in the place of a command: then says which command checks it.
fn says_check(error: &clap::Error) -> bool {
    let value = match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(value))) => value,
        _ => return false,
    };
    let path = Path::new(value);
    let is_file = is_collection(path) || path.exists();
    if is_file {
        report_error(value, &format!("name a command; `cpz check {value}` checks it"));
    }
    is_file
}

fn run(command: Command, out: &mut Out) -> io::Result<u8> {
    match command {
        Command::Check(args) if args.watch => watch::run(&args, out),
        Command::Check(args) => check::run(&args, out),
        Command::Solve(args) => solve::run(&args, out),
        Command::Repair(args) => repair::run(&args, out),
        Command::Fmt(args) => fmt::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Import(args) => import::run(&args, out),
        Command::Draw(args) => draw::run(&args, out),
        Command::Print(args) => print::run(&args, out),
        Command::Mdbook(args) => mdbook::run(&args, out),
        Command::Export(args) => export::run(&args, out),
        Command::Diff(args) => diff::run(&args, out),
        Command::Generate(args) => generate::run(&args, out),
        Command::Hint(args) => hint::run(&args, out),
        Command::Sort(args) => sort::run(&args, out),
        Command::Stats(args) => stats::run(&args, out),
        Command::Rate(args) => rate::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Lines(args) => lines::run(&args, out),
        Command::Lsp(args) => lsp::run(&args),
        Command::Report(args) => report::run(&args, out),
        Command::Schema(args) => schema::run(&args, out),
        Command::Man(args) => man::man(&args, out),
        Command::Completions { shell } => man::completions(shell, out),
    }
}
