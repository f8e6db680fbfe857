//! Baselines, `--watch`, schemas, man pages, reports and logs.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use crate::harness::{HUNG, PROGRAM, command_names, folder, run};
use serde_json::{Value, json};

const ILLEGAL: &str = "chess \"leap\" {\n  board 8/8/8/4k3/8/8/8/4K2R\n  move Rg7\n}\n";
const HOPELESS: &str = "solitaire \"hopeless\" { board R....N.......... solve }\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn found(document: &Value) -> Vec<(String, String)> {
    let files = document["files"].as_array().expect("files");
    let each = files.iter().flat_map(|f| {
        let list = f["diagnostics"].as_array().expect("findings");
        list.iter()
            .map(|d| (f["path"].as_str().expect("a path").into(), d["code"].as_str().expect("a code").into()))
    });
    each.collect()
}

// ---- baselines

#[test]
fn baseline_accepts_only_recorded_findings() {
    let w = folder(&[("a.cpz", &format!("{ILLEGAL}{HOPELESS}")), ("in/b.cpz", HOPELESS)]);
    let check = |more: &[&str]| {
        let args: Vec<&str> = ["check", "--format", "json", "--baseline", "in/known.json"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        run(w.path(), &args)
    };
    // Without `--accept` no finding is accepted and no file written.
    assert!(check(&[]).exits(2).stderr.contains("--accept"));
    assert!(!w.path().join("in/known.json").exists());
    let accepted = check(&["--accept"]).exits(0).json();
    assert_eq!(accepted["summary"]["accepted"], 5, "{accepted}");
    let text = fs::read_to_string(w.path().join("in/known.json")).expect("a baseline");
    assert!(text.contains("\"../a.cpz\"") && text.contains("\"b.cpz\""), "{text}");
    // Again it is the same, byte by byte.
    check(&["--accept"]).exits(0);
    assert_eq!(fs::read_to_string(w.path().join("in/known.json")).expect("a baseline"), text);

    // What is moved, formatted or remarked on stays accepted.
    let moved =
        format!("// new\n{HOPELESS}\n\n{}", ILLEGAL.replace('\n', " ").replace("board", "  // why?\n board"));
    fs::write(w.path().join("a.cpz"), moved).expect("written");
    let clean = check(&[]).exits(0).json();
    assert_eq!(found(&clean), []);
    assert_eq!(clean["summary"]["errors"], 0);
    // From another folder too.
    run(&w.path().join("in"), &["check", "--baseline", "known.json", ".."]).exits(0);

    // An edited puzzle is reported again, and so is a second copy.
    fs::write(w.path().join("a.cpz"), format!("{}{HOPELESS}{HOPELESS}", ILLEGAL.replace("Rg7", "Rg6")))
        .expect("written");
    let again = check(&[]).exits(1).json();
    let codes: Vec<String> = found(&again).into_iter().map(|f| f.1).collect();
    assert_eq!(codes, ["illegal-move", "duplicate-puzzle", "duplicate-name", "unsolvable"], "{again}");

    // Obsolete entries are reported and removed; entries of files that were not checked stay.
    fs::write(w.path().join("a.cpz"), "").expect("written");
    let human = run(w.path(), &["check", "--baseline", "in/known.json"]).exits(0);
    assert!(
        human.stdout.contains("accepted 1 finding; 3 baseline entries no longer occur"),
        "{}",
        human.stdout
    );
    run(w.path(), &["check", "--baseline", "in/known.json", "--accept", "a.cpz"]).exits(0);
    let text = fs::read_to_string(w.path().join("in/known.json")).expect("a baseline");
    assert!(text.contains("\"b.cpz\"") && !text.contains("a.cpz"), "{text}");
    fs::remove_file(w.path().join("in/b.cpz")).expect("removed");
    run(w.path(), &["check", "--baseline", "in/known.json", "--accept"]).exits(0);
    let text = fs::read_to_string(w.path().join("in/known.json")).expect("a baseline");
    assert_eq!(text, "{\"version\":1,\"findings\":[]}\n");
}

#[test]
fn baseline_outside_of_puzzles_survives_formatting() {
    let w = folder(&[("a.cpz", "solitaire \"A\" {\n board ...N.....R....B.\n solve\n}}\n")]);
    run(w.path(), &["check", "--baseline", "known.json", "--accept"]).exits(0);
    run(w.path(), &["fmt", "--force"]).exits(0);
    assert!(fs::read_to_string(w.path().join("a.cpz")).expect("a file").contains("}\n}"));
    run(w.path(), &["check", "--baseline", "known.json"]).exits(0);
}

#[test]
fn files_that_are_no_baseline_are_not_overwritten() {
    for bad in ["", "[]", "{\"version\":2,\"findings\":[]}", "{\"version\":1,\"findings\":[{}]}", "\u{0}"] {
        let w = folder(&[("a.cpz", HOPELESS), ("known.json", bad)]);
        for more in [&["--accept"][..], &[]] {
            let args: Vec<&str> = ["check", "--baseline", "known.json"].iter().chain(more).copied().collect();
            let done = run(w.path(), &args).exits(2);
            assert!(done.stderr.contains("known.json: "), "{}", done.stderr);
        }
        assert_eq!(fs::read_to_string(w.path().join("known.json")).expect("a file"), bad);
    }
    let w = folder(&[("a.cpz", HOPELESS)]);
    run(w.path(), &["check", "--accept"]).exits(2);
    // A configuration that is broken is not accepted.
    let w = folder(&[("a.cpz", HOPELESS), ("cpz.toml", "rulez = 1")]);
    run(w.path(), &["check", "--baseline", "known.json", "--accept"]).exits(1);
}

#[test]
fn sarif_fingerprints_survive_moves() {
    let prints = |text: &str| {
        let w = folder(&[("a.cpz", text)]);
        let log = run(w.path(), &["check", "--format", "sarif"]).json();
        let results = log["runs"][0]["results"].as_array().expect("results").clone();
        let mut all: Vec<String> =
            results.iter().map(|r| r["partialFingerprints"]["cpzPuzzle/v1"].to_string()).collect();
        all.sort();
        all
    };
    let one = prints(&format!("{ILLEGAL}{HOPELESS}"));
    assert_eq!(one.len(), 2);
    assert_ne!(one[0], one[1]);
    assert_eq!(one, prints(&format!("\n\n// x\n{HOPELESS}{ILLEGAL}")));
    assert_ne!(one, prints(&format!("{HOPELESS}{}", ILLEGAL.replace("Rg7", "Rg6"))));
}

// ---- watching

struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(folder: &Path, args: &[&str]) -> Watch {
        let mut child = Command::new(&*PROGRAM)
            .args(["check", "--watch", "--format", "json"])
            .args(args)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let (sender, lines) = channel();
        let stdout = child.stdout.take().expect("a pipe");
        std::thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).all(|l| sender.send(l).is_ok())
        });
        Watch { child, lines }
    }

    fn next(&self) -> Value {
        let line = self.lines.recv_timeout(HUNG).expect("it is checked again");
        serde_json::from_str(&line).expect("JSON")
    }

    /// The first document in which this is found: a change may be seen in several steps.
    fn until(&self, codes: &[&str]) {
        for _ in 0..20 {
            let all = found(&self.next());
            if all.iter().map(|f| f.1.as_str()).eq(codes.iter().copied()) {
                return;
            }
        }
        panic!("{codes:?} are never found");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn watch_checks_a_folder_after_each_change() {
    let w = folder(&[("in/a.cpz", ILLEGAL)]);
    let watch = Watch::start(w.path(), &[]);
    watch.until(&["illegal-move"]);
    fs::write(w.path().join("in/a.cpz"), ILLEGAL.replace("Rg7", "Rg1")).expect("written");
    watch.until(&[]);
    // Editors replace the file by another one; and a new folder.
    fs::write(w.path().join("in/.a.tmp"), HOPELESS).expect("written");
    fs::rename(w.path().join("in/.a.tmp"), w.path().join("in/a.cpz")).expect("renamed");
    watch.until(&["unsolvable"]);
    fs::write(w.path().join("cpz.toml"), "[severity]\nunsolvable = 'off'\n").expect("written");
    watch.until(&[]);
    fs::create_dir(w.path().join("new")).expect("a folder");
    fs::write(w.path().join("new/b.cpz"), ILLEGAL).expect("written");
    watch.until(&["illegal-move"]);
    // A folder that goes away with its files, and a list of what is left out.
    let outside = folder(&[]);
    fs::rename(w.path().join("new"), outside.path().join("new")).expect("moved");
    watch.until(&[]);
    fs::write(w.path().join("c.cpz"), ILLEGAL).expect("written");
    watch.until(&["illegal-move"]);
    fs::write(w.path().join(".ignore"), "c.cpz\n").expect("written");
    watch.until(&[]);
}

#[test]
fn watch_survives_the_removal_and_renaming_of_its_folder() {
    let w = folder(&[("above/in/a.cpz", ILLEGAL)]);
    let watch = Watch::start(w.path(), &["above/in"]);
    watch.until(&["illegal-move"]);
    let (above, inside) = (w.path().join("above"), w.path().join("above/in"));
    fs::remove_dir_all(&inside).expect("removed");
    fs::create_dir(&inside).expect("a folder");
    fs::write(inside.join("a.cpz"), HOPELESS).expect("written");
    watch.until(&["unsolvable"]);
    fs::write(inside.join("a.cpz"), ILLEGAL).expect("written");
    watch.until(&["illegal-move"]);
    fs::rename(&inside, above.join("away")).expect("renamed");
    watch.until(&[]);
    fs::rename(above.join("away"), &inside).expect("renamed");
    watch.until(&["illegal-move"]);
    fs::write(inside.join("a.cpz"), HOPELESS).expect("written");
    watch.until(&["unsolvable"]);
    // The folder above it.
    fs::rename(&above, w.path().join("away")).expect("renamed");
    watch.until(&[]);
    fs::rename(w.path().join("away"), &above).expect("renamed");
    watch.until(&["unsolvable"]);
    fs::write(inside.join("a.cpz"), ILLEGAL).expect("written");
    watch.until(&["illegal-move"]);
}

#[test]
fn watch_checks_single_files_and_reports_unwatchable_paths() {
    let w = folder(&[("a.cpz", HOPELESS), ("b.cpz", ILLEGAL)]);
    let watch = Watch::start(w.path(), &["a.cpz"]);
    watch.until(&["unsolvable"]);
    fs::write(w.path().join("a.cpz"), "").expect("written");
    watch.until(&[]);
    for args in [&["-"][..], &["--fix"], &["no/such/folder/x.cpz"], &["--baseline", "x", "--accept"]] {
        let args: Vec<&str> = ["check", "--watch"].iter().chain(args).copied().collect();
        run(w.path(), &args).exits(2);
    }
}

// ---- schemas; tests/clients/test_schemas.py compares the documents with them

#[test]
fn the_schemas_of_lines_and_exports_describe_the_same_puzzle() {
    let read = |name: &str| -> Value {
        serde_json::from_str(&run(root(), &["schema", name]).exits(0).stdout).expect("JSON")
    };
    let (export, mut lines) = (read("export"), read("lines"));
    let of_lines = lines["$defs"].as_object_mut().expect("definitions");
    assert!(of_lines.remove("unread").is_some() && of_lines.remove("line-number").is_some());
    let puzzle = &mut of_lines["puzzle"];
    puzzle["required"].as_array_mut().expect("a list").retain(|name| name != "line" && name != "canonical");
    let members = puzzle["properties"].as_object_mut().expect("members");
    assert!(members.remove("line").is_some() && members.remove("canonical").is_some());
    // The only difference that is left: `lines` reads from standard input only.
    let path = "/$defs/puzzle/properties/place/properties/path/description";
    *lines.pointer_mut(path).expect("a description") = export.pointer(path).expect("a description").clone();
    assert_eq!(lines["$defs"], export["$defs"]);
}

// ---- man pages, reports, logs

#[test]
fn every_command_has_a_man_page() {
    for command in command_names() {
        let page = run(root(), &["man", &command]).exits(0).stdout;
        assert!(page.contains(&format!(".TH cpz-{command} 1")), "{page}");
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{page}");
    }
    assert!(run(root(), &["man"]).exits(0).stdout.contains(".TH cpz 1"));
    let source = concat!("\"cpz ", env!("CARGO_PKG_VERSION"), "\" \"User Commands\"");
    assert!(run(root(), &["man", "check"]).exits(0).stdout.contains(source), "the program and its version");
    run(root(), &["man", "chek"]).exits(2);
}

#[test]
fn report_has_versions_and_settings_but_no_puzzles() {
    let w = folder(&[
        ("a.cpz", "// secret\nchess \"secret\" { board 8/8/8/4k3/8/8/8/4K2R move Rg7 note \"secret\" }\n"),
        ("cpz.toml", "budget = 1234\n"),
        ("in/cpz.toml", "rulez = 1\n"),
        ("in/b.cpz", HOPELESS),
        ("log", "first\n\u{1b}[31mlast\n"),
    ]);
    let done = run(w.path(), &["report", "--log", "log"]).exits(0);
    let wanted = [
        env!("CARGO_PKG_VERSION"),
        "budget = 1234",
        "rulez = 1",
        "files: 2",
        "error illegal-move: 1",
        "error unsolvable: 1",
        r"\u{1b}[31mlast",
    ];
    for wanted in wanted {
        assert!(done.stdout.contains(wanted), "{wanted}\n{}", done.stdout);
    }
    assert!(!done.stdout.contains("secret"), "{}", done.stdout);
    run(w.path(), &["report", "--log", "no-such"]).exits(2);
}

#[test]
fn server_log_has_events_but_no_texts() {
    let w = folder(&[]);
    let mut child = Command::new(&*PROGRAM)
        .args(["lsp", "--log", "server.log"])
        .current_dir(w.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let document = json!({"uri": "untitled:secret.cpz", "languageId": "cpz", "version": 1, "text": "secret"});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
        json!({"jsonrpc": "2.0", "id": "a\n", "method": "no/such\nmethod"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ] {
        let body = message.to_string();
        write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("written");
        // Each request is answered before the next message.
        while let Some(id) = message.get("id") {
            let mut length = 0;
            loop {
                let mut line = String::new();
                assert_ne!(stdout.read_line(&mut line).expect("a line"), 0);
                match line.trim_end().strip_prefix("Content-Length: ") {
                    Some(n) => length = n.parse().expect("a number"),
                    None => break,
                }
            }
            let mut body = vec![0; length];
            stdout.read_exact(&mut body).expect("a message");
            let answer: Value = serde_json::from_slice(&body).expect("JSON");
            if answer.get("method").is_none() && answer["id"] == *id {
                break;
            }
        }
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    let log = fs::read_to_string(w.path().join("server.log")).expect("a log");
    for wanted in [
        "initialize 1 answered after",
        "textDocument/didOpen",
        r"no/such\nmethod",
        "error -32601",
        "ended with 0",
    ] {
        assert!(log.contains(wanted), "{wanted}\n{log}");
    }
    assert!(!log.contains("secret"), "{log}");
    // Where it cannot be written the server does not start.
    run(w.path(), &["lsp", "--log", "no/such/folder/log"]).exits(2);
}

#[test]
fn watch_uses_a_baseline_created_later() {
    let w = folder(&[("a.cpz", HOPELESS), ("known.json", "{\"version\":1,\"findings\":[]}")]);
    let watch = Watch::start(w.path(), &["--baseline", "known.json"]);
    watch.until(&["unsolvable"]);
    run(w.path(), &["check", "--baseline", "known.json", "--accept"]).exits(0);
    watch.until(&[]);
}

#[test]
fn baseline_works_for_part_of_the_files_and_from_any_folder() {
    let w = folder(&[("in/a.cpz", HOPELESS), ("in/b.cpz", HOPELESS)]);
    run(w.path(), &["check", "--baseline", "known.json", "--accept"]).exits(0);
    let known = fs::read_to_string(w.path().join("known.json")).expect("a baseline");
    // Without the other one it is no duplicate, and will be one again.
    let part = run(w.path(), &["check", "--baseline", "known.json", "in/a.cpz"]).exits(0);
    assert!(part.stdout.ends_with("accepted 1 finding\n"), "{}", part.stdout);
    run(w.path(), &["check", "--baseline", "known.json", "--accept", "in/a.cpz"]).exits(0);
    assert_eq!(fs::read_to_string(w.path().join("known.json")).expect("a baseline"), known);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(w.path().join("in"), w.path().join("link")).expect("a link");
        run(w.path(), &["check", "--baseline", "known.json", "link"]).exits(0);
    }
    run(w.path(), &["check", "--baseline", "known.json", "-"]).exits(2);
}
