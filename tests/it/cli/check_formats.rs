//! The reports of `cpz check`.

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
    assert_eq!(json["summary"], json!({"files": 2, "puzzles": 4, "queries": 5, "errors": 2, "warnings": 1}));
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
    assert_eq!(json["summary"], json!({"files": 1, "puzzles": 0, "queries": 0, "errors": 0, "warnings": 0}));
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

/// Words of a file stay plain text: no placeholder, no link, no control character.
#[test]
fn sarif_messages_are_plain_text() {
    let text =
        "chess \"x\" board\nzz [prize](//e.io) {0}\u{1b}[31m\nsolitaire { board R.N.B [prize](//e.io) }\n";
    let dir = folder(&[("a.cpz", text)]);
    let log = run(dir.path(), &["check", "--format", "sarif", "a.cpz"]).exits(1).json();
    let results = log["runs"][0]["results"].as_array().expect("results");
    let plain = run(dir.path(), &["check", "--format", "json", "a.cpz"]).exits(1).json();
    let plain: Vec<String> = findings(&plain).into_iter().map(|f| f.message).collect();
    assert!(plain.iter().any(|m| m.contains('{')), "{plain:?}");
    for (result, plain) in results.iter().zip(&plain) {
        let message = result["message"]["text"].as_str().expect("a text");
        assert!(!message.contains(char::is_control) && !plain.contains(char::is_control), "{message:?}");
        assert!(!message.replace("{{", "").replace("}}", "").contains(['{', '}']), "{message}");
        let unescaped = message.replace("\\[", "").replace("\\]", "");
        assert!(!message.contains("](") || !unescaped.contains(['[', ']']), "{message}");
        let read = message.replace("{{", "{").replace("}}", "}");
        let read = read.replace("\\[", "[").replace("\\]", "]");
        assert_eq!(read.replace("\\\\", "\\"), *plain);
    }
}
