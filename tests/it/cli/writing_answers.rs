//! `cpz solve --write`.

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

#[test]
fn set_play_that_the_answer_begins_with_is_not_written_again() {
    let text = "chess {\n  board 8/R7/p7/k7/8/2K5/8/8\n  h#2* => \"1... Kc4 2. Ka4 Rxa6# 1. Ka4 Ra8 2. Ka3 Rxa6#\"\n}\n";
    let dir = folder(&[("a.cpz", text)]);
    run(dir.path(), &["solve", "--write", "a.cpz"]).exits(0);
    assert_eq!(read(dir.path(), "a.cpz"), text);
    let olive = run(dir.path(), &["export", "--to", "olv", "a.cpz"]).exits(0).stdout;
    assert_eq!(olive.matches("1... Kc4").count(), 1, "{olive}");
}
