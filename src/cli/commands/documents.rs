//! `cpz schema`, `cpz man` and `cpz completions`: what describes the program itself.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::cli::args::{Args, Man, Schema, SchemaOf};
use crate::cli::{DONE, FAILED, Out, complain};

/// Prints a JSON schema.
pub fn schema(args: &Schema, out: &mut Out) -> io::Result<u8> {
    let text = match args.of {
        SchemaOf::Check => include_str!("../../../docs/schema/check.schema.json"),
        SchemaOf::Solve => include_str!("../../../docs/schema/solve.schema.json"),
        SchemaOf::Config => include_str!("../../../docs/schema/config.schema.json"),
        SchemaOf::Baseline => include_str!("../../../docs/schema/baseline.schema.json"),
    };
    out.stdout.write_all(text.as_bytes()).map(|()| DONE)
}

/// Prints a man page.
pub fn man(args: &Man, out: &mut Out) -> io::Result<u8> {
    // Their names are known once it is built.
    let mut whole = Args::command().disable_help_subcommand(true);
    whole.build();
    let command = match &args.command {
        None => whole,
        Some(name) => match whole.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                complain("man", &format!("there is no command `{name}`"));
                return Ok(FAILED);
            }
        },
    };
    clap_mangen::Man::new(command).render(&mut out.stdout)?;
    Ok(DONE)
}

/// Prints a completion script.
pub fn completions(shell: clap_complete::Shell, out: &mut Out) -> io::Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "cpz", &mut script);
    out.stdout.write_all(&script).map(|()| DONE)
}
