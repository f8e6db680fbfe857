//! The parameters of requests, read part by part.
//!
//! The types of `ls_types` have mixed-in fields, for which serde makes code for each type that is as large as a feature. In a
//! module for browsers they take 29 kB. The mixed-in fields are about progress, which is not reported.

use ls_types::*;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::{Error, Value};

/// The members of parameters that are not taken yet.
pub(super) struct Parts(Value);

impl Parts {
    /// Takes a member; one that is not there is null.
    #[inline(never)]
    fn member(&mut self, name: &str) -> Option<Value> {
        self.0.get_mut(name).map(Value::take)
    }

    /// Takes a member as a value of a type.
    ///
    /// # Errors
    /// It is of another type, or is missing and may not be.
    #[inline(never)]
    fn take<T: DeserializeOwned>(&mut self, name: &'static str) -> Result<T, Error> {
        match self.member(name) {
            Some(value) => serde_json::from_value(value),
            None => serde_json::from_value(Value::Null).map_err(|_| Error::missing_field(name)),
        }
    }
}

/// Parameters that are read part by part.
pub(super) trait Params: Sized {
    /// Takes them.
    ///
    /// # Errors
    /// A part is missing or of another type.
    fn of(parts: &mut Parts) -> Result<Self, Error>;
}

/// Reads parameters.
///
/// # Errors
/// A part is missing or of another type.
pub(super) fn read_params<P: Params>(params: Value) -> Result<P, Error> {
    P::of(&mut Parts(params))
}

macro_rules! params {
    ($($params:ident { $($field:ident = $name:literal),* } $(at $place:ident)? $(with $($mixed:ident)+)?;)+) => {
        $(impl Params for $params {
            fn of(parts: &mut Parts) -> Result<Self, Error> {
                Ok($params {
                    $($place: Params::of(parts)?,)?
                    $($field: parts.take($name)?,)*
                    $($($mixed: Default::default(),)+)?
                })
            }
        })+
    };
}

params! {
    TextDocumentPositionParams { text_document = "textDocument", position = "position" };
    HoverParams {} at text_document_position_params with work_done_progress_params;
    GotoDefinitionParams {} at text_document_position_params with work_done_progress_params partial_result_params;
    DocumentHighlightParams {} at text_document_position_params with work_done_progress_params partial_result_params;
    CompletionParams { context = "context" }
        at text_document_position with work_done_progress_params partial_result_params;
    ReferenceParams { context = "context" }
        at text_document_position with work_done_progress_params partial_result_params;
    RenameParams { new_name = "newName" } at text_document_position with work_done_progress_params;
    DocumentOnTypeFormattingParams { ch = "ch", options = "options" } at text_document_position;
    DocumentFormattingParams { text_document = "textDocument", options = "options" } with work_done_progress_params;
    DocumentRangeFormattingParams { text_document = "textDocument", range = "range", options = "options" }
        with work_done_progress_params;
    InlayHintParams { text_document = "textDocument", range = "range" } with work_done_progress_params;
    CodeLensParams { text_document = "textDocument" } with work_done_progress_params partial_result_params;
    CodeActionParams { text_document = "textDocument", range = "range", context = "context" }
        with work_done_progress_params partial_result_params;
    SemanticTokensParams { text_document = "textDocument" } with work_done_progress_params partial_result_params;
    SemanticTokensDeltaParams { text_document = "textDocument", previous_result_id = "previousResultId" }
        with work_done_progress_params partial_result_params;
    SemanticTokensRangeParams { text_document = "textDocument", range = "range" }
        with work_done_progress_params partial_result_params;
    DocumentSymbolParams { text_document = "textDocument" } with work_done_progress_params partial_result_params;
    FoldingRangeParams { text_document = "textDocument" } with work_done_progress_params partial_result_params;
    SelectionRangeParams { text_document = "textDocument", positions = "positions" }
        with work_done_progress_params partial_result_params;
    DocumentLinkParams { text_document = "textDocument" } with work_done_progress_params partial_result_params;
    DocumentDiagnosticParams {
        text_document = "textDocument", identifier = "identifier", previous_result_id = "previousResultId"
    }
        with work_done_progress_params partial_result_params;
    WorkspaceDiagnosticParams { identifier = "identifier", previous_result_ids = "previousResultIds" }
        with work_done_progress_params partial_result_params;
    WorkspaceSymbolParams { query = "query" } with work_done_progress_params partial_result_params;
}
