//! `textDocument/hover`.

use std::sync::atomic::Ordering;

use ls_types as lsp;

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::convert::markup_kind;
use cpz_check::analysis::Defaults;
use cpz_ide as ide;
use cpz_text::syntax::Puzzle;

pub(crate) fn hover(context: &RequestContext<'_>, params: &lsp::HoverParams) -> Option<lsp::Hover> {
    let position = params.text_document_position_params.position;
    hover_at(&context.for_position(position), position)
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
