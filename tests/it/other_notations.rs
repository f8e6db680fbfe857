//! Boards and answers as composers, programs and word processors write them: each is one finding, with the fix that is evident.

use crate::one_finding::{check, findings};
use cpz::diagnostic::{Code, Finding};
use cpz::ide::apply;

/// Asserts that each text has one finding with one fix, after which it has none.
fn check_all(pairs: &[(&str, &str)]) {
    for (slip, right) in pairs {
        check(slip, right);
        assert_eq!(findings(right), [], "{right}");
    }
}

#[test]
fn a_sign_before_a_board_is_removed() {
    for sign in ["=", "=>", ":", ":=", "->"] {
        for board in [
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "\"4k3/8/8/8/8/8/8/4K2R\"",
            "[[\"W\",\"K\",5,1],[\"B\",\"K\",5,8]]",
        ] {
            let text = |sign: &str| format!("chess {{ board {sign}{board} mate }}\n");
            check_all(&[(&text(&format!("{sign} ")), &text(""))]);
            assert!(findings(&text(&format!("{sign} ")))[0].fixes[0].safe);
        }
    }
    check_all(&[
        ("chess { board =4k3/8/8/8/8/8/8/4K2R mate }", "chess { board 4k3/8/8/8/8/8/8/4K2R mate }"),
        ("chess { board=4k3/8/8/8/8/8/8/4K2R mate }", "chess { board 4k3/8/8/8/8/8/8/4K2R mate }"),
        ("draughts { board = W:WKa1:Bc3 capture }", "draughts { board W:WKa1:Bc3 capture }"),
        ("solitaire { board = ...N .... .R.. ..B. solve }", "solitaire { board ...N .... .R.. ..B. solve }"),
    ]);
    // Signs can be empty cells.
    for board in ["= = = N = = = = = R = = = = B =", "===N =====R====B="] {
        assert_eq!(findings(&format!("solitaire {{ board {board} solve }}")), [], "{board}");
    }
}

#[test]
fn a_fen_with_other_signs_between_its_ranks_is_one_finding() {
    for sign in ["\\", "|", "-", ":"] {
        for fields in ["", " w - - 0 1", " b K -"] {
            let text = |sign: &str| {
                format!(
                    "chess {{ board 4k3{sign}8{sign}8{sign}8{sign}8{sign}8{sign}8{sign}4K2R{fields}\n mate }}"
                )
            };
            check_all(&[(&text(sign), &text("/"))]);
        }
    }
    check_all(&[(
        "chess { board \"4k3\\8/8\\8/8/8/8/4K2R\" mate }",
        "chess { board \"4k3/8/8/8/8/8/8/4K2R\" mate }",
    )]);
}

#[test]
fn men_with_their_squares_in_words_are_one_finding() {
    let chess = |board: &str| format!("chess {{ board {board} mate }}\n");
    let cased = chess(r#"[["K","e1"], ["R","h1"], ["k","e8"]]"#);
    let named = chess(r#"[["W","K","e1"], ["W","R","h1"], ["W","P","e2"], ["B","K","e8"]]"#);
    for slip in ["Ke1 Rh1 ke8", "Ke1, Rh1, ke8", "\"Ke1, Rh1; ke8\"", "[Ke1, Rh1, ke8]"] {
        check_all(&[(&chess(slip), &cased)]);
    }
    for slip in [
        "White: Ke1, Rh1, e2 Black: Ke8",
        "White: Ke1 Rh1 Pe2\n Black: Ke8",
        "white Ke1 Rh1 e2 black Ke8",
        "w: Ke1 Rh1 e2 b: Ke8",
        "\"White: Ke1, Rh1, e2; Black: Ke8.\"",
    ] {
        check_all(&[(&chess(slip), &named)]);
    }
    check_all(&[
        (
            "chess3d { size 3 board Kc1(I) qa1(III) mate }",
            r#"chess3d { size 3 board [["K","c1 (I)"], ["q","a1 (III)"]] mate }"#,
        ),
        (
            "draughts { board White: Ka1 Black: c3, e5 capture }",
            r#"draughts { board [["W","K","a1"], ["B","M","c3"], ["B","M","e5"]] capture }"#,
        ),
        (
            "solitaire { board Nd4 Rb3 Bc1 solve }",
            r#"solitaire { board [["N","d4"], ["R","b3"], ["B","c1"]] solve }"#,
        ),
    ]);
}

#[test]
fn the_names_of_pieces_are_one_finding() {
    check_all(&[
        (
            r#"chess { board [["white","king","e1"],["black","king","e8"],["white","rook",h1]] mate }"#,
            r#"chess { board [["white","K","e1"],["black","K","e8"],["white","R",h1]] mate }"#,
        ),
        (
            r#"draughts { board [["white","king",1,1],["black","man",3,3]] capture }"#,
            r#"draughts { board [["white","K",1,1],["black","M",3,3]] capture }"#,
        ),
        (
            "solitaire { board [[knight,d4],[rook,b2],[bishop,c1]] count }",
            "solitaire { board [[N,d4],[R,b2],[B,c1]] count }",
        ),
    ]);
    // The case of a letter is its colour.
    check(r#"chess { board [["king","e1"],["king","e8"]] mate }"#, "");
}

#[test]
fn lines_between_the_levels_of_a_cube_are_no_rows() {
    for (line, empty) in [("---", "#"), ("-----", "#"), ("=", "-"), ("___", ".")] {
        let level = |row: &str| format!("{row}\n###\n###\n");
        let board = [level("k##"), level("###"), level("##R")].join(&format!("{line}\n")).replace('#', empty);
        let text = format!("chess3d {{ board\n{board}mate => none }}\n");
        assert_eq!(findings(&text), [], "{text}");
    }
    // Without one of its rows a cube has rows of dashes.
    assert_ne!(findings("chess3d { board\nk##\n###\n---\n###\n###\n---\n###\n##R\nmate }"), []);
}

#[test]
fn slips_of_draughts_are_one_finding() {
    let board = r#"board [["W","K",1,1],["B","M",3,3],["B","M",5,5]]"#;
    let capture = |answer: &str| format!("draughts {{ {board} capture => {answer} }}\n");
    for (slip, right) in [
        (r#"[[3,3,"directly"], [5,6,"after"]]"#, r#"[[3,3,"directly"], [5,5,"after"]]"#),
        (r#"[["directly",[3,3]], ["after",[4,5]]]"#, r#"[["directly",[3,3]], ["after",[5,5]]]"#),
        ("[[c4,directly], [e5,after]]", "[[c3,directly], [e5,after]]"),
        ("c3 directly, e6 after", "c3 directly, e5 after"),
        (r#"[[3,3,"direct"], [5,5,"after"]]"#, r#"[[3,3,"directly"], [5,5,"after"]]"#),
        ("[[3,3,directly], [5,5,afer]]", "[[3,3,directly], [5,5,after]]"),
        ("[[5,5,afer]]", "[[5,5,after]]"),
        (r#"[[3,3,"after"], [5,5,"after"]]"#, r#"[[3,3,"directly"], [5,5,"after"]]"#),
        ("[[c3,after], [e5,after]]", r#"[[c3, "directly"], [e5, "after"]]"#),
        ("a1 d4 h8", "a1:d4:h8"),
        ("\"a1, d4, h8\"", "\"a1:d4:h8\""),
    ] {
        check(&capture(slip), &capture(right));
    }
    let pdn = |board: &str| format!("draughts {{ board \"{board}\" capture }}\n");
    for slip in ["W:WKa1:Bc3;e5", "W:WKa1 Bc3,e5", "W:WKa1:Bc3 e5", "W:WKa1:Bc3/e5"] {
        check_all(&[(&pdn(slip), &pdn("W:WKa1:Bc3,e5"))]);
    }
    // A sign that may be a piece stays.
    for board in ["W:WKa1:B♚c3,e5", "W:WKa1:B-c3,e5"] {
        check(&pdn(board), "");
    }
    let rows = |m: &str, k: &str| {
        let rows = ["....m...", "........", "..m.....", "........", "K......."].join("\n");
        let board = format!("{}{}", "........\n".repeat(3), rows.replace('m', m).replace('K', k));
        format!("draughts {{ board\n{board}\ncapture }}\n")
    };
    check_all(&[(&rows("m", "K"), &rows("b", "W")), (&rows("k", "M"), &rows("B", "w"))]);
}

#[test]
fn dashes_and_lost_moves_of_a_line_are_one_finding() {
    check_all(&[
        (
            "draughts { board W:Wc3:Bf6 line => 1. c3—d4 f6–g5 2. d4−e5 }",
            "draughts { board W:Wc3:Bf6 line => 1. c3-d4 f6-g5 2. d4-e5 }",
        ),
        (
            "chess { board 4k3/8/8/8/8/8/8/4K2R w K - 0 1 line => 1.O–O Kd8 1–0 }",
            "chess { board 4k3/8/8/8/8/8/8/4K2R w K - 0 1 line => 1.O-O Kd8 1-0 }",
        ),
        (
            "chess { board 4k3/8/8/8/8/8/8/4K2R w K - 0 1 move O–O }",
            "chess { board 4k3/8/8/8/8/8/8/4K2R w K - 0 1 move O-O }",
        ),
    ]);
    // The number is right: nothing says which move is missing.
    check("draughts { board W:Wc3,e1:Bf6 line => 1. c3-d4 f6-g5 2. d4-e5 3. e1-d2 }", "");
}

#[test]
fn signs_of_other_languages_are_one_finding() {
    let rook = "board 4k3/8/8/8/8/8/8/4K2R";
    for (slip, right) in [
        ("line: 1. Rh5 Kd8", "line => 1. Rh5 Kd8"),
        ("mate: none", "mate => none"),
        ("note it's a nice one", "note \"it's a nice one\""),
        ("x-note so it's a nice one", "x-note \"so it's a nice one\""),
        ("author Ann O'Hara", "author \"Ann O'Hara\""),
        ("author: Ann Smith\n mate", "author \"Ann Smith\"\n mate"),
        ("x-bar: in two words\n mate", "x-bar \"in two words\"\n mate"),
        ("source = \"A book, 1900\"\n mate", "source \"A book, 1900\"\n mate"),
        ("difficulty = 3\n mate", "difficulty 3\n mate"),
        ("turn : white\n mate", "turn white\n mate"),
        ("rating: 3\n mate", "x-rating 3\n mate"),
        ("H#2 => none\n twin b: h1 to g1 => none", "h#2 => none\n twin b: h1 to g1 => none"),
        ("mate # to be looked at", "mate // to be looked at"),
        ("mate\n; to be looked at", "mate\n// to be looked at"),
        ("mate\n # to be\n # looked at", "mate\n // to be\n // looked at"),
    ] {
        let text = |item: &str| format!("chess {{ {rook}\n {item}\n}}\n");
        check_all(&[(&text(slip), &text(right))]);
    }
    for size in ["4 x 4", "4x 4", "4 x4", "4 × 4"] {
        let text = |size: &str| format!("solitaire {{ size {size} board ...N.....R....B. solve }}\n");
        check_all(&[(&text(size), &text(&size.replace(' ', "")))]);
    }
    check_all(&[
        ("chess { board 4k3/8/8/8/8/8/8/4K2R mate } # so", "chess { board 4k3/8/8/8/8/8/8/4K2R mate } // so"),
        (
            "solitaire { solve: none board N..............N }",
            "solitaire { solve => none board N..............N }",
        ),
    ]);
    // What would be in the comment is no comment.
    check("chess { board 4k3/8/8/8/8/8/8/4K2R # mate }", "");
}

#[test]
fn an_answer_of_captures_or_moves_gets_its_arrow() {
    for with_arrow in [
        "solitaire { board R.N. .... .B.. .... solve => c4xb2 b2xa4 }\n",
        "draughts { board \"W:WKa1:Bc3,e5\" capture => a1:d4:h8 }\n",
        "chess { board 4k3/8/8/3q4/8/8/5N2/4K3 line => 1. Ne4 Qxe4+ }\n",
    ] {
        check(&with_arrow.replace(" =>", ""), with_arrow);
    }
}

#[test]
fn a_board_of_numbers_with_a_letter_keeps_all_pieces() {
    let solitaire = |board: &str| format!("solitaire {{ board {board} solve }}\n");
    for (board, meant) in [
        ("0005 0000 0R00 0040", &["0005 0000 0300 0040", "000N 0000 0R00 00B0"][..]),
        ("000N 0000 0R00 0040", &["000N 0000 0R00 00B0", "0005 0000 0300 0040"]),
        ("[[0,0,0,5],[0,0,0,0],[0,R,0,0],[0,0,B,0]]", &["[[0,0,0,5],[0,0,0,0],[0,3,0,0],[0,0,4,0]]"]),
    ] {
        let found = findings(&solitaire(board));
        let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(found.len(), 1, "{messages:#?}");
        assert!(found[0].message.starts_with("a board is all letters or all numbers"), "{messages:#?}");
        let fixes = found[0].fixes.iter().map(|fix| apply(&solitaire(board), &fix.edits));
        assert_eq!(fixes.collect::<Vec<_>>(), meant.iter().map(|text| solitaire(text)).collect::<Vec<_>>());
    }
}

#[test]
fn captures_in_other_signs_are_written_as_usual() {
    let solitaire = |answer: &str| format!("solitaire {{ board R.N. .... .B.. .... solve => {answer} }}\n");
    for (before, after) in
        [("C4xB2 B2xA4", "c4xb2 b2xa4"), ("c4→b2 b2→a4", "c4xb2 b2xa4"), ("NC4->B2 B2->A4", "Nc4xb2 b2xa4")]
    {
        check(&solitaire(before), &solitaire(after));
    }
    let draughts = |answer: &str| format!("draughts {{ board W:Wc3:Bd4,f6 capture => {answer} }}\n");
    check(&draughts("C3:E5:G7"), &draughts("c3:e5:g7"));
    check(&draughts("c3→e5→g7"), &draughts("c3:e5:g7"));
}

/// What is off the board has the fix that counts squares from the other number.
#[test]
fn squares_counted_from_the_other_number_offer_the_origin() {
    let cube = "chess3d { ORIGIN size 3 board [[\"W\",\"K\",FIRST],[\"B\",\"Q\",3,3,3]] mate }\n";
    let cube = |origin: &str, first: &str| cube.replace("ORIGIN", origin).replace("FIRST", first);
    let kings = "[[\"W\",\"K\",4,0],[\"B\",\"K\",4,7],[\"W\",\"R\",0,0]]";
    for (text, expected) in [
        (format!("chess {{ board {kings} mate }}\n"), format!("chess {{ origin 0 board {kings} mate }}\n")),
        (
            "solitaire { board [[1,1,R],[1,4,N],[2,2,B]] solve }\n".into(),
            "solitaire { origin 1 board [[1,1,R],[1,4,N],[2,2,B]] solve }\n".into(),
        ),
        (cube("origin 0", "1,1,1"), cube("origin 1", "1,1,1")),
        // Neither number fits.
        (cube("origin 0", "0,1,1"), String::new()),
    ] {
        let found: Vec<Finding> = findings(&text).into_iter().filter(|f| f.code == Code::OffBoard).collect();
        assert!(!found.is_empty(), "{text}");
        for finding in found {
            let after: Vec<String> = finding.fixes.iter().map(|fix| apply(&text, &fix.edits)).collect();
            let expected: Vec<&str> =
                [expected.as_str()].into_iter().filter(|text| !text.is_empty()).collect();
            assert_eq!(after, expected);
            assert!(expected.iter().all(|text| findings(text).iter().all(|f| f.code != Code::OffBoard)));
        }
    }
}

#[test]
fn property_in_other_words_is_put_right() {
    for (before, after) in [
        ("ep d6", "en-passant d6"),
        ("en-passant none", "en-passant -"),
        ("castling none", "castling -"),
        ("note 'Don't look'", "note \"Don't look\""),
    ] {
        let text = |item: &str| format!("chess {{\n  {item}\n  board 4k3/8/8/3pP3/8/8/8/4K2R\n}}\n");
        check(&text(before), &text(after));
    }
    let colons = findings("solitaire { size: 2 board: RN.. solve }");
    assert_eq!(colons.iter().map(|f| f.fixes.len()).collect::<Vec<_>>(), [1, 1], "{colons:#?}");
    let cube = "chess3d { size 3 board ........K ......... k........ mate => none }\n";
    check(&cube.replace("size 3", "size 3x3x3"), cube);
    let name = "solitaire \"Don't look\" { board R....N.......... solve => none }\n";
    check(&name.replace('"', "'"), name);
}

/// A variation in brackets is no remark.
#[test]
fn solution_with_variations_is_put_in_quotes() {
    let text =
        |solution: &str| format!("chess {{\n  board kbK5/pp6/1P6/8/8/8/8/R7\n  line => {solution}\n}}\n");
    let solution = "1. Ra6 bxa6 (1... Bc7 2. Rxa7#) 2. b7#";
    check(&text(solution), &text(&format!("\"{solution}\"")));
}

#[test]
fn word_in_front_of_a_stipulation_is_no_part_of_it() {
    for before in [
        "stipulation: #2",
        "Stip #2",
        "stipulation #2",
        "stip = #2",
        "stipulation: \"#2\"",
        "stip: mate in 2",
    ] {
        let meant = if before.contains('m') { "mate in 2" } else { "#2" };
        let text =
            |item: &str| format!("chess {{ board 7k/8/5K2/8/8/8/8/6R1 {item} => \"1.Kf7! Kh7 2.Rh1#\" }}\n");
        let [found] = &findings(&text(before))[..] else {
            panic!("{before}: {:#?}", findings(&text(before)))
        };
        assert_eq!(apply(&text(before), &found.fixes[0].edits), text(meant), "{before}");
        assert!(!found.fixes[0].safe, "{before}");
    }
}

#[test]
fn capital_of_a_property_above_the_puzzles_is_one_finding() {
    let text = |word: &str| format!("{word} \"Anna\"\n\nsolitaire {{ board N.R solve }}\n");
    for (before, after) in [("Author", "author"), ("Note", "note"), ("autor", "author")] {
        check(&text(before), &text(after));
    }
}
