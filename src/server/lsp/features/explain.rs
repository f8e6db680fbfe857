//! `cpz/explain`: what a diagnostic code means.

use serde::{Deserialize, Serialize};

use crate::lsp::protocol::request_error::{RequestError, Result};
use cpz_check::analysis::code_docs;
use cpz_text::diagnostic::{Code, plain};

/// The parameters of `cpz/explain`.
#[derive(Deserialize)]
pub(crate) struct ExplainParams {
    code: String,
}

/// The page of a code.
#[derive(Serialize)]
pub(crate) struct Explanation {
    code: &'static str,
    severity: &'static str,
    title: &'static str,
    markdown: String,
}

/// The entry of a code.
///
/// # Errors
/// There is no such code.
fn entry(params: &ExplainParams) -> Result<&'static code_docs::Entry> {
    let missing = || RequestError::invalid_params(format!("there is no code `{}`", params.code));
    Code::from_name(&params.code).map(code_docs::entry).ok_or_else(missing)
}

/// What a code means as a message, for a client that shows no pages: without the examples.
///
/// # Errors
/// There is no such code.
pub(crate) fn message(params: &ExplainParams) -> Result<String> {
    let code_docs::Entry { code, title, text, .. } = *entry(params)?;
    Ok(plain(&format!("{}: {title}\n\n{text}", code.name())).into_owned())
}

/// # Errors
/// There is no such code.
pub(crate) fn explain(params: &ExplainParams) -> Result<Explanation> {
    let entry = entry(params)?;
    let code = entry.code;
    let (name, severity) = (code.name(), entry.severity.name());
    let markdown = format!("# {name}\n\n{} ({severity})\n\n{}", entry.title, entry.page());
    Ok(Explanation { code: name, severity, title: entry.title, markdown })
}
