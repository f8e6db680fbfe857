//! `textDocument/completion`.

use ls_types as lsp;

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::convert::{completion_kind, markup_kind};
use cpz_check::analysis::Defaults;
use cpz_ide as ide;
use cpz_text::syntax::Puzzle;

pub(crate) fn completion(
    context: &RequestContext<'_>,
    params: &lsp::CompletionParams,
) -> Option<lsp::CompletionResponse> {
    let position = params.text_document_position.position;
    let trigger = params.context.as_ref().and_then(|c| c.trigger_character.as_ref()?.chars().next());
    let items = completions(&context.for_position(position), position, trigger);
    // Which moves continue a solution depends on the text typed, so the client has to ask again.
    Some(lsp::CompletionResponse::List(lsp::CompletionList { is_incomplete: true, items }))
}

/// The completions at a position, most likely first. `trigger` is the character that the client asked for.
fn completions(
    context: &RequestContext<'_>,
    position: lsp::Position,
    trigger: Option<char>,
) -> Vec<lsp::CompletionItem> {
    let report = |puzzle: Puzzle<'_>, settings: Defaults| context.report_full(puzzle, settings);
    let (tree, base, offset) = (context.tree(), context.base(), context.offset(position));
    let found = match trigger {
        Some(trigger) => ide::completions_after(tree, base, offset, trigger, report),
        None => ide::completions(tree, base, offset, report),
    };
    found.into_iter().enumerate().map(|(rank, completion)| item(context, rank, completion)).collect()
}

fn item(context: &RequestContext<'_>, rank: usize, completion: ide::Completion) -> lsp::CompletionItem {
    let client = context.client();
    let snippet = completion.snippet.filter(|_| client.snippets);
    let format = match snippet {
        Some(_) => lsp::InsertTextFormat::SNIPPET,
        None => lsp::InsertTextFormat::PLAIN_TEXT,
    };
    let typed = || context.tree().text()[completion.replace.range()].to_string();
    let documentation = |value: &str| match markup_kind(client.documentation_markdown) {
        lsp::MarkupKind::PlainText => lsp::Documentation::String(ide::plain_text(value)),
        kind => lsp::Documentation::MarkupContent(lsp::MarkupContent { kind, value: value.to_string() }),
    };
    // The list shows the detail of the selected item alone, but the label details of all.
    let label_details = (client.label_details && !completion.detail.is_empty()).then(|| {
        let description = Some(completion.detail.clone());
        lsp::CompletionItemLabelDetails { detail: None, description }
    });
    lsp::CompletionItem {
        kind: Some(completion_kind(completion.kind)),
        documentation: completion.documentation.map(documentation),
        sort_text: Some(format!("{rank:05}")),
        // An item that only explains always matches the text typed.
        filter_text: (completion.rank == 9).then(typed),
        insert_text_format: Some(format),
        text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit {
            range: context.range(completion.replace),
            new_text: snippet.unwrap_or(completion.text),
        })),
        detail: (!completion.detail.is_empty()).then_some(completion.detail),
        label_details,
        label: completion.label,
        ..Default::default()
    }
}
