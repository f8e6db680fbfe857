//! Standard output and standard error: where commands print, exit codes, and messages about failures.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};

use crate::cli::args::{Args, CheckFormat, Colour, Command};
use crate::cli::diff_args::DiffFormat;
use crate::cli::visible_writer::VisibleWriter;
use cpz_text::diagnostic::visible;

/// Exit code: no finding at or above the severity of `--fail-on`, and everything was done.
pub(crate) const DONE: u8 = 0;
/// Exit code: there are such findings.
pub(crate) const FOUND: u8 = 1;
/// Exit code: something could not be run, read or written.
pub(crate) const FAILED: u8 = 2;

/// Where a command prints.
pub(crate) struct Out {
    /// Standard output. It drops colours unless the user wants them.
    pub(crate) stdout: Box<dyn Write>,
    /// Whether to print in colour.
    pub(crate) colour: bool,
    /// Whether standard output is a terminal.
    pub(crate) is_terminal: bool,
    /// Whether `--watch` clears the screen before each check: only for people at a terminal.
    pub(crate) clear_screen: bool,
    /// The exit code for the case that the reader closes the pipe before the output ends.
    pub(crate) code: u8,
}

impl Out {
    pub(crate) fn new(args: &Args) -> Out {
        let choice = match args.colour {
            Colour::Auto => AutoStream::choice(&io::stdout()),
            Colour::Always => ColorChoice::Always,
            Colour::Never => ColorChoice::Never,
        };
        let colour = choice != ColorChoice::Never;
        // Reports for programs contain no colours, so the stream need not search them for any.
        let for_programs = match &args.command {
            Command::Check(args) => args.format != CheckFormat::Human,
            Command::Diff(args) => args.format != DiffFormat::Human,
            Command::Draw(_) | Command::Print(_) | Command::Mdbook(_) => true,
            _ => false,
        };
        // A collection or an export is a text of a person, in which nothing is changed: a stream without colours would take
        // escape sequences out of it. On a terminal they must not control that.
        let is_text = match &args.command {
            Command::Export(_) | Command::Import(_) | Command::Generate(_) => true,
            Command::Fmt(_) | Command::Convert(_) | Command::Sort(_) => true,
            Command::Solve(args) => args.write,
            _ => false,
        };
        let choice = if for_programs || is_text { ColorChoice::AlwaysAnsi } else { choice };
        let stdout = io::BufWriter::with_capacity(1 << 16, AutoStream::new(io::stdout(), choice));
        let stdout: Box<dyn Write> = match is_text && io::stdout().is_terminal() {
            true => Box::new(VisibleWriter::new(stdout)),
            false => Box::new(stdout),
        };
        let is_terminal = io::stdout().is_terminal();
        let clear_screen = is_terminal && !for_programs;
        Out { stdout, colour, is_terminal, clear_screen, code: DONE }
    }
}

/// Prints on standard error why something about `path` failed.
pub(crate) fn report_error(path: &str, why: &str) {
    // If standard error is closed, there is no place left to report that.
    let _ = writeln!(anstream::stderr(), "cpz: {}: {}", one_line(path), one_line(why));
}

/// A number with its noun.
pub(crate) fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A text on one line, with control characters made visible.
pub(crate) fn one_line(text: &str) -> String {
    visible(text).replace('\n', "\\n").replace('\t', "\\t")
}
