//! `cpz fmt`.

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

#[test]
fn only_files_that_would_change_are_shown() {
    let dir = folder(&[("a.cpz", MIXED), ("b.cpz", MIXED)]);
    run(dir.path(), &["fmt", "a.cpz"]).exits(0);
    let asked = run(dir.path(), &["fmt", "--check", "a.cpz", "b.cpz"]).exits(1);
    assert_eq!(asked.stdout, "b.cpz would be formatted\n");
    let shown = run(dir.path(), &["fmt", "--diff", "a.cpz", "b.cpz"]).exits(1);
    assert!(shown.stdout.starts_with("--- a/b.cpz\n+++ b/b.cpz\n"), "{shown:?}");
    assert!(!shown.stdout.contains("a.cpz"), "{shown:?}");
}
