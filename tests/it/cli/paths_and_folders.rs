//! Paths, folders and standard input.

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

#[test]
fn a_config_is_named_like_the_files_that_it_applies_to() {
    let dir = folder(&[("cpz.toml", "rules = 5\n"), ("sub/a.cpz", CLEAN)]);
    let whole = dir.path().canonicalize().expect("a path");
    let whole = whole.to_str().expect("UTF-8");
    let sub = format!("{whole}/sub");
    for (from, given, expected) in [
        (whole, "sub", "cpz.toml".to_string()),
        (whole, ".", "./cpz.toml".to_string()),
        (whole, "./sub/a.cpz", "./cpz.toml".to_string()),
        (whole, whole, format!("{whole}/cpz.toml")),
        (whole, &sub, format!("{whole}/cpz.toml")),
        (&sub, ".", "../cpz.toml".to_string()),
        (&sub, "a.cpz", "../cpz.toml".to_string()),
    ] {
        let json = run(Path::new(from), &["check", "--format", "json", given]).exits(1).json();
        assert!(paths(&json).contains(&expected), "{given} from {from}: {:?}", paths(&json));
    }
}
