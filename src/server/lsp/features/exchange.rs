//! `cpz/import`, `cpz/export` and `cpz/captions`: files of other programs, and paper, for editors without a disk.

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::exchange_ext::{
    CaptionsParams, Exchanged, ExportParams, ImportParams, PrintedCaptions,
};
use crate::lsp::protocol::request_error::{RequestError, Result};
use base64::prelude::{BASE64_STANDARD, Engine};
use cpz_api::api::{self, ImportOptions};
use cpz_api::print::{self, Captions};

/// The longest file that is imported in one request, in bytes. `cpz import` reads longer ones.
const MAX_IMPORT: usize = 64 << 20;
/// The most puzzles of a sheet. `cpz print` prints more.
const MAX_PRINTED: usize = 500;

/// Makes a collection of a file of another program.
///
/// # Errors
/// The format is not recognised, or the file is too long.
pub(crate) fn import(params: &ImportParams) -> Result<Exchanged> {
    if params.text.len() > MAX_IMPORT {
        let most = MAX_IMPORT >> 20;
        let message = format!("the file is longer than {most} MiB; use `cpz import` on the command line");
        return Err(RequestError::invalid_params(message));
    }
    let options = ImportOptions { path: Some(params.name.clone()), ..ImportOptions::default() };
    let imported = api::import_text(params.text.as_bytes(), &options);
    let imported = imported.map_err(|error| RequestError::invalid_params(error.to_string()))?;
    let notices = imported.notices.iter().map(|n| format!("line {}: {}", n.line, n.reason)).collect();
    Ok(Exchanged { text: imported.text, data: None, notices, open: None })
}

/// Writes the puzzles of a document in the format of another program.
///
/// # Errors
/// There is no such format.
pub(crate) fn export(context: &RequestContext<'_>, params: &ExportParams) -> Result<Option<Exchanged>> {
    if context.may_find_more(true, params.solve) {
        return Ok(None);
    }
    let uri = params.text_document.uri.as_str();
    let path = uri.rsplit('/').next().unwrap_or(uri);
    let exported =
        api::export_tree(context.tree(), path, &params.to, params.solve, params.time, &context.options());
    let (exported, open) = exported.map_err(|error| RequestError::invalid_params(error.to_string()))?;
    let data = exported.bytes.map(|bytes| BASE64_STANDARD.encode(bytes));
    Ok(Some(Exchanged { text: exported.text, data, notices: exported.notes, open }))
}

/// What stands around the boards of a document on paper. It needs no search.
pub(crate) fn captions(context: &RequestContext<'_>, _: &CaptionsParams) -> Option<Vec<PrintedCaptions>> {
    Some(context.collect_windows(MAX_PRINTED, |window, missing| {
        let captions = print::captions(window.tree(), window.base(), missing);
        let printed = |captions: Captions| PrintedCaptions { range: window.range(captions.span), captions };
        captions.into_iter().map(printed).collect()
    }))
}
