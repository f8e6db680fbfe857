//! The extensions `cpz/import`, `cpz/export` and `cpz/captions`.

use cpz_api::print::Captions;
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
    /// Whether every puzzle is solved first.
    #[serde(default)]
    pub solve: bool,
    /// When an Anki package was written, in seconds since 1970; Anki updates a note that it has only by a newer one.
    #[serde(default)]
    pub time: u64,
}

/// A file in another format, and what it does not hold of the first one, in sentences.
#[derive(Serialize)]
pub(crate) struct Exchanged {
    /// The file; empty where it is no text.
    pub text: String,
    /// The bytes of a file that is no text, such as an Anki package, in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    pub notices: Vec<String>,
    /// How many answers need a longer search than there was, in words, if some do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
}

/// The parameters of `cpz/captions`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CaptionsParams {
    pub text_document: lsp::TextDocumentIdentifier,
}

/// What stands around a board on paper.
#[derive(Serialize)]
pub(crate) struct PrintedCaptions {
    /// The puzzle in the text.
    pub range: lsp::Range,
    #[serde(flatten)]
    pub captions: Captions,
}
