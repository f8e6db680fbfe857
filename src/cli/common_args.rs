//! The options that several commands share.

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
