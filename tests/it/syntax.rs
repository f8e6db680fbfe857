//! The lexer and the parser on any text at all.

use cpz::syntax::{Keyword, MAX_DEPTH, Node, TokenKind, parse};
use proptest::prelude::*;

/// Pieces of texts that are likely to meet a rule of the grammar.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(Keyword::all().map(|k| k.word().to_string()).collect::<Vec<_>>()),
        6 => prop::sample::select(vec![
            " ", "\n", "\r\n", "\r", "{", "}", "[", "]", ",", "=>", "(", ")", "\"", "'", "// c", "//", "/", "=", "==>",
            "...N", "[[1,2,'B'], [0,1,'R']]", "[3,0]", "none", "true", "Rh2", "8/8/8/8/8/8/8/4K3 w", "\u{FEFF}", "\0",
            "\u{85}", "\u{2028}", "é", "😀", "W:WKa1:Bc3,e5", "solv", "true (a) b)", "https://a.org",
        ])
        .prop_map(String::from),
        1 => "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|v| v.concat())
}

/// Nodes hold their children in order, and children do not overlap.
fn well_nested(node: Node<'_>) -> Result<(), TestCaseError> {
    let (outer, mut at) = (node.span(), node.span().start);
    for child in node.children() {
        let inner = child.span();
        prop_assert!(outer.start <= inner.start && inner.end <= outer.end, "{outer:?} {inner:?}");
        prop_assert!(at <= inner.start, "{:?} overlaps", child.kind());
        at = inner.end;
        well_nested(child)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn printing_a_tree_gives_the_text(text in soup()) {
        let tree = parse(text.clone());
        let printed: String = tree.tokens().map(|t| t.text()).collect();
        prop_assert_eq!(&printed, &text);
        well_nested(tree.root())?;
        for error in tree.errors() {
            prop_assert!(error.span.end as usize <= text.len());
            prop_assert!(text.is_char_boundary(error.span.start as usize));
            prop_assert!(text.is_char_boundary(error.span.end as usize));
            for fix in &error.fixes {
                prop_assert!(fix.edits.iter().all(|e| text.is_char_boundary(e.span.start as usize)));
            }
        }
    }

    #[test]
    fn a_puzzle_behind_any_text_that_closes_its_braces_is_found(text in soup()) {
        // A quote, a remark or a comment ends with its line, and two braces end what is open.
        let text = format!("{text}\n}}\n}}\nsolitaire \"the last\" {{ board ...N.....R....B. solve }}\n");
        let tree = parse(text);
        let last = tree.puzzles().last().expect("a puzzle");
        prop_assert_eq!(last.name().map(|n| n.text()), Some("\"the last\""));
        prop_assert_eq!(last.queries().count(), 1);
    }
}

#[test]
fn a_million_open_brackets_are_a_few_errors() {
    for (open, most) in
        [("[", 2), ("{", 3), ("(", 4), ("[{", 3), ("board [", 1_000_001), ("solitaire {", 1_000_001)]
    {
        let text = format!("solitaire {{ board {} solve }}", open.repeat(1_000_000));
        let tree = parse(text);
        let n = tree.errors().len();
        assert!(n > 0 && n <= most, "{open}: {n} errors");
    }
}

#[test]
fn lists_are_nested_to_a_limit() {
    for (depth, good) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false), (MAX_DEPTH * 100, false)] {
        let text = format!("solitaire {{ board {}{} }}", "[".repeat(depth), "]".repeat(depth));
        let tree = parse(text);
        assert_eq!(tree.errors().is_empty(), good, "{depth}");
        // Behind the brackets the puzzle is closed as if nothing had been.
        assert_eq!(tree.puzzles().count(), 1);
    }
}

#[test]
fn keywords_are_words_inside_closed_lists_and_end_open_ones() {
    let tree = parse("solitaire { tags [mate, board, solve] board [[1,2,'B'], [0,1,'R'] solve }");
    let puzzle = tree.puzzles().next().expect("a puzzle");
    assert_eq!(puzzle.properties().count(), 1);
    assert_eq!(puzzle.queries().count(), 1);
    assert_eq!(tree.errors().len(), 1);
    assert_eq!(&tree.text()[tree.errors()[0].span.range()], "[");
}

#[test]
fn a_board_in_quotes_runs_over_lines_but_not_across_a_brace() {
    let tree = parse(
        "solitaire { board \"...N\n....\" solve }\nsolitaire { board \"...N\n}\nsolitaire \"x\" { solve }",
    );
    let strings: Vec<TokenKind> =
        tree.tokens().map(|t| t.kind()).filter(|k| format!("{k:?}").contains("String")).collect();
    assert_eq!(strings, [TokenKind::String, TokenKind::UnclosedString, TokenKind::String]);
    assert_eq!(tree.puzzles().count(), 3);
}

#[test]
fn description_is_the_comment_above_the_puzzle() {
    let tree = parse("// far\n\n// one\n// two\nsolitaire { }\nsize 4 // beside\nchess { }\n");
    let described: Vec<Vec<&str>> = tree.puzzles().map(|p| p.description()).collect();
    assert_eq!(described, [vec!["one", "two"], vec![]]);
}
