//! `cpz lines`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use super::*;
use crate::harness::{PROGRAM, command};

const PUZZLE: &[u8] = b"solitaire { board N..R solve }\n";

#[test]
fn lines_answers_bad_lines_and_goes_on() {
    let mut input = b"\xff\xfe\n\x00\nsolitaire { board \xc3( }\n{\"game\":\n".to_vec();
    input.extend_from_slice(PUZZLE);
    let answered = run_with(folder(&[]).path(), &["lines"], &input).exits(0);
    let answers: Vec<Value> =
        answered.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 5);
    assert!(answers[..4].iter().all(|answer| answer["error"].is_string()), "{answers:?}");
    assert_eq!(answers[4]["game"], "solitaire");
    assert_eq!(answered.stderr, "");
}

#[cfg(target_os = "linux")]
#[test]
fn lines_does_not_keep_a_line_of_a_hundred_megabytes() {
    let mut input = vec![b'a'; 100_000_000];
    input.push(b'\n');
    input.extend_from_slice(PUZZLE);
    let dir = folder(&[]);
    // The line itself would not fit into this address space.
    let script = format!("ulimit -v 110000; exec '{}' lines", *PROGRAM);
    let mut child = std::process::Command::new("sh")
        .args(["-c", &script])
        .env("RAYON_NUM_THREADS", "2")
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    child.stdin.take().expect("piped").write_all(&input).expect("all is read");
    let output = child.wait_with_output().expect("it ends");
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{:?}: {answers}", output.status);
    assert_eq!(answers.lines().next(), Some("{\"line\":1,\"error\":\"this line is longer than 4 MiB\"}"));
    assert!(answers.lines().nth(1).is_some_and(|answer| answer.starts_with("{\"line\":2,\"canonical\"")));
}

#[test]
fn lines_answers_before_the_next_line_and_ends_with_its_reader() {
    let dir = folder(&[]);
    let mut child = command(dir.path(), &["lines"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut input = child.stdin.take().expect("piped");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    for number in 1..=3 {
        input.write_all(PUZZLE).expect("it reads");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("it answers");
        assert!(answer.starts_with(&format!("{{\"line\":{number},")), "{answer}");
    }
    drop(output);
    // It notices when it writes, and then closes its own end.
    while input.write_all(PUZZLE).is_ok() {}
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn lines_answers_what_it_does_not_know_by_an_error() {
    let board = r#""game":"chess","board":{"fen":"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"}"#;
    for (queries, error) in [
        (r#"[{"verb":"nope"}]"#, Some("1 of its questions cannot be read: `nope`")),
        (r#"[{"verb":"mate-in"}]"#, Some("1 of its questions cannot be read: `mate-in`")),
        (
            r#"[{"verb":"mate"},{"asked":"mate in"}]"#,
            Some("1 of its questions cannot be read: `mate`, `mate in`"),
        ),
        (r#"[{"verb":"mate-in","in":"1"},{"verb":"mate"}]"#, None),
        ("[]", None),
    ] {
        let line = format!("{{{board},\"queries\":{queries}}}\n");
        let answer = run_with(&std::env::temp_dir(), &["lines"], line.as_bytes()).exits(0).json();
        assert_eq!(answer["error"].as_str(), error, "{queries}: {answer}");
    }
    for line in ["hello \"x\"\n", ".R\" solve }\n", "Note \"see above\"\n"] {
        let answer = run_with(&std::env::temp_dir(), &["lines"], line.as_bytes()).exits(0).json();
        let said = answer["error"].as_str().unwrap_or_default();
        assert!(said.starts_with("this line has no puzzle"), "{line}: {answer}");
    }
}
