//! The options.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

use crate::diagnostic::Code;

const EXIT: &str = "Exit status: 0 if nothing was found and all was done, 1 if something was found, 2 if something could not \
                    be run, read or written.";

/// Checks and solves collections of chess puzzles kept as text.
#[derive(Parser)]
#[command(name = "cpz", version, propagate_version = true, max_term_width = 100, after_help = EXIT)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long = "color", alias = "colour", value_enum, default_value = "auto", global = true)]
    pub colour: Colour,
}

/// When to use colours.
#[derive(Clone, Copy, ValueEnum)]
pub enum Colour {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Find what is wrong in files and folders
    Check(Check),
    /// Print the answer to each query
    Solve(Solve),
    /// Format files, changing white space only
    Fmt(Fmt),
    /// Write the boards in another format
    Convert(Convert),
    /// Explain a diagnostic code
    Explain(Explain),
    /// Serve an editor on standard input and output
    Lsp(Lsp),
    /// Print what a bug report wants to know: versions, each cpz.toml, counts; nothing of what puzzles hold
    Report(Report),
    /// Print a JSON schema
    Schema(Schema),
    /// Print a man page
    Man(Man),
    /// Print a completion script
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
}

/// Where the puzzles are.
#[derive(clap::Args)]
pub struct Paths {
    /// Files and folders; `-` is standard input, nothing the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Do as if there were no `cpz.toml`
    #[arg(long)]
    pub no_config: bool,
}

/// How far a search may go.
#[derive(clap::Args)]
pub struct Budget {
    /// The work that one search may do, in nodes; `cpz.toml` says it otherwise, or 4,000,000
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
}

/// `check`
#[derive(clap::Args)]
pub struct Check {
    #[command(flatten)]
    pub paths: Paths,
    /// How to print what was found
    #[arg(long, value_enum, default_value = "human")]
    pub format: CheckFormat,
    /// Exit with 1 if there is anything this bad or worse
    #[arg(long, value_enum, default_value = "error", value_name = "SEVERITY")]
    pub fail_on: FailOn,
    /// Apply the fixes that are safe
    #[arg(long)]
    pub fix: bool,
    /// Print hints too
    #[arg(long)]
    pub hints: bool,
    /// Leave out the findings that FILE records as accepted
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Record today's findings in the baseline
    #[arg(long, requires = "baseline")]
    pub accept: bool,
    /// Check again whenever a file changes, until Ctrl+C
    #[arg(long, conflicts_with_all = ["fix", "accept"])]
    pub watch: bool,
    #[command(flatten)]
    pub budget: Budget,
}

/// How `check` prints.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of a GitHub workflow
    Github,
}

/// A severity as an option.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors
    Error,
    /// Warnings and errors
    Warning,
    /// Hints, warnings and errors
    Hint,
}

/// `solve`
#[derive(clap::Args)]
pub struct Solve {
    #[command(flatten)]
    pub paths: Paths,
    /// How to print the answers
    #[arg(long, value_enum, default_value = "human")]
    pub format: SolveFormat,
    /// Write answers behind the queries that have none
    #[arg(long)]
    pub write: bool,
    /// Write `none` and `illegal` too, which silences those findings
    #[arg(long, requires = "write")]
    pub all: bool,
    #[command(flatten)]
    pub budget: Budget,
}

/// How `solve` prints.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SolveFormat {
    /// For people
    Human,
    /// One JSON document
    Json,
}

/// `fmt`
#[derive(clap::Args)]
pub struct Fmt {
    #[command(flatten)]
    pub paths: Paths,
    /// Write nothing; exit with 1 if a file would change
    #[arg(long)]
    pub check: bool,
    /// Write nothing; print what would change
    #[arg(long)]
    pub diff: bool,
}

/// `convert`
#[derive(clap::Args)]
pub struct Convert {
    #[command(flatten)]
    pub paths: Paths,
    /// The format of the boards
    #[arg(long, value_enum)]
    pub to: Form,
    /// Write nothing; exit with 1 if a file would change
    #[arg(long)]
    pub check: bool,
    /// Write nothing; print what would change
    #[arg(long)]
    pub diff: bool,
}

/// A format of boards as an option.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Rows of letters
    Text,
    /// Nested lists of letters
    List,
    /// Nested lists of numbers
    Numbers,
    /// Pieces with their squares
    Coordinates,
    /// FEN of chess, PDN of draughts
    Fen,
}

/// `explain`
#[derive(clap::Args)]
pub struct Explain {
    /// The code
    #[arg(value_parser = CodeName, hide_possible_values = true)]
    pub code: Option<String>,
    /// List all codes
    #[arg(long)]
    pub list: bool,
}

/// Any word, so that a wrong one is told by cpz; a shell completes to the codes.
#[derive(Clone)]
struct CodeName;

impl TypedValueParser for CodeName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(Code::ALL.iter().map(|code| PossibleValue::new(code.name()))))
    }
}

/// `lsp`
#[derive(clap::Args)]
pub struct Lsp {
    /// Accepted because many editors pass it; there is no other way
    #[arg(long)]
    pub stdio: bool,
    /// Add what the server does to FILE: methods, times, panics; nothing of what texts hold
    #[arg(long, value_name = "FILE")]
    pub log: Option<std::path::PathBuf>,
}

/// `report`
#[derive(clap::Args)]
pub struct Report {
    #[command(flatten)]
    pub paths: Paths,
    /// Add the last lines of a log that `cpz lsp --log` wrote
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
}

/// `schema`
#[derive(clap::Args)]
pub struct Schema {
    /// The document that it describes
    #[arg(value_enum, value_name = "DOCUMENT")]
    pub of: SchemaOf,
}

/// What has a schema.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// What `check --format json` prints
    Check,
    /// What `solve --format json` prints
    Solve,
    /// A cpz.toml
    Config,
    /// A baseline
    Baseline,
}

/// `man`
#[derive(clap::Args)]
pub struct Man {
    /// The command; cpz itself if not told
    pub command: Option<String>,
}
