//! The options of `rate`.

use clap::ValueEnum;

use crate::cli::common_args::{Budget, Choice, Paths};

#[derive(clap::Args)]
pub struct Rate {
    #[command(flatten)]
    pub paths: Paths,
    /// Format of the ratings
    #[arg(long, value_enum, default_value = "human")]
    pub format: RateFormat,
    #[command(flatten)]
    pub choice: Choice,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RateFormat {
    /// For people
    Human,
    /// One JSON document
    Json,
}
