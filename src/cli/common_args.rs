//! The options that several commands share.

use crate::cli::values;
use cpz_text::syntax::GameId;

#[derive(clap::Args)]
pub struct Paths {
    /// Files and folders; `-` reads standard input [default: current folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Ignore every `cpz.toml`
    #[arg(long)]
    pub no_config: bool,
}

#[derive(clap::Args)]
pub struct Budget {
    /// Node budget per search [default: `budget` in cpz.toml, else 4000000]
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: Option<u64>,
}

/// Which puzzles of the paths are meant. One that fits every option given is chosen.
#[derive(clap::Args)]
pub struct Choice {
    /// Only puzzles whose id, name or number fits GLOB, such as `mate-*`; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,
    /// Only puzzles with the tag T; may be repeated
    #[arg(long, value_name = "T")]
    pub tag: Vec<String>,
    /// Only puzzles of the game G; may be repeated
    #[arg(long, value_parser = values::game(), value_name = "G")]
    pub game: Vec<GameId>,
}

/// How a command that rewrites files does it.
#[derive(clap::Args)]
pub struct RewriteOptions {
    /// Write nothing; exit with 1 if a file would change
    #[arg(long)]
    pub check: bool,
    /// Write nothing; print the changes
    #[arg(long)]
    pub diff: bool,
    /// Write also files whose names do not end in .cpz, and files with syntax errors outside of puzzles
    #[arg(long)]
    pub force: bool,
}
