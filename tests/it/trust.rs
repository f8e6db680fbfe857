//! What an untrusted folder cannot make the program do: the promises of SECURITY.md.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::harness::client::{Client, uri};
use crate::harness::{folder, run};
use serde_json::json;

const BAD: &str = "solitaire { board R....N.......... solve }\n";

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(made.success());
}

/// A folder whose own list of ignored files is a pipe, one where it is a device without end, and one where it
/// leads out; beside them a good one.
fn odd_lists() -> (tempfile::TempDir, tempfile::TempDir) {
    let outside = folder(&[("list", "*.cpz\n")]);
    let w = folder(&[("good/a.cpz", BAD), ("pipe/a.cpz", BAD), ("zero/a.cpz", BAD), ("out/a.cpz", BAD)]);
    pipe(&w.path().join("pipe/.gitignore"));
    symlink("/dev/zero", w.path().join("zero/.ignore")).expect("a link");
    symlink(outside.path().join("list"), w.path().join("out/.gitignore")).expect("a link");
    (w, outside)
}

#[test]
fn ignore_files_outside_of_their_folder_are_not_read() {
    let (w, _outside) = odd_lists();
    let done = run(w.path(), &["check", "--format", "json"]).exits(2);
    let document = done.json();
    let paths: Vec<_> =
        document["files"].as_array().expect("files").iter().map(|f| f["path"].clone()).collect();
    assert_eq!(paths, ["good/a.cpz"], "{}", done.stderr);
    for name in ["pipe", "zero", "out"] {
        assert!(done.stderr.contains(&format!("{name}: skipped")), "{}", done.stderr);
        // Named by itself it is no better.
        run(w.path(), &["check", name]).exits(2);
    }
    // What stands above may be odd too.
    fs::create_dir(w.path().join("pipe/below")).expect("a folder");
    fs::write(w.path().join("pipe/below/a.cpz"), BAD).expect("a file");
    run(w.path(), &["check", "pipe/below"]).exits(2);
}

#[test]
fn server_does_not_wait_for_odd_ignore_files() {
    let (w, _outside) = odd_lists();
    let mut c = Client::new(Some(w.path()), "utf-16");
    let good = uri(&w.path().join("good/a.cpz"));
    assert_eq!(c.findings(&good, None)[0]["code"], "unsolvable");
    // It says so, once.
    let notice = c.claim("a notice", |m| m["method"] == "window/showMessage");
    let notice = notice["params"]["message"].as_str().expect("words");
    assert!(notice.contains("skipped: its .") && notice.contains("(and 2 more)"), "{notice}");
    c.tell("textDocument/didSave", json!({"textDocument": {"uri": good}}));
    for name in ["pipe", "zero", "out"] {
        assert_eq!(c.settle(&uri(&w.path().join(name).join("a.cpz"))), None);
    }
    c.finish();
}

#[test]
fn folder_names_may_hold_any_characters() {
    let w = folder(&[
        ("a.cpz", BAD),
        (".gitignore/b.cpz", BAD),
        (".ignore/x", ""),
        ("in/cpz.toml/x", ""),
        ("in/c.cpz/d.cpz", BAD),
    ]);
    let done = run(w.path(), &["check", "--format", "json"]).exits(1).json();
    assert_eq!(done["summary"]["files"], 2, "{done}");
}

#[test]
fn invisible_characters_are_escaped_in_messages() {
    let w = folder(&[("cpz.toml", "")]);
    let mut c = Client::new(Some(w.path()), "utf-16");
    let a = "untitled:a.cpz";
    let text = "// why \u{202e}?\nchess \"x\u{1b}[31m\u{202e}y\" { note \"\u{7}\u{2066}\" board 8/8/8/4k3/8/8/8/4K2R move R\u{202e}h8 }\n";
    c.open(a, text);
    let findings = serde_json::to_string(&c.findings(a, Some(1))).expect("JSON");
    let document = json!({"uri": a});
    let mut all = vec![findings];
    for column in [1, 8, 24, 40, 90] {
        for method in ["textDocument/hover", "cpz/board"] {
            let place = json!({"textDocument": document, "position": {"line": 1, "character": column}});
            all.push(c.call(method, place).to_string());
        }
    }
    all.push(c.call("textDocument/documentSymbol", json!({"textDocument": document})).to_string());
    all.push(c.call("workspace/symbol", json!({"query": ""})).to_string());
    for said in all {
        let raw = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!said.contains(raw) && !said.contains("\\u001b") && !said.contains("\\u0007"), "{said}");
    }
    c.finish();
}

#[test]
fn git_folders_are_not_read() {
    let outside = folder(&[("info/exclude", "*.cpz\n")]);
    let git = format!("gitdir: {}\n", outside.path().display());
    let w = folder(&[("a.cpz", BAD), (".git", &git)]);
    assert!(run(w.path(), &["check"]).exits(1).stdout.contains("unsolvable"));
}

#[test]
fn folder_config_cannot_exceed_the_budget_limit() {
    let w = folder(&[
        ("a.cpz", "solitaire { board QQQQ QQQQ QQQQ QQQQ count }\n"),
        ("cpz.toml", "budget = 100000001\n"),
    ]);
    let done = run(w.path(), &["check", "--budget", "100"]).exits(1);
    assert!(done.stdout.contains("`budget` is 100,000,000 nodes at most"), "{}", done.stdout);
    fs::write(w.path().join("cpz.toml"), "budget = 100000000\n").expect("written");
    run(w.path(), &["check", "--budget", "100"]).exits(0);
}

#[test]
fn huge_workspaces_are_read_up_to_128_mib() {
    let w = folder(&[("z.cpz", BAD)]);
    let huge = fs::File::create(w.path().join("a.cpz")).expect("a file");
    // It takes no room on the disk.
    huge.set_len(300 << 20).expect("a length");
    let mut c = Client::new(Some(w.path()), "utf-16");
    let notice = c.claim("a notice", |m| m["method"] == "window/showMessage");
    assert!(notice["params"]["message"].as_str().expect("words").contains("1 of its files"), "{notice}");
    assert_eq!(c.findings(&uri(&w.path().join("z.cpz")), None)[0]["code"], "unsolvable");
    c.tell("textDocument/didSave", json!({"textDocument": {"uri": uri(&w.path().join("z.cpz"))}}));
    assert_eq!(c.settle(&uri(&w.path().join("a.cpz"))), None);
    c.finish();
}

#[test]
fn control_characters_in_file_names_are_escaped() {
    let name = "a\n::error file=x::pwned\u{1b}[31m\u{202e}.cpz";
    let w = folder(&[(name, "solitaire {board R....N..........  solve}\n")]);
    let shown = r"a\n::error file=x::pwned\u{1b}[31m\u{202e}.cpz";
    for (args, code) in
        [(&["check"] as &[&str], 1), (&["solve"], 0), (&["fmt", "--check"], 1), (&["fmt", "--diff"], 1)]
    {
        let args: Vec<&str> = args.iter().copied().chain(["--color", "always"]).collect();
        let done = run(w.path(), &args).exits(code);
        assert!(done.stdout.contains(shown), "{args:?} {}", done.stdout);
        assert!(!done.stdout.contains("\n::error") && !done.stdout.contains('\u{202e}'), "{}", done.stdout);
    }
    let done = run(w.path(), &["check", "--format", "github"]).exits(1);
    assert_eq!(done.stdout.lines().count(), 1, "{}", done.stdout);
    assert!(!done.stdout.contains(['\u{1b}', '\u{202e}']), "{}", done.stdout);
    let done = run(w.path(), &["check", "no\nsuch"]).exits(2);
    assert!(done.stderr.contains(r"no\nsuch"), "{}", done.stderr);
}
