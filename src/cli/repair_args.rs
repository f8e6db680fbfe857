//! The options of `repair`.

use clap::{ArgGroup, ValueEnum};

use crate::cli::common_args::{Budget, Choice, Paths};

#[derive(clap::Args)]
#[command(group = ArgGroup::new("aim"))]
pub struct Repair {
    #[command(flatten)]
    pub paths: Paths,
    #[command(flatten)]
    pub choice: Choice,
    /// Make each solution the only one, also where the puzzle does not say `unique`
    #[arg(long, group = "aim")]
    pub unique: bool,
    /// Make smaller puzzles that are as sound
    #[arg(long, group = "aim")]
    pub shorten: bool,
    /// Take away pieces that the solution does not need
    #[arg(long, group = "aim")]
    pub minimal: bool,
    /// Format of the proposals
    #[arg(long, value_enum, default_value = "human")]
    pub format: RepairFormat,
    /// Print at most N proposals for each puzzle; 0 prints all [default: 5, and all as JSON]
    #[arg(long, value_name = "N")]
    pub max: Option<usize>,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RepairFormat {
    /// For people
    Human,
    /// One JSON document
    Json,
}
