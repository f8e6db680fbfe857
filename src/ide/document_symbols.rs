//! Document symbols: the puzzles of a text, each with its board and queries.

use crate::cursor::is_multiline;
use cpz_check::analysis::{Defaults, bind_one, puzzles};
use cpz_text::diagnostic::Span;
use cpz_text::syntax::{Board, NodeKind, Puzzle, Query, Tree};

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A puzzle.
    Puzzle,
    /// The board of a puzzle.
    Board,
    /// A query.
    Query,
}

/// A symbol of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The label; never empty.
    pub name: String,
    /// A few words next to the label; may be empty.
    pub detail: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The range of the whole item.
    pub span: Span,
    /// The range to select, within `span`.
    pub selection: Span,
    /// The symbols inside.
    pub children: Vec<Symbol>,
}

/// The longest name and detail in characters.
const MAX_CHARS: usize = 60;

/// The symbols of the first `most` puzzles of a text that follows another one: `base` holds the defaults in force
/// at its start, and `above` is the number of puzzles before it.
pub fn document_symbols(tree: &Tree, base: Defaults, above: usize, most: usize) -> Vec<Symbol> {
    let numbered = puzzles(tree, base).take(most).enumerate();
    numbered
        .map(|(i, (puzzle, settings))| {
            let bound = bind_one(puzzle, settings);
            let reading = bound.as_ref().and_then(|b| b.reading.as_ref());
            let size = reading.and_then(|r| r.board.as_ref()).map(|b| b.size.to_string());
            let game = puzzle.game().map_or(puzzle.keyword().text(), |g| g.word());
            let name = puzzle.name().map(|n| shortened(n.content().0)).filter(|n| !n.is_empty());
            let described = puzzle.description().join(" ");
            let detail = match (shortened(&described), &size) {
                (text, _) if !text.is_empty() => text,
                (_, Some(size)) => format!("{game} {size}"),
                _ => game.to_string(),
            };
            Symbol {
                name: name.unwrap_or_else(|| format!("{game} #{}", above + i + 1)),
                detail,
                kind: SymbolKind::Puzzle,
                span: puzzle.span(),
                selection: puzzle.head(),
                children: children(puzzle, size.as_deref().unwrap_or("")),
            }
        })
        .collect()
}

fn children(puzzle: Puzzle<'_>, size: &str) -> Vec<Symbol> {
    let items = puzzle.node().children();
    let symbols = items.filter_map(|node| match node.kind() {
        NodeKind::Board => Board::cast(node).map(|b| Symbol {
            name: "board".into(),
            detail: size.to_string(),
            kind: SymbolKind::Board,
            span: b.span(),
            selection: b.keyword().span(),
            children: Vec::new(),
        }),
        NodeKind::Query => Query::cast(node).map(|q| query_symbol(puzzle.node().tree(), q)),
        _ => None,
    });
    symbols.collect()
}

fn query_symbol(tree: &Tree, query: Query<'_>) -> Symbol {
    let question = query.asked();
    let answer = query.answer().map_or("", |a| &tree.text()[a.span().range()]);
    Symbol {
        name: shortened(&tree.text()[question.range()]),
        detail: if answer.is_empty() { String::new() } else { format!("=> {}", shortened(answer)) },
        kind: SymbolKind::Query,
        span: query.span(),
        selection: question,
        children: Vec::new(),
    }
}

/// A text on one line, cut off at [`MAX_CHARS`].
fn shortened(text: &str) -> String {
    // Do not read a list of a million steps to its end.
    let end = text.char_indices().nth(MAX_CHARS * 8).map_or(text.len(), |(i, _)| i);
    let is_cut = end < text.len();
    let text = &text[..end];
    let text = match is_multiline(text) {
        true => text.split_whitespace().collect::<Vec<_>>().join(" "),
        false => text.trim().to_string(),
    };
    if !is_cut && text.chars().count() <= MAX_CHARS {
        return text;
    }
    text.chars().take(MAX_CHARS - 1).chain(['…']).collect()
}
