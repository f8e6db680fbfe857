//! The options of `rate`, `hint`, `generate`, `sort` and `stats`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::common_args::{Budget, Choice, Paths, RewriteOptions};
use crate::cli::values;
pub use cpz_check::authoring::SortKey;
use cpz_check::authoring::{Estimate, read_difficulty, read_size, rules_of_name};
use cpz_rules::board::Size;
use cpz_rules::games::Dialect;
use cpz_text::syntax::GameId;

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

#[derive(clap::Args)]
pub struct Generate {
    /// The game of the new puzzles
    #[arg(value_enum)]
    pub game: GeneratedGame,
    #[command(flatten)]
    pub paths: Paths,
    /// How many puzzles
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    pub count: usize,
    /// The seed: the same seed makes the same puzzles
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,
    /// The number of pieces [default: 6 in solitaire, as many as fit in draughts, any in chess]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub pieces: Option<u32>,
    /// Columns and rows of a solitaire board, or the side of a cube [default: 4x4, and 3 for chess3d]
    #[arg(long, value_name = "WxH", value_parser = read_size)]
    pub size: Option<Size>,
    /// The rules of solitaire: default, ranger or solo
    #[arg(long, value_name = "RULES", value_parser = rules)]
    pub rules: Option<Rules>,
    /// The kinds of pieces, each with its weight behind it, such as KQR2B2N2P3, or M5K in draughts
    #[arg(long, value_name = "KINDS")]
    pub kinds: Option<String>,
    /// Only boards of solitaire with one solution, in any order
    #[arg(long)]
    pub unique: bool,
    /// The least and the largest estimate of difficulty, 1 to 10, such as 3-4.5
    #[arg(long, value_name = "A-B", value_parser = difficulty)]
    pub difficulty: Option<DifficultyRange>,
    /// Draughts: the pieces that the one capture takes [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=12))]
    pub captures: Option<u32>,
    /// Chess: mate in N moves, with one key
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    pub mate: Option<u8>,
    /// Chess: a file with the positions to change, in any format that cpz reads
    #[arg(long, value_name = "LIST")]
    pub from: Option<String>,
    /// The file to write, which must not exist [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GeneratedGame {
    /// Boards with a solution
    Solitaire,
    /// Mates in a number of moves
    Chess,
    /// Captures of which there is exactly one
    Draughts,
    /// Mates on cubes in which no piece is idle
    #[value(name = "chess3d")]
    Chess3d,
}

impl GeneratedGame {
    /// The game.
    pub fn id(self) -> GameId {
        match self {
            GeneratedGame::Solitaire => GameId::Solitaire,
            GeneratedGame::Chess => GameId::Chess,
            GeneratedGame::Draughts => GameId::Draughts,
            GeneratedGame::Chess3d => GameId::Chess3d,
        }
    }
}

/// The rules of solitaire.
#[derive(Clone, Copy)]
pub struct Rules(pub Dialect);

fn rules(text: &str) -> Result<Rules, String> {
    rules_of_name(text).map(Rules)
}

/// The least and the largest estimate.
#[derive(Clone, Copy)]
pub struct DifficultyRange {
    pub least: Estimate,
    pub most: Estimate,
}

fn difficulty(text: &str) -> Result<DifficultyRange, String> {
    read_difficulty(text).map(|(least, most)| DifficultyRange { least, most })
}

#[derive(clap::Args)]
pub struct Hint {
    #[command(flatten)]
    pub paths: Paths,
    /// How much the hint gives away: 1 which piece begins, 2 where it goes, 3 the move
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=3))]
    pub grade: u8,
    /// Format of the hints
    #[arg(long, value_enum, default_value = "human")]
    pub format: RateFormat,
    #[command(flatten)]
    pub choice: Choice,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(clap::Args)]
pub struct Sort {
    #[command(flatten)]
    pub paths: Paths,
    /// What the order depends on
    #[arg(long, value_parser = values::sort_key(), value_name = "KEY")]
    pub by: SortKey,
    #[command(flatten)]
    pub rewrite: RewriteOptions,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(clap::Args)]
pub struct Stats {
    #[command(flatten)]
    pub paths: Paths,
    /// Format of the statistics
    #[arg(long, value_enum, default_value = "human")]
    pub format: StatsFormat,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatsFormat {
    /// Tables for people
    Human,
    /// One JSON document
    Json,
    /// A plot of difficulty and pieces
    Svg,
}
