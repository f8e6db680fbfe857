//! The options of `diff`.

use clap::ValueEnum;

use crate::cli::common_args::Budget;

#[derive(clap::Args)]
pub struct Diff {
    /// The old collection: a file or a folder; `-` reads standard input
    #[arg(value_name = "OLD")]
    pub old: String,
    /// The new collection
    #[arg(value_name = "NEW")]
    pub new: String,
    /// Format of the differences
    #[arg(long, value_enum, default_value = "human")]
    pub format: DiffFormat,
    /// Describe at most N puzzles; the others are counted. 0 describes all; JSON always has all [default: 0]
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    /// Ignore every `cpz.toml`
    #[arg(long)]
    pub no_config: bool,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    Human,
    /// One JSON document
    Json,
    /// Markdown, for the summary of a workflow or the comment of a review
    Markdown,
    /// One page with pictures of the boards before and after
    Html,
}
