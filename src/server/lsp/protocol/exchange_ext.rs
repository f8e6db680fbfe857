//! The extensions `cpz/import` and `cpz/export`.

use ls_types as lsp;
use serde::{Deserialize, Serialize};

/// The parameters of `cpz/import`.
#[derive(Clone, Deserialize)]
pub(crate) struct ImportParams {
    /// The name of the file, whose ending helps to recognise the format.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The parameters of `cpz/export`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExportParams {
    pub text_document: lsp::TextDocumentIdentifier,
    /// The format, such as `pgn`.
    pub to: String,
}

/// A file in another format, and what it does not hold of the first one, in sentences.
#[derive(Serialize)]
pub(crate) struct Exchanged {
    pub text: String,
    pub notices: Vec<String>,
}
