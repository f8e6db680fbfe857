//! Stray signs, lost heads, foreign letters and pasted texts: each is one finding, and hides none that stands elsewhere.

use crate::one_finding::{check, findings};
use cpz::analysis::config::read_config;
use cpz::ide::apply;

/// Asserts that a text has one finding with this message at its beginning, and the texts that its fixes make.
fn only(text: &str, message: &str, fixed: &[&str]) {
    let found = findings(text);
    let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
    assert!(matches!(messages[..], [only] if only.starts_with(message)), "{text}\n{messages:#?}");
    let fixes: Vec<String> = found[0].fixes.iter().map(|f| apply(text, &f.edits)).collect();
    assert_eq!(fixes, fixed, "{text}");
}

#[test]
fn a_wrong_sign_of_a_fen_is_one_finding() {
    let text = |fen: &str| format!("chess {{ board {fen}\n mate }}\n");
    let right = text("2k5/8/8/8/8/5K2/4r1N1/8");
    only(&text("2k5/8/8a/8/8/5K2/4r1N1/8"), "`a` is not a piece of chess", &[]);
    only(&text("2k5/8/a/8/8/5K2/4r1N1/8"), "`a` is not a piece of chess", &[]);
    for sign in [":", ">", "\\", "|"] {
        let slip = format!("2k5/8/8{sign}8/8/5K2/4r1N1/8");
        only(&text(&slip), &format!("`{sign}` stands here between two ranks"), &[&right]);
    }
    only(
        &text("2k5/8/8/8/8/5K2/4r1N1/8//x"),
        "a comment has a space before its `//`",
        &[&text("2k5/8/8/8/8/5K2/4r1N1/8 //x")],
    );
    // What is wrong elsewhere is told too.
    let found = findings(&text("2k5/8/8a/8/7/5K2/4r1N1/8"));
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn a_number_among_the_letters_of_a_matrix_is_one_finding() {
    let text = |row: &str| {
        let rows = ["'.','B','.','N'", "'.','.','.','.'", row, "'.','.','.','.'"];
        let rows: Vec<String> = rows.iter().map(|row| format!("[{row}]")).collect();
        format!("solitaire {{\n board [{}]\n solve\n}}\n", rows.join(",\n "))
    };
    let message = "a board is all letters or all numbers; ";
    only(&text("'R'1 '.','.','.'"), &format!("{message}1 is among"), &[&text("'R', '.','.','.'")]);
    only(&text("'R',3,'.','.'"), &format!("{message}3 is among"), &[&text("'R',\"R\",'.','.'")]);
    let cube = |cell: &str| {
        format!(
            "chess3d {{\n board [[[5, -1, 0], [0,{cell}, 0], [0, 0, 0]], [[0, 0, 0], [0, 3, 0], [0, 0, 0]], \
             [[0, 1, 0], [0, 0, 0], [0, 0, 0]]]\n mate\n}}\n"
        )
    };
    only(&cube(".0"), &format!("{message}`.0` is among numbers"), &[&cube("0")]);
}

#[test]
fn a_doubled_quote_is_one_finding() {
    for text in [
        "chess { source \"Bohemia, 1923\"\n board 8/8/5K1B/8/8/1p6/k7/2R5 mate }",
        "chess \"Bohemia, 1923\" {\n board 8/8/5K1B/8/8/1p6/k7/2R5 mate }",
        "chess { board \"8/8/5K1B/8/8/1p6/k7/2R5\" mate }",
        "solitaire { board [[\"K\",\"Q\"],[\"R\",\"B\"]] solve }",
    ] {
        check(&text.replacen('"', "\"\"", 1), text);
    }
    // Where the line is long it is read as two texts, so that it is not read again for each of its quotes.
    let of_line = |rest: usize| format!("chess {{ source \"\"Bohemia\" {} \n}}\n", "x ".repeat(rest));
    let told = |text: &str| findings(text).iter().any(|f| f.message.starts_with("one quote is enough"));
    assert!(told(&of_line(100)) && !told(&of_line(600)));
}

#[test]
fn a_lost_head_of_a_puzzle_is_one_finding() {
    let body = "board 2k5/8/8/8/8/5K2/4r1N1/8\n mate\n}\n";
    let text = |head: &str| format!("{head}\n {body}");
    let right = text("chess \"Name\" {");
    let without = "this puzzle does not say its game; write one of solitaire, chess";
    only(&text("{"), without, &[]);
    only(&text("\"Name\" {"), without, &[]);
    only(&text("// A commentchess \"Name\" {"), "`board` must be inside a puzzle", &[]);
    only(&text("chess \"Name\" }"), "a puzzle begins with `{`, not with `}`", &[&right]);
    only(&text("chess \"Name\" ("), "a puzzle begins with `{`, not with `(`", &[&right]);
    // Settings of the file stay settings of the file.
    let found = findings(&format!("mate\nauthor \"Ann\"\n{right}"));
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn a_left_out_step_is_one_finding() {
    only(
        "chess { board 8/R7/p7/k7/8/2K5/8/8 h#2 => \"1. Ra8 2. Ka3 Rxa6#\" }",
        "this move is illegal: it is black's move",
        &["chess { board 8/R7/p7/k7/8/2K5/8/8 h#2 => \"1. Ka4 2. Ka3 Rxa6#\" }"],
    );
}

#[test]
fn pasted_json_is_one_finding() {
    let puzzle = r#"{"game":"chess","board":{"fen":"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"},"queries":[{"verb":"mate-in","in":"1","written":"Ra8#"}]}"#;
    for text in [
        puzzle.to_string(),
        format!("{puzzle}\n{puzzle}"),
        format!("[{puzzle},\n {puzzle}]"),
        format!("{{\n  \"version\": 1,\n  \"puzzles\": [\n{puzzle}\n]\n}}"),
        puzzle.replace("\"queries\"", "\"note\":\"a \\\"b\\\" {\",\"queries\""),
    ] {
        let whole = format!("author \"Ann\"\n\n{text}\n\nchess {{ board 4k3/8/8/8/8/8/8/4K3 mate }}\n");
        let found = findings(&whole);
        assert_eq!(found.len(), 1, "{whole}\n{found:#?}");
        assert!(found[0].message.contains("a quick fix in the editor"), "{}", found[0].message);
        assert_eq!(&whole[found[0].span.range()], text);
        assert!(cpz::ide::make_puzzles(&whole, found[0].span).is_some(), "{text}");
    }
    only(r#"{"a": [1, 2]}"#, "this is JSON; cpz reads puzzles in its own form, and there is no board", &[]);
}

#[test]
fn a_game_without_a_position_promises_no_fix() {
    for text in ["1. Ra8#\n", "1. e4 e5 2. Nf3\n", "[Event \"x\"]\n\n1. e4 *\n"] {
        let found = findings(text);
        assert_eq!(found.len(), 1, "{text}\n{found:#?}");
        let (message, fix) = (&found[0].message, cpz::ide::make_puzzles(text, found[0].span));
        assert!(message.contains("no `FEN` tag") && fix.is_none(), "{message}");
    }
}

#[test]
fn cyrillic_letters_in_squares_are_named_with_a_fix() {
    let draughts = |items: &str| format!("draughts {{ {items} }}\n");
    let chess = |items: &str| format!("chess {{ board 6k1/8/6K1/8/8/8/8/R7 {items} }}\n");
    for (slip, right) in [
        (
            draughts("board [[\"W\",\"K\",\"а1\"],[\"B\",\"M\",\"c3\"]] capture"),
            draughts("board [[\"W\",\"K\",\"a1\"],[\"B\",\"M\",\"c3\"]] capture"),
        ),
        (
            draughts("board \"W:WKa1:Bb2\" capture => а1:c3"),
            draughts("board \"W:WKa1:Bb2\" capture => a1:c3"),
        ),
        (chess("move Rа8"), chess("move Ra8")),
        (chess("#1 => Rа8"), chess("#1 => Ra8")),
        (chess("#1 => [Rа8]"), chess("#1 => [Ra8]")),
        (chess("line => 1. Rа8#"), chess("line => 1. Ra8#")),
    ] {
        check(&slip, &right);
        assert!(findings(&slip)[0].message.contains("has Cyrillic letters"), "{slip}");
    }
}

#[test]
fn cyrillic_letters_of_a_board_or_an_answer_are_one_finding() {
    let solitaire = |items: &str| format!("solitaire {{ board ...N.....R....B. {items} }}\n");
    let chess = |items: &str| format!("chess {{ {items} }}\n");
    let draughts = |items: &str| format!("draughts {{ {items} }}\n");
    // A fix is safe where the letters can be nothing else: not where a Russian piece may be meant.
    for (slip, right, safe) in [
        (
            chess("board [['K','е1'],['k','е8'],['R',а1]] mate"),
            chess("board [['K','e1'],['k','e8'],['R',a1]] mate"),
            true,
        ),
        (chess("board [['K','h1'],['k','а8']] mate"), chess("board [['K','h1'],['k','a8']] mate"), true),
        (chess("board [['K','В1'],['k','а8']] mate"), chess("board [['K','B1'],['k','a8']] mate"), false),
        (draughts("board 'W:WKа1:Bс3,е5,g7' capture"), draughts("board 'W:WKa1:Bc3,e5,g7' capture"), true),
        (draughts("board 'W:WКa1:Bс3,e5' capture"), draughts("board 'W:WKa1:Bc3,e5' capture"), false),
        (solitaire("solve => d1xb2 b2хd4"), solitaire("solve => d1xb2 b2xd4"), true),
        (solitaire("solve => с1xb2 b2xd4"), solitaire("solve => c1xb2 b2xd4"), true),
        (solitaire("solve => [с1xb2, b2хd4]"), solitaire("solve => [c1xb2, b2xd4]"), true),
        (solitaire("solve => \"с1xb2 b2хd4\""), solitaire("solve => \"c1xb2 b2xd4\""), true),
        (solitaire("solve => с1xb2"), solitaire("solve => c1xb2"), true),
        (solitaire("solve => Вxb2 Вxd4"), solitaire("solve => Bxb2 Bxd4"), false),
        (
            draughts("board 'W:WKa1:Bc3,e5' capture => а1:d4 d4:h8"),
            draughts("board 'W:WKa1:Bc3,e5' capture => a1:d4 d4:h8"),
            true,
        ),
        (
            draughts("board 'W:WKa1:Bc3,e5' capture => [[с3, directly], [е5, after]]"),
            draughts("board 'W:WKa1:Bc3,e5' capture => [[c3, directly], [e5, after]]"),
            true,
        ),
        (
            draughts("board 'W:Wc3:Bf6' line => 1. с3-d4 f6-g5"),
            draughts("board 'W:Wc3:Bf6' line => 1. c3-d4 f6-g5"),
            true,
        ),
    ] {
        let found = findings(&slip);
        check(&slip, &right);
        assert_eq!(found[0].fixes[0].safe, safe, "{slip}");
        assert!(found[0].message.contains("Cyrillic letters"), "{slip}");
    }
}

#[test]
fn a_foreign_letter_among_english_keys_is_told_alone() {
    let text = |key: &str| format!("chess {{ board 6k1/8/6K1/8/8/8/8/RQ6 #1 => [Ra8, {key}] }}\n");
    check(&text("Db8"), &text("Qb8"));
}

#[test]
fn a_slip_in_cpz_toml_is_one_finding() {
    for text in ["= broken\n", "rules = \"solo\nbudget = 5000\n", "[severity\ndual = \"off\"\n"] {
        let found = read_config(text).err().unwrap_or_default();
        assert_eq!(found.len(), 1, "{text}\n{found:#?}");
    }
    let two = read_config("rulse = \"solo\"\nbudget = = 5\n").err().unwrap_or_default();
    assert_eq!(two.len(), 2, "{two:#?}");
}

#[test]
fn brackets_of_other_languages_are_one_finding() {
    let chess = |items: &str| format!("chess {{ {items} }}\n");
    let solitaire = |items: &str| format!("solitaire {{ {items} }}\n");
    let board = r#"[["W","K",5,1],["B","K",5,8],["W","R",8,1]]"#;
    for (slip, right) in [
        // Tuples of Python.
        (
            chess(r#"board [("W","K",5,1),("B","K",5,8),("W","R",8,1)] mate"#),
            chess(&format!("board {board} mate")),
        ),
        (
            chess(r#"board (("W","K",5,1),("B","K",5,8),("W","R",8,1)) mate"#),
            chess(&format!("board {board} mate")),
        ),
        (
            chess(r#"board [["W","K",5,1],("B","K",5,8),["W","R",8,1]] mate"#),
            chess(&format!("board {board} mate")),
        ),
        (
            chess(r#"board {["W","K",5,1],["B","K",5,8],["W","R",8,1]} mate"#),
            chess(&format!("board {board} mate")),
        ),
        (
            chess(r#"board {{"W","K",5,1},{"B","K",5,8},{"W","R",8,1}} mate"#),
            chess(&format!("board {board} mate")),
        ),
        (
            chess(r#"board ("W","K",5,1),("B","K",5,8) mate"#),
            chess(r#"board ["W","K",5,1],["B","K",5,8] mate"#),
        ),
        (
            chess(r#"board 4k3/8/8/8/8/8/8/4K2R move ("W","R",8,2) => legal (it is, really)"#),
            chess(r#"board 4k3/8/8/8/8/8/8/4K2R move ["W","R",8,2] => legal (it is, really)"#),
        ),
        (
            solitaire("board [(3,3,'N'),(1,1,'R'),(2,0,'B')] solve"),
            solitaire("board [[3,3,'N'],[1,1,'R'],[2,0,'B']] solve"),
        ),
        (
            solitaire("board ...N.....R....B. solve => [((2,0),(1,1)),((1,1),(3,3))] (so it is)"),
            solitaire("board ...N.....R....B. solve => [[[2,0],[1,1]],[[1,1],[3,3]]] (so it is)"),
        ),
        (
            solitaire("board ...N.....R....B. solve => ((2,0),(1,1)), ((1,1),(3,3))"),
            solitaire("board ...N.....R....B. solve => [[2,0],[1,1]], [[1,1],[3,3]]"),
        ),
        // A puzzle in other brackets.
        (
            "solitaire \"x\" [ board ...N.....R....B. solve ]\n".into(),
            "solitaire \"x\" { board ...N.....R....B. solve }\n".into(),
        ),
        (
            "solitaire \"x\" [\n  board [[1,2,R],[0,2,B]]\n  solve => [[[1,2],[0,2]]]\n]\n".into(),
            "solitaire \"x\" {\n  board [[1,2,R],[0,2,B]]\n  solve => [[[1,2],[0,2]]]\n}\n".into(),
        ),
        (
            "solitaire \"x\" ( board ...N.....R....B. solve )\n".into(),
            "solitaire \"x\" { board ...N.....R....B. solve }\n".into(),
        ),
        (
            "solitaire (\n  board ...N.....R....B.\n  solve\n)\n".into(),
            "solitaire {\n  board ...N.....R....B.\n  solve\n}\n".into(),
        ),
        (
            "solitaire [ board ...N.....R....B. ]\nchess { board 4k3/8/8/8/8/8/8/4K2R }\n".into(),
            "solitaire { board ...N.....R....B. }\nchess { board 4k3/8/8/8/8/8/8/4K2R }\n".into(),
        ),
    ] {
        check(&slip, &right);
        assert_eq!(findings(&right), [], "{right}");
    }
}
