//! Semantic tokens, document symbols, folding, selection ranges, names, highlights, links, on-type formatting.

use crate::harness::examples::examples;
use crate::harness::full;
use cpz::analysis::Defaults;
use cpz::diagnostic::Span;
use cpz::ide::{
    FoldKind, Symbol, TokenClass, apply, document_symbols, error_outside_puzzles, folds, format,
    format_edits, format_range, highlights, is_plain_text, links, name_at, on_type, references, rename,
    selection, semantic_tokens,
};
use cpz::syntax::{Puzzle, Tree, parse};

/// A text without its `$` and where that stood.
fn cursor(text: &str) -> (Tree, u32) {
    let at = text.find('$').expect("a cursor");
    (parse(text.replacen('$', "", 1)), at as u32)
}

fn at(tree: &Tree, span: Span) -> &str {
    &tree.text()[span.range()]
}

// ---- tokens

fn painted(text: &str) -> Vec<(String, TokenClass)> {
    let tree = parse(text);
    semantic_tokens(&tree, None).into_iter().map(|t| (at(&tree, t.span).to_string(), t.class)).collect()
}

#[track_caller]
fn check_tokens(text: &str, wanted: &[(&str, TokenClass)]) {
    let found = painted(text);
    let found: Vec<(&str, TokenClass)> = found.iter().map(|(s, c)| (s.as_str(), *c)).collect();
    assert_eq!(found, wanted, "{text}");
}

#[test]
fn semantic_tokens_have_types() {
    use TokenClass::*;
    check_tokens(
        "// why\nsize 5\nsolitaire \"A\" { note 'b' board ..RP solve => none (so it is) }",
        &[
            ("// why", Comment),
            ("size", Property),
            ("5", Number),
            ("solitaire", Keyword),
            ("\"A\"", Name),
            ("note", Property),
            ("'b'", String),
            ("board", Keyword),
            ("..", Empty),
            ("RP", Piece),
            ("solve", Verb),
            ("=>", Operator),
            ("none", Answer),
            ("(so it is)", Remark),
        ],
    );
    check_tokens(
        "chess { turn black board [['W','K',5,1],[e8,'k']] move Ke2 => legal move [W,K,5,2] }",
        &[
            ("chess", Keyword),
            ("turn", Property),
            ("black", Word),
            ("board", Keyword),
            ("'W'", Piece),
            ("'K'", Piece),
            ("5", Number),
            ("1", Number),
            ("e8", Square),
            ("'k'", Piece),
            ("move", Verb),
            ("Ke2", Move),
            ("=>", Operator),
            ("legal", Answer),
            ("move", Verb),
            ("W", Piece),
            ("K", Piece),
            ("5", Number),
            ("2", Number),
        ],
    );
    check_tokens(
        "chess { board 8/8/K1k5/8/8/8/8/8 w - }",
        &[
            ("chess", Keyword),
            ("board", Keyword),
            ("8", Empty),
            ("8", Empty),
            ("K", Piece),
            ("1", Empty),
            ("k", Piece),
            ("5", Empty),
            ("8", Empty),
            ("8", Empty),
            ("8", Empty),
            ("8", Empty),
            ("8", Empty),
            ("w", Word),
            ("-", Word),
        ],
    );
}

#[test]
fn semantic_tokens_of_strings_end_at_line_ends() {
    use TokenClass::*;
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("solitaire {{ board \".B{end}R.\" }}");
        let cells = [("\"", String), (".", Empty), ("B", Piece), ("R", Piece), (".", Empty), ("\"", String)];
        assert_eq!(painted(&text)[2..], cells.map(|(s, c)| (s.to_string(), c)), "{text:?}");
    }
}

#[test]
fn semantic_tokens_range_has_only_its_tokens() {
    let tree = parse("solitaire { board ..RP }\nchess { mate }\n// end");
    let found = semantic_tokens(&tree, Some(Span::new(26, 30)));
    let texts: Vec<&str> = found.iter().map(|t| at(&tree, t.span)).collect();
    assert_eq!(texts, ["chess"]);
}

// ---- outline and folds

#[test]
fn document_symbols_name_every_puzzle() {
    let tree = parse(
        "// Two lines\n// of text.\nsolitaire \"A\" { board ..RP solve => [[[3,0],[2,0]]] }\n\nsolitaire { board BR }\nches 'B' { }",
    );
    let line = |s: &Symbol| format!("{} | {}", s.name, s.detail);
    let symbols = document_symbols(&tree, Defaults::default(), 0, 10);
    assert_eq!(
        symbols.iter().map(line).collect::<Vec<_>>(),
        ["A | Two lines of text.", "solitaire #2 | solitaire 2×1", "B | chess"]
    );
    assert_eq!(
        symbols[0].children.iter().map(line).collect::<Vec<_>>(),
        ["board | 2×2", "solve | => [[[3,0],[2,0]]]"]
    );
    assert_eq!(document_symbols(&tree, Defaults::default(), 0, 1).len(), 1);
}

#[test]
fn folding_covers_multi_line_constructs() {
    let text = "// a\n// b\n\n// c\nsolitaire {\n  board\n    ..\n    RP\n  solve => [\n    [[0,0],[1,0]]\n  ]\n}\nchess { mate }\n";
    let tree = parse(text);
    let found: Vec<_> =
        folds(&tree, 100).into_iter().map(|(s, k)| (at(&tree, s).lines().next().unwrap_or(""), k)).collect();
    assert_eq!(
        found,
        [
            ("// a", FoldKind::Comment),
            ("solitaire {", FoldKind::Puzzle),
            ("board", FoldKind::Board),
            ("[", FoldKind::List)
        ]
    );
    assert_eq!(folds(&tree, 2).len(), 2);
}

// ---- selection

#[test]
fn selection_ranges_grow_from_cell_to_file() {
    let steps = |text: &str| -> Vec<String> {
        let (tree, offset) = cursor(text);
        selection(&tree, offset).into_iter().map(|s| at(&tree, s).to_string()).collect()
    };
    assert_eq!(
        steps("// d\nchess 'A' { board ['$r.'] }\n"),
        [
            "r",
            "r.",
            "'r.'",
            "['r.']",
            "board ['r.']",
            "chess 'A' { board ['r.'] }",
            "// d\nchess 'A' { board ['r.'] }",
            "// d\nchess 'A' { board ['r.'] }\n"
        ]
    );
    let text = "solitaire { solve => [[[3,$0],[1,1]]] (yes) }";
    assert_eq!(
        steps(text)[..6],
        [
            "0",
            "[3,0]",
            "[[3,0],[1,1]]",
            "[[[3,0],[1,1]]]",
            "solve => [[[3,0],[1,1]]] (yes)",
            "solitaire { solve => [[[3,0],[1,1]]] (yes) }"
        ]
    );
}

// ---- names

#[test]
fn references_and_rename_cover_all_occurrences() {
    let (tree, offset) =
        cursor("solitaire \"O$ld\" { board RP note 'Old' note 'Old one' }\nchess { source 'Old' }");
    let (span, name) = name_at(&tree, offset).expect("a name");
    assert_eq!((at(&tree, span), name.as_str()), ("Old", "Old"));
    assert_eq!(references(&tree, "Old").len(), 3);
    let renamed = |new: &str| rename(&tree, "Old", offset, new).map(|edits| apply(tree.text(), &edits));
    assert_eq!(
        renamed("New").unwrap(),
        "solitaire \"New\" { board RP note 'New' note 'Old one' }\nchess { source 'New' }"
    );
    assert_eq!(
        renamed("it's").unwrap(),
        "solitaire \"it's\" { board RP note \"it's\" note 'Old one' }\nchess { source \"it's\" }"
    );
    assert_eq!(
        renamed("a \"b\"").unwrap(),
        "solitaire 'a \"b\"' { board RP note 'a \"b\"' note 'Old one' }\nchess { source 'a \"b\"' }"
    );
    for bad in ["", "  ", "a\tb", "a\u{202E}b", "a\nb", "a\rb", "'\""] {
        assert!(renamed(bad).is_err(), "{bad:?}");
    }
    let two = parse("solitaire A { } solitaire B { }");
    assert!(rename(&two, "A", 10, "B").unwrap_err().contains("another puzzle"));
    assert_eq!(rename(&two, "A", 10, "A"), Ok(Vec::new()));
    assert!(rename(&two, "C", 10, "D").is_err());
    // Of two with one name, one gets another.
    let (twice, offset) = cursor("solitaire A { } solitaire A$ { }");
    let edits = rename(&twice, "A", offset, "B").expect("a new name");
    assert_eq!(apply(twice.text(), &edits), "solitaire A { } solitaire \"B\" { }");
}

#[test]
fn name_at_finds_only_names() {
    for text in ["soli$taire 'A' { }", "solitaire 'A' { bo$ard RP }", "solitaire 'A' { note 'B$' }", "$"] {
        let (tree, offset) = cursor(text);
        assert_eq!(name_at(&tree, offset), None, "{text}");
    }
}

// ---- highlights

#[track_caller]
fn check_highlights(text: &str, wanted: &[(&str, bool)]) {
    let (tree, offset) = cursor(text);
    let found = highlights(&tree, offset);
    let found: Vec<(String, bool)> =
        found.iter().map(|(s, w)| (format!("{}:{}", s.start, at(&tree, *s)), *w)).collect();
    let found: Vec<(&str, bool)> = found.iter().map(|(s, w)| (s.as_str(), *w)).collect();
    assert_eq!(found, wanted, "{text}");
}

#[test]
fn highlights_show_every_occurrence_of_a_square() {
    let steps = "solve => [[[3,0],[1,1]],[[1,1],[1,2]]]";
    // The bishop on [1,1].
    check_highlights(
        &format!("solitaire {{ board .....B..R$P.....N {steps} }}"),
        &[("27:P", true), ("53:1,1", false), ("61:1,1", false)],
    );
    // A list of boards has no squares, and an empty cell is a square too.
    check_highlights("solitaire { board R$P solve => [[RP],[R.]] }", &[("19:P", true)]);
    check_highlights(
        "solitaire { board RP. solve => [[[0,0],[2$,0]]] }",
        &[("20:.", true), ("40:2,0", false)],
    );
    check_highlights(
        "chess { board [[W,K,5$,1],[B,K,5,8]] move [W,K,5,2] move e1e2 move Kd1 }",
        &[("16:W,K", true), ("20:5,1", true), ("56:e1", false)],
    );
    check_highlights(
        "draughts { board [[W,K,1,1],[B,M,3,3]] capture => [[1,1],[4,$4]] }",
        &[("58:4,4", false)],
    );
    check_highlights(
        "draughts { board [[W,K,1,1],[B,M,3,3]] capture => [[3,3$,\"directly\"]] }",
        &[("29:B,M", true), ("33:3,3", true), ("52:3,3", false)],
    );
    // What a problem asks, and what a twin changes.
    check_highlights(
        "chess { board 8/8/8/8/4k3/8/8/K7 hz2 e4$ hze42 twin b: remove e4\ntwin c: hze42, e4 to e5 }",
        &[
            ("23:k", true),
            ("37:e4", false),
            ("42:e4", false),
            ("61:e4", false),
            ("74:e4", false),
            ("79:e4", false),
        ],
    );
}

#[test]
fn highlights_show_names_but_not_keywords() {
    check_highlights("chess 'A$' { note 'A' }", &[("7:A", true), ("18:A", false)]);
    check_highlights("che$ss 'A' { bo }", &[]);
    check_highlights("solitaire { bo$ard RP }", &[]);
}

// ---- links

#[test]
fn links_exclude_surrounding_punctuation() {
    let text = "// See https://a.org/x_(y), and (http://b.org/?q=1).\nchess { source \"https://c.org/a b\" author https://d.org note 'no xhttps://e.org https://' tags 'https://f.org' }";
    let tree = parse(text);
    let found = links(&tree);
    for (span, url) in &found {
        assert_eq!(at(&tree, *span), url);
    }
    let urls: Vec<&str> = found.iter().map(|(_, u)| u.as_str()).collect();
    assert_eq!(urls, ["https://a.org/x_(y)", "http://b.org/?q=1", "https://c.org/a", "https://d.org"]);
}

// ---- while typing

#[track_caller]
fn check_typed(text: &str, typed: char, wanted: &str) {
    let (tree, offset) = cursor(text);
    assert_eq!(apply(tree.text(), &on_type(&tree, offset, typed)), wanted, "{text}");
}

#[test]
fn on_type_indents_lines() {
    check_typed("solitaire {\n$", '\n', "solitaire {\n  ");
    check_typed("solitaire {\n$\n}", '\n', "solitaire {\n  \n}");
    check_typed("solitaire {\n  $}", '\n', "solitaire {\n}");
    check_typed("solitaire {\n  board\n$\n}", '\n', "solitaire {\n  board\n    \n}");
    check_typed(
        "solitaire {\n  board\n    . . B .\n$\n}",
        '\n',
        "solitaire {\n  board\n    . . B .\n    \n}",
    );
    check_typed(
        "solitaire {\n  board\n    RP\n    ..\n    $solve\n}",
        '\n',
        "solitaire {\n  board\n    RP\n    ..\n  solve\n}",
    );
    let full = "solitaire {\n  board\n    ....\n    .B..\n    RP..\n    ...N\n";
    check_typed(&format!("{full}$\n}}"), '\n', &format!("{full}  \n}}"));
    check_typed(
        "solitaire {\r\n  board RP\r\n    $solve\r\n}",
        '\n',
        "solitaire {\r\n  board RP\r\n  solve\r\n}",
    );
    check_typed(
        "solitaire {\n  board RP\n  solve =>\n$\n}",
        '\n',
        "solitaire {\n  board RP\n  solve =>\n    \n}",
    );
    // A query that was typed before its line was indented is indented now.
    check_typed(
        "solitaire {\n  board\n    RP\n    solve\n$\n}",
        '\n',
        "solitaire {\n  board\n    RP\n  solve\n  \n}",
    );
    check_typed("solitaire {\r\n  board RP\r\n  }\r\n$", '\n', "solitaire {\r\n  board RP\r\n}\r\n");
    check_typed("solitaire {\n   solve\n$\n}", '\n', "solitaire {\n   solve\n  \n}");
    // Outside of braces, in lists and in strings the line is the writer's.
    for same in ["solitaire 'A'\n$", "solitaire { }\n $", "chess { board [\n$", "chess { board '..\n$..' }"] {
        check_typed(same, '\n', &same.replace('$', ""));
    }
}

#[test]
fn on_type_moves_a_closing_brace_below_its_puzzle() {
    check_typed("solitaire {\n  board RP\n  }$", '}', "solitaire {\n  board RP\n}");
    check_typed("  solitaire {\n  board RP\n}$", '}', "  solitaire {\n  board RP\n  }");
    check_typed("solitaire {\n  board RP }$", '}', "solitaire {\n  board RP }");
    check_typed("  // }$", '}', "  // }");
    check_typed("solitaire {\n  board\n  . . B$", 'B', "solitaire {\n  board\n  . . B");
}

// ---- formatting by edits

#[test]
fn range_formatting_changes_only_the_range() {
    let text = "solitaire   'A' {\nboard RP\n}\nsolitaire   'B' {\nboard RP\n}\n";
    let tree = parse(text);
    let found = apply(text, &format_range(&tree, Span::at(5)));
    assert_eq!(found, "solitaire 'A' {\n  board RP\n}\nsolitaire   'B' {\nboard RP\n}\n");
    let found = apply(text, &format_range(&tree, Span::at(40)));
    assert_eq!(found, "solitaire   'A' {\nboard RP\n}\nsolitaire 'B' {\n  board RP\n}\n");
}

#[test]
fn solution_of_a_problem_keeps_its_lines() {
    let text = "chess {\n  mate   in    2 => \"1. Qb6\n      Ka8\n  2. Qb7#\"   (x)\n     #2   =>   Qb6\n h#2.5\n mate in 2   =>\n \"a\n b\"\n}\n";
    let formatted = "chess {\n  mate in 2 => \"1. Qb6\n      Ka8\n  2. Qb7#\" (x)\n  #2 => Qb6\n  h#2.5\n  mate in 2 =>\n    \"a\n b\"\n}\n";
    assert_eq!(format(&parse(text)).as_deref(), Some(formatted));
    assert_eq!(format(&parse(formatted)).as_deref(), Some(formatted));
    let tree = parse(formatted);
    let solutions: Vec<&str> = folds(&tree, 100)
        .into_iter()
        .filter(|(_, kind)| *kind == FoldKind::Solution)
        .map(|(span, _)| at(&tree, span))
        .collect();
    assert_eq!(solutions, ["\"1. Qb6\n      Ka8\n  2. Qb7#\"", "\"a\n b\""]);
    let outline = document_symbols(&tree, Defaults::default(), 0, 1).remove(0).children;
    let names: Vec<&str> = outline.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["mate in 2", "#2", "h#2.5", "mate in 2"]);
}

#[test]
fn edits_never_split_a_line_end() {
    let text = "chess {\r\n\r\n\r\nmate\r\n\r\n\r\n}\nchess { \r\n mate }";
    for edit in format_edits(&parse(text)) {
        for at in [edit.span.start as usize, edit.span.end as usize] {
            assert!(!(text[..at].ends_with('\r') && text[at..].starts_with('\n')), "{edit:?}");
        }
    }
}

/// What ends most lines before may be no longer what does so behind: blank lines go, strings stay.
#[test]
fn formatting_of_mixed_line_ends_is_idempotent() {
    for [many, few] in [["\r", "\n"], ["\r\n", "\n"], ["\n", "\r"], ["\r\n", "\r"]] {
        let text = format!("chess {{ board 'a{few}{few}b' }}{many}{many}{many}");
        let once = format(&parse(text.as_str())).expect("a good text");
        assert_eq!(format(&parse(once.as_str())).as_ref(), Some(&once), "{text:?}");
    }
}

// ---- what holds of every text

fn whole(text: &str) -> Tree {
    let tree = parse(text);
    let good = |s: Span| text.is_char_boundary(s.start as usize) && text.is_char_boundary(s.end as usize);
    let mut end = 0;
    for token in semantic_tokens(&tree, None) {
        assert!(good(token.span) && token.span.start >= end && !token.span.is_empty(), "{token:?}\n{text}");
        assert!(!at(&tree, token.span).contains(['\n', '\r']), "{token:?}\n{text}");
        end = token.span.end;
    }
    for (span, _) in folds(&tree, 1000) {
        assert!(good(span) && at(&tree, span).contains(['\n', '\r']));
    }
    let inside = |s: &Symbol| s.span.start <= s.selection.start && s.selection.end <= s.span.end;
    for symbol in document_symbols(&tree, Defaults::default(), 0, 1000) {
        assert!(inside(&symbol) && symbol.children.iter().all(inside) && !symbol.name.is_empty());
        assert!(
            symbol
                .children
                .iter()
                .all(|c| symbol.span.start <= c.span.start && c.span.end <= symbol.span.end)
        );
    }
    assert!(links(&tree).iter().all(|(s, _)| good(*s)));
    let formatted = format(&tree).expect("formatted");
    // What is outside of puzzles may be no collection at all, and stays.
    if error_outside_puzzles(&tree).is_none() && is_plain_text(text) {
        assert_eq!(apply(text, &format_edits(&tree)), formatted);
        assert_eq!(apply(text, &format_range(&tree, Span::new(0, text.len() as u32))), formatted);
    }
    tree
}

fn each_offset(tree: &Tree, offset: u32) {
    let text = tree.text();
    let steps = selection(tree, offset);
    for pair in steps.windows(2) {
        assert!(pair[0] != pair[1] && pair[1].start <= pair[0].start && pair[0].end <= pair[1].end);
    }
    if text.is_char_boundary(offset as usize) {
        assert!(steps.iter().all(|s| s.start <= offset && offset <= s.end), "{offset} {steps:?}\n{text}");
    }
    let good = |s: &Span| text.get(s.range()).is_some();
    assert!(steps.iter().all(good));
    assert!(highlights(tree, offset).iter().all(|(s, _)| good(s)));
    assert!(name_at(tree, offset).is_none_or(|(s, n)| at(tree, s) == n));
    for typed in ['\n', '}', 'B'] {
        assert!(on_type(tree, offset, typed).iter().all(|e| at(tree, e.span).trim().is_empty()));
    }
}

#[test]
fn structure_features_hold_at_every_offset_of_the_examples() {
    for (_, text) in examples() {
        let tree = whole(&text);
        // Beyond the end too.
        for offset in (0..text.len() as u32 + 3).step_by(3) {
            each_offset(&tree, offset);
        }
    }
}

#[test]
fn structure_features_hold_in_every_prefix_of_the_examples() {
    let every = if full() { 11 } else { 37 };
    for (_, text) in examples() {
        for end in text.char_indices().map(|(i, _)| i).step_by(every) {
            let tree = whole(&text[..end]);
            each_offset(&tree, end as u32);
            each_offset(&tree, end as u32 / 2);
        }
    }
}

#[test]
fn structure_features_hold_at_every_offset_of_odd_texts() {
    let long = "http://-(".repeat(3000) + &"http://a)".repeat(3000);
    for text in [
        "",
        "\u{FEFF}",
        "\u{FEFF} solitaire\u{FEFF}{ board\r\rRP\r..\r}\r",
        "solitaire { board \"\r\n.é\r\nR😀\r\n\" solve => [[[0,0],[",
        "}}{{]][[((,,=>=> chess \"a\u{1}b { board 'é\u{2028}' } ) \u{7} solitaire solitaire",
        "chess { board \"w: \n/ \" move => move [ => ] mate => ] } // é\r\n//\r//",
        "draughts { board \"W:WKa1:Bc3,\n e5\" capture => [a1,c3] => [[3,3,\"directly\"]] capture => [[],[1]] }",
        "chess3d { size 3 board [[\"W\",K,'c2 (I)'],[B,K,9,9,9]] mate => é (é } move é move a1é } size é",
        "note 'A' chess A { } chess \"A { } note A note \"A",
        "size [ tags [a, [b, 'c'] chess { tags [[[x]]] allow [] note } board { }",
        &("// ".to_string() + &long),
    ] {
        let tree = whole(text);
        let step = 1 + text.len() / 200;
        for offset in (0..text.len() as u32 + 3).step_by(step) {
            each_offset(&tree, offset);
        }
    }
}

#[test]
fn semantic_tokens_range_is_part_of_full() {
    for (_, text) in examples() {
        let tree = parse(text.as_str());
        let all = semantic_tokens(&tree, None);
        for start in (0..text.len() as u32).step_by(97) {
            let range = Span::new(start, (start + 50).min(text.len() as u32));
            let mut wanted = all.clone();
            wanted.retain(|t| t.span.start <= range.end && range.start <= t.span.end);
            assert_eq!(semantic_tokens(&tree, Some(range)), wanted);
        }
    }
}

#[test]
fn rename_back_restores_the_text() {
    let mut changed = 0;
    for (_, text) in examples() {
        let tree = parse(text.as_str());
        for puzzle in tree.puzzles() {
            let Some(name) = puzzle.name().filter(|t| t.text().starts_with('"')) else { continue };
            // Of two with one name each has its own.
            if tree.puzzles().filter_map(Puzzle::name).filter(|n| n.text() == name.text()).nth(1).is_some() {
                continue;
            }
            let at = name.span().start + 1;
            let Some((_, name)) = name_at(&tree, at) else { continue };
            let new = apply(&text, &rename(&tree, &name, at, "Quite another").expect("a new name"));
            let again = parse(new.as_str());
            let back = apply(&new, &rename(&again, "Quite another", at, &name).expect("the old name"));
            assert_eq!(back, text);
            changed += 1;
        }
    }
    assert!(changed > 50, "{changed}");
}
