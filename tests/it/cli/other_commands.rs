//! The other commands.

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
