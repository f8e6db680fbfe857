//! The `cpz` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    cpz::cli::main()
}
