//! `cpz export`: files, exit codes, filters, and what is told.

use super::*;

const TWO: &str = "chess \"Corner\" {\n  id corner-1\n  tags [mate, queen]\n  board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1\n  mate in 1 => Qg7#\n}\n\
                   solitaire \"Four\" { board ...N.....R....B. solve }\n";

#[test]
fn an_output_appears_whole_and_replaces_nothing_unasked() {
    let dir = folder(&[("a.cpz", TWO), ("old.json", "mine")]);
    let said = run(dir.path(), &["export", "--to", "json", "a.cpz", "-o", "old.json"]).exits(2).stderr;
    assert!(said.contains("--force"), "{said}");
    assert_eq!(read(dir.path(), "old.json"), "mine");
    run(dir.path(), &["export", "--to", "json", "a.cpz", "-o", "old.json", "--force"]).exits(0);
    assert_eq!(serde_json::from_str::<Value>(&read(dir.path(), "old.json")).expect("JSON")["version"], 1);
    let said =
        run(dir.path(), &["export", "--to", "json", "a.cpz", "-o", "a.cpz", "--force"]).exits(2).stderr;
    assert!(said.contains("a.cpz"), "{said}");
    assert_eq!(read(dir.path(), "a.cpz"), TWO);
    run(dir.path(), &["export", "--to", "json", "a.cpz", "-o", "no/such/folder.json"]).exits(2);
    assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 2, "a temporary file is left");
}

#[test]
fn what_a_format_cannot_hold_is_told_with_a_count() {
    let dir = folder(&[("a.cpz", TWO), ("empty.cpz", "// Nothing yet.\n")]);
    let done = run(dir.path(), &["export", "--to", "epd", "a.cpz"]).exits(1);
    assert_eq!(done.stdout, "7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7#; dm 1; id \"corner-1\"; name \"Corner\";\n");
    for wanted in ["1 puzzle left out: EPD is for chess", "the tags of 1 puzzle"] {
        assert!(done.stderr.contains(wanted), "{}", done.stderr);
    }
    assert_eq!(run(dir.path(), &["export", "--to", "json", "--solve", "a.cpz"]).exits(0).stderr, "");
    run(dir.path(), &["export", "--to", "json", "none.cpz"]).exits(2);
    let said = run(dir.path(), &["export", "--to", "fen", "empty.cpz"]).exits(2).stderr;
    assert!(said.contains("there are no puzzles to export"), "{said}");
    run(dir.path(), &["export", "--to", "xml", "a.cpz"]).exits(2);
}

#[test]
fn only_tag_and_game_choose_puzzles() {
    let dir = folder(&[("a.cpz", TWO)]);
    let names = |args: &[&str]| -> Vec<String> {
        let all: Vec<&str> =
            ["export", "--to", "json", "a.cpz"].into_iter().chain(args.iter().copied()).collect();
        let document = run(dir.path(), &all).exits(0).json();
        let puzzles = document["puzzles"].as_array().expect("puzzles").clone();
        puzzles.iter().map(|p| p["name"].as_str().expect("a name").to_string()).collect()
    };
    assert_eq!(names(&[]), ["Corner", "Four"]);
    assert_eq!(names(&["--only", "corner-*"]), ["Corner"]);
    assert_eq!(names(&["--only", "F?ur", "--only", "x*"]), ["Four"]);
    assert_eq!(names(&["--tag", "Queen"]), ["Corner"]);
    assert_eq!(names(&["--game", "solitaire"]), ["Four"]);
    assert_eq!(names(&["--game", "solitaire", "--tag", "mate"]), Vec::<String>::new());
    let said = run(dir.path(), &["export", "--to", "fen", "a.cpz", "--tag", "no"]).exits(0).stderr;
    assert!(said.contains("no puzzle"), "{said}");
    let deck = ["export", "--to", "json", "a.cpz", "-o", "deck.json", "--force"];
    run(dir.path(), &deck).exits(0);
    let before = read(dir.path(), "deck.json");
    run(dir.path(), &[&deck[..], &["--tag", "no"]].concat()).exits(2);
    assert_eq!(read(dir.path(), "deck.json"), before, "an empty file does not replace one with puzzles");
    for command in ["rate", "hint", "repair"] {
        let said = run(dir.path(), &[command, "a.cpz", "--tag", "no"]).exits(0).stderr;
        assert!(said.contains("no puzzle"), "{command}: {said}");
    }
    run(dir.path(), &["export", "--to", "fen", "a.cpz", "--only", "{a"]).exits(2);
}

#[test]
fn an_allowed_wrong_answer_is_not_verified() {
    let text = "chess { allow wrong-answer board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate => checkmate }\n\
                chess { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate => none mate move Qg7 => legal mate in 1 => Qg3 }\n";
    let dir = folder(&[("a.cpz", text)]);
    let document = run(dir.path(), &["export", "--to", "json", "--solve", "a.cpz"]).exits(0).json();
    let verdicts = |puzzle: usize| -> Vec<String> {
        let queries = document["puzzles"][puzzle]["queries"].as_array().expect("queries").clone();
        queries.iter().map(|q| q["verdict"].as_str().expect("a verdict").to_string()).collect()
    };
    assert_eq!(verdicts(0), ["wrong"]);
    assert_eq!(verdicts(1), ["verified", "unanswered", "verified", "wrong"]);
}

#[test]
fn properties_of_the_file_are_those_of_its_puzzles() {
    let text = "author \"A\"\nauthor \"B\"\nx-set one\nchess { board 7k/8/5KQ1/8/8/8/8/8 mate }\nauthor \"C\"\n\
                chess { x-set [two, 2] board 7k/8/5KQ1/8/8/8/8/8 mate note \"Look\" }\n";
    let dir = folder(&[("a.cpz", text)]);
    let document = run(dir.path(), &["export", "--to", "json", "a.cpz"]).exits(0).json();
    let properties = |puzzle: usize| document["puzzles"][puzzle]["properties"].clone();
    assert_eq!(properties(0), json!({"author": ["A", "B"], "x-set": "one"}));
    assert_eq!(properties(1), json!({"author": ["C"], "note": ["Look"], "x-set": ["two", "2"]}));
}

/// A written solution in short: each move with its mark and what follows it, `SAN mark{threats | replies}`.
fn in_short(steps: &Value) -> String {
    let one = |step: &Value| {
        let mv = &step["move"];
        assert_eq!(mv["uci"].is_null(), mv["san"].as_str().is_some_and(|san| san.contains('~')), "{step}");
        let parts = ["threat", "defences", "answers", "next"].map(|part| in_short(&step[part]));
        let waits = if step["zugzwang"] == true { " zz" } else { "" };
        let (mark, next) = (step["mark"].as_str().unwrap_or_default(), parts.concat());
        format!("{}{mark}{waits}{{{next}}}", mv["san"].as_str().expect("a move"))
    };
    steps.as_array().map_or(String::new(), |steps| steps.iter().map(one).collect())
}

#[test]
fn a_written_solution_goes_out_as_moves() {
    let two = "k7/8/1K6/8/8/8/8/6QR w - -";
    let rook = "8/8/8/8/8/1K6/7R/k7 w - -";
    let cases = [
        // The board, the question, its answer, the tree, the set play, and whether nothing is missing.
        (two, "#2", "\"1.Qg7! threat: 2.Qb7#\"", "Qg7!{Qb7#{}}", "", true),
        (two, "#2", "\"1.Qg7! zz 1...Kb8 2.Qb7#/Rh8#\"", "Qg7! zz{Kb8{Qb7#{}Rh8#{}}}", "", true),
        (two, "#2", "\"1.Qg7! 1...~ 2.Qb7#\"", "Qg7!{~{Qb7#{}}}", "", true),
        (two, "#2", "\"1.Qd4? Kb8! 1.Qg7! 1...Kb8 2.Qb7#\"", "Qd4?{Kb8!{}}Qg7!{Kb8{Qb7#{}}}", "", true),
        (two, "#2", "\"1...Kb8 2.Qg8# 1.Qg7!\"", "Qg7!{}", "Kb8{Qg8#{}}", true),
        (two, "#2", "\"1.Qg7! 1...Kb8 2.Qb6#\"", "Qg7!{Kb8{}}", "", false),
        (
            rook,
            "h#1.5",
            "[\"1...Rh3 2.Kb1 Rh1#\" \"1...Rg2 2.Kb1 Rg1#\"]",
            "Rh3{Kb1{Rh1#{}}}Rg2{Kb1{Rg1#{}}}",
            "",
            true,
        ),
        (rook, "#1", "1", "", "", true),
        (rook, "ser-#2", "\"1.Rh8 2.Rh1#\"", "Rh8{Rh1#{}}", "", true),
    ];
    for (board, asked, answer, tree, set_play, complete) in cases {
        let text = format!("chess {{ board {board} {asked} => {answer} }}\n");
        let dir = folder(&[("a.cpz", &text)]);
        let document = run(dir.path(), &["export", "--to", "json", "a.cpz"]).json();
        let solution = &document["puzzles"][0]["queries"][0]["solution"];
        assert_eq!(solution.is_null(), tree.is_empty(), "{text}");
        if !solution.is_null() {
            let found = (in_short(&solution["tree"]), in_short(&solution["set_play"]), &solution["complete"]);
            assert_eq!(found, (tree.to_string(), set_play.to_string(), &Value::Bool(complete)), "{text}");
        }
    }
}

/// A mate in 4, which needs some ten thousand nodes.
const LONG: &str = "8/B7/4R1P1/4KR2/8/7k/8/N5b1 w - - 0 1";

#[test]
fn an_export_solves_only_if_asked() {
    let text = format!(
        "chess {{ board {LONG} mate in 4 }}\nchess {{ board {LONG} mate in 4 => \"1. Bxg1 Kg4\" }}\n\
         chess {{ board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }}\nsolitaire {{ unique board NR.. solve count }}\n"
    );
    let dir = folder(&[("a.cpz", &text)]);
    let export = |to: &str, options: &[&str]| {
        let all: Vec<&str> =
            ["export", "--to", to, "a.cpz"].into_iter().chain(options.iter().copied()).collect();
        run(dir.path(), &all)
    };
    let verdicts = |document: &Value| -> Vec<String> {
        let puzzles = document["puzzles"].as_array().expect("puzzles").iter();
        let queries = puzzles.flat_map(|p| p["queries"].as_array().expect("queries"));
        queries.map(|q| q["verdict"].as_str().expect("a verdict").to_string()).collect()
    };
    let told = "cpz: 4 answers need a longer search; `--solve` asks for it\n";

    let short = export("json", &[]).exits(0);
    assert_eq!(short.stderr, told);
    let short = short.json();
    // One look at the last board shows its solution, not how many there are.
    assert_eq!(
        verdicts(&short),
        ["undecided", "undecided", "undecided", "unanswered", "undecided"],
        "{short:#}"
    );
    for puzzle in &short["puzzles"].as_array().expect("puzzles")[..3] {
        let query = &puzzle["queries"][0];
        let why = "this needs a longer search; export with `--solve`";
        assert_eq!(query["answer"], json!({"undecided": why}));
        assert_eq!((&query["findings"], &query["answer_text"]), (&json!([]), &Value::Null));
        assert_eq!((&puzzle["difficulty"], &puzzle["hints"]), (&json!({"error": why}), &json!([])));
    }
    // To check a move is no search.
    let moves = folder(&[(
        "a.cpz",
        "chess { board 4k3/8/8/8/8/8/8/4K2R move Rh8 => legal move Rg2 => legal mate => none }\n",
    )]);
    let checked = run(moves.path(), &["export", "--to", "json", "a.cpz"]).exits(0);
    assert_eq!(
        (verdicts(&checked.json()), &checked.stderr[..]),
        (vec!["verified".into(), "wrong".into(), "verified".into()], "")
    );

    for asked in [["--solve"].as_slice(), &["--budget", "3000000"]] {
        let long = export("json", asked).exits(0);
        assert_eq!(long.stderr, "");
        let long = long.json();
        assert_eq!(verdicts(&long)[0], "unanswered");
        assert_eq!(long["puzzles"][2]["queries"][0]["answer"]["keys"][0]["san"], "Qg7#");
        assert_eq!(long["puzzles"][3]["queries"][1]["answer"], json!({"count": "1", "distinct": "1"}));
        assert_eq!(long["puzzles"][0]["queries"][0]["answer"]["keys"][0]["san"], "Bxg1");
        assert_eq!(long["puzzles"][0]["hints"].as_array().expect("hints").len(), 3);
    }
    let used_up = export("json", &["--solve", "--budget", "1001"]).json();
    assert_eq!(
        used_up["puzzles"][0]["queries"][0]["answer"],
        json!({"undecided": "the search used up its budget"})
    );
    assert_eq!(used_up["puzzles"][0]["queries"][0]["findings"][0]["code"], "undecided");
}

#[test]
fn an_answer_that_is_not_searched_for_goes_out_as_it_is_written() {
    let text = format!(
        "chess {{ board {LONG} mate in 4 }}\nchess {{ board {LONG} mate in 4 => \"1. Bxg1 Kg4\" }}\n"
    );
    let dir = folder(&[("a.cpz", &text)]);
    let told = "2 answers need a longer search; `--solve` asks for it";
    for (to, written, is_told) in [
        ("epd", " bm Bxg1; dm 4; pv Bxg1 Kg4;", true),
        ("pgn", "\n1. Bxg1 Kg4 *\n", true),
        ("olv", "solution: |2\n  1. Bxg1 Kg4\n", true),
        ("markdown", "1\\. Bxg1 Kg4", true),
        ("csv", ",1. Bxg1 Kg4,", true),
        ("fen", "", false),
        ("popeye", "", false),
    ] {
        let short = run(dir.path(), &["export", "--to", to, "a.cpz"]).exits(0);
        assert!(short.stdout.contains(written), "{to}: {}", short.stdout);
        assert_eq!(short.stderr.contains(told), is_told, "{to}: {}", short.stderr);
        let long = run(dir.path(), &["export", "--to", to, "--solve", "a.cpz"]).exits(0);
        assert!(!long.stderr.contains("--solve"), "{to}: {}", long.stderr);
        let answers = [&short, &long].map(|done| done.stdout.matches("g1").count());
        assert_eq!(answers[0] < answers[1], is_told, "{to}: {}{}", short.stdout, long.stdout);
    }
}

#[test]
fn no_cell_of_csv_is_a_formula() {
    let names = ["=1+1", "'=1+1", "''@x", "+1", "-1", "@x", "＝1", "'quoted'", "'", "a=1", "\t=1"];
    let text: String =
        names.map(|name| format!("solitaire \"x{name}\" {{ board RN.. note \"{name}\" solve }}\n")).concat();
    let csv =
        run_with(&std::env::temp_dir(), &["export", "--to", "csv", "-"], text.as_bytes()).exits(0).stdout;
    let mut rows = csv.lines().skip(1);
    for name in names {
        // A cell with a tab is quoted: some readers part cells there.
        let cells: Vec<&str> =
            rows.next().expect("a row").split(',').map(|cell| cell.trim_matches('"')).collect();
        assert_eq!(cells[3], format!("x{name}"), "a sign inside is no formula");
        let signs = ['=', '+', '-', '@', '\t', '＝'];
        let is_marked = name.trim_start_matches('\'').starts_with(signs);
        assert_eq!(cells[11], if is_marked { format!("'{name}") } else { name.into() });
        assert!(!cells.iter().any(|cell| cell.starts_with(signs)), "{cells:?}");
    }
}

#[test]
fn a_line_on_a_cube_is_exported_as_it_is_written() {
    let line = "1. Nb1(II)xb3(I) Ba3(III)-b2(II)";
    let text = format!(
        "chess3d {{ board [b#b,###,###], [###,###,RNR], [#q#,###,#K#] mate => check line => \"{line}\" }}\n"
    );
    let dir = folder(&[("a.cpz", &text)]);
    for to in ["json", "jsonl", "csv", "markdown"] {
        let exported = run(dir.path(), &["export", "--to", to, "a.cpz"]).exits(0).stdout;
        assert!(exported.contains("b3"), "{to}: {exported}");
    }
    let document = run(dir.path(), &["export", "--to", "json", "a.cpz"]).json();
    let query = &document["puzzles"][0]["queries"][1];
    assert_eq!((&query["written"], &query["line"]), (&json!(line), &Value::Null));
}

#[test]
fn a_file_that_is_none_of_cpz_is_told() {
    let pgn = "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n";
    let dir = folder(&[("a.pgn", pgn), ("b.cpz", CLEAN), ("c.cpz", "// nothing yet\n"), ("x.txt", "x\n")]);
    for (files, told, code) in [
        (&["a.pgn"][..], "`cpz import --from pgn` makes them", 2),
        (&["x.txt"], "there are no puzzles to export", 2),
        (&["a.pgn", "b.cpz"], "`cpz import --from pgn` makes them", 1),
        (&["c.cpz"], "there are no puzzles to export", 2),
    ] {
        let said = run(dir.path(), &[&["export", "--to", "json"], files].concat()).exits(code);
        assert!(said.stderr.contains(told), "{files:?}: {}", said.stderr);
        assert_eq!(said.stdout.is_empty(), code == 2, "{files:?}: {}", said.stdout);
    }
    run(dir.path(), &["export", "--to", "fen", "a.pgn", "-o", "out.fen"]).exits(2);
    assert!(!dir.path().join("out.fen").exists());
}
