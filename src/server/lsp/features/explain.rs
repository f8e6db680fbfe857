//! `cpz/explain`: what a diagnostic code means.

use serde::{Deserialize, Serialize};

use crate::lsp::protocol::request_error::{RequestError, Result};
use cpz_check::analysis::code_docs;
use cpz_text::diagnostic::Code;

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

/// # Errors
/// There is no such code.
pub(crate) fn explain(params: &ExplainParams) -> Result<Explanation> {
    let Some(code) = Code::from_name(&params.code) else {
        return Err(RequestError::invalid_params(format!("there is no code `{}`", params.code)));
    };
    let entry = code_docs::entry(code);
    let (name, severity) = (code.name(), entry.severity.name());
    let markdown = format!("# {name}\n\n{} ({severity})\n\n{}", entry.title, entry.page());
    Ok(Explanation { code: name, severity, title: entry.title, markdown })
}
