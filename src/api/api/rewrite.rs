//! Formatting, fixing and converting.

use serde::Serialize;

use crate::api::check::link_alone;
use crate::api::options::{Error, TextOptions, named, readable, tree_of};
use cpz_check::analysis::{Defaults, analyse};
use cpz_ide as ide;
use cpz_rules::board::Target;
use cpz_text::diagnostic::LineIndex;

/// Formats a text as `cpz fmt` does; only white space changes.
///
/// ```
/// # use cpz_api::api as cpz;
/// let formatted = cpz::format_text("solitaire{board RN..\nsolve}")?;
/// assert_eq!(formatted, "solitaire {\n  board RN..\n  solve\n}\n");
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A text longer than 1 GiB, or one of which a word or a comment would change.
pub fn format_text(text: &str) -> Result<String, Error> {
    ide::format(&tree_of(text)?)
        .ok_or_else(|| Error("not formatted: a word or a comment would change".into()))
}

/// A text with the safe fixes of its findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FixedText {
    /// The text.
    pub text: String,
    /// How many fixes were applied.
    pub fixed: usize,
}

/// Applies the safe fixes of a text until none is left, as `cpz check --fix --force` does. What a fix does not replace is kept.
///
/// ```
/// # use cpz_api::api as cpz;
/// let fixed = cpz::fix_text("solitaire { board RN.. solv }", &cpz::TextOptions::default())?;
/// assert_eq!((fixed.text.as_str(), fixed.fixed), ("solitaire { board RN.. solve }", 1));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// A wrong budget or configuration, or a text longer than 1 GiB or with NUL characters.
pub fn fix_text(text: &str, options: &TextOptions) -> Result<FixedText, Error> {
    let analysis = options.analysis()?;
    let mut result = FixedText { text: readable(text)?.to_string(), fixed: 0 };
    for _ in 0..ide::MAX_FIX_ROUNDS {
        let mut report = analyse(&tree_of(&result.text)?, &analysis);
        link_alone(&mut report, &result.text, &LineIndex::new(&result.text), options.path(), false);
        let fixes = ide::safe_fixes(report.findings().into_iter().map(|(finding, _)| finding));
        let (new, applied) = ide::apply_fixes(&result.text, &fixes);
        if applied == 0 {
            break;
        }
        result = FixedText { text: new, fixed: result.fixed + applied };
    }
    Ok(result)
}

/// A text with its boards in another format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConvertedText {
    /// The text.
    pub text: String,
    /// The boards that are as they were.
    pub unchanged: Vec<UnchangedBoard>,
}

/// A board that is not converted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnchangedBoard {
    /// The line of its puzzle, from 1.
    pub line: u32,
    /// Why it is not converted.
    pub reason: String,
}

/// Writes the boards of a text in another format, as `cpz convert` does: `text`, `list`, `numbers`, `coordinates` or
/// `fen`.
///
/// ```
/// # use cpz_api::api as cpz;
/// let converted = cpz::convert_text("chess { board 8/8/8/4k3/8/8/8/4K2R mate }", "text", &Default::default())?;
/// assert!(converted.text.contains("....k..."));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// There is no such format, the configuration is wrong, the text is longer than 1 GiB, or a word or a comment would change.
pub fn convert_text(text: &str, to: &str, options: &TextOptions) -> Result<ConvertedText, Error> {
    let target = named("format of boards", to, &Target::ALL, Target::name)?;
    let settings = options.analysis()?.config.settings;
    convert_boards(text, settings, target).map(|(converted, _)| converted)
}

/// Converts the boards of a text; `settings` are the configured defaults. Also returns whether a board is unchanged because
/// a property cannot be read.
pub fn convert_boards(
    text: &str,
    settings: Defaults,
    target: Target,
) -> Result<(ConvertedText, bool), Error> {
    let converted = ide::convert(&tree_of(text)?, settings, target);
    let new = ide::apply(text, &converted.edits);
    if !ide::keeps_all_else(text, &converted.edits, &new) {
        return Err(Error("not converted: a word or a comment next to a board would change".into()));
    }
    let index = LineIndex::new(text);
    let unchanged = converted.skipped.into_iter();
    let unchanged =
        unchanged.map(|(span, reason)| UnchangedBoard { line: index.line(span.start) + 1, reason });
    let result = ConvertedText { text: new, unchanged: unchanged.collect() };
    Ok((result, converted.has_unreadable_property))
}
