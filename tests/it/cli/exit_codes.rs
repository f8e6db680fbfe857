//! The exit codes of all commands.

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
