//! `cpz.toml` on the command line.

use crate::harness::{folder, read, run};
use serde_json::Value;

/// Two puzzles of one name.
const DOUBLE: &str =
    "chess \"a\" { board 8/8/8/4k3/8/8/8/4K2R mate }\nchess \"a\" { board 8/8/8/3k4/8/8/8/4K2R mate }\n";

/// Files with what is found in each, and the exit code.
type Found = (Vec<(String, Vec<String>)>, i32);

/// `code severity` of what `check` finds in a folder, by path.
fn found(folder: &std::path::Path, args: &[&str]) -> Found {
    let out = run(folder, &[&["check", "--format", "json", "--hints"], args].concat());
    let json: Value = serde_json::from_str(&out.stdout).expect("JSON");
    let text = |v: &Value| v.as_str().unwrap_or_default().to_string();
    let file = |file: &Value| {
        let all = file["diagnostics"].as_array().expect("a list").iter();
        let codes = all.map(|d| format!("{} {}", text(&d["code"]), text(&d["severity"])));
        (text(&file["path"]), codes.collect())
    };
    (json["files"].as_array().expect("files").iter().map(file).collect(), out.code.expect("a code"))
}

fn one(path: &str, codes: &[&str]) -> (String, Vec<String>) {
    (path.to_string(), codes.iter().map(|c| c.to_string()).collect())
}

#[test]
fn nearest_config_sets_severities() {
    let w = folder(&[
        ("a.cpz", DOUBLE),
        ("cpz.toml", "[severity]\nduplicate-name = 'error'\n"),
        ("in/b.cpz", DOUBLE),
        ("in/cpz.toml", "[severity]\nduplicate-name = 'off'\nduplicate-puzzle = 'off'\n"),
        ("in/deep/c.cpz", DOUBLE),
    ]);
    let (all, code) = found(w.path(), &[]);
    assert_eq!(code, 1);
    assert_eq!(all.iter().map(|f| f.0.as_str()).collect::<Vec<_>>(), ["a.cpz", "in/b.cpz", "in/deep/c.cpz"]);
    assert!(all[0].1.contains(&"duplicate-name error".to_string()), "{all:?}");
    assert_eq!((&all[1].1[..], &all[2].1[..]), (&[][..], &[][..]));
    let (all, code) = found(w.path(), &["--no-config", "a.cpz"]);
    assert!(code == 0 && all[0].1.contains(&"duplicate-name warning".to_string()), "{all:?}");
}

#[test]
fn allow_of_a_code_that_is_off_is_not_unused() {
    let text = "chess { allow impossible-position board 4k3/8/8/8/8/8/8/4R1K1 mate }\n";
    let w = folder(&[("a.cpz", text), ("cpz.toml", "[severity]\nimpossible-position = 'off'\n")]);
    assert_eq!(found(w.path(), &[]).0, [one("a.cpz", &[])]);
}

#[test]
fn config_rules_are_the_default_dialect() {
    let down = "solitaire { board ...P ..N. .... .... solve }\n";
    let with_default = format!("rules default\n{down}");
    let w = folder(&[("a.cpz", down), ("b.cpz", &with_default), ("cpz.toml", "rules = 'solo'\n")]);
    // Under other rules it is another puzzle.
    let solo = vec![one("a.cpz", &["unsolvable error"]), one("b.cpz", &[])];
    assert_eq!(found(w.path(), &[]), (solo, 1));
    let double = ["duplicate-puzzle warning"];
    assert_eq!(found(w.path(), &["--no-config"]), (vec![one("a.cpz", &double), one("b.cpz", &double)], 0));
}

#[test]
fn excluded_files_are_left_out_unless_named() {
    let bad = "solitaire { board R....N.......... solve }\n";
    let w = folder(&[
        ("a.cpz", ""),
        ("drafts/b.cpz", bad),
        ("old-1.cpz", bad),
        ("cpz.toml", "exclude = ['drafts/', 'old-*.cpz']\n"),
    ]);
    assert_eq!(found(w.path(), &[]), (vec![one("a.cpz", &[])], 0));
    assert_eq!(found(w.path(), &["drafts"]).0, []);
    assert_eq!(found(w.path(), &["drafts/b.cpz"]).1, 1);
    let before = read(w.path(), "drafts/b.cpz");
    run(w.path(), &["fmt"]);
    assert_eq!(read(w.path(), "drafts/b.cpz"), before);
}

#[test]
fn solve_write_uses_the_configured_answer_style() {
    let text = "solitaire { board .... .P.. ..N. .... solve }\nchess { board 8/8/8/4k3/8/8/8/4K2R move Rh2 }\n\
                draughts { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3]] capture }\n";
    let config = "[answers]\nsquares = 'names'\nverdicts = 'booleans'\n";
    let w = folder(&[("a.cpz", text), ("cpz.toml", config)]);
    assert_eq!(run(w.path(), &["solve", "--write"]).code, Some(0));
    let written = read(w.path(), "a.cpz");
    for answer in ["solve => [[b3, c2]]", "move Rh2 => true", "capture => [[c3, \"directly\"]]"] {
        assert!(written.contains(answer), "{answer}\n{written}");
    }
    assert_eq!(found(w.path(), &["--fail-on", "hint"]), (vec![one("a.cpz", &[])], 0));
}

#[test]
fn convert_writes_the_configured_empty_cell() {
    let w = folder(&[
        ("a.cpz", "solitaire { board [[1,1,'P'], [2,2,'N']] solve }\n"),
        ("cpz.toml", "empty = '_'\n"),
    ]);
    assert_eq!(run(w.path(), &["convert", "--to", "text"]).code, Some(0));
    assert!(read(w.path(), "a.cpz").contains("_P__"), "{}", read(w.path(), "a.cpz"));
    assert_eq!(found(w.path(), &[]).1, 0);
}

#[test]
fn too_small_budget_is_reported() {
    let text = "solitaire { board NNNN BBBB RRRR QQQQ count }\n";
    let w = folder(&[("a.cpz", text), ("cpz.toml", "budget = 10\n")]);
    assert_eq!(found(w.path(), &[]).0, [one("a.cpz", &["undecided warning"])]);
}

#[test]
fn broken_config_is_reported_and_hides_no_finding() {
    let bad = "solitaire { board R....N.......... solve }\n";
    let w = folder(&[("a.cpz", bad), ("cpz.toml", "budgett = 5\nexclude = ['a.cpz']\n"), ("x/b.cpz", bad)]);
    let (all, code) = found(w.path(), &[]);
    let expected = [
        one("a.cpz", &["duplicate-puzzle warning", "unsolvable error"]),
        one("cpz.toml", &["unknown-keyword error"]),
        one("x/b.cpz", &["duplicate-puzzle warning", "unsolvable error"]),
    ];
    assert_eq!((all.as_slice(), code), (&expected[..], 1));
    let out = run(w.path(), &["check"]);
    assert!(out.stdout.contains("did you mean `budget`?"), "{}", out.stdout);
    assert!(out.stdout.contains("checked 2 files"), "{}", out.stdout);
    // A command that writes refuses to run with a broken configuration.
    for args in
        [&["fmt"][..], &["convert", "--to", "list"], &["solve", "--write", "--all"], &["check", "--fix"]]
    {
        let out = run(w.path(), args);
        assert!(
            out.code != Some(0) && out.stderr.contains("cpz.toml"),
            "{args:?}: {:?} {}",
            out.code,
            out.stderr
        );
        assert_eq!(read(w.path(), "a.cpz"), bad, "{args:?}");
    }
    assert_eq!(run(w.path(), &["solve"]).code, Some(2));
    assert_eq!(run(w.path(), &["fmt", "--no-config"]).code, Some(0));
}
