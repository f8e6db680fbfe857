//! Requests about the structure of a text: tokens, outline, folds, selections, names, links.

use std::cell::{Cell, OnceCell};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::diagnostic::{Span, visible};
use crate::ide;
use crate::server::handlers::features::RequestContext;
use crate::server::state::document::Snapshot;

/// The most puzzles, folds and links of one answer: these have no range, so all of a file are asked at
/// once.
const MOST: usize = 5000;
/// The most tokens of one answer about a whole file.
const MOST_TOKENS: usize = 100_000;
/// The most symbols of a workspace in one answer.
const MOST_SYMBOLS: usize = 500;

/// What the classes of tokens are called, in the order of their numbers.
pub(crate) fn legend() -> lsp::SemanticTokensLegend {
    let mut names: Vec<&str> = Vec::new();
    for class in ide::TokenClass::ALL {
        if !names.contains(&class.name()) {
            names.push(class.name());
        }
    }
    let names: Vec<_> = names.into_iter().map(|n| lsp::SemanticTokenType::from(n.to_string())).collect();
    lsp::SemanticTokensLegend { token_types: names, token_modifiers: Vec::new() }
}

impl RequestContext<'_> {
    // ---- semantic tokens

    fn tokens(&self, range: Option<Span>) -> Vec<lsp::SemanticToken> {
        let legend = legend().token_types;
        let number =
            |c: ide::TokenClass| legend.iter().position(|t| t.as_str() == c.name()).unwrap_or(0) as u32;
        let mut out = Vec::new();
        let mut last = lsp::Position::default();
        let mut add = |asked: &RequestContext<'_>, token: ide::SemanticToken| {
            let range = asked.range(token.span);
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
            out.len() < MOST_TOKENS
        };
        let mut add_all = |asked: &RequestContext<'_>, range: Option<Span>| {
            ide::semantic_tokens(asked.tree(), range).into_iter().all(|token| add(asked, token))
        };
        match range {
            Some(range) => drop(add_all(self, Some(range))),
            None => drop(self.stretches().all(|stretch| add_all(&stretch, None))),
        }
        out
    }

    /// All tokens, and a number to ask for what changed since.
    pub fn semantic_tokens(&self) -> lsp::SemanticTokens {
        let data = self.tokens(None);
        lsp::SemanticTokens { result_id: Some(self.keep_tokens(&data)), data }
    }

    fn keep_tokens(&self, data: &[lsp::SemanticToken]) -> String {
        let id = self.session.results.fetch_add(1, Ordering::Relaxed).to_string();
        let mut kept = self.session.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(self.snapshot.uri.clone(), (id.clone(), data.to_vec()));
        id
    }

    /// What changed since a result, or all where that is no longer known.
    pub fn semantic_tokens_delta(&self, since: &str) -> lsp::SemanticTokensFullDeltaResult {
        let data = self.tokens(None);
        let old = {
            let kept = self.session.tokens.lock().unwrap_or_else(PoisonError::into_inner);
            kept.get(&self.snapshot.uri).filter(|(id, _)| id == since).map(|(_, data)| data.clone())
        };
        let result_id = Some(self.keep_tokens(&data));
        let Some(old) = old else {
            return lsp::SemanticTokensFullDeltaResult::Tokens(lsp::SemanticTokens { result_id, data });
        };
        let same = old.iter().zip(&data).take_while(|(a, b)| a == b).count();
        let left = old.len().min(data.len()) - same;
        let behind = old.iter().rev().zip(data.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
        let (gone, new) = (old.len() - same - behind, &data[same..data.len() - behind]);
        let edit = lsp::SemanticTokensEdit {
            start: 5 * same as u32,
            delete_count: 5 * gone as u32,
            data: Some(new.to_vec()),
        };
        let edits = if gone == 0 && new.is_empty() { Vec::new() } else { vec![edit] };
        lsp::SemanticTokensFullDeltaResult::TokensDelta(lsp::SemanticTokensDelta { result_id, edits })
    }

    /// The tokens of a range.
    pub fn semantic_tokens_range(&self, range: lsp::Range) -> lsp::SemanticTokens {
        lsp::SemanticTokens { result_id: None, data: self.tokens(Some(self.span(range))) }
    }

    // ---- outline, folds, selections, links, highlights

    /// The puzzles with their boards and queries.
    pub fn symbols(&self) -> Vec<lsp::DocumentSymbol> {
        self.up_to(MOST, |stretch, most| {
            let symbols = ide::document_symbols(stretch.tree(), stretch.base(), MOST - most, most);
            symbols.iter().map(|s| stretch.symbol(s)).collect()
        })
    }

    /// What is found in one stretch after the other, so many at most.
    fn up_to<T>(&self, most: usize, find: impl Fn(&RequestContext<'_>, usize) -> Vec<T>) -> Vec<T> {
        let mut found = Vec::new();
        for stretch in self.stretches() {
            found.extend(find(&stretch, most - found.len()));
            if found.len() >= most {
                found.truncate(most);
                break;
            }
        }
        found
    }

    fn symbol(&self, symbol: &ide::Symbol) -> lsp::DocumentSymbol {
        let children: Vec<_> = symbol.children.iter().map(|s| self.symbol(s)).collect();
        #[allow(deprecated)] // The field is there and has to be filled.
        lsp::DocumentSymbol {
            name: visible(&symbol.name).into_owned(),
            detail: (!symbol.detail.is_empty()).then(|| visible(&symbol.detail).into_owned()),
            kind: symbol_kind(symbol.kind),
            tags: None,
            deprecated: None,
            range: self.range(symbol.span),
            selection_range: self.range(symbol.selection),
            children: (!children.is_empty()).then_some(children),
        }
    }

    /// The puzzles whose names hold the letters of a query, of one file.
    fn found_symbols(&self, query: &str, found: &mut Vec<lsp::WorkspaceSymbol>) {
        let Ok(uri) = self.snapshot.uri.parse::<lsp::Uri>() else { return };
        let one = |stretch: &RequestContext<'_>, symbol: ide::Symbol| lsp::WorkspaceSymbol {
            location: lsp::OneOf::Left(lsp::Location {
                uri: uri.clone(),
                range: stretch.range(symbol.selection),
            }),
            name: visible(&symbol.name).into_owned(),
            kind: symbol_kind(symbol.kind),
            tags: None,
            container_name: (!symbol.detail.is_empty()).then(|| visible(&symbol.detail).into_owned()),
            data: None,
        };
        let above = Cell::new(0);
        found.extend(self.up_to(MOST_SYMBOLS - found.len(), |stretch, most| {
            let all = ide::document_symbols(stretch.tree(), stretch.base(), above.get(), usize::MAX);
            above.set(above.get() + all.len());
            let named = all.into_iter().filter(|symbol| symbol.name.to_lowercase().contains(query));
            named.take(most).map(|symbol| one(stretch, symbol)).collect()
        }));
    }

    /// What runs over several lines.
    pub fn folds(&self) -> Vec<lsp::FoldingRange> {
        let fold = |stretch: &RequestContext<'_>, (span, kind): (Span, ide::FoldKind)| {
            let range = stretch.range(span);
            lsp::FoldingRange {
                start_line: range.start.line,
                end_line: range.end.line,
                kind: match kind {
                    ide::FoldKind::Comment => Some(lsp::FoldingRangeKind::Comment),
                    _ => None,
                },
                ..Default::default()
            }
        };
        self.up_to(MOST, |stretch, most| {
            ide::folds(stretch.tree(), most).into_iter().map(|one| fold(stretch, one)).collect()
        })
    }

    /// Ever larger parts of the text round each position.
    pub fn selections(&self, positions: &[lsp::Position]) -> Vec<lsp::SelectionRange> {
        let one = |&position: &lsp::Position| {
            let spans = ide::selection(self.tree(), self.offset(position));
            let outer = spans.iter().rev().fold(None, |parent, &span| {
                Some(lsp::SelectionRange { range: self.range(span), parent: parent.map(Box::new) })
            });
            let here = lsp::Range { start: position, end: position };
            outer.unwrap_or(lsp::SelectionRange { range: here, parent: None })
        };
        positions.iter().map(one).collect()
    }

    /// The addresses in the text.
    pub fn links(&self) -> Vec<lsp::DocumentLink> {
        let link = |stretch: &RequestContext<'_>, (span, url): (Span, String)| {
            let target = url.parse().ok()?;
            Some(lsp::DocumentLink {
                range: stretch.range(span),
                target: Some(target),
                tooltip: None,
                data: None,
            })
        };
        self.up_to(MOST, |stretch, most| {
            let all = ide::links(stretch.tree()).into_iter();
            all.filter_map(|one| link(stretch, one)).take(most).collect()
        })
    }

    /// The same square or name elsewhere in the puzzle.
    pub fn highlights(&self, at: lsp::Position) -> Vec<lsp::DocumentHighlight> {
        let one = |(span, written): (Span, bool)| lsp::DocumentHighlight {
            range: self.range(span),
            kind: Some(if written {
                lsp::DocumentHighlightKind::WRITE
            } else {
                lsp::DocumentHighlightKind::READ
            }),
        };
        ide::highlights(self.tree(), self.offset(at)).into_iter().map(one).collect()
    }

    // ---- names

    fn location(&self, span: Span) -> Option<lsp::Location> {
        Some(lsp::Location { uri: self.snapshot.uri.parse().ok()?, range: self.range(span) })
    }

    /// Where the name under the cursor stands.
    pub fn references(&self, at: lsp::Position) -> Vec<lsp::Location> {
        let tree = self.tree();
        let Some((_, name)) = ide::name_at(tree, self.offset(at)) else { return Vec::new() };
        ide::references(tree, &name).into_iter().filter_map(|s| self.location(s)).collect()
    }

    /// From a mention of a name to its puzzle, and from a duplicate to the other one; and whether the
    /// duplicates were known.
    pub fn definition(&self, at: lsp::Position) -> (Option<lsp::Location>, bool) {
        let tree = self.tree();
        let offset = self.offset(at);
        let known = self.snapshot.twin(offset);
        let (is_known, twin) = (known.is_some(), known.flatten());
        let (place, name) = ide::name_at(tree, offset).unzip();
        let named = name.and_then(|n| ide::references(tree, &n).into_iter().next());
        let found = twin.or_else(|| named.filter(|&s| Some(s) != place).and_then(|s| self.location(s)));
        (found, is_known)
    }

    /// The name that would be renamed.
    pub fn prepare_rename(&self, at: lsp::Position) -> Option<lsp::PrepareRenameResponse> {
        let (span, placeholder) = ide::name_at(self.tree(), self.offset(at))?;
        Some(lsp::PrepareRenameResponse::RangeWithPlaceholder { range: self.range(span), placeholder })
    }

    /// Another name for the puzzle under the cursor, wherever this file has it.
    ///
    /// # Errors
    /// Why it cannot have that name.
    pub fn rename(&self, at: lsp::Position, new: &str) -> Result<lsp::WorkspaceEdit> {
        let tree = self.tree();
        let failed = |why: String| Error { message: why.into(), ..Error::invalid_params("") };
        let offset = self.offset(at);
        let Some((_, name)) = ide::name_at(tree, offset) else {
            return Err(failed("there is no name here".into()));
        };
        ide::rename(tree, &name, offset, new).map(|edits| self.workspace_edit(&edits)).map_err(failed)
    }

    /// What follows from a letter typed.
    pub fn on_type(&self, at: lsp::Position, typed: &str) -> Vec<lsp::TextEdit> {
        let Some(letter) = typed.chars().next() else { return Vec::new() };
        self.edits(&ide::on_type(self.tree(), self.offset(at), letter))
    }
}

fn symbol_kind(kind: ide::SymbolKind) -> lsp::SymbolKind {
    match kind {
        ide::SymbolKind::Puzzle => lsp::SymbolKind::CLASS,
        ide::SymbolKind::Board => lsp::SymbolKind::ARRAY,
        ide::SymbolKind::Query => lsp::SymbolKind::METHOD,
    }
}

/// The puzzles of all texts whose names hold the letters of a query.
pub(crate) fn workspace_symbols(
    session: &crate::server::session::Session,
    all: &[std::sync::Arc<Snapshot>],
    query: &str,
    cancel: &std::sync::Arc<std::sync::atomic::AtomicBool>,
) -> Vec<lsp::WorkspaceSymbol> {
    let query = query.to_lowercase();
    let mut found = Vec::new();
    for snapshot in all {
        if cancel.load(Ordering::Relaxed) || found.len() >= MOST_SYMBOLS {
            break;
        }
        let (patient, cut_short) = (true, &Cell::default());
        let whole = OnceCell::new();
        let asked = RequestContext { session, snapshot, cancel, patient, cut_short, window: None, whole };
        asked.found_symbols(&query, &mut found);
    }
    found
}
