//! `cpz man` and `cpz completions`, both generated from the options in `args.rs`.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::args::{Args, Man};
use crate::cli::out::{DONE, FAILED, Out, report_error};

/// Prints a man page.
pub fn man(args: &Man, out: &mut Out) -> io::Result<u8> {
    let mut root = Args::command().disable_help_subcommand(true);
    // The full names of subcommands exist only after this.
    root.build();
    let command = match &args.command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                report_error("man", &format!("there is no command `{name}`"));
                return Ok(FAILED);
            }
        },
    };
    let source = concat!("cpz ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command).source(source).manual("User Commands").render(&mut out.stdout)?;
    Ok(DONE)
}

/// Prints a completion script.
pub fn completions(shell: Shell, out: &mut Out) -> io::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "cpz", &mut script);
    out.stdout.write_all(&script).map(|()| DONE)
}
