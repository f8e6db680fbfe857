//! `textDocument/documentSymbol` and `workspace/symbol`.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ls_types as lsp;

use crate::lsp::features::context::{RequestContext, attempt};
use crate::lsp::protocol::convert::symbol_kind;
use crate::lsp::protocol::request_error::Result;
use crate::lsp::session::Session;
use crate::lsp::state::snapshot::Snapshot;
use cpz_ide as ide;
use cpz_text::diagnostic::visible;

/// The most puzzles in the outline of one document: the request has no range.
const MAX_DOCUMENT_SYMBOLS: usize = 5000;
/// The most symbols of the workspace in one answer. VS Code asks for the first word alone and searches the answer for
/// the others, so that a small answer would hide what it is asked for.
const MAX_WORKSPACE_SYMBOLS: usize = 20_000;

pub(crate) fn document_symbol(
    context: &RequestContext<'_>,
    _: &lsp::DocumentSymbolParams,
) -> Option<lsp::DocumentSymbolResponse> {
    let found = context.collect_windows(MAX_DOCUMENT_SYMBOLS, |window, missing| {
        let above = MAX_DOCUMENT_SYMBOLS - missing;
        let symbols = ide::document_symbols(window.tree(), window.base(), above, missing);
        symbols.iter().map(|s| document_symbol_of(window, s)).collect()
    });
    Some(lsp::DocumentSymbolResponse::Nested(found))
}

fn document_symbol_of(context: &RequestContext<'_>, symbol: &ide::Symbol) -> lsp::DocumentSymbol {
    let children: Vec<_> = symbol.children.iter().map(|s| document_symbol_of(context, s)).collect();
    #[allow(deprecated)] // The field has no default.
    lsp::DocumentSymbol {
        name: visible(&symbol.name).into_owned(),
        detail: (!symbol.detail.is_empty()).then(|| visible(&symbol.detail).into_owned()),
        kind: symbol_kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: context.range(symbol.span),
        selection_range: context.range(symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

/// The puzzles of all documents whose names contain every word of the query, ignoring case.
///
/// # Errors
/// The internal error, after a panic.
pub(crate) fn workspace_symbols(
    session: &Session,
    snapshots: &[Arc<Snapshot>],
    query: &str,
    cancel: &Arc<AtomicBool>,
) -> Result<Vec<lsp::WorkspaceSymbol>> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut found = Vec::new();
    for snapshot in snapshots {
        if cancel.load(Ordering::Relaxed) || found.len() >= MAX_WORKSPACE_SYMBOLS {
            break;
        }
        let missing = MAX_WORKSPACE_SYMBOLS - found.len();
        let job = |context: &RequestContext<'_>| named_puzzles(context, &words, missing);
        found.extend(attempt(&job, session, snapshot, cancel, true).answer?);
    }
    Ok(found)
}

/// Up to `max` puzzles of one document whose names contain all words, which are in lower case.
fn named_puzzles(context: &RequestContext<'_>, words: &[&str], max: usize) -> Vec<lsp::WorkspaceSymbol> {
    let Ok(uri) = context.snapshot.uri.parse::<lsp::Uri>() else { return Vec::new() };
    let convert = |window: &RequestContext<'_>, symbol: ide::Symbol| lsp::WorkspaceSymbol {
        location: lsp::OneOf::Left(lsp::Location { uri: uri.clone(), range: window.range(symbol.selection) }),
        name: visible(&symbol.name).into_owned(),
        kind: symbol_kind(symbol.kind),
        tags: None,
        container_name: (!symbol.detail.is_empty()).then(|| visible(&symbol.detail).into_owned()),
        data: None,
    };
    // Puzzles without a name are numbered, so the windows before this one count.
    let above = Cell::new(0);
    context.collect_windows(max, |window, missing| {
        let all = ide::document_symbols(window.tree(), window.base(), above.get(), usize::MAX);
        above.set(above.get() + all.len());
        let named = all.into_iter().filter(|symbol| {
            let name = symbol.name.to_lowercase();
            words.iter().all(|word| name.contains(word))
        });
        named.take(missing).map(|symbol| convert(window, symbol)).collect()
    })
}
