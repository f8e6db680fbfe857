//! `textDocument/hover`.

use std::sync::atomic::Ordering;

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use crate::analysis::Defaults;
use crate::ide;
use crate::server::handlers::backend::Backend;
use crate::server::handlers::context::RequestContext;
use crate::server::protocol::convert::markup_kind;
use crate::syntax::Puzzle;

pub(crate) async fn hover(backend: &Backend, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
    let lsp::TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    let job = move |context: &RequestContext<'_>| hover_at(&context.for_position(position), position);
    Ok(backend.run(text_document.uri.as_str(), job).await?.flatten())
}

fn hover_at(context: &RequestContext<'_>, position: lsp::Position) -> Option<lsp::Hover> {
    let kind = markup_kind(context.client().hover_markdown);
    let pictures = context.session.pictures.load(Ordering::Relaxed) && kind == lsp::MarkupKind::Markdown;
    let report = |puzzle: Puzzle<'_>, settings: Defaults, needs_answer: bool| match needs_answer {
        true => context.report_full(puzzle, settings),
        false => context.report_quick(puzzle, settings).0,
    };
    let hover = ide::hover(context.tree(), &context.config(), context.offset(position), pictures, report)?;
    let value = match kind {
        lsp::MarkupKind::PlainText => ide::plain_text(&hover.markdown),
        lsp::MarkupKind::Markdown => hover.markdown,
    };
    let contents = lsp::HoverContents::Markup(lsp::MarkupContent { kind, value });
    Some(lsp::Hover { contents, range: Some(context.range(hover.span)) })
}
