//! A slip is one finding, with the fix that is evident, or with none: what a fix makes of the text is written here.

use crate::harness::{folder, read, run};
use cpz::analysis::{Options, allow, analyse};
use cpz::diagnostic::{Code, Finding};
use cpz::ide::apply;
use cpz::syntax::{Keyword, ProblemKind, parse};

pub fn findings(text: &str) -> Vec<Finding> {
    let mut report = analyse(&parse(text), &Options::default());
    allow(&mut report);
    report.findings().into_iter().map(|(f, _)| f.clone()).collect()
}

/// Asserts that a text has one finding, and what its only fix makes of it; an empty text for no fix.
pub fn check(before: &str, after: &str) {
    let found = findings(before);
    let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(found.len(), 1, "{before}\n{messages:#?}");
    let fixes: Vec<String> = found[0].fixes.iter().map(|f| apply(before, &f.edits)).collect();
    let expected: Vec<&str> = [after].into_iter().filter(|a| !a.is_empty()).collect();
    assert_eq!(fixes, expected, "{before}\n{messages:#?}");
}

const SOLITAIRE: &str = "solitaire { board R....N.......... ITEMS }\n";
pub const CHESS: &str = "chess { board 4k3/8/8/8/8/8/4P3/4K2R ITEMS }\n";

#[test]
fn arrow_in_other_signs_becomes_an_arrow() {
    for arrow in ["= >", ">=", "⟹", "->", "→", "=", "==>", "—>", ">"] {
        let text = |arrow: &str| SOLITAIRE.replace("ITEMS", &format!("solve {arrow} none"));
        check(&text(arrow), &text("=>"));
    }
    check(&SOLITAIRE.replace("ITEMS", "solve => => none"), &SOLITAIRE.replace("ITEMS", "solve =>  none"));
}

#[test]
fn spaced_move_is_written_together() {
    for (before, after) in [
        ("e2 - e4", "e2e4"),
        ("e2 -> e4", "e2e4"),
        ("e2 → e4", "e2e4"),
        ("e2->e4", "e2e4"),
        ("e2 e4", "e2e4"),
        ("Rh1 - h8", "Rh1-h8"),
    ] {
        let text = |m: &str| CHESS.replace("ITEMS", &format!("move {m} => legal"));
        check(&text(before), &text(after));
    }
}

#[test]
fn quote_that_is_not_closed_spares_the_string_of_the_next_line() {
    let problem = "chess {\n  board 7k/8/5K2/8/8/8/8/6R1\n  mate in 2 => \"1.Kf7! Kh7 2.Rh1#\"\n  NEXT\n}\n";
    for next in
        ["note \"x\"", "tags [\"x\"]", "x-my-word \"x\"", "author \"x\" // by \"y\"", "move Kf7 note \"x\""]
    {
        let text = problem.replace("NEXT", next);
        check(&text.replace("2.Rh1#\"", "2.Rh1#"), &text);
    }
    // A word of a solution that is a keyword changes nothing.
    let text = problem.replace("Kh7 2.Rh1#", "Kh7\n  note 2.Rh1#").replace("NEXT", "note \"x\"");
    assert!(findings(&text).iter().all(|f| !f.message.contains("not closed")), "{text}");
}

/// The rows of a board end where the puzzle goes on, though its closing quote is lost.
#[test]
fn lost_quote_of_a_board_over_lines_is_one_finding() {
    let mate = "......k.\n  .....ppp\n  ........\n  ........\n  ........\n  ........\n  .....PPP\n  R.....K.";
    for (game, rows, rest) in [
        ("chess", mate, "\n  mate in 1 => Ra8#\n}\n"),
        (
            "chess",
            mate,
            "\n  mate in 1 => \"1. Ra8#\"\n}\nchess \"b\" { board \"4k3/8/8/8/8/8/8/4K3\" mate }\n",
        ),
        ("chess", mate, " // a mate\n  x-mine \"a\" mate in 1\n}\n"),
        ("solitaire", "N...\n  .R..\n  ....\n  .B..", "\n}\n"),
        ("solitaire", "N . . .\n  . R . .\n  . . . .\n  . B . .", "\n\n  solve\n}\n"),
        ("chess3d", "...\n..K\n...\n\n...\n...\n...\n\nk..\n..Q\n...", "\n  mate\n}\n"),
    ] {
        for open in ["\n  ", ""] {
            let text = |quote: &str| format!("{game} {{ board \"{open}{rows}{quote}{rest}");
            check(&text(""), &text("\""));
            assert!(findings(&text("\"")).iter().all(|found| found.code != Code::Syntax), "{rows}");
        }
    }
}

#[test]
fn comment_of_another_language_becomes_one_of_lines() {
    let problem =
        "chess {\n  board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 BOARD\n  FIRST\n  mate in 1 => Ra8# END\n}\n";
    for place in ["BOARD", "FIRST", "END"] {
        for (before, after) in [
            ("/* the back rank */", "// the back rank"),
            ("/* don't \"move\" */", "// don't \"move\""),
            ("/* the back\n     rank */", "// the back\n     // rank"),
            ("/*\n   * the back\n   * rank\n   */", "//\n   // the back\n   // rank"),
        ] {
            let text = |comment: &str| {
                let text = problem.replace(place, comment);
                ["BOARD", "FIRST", "END"].iter().fold(text, |text, place| text.replace(place, ""))
            };
            check(&text(before), &text(after));
        }
    }
    let rows = |comment: &str| {
        format!("solitaire {{ board\n . . . N {comment}\n . . . .\n . R . .\n . . B .\n solve }}\n")
    };
    check(&rows("/* top */"), &rows("// top"));
    // What stands behind it on its line stays in front of it.
    let twin = |twin: &str| {
        format!("chess {{\n  board kbK5/pp6/1P6/8/8/8/8/R7\n  #2 => Ra6\n  twin b: a1 to b1 {twin}\n}}\n")
    };
    check(&twin("/* the twin */ => none"), &twin(" => none // the twin"));
    let list = |row: &str| format!("chess {{\n  board [[\"W\",\"K\",5,1], {row}\n  mate\n}}\n");
    check(&list("/* king */ [\"B\",\"K\",5,8]]"), &list(" [\"B\",\"K\",5,8]] // king"));
}

#[test]
fn blank_one_key_too_late_takes_no_piece_off_a_board() {
    let board = |board: &str| format!("solitaire {{\n  {board}\n  solve => none\n}}\n");
    check(&board("boardN .......R.......B"), &board("board N.......R.......B"));
    let item = |item: &str| format!("chess {{\n  board kbK5/pp6/1P6/8/8/8/8/R7\n  {item}\n}}\n");
    check(&item("moveR a6 => legal"), &item("move Ra6 => legal"));
    check(&item("movee 1d1"), &item("move e1d1"));
    check(&item("turn black to play"), &item("turn black"));
    check(&item("en passant d6"), &item("en-passant d6"));
}

#[test]
fn sign_in_the_place_of_the_brace_of_a_puzzle_becomes_one() {
    let puzzle = |sign: &str| format!("chess \"x\" {sign}\n  board 6k1/8/8/8/8/8/8/K7\n  mate\n}}\n");
    for sign in [")", "]", "}", "(", "[", ":", "<"] {
        check(&puzzle(sign), &puzzle("{"));
    }
}

#[test]
fn side_in_words_is_its_letter_in_a_fen() {
    let fen = |side: &str| {
        format!("chess {{ board 6k1/5ppp/8/8/8/8/5PPP/R5K1 {side} - - 0 1 mate in 1 => Ra8# }}\n")
    };
    for word in ["white", "whites", "White", "Weiss"] {
        check(&fen(word), &fen("w"));
    }
    check(&fen("x"), "");
}

#[test]
fn colon_of_a_twin_is_put_right() {
    let problem = "chess {\n  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8\n  helpmate in 2\n  twin b: e3 to f2\n}\n";
    for wrong in ["b;", "b."] {
        check(&problem.replace("b:", wrong), problem);
    }
}

#[test]
fn board_joined_to_its_row_is_taken_apart() {
    check(
        "solitaire { boardR....N.......... solve => none }\n",
        "solitaire { board R....N.......... solve => none }\n",
    );
}

#[test]
fn unknown_property_is_no_other_property() {
    for (before, after) in [
        ("date 1999", "x-date 1999"),
        ("x_rating 1500", "x-rating 1500"),
        ("site London", "x-site London"),
        ("mode solo", "x-mode solo"),
        ("rate 5", "x-rate 5"),
        ("theme \"fork\"", "x-theme \"fork\""),
        ("side black", "turn black"),
    ] {
        let text = |item: &str| format!("chess {{\n  {item}\n  board 4k3/8/8/8/8/8/4P3/4K2R\n}}\n");
        check(&text(before), &text(after));
    }
}

#[test]
fn wrong_bracket_becomes_the_right_one() {
    let board = |text: &str| format!("draughts {{ board {text} capture }}\n");
    let good = board("[[\"W\",\"K\",1,1], [\"B\",\"M\",3,3]]");
    for bad in [
        "[[\"W\",\"K\",1,1], ]\"B\",\"M\",3,3]]",
        "[]\"W\",\"K\",1,1], [\"B\",\"M\",3,3]]",
        "[[\"W\",\"K\",1,1[, [\"B\",\"M\",3,3]]",
        "[[\"W\",\"K\",1,1], {\"B\",\"M\",3,3]]",
        "[[\"W\",\"K\",1,1], (\"B\",\"M\",3,3]]",
        "[[\"W\",\"K\",1,1), [\"B\",\"M\",3,3]]",
    ] {
        check(&board(bad), &good);
    }
}

#[test]
fn signs_of_word_processors_become_plain_ones() {
    for (before, after) in [
        (
            "solitaire “Two ‘steps’” { board [[‘d4’,“N”], [“R”,b2]] count }",
            "solitaire \"Two ‘steps’\" { board [['d4',\"N\"], [\"R\",b2]] count }",
        ),
        (
            "solitaire \"a” { board ...N.....R....B. solve }",
            "solitaire \"a\" { board ...N.....R....B. solve }",
        ),
        (
            "solitaire { board\n“...N\n....\n.R..\n..B.”\nsolve }",
            "solitaire { board\n\"...N\n....\n.R..\n..B.\"\nsolve }",
        ),
        ("solitaire { board [[0,4]，[3,0]] count }", "solitaire { board [[0,4],[3,0]] count }"),
        ("solitaire { board ［[0,4],[3,0]] count }", "solitaire { board [[0,4],[3,0]] count }"),
        ("solitaire ｛ board ...N.....R....B. solve }", "solitaire { board ...N.....R....B. solve }"),
        (
            "solitaire { board R....N.......... solve => none （why） }",
            "solitaire { board R....N.......... solve => none (why) }",
        ),
        ("solitaire { board ...N.....R....B. \u{200B}solve }", "solitaire { board ...N.....R....B. solve }"),
        ("solitaire { board ...N.....R....B.\u{200B} solve }", "solitaire { board ...N.....R....B. solve }"),
        ("solitaire { board ...N.....R....B. so\u{200B}lve }", "solitaire { board ...N.....R....B. solve }"),
        ("solitaire { board ...N..\u{200B}...R....B. solve }", "solitaire { board ...N.....R....B. solve }"),
        (
            "solitaire { board \"\u{200B}...N.....R....B.\" solve }",
            "solitaire { board \"...N.....R....B.\" solve }",
        ),
    ] {
        check(before, after);
    }
}

#[test]
fn lost_words_and_slashes_are_put_back() {
    check(
        "/ not easy, one moves a rook; once more\nsolitaire { board ...N.....R....B. solve }",
        "// not easy, one moves a rook; once more\nsolitaire { board ...N.....R....B. solve }",
    );
    check("solitaire { count\n [[0,0,R],[0,3,N]] }", "solitaire { count\n board [[0,0,R],[0,3,N]] }");
    check(
        "solitaire {\n ....\n .N..\n ..R.\n ....\n count }",
        "solitaire {\n board ....\n .N..\n ..R.\n ....\n count }",
    );
    check(
        "chess My first puzzle { board 4k3/8/8/8/8/8/4P3/4K2R }",
        "chess \"My first puzzle\" { board 4k3/8/8/8/8/8/4P3/4K2R }",
    );
}

/// The text after each fix of each finding of a code.
fn fixed(text: &str, code: &str) -> Vec<String> {
    let found = findings(text).into_iter().filter(|f| f.code.name() == code);
    found.flat_map(|f| f.fixes).map(|fix| apply(text, &fix.edits)).collect()
}

#[test]
fn answer_that_may_go_on_is_not_replaced() {
    let board = "solitaire { board .....B..RP.....N";
    for answer in [
        "[[[3,0], [1,1]], [[0,1], [1,2]]",
        "[[[3,0], [1,1]], [[0,1], [1,2]]] ] [[1,1], [1,2]]",
        "[[[3,0], [1,1]], [[0,1], [1,2]]] ; [[1,1], [1,2]]]",
        "d1xb2 a2xb3 ] b2xb3",
        "=> d1xb2 a2xb3",
    ] {
        let text = format!("{board} solve => {answer} count => 1 }}\n");
        assert!(findings(&text).iter().any(|f| f.code.name() == "syntax"), "{text}");
        assert_eq!(fixed(&text, "wrong-solution"), [""; 0], "{text}");
        assert_eq!(fixed(&text, "wrong-answer"), [""; 0], "{text}");
    }
    // An error elsewhere has nothing to do with the answer.
    let text = format!("{board} solve => d1xb2 a2xb3\n cuont }}\n");
    let whole = format!("{board} solve => d1xb2 a2xb2 b2xb3\n cuont }}\n");
    assert_eq!(fixed(&text, "wrong-solution"), [whole]);
}

#[test]
fn unused_allow_goes_with_its_comma() {
    let text = |allow: &str| format!("solitaire {{ {allow} board ...N.....R....B. solve }}\n");
    for (before, after) in [
        ("allow unsolvable, kings", ["allow kings", "allow unsolvable"]),
        ("allow unsolvable,kings", ["allow kings", "allow unsolvable"]),
        ("allow unsolvable , kings", ["allow kings", "allow unsolvable "]),
        ("allow unsolvable kings", ["allow  kings", "allow unsolvable "]),
        ("allow [unsolvable, kings]", ["allow [kings]", "allow [unsolvable]"]),
        ("allow unsolvable // a\n, kings", ["allow  // a\n kings", "allow unsolvable // a\n"]),
        ("allow unsolvable,\n kings", ["allow \n kings", "allow unsolvable\n "]),
    ] {
        let before = before.replace("kings", "board-shape");
        let after = after.map(|a| text(&a.replace("kings", "board-shape")));
        assert_eq!(fixed(&text(&before), "unused-allow"), after, "{before}");
    }
}

#[test]
fn allow_is_not_called_unused_where_the_puzzle_cannot_be_read() {
    for text in [
        "solitaire { allow unsolvable board ...N.....R....B solve }\n",
        "solitaire { allow unsolvable board ...N.....X....B. solve }\n",
        "solitaire { allow unsolvable board ...N.....R....B. solve ] }\n",
        "solitaire { allow unsolvable solve }\n",
    ] {
        assert!(findings(text).iter().all(|f| f.code.name() != "unused-allow"), "{text}");
    }
    // A word that is no code is none in any puzzle.
    let text = "solitaire { allow nothing-such board ...N.....R....B solve }\n";
    assert_eq!(fixed(text, "unused-allow").len(), 1);
}

#[test]
fn invisible_character_in_a_list_is_one_finding() {
    for (before, after) in [
        ("board [[\"\u{200B}R\",\".\"],[\".\",\"N\"]]", "board [[\"R\",\".\"],[\".\",\"N\"]]"),
        ("board [\"\u{200B}R.\",\".N\"]", "board [\"R.\",\".N\"]"),
        ("board [['R\u{200B}',0,0],['N',1,2]]", "board [['R',0,0],['N',1,2]]"),
        ("board ['R.'],['\u{200B}.N']", "board ['R.'],['.N']"),
        ("size 2 board [R,.,'\u{FEFF}.\u{200B}',N]", "size 2 board [R,.,'\u{FEFF}.',N]"),
    ] {
        let text = |board: &str| format!("solitaire {{ {board} solve }}\n");
        check(&text(before), &text(after));
    }
    // Where words of people stand, such characters join letters and signs.
    let text = "solitaire { tags [\"a\u{200D}b\"] board ...N.....R....B. solve }\n";
    assert!(findings(text).is_empty(), "{:?}", findings(text));
}

#[test]
fn punctuation_is_no_cell() {
    for (board, message, after) in [
        ("'...N .... \".R.. ..B.'", "`\"` is a quote, not a cell of the board", "'...N .... .R.. ..B.'"),
        (
            "\" [...N, ...., .R.., ..B.\"",
            "`[` `,` are brackets and commas, not cells of the board",
            "\" ...N .... .R.. ..B.\"",
        ),
        ("\"...N,....,.R..,..B.\"", "`,` is a comma, not a cell of the board", "\"...N.....R....B.\""),
        (
            "['...N', '....', ',.R..', '..B.']",
            "`,` is a comma, not a cell of the board",
            "['...N', '....', '.R..', '..B.']",
        ),
        (
            "\"...N\n.,...\n.R..\n..B.\"",
            "`,` is a comma, not a cell of the board",
            "\"...N\n....\n.R..\n..B.\"",
        ),
        // It stands in the place of a cell, which may have been a piece.
        ("\"...N,....R....B.\"", "`,` is a comma, not a piece; the empty cell of this board is `.`", ""),
        ("['...N', '.\".,', '.R..', '..B.']", "", ""),
        (
            "\"...N\n.]..\n.R..\n..B.\"",
            "`]` is a bracket, not a piece; the empty cell of this board is `.`",
            "",
        ),
    ] {
        let text = |board: &str| format!("solitaire {{ board {board} solve }}\n");
        let found = findings(&text(board));
        let mixed: Vec<&Finding> = found.iter().filter(|f| f.code.name() == "mixed-empty").collect();
        assert!(message.is_empty() || mixed[0].message == message, "{board}: {:?}", mixed[0].message);
        let after: Vec<String> = Some(after).filter(|a| !a.is_empty()).map(text).into_iter().collect();
        assert_eq!(fixed(&text(board), "mixed-empty"), after, "{board}");
        assert!(mixed.iter().all(|f| f.fixes.iter().all(|fix| !fix.safe)), "{board}");
    }
    // Commas can be the empty cells of a board.
    assert!(findings("solitaire { board ',,,N,,,,,R,,,,B,' solve }\n").is_empty());
}

#[test]
fn one_odd_letter_is_corrected_before_the_language() {
    for (before, first) in [
        ("solitaire { board K..P....T....... solve }\n", "solitaire { board K..P....R....... solve }\n"),
        (
            "chess { board\n k.......\n .....p..\n .....t..\n ........\n ...P....\n ........\n ........\n ...K.... mate }\n",
            "chess { board\n k.......\n .....p..\n .....r..\n ........\n ...P....\n ........\n ........\n ...K.... mate }\n",
        ),
        (
            "solitaire { board [[K,0,0],['T',1,1],[P,3,3]] solve }\n",
            "solitaire { board [[K,0,0],['R',1,1],[P,3,3]] solve }\n",
        ),
    ] {
        let found = findings(before);
        assert_eq!(found.len(), 1, "{before}{found:?}");
        let fixes = &found[0].fixes;
        assert!(fixes.len() > 1 && fixes.iter().all(|f| !f.safe), "{fixes:?}");
        assert_eq!(fixes[0].title, "make it `R`, the rook (if the letter is German)");
        assert_eq!(apply(before, &fixes[0].edits), first);
        let message = &found[0].message;
        assert!(message.starts_with("`T` may be mistyped, or these "), "{message}");
    }
    // A letter that is written twice is of another language: its own fix would leave a mixture.
    let text = "solitaire { board K..P....T.....T. solve }\n";
    assert_eq!(fixed(text, "unknown-piece"), ["solitaire { board K..N....R.....R. solve }\n"]);
    // All letters of a German board are foreign, or have another meaning.
    let text = "solitaire { board KDTL.B..S....... solve }\n";
    assert_eq!(fixed(text, "unknown-piece"), ["solitaire { board KQRB.P..N....... solve }\n"]);
}

#[test]
fn merge_conflict_is_one_finding_without_a_fix() {
    check(
        "solitaire {\n board ...N.....R....B.\n<<<<<<< HEAD\n // ours\n solve\n=======\n // theirs\n count\n>>>>>>> b\n}\n",
        "",
    );
}

#[test]
fn fix_leaves_words_that_the_slip_did_not_touch() {
    for text in [
        "solitaire { board R....N.......... ; none }\n",
        "solitaire { board ...N.....R....B.\n / not easy, one moves a rook; once more\n solve }\n",
        "chess { board 4k3/8/8/8/8/8/4P3/4K2R move Ke2 => legal — not a capture }\n",
        "chess { board 4k3/8/8/8/8/8/4P3/4K2R mate => none {no check, not even one} }\n",
        "chess { board 4k3/8/8/8/8/8/4P3/4K2R move e2 - e4 }\n",
        "chess { date 1999 side black site London mode solo rate 5 board 4k3/8/8/8/8/8/4P3/4K2R }\n",
        "solitaire { count\n [[0,0,R],[0,3,N]] }\n",
        "chess { board [[\"К\",\"Б\",5,1]] mate }\n",
        // Sentences, whatever they begin with.
        "solitaire {\n  board ...N.....R....B.\n  solve => c1xb2 b2xd4 # two captures\n}\n",
        "solitaire {\n  board\n    ...N\n    ....\n    .R..\n    ..B.\n  # two kings and a pawn\n  solve\n}\n",
        "chess {\n  board 4k3/8/4K3/8/8/8/8/7R\n  line => 1. Rh8# # 2 moves\n}\n",
        "chess {\n  board 4k3/8/4K3/8/8/8/8/7R\n  mate => none  mate in two moves only\n}\n",
        "chess {\n  board 4k3/8/4K3/8/8/8/8/7R\n  White to move would win\n  mate\n}\n",
        "chess {\n  board 4k3/8/4K3/8/8/8/8/7R\n  White to play and win a rook\n  mate\n}\n",
        "draughts {\n  board \"W:Wa1:Bb2,d4\"\n  b) c3 to e5\n  capture\n}\n",
        // Letters of a language that cpz does not know.
        "solitaire {\n  board ...S.....T....L.\n  solve\n}\n",
    ] {
        let dir = folder(&[("a.cpz", text)]);
        run(dir.path(), &["check", "--fix", "a.cpz"]);
        assert_eq!(read(dir.path(), "a.cpz"), text);
    }
}

/// A misspelt question of a chess problem, and what its fix makes of it; an empty text for no fix.
const PROBLEM_SLIPS: [(&str, &str); 38] = [
    ("mate in2 => Qb6", "mate in 2 => Qb6"),
    ("mate-in-2 => Qb6", "mate in 2 => Qb6"),
    ("matein 2 => Qb6", "mate in 2 => Qb6"),
    ("Mate In 2 => Qb6", "mate in 2 => Qb6"),
    ("MATE IN 2 => Qb6", "mate in 2 => Qb6"),
    ("mate in 2 moves => Qb6", "mate in 2 => Qb6"),
    ("mate in 2 move => Qb6", "mate in 2 => Qb6"),
    ("mate in two move => Qb6", "mate in 2 => Qb6"),
    ("mate in 2. => Qb6", "mate in 2 => Qb6"),
    ("mate in 2: Qb6", "mate in 2 => Qb6"),
    ("mate in 2 : Qb6", "mate in 2 => Qb6"),
    ("mate in 2 Qb6", "mate in 2 => Qb6"),
    ("mate in 2 [Qb6]", "mate in 2 => [Qb6]"),
    ("mate in 2 \"1. Qb6\"", "mate in 2 => \"1. Qb6\""),
    ("mate in two => Qb6", "mate in 2 => Qb6"),
    ("mate 2 => Qb6", "mate in 2 => Qb6"),
    ("mates in 2 => Qb6", "mate in 2 => Qb6"),
    ("checkmate in 2 => Qb6", "mate in 2 => Qb6"),
    ("self-mate in 2 => none", "selfmate in 2 => none"),
    ("Selfmate In 2 => none", "selfmate in 2 => none"),
    ("selfmate 2 => none", "selfmate in 2 => none"),
    ("sm in 2 => none", "selfmate in 2 => none"),
    ("help-mate in 2 => none", "helpmate in 2 => none"),
    ("help mate in 2 => none", "helpmate in 2 => none"),
    ("helpmate in 2½ => none", "helpmate in 2.5 => none"),
    ("helpmate in 2,5 => none", "helpmate in 2.5 => none"),
    ("#2! => Qb6", "#2 => Qb6"),
    ("#2: Qb6", "#2 => Qb6"),
    ("# 2 => Qb6", "#2 => Qb6"),
    ("s# 3 => none", "s#3 => none"),
    ("H#2 => none", "h#2 => none"),
    ("S#2 => none", "s#2 => none"),
    ("h#2½ => none", "h#2.5 => none"),
    ("#3 => none\n  help mate in 2", "#3 => none\n  helpmate in 2"),
    ("#3 => none\n  mate in two => none", "#3 => none\n  mate in 2 => none"),
    ("mate in", ""),
    ("helpmate", ""),
    ("mate in many", ""),
];

#[test]
fn misspelt_question_of_a_problem_is_one_finding() {
    for (before, after) in PROBLEM_SLIPS {
        let text = |query: &str| format!("chess {{\n  board 8/8/8/8/8/8/8/8\n  {query}\n  note a\n}}\n");
        let errors = parse(text(before)).errors().to_vec();
        let messages: Vec<&str> = errors.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(errors.len(), 1, "{before}\n{messages:#?}");
        let fixes: Vec<String> = errors[0].fixes.iter().map(|f| apply(&text(before), &f.edits)).collect();
        let expected: Vec<String> = [after].into_iter().filter(|a| !a.is_empty()).map(text).collect();
        assert_eq!(fixes, expected, "{before}\n{messages:#?}");
        assert_eq!(expected.iter().map(|after| parse(after.clone()).errors().len()).sum::<usize>(), 0);
    }
}

#[test]
fn misspelt_question_has_no_finding_but_its_spelling() {
    for (before, _) in PROBLEM_SLIPS.iter().filter(|(before, _)| before.ends_with("Qb6")) {
        let text = format!("chess {{\n  board 8/8/8/8/8/8/8/K1k5 w - -\n  {before}\n}}\n");
        let found = findings(&text);
        let spelling = found.iter().filter(|f| f.code == cpz::diagnostic::Code::Syntax).count();
        assert_eq!(spelling, 1, "{before}\n{found:#?}");
    }
}

/// A word with each slip of one letter: left out, doubled, changed, and swapped with the next one.
fn letter_slips(word: &str) -> impl Iterator<Item = String> {
    let at = |i: usize| (&word[..i], &word[i..=i], &word[i + 1..]);
    (0..word.len()).flat_map(move |i| {
        let (head, letter, tail) = at(i);
        let swapped = tail.get(..1).map(|next| format!("{head}{next}{letter}{}", &tail[1..]));
        let changed = if letter == "x" { "y" } else { "x" };
        [format!("{head}{tail}"), format!("{head}{letter}{letter}{tail}"), format!("{head}{changed}{tail}")]
            .into_iter()
            .chain(swapped)
    })
}

#[test]
fn every_slip_in_a_word_of_composers_is_mended_by_its_fix() {
    let problems = ProblemKind::all().filter(|kind| kind.goal.has_word() && *kind != ProblemKind::MATE);
    let problems = problems.map(|kind| (kind.word(), format!("{} in 3", kind.word())));
    let others = ["set-play", "duplex", "half-duplex", "zeroposition"].map(|word| (word, word.to_string()));
    let mut checked = 0;
    for (word, item) in problems.chain(others) {
        for slip in letter_slips(word).filter(|slip| slip != word && Keyword::from_word(slip).is_none()) {
            for before in ["", "#3 => Qg3\n  ", "#3 => none\n  "] {
                let text = |item: &str| format!("chess {{\n  board 8/8\n  {before}{item}\n  note a\n}}\n");
                let spoilt = text(&item.replace(word, &slip));
                let errors = parse(spoilt.clone()).errors().to_vec();
                let messages: Vec<&str> = errors.iter().map(|f| f.message.as_str()).collect();
                assert_eq!(errors.len(), 1, "{spoilt}\n{messages:#?}");
                let fixes: Vec<String> = errors[0].fixes.iter().map(|f| apply(&spoilt, &f.edits)).collect();
                assert_eq!(fixes, [text(&item)], "{spoilt}\n{messages:#?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 2_500, "{checked}");
}

/// A word with one slip of the keyboard.
fn slips_of(word: &str) -> [String; 4] {
    let middle = word.len() / 2;
    let (head, tail) = word.split_at(middle);
    let swapped: String =
        [&word[..middle - 1], &word[middle..=middle], &word[middle - 1..middle], &word[middle + 1..]]
            .concat();
    [format!("{head}{}", &tail[1..]), format!("{head}{}{tail}", &tail[..1]), swapped, word.to_uppercase()]
}

#[test]
fn one_slip_in_the_word_of_a_query_is_one_finding() {
    use cpz::analysis::{Options, analyse};
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/collection");
    let (mut seen, mut checked) = (Vec::new(), 0);
    for file in std::fs::read_dir(folder).expect("the examples").map(|entry| entry.expect("a file").path()) {
        let text = std::fs::read_to_string(&file).expect("an example");
        let tree = cpz::syntax::parse(&text);
        for puzzle in tree.puzzles() {
            let alone = &text[puzzle.span().range()];
            for query in puzzle.queries() {
                let (word, span) = (query.keyword().text(), query.keyword().span());
                let is_word = word.len() > 3 && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
                let findings =
                    |text: &str| analyse(&cpz::syntax::parse(text), &Options::default()).findings().len();
                if !is_word || seen.contains(&word.to_string()) || findings(alone) > 0 {
                    continue;
                }
                seen.push(word.to_string());
                let at = (span.start - puzzle.span().start) as usize;
                for slip in slips_of(word).iter().filter(|slip| *slip != word) {
                    let spoilt = format!("{}{slip}{}", &alone[..at], &alone[at + word.len()..]);
                    let report = analyse(&cpz::syntax::parse(&spoilt), &Options::default());
                    let found: Vec<_> = report.findings().into_iter().map(|(f, _)| f.clone()).collect();
                    assert_eq!(found.len(), 1, "{word} as {slip}: {found:#?}\n{spoilt}");
                    let on_it = found[0].span.start as usize <= at && at <= found[0].span.end as usize;
                    assert!(on_it, "{word} as {slip}: {:#?}", found[0]);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 60, "{checked} slips in {seen:?}");
}

#[test]
fn pairs_of_curly_quotes_within_a_string_are_its_text() {
    for note in ["Kasparov: “ok” {1}", "a „ж“ {x}", "«b» {"] {
        let text = CHESS.replace("ITEMS", &format!("note \"{note}\" move e4 => legal"));
        assert_eq!(findings(&text), [], "{text}");
    }
    let text = CHESS.replace("ITEMS", "note '‘ok’ {1}' move e4 => legal");
    assert_eq!(findings(&text), [], "{text}");
}

#[test]
fn what_one_slip_breaks_is_one_finding() {
    for (text, message) in [
        (r#"chess { board [["W","K",5.5,1]] mate }"#, "write a square as two numbers"),
        (r#"chess { board [["W","K","e1"],["B","K","é8"]] mate }"#, "write a square as two numbers"),
        (r#"draughts { board "W:W21,22,23:B1,2,3" capture }"#, "a square must be named"),
        (r#"solitaire { boa d [[".",N],[R,"."]] solve }"#, "unexpected `boa d"),
        ("solitaire { b(ard\n...N\n....\n.R..\n..B.\nsolve }", "this remark is not closed"),
        ("\"", "this string is not closed"),
        ("'", "this string is not closed"),
        ("chess \"x", "this string is not closed"),
        ("chess { board [[ }", "this `[` and 1 more after it are never closed"),
        (r#"chess { board ["Ke1","Ra1","ke8"] mate }"#, "write each piece and its square in a list of two"),
    ] {
        let found = findings(text);
        let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert!(matches!(messages[..], [only] if only.starts_with(message)), "{text}\n{messages:#?}");
    }
    check(
        r#"chess { board ["Ke1","Ra1","ke8"] mate }"#,
        r#"chess { board [["K","e1"],["R","a1"],["k","e8"]] mate }"#,
    );
}

#[test]
fn a_message_counts_and_names_as_a_person_does() {
    for (text, message) in [
        (
            "chess { board 6k1/4P3/6K1/8/8/8/8/8\n solutions 2 mate in 1 => e8=Q }",
            "1 key not written: 1.e8=R#",
        ),
        ("solitaire { board R solve }", "this board is 1 square wide and 1 high"),
        (
            "solitaire { board Л.С.\nК..Ф\n solve }",
            "these are Russian letters, (Кр Ф Л С К П) or (К Ф Л С П)",
        ),
        (
            "chess { board 6k1/8/8/8/8/8/8/R5K1\n h#1 => none twin b: exchange a1 a1 }",
            "a1 is named twice; an exchange is of two squares",
        ),
    ] {
        let found = findings(text);
        let messages: Vec<&str> = found.iter().map(|f| f.message.as_str()).collect();
        assert!(messages.iter().any(|found| found.starts_with(message)), "{text}\n{messages:#?}");
    }
}

#[test]
fn brace_in_a_list_is_its_bracket() {
    let board = "board [['B','K',6,1], ['B','Q',6,2], ['W','K',8,1]]";
    for (text, bracket) in [
        (format!("chess {{ {board} mate }}\n"), "6,2]"),
        (format!("chess {{ {board} mate }}\n"), "6,1]"),
        ("solitaire { board R....N.......... solve => [[[0,3],[1,2]], [[1,2],[0,3]]] }\n".into(), "[1,2]]"),
        ("solitaire {\n  board [[K,Q],[R,B]]\n  solve => none\n}\n".into(), "[K,Q]"),
    ] {
        let brace = text.replacen(bracket, &format!("{}}}", &bracket[..bracket.len() - 1]), 1);
        let found = findings(&brace);
        let lists: Vec<_> =
            found.iter().filter(|f| f.message.starts_with("a list has square brackets")).collect();
        let [one] = lists[..] else { panic!("{brace}\n{found:#?}") };
        assert_eq!(apply(&brace, &one.fixes[0].edits), text);
        // What cannot be told of the answer any more is not.
        let known = findings(&text);
        let is_known = |f: &Finding| f.span == one.span || known.iter().any(|k| k.message == f.message);
        assert!(found.iter().all(is_known), "{brace}\n{found:#?}");
    }
}

#[test]
fn keyword_in_two_words_is_put_together() {
    let text = "chess \"x\" { author \"Ann\" board [[\"W\",\"K\",5,1], [\"B\",\"K\",5,8]] mate => none }\n";
    for (whole, torn) in [
        ("chess", "ches s"),
        ("board", "boar d"),
        ("author", "aut hor"),
        ("mate", "m ate"),
        ("chess", "c hess"),
    ] {
        check(&text.replace(whole, torn), text);
    }
}
