//! The options. Doc comments here are the help texts, which are also in the man pages and completion scripts.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};

pub use crate::cli::authoring_args::{
    Generate, GeneratedGame, Hint, Rate, RateFormat, Sort, Stats, StatsFormat,
};
pub use crate::cli::common_args::{Budget, Choice, Paths, RewriteOptions};
use crate::cli::diff_args::Diff;
use crate::cli::print_args::{Draw, Mdbook, Print};
use crate::cli::repair_args::Repair;
use crate::cli::values;
use crate::schema::JsonSchema;
use cpz_exchange::{export, import};
use cpz_rules::board::Target;
use cpz_text::diagnostic::Code;

const EXIT: &str = "Exit status: 0 if nothing was found and all was done, 1 if something was found, 2 if something could not \
                    be run, read or written.";

/// Checks and solves collections of chess puzzles kept as text.
#[derive(Parser)]
#[command(name = "cpz", version, propagate_version = true, max_term_width = 100, after_help = EXIT)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long = "color", alias = "colour", value_enum, default_value = "auto", global = true)]
    pub colour: Colour,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Colour {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand)]
pub enum Command {
    /// Check files and folders for mistakes
    Check(Check),
    /// Print the answer to each query
    Solve(Solve),
    /// Propose changes that make unsound puzzles sound; writes nothing
    Repair(Repair),
    /// Format files, changing white space only
    Fmt(Fmt),
    /// Write the boards in another format
    Convert(Convert),
    /// Make puzzles of the files of other programs
    Import(Import),
    /// Draw a picture of each puzzle, as SVG or PNG
    Draw(Draw),
    /// Make a sheet of diagrams for paper, as HTML, Typst or LaTeX
    Print(Print),
    /// Put pictures and answers into an mdBook: a preprocessor
    Mdbook(Mdbook),
    /// Write the puzzles in the format of another program
    Export(Export),
    /// Say what has changed between two collections, puzzle by puzzle
    Diff(Diff),
    /// Make new puzzles
    Generate(Generate),
    /// Say how hard each puzzle is
    Rate(Rate),
    /// Print a hint for each puzzle
    Hint(Hint),
    /// Sort the puzzles of each file
    Sort(Sort),
    /// Count the puzzles by game, size, pieces, difficulty and soundness
    Stats(Stats),
    /// Explain a diagnostic code or a keyword
    Explain(Explain),
    /// Answer each line of standard input, one puzzle, by a line of JSON, for programs that use many machines
    Lines(Lines),
    /// Serve an editor on standard input and output
    Lsp(Lsp),
    /// Print information for a bug report: versions, every cpz.toml, counts; not the contents of puzzles
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

#[derive(clap::Args)]
pub struct Check {
    #[command(flatten)]
    pub paths: Paths,
    /// Read files of this format instead of puzzles; findings point into them
    #[arg(long, value_parser = values::import_format(), value_name = "FORMAT", conflicts_with_all = ["fix", "watch"])]
    pub from: Option<import::Format>,
    /// Format of the report
    #[arg(long, value_enum, default_value = "human")]
    pub format: CheckFormat,
    /// Exit with 1 if there is a finding of this severity or a higher one
    #[arg(long, value_enum, default_value = "error", value_name = "SEVERITY")]
    pub fail_on: FailOn,
    /// Apply the safe fixes
    #[arg(long)]
    pub fix: bool,
    /// Write also files whose names do not end in .cpz, and files with syntax errors outside of puzzles
    #[arg(long, requires = "fix")]
    pub force: bool,
    /// Print at most N findings in full; 0 prints all [default: 200 on a terminal, else all]
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// Print hints too
    #[arg(long)]
    pub hints: bool,
    /// Report only findings that are not recorded in FILE
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<String>,
    /// Record the current findings in the baseline
    #[arg(long, requires = "baseline")]
    pub accept: bool,
    /// Check again whenever a file changes, until Ctrl+C
    #[arg(long, conflicts_with_all = ["fix", "accept"])]
    pub watch: bool,
    #[command(flatten)]
    pub budget: Budget,
}

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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors
    Error,
    /// Warnings and errors
    Warning,
    /// Hints, warnings and errors
    Hint,
}

#[derive(clap::Args)]
pub struct Solve {
    #[command(flatten)]
    pub paths: Paths,
    /// Read files of this format instead of puzzles; findings point into them
    #[arg(long, value_parser = values::import_format(), value_name = "FORMAT", conflicts_with = "write")]
    pub from: Option<import::Format>,
    /// Format of the answers
    #[arg(long, value_enum, default_value = "human")]
    pub format: SolveFormat,
    /// Print the whole solutions of chess problems: every variation, try and set play
    #[arg(long)]
    pub tree: bool,
    /// Write answers after the queries that have none
    #[arg(long)]
    pub write: bool,
    /// Write `none` and `illegal` too; `check` then no longer reports these findings
    #[arg(long, requires = "write")]
    pub all: bool,
    /// Write also files whose names do not end in .cpz, and files with syntax errors outside of puzzles
    #[arg(long, requires = "write")]
    pub force: bool,
    /// Node budget per search [default: `budget` in cpz.toml, else 64000000]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
    /// Stop all searches after this time, and print what is proved by then
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SolveFormat {
    /// For people
    Human,
    /// One JSON document
    Json,
}

#[derive(clap::Args)]
pub struct Fmt {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub rewrite: RewriteOptions,
}

#[derive(clap::Args)]
pub struct Convert {
    #[command(flatten)]
    pub paths: Paths,
    /// The format of the boards
    #[arg(long, value_parser = values::target())]
    pub to: Target,
    #[command(flatten)]
    pub rewrite: RewriteOptions,
}

#[derive(clap::Args)]
pub struct Import {
    /// Files to read; `-` reads standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// Their format [default: recognised by name and content]
    #[arg(long, value_parser = values::import_format(), value_name = "FORMAT")]
    pub from: Option<import::Format>,
    /// The file to write [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<String>,
    /// Replace the file to write if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
    /// The language of the piece letters of a text board, such as `fr`
    #[arg(long, value_name = "LANGUAGE", ignore_case = true,
        value_parser = import::LETTERS)]
    pub letters: Option<String>,
    /// The first row of a text board is the lowest, not the highest
    #[arg(long = "rows", value_name = "ORDER", value_parser = ["top-down", "bottom-up"], default_value = "top-down")]
    pub rows: String,
    /// A line of PGN of at most four moves that ends in mate asks for that mate
    #[arg(long)]
    pub mates: bool,
}

#[derive(clap::Args)]
pub struct Export {
    #[command(flatten)]
    pub paths: Paths,
    /// The format
    #[arg(long, value_parser = values::export_format(), value_name = "FORMAT")]
    pub to: export::Format,
    /// Write to OUT instead of standard output
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub choice: Choice,
    /// Replace OUT if it exists
    #[arg(long, requires = "output")]
    pub force: bool,
    /// Solve every puzzle; without it only moves are verified
    #[arg(long)]
    pub solve: bool,
    /// As --solve, with this node budget per search [default: `budget` in cpz.toml, else 4000000]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
}

#[derive(clap::Args)]
pub struct Explain {
    /// The code, or a keyword such as `mate`
    #[arg(value_parser = CodeName, hide_possible_values = true)]
    pub code: Option<String>,
    /// List all codes
    #[arg(long)]
    pub list: bool,
}

/// Accepts any word, since `cpz explain` reports an unknown code with a suggestion; completes to the codes in a shell.
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

#[derive(clap::Args)]
pub struct Lines {
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(clap::Args)]
pub struct Lsp {
    /// Accepted because many editors pass it; the server always uses standard input and output
    #[arg(long)]
    pub stdio: bool,
    /// Append a log to FILE: methods, times, panics; not the contents of documents
    #[arg(long, value_name = "FILE")]
    pub log: Option<std::path::PathBuf>,
}

#[derive(clap::Args)]
pub struct Report {
    #[command(flatten)]
    pub paths: Paths,
    /// Include the last lines of a log that `cpz lsp --log` wrote
    #[arg(long, value_name = "FILE")]
    pub log: Option<String>,
}

#[derive(clap::Args)]
pub struct Schema {
    /// The document that the schema describes
    #[arg(value_parser = values::schema(), value_name = "DOCUMENT")]
    pub of: JsonSchema,
}

#[derive(clap::Args)]
pub struct Man {
    /// The command [default: cpz itself]
    pub command: Option<String>,
}
