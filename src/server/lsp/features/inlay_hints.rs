//! `textDocument/inlayHint`: the answers of queries that have no answer written.

use ls_types as lsp;

use crate::lsp::features::context::{RequestContext, board_of};
use cpz_check::analysis::puzzles_in;
use cpz_ide as ide;
use cpz_text::diagnostic::plain;

/// The most puzzles with hints in one answer.
const MAX_PUZZLES: usize = 2000;

pub(crate) fn inlay_hint(
    context: &RequestContext<'_>,
    params: &lsp::InlayHintParams,
) -> Option<Vec<lsp::InlayHint>> {
    Some(inlay_hints(&context.for_range(params.range), params.range))
}

fn inlay_hints(context: &RequestContext<'_>, range: lsp::Range) -> Vec<lsp::InlayHint> {
    let tree = context.tree();
    let mut hints = Vec::new();
    for (puzzle, settings) in puzzles_in(tree, context.base(), context.span(range), MAX_PUZZLES) {
        if context.cancelled() {
            break;
        }
        let Some(report) = context.report_if_quick(puzzle, settings) else { continue };
        let board = board_of(puzzle, settings);
        hints
            .extend(ide::inlay_hints(tree.text(), &report, board.as_ref()).iter().map(|h| inlay(context, h)));
    }
    hints
}

fn inlay(context: &RequestContext<'_>, hint: &ide::InlayHint) -> lsp::InlayHint {
    lsp::InlayHint {
        position: context.position(hint.offset),
        label: lsp::InlayHintLabel::String(hint.label.clone()),
        kind: None,
        text_edits: hint.insert.as_ref().map(|e| context.edits(std::slice::from_ref(e))),
        tooltip: Some(lsp::InlayHintTooltip::String(plain(&hint.tooltip).into_owned())),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
