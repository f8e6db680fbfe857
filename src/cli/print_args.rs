//! The options of `draw`, `print` and `mdbook`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use crate::cli::common_args::{Budget, Choice, Paths};
use crate::cli::values;
use cpz_api::print::{DifficultyShown, Form, Language, Paper, Placement, SheetFormat, Theme};

/// How boards look.
#[derive(clap::Args)]
pub struct Look {
    /// The colours of the boards
    #[arg(long, value_parser = values::theme())]
    pub theme: Option<Theme>,
    /// The names of files and ranks [default: on; off with --form magazine]
    #[arg(long, value_enum)]
    pub coordinates: Option<Switch>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Shown
    On,
    /// Left out
    Off,
}

#[derive(clap::Args)]
#[command(mut_arg("coordinates", |arg| arg.help("The names of files and ranks [default: on]")))]
pub struct Draw {
    #[command(flatten)]
    pub paths: Paths,
    /// The format of the pictures
    #[arg(long, value_enum, default_value = "svg")]
    pub to: PictureFormat,
    /// The folder for the pictures, which is made if it is missing [default: one picture on standard output]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub choice: Choice,
    #[command(flatten)]
    pub look: Look,
    /// The longer side of a picture in pixels
    #[arg(long, value_name = "PIXELS", default_value = "400", value_parser = clap::value_parser!(u32).range(16..=4096))]
    pub size: u32,
    /// Draw the position after N steps of the solution, with an arrow for the last one
    #[arg(long, value_name = "N", conflicts_with = "solution")]
    pub step: Option<usize>,
    /// Draw arrows for the solution
    #[arg(long)]
    pub solution: bool,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub budget: Budget,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// Scalable, for web pages and print
    Svg,
    /// Pixels
    Png,
}

#[derive(clap::Args)]
pub struct Mdbook {
    #[command(subcommand)]
    pub request: Option<MdbookRequest>,
}

#[derive(Subcommand)]
pub enum MdbookRequest {
    /// Exit with 0 if the preprocessor can write for a renderer
    Supports {
        /// The name of the renderer, such as `html`
        renderer: String,
    },
}

#[derive(clap::Args)]
pub struct Print {
    #[command(flatten)]
    pub paths: Paths,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The format of the sheet
    #[arg(long, value_parser = values::sheet_format(), default_value = "html")]
    pub to: SheetFormat,
    #[command(flatten)]
    pub choice: Choice,
    #[command(flatten)]
    pub look: Look,
    /// The size of the paper
    #[arg(long, value_parser = values::paper(), default_value = "a4")]
    pub paper: Paper,
    /// How many diagrams a page has at most, 1 to 12
    #[arg(long, value_name = "N", default_value = "6", value_parser = clap::value_parser!(u8).range(1..=12))]
    pub per_page: u8,
    /// What stands below chess problems [default: lesson; magazine with --to latex]
    #[arg(long, value_parser = values::form())]
    pub form: Option<Form>,
    /// Where the solutions are
    #[arg(long, value_parser = values::placement(), default_value = "apart")]
    pub solutions: Placement,
    /// Where the hints are
    #[arg(long, value_parser = values::placement(), default_value = "apart")]
    pub hints: Placement,
    /// Give puzzles without hints the hints of `cpz hint`
    #[arg(long)]
    pub add_hints: bool,
    /// Which difficulty is shown
    #[arg(long, value_parser = values::difficulty(), default_value = "written")]
    pub difficulty: DifficultyShown,
    /// The language of the sheet
    #[arg(long, value_parser = values::language(), default_value = "en")]
    pub language: Language,
    /// A title page with this title
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Replace a file that exists
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub budget: Budget,
}
