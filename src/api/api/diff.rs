//! What has changed between two texts.

use std::sync::Arc;

use serde_json::Value;

use crate::api::options::{Error, TextOptions, short_enough};
use crate::print::diff_in_html;
use cpz_check::analysis::Config;
use cpz_exchange::{Diff, DiffFile, diff, diff_in_markdown};

/// The options of [`diff_texts`], [`diff_markdown`] and [`diff_html`].
#[derive(Clone, Debug, Default)]
pub struct DiffOptions {
    /// How many puzzles are described in Markdown and HTML, at most; without a number all.
    pub max: Option<usize>,
    /// How the texts are read: the path and the configuration are those of both.
    pub text: TextOptions,
}

/// Says what has changed between two versions of a text, puzzle by puzzle. The document is that of `cpz diff --format json`; its
/// schema is printed by `cpz schema diff`.
///
/// ```
/// # use cpz_api::api as cpz;
/// let old = "chess \"Mate\" { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }";
/// let diff = cpz::diff_texts(old, &old.replace("5KQ1", "4K1Q1"), &cpz::DiffOptions::default())?;
/// assert_eq!(diff["puzzles"][0]["board"]["men"][0]["piece"], "white king");
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong budget or configuration, or a text longer than 1 GiB.
pub fn diff_texts(old: &str, new: &str, options: &DiffOptions) -> Result<Value, Error> {
    let found = compared(old, new, options)?;
    serde_json::to_value(&found).map_err(|error| Error(error.to_string()))
}

/// Says the same in Markdown, as `cpz diff --format markdown` does.
///
/// ```
/// # use cpz_api::api as cpz;
/// let old = "solitaire \"First\" { board RN.. solve }";
/// let text = cpz::diff_markdown(old, &format!("{old}\n{}", old.replace("RN", "RB")), &cpz::DiffOptions::default())?;
/// assert!(text.starts_with("**1 puzzle added, 1 unchanged**"));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// As [`diff_texts`].
pub fn diff_markdown(old: &str, new: &str, options: &DiffOptions) -> Result<String, Error> {
    let found = compared(old, new, options)?;
    Ok(diff_in_markdown(&found, options.max.unwrap_or(usize::MAX)))
}

/// Says the same on an HTML page with pictures of the boards, as `cpz diff --format html` does.
///
/// # Errors
/// As [`diff_texts`].
pub fn diff_html(old: &str, new: &str, options: &DiffOptions) -> Result<String, Error> {
    let found = compared(old, new, options)?;
    Ok(diff_in_html(&found, options.max.unwrap_or(usize::MAX)))
}

fn compared(old: &str, new: &str, options: &DiffOptions) -> Result<Diff, Error> {
    let analysis = options.text.analysis()?;
    let config: &Arc<Config> = &analysis.config;
    let file = |text| DiffFile { path: options.text.path(), key: "", text, config };
    Ok(diff(&[file(short_enough(old)?)], &[file(short_enough(new)?)], Some(analysis.nodes)))
}
