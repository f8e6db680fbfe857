//! The outline of a text: its puzzles, and in each its board and queries.

use crate::analysis::{Defaults, bind_one, puzzles};
use crate::diagnostic::Span;
use crate::ide::cursor::is_multiline;
use crate::syntax::{Board, NodeKind, Puzzle, Query, Tree};

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A puzzle.
    Puzzle,
    /// Its board.
    Board,
    /// A query.
    Query,
}

/// An entry of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called; never empty.
    pub name: String,
    /// What is said beside the name.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub span: Span,
    /// The part that shows what it is, within `span`.
    pub selection: Span,
    /// The entries below it.
    pub children: Vec<Symbol>,
}

/// The longest name and detail, in characters.
const LONGEST: usize = 60;

/// The outline of the first `most` puzzles; `base` is in force above them, and so many others stand there.
pub fn document_symbols(tree: &Tree, base: Defaults, above: usize, most: usize) -> Vec<Symbol> {
    let numbered = puzzles(tree, base).take(most).enumerate();
    numbered
        .map(|(i, (puzzle, settings))| {
            let bound = bind_one(puzzle, settings);
            let reading = bound.as_ref().and_then(|b| b.reading.as_ref());
            let size = reading.and_then(|r| r.board.as_ref()).map(|b| b.size.to_string());
            let game = puzzle.game().map_or(puzzle.keyword().text(), |g| g.word());
            let name = puzzle.name().map(|n| short(n.content().0)).filter(|n| !n.is_empty());
            let described = puzzle.description().join(" ");
            let detail = match (short(&described), &size) {
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
        NodeKind::Query => Query::cast(node).map(|q| of_query(puzzle.node().tree(), q)),
        _ => None,
    });
    symbols.collect()
}

fn of_query(tree: &Tree, query: Query<'_>) -> Symbol {
    let asked = query.asked();
    let answer = query.answer().map_or("", |a| &tree.text()[a.span().range()]);
    Symbol {
        name: short(&tree.text()[asked.range()]),
        detail: if answer.is_empty() { String::new() } else { format!("=> {}", short(answer)) },
        kind: SymbolKind::Query,
        span: query.span(),
        selection: asked,
        children: Vec::new(),
    }
}

/// A text on one line, cut off where it is long.
fn short(text: &str) -> String {
    // A list of a million steps need not be read to its end.
    let end = text.char_indices().nth(LONGEST * 8).map_or(text.len(), |(i, _)| i);
    let cut = end < text.len();
    let text = &text[..end];
    let text = match is_multiline(text) {
        true => text.split_whitespace().collect::<Vec<_>>().join(" "),
        false => text.trim().to_string(),
    };
    if !cut && text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
