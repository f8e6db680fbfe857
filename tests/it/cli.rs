//! The command line: exit codes, paths, formats, and the commands that write.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::harness::{
    CODES, Range, answers, check, dense, findings, folder, lines, read, run, run_with, solve,
};
use serde_json::{Value, json};

/// Clean, and one puzzle with one query.
const CLEAN: &str = "solitaire { board ...N.....R....B. solve }\n";
/// One error, on the second line.
const BROKEN: &str = "solitaire {\n  board R....N.......... solve\n}\n";
/// One warning.
const ODD: &str = "chess { board 4k3/8/8/8/8/8/8/4R1K1 mate => none }\n";
/// Every game, most formats, comments everywhere, and an odd layout.
const MIXED: &str = r#"// A collection.
author   "A. N. Other"   // its author

// The first one.
solitaire "One" {   // opened
      board   ...N .... .R.. ..B.      // four rows
  solve      // first
  count // second
}
solitaire "Wide" { size 3x2 board R.B.N. solve }

chess "Two" { // chess
  board 8/8/8/4k3/8/8/8/4K2R b - - 0 1 // black to move
  mate // nothing
  move   ["W","R",8,2]  // up
}
chess3d "Three" { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }
draughts "Four" {
  board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]]
    capture // both
}
// The end.
"#;

fn paths(json: &Value) -> Vec<String> {
    json["files"]
        .as_array()
        .expect("files")
        .iter()
        .map(|file| file["path"].as_str().expect("a path").to_owned())
        .collect()
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<&str> {
    names.into_iter().collect()
}

/// Whether all of `small` stands in `large`, in order.
fn woven(small: &str, large: &str) -> bool {
    let mut rest = large.chars();
    small.chars().all(|c| rest.any(|other| other == c))
}

mod exit_codes {
    use super::*;

    #[test]
    fn clean_exits_with_0() {
        let dir = folder(&[("a.cpz", CLEAN)]);
        run(dir.path(), &["check", "a.cpz"]).exits(0);
    }

    #[test]
    fn error_exits_with_1() {
        let dir = folder(&[("a.cpz", CLEAN), ("b.cpz", BROKEN)]);
        run(dir.path(), &["check", "a.cpz", "b.cpz"]).exits(1);
        run(dir.path(), &["check", "a.cpz"]).exits(0);
    }

    #[test]
    fn warning_exits_with_1_only_with_fail_on() {
        let dir = folder(&[("a.cpz", ODD)]);
        run(dir.path(), &["check", "a.cpz"]).exits(0);
        run(dir.path(), &["check", "--fail-on", "error", "a.cpz"]).exits(0);
        run(dir.path(), &["check", "--fail-on", "warning", "a.cpz"]).exits(1);
    }

    #[test]
    fn error_is_1_with_a_lower_fail_on_too() {
        let dir = folder(&[("a.cpz", BROKEN), ("b.cpz", CLEAN)]);
        run(dir.path(), &["check", "--fail-on", "warning", "a.cpz"]).exits(1);
        run(dir.path(), &["check", "--fail-on", "warning", "b.cpz"]).exits(0);
    }

    #[test]
    fn every_format_has_the_same_exit_code() {
        let dir = folder(&[("clean.cpz", CLEAN), ("broken.cpz", BROKEN)]);
        for format in ["human", "json", "sarif", "github"] {
            run(dir.path(), &["check", "--format", format, "clean.cpz"]).exits(0);
            run(dir.path(), &["check", "--format", format, "broken.cpz"]).exits(1);
        }
    }

    #[test]
    fn bad_options_exit_with_2() {
        let dir = folder(&[("a.cpz", CLEAN)]);
        for args in [
            &["check", "--no-such-option", "a.cpz"][..],
            &["check", "--format", "xml", "a.cpz"],
            &["check", "--fail-on", "never-heard-of", "a.cpz"],
            &["solve", "--no-such-option", "a.cpz"],
            &["fmt", "--no-such-option", "a.cpz"],
            &["convert", "--to", "nonsense", "a.cpz"],
            &["convert", "a.cpz"],
            &["no-such-command"],
            &["--no-such-option"],
        ] {
            let run = run(dir.path(), args);
            assert_eq!(run.code, Some(2), "{args:?}: {run:?}");
            assert!(!run.stderr.is_empty(), "{args:?} says nothing");
            assert_eq!(read(dir.path(), "a.cpz"), CLEAN, "{args:?}");
        }
    }

    #[test]
    fn missing_file_exits_with_2_after_checking_the_rest() {
        let dir = folder(&[("a.cpz", BROKEN), ("z.cpz", CLEAN)]);
        let run = run(dir.path(), &["check", "--format", "json", "a.cpz", "gone.cpz", "z.cpz"]).exits(2);
        assert!(run.stderr.contains("gone.cpz"), "{}", run.stderr);
        let json = run.json();
        let paths = paths(&json);
        assert!(paths.contains(&"a.cpz".into()) && paths.contains(&"z.cpz".into()));
        let found = findings(&json);
        assert!(found.iter().any(|f| f.path == "a.cpz" && f.code == "unsolvable"), "{found:?}");
    }

    #[test]
    fn missing_file_exits_with_2_for_every_command() {
        let dir = folder(&[("z.cpz", CLEAN)]);
        for args in [
            &["check", "gone.cpz", "z.cpz"][..],
            &["solve", "gone.cpz", "z.cpz"],
            &["fmt", "--check", "gone.cpz", "z.cpz"],
            &["convert", "--to", "text", "gone.cpz"],
        ] {
            let run = run(dir.path(), args).exits(2);
            assert!(run.stderr.contains("gone.cpz"), "{args:?}: {}", run.stderr);
        }
    }
}

mod paths_and_folders {
    use super::*;

    #[test]
    fn standard_input_is_reported_as_stdin() {
        let dir = folder(&[]);
        let run = run_with(dir.path(), &["check", "--format", "json", "-"], BROKEN.as_bytes()).exits(1);
        let json = run.json();
        assert_eq!(paths(&json), ["<stdin>"]);
        assert_eq!(findings(&json)[0].code, "unsolvable");
        let run = run_with(dir.path(), &["solve", "--format", "json", "-"], CLEAN.as_bytes()).exits(0);
        assert_eq!(paths(&run.json()), ["<stdin>"]);
        let run = run_with(dir.path(), &["check", "-"], BROKEN.as_bytes()).exits(1);
        assert!(run.stdout.contains("<stdin>"), "{}", run.stdout);
    }

    #[test]
    fn folders_are_walked_for_puzzle_files() {
        let dir = folder(&[
            ("in/b.cpz", CLEAN),
            ("in/deep/er/a.cpz", BROKEN),
            ("in/c.txt", "} not a puzzle file"),
            ("out/d.cpz", BROKEN),
        ]);
        let run = run(dir.path(), &["check", "--format", "json", "in"]).exits(1);
        assert_eq!(paths(&run.json()), ["in/b.cpz", "in/deep/er/a.cpz"]);
    }

    #[test]
    fn no_path_is_the_current_folder() {
        let dir = folder(&[("b.cpz", CLEAN), ("sub/a.cpz", CLEAN)]);
        for command in ["check", "solve"] {
            let json = run(dir.path(), &[command, "--format", "json"]).exits(0).json();
            let bare: Vec<String> =
                paths(&json).iter().map(|path| path.trim_start_matches("./").to_owned()).collect();
            assert_eq!(bare, ["b.cpz", "sub/a.cpz"], "{command}");
        }
    }

    #[test]
    fn files_are_sorted_and_clean_ones_included() {
        let dir = folder(&[("b.cpz", CLEAN), ("a.cpz", BROKEN), ("c.cpz", "")]);
        let json = run(dir.path(), &["check", "--format", "json", "c.cpz", "b.cpz", "a.cpz"]).exits(1).json();
        assert_eq!(paths(&json), ["a.cpz", "b.cpz", "c.cpz"]);
        assert_eq!(json["files"][1]["diagnostics"], json!([]));
        assert_eq!(json["files"][2]["diagnostics"], json!([]));
    }

    #[test]
    fn a_folder_without_puzzle_files_is_clean() {
        let dir = folder(&[("a.txt", "nothing")]);
        let json = run(dir.path(), &["check", "--format", "json"]).exits(0).json();
        assert_eq!(json["files"], json!([]));
    }

    #[test]
    fn duplicates_are_looked_for_in_all_that_is_checked_together() {
        let dir = folder(&[("a.cpz", CLEAN), ("b.cpz", CLEAN)]);
        let together = run(dir.path(), &["check", "--format", "json"]).exits(0);
        let found = findings(&together.json());
        assert!(found.iter().any(|f| f.code == "duplicate-puzzle"), "{found:?}");
        let alone = run(dir.path(), &["check", "--format", "json", "a.cpz"]).exits(0);
        assert!(findings(&alone.json()).is_empty());
    }
}

mod check_formats {
    use super::*;

    #[test]
    fn json_has_the_keys_of_the_contract() {
        let text = "solitaire \"named\" { board R....N.......... solve count }\n\
                    chess { board 8/8/8/4k3/8/8/8/4K2R mate => true }\n\
                    chess { board 4k3/8/8/8/8/8/8/4R1K1 mate => none }\n";
        let dir = folder(&[("a.cpz", text), ("b.cpz", CLEAN)]);
        let json = run(dir.path(), &["check", "--format", "json"]).exits(1).json();
        assert_eq!(keys(&json), set(["version", "files", "summary"]));
        assert_eq!(json["version"], 1);
        assert_eq!(
            json["summary"],
            json!({"files": 2, "puzzles": 4, "queries": 5, "errors": 2, "warnings": 1})
        );
        for file in json["files"].as_array().expect("files") {
            assert_eq!(keys(file), set(["path", "diagnostics"]));
            for one in file["diagnostics"].as_array().expect("diagnostics") {
                assert_eq!(keys(one), set(["code", "severity", "message", "range", "puzzle"]));
                assert_eq!(keys(&one["range"]), set(["start", "end"]));
                assert_eq!(keys(&one["range"]["start"]), set(["line", "character"]));
                assert_eq!(keys(&one["range"]["end"]), set(["line", "character"]));
                assert!(!one["message"].as_str().expect("a message").is_empty());
            }
        }
        let found = findings(&json);
        let of = |code: &str| found.iter().find(|f| f.code == code).expect(code);
        assert_eq!(of("unsolvable").puzzle, "named");
        assert_eq!(of("unsolvable").severity, "error");
        assert_eq!(of("wrong-answer").puzzle, Value::Null);
        assert_eq!(of("impossible-position").severity, "warning");
    }

    #[test]
    fn an_empty_file_has_an_empty_summary() {
        let dir = folder(&[("a.cpz", "")]);
        let json = run(dir.path(), &["check", "--format", "json", "a.cpz"]).exits(0).json();
        assert_eq!(
            json["summary"],
            json!({"files": 1, "puzzles": 0, "queries": 0, "errors": 0, "warnings": 0})
        );
    }

    #[test]
    fn hints_are_not_printed() {
        let text = "solitaire { allow too-many-kings board ...N.....R....B. solve }\n";
        let dir = folder(&[("a.cpz", text)]);
        for format in ["human", "json", "sarif", "github"] {
            let run = run(dir.path(), &["check", "--format", format, "a.cpz"]).exits(0);
            let spoken = match format {
                // Its rules may name every code; its results must not.
                "sarif" => run.json()["runs"][0]["results"].to_string(),
                _ => run.stdout,
            };
            assert!(!spoken.contains("unused-allow"), "{format}: {spoken}");
        }
    }

    #[test]
    fn every_line_end_is_counted_once() {
        let unix = "// one\n\nsolitaire {\n  note \"é😀\" board ...N .X.. .R.. ..B.\n}\n";
        for end in ["\n", "\r\n", "\r"] {
            let text = unix.replace('\n', end);
            let found = check(&[("a.cpz", &text)]);
            assert_eq!(found.len(), 1, "{end:?}: {found:?}");
            assert_eq!(found[0].code, "unknown-piece");
            let start = found[0].range.start;
            // In UTF-16 the é is one and the emoji two.
            let column = "  note \"é😀\" board ...N .".encode_utf16().count();
            assert_eq!((start.line, start.character), (3, column), "{end:?}");
            assert_eq!(found[0].range.end.character, column + 1);
        }
    }

    #[test]
    fn mixed_line_ends_are_counted_once_each() {
        let text = "// a\r// b\r\n// c\n\r\nsolitaire { board R....N.......... solve }";
        let found = check(&[("a.cpz", text)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].range.start.line, 4);
    }

    #[test]
    fn only_line_ends_of_the_protocol_end_a_line() {
        // A vertical tab, a form feed, a next line and a line separator are not line ends.
        let text = "// \u{b} \u{c} \u{85} \u{2028}\nsolitaire { board R....N.......... solve }\n";
        let found = check(&[("a.cpz", text)]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].range.start.line, 1);
    }

    #[test]
    fn rows_of_a_board_end_with_any_line_end() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "solitaire {\n  board\n    R.B\n    .N.\n  \
                        solve => [[[2,1],[1,0]],[[1,0],[0,1]]]\n}\n"
                .replace('\n', end);
            let found = check(&[("a.cpz", &text)]);
            assert!(found.is_empty(), "{end:?}: {found:?}");
        }
    }

    #[test]
    fn human_names_the_file_and_the_code() {
        let dir = folder(&[("a.cpz", BROKEN), ("b.cpz", ODD)]);
        let run = run(dir.path(), &["check"]).exits(1);
        for word in ["a.cpz", "unsolvable", "b.cpz", "impossible-position"] {
            assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
        }
        assert!(!run.stdout.contains('\u{1b}'), "colours where there is no terminal");
    }

    #[test]
    fn github_has_a_command_for_each_finding() {
        let dir = folder(&[("a.cpz", BROKEN), ("b.cpz", ODD)]);
        let run = run(dir.path(), &["check", "--format", "github", "a.cpz", "b.cpz"]).exits(1);
        let commands: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("::")).collect();
        // Lines are 1-based there.
        assert!(commands.iter().any(|c| c.starts_with("::error file=a.cpz,line=2")), "{}", run.stdout);
        assert!(commands.iter().any(|c| c.starts_with("::warning file=b.cpz,line=1")), "{}", run.stdout);
        assert_eq!(commands.len(), 2, "{}", run.stdout);
    }

    #[test]
    fn sarif_has_rules_and_results() {
        let dir = folder(&[("a.cpz", BROKEN), ("b.cpz", ODD)]);
        let json = run(dir.path(), &["check", "--format", "sarif", "a.cpz", "b.cpz"]).exits(1).json();
        assert_eq!(json["version"], "2.1.0");
        assert!(json["$schema"].is_string());
        let run = &json["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "cpz");
        let rules: BTreeSet<&str> = run["tool"]["driver"]["rules"]
            .as_array()
            .expect("rules")
            .iter()
            .map(|rule| rule["id"].as_str().expect("an id"))
            .collect();
        let results = run["results"].as_array().expect("results");
        assert_eq!(results.len(), 2, "{results:?}");
        for result in results {
            let id = result["ruleId"].as_str().expect("a rule");
            assert!(rules.contains(id), "{id} is not among the rules");
            assert!(result["message"]["text"].is_string());
            let place = &result["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().expect("a uri");
            let (file, level, line) = match id {
                "unsolvable" => ("a.cpz", "error", 2),
                _ => ("b.cpz", "warning", 1),
            };
            assert!(uri.ends_with(file), "{uri}");
            assert_eq!(result["level"], level);
            assert_eq!(place["region"]["startLine"], line);
        }
    }

    #[test]
    fn sarif_of_clean_files_has_no_results() {
        let dir = folder(&[("a.cpz", CLEAN)]);
        let json = run(dir.path(), &["check", "--format", "sarif"]).exits(0).json();
        assert_eq!(json["runs"][0]["results"], json!([]));
    }

    #[test]
    fn fix_keeps_comments_and_adds_no_finding() {
        let text = "// kept 1\nsolitaire { // kept 2\n  board ...N .-.. .R.. ..B. // kept 3\n  \
                    solve\n}\n// kept 4\n";
        let dir = folder(&[("a.cpz", text), ("b.cpz", CLEAN)]);
        let before = findings(&run(dir.path(), &["check", "--format", "json"]).json());
        run(dir.path(), &["check", "--fix"]);
        let after = findings(&run(dir.path(), &["check", "--format", "json"]).json());
        assert!(after.len() <= before.len(), "{after:?}");
        let fixed = read(dir.path(), "a.cpz");
        for n in 1..=4 {
            assert!(fixed.contains(&format!("// kept {n}")), "{fixed}");
        }
        assert_eq!(read(dir.path(), "b.cpz"), CLEAN);
    }

    #[test]
    fn check_without_fix_writes_nothing() {
        let dir = folder(&[("a.cpz", MIXED)]);
        run(dir.path(), &["check"]);
        run(dir.path(), &["solve"]);
        assert_eq!(read(dir.path(), "a.cpz"), MIXED);
    }
}

mod solving {
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
            assert_eq!(keys(puzzle), set(["name", "game", "range", "queries"]));
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
}

mod writing_answers {
    use super::*;

    #[test]
    fn answers_are_inserted_and_nothing_else_changes() {
        let text = MIXED;
        let dir = folder(&[("a.cpz", text)]);
        run(dir.path(), &["solve", "--write", "a.cpz"]).exits(0);
        let written = read(dir.path(), "a.cpz");
        assert_eq!(written.matches("=>").count(), 7, "{written}");
        assert!(woven(text, &written), "something of the input is gone:\n{written}");
        assert_eq!(written.lines().count(), text.lines().count(), "{written}");
        for (old, new) in text.lines().zip(written.lines()) {
            let comment = |line: &str| line.find("//").map(|at| line[at..].to_owned());
            assert_eq!(comment(old), comment(new), "{written}");
        }
        let checked = run(dir.path(), &["check", "--format", "json", "a.cpz"]).exits(0);
        assert!(findings(&checked.json()).is_empty(), "{}", checked.stdout);
        run(dir.path(), &["solve", "--write", "a.cpz"]).exits(0);
        assert_eq!(read(dir.path(), "a.cpz"), written, "the second time");
    }

    #[test]
    fn the_answers_written_are_the_answers_given() {
        let text = MIXED;
        let dir = folder(&[("a.cpz", text)]);
        let before = answers(&run(dir.path(), &["solve", "--format", "json"]).json());
        run(dir.path(), &["solve", "--write"]).exits(0);
        let after = answers(&run(dir.path(), &["solve", "--format", "json"]).json());
        assert_eq!(before, after);
    }

    #[test]
    fn line_ends_are_kept() {
        let text = MIXED.replace('\n', "\r\n");
        let dir = folder(&[("a.cpz", &text)]);
        run(dir.path(), &["solve", "--write"]).exits(0);
        let written = read(dir.path(), "a.cpz");
        assert_eq!(written.matches("=>").count(), 7, "{written}");
        assert_eq!(written.matches('\n').count(), written.matches("\r\n").count());
        assert_eq!(written.matches('\n').count(), text.matches('\n').count());
    }

    #[test]
    fn existing_answers_stay() {
        let text = "solitaire { board ...N.....R....B. solve => none count => 7 }\n\
                    chess { board 8/8/8/4k3/8/8/8/4K2R mate => true (so they say) }\n";
        let dir = folder(&[("a.cpz", text)]);
        run(dir.path(), &["solve", "--write", "--all"]);
        assert_eq!(read(dir.path(), "a.cpz"), text);
    }

    #[test]
    fn solve_write_keeps_wrong_answers_unless_forced() {
        let text = "solitaire { board R....N.......... solve } // hopeless\n\
                    chess { board 8/8/8/4k3/8/8/8/4K2R move h1g2 } // illegal\n\
                    chess { board 8/8/8/4k3/8/8/8/4K2R mate }\n";
        let dir = folder(&[("a.cpz", text)]);
        run(dir.path(), &["solve", "--write", "a.cpz"]);
        let written = read(dir.path(), "a.cpz");
        let rows: Vec<&str> = written.lines().collect();
        let old: Vec<&str> = text.lines().collect();
        assert_eq!(rows[..2], old[..2]);
        assert!(rows[2].contains("=>"), "{written}");
        run(dir.path(), &["check", "a.cpz"]).exits(1);

        run(dir.path(), &["solve", "--write", "--all", "a.cpz"]);
        let written = read(dir.path(), "a.cpz");
        assert_eq!(written.matches("=>").count(), 3, "{written}");
        assert!(woven(text, &written), "{written}");
        run(dir.path(), &["check", "a.cpz"]).exits(0);
    }

    #[test]
    fn a_broken_puzzle_is_left_alone() {
        let text = "solitaire { board ...N .X.. .R.. ..B. solve }\n\
                    solitaire { board ...N.....R....B. solve }\n";
        let dir = folder(&[("a.cpz", text)]);
        run(dir.path(), &["solve", "--write", "--all", "a.cpz"]).exits(1);
        let written = read(dir.path(), "a.cpz");
        assert_eq!(written.lines().next(), text.lines().next());
        assert!(written.lines().nth(1).expect("a line").contains("=>"));
    }
}

mod formatting {
    use super::*;

    #[test]
    fn only_white_space_changes_and_only_once() {
        let text = MIXED;
        let dir = folder(&[("a.cpz", text)]);
        let asked = run(dir.path(), &["fmt", "--check", "a.cpz"]).exits(1);
        assert!(asked.stdout.contains("a.cpz") || asked.stderr.contains("a.cpz"), "{asked:?}");
        assert_eq!(read(dir.path(), "a.cpz"), text, "--check writes nothing");
        run(dir.path(), &["fmt", "a.cpz"]).exits(0);
        let once = read(dir.path(), "a.cpz");
        assert_ne!(once, text);
        assert_eq!(dense(&once), dense(text));
        run(dir.path(), &["fmt", "--check", "a.cpz"]).exits(0);
        run(dir.path(), &["fmt", "a.cpz"]).exits(0);
        assert_eq!(read(dir.path(), "a.cpz"), once);
        assert_eq!(solve(text), solve(&once));
    }

    #[test]
    fn fmt_keeps_the_ends_of_comments() {
        // A comment that swallowed the next token, or a token that left it, would be seen here.
        let text = "// a\nsolitaire{// b\nboard[// c\n[3,3,'N'],// d\n[1,1,'R'] [2,0,'B']// e\n]\
                    // f\nsolve// g\n// h\n=>// i\n[[[2,0],[1,1]],// j\n[[1,1],[3,3]]]}// k\n// l";
        let dir = folder(&[("a.cpz", text)]);
        run(dir.path(), &["fmt", "a.cpz"]);
        let done = read(dir.path(), "a.cpz");
        assert_eq!(dense(&done), dense(text));
        assert_eq!(done.matches("//").count(), text.matches("//").count());
        assert_eq!(solve(text), solve(&done), "{done}");
    }

    #[test]
    fn fmt_keeps_blank_cells_and_rows() {
        let text = "solitaire{board[[' ',' ',' ','N'],[' ',' ',' ',' '],[' ','R',' ',' '],\
                    [' ',' ','B',' ']]solve}\nsolitaire{ board\n R.B\n      .N.\n solve }\n\
                    solitaire { board \"  ...N\n .... \n.R..\n..B.\" count }\n";
        let dir = folder(&[("a.cpz", text)]);
        run(dir.path(), &["fmt", "a.cpz"]).exits(0);
        let done = read(dir.path(), "a.cpz");
        assert_eq!(solve(text), solve(&done), "{done}");
        assert!(done.contains("' '"), "{done}");
    }

    #[test]
    fn line_ends_are_kept() {
        let text = MIXED.replace('\n', "\r\n");
        let dir = folder(&[("a.cpz", &text)]);
        run(dir.path(), &["fmt", "a.cpz"]).exits(0);
        let done = read(dir.path(), "a.cpz");
        assert_ne!(done, text);
        assert!(done.contains("\r\n"));
        assert_eq!(done.matches('\n').count(), done.matches("\r\n").count(), "{done:?}");
        assert_eq!(done.matches('\r').count(), done.matches("\r\n").count(), "{done:?}");
        run(dir.path(), &["fmt", "--check", "a.cpz"]).exits(0);
    }

    #[test]
    fn diff_shows_what_would_change() {
        let dir = folder(&[("a.cpz", MIXED)]);
        let run = run(dir.path(), &["fmt", "--diff", "a.cpz"]);
        assert!(run.stdout.lines().any(|l| l.starts_with('+') || l.starts_with('-')), "{}", run.stdout);
    }

    #[test]
    fn a_folder_is_formatted_as_a_whole() {
        let dir = folder(&[("a.cpz", MIXED), ("sub/b.cpz", MIXED)]);
        run(dir.path(), &["fmt"]).exits(0);
        run(dir.path(), &["fmt", "--check"]).exits(0);
        assert_eq!(read(dir.path(), "a.cpz"), read(dir.path(), "sub/b.cpz"));
    }
}

mod converting {
    use super::*;

    /// All games, and sides and sizes that a format may not hold by itself.
    const BOARDS: &str = r#"// kept
solitaire "square" { board ...N.....R....B. solve count }
solitaire "wide" { size 3x2 board R.B.N. solve }
solitaire "tall" {
  board // kept too
    R.
    ..
    N.
  count
}
chess "white" { board [["B","K",5,5], ["W","K",5,1], ["W","R",8,1]] mate move ["W","R",8,2] }
chess "black" { board R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1 mate move g8f8 => illegal }
chess3d "cube" { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }
chess3d "small" { size 2 board [["W","K",1,1,1], ["B","R",1,1,2]] mate }
draughts "white to move" { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture }
draughts "black to move" { board "B:WKc3:Bb2,h8" capture }
"#;

    fn convert(dir: &Path, to: &str) -> String {
        run(dir, &["convert", "--to", to, "a.cpz"]).exits(0);
        read(dir, "a.cpz")
    }

    #[test]
    fn through_all_formats_and_back_the_position_stays() {
        let dir = folder(&[("a.cpz", BOARDS)]);
        let before = solve(BOARDS);
        assert_eq!(before.len(), 12, "{before:?}");
        let text = convert(dir.path(), "text");
        assert_eq!(solve(&text), before, "{text}");
        let chain = [
            "list",
            "text",
            "numbers",
            "text",
            "coordinates",
            "text",
            "coordinates",
            "numbers",
            "list",
            "coordinates",
            "list",
            "numbers",
            "text",
        ];
        for to in chain {
            let done = convert(dir.path(), to);
            assert_eq!(solve(&done), before, "as {to}:\n{done}");
            assert_eq!(done.matches("// kept").count(), 2, "as {to}:\n{done}");
            let found = check(&[("a.cpz", &done)]);
            assert!(found.is_empty(), "as {to}: {found:?}\n{done}");
            if to == "text" {
                assert_eq!(boards(&done), boards(&text), "{done}");
            }
        }
    }

    /// The cells of each text board, without comments and layout.
    fn boards(text: &str) -> Vec<String> {
        let bare: String =
            text.lines().map(|line| line.split("//").next().expect("a part").to_owned() + "\n").collect();
        bare.split("board")
            .skip(1)
            .map(|rest| {
                let end = ["solve", "count", "mate", "move", "capture", "turn", "size", "}"]
                    .iter()
                    .filter_map(|stop| rest.find(stop))
                    .min()
                    .expect("an end");
                dense(&rest[..end]).replace(['"', '\''], "")
            })
            .collect()
    }

    #[test]
    fn the_format_is_the_one_asked_for() {
        let chess = "chess { board [[\"B\",\"K\",5,5], [\"W\",\"K\",5,1]] mate }\n";
        let dir = folder(&[("a.cpz", chess)]);
        assert!(convert(dir.path(), "fen").contains("8/8/8/4k3/8/8/8/4K3"));
        let text = dense(&convert(dir.path(), "text"));
        assert!(!text.contains('/') && !text.contains('['), "{text}");
        let numbers = dense(&convert(dir.path(), "numbers"));
        assert!(numbers.contains("-1") && !numbers.contains('K'), "{numbers}");
        let list = dense(&convert(dir.path(), "list"));
        assert!(list.contains('[') && list.contains('k'), "{list}");
        let coordinates = dense(&convert(dir.path(), "coordinates"));
        assert!(coordinates.contains('5') && coordinates.contains('['), "{coordinates}");
    }

    #[test]
    fn fen_keeps_the_side_to_move() {
        let chess = "chess { turn black board [[\"B\",\"K\",7,8], [\"B\",\"P\",6,7], \
                     [\"B\",\"P\",7,7], [\"B\",\"P\",8,7], [\"W\",\"R\",1,8], [\"W\",\"K\",7,1]] \
                     mate => checkmate }\n";
        let dir = folder(&[("a.cpz", chess)]);
        let before = solve(chess);
        let fen = convert(dir.path(), "fen");
        assert!(fen.contains("R5k1/5ppp/8/8/8/8/8/6K1"), "{fen}");
        assert_eq!(solve(&fen), before, "{fen}");
        let text = convert(dir.path(), "text");
        assert_eq!(solve(&text), before, "{text}");
    }

    #[test]
    fn convert_keeps_the_side_to_move_of_a_fen() {
        let chess = "chess { board R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1 mate }\n";
        for to in ["text", "list", "numbers", "coordinates"] {
            let dir = folder(&[("a.cpz", chess)]);
            let done = convert(dir.path(), to);
            assert_eq!(solve(&done), solve(chess), "as {to}:\n{done}");
        }
    }

    #[test]
    fn origin_is_respected() {
        let text = "origin 0\nchess { board 8/8/8/4k3/8/8/8/4K2R move [\"W\",\"R\",7,1] }\n\
                    solitaire { origin 1 board ...N.....R....B. solve }\n";
        for to in ["text", "list", "numbers", "coordinates"] {
            let dir = folder(&[("a.cpz", text)]);
            let done = convert(dir.path(), to);
            assert_eq!(solve(&done), solve(text), "as {to}:\n{done}");
        }
    }

    #[test]
    fn standard_input_goes_to_standard_output() {
        let dir = folder(&[]);
        let run = run_with(
            dir.path(),
            &["convert", "--to", "fen", "-"],
            b"chess { board [[\"B\",\"K\",5,5], [\"W\",\"K\",5,1]] mate }\n",
        )
        .exits(0);
        assert!(run.stdout.contains("8/8/8/4k3/8/8/8/4K3"), "{}", run.stdout);
        assert_eq!(fs::read_dir(dir.path()).expect("the folder").count(), 0, "nothing is written");
    }
}

mod other_commands {
    use super::*;

    #[test]
    fn explain_lists_every_code() {
        let dir = folder(&[]);
        let run = run(dir.path(), &["explain", "--list"]).exits(0);
        for code in CODES.iter() {
            assert!(run.stdout.contains(code), "{code} is not listed");
        }
    }

    #[test]
    fn explain_has_a_page_for_every_code() {
        let dir = folder(&[]);
        let mut pages = BTreeSet::new();
        for code in CODES.iter() {
            let page = run(dir.path(), &["explain", code]).exits(0).stdout;
            assert!(page.contains(code), "{code}: {page}");
            assert!(page.len() > code.len() + 20, "{code}: {page}");
            pages.insert(page);
        }
        assert_eq!(pages.len(), CODES.len(), "two codes share a page");
    }

    #[test]
    fn explain_of_an_unknown_code_fails() {
        let dir = folder(&[]);
        let run = run(dir.path(), &["explain", "no-such-code"]);
        assert_ne!(run.code, Some(0));
        assert!(!run.stderr.is_empty());
    }

    #[test]
    fn completions_for_bash_are_printed() {
        let dir = folder(&[]);
        let run = run(dir.path(), &["completions", "bash"]).exits(0);
        for word in ["cpz", "check", "solve", "convert", "explain"] {
            assert!(run.stdout.contains(word), "{word}");
        }
    }

    #[test]
    fn completions_for_an_unknown_shell_fail() {
        let dir = folder(&[]);
        run(dir.path(), &["completions", "no-such-shell"]).exits(2);
    }

    #[test]
    fn version_is_printed() {
        let dir = folder(&[]);
        let run = run(dir.path(), &["--version"]).exits(0);
        assert!(run.stdout.starts_with("cpz "), "{}", run.stdout);
        assert!(run.stdout.contains(env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn help_names_every_command() {
        let dir = folder(&[]);
        let run = run(dir.path(), &["--help"]).exits(0);
        for word in ["check", "solve", "fmt", "convert", "explain", "lsp", "completions"] {
            assert!(run.stdout.contains(word), "{word}");
        }
    }
}

/// The documents of the contract, letter for letter, their keys in its order.
#[test]
fn json_documents_match_the_contract() {
    let text = "solitaire { board .....B..RP.....N solve count }\nchess { board 4k3/8/8/8/8/8/8/4K2R move Rg3 => illegal move Rh2 }\n\
                chess3d { board [##,r#],[##,#K] mate }\ndraughts { board [[\"W\",\"M\",1,1], [\"B\",\"M\",2,2]] capture }\n";
    let dir = folder(&[("a.cpz", text)]);
    let out = run(dir.path(), &["solve", "--format", "json", "a.cpz"]).exits(0).stdout;
    for wanted in [
        r#"{"version":1,"files":[{"path":"a.cpz","puzzles":[{"name":null,"game":"solitaire","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":48}},"queries":[{"verb":"solve","range":"#,
        r#""answer":{"solvable":true,"moves":[[[3,0],[1,1]],[[0,1],[1,1]],[[1,1],[1,2]]]}}"#,
        r#""answer":{"count":"1","distinct":"1"}}"#,
        r#""answer":{"legal":false,"reason":"the rook on h1 does not reach g3"}}"#,
        r#""answer":{"legal":true,"reason":null}}"#,
        r#""answer":{"status":"none","side":"white"}}"#,
        r#""answer":{"captures":[{"path":[[1,1],[3,3]],"taken":[[2,2]]}],"pieces":[{"square":[2,2],"verdict":"directly"}]}}"#,
    ] {
        assert!(out.contains(wanted), "{wanted}\n{out}");
    }
    let out = run(dir.path(), &["check", "--format", "json", "a.cpz"]).exits(0).stdout;
    let clean = r#"{"version":1,"files":[{"path":"a.cpz","diagnostics":[]}],"summary":{"files":1,"puzzles":4,"queries":6,"errors":0,"warnings":0}}"#;
    assert_eq!(out.trim_end(), clean);
}
