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
    let dir = folder(&[("a.cpz", TWO)]);
    let done = run(dir.path(), &["export", "--to", "epd", "a.cpz"]).exits(1);
    assert_eq!(done.stdout, "7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7#; dm 1; id \"corner-1\";\n");
    for wanted in ["1 puzzle left out: EPD is for chess", "the name of 1 puzzle", "the tags of 1 puzzle"] {
        assert!(done.stderr.contains(wanted), "{}", done.stderr);
    }
    assert_eq!(run(dir.path(), &["export", "--to", "json", "a.cpz"]).exits(0).stderr, "");
    run(dir.path(), &["export", "--to", "json", "none.cpz"]).exits(2);
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
    run(dir.path(), &["export", "--to", "fen", "a.cpz", "--only", "[a"]).exits(2);
}

#[test]
fn an_allowed_wrong_answer_is_not_verified() {
    let text = "chess { allow wrong-answer board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate => checkmate }\n\
                chess { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate => none mate move Qg7 => legal mate in 1 => Qg3 }\n";
    let dir = folder(&[("a.cpz", text)]);
    let document = run(dir.path(), &["export", "--to", "json", "a.cpz"]).exits(0).json();
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
