//! Explaining codes and keywords.

use serde::Serialize;

use crate::api::options::Error;
use cpz_check::analysis::code_docs;
use cpz_ide::{keyword_docs, plain_text};
use cpz_text::diagnostic::{Code, visible};
use cpz_text::syntax::{Item, Keyword, nearest, verb_before_in};

/// What a diagnostic code or a keyword means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The code or the keyword.
    pub name: &'static str,
    /// The severity of a code: `error`, `warning` or `hint`; `None` for a keyword.
    pub severity: Option<&'static str>,
    /// The title of a code; `None` for a keyword.
    pub title: Option<&'static str>,
    /// The explanation: Markdown with examples of a code, plain text of a keyword.
    pub text: String,
}

/// A diagnostic code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeSummary {
    /// Its name.
    pub code: &'static str,
    /// Its severity, if the configuration says nothing else: `error`, `warning` or `hint`.
    pub severity: &'static str,
    /// What it means, in a few words.
    pub title: &'static str,
}

/// Explains a diagnostic code or a keyword such as `mate`, as `cpz explain` does.
///
/// ```
/// # use cpz_api::api as cpz;
/// let explained = cpz::explain("cook")?;
/// assert_eq!(explained.severity, Some("warning"));
/// assert!(cpz::explain("mate")?.text.contains("mate"));
/// # Ok::<(), cpz::Error>(())
/// ```
///
/// # Errors
/// There is no such code and no such keyword.
pub fn explain(name: &str) -> Result<Explanation, Error> {
    if let Some(code) = Code::from_name(name) {
        let entry = code_docs::entry(code);
        let (severity, title) = (Some(entry.severity.name()), Some(entry.title));
        return Ok(Explanation { name: code.name(), severity, title, text: entry.page() });
    }
    // `stalemate` is a keyword only before `in`.
    let problem = || Some(Keyword::Item(Item::Query(verb_before_in(name)?)));
    if let Some(keyword) = Keyword::from_word(name).or_else(problem) {
        let text = plain_text(keyword_docs(keyword)).trim_end().to_string() + "\n";
        return Ok(Explanation { name: keyword.word(), severity: None, title: None, text });
    }
    let names: Vec<&str> =
        Code::ALL.iter().map(|code| code.name()).chain(Keyword::all().map(Keyword::word)).collect();
    let hint = nearest(name, names.iter().copied()).map_or_else(
        || "`cpz explain --list` lists all codes".to_string(),
        |i| format!("did you mean `{}`?", names[i]),
    );
    let name = visible(name).replace('\n', "\\n").replace('\t', "\\t");
    Err(Error(format!("there is no code and no keyword `{name}`; {hint}")))
}

/// All diagnostic codes, as `cpz explain --list` prints them.
///
/// ```
/// # use cpz_api::api as cpz;
/// assert!(cpz::codes().any(|code| code.code == "cook"));
/// ```
pub fn codes() -> impl Iterator<Item = CodeSummary> {
    code_docs::TABLE.iter().map(|entry| CodeSummary {
        code: entry.code.name(),
        severity: entry.severity.name(),
        title: entry.title,
    })
}
