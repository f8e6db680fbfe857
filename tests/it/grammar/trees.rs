//! The tree of tree-sitter against the server's own, on the same texts.

use std::fmt::Write as _;

use cpz::syntax::{self, Keyword, MAX_DEPTH, NodeKind, Puzzle, TokenKind, parse};
use proptest::prelude::*;
use tree_sitter::{InputEdit, Node, Parser, Point, Tree};

use crate::harness::full;

use super::paper::{derived, is_arrowed, is_slip, lines, spoilt};
use super::samples::{all, is_good, shared, soup};

/// A parser of tree-sitter for the language.
pub fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_cpz::LANGUAGE.into()).expect("a version that fits");
    parser
}

/// What stands where: first and last byte, and what it is.
type Part = (usize, usize, &'static str);

/// The parts of a text as the server sees them.
fn real(tree: &syntax::Tree) -> Vec<Part> {
    fn nodes(node: syntax::Node<'_>, found: &mut Vec<Part>) {
        for child in node.children() {
            let kind = match child.kind() {
                NodeKind::Puzzle => "puzzle",
                NodeKind::Property => "property",
                NodeKind::Board => "board",
                NodeKind::Query => "query",
                NodeKind::Argument => "argument",
                NodeKind::Answer => "answer",
                NodeKind::List => "list",
                NodeKind::File | NodeKind::Error => "",
            };
            found.push((child.span().start as usize, child.span().end as usize, kind));
            // The keyword that opens a node of a kind of its own.
            if let (Some(t), false) = (child.first_token(), matches!(kind, "argument" | "answer" | "list")) {
                let kind = match kind {
                    "puzzle" => "game",
                    "property" => "key",
                    "query" => "verb",
                    _ => "`board`",
                };
                found.push((t.span().start as usize, t.span().end as usize, kind));
            }
            nodes(child, found);
        }
    }
    let mut found = Vec::new();
    nodes(tree.root(), &mut found);
    let names: Vec<u32> = tree.puzzles().filter_map(Puzzle::name).map(|t| t.index()).collect();
    let opening: Vec<Part> =
        found.iter().copied().filter(|p| ["game", "key", "verb", "`board`"].contains(&p.2)).collect();
    for token in tree.tokens() {
        let (start, end) = (token.span().start as usize, token.span().end as usize);
        let kind = match token.kind() {
            TokenKind::String if names.contains(&token.index()) => "name",
            TokenKind::Comment => "comment",
            TokenKind::Remark => "remark",
            TokenKind::String => "string",
            // Popeye's `Substitute B ==> S`.
            TokenKind::Arrow if found.iter().any(|p| p.2 == "argument" && p.0 < start && end <= p.1) => {
                continue;
            }
            TokenKind::Arrow => "arrow",
            TokenKind::Word if opening.iter().any(|p| p.0 == start) => continue,
            TokenKind::Word => "word",
            _ => continue,
        };
        found.push((start, end, kind));
    }
    found.sort_unstable();
    found
}

/// The named nodes below a node, in order, and `board` with them.
pub fn below(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let mut cursor = root.walk();
    loop {
        if cursor.goto_first_child() {
            found.push(cursor.node());
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
        found.push(cursor.node());
    }
}

/// The parts of a text as tree-sitter sees them.
fn theirs(tree: &Tree) -> Vec<Part> {
    let mut found = Vec::new();
    for node in below(tree.root_node()) {
        let kind = match node.kind() {
            "number" | "row" => "word",
            "board" if !node.is_named() => "`board`",
            "in" | "*" if !node.is_named() => "word",
            kind if node.is_named() => kind,
            _ => continue,
        };
        found.push((node.start_byte(), node.end_byte(), kind));
    }
    found.sort_unstable();
    found
}

/// What one parser alone sees in a text without errors.
fn difference(text: &str) -> Option<String> {
    let ours = parse(text);
    let tree = parser().parse(text, None).expect("a tree");
    let root = tree.root_node();
    if !is_good(&ours) {
        return (!root.has_error() && !is_let_through(&tree, text))
            .then(|| format!("tree-sitter has no error, but: {}\n{text:?}", ours.errors()[0].message));
    }
    if root.has_error() {
        return Some(format!("only tree-sitter has an error: {}\n{text:?}", root.to_sexp()));
    }
    let (real, theirs) = (real(&ours), theirs(&tree));
    let mut wrong = String::new();
    for (whose, these, others) in [("the server", &real, &theirs), ("tree-sitter", &theirs, &real)] {
        for part in these.iter().filter(|p| !others.contains(p)) {
            let _ = writeln!(wrong, "only {whose} has {} {:?}", part.2, &text[part.0..part.1]);
        }
    }
    (!wrong.is_empty()).then(|| format!("{wrong}{text:?}"))
}

/// What the server alone minds, since it takes more than a grammar to see it: a word that is a slip for a keyword, in a
/// bare board or among words; lists nested too deep; a move with an arrow in it; and curly quotes, which are words or
/// ends of words to tree-sitter.
fn is_let_through(tree: &Tree, text: &str) -> bool {
    below(tree.root_node()).iter().any(|node| {
        let of_words = |p: Node<'_>| matches!(p.kind(), "board" | "answer" | "property");
        let is_free = node.parent().is_some_and(of_words);
        let depth = std::iter::successors(Some(*node), Node::parent).filter(|n| n.kind() == "list").count();
        let here = &text[node.byte_range()];
        let is_arrowed = node.parent().is_some_and(|p| p.kind() == "argument") && is_arrowed(here);
        let is_curly = node.child_count() == 0 && here.contains(['“', '”', '„', '«', '»', '‘', '’', '‚']);
        // `stalemate 12` lacks its `in`, and is a keyword only before that.
        is_free && (is_slip(here) || here == "stalemate") || depth > MAX_DEPTH || is_arrowed || is_curly
    })
}

#[test]
fn tree_sitter_trees_equal_the_parsers() {
    let wrong: Vec<String> =
        all().iter().filter_map(|(name, text)| Some(format!("{name}: {}", difference(text)?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Comments, remarks, strings and names of puzzles do not depend on what is wrong round them.
#[test]
fn tree_sitter_keeps_tokens_of_broken_files() {
    const KEPT: [&str; 4] = ["comment", "remark", "string", "name"];
    let mut wrong = String::new();
    for (name, text) in all() {
        let tree = parser().parse(&text, None).expect("a tree");
        let theirs = theirs(&tree);
        // Curly quotes and full-width signs are no marks to tree-sitter.
        let is_kept = |p: &&Part| KEPT.contains(&p.2) && text[p.0..].starts_with(['/', '(', '"', '\'']);
        for part in real(&parse(text.clone())).iter().filter(is_kept) {
            // What is a name to one may be a stray string to the other.
            let text_like = |kind| matches!(kind, "string" | "name");
            let same = |p: &&Part| {
                (p.0, p.1) == (part.0, part.1) && (p.2 == part.2 || text_like(p.2) && text_like(part.2))
            };
            if !theirs.iter().any(|p| same(&p)) {
                let _ = writeln!(wrong, "{name}: {} {:?}", part.2, &text[part.0..part.1]);
            }
        }
    }
    assert_eq!(wrong, "");
}

/// Leaves stand in order, and between them is only white space and what was given up.
fn covers(tree: &Tree, text: &str) -> Result<(), TestCaseError> {
    let root = tree.root_node();
    prop_assert_eq!(root.end_byte(), text.len());
    let mut at = 0;
    for node in below(root).into_iter().filter(|n| n.child_count() == 0) {
        prop_assert!(node.start_byte() >= at, "{} overlaps in {text:?}", node.kind());
        let gap = &text[at..node.start_byte()];
        let is_space = |c: char| c.is_whitespace() || c == '\u{FEFF}';
        prop_assert!(root.has_error() || gap.chars().all(is_space), "{gap:?} is lost in {text:?}");
        at = node.end_byte();
    }
    Ok(())
}

fn point(text: &str, byte: usize) -> Point {
    let line = text[..byte].rfind('\n').map_or(0, |i| i + 1);
    Point::new(text[..byte].matches('\n').count(), byte - line)
}

/// The tree of a text into which something was written in place of something else.
fn edited(text: &str, start: usize, end: usize, new: &str) -> (String, Tree) {
    let mut parser = parser();
    let mut tree = parser.parse(text, None).expect("a tree");
    let after = format!("{}{new}{}", &text[..start], &text[end..]);
    tree.edit(&InputEdit {
        start_byte: start,
        old_end_byte: end,
        new_end_byte: start + new.len(),
        start_position: point(text, start),
        old_end_position: point(text, end),
        new_end_position: point(&after, start + new.len()),
    });
    let tree = parser.parse(&after, Some(&tree)).expect("a tree");
    (after, tree)
}

#[test]
fn tree_sitter_parses_every_prefix() {
    let every = if full() { 7 } else { 31 };
    for (name, text) in shared() {
        for (at, _) in text.char_indices().filter(|&(i, c)| c == '\n' || i % every == 0) {
            let cut = &text[..at];
            let tree = parser().parse(cut, None).expect("a tree");
            covers(&tree, cut).unwrap_or_else(|e| panic!("{name}, at {at}: {e}"));
            let good = is_good(&parse(cut));
            assert!(!good || !tree.root_node().has_error(), "{name}, at {at}");
        }
    }
}

#[test]
fn tree_sitter_parses_a_large_file() {
    for (piece, n, end) in [
        ("tags [", 1, "] "),
        ("mate, ", 100_000, ""),
        ("[", 20_000, ""),
        ("note \"", 20_000, ""),
        ("board '", 20_000, ""),
        ("(", 100_000, ""),
        ("solitaire { board [", 5_000, ""),
    ] {
        let text = format!("tags [{}{end}] chess {{ }}", piece.repeat(n));
        let tree = parser().parse(&text, None).expect("a tree");
        assert_eq!(tree.root_node().has_error(), !is_good(&parse(text)), "{piece}");
    }
}

#[test]
fn every_node_kind_occurs() {
    let mut seen: Vec<&str> = Vec::new();
    for (_, text) in all() {
        seen.extend(theirs(&parser().parse(&text, None).expect("a tree")).iter().map(|p| p.2));
    }
    for kind in ["comment", "remark", "name", "key", "verb", "game", "argument", "answer", "arrow", "word"] {
        assert!(seen.contains(&kind), "{kind}");
    }
    assert!(Keyword::all().count() > 10);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn derived_texts_have_equal_trees(pieces in derived()) {
        prop_assert_eq!(difference(&lines(&pieces)), None);
    }

    #[test]
    fn tree_sitter_and_parser_agree_on_damaged_texts(text in spoilt()) {
        prop_assert_eq!(difference(&text), None);
    }

    #[test]
    fn tree_sitter_and_parser_agree_on_random_tokens(text in soup()) {
        covers(&parser().parse(&text, None).expect("a tree"), &text)?;
        prop_assert_eq!(difference(&text), None);
    }

    #[test]
    fn tree_sitter_edit_equals_full_parse(
        text in spoilt(), new in soup(), a in any::<prop::sample::Index>(), n in 0..9usize,
    ) {
        let starts: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
        let start = a.index(starts.len());
        let (after, tree) = edited(&text, starts[start], starts[(start + n).min(starts.len() - 1)], &new);
        covers(&tree, &after)?;
        let whole = parser().parse(&after, None).expect("a tree");
        // Errors may be mended in other ways, but there are some or there are none.
        prop_assert_eq!(tree.root_node().has_error(), whole.root_node().has_error(), "{:?}", after);
        if !whole.root_node().has_error() {
            prop_assert_eq!(tree.root_node().to_sexp(), whole.root_node().to_sexp(), "{:?}", after);
        }
    }
}
