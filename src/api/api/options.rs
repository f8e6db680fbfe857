//! What all functions have in common: options, and why they fail.

use std::fmt;
use std::sync::Arc;

use cpz_check::analysis::config::{MAX_BUDGET, read_config};
use cpz_check::analysis::{Config, Options};
use cpz_ide::is_plain_text;
use cpz_text::syntax::{MAX_TEXT, Tree, parse};

/// Why a function has no result: a sentence without a full stop that says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(pub(super) String);

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<String> for Error {
    fn from(why: String) -> Error {
        Error(why)
    }
}

/// How a text is read and searched.
#[derive(Clone, Debug, Default)]
pub struct TextOptions {
    /// The name of the text in documents and messages; `<stdin>` if there is none.
    pub path: Option<String>,
    /// The node budget of one search, 1 to 100,000,000; without one that of the configuration, by default 4,000,000.
    pub budget: Option<u64>,
    /// The text of the `cpz.toml` that applies.
    pub config: Option<String>,
}

impl TextOptions {
    pub(super) fn path(&self) -> &str {
        self.path.as_deref().unwrap_or("<stdin>")
    }

    /// The options of an analysis.
    pub(super) fn analysis(&self) -> Result<Options, Error> {
        let config = match self.config.as_deref() {
            None => Config::default(),
            Some(text) => read_config(text).map_err(|findings| {
                let why = findings.first().map_or("it cannot be read", |finding| finding.message.as_str());
                Error(format!("the configuration has a mistake: {why}"))
            })?,
        };
        let nodes = nodes(self.budget, config.nodes())?;
        Ok(Options { nodes, ..Options::new(Arc::new(config)) })
    }
}

/// A node budget; `default` without one.
pub(super) fn nodes(budget: Option<u64>, default: u64) -> Result<u64, Error> {
    match budget {
        Some(nodes @ 1..=MAX_BUDGET) => Ok(nodes),
        Some(nodes) => Err(Error(format!("the budget {nodes} is not between 1 and {MAX_BUDGET}"))),
        None => Ok(default),
    }
}

/// One of several values that have names.
pub(super) fn named<T: Copy>(
    what: &str,
    name: &str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
) -> Result<T, Error> {
    let found = all.iter().copied().find(|&each| name_of(each) == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&each| name_of(each)).collect();
        Error(format!("there is no {what} `{name}`; choose one of {}", names.join(", ")))
    })
}

/// A text that may be written again: one of UTF-8.
pub(super) fn readable(text: &str) -> Result<&str, Error> {
    match is_plain_text(text) {
        true => Ok(text),
        false => Err(Error("the text contains NUL characters, as UTF-16 does; save it as UTF-8".into())),
    }
}

/// The tree of a text that is not too long.
pub(super) fn tree_of(text: &str) -> Result<Tree, Error> {
    short_enough(text).map(parse)
}

/// A text that is not too long.
pub(super) fn short_enough(text: &str) -> Result<&str, Error> {
    match text.len() {
        0..=MAX_TEXT => Ok(text),
        _ => Err(Error("the text is longer than 1 GiB; split the collection".into())),
    }
}
