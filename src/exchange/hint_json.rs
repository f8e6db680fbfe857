//! The document of `cpz hint --format json`. Its schema is `docs/schema/hint.schema.json`.

use serde::Serialize;

use crate::FileDocument;

/// The document.
#[derive(Serialize)]
pub struct HintDocument<'a> {
    /// The version of the document.
    pub version: u32,
    /// How much the hints give away, 1 to 3.
    pub grade: u8,
    /// The files in order.
    pub files: Vec<FileDocument<'a, HintedDocument>>,
}

/// The hint for a puzzle, or why it has none.
#[derive(Serialize)]
pub struct HintedDocument {
    hint: Option<String>,
    error: Option<String>,
}

impl From<Result<String, String>> for HintedDocument {
    fn from(hint: Result<String, String>) -> HintedDocument {
        match hint {
            Ok(hint) => HintedDocument { hint: Some(hint), error: None },
            Err(why) => HintedDocument { hint: None, error: Some(why) },
        }
    }
}
