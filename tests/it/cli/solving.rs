//! `cpz solve`.

use super::*;

#[test]
fn json_has_the_keys_of_the_contract() {
    let text = MIXED;
    let dir = folder(&[("a.cpz", text), ("empty.cpz", "")]);
    let json = run(dir.path(), &["solve", "--format", "json"]).exits(0).json();
    assert_eq!(keys(&json), set(["version", "files"]));
    assert_eq!(json["version"], 1);
    assert_eq!(paths(&json).len(), 2);
    assert_eq!(json["files"][1]["puzzles"], json!([]));
    let file = &json["files"][0];
    assert_eq!(keys(file), set(["path", "puzzles"]));
    let puzzles = file["puzzles"].as_array().expect("puzzles");
    let names: Vec<&Value> = puzzles.iter().map(|p| &p["name"]).collect();
    assert_eq!(names, ["One", "Wide", "Two", "Three", "Four"]);
    let games: Vec<&Value> = puzzles.iter().map(|p| &p["game"]).collect();
    assert_eq!(games, ["solitaire", "solitaire", "chess", "chess3d", "draughts"]);
    for puzzle in puzzles {
        assert_eq!(keys(puzzle), set(["id", "name", "game", "range", "queries"]));
        let whole = Range::of(&puzzle["range"]);
        whole.inside(&lines(text)).expect("a range of the text");
        for query in puzzle["queries"].as_array().expect("queries") {
            assert_eq!(keys(query), set(["verb", "range", "answer"]));
            let part = Range::of(&query["range"]);
            assert!(whole.holds(&part), "{query} stands outside of its puzzle {whole:?}");
            let line: Vec<u16> = lines(text)[part.start.line].encode_utf16().collect();
            let verb = query["verb"].as_str().expect("a verb");
            let there = String::from_utf16_lossy(&line[part.start.character..]);
            assert!(there.starts_with(verb), "{verb} is not at {part:?}");
        }
    }
}

#[test]
fn a_puzzle_without_a_name_has_none() {
    let dir = folder(&[("a.cpz", CLEAN)]);
    let json = run(dir.path(), &["solve", "--format", "json"]).exits(0).json();
    assert_eq!(json["files"][0]["puzzles"][0]["name"], Value::Null);
}

#[test]
fn each_verb_answers_in_its_own_shape() {
    let text = r#"
solitaire { board ...N.....R....B. solve }
solitaire { board R....N.......... solve }
solitaire { board .NR.B...N..B..P. count }
chess { board 8/8/8/4k3/8/8/8/4K2R move h1h2 move h1g2 mate }
chess { board rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR mate }
chess3d { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }
draughts { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture }
draughts { board [["W","K",1,1], ["B","M",8,8]] capture }
"#;
    let all: Vec<(String, Value)> = solve(text);
    let expected = [
        ("solve", json!({"solvable": true, "moves": [[[2,0],[1,1]],[[1,1],[3,3]]]})),
        ("solve", json!({"solvable": false, "moves": null})),
        ("count", json!({"count": "204", "distinct": "20"})),
        ("move", json!({"legal": true, "reason": null})),
        ("move", json!({"legal": false, "reason": "…"})),
        ("mate", json!({"status": "none", "side": "white"})),
        ("mate", json!({"status": "checkmate", "side": "white"})),
        ("mate", json!({"status": "checkmate", "side": "white"})),
        (
            "capture",
            json!({
                "captures": [
                    {"path": [[1,1],[4,4],[6,6]], "taken": [[3,3],[5,5]]},
                    {"path": [[1,1],[4,4],[7,7]], "taken": [[3,3],[5,5]]},
                    {"path": [[1,1],[4,4],[8,8]], "taken": [[3,3],[5,5]]},
                ],
                "pieces": [
                    {"square": [3,3], "verdict": "directly"},
                    {"square": [5,5], "verdict": "after"},
                ],
            }),
        ),
        ("capture", json!({"captures": [], "pieces": [{"square": [8,8], "verdict": "no"}]})),
    ];
    assert_eq!(all.len(), expected.len());
    for ((verb, mut answer), (expected_verb, expected)) in all.into_iter().zip(expected) {
        assert_eq!(verb, expected_verb);
        if answer["reason"].is_string() {
            answer["reason"] = json!("…");
        }
        assert_eq!(answer, expected);
    }
}

#[test]
fn human_output_has_an_answer_for_each_query() {
    let dir = folder(&[("a.cpz", MIXED)]);
    let run = run(dir.path(), &["solve"]).exits(0);
    assert!(run.stdout.lines().count() >= 7, "{}", run.stdout);
    assert!(!run.stdout.contains('\u{1b}'));
}

#[test]
fn no_solution_and_an_illegal_move_are_answers() {
    let dir = folder(&[(
        "a.cpz",
        "solitaire { board R....N.......... solve }\n\
             chess { board 8/8/8/4k3/8/8/8/4K2R move h1g2 }\n",
    )]);
    run(dir.path(), &["solve"]).exits(0);
}

#[test]
fn a_query_that_cannot_be_answered_is_1() {
    let dir = folder(&[("a.cpz", "solitaire { solve }\nsolitaire { board ...N.....R....B. solve }\n")]);
    let run = run(dir.path(), &["solve", "--format", "json"]).exits(1);
    let all = answers(&run.json());
    let solved = all.iter().filter(|(_, a)| a["solvable"] == true).count();
    assert_eq!(solved, 1, "{all:?}");
    for (_, answer) in all {
        assert!(answer["solvable"] == true || answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn hard_counts_are_exact_or_undecided_but_always_end() {
    let full = "Q".repeat(16);
    let wide = "Q".repeat(64);
    let text =
        format!("solitaire {{ board {full} count solve }}\nsolitaire {{ size 8 board {wide} count }}\n");
    let dir = folder(&[("a.cpz", &text)]);
    let run = run(dir.path(), &["solve", "--format", "json"]);
    assert!(matches!(run.code, Some(0 | 1)), "{run:?}");
    let all = answers(&run.json());
    for (verb, answer) in &all {
        if verb == "count" && answer["undecided"].is_null() {
            for key in ["count", "distinct"] {
                let value = &answer[key];
                let digits = |s: &str| s.chars().all(|c| c.is_ascii_digit());
                assert!(value.is_null() || value.as_str().is_some_and(digits), "{answer}");
            }
        }
    }
    // Solving holds for any 4x4 board.
    assert_eq!(all[1].1["solvable"], true);
    let found = check(&[("a.cpz", &text)]);
    assert!(found.iter().all(|f| f.code == "undecided" && f.severity == "warning"), "{found:?}");
}

#[test]
fn answers_are_deterministic() {
    let dir = folder(&[("a.cpz", MIXED)]);
    let first = run(dir.path(), &["solve", "--format", "json"]).stdout;
    for _ in 0..3 {
        assert_eq!(run(dir.path(), &["solve", "--format", "json"]).stdout, first);
    }
}

#[test]
fn a_time_limit_stops_a_search() {
    let text = "chess { board r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R mate in 12 }\n";
    let dir = folder(&[("a.cpz", text)]);
    let endless = ["solve", "--time", "1", "--budget", "1000000000000000", "a.cpz"];
    let done = run(dir.path(), &endless).exits(1);
    assert!(done.stdout.contains("mate in 12 ⇒ undecided: the search was stopped"), "{}", done.stdout);
    run(dir.path(), &["solve", "--time", "0", "a.cpz"]).exits(2);
}

#[test]
fn a_file_of_another_program_is_named() {
    let dir = folder(&[
        ("a.pgn", "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# *\n"),
        ("b.cpz", "hello\n"),
        ("c.cpz", "// empty\n"),
    ]);
    let solved = run(dir.path(), &["solve", "a.pgn", "b.cpz", "c.cpz"]).exits(1);
    assert!(
        solved.stderr.contains("a.pgn: no puzzles of cpz here; `--from pgn` reads its format"),
        "{solved:?}"
    );
    assert!(solved.stderr.contains("b.cpz: no puzzles here; `cpz check` says why"), "{solved:?}");
    assert!(!solved.stderr.contains("c.cpz"), "{solved:?}");
    // The puzzles are solved, and what stands between them is told.
    let dir_of_both =
        folder(&[("d.cpz", "solitaire { board N.R solve }\nhello\nsolitaire { board Q.R solve }\n")]);
    let solved = run(dir_of_both.path(), &["solve", "d.cpz"]).exits(1);
    assert!(
        solved.stderr.contains("d.cpz:2: not all of this file can be read: unexpected `hello`"),
        "{solved:?}"
    );
    assert_eq!(solved.stdout.matches('⇒').count(), 2, "{solved:?}");
    // In a folder the files of that format are read.
    let solved = run(dir.path(), &["solve", "--from", "pgn", "."]).exits(0);
    assert!(solved.stdout.contains("a.pgn:1 chess") && !solved.stdout.contains("b.cpz"), "{solved:?}");
}

/// The keys and the numbers of solutions of the positions of the benchmarks came from other programs.
#[test]
fn short_problems_of_the_benchmarks_have_the_answers_that_are_written_with_them() {
    let folder_of_positions = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/positions");
    let mut problems: Vec<Value> = Vec::new();
    for entry in fs::read_dir(folder_of_positions).expect("the positions") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a list");
        if path.file_stem().is_some_and(|kind| kind.to_string_lossy().ends_with('2')) {
            problems.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")));
        }
    }
    problems.retain(|problem| !problem["keys"].is_null());
    assert!(problems.len() > 300, "{}", problems.len());
    let text = |problem: &Value| {
        let (fen, asked) =
            (problem["fen"].as_str().expect("a FEN"), problem["stip"].as_str().expect("a text"));
        format!("chess {{ board {fen} {asked} }}\n")
    };
    let dir = folder(&[("a.cpz", &problems.iter().map(text).collect::<String>())]);
    let solved = run(dir.path(), &["solve", "--format", "json", "a.cpz"]).exits(0).json();
    let puzzles = solved["files"][0]["puzzles"].as_array().expect("puzzles");
    for (problem, puzzle) in problems.iter().zip(puzzles) {
        let sorted = |keys: &Value, of: fn(&Value) -> &Value| -> BTreeSet<String> {
            keys.as_array()
                .expect("keys")
                .iter()
                .map(|key| of(key).as_str().expect("a move").into())
                .collect()
        };
        let found = sorted(&puzzle["queries"][0]["answer"]["keys"], |key| &key["uci"]);
        assert_eq!(found, sorted(&problem["keys"], |key| key), "{problem}");
    }
}

#[test]
fn no_play_is_shown_of_a_question_that_is_an_error() {
    let problem = "board kbK5/pp6/1P6/8/8/8/8/R7 mate in 2 }\n";
    let dir = folder(&[("a.cpz", &format!("chess {{ {problem}chess {{ castling X {problem}"))]);
    let solved = run(dir.path(), &["solve", "a.cpz"]).exits(1).stdout;
    let (_, second) = solved.split_once("a.cpz:2").expect("the second one");
    assert!(second.contains("error: its `castling` cannot be read") && !second.contains("Ra6"), "{solved}");
}
