//! What the black-box tests share: running the binary, reading its JSON, and random numbers that
//! repeat.

use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;

/// What a finished process left behind.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the binary with `stdin` on its standard input and waits for it, however long it takes.
pub fn cpz(args: &[&str], stdin: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cpz"))
        .args(args)
        // Away from the repository, so that no configuration file there has a say.
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cpz starts");
    let mut pipe = child.stdin.take().expect("standard input is a pipe");
    let text = stdin.to_owned();
    // A thread writes, since a full pipe would block both sides. A child that ends without
    // reading everything shows in what it printed, not here.
    let writer = thread::spawn(move || drop(pipe.write_all(text.as_bytes())));
    let output = child.wait_with_output().expect("cpz ends");
    writer.join().expect("the writer ends");
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs `cpz VERB --format json -`; the exit code and the document.
pub fn cpz_json(verb: &str, stdin: &str) -> (i32, Value) {
    let run = cpz(&[verb, "--format", "json", "-"], stdin);
    let document = serde_json::from_str(&run.stdout).unwrap_or_else(|error| {
        let start: String = run.stdout.chars().take(500).collect();
        panic!("{verb} printed no JSON ({error}), exit {}:\n{start}\n{}", run.code, run.stderr)
    });
    (run.code, document)
}

/// A diagnostic of `check`.
#[derive(Debug, Clone)]
pub struct Finding {
    pub code: String,
    pub severity: String,
    pub message: String,
}

/// Puzzles that go through one process together, as a process for each would be slow.
#[derive(Default)]
pub struct Batch {
    puzzles: Vec<String>,
}

impl Batch {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `game "pN" { body }`.
    pub fn push(&mut self, game: &str, body: &str) {
        let name = self.puzzles.len();
        self.puzzles.push(format!("{game} \"p{name}\" {{\n{body}\n}}\n"));
    }

    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// The text of a puzzle, for messages.
    pub fn puzzle(&self, index: usize) -> &str {
        &self.puzzles[index]
    }

    /// The answers of `solve`, per puzzle and query. Everything asked here has an answer, so the
    /// exit code is 0 unless an answer is `undecided`.
    pub fn solve(&self) -> Vec<Vec<Value>> {
        let (code, document) = cpz_json("solve", &self.puzzles.concat());
        let puzzles = document["files"][0]["puzzles"].as_array().expect("puzzles");
        assert_eq!(puzzles.len(), self.len(), "as many puzzles come out as went in");
        let mut undecided = false;
        let answers: Vec<Vec<Value>> = puzzles
            .iter()
            .enumerate()
            .map(|(i, puzzle)| {
                assert_eq!(puzzle["name"], format!("p{i}"), "puzzles keep their order");
                let queries = puzzle["queries"].as_array().expect("queries");
                let answer = |query: &Value| query["answer"].clone();
                queries.iter().map(answer).collect()
            })
            .inspect(|answers: &Vec<Value>| {
                undecided |= answers.iter().any(|answer| answer.get("undecided").is_some());
            })
            .collect();
        for (i, answers) in answers.iter().enumerate() {
            for answer in answers {
                let error = answer.get("error");
                assert!(error.is_none(), "{answer} for\n{}", self.puzzle(i));
            }
        }
        assert_eq!(code, i32::from(undecided), "the exit code says whether all is answered");
        answers
    }

    /// The findings of `check`, per puzzle.
    pub fn check(&self) -> Vec<Vec<Finding>> {
        let (code, document) = cpz_json("check", &self.puzzles.concat());
        let field = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
        let mut findings = vec![Vec::new(); self.len()];
        for diagnostic in document["files"][0]["diagnostics"].as_array().expect("diagnostics") {
            let puzzle = field(diagnostic, "puzzle")
                .and_then(|name| name.strip_prefix('p')?.parse::<usize>().ok())
                .unwrap_or_else(|| panic!("a finding outside every puzzle: {diagnostic}"));
            findings[puzzle].push(Finding {
                code: field(diagnostic, "code").expect("a code"),
                severity: field(diagnostic, "severity").expect("a severity"),
                message: field(diagnostic, "message").expect("a message"),
            });
        }
        let errors = findings.iter().flatten().any(|finding| finding.severity == "error");
        assert_eq!(code, i32::from(errors), "the exit code says whether there are errors");
        findings
    }
}

/// `[[a,b,…],…]` of a JSON value as numbers.
pub fn squares(value: &Value) -> Vec<Vec<i64>> {
    let row = |row: &Value| {
        let numbers = row.as_array().expect("a square is a list").iter();
        numbers.map(|number| number.as_i64().expect("a coordinate")).collect()
    };
    value.as_array().expect("a list of squares").iter().map(row).collect()
}

/// Items in brackets, with commas.
pub fn list<I: IntoIterator<Item = String>>(items: I) -> String {
    let mut text = String::from("[");
    for (i, item) in items.into_iter().enumerate() {
        write!(text, "{}{item}", if i > 0 { ", " } else { "" }).expect("a string takes text");
    }
    text + "]"
}

/// Splitmix64: small, and the same on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn range(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
