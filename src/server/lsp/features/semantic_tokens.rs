//! `textDocument/semanticTokens/full`, `…/full/delta` and `…/range`.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use ls_types as lsp;

use crate::lsp::features::context::RequestContext;
use crate::lsp::protocol::token_legend::legend;
use cpz_ide as ide;
use cpz_text::diagnostic::Span;

/// The most tokens of one answer.
const MAX_TOKENS: usize = 100_000;

pub(crate) fn full(
    context: &RequestContext<'_>,
    _: &lsp::SemanticTokensParams,
) -> Option<lsp::SemanticTokensResult> {
    let data = tokens(context, None);
    let found = lsp::SemanticTokens { result_id: Some(store(context, &data)), data };
    Some(lsp::SemanticTokensResult::Tokens(found))
}

pub(crate) fn full_delta(
    context: &RequestContext<'_>,
    params: &lsp::SemanticTokensDeltaParams,
) -> Option<lsp::SemanticTokensFullDeltaResult> {
    Some(delta(context, &params.previous_result_id))
}

pub(crate) fn range(
    context: &RequestContext<'_>,
    params: &lsp::SemanticTokensRangeParams,
) -> Option<lsp::SemanticTokensRangeResult> {
    let context = context.for_range(params.range);
    let data = tokens(&context, Some(context.span(params.range)));
    Some(lsp::SemanticTokensRangeResult::Tokens(lsp::SemanticTokens { result_id: None, data }))
}

/// The tokens of a range of the context, or of the whole text, in the relative encoding of the protocol.
fn tokens(context: &RequestContext<'_>, range: Option<Span>) -> Vec<lsp::SemanticToken> {
    let legend = legend().token_types;
    let number = |c: ide::TokenClass| legend.iter().position(|t| t.as_str() == c.name()).unwrap_or(0) as u32;
    let mut out = Vec::new();
    let mut last = lsp::Position::default();
    let mut add = |context: &RequestContext<'_>, token: ide::SemanticToken| {
        let range = context.range(token.span);
        let delta_line = range.start.line - last.line;
        let from = if delta_line == 0 { last.character } else { 0 };
        out.push(lsp::SemanticToken {
            delta_line,
            delta_start: range.start.character - from,
            length: range.end.character - range.start.character,
            token_type: number(token.class),
            token_modifiers_bitset: 0,
        });
        last = range.start;
        out.len() < MAX_TOKENS
    };
    // Returns whether there is room for more.
    let mut add_all = |context: &RequestContext<'_>, range: Option<Span>| {
        ide::semantic_tokens(context.tree(), range).into_iter().all(|token| add(context, token))
    };
    match range {
        Some(range) => drop(add_all(context, Some(range))),
        None => drop(context.windows().all(|window| add_all(&window, None))),
    }
    out
}

/// Stores the tokens as the last result of the document, and returns the result's id.
fn store(context: &RequestContext<'_>, data: &[lsp::SemanticToken]) -> String {
    let id = context.session.results.fetch_add(1, Ordering::Relaxed).to_string();
    let mut stored = context.session.tokens.lock().unwrap_or_else(PoisonError::into_inner);
    stored.insert(context.snapshot.uri.clone(), (id.clone(), data.to_vec()));
    id
}

/// The difference to the result with the id `previous`, or all tokens if that result is no longer stored.
fn delta(context: &RequestContext<'_>, previous: &str) -> lsp::SemanticTokensFullDeltaResult {
    let data = tokens(context, None);
    let old = {
        let stored = context.session.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        stored.get(&context.snapshot.uri).filter(|(id, _)| id == previous).map(|(_, data)| data.clone())
    };
    let result_id = Some(store(context, &data));
    let Some(old) = old else {
        return lsp::SemanticTokensFullDeltaResult::Tokens(lsp::SemanticTokens { result_id, data });
    };
    let edits = difference(&old, &data).into_iter().collect();
    lsp::SemanticTokensFullDeltaResult::TokensDelta(lsp::SemanticTokensDelta { result_id, edits })
}

/// One edit from the old to the new tokens: everything between their common start and their common end. Its
/// numbers count integers, five to a token.
fn difference(old: &[lsp::SemanticToken], new: &[lsp::SemanticToken]) -> Option<lsp::SemanticTokensEdit> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - prefix;
    let suffix = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (removed, inserted) = (old.len() - prefix - suffix, &new[prefix..new.len() - suffix]);
    let edit = lsp::SemanticTokensEdit {
        start: 5 * prefix as u32,
        delete_count: 5 * removed as u32,
        data: Some(inserted.to_vec()),
    };
    (removed > 0 || !inserted.is_empty()).then_some(edit)
}
