//! What the tests share: running the binary, reading its JSON, a client of the server, cases as data.
#![allow(dead_code)]

pub mod batch;
pub mod check;
pub mod client;
pub mod examples;
pub mod fixture;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use cpz::diagnostic::Code;
use serde_json::Value;

/// Every wait ends by an event. What has not come after this long never comes.
pub const HUNG: Duration = Duration::from_secs(600);

/// Whether everything is tested that is slow and rarely breaks, with `CI_FULL=1`.
pub fn full() -> bool {
    std::env::var_os("CI_FULL").is_some_and(|value| value == "1")
}

/// Waits for a program to end. The standard library has no wait with a limit, so this asks again and again.
pub fn wait_for_end(child: &mut std::process::Child, what: &dyn std::fmt::Debug) -> std::process::ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            return status;
        }
        if start.elapsed() > HUNG {
            child.kill().expect("the child can be ended");
            panic!("{what:?} hangs");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The names of all diagnostic codes.
pub static CODES: LazyLock<Vec<&str>> = LazyLock::new(|| Code::ALL.iter().map(|code| code.name()).collect());

/// What one run of the binary left behind.
#[derive(Debug)]
pub struct Run {
    /// `None` when a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The one JSON document on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|why| {
            panic!(
                "standard output is not one JSON document: {why}\n{}\nstderr: {}",
                head(&self.stdout),
                head(&self.stderr)
            )
        })
    }

    /// The same run, after a look at its exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Run {
        assert_eq!(
            self.code,
            Some(code),
            "exit code\nstdout: {}\nstderr: {}",
            head(&self.stdout),
            head(&self.stderr)
        );
        self
    }
}

/// Enough of a long text to see what went wrong.
pub fn head(text: &str) -> String {
    let short: String = text.chars().take(2000).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

/// The program under test: the one that cargo built, or the one that `CPZ_PROGRAM` names. That can be a script which
/// runs a program for another platform.
pub static PROGRAM: LazyLock<String> =
    LazyLock::new(|| std::env::var("CPZ_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_cpz").to_owned()));

/// What the program under test writes between the folders of a path: with `CPZ_DRIVE`, the drive on which a program for
/// Windows finds the files of this system, a backslash.
pub fn path_separator() -> &'static str {
    if std::env::var_os("CPZ_DRIVE").is_some() { "\\" } else { "/" }
}

/// The binary, not yet started, in a folder and with a plain environment.
pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(&*PROGRAM);
    command
        .args(args)
        .current_dir(dir)
        .env("NO_COLOR", "1")
        .env_remove("GITHUB_ACTIONS")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("RUST_LOG");
    command
}

/// Runs the binary in a folder.
#[track_caller]
pub fn run(dir: &Path, args: &[&str]) -> Run {
    run_with(dir, args, b"")
}

/// The names of the commands that `cpz --help` lists.
pub fn command_names() -> Vec<String> {
    let help = run(Path::new(env!("CARGO_MANIFEST_DIR")), &["--help"]).exits(0).stdout;
    let (_, list) = help.split_once("\nCommands:\n").expect("commands");
    // A line that goes on with a description begins with more blanks.
    let names = list.lines().take_while(|line| !line.is_empty()).filter_map(|line| {
        line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?.split_whitespace().next()
    });
    names.filter(|name| *name != "help").map(String::from).collect()
}

/// Runs the binary in a folder, feeding its standard input. It must neither panic, nor die of a
/// signal, nor hang.
#[track_caller]
pub fn run_with(dir: &Path, args: &[&str], input: &[u8]) -> Run {
    let mut child = command(dir, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // Threads, since a full pipe on one side would stop the other.
    let feeder = thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let stdout = collect(child.stdout.take().expect("piped"));
    let stderr = collect(child.stderr.take().expect("piped"));
    let status = wait_for_end(&mut child, &args);
    feeder.join().expect("the feeder ends");
    let run = Run {
        code: status.code(),
        stdout: stdout.join().expect("standard output is read"),
        stderr: stderr.join().expect("standard error is read"),
    };
    assert!(
        !run.stderr.contains("panicked") && !run.stderr.contains("overflowed its stack"),
        "cpz {args:?} panicked:\n{}",
        head(&run.stderr)
    );
    assert!(run.code.is_some(), "cpz {args:?} died of a signal: {status}");
    run
}

fn collect(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A temporary folder with files in it.
#[track_caller]
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    dir
}

/// Reads a file back.
#[track_caller]
pub fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).expect("a readable file")
}

/// A mistake of its own: every file here holds it too, and it must be reported whatever else is.
pub const MISTAKE: &str = "solitaire \"independent\" { board R....N.......... solve }\n";

/// Checks a text with the independent mistake behind it.
#[track_caller]
pub fn before_mistake(text: &str) -> Vec<Finding> {
    independent(&format!("{text}\n{MISTAKE}"))
}

#[track_caller]
pub fn independent(text: &str) -> Vec<Finding> {
    let mut found = check(&[("a.cpz", text)]);
    let at = found.iter().position(|f| f.code == "unsolvable" && f.puzzle == "independent");
    let shown: String = text.chars().take(300).collect();
    let at = at.unwrap_or_else(|| panic!("the other mistake is hidden in\n{shown}\n{found:?}"));
    found.remove(at);
    found
}

/// `check --format json` of some files; exit code and summary must fit the findings.
#[track_caller]
pub fn check(files: &[(&str, &str)]) -> Vec<Finding> {
    check_with(files, &[])
}

/// [`check`] with further options.
#[track_caller]
pub fn check_with(files: &[(&str, &str)], options: &[&str]) -> Vec<Finding> {
    let dir = folder(files);
    let mut args = [&["check", "--format", "json"], options].concat();
    args.extend(files.iter().map(|(name, _)| *name));
    let run = run(dir.path(), &args);
    let json = run.json();
    let found = findings(&json);
    consistent(&run, &json, &found);
    // Split once: a text may have thousands of findings.
    let texts: Vec<(&str, Vec<&str>)> = files.iter().map(|(name, text)| (*name, lines(text))).collect();
    for finding in &found {
        let text = texts.iter().find(|(name, _)| *name == finding.path);
        let (_, lines) = text.unwrap_or_else(|| panic!("a path as it was given, not {:?}", finding.path));
        if let Err(why) = finding.range.inside(lines) {
            panic!("{finding:?} is outside of its file: {why}");
        }
    }
    found
}

/// The codes of one file's findings, in order.
#[track_caller]
pub fn codes(text: &str) -> Vec<String> {
    check(&[("a.cpz", text)]).into_iter().map(|f| f.code).collect()
}

/// What holds of every `check --format json`: its exit code and its summary tell the same story.
#[track_caller]
pub fn consistent(run: &Run, json: &Value, found: &[Finding]) {
    let of = |severity: &str| found.iter().filter(|f| f.severity == severity).count();
    assert_eq!(json["version"], 1);
    assert_eq!(json["summary"]["errors"], of("error"), "summary.errors");
    assert_eq!(json["summary"]["warnings"], of("warning"), "summary.warnings");
    assert_eq!(json["summary"]["files"], json["files"].as_array().expect("files").len(), "summary.files");
    assert_eq!(
        run.code,
        Some(i32::from(of("error") > 0)),
        "exit code\nstdout: {}\nstderr: {}",
        head(&run.stdout),
        head(&run.stderr)
    );
}

/// A 0-based line and a 0-based UTF-16 character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub character: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

impl Range {
    #[track_caller]
    pub fn of(value: &Value) -> Range {
        let number = |edge: &str, key: &str| {
            value[edge][key].as_u64().unwrap_or_else(|| panic!("not a range: {value}")) as usize
        };
        Range {
            start: Position { line: number("start", "line"), character: number("start", "character") },
            end: Position { line: number("end", "line"), character: number("end", "character") },
        }
    }

    pub fn holds(&self, other: &Range) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether a text with these lines has this range.
    pub fn inside(&self, lines: &[&str]) -> Result<(), String> {
        if self.start > self.end {
            return Err("it ends before it starts".into());
        }
        for at in [self.start, self.end] {
            match lines.get(at.line) {
                None => return Err(format!("there is no line {}", at.line)),
                Some(line) if at.character > line.encode_utf16().count() => {
                    return Err(format!("line {} is shorter", at.line));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}

/// The lines of a text as editors count them: `\n`, `\r\n` and `\r` end one, nothing else does.
pub fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        lines.push(&rest[..at]);
        let wide = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[at + wide..];
    }
    lines.push(rest);
    lines
}

/// One finding of `check --format json`.
#[derive(Clone, Debug)]
pub struct Finding {
    pub path: String,
    pub code: String,
    pub severity: String,
    pub message: String,
    pub range: Range,
    pub puzzle: Value,
}

/// All findings of a `check` document, in order.
#[track_caller]
pub fn findings(json: &Value) -> Vec<Finding> {
    let mut found = Vec::new();
    for file in json["files"].as_array().expect("files is a list") {
        for one in file["diagnostics"].as_array().expect("diagnostics is a list") {
            let text = |key: &str| one[key].as_str().unwrap_or_else(|| panic!("{key} of {one}")).to_owned();
            found.push(Finding {
                path: file["path"].as_str().expect("path is a string").to_owned(),
                code: text("code"),
                severity: text("severity"),
                message: text("message"),
                range: Range::of(&one["range"]),
                puzzle: one["puzzle"].clone(),
            });
        }
    }
    found
}

/// The answers of a `solve` document, each with its verb, in the order of the text.
#[track_caller]
pub fn answers(json: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for file in json["files"].as_array().expect("files is a list") {
        for puzzle in file["puzzles"].as_array().expect("puzzles is a list") {
            for query in puzzle["queries"].as_array().expect("queries is a list") {
                let verb = query["verb"].as_str().expect("verb is a string");
                all.push((verb.to_owned(), query["answer"].clone()));
            }
        }
    }
    all
}

/// `solve --format json` of one file.
#[track_caller]
pub fn solve(text: &str) -> Vec<(String, Value)> {
    let dir = folder(&[("a.cpz", text)]);
    let run = run(dir.path(), &["solve", "--format", "json", "a.cpz"]);
    answers(&run.json())
}

/// A text without any white space, to see what else has changed.
pub fn dense(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// A case of a data file: `=== TITLE`, a text, and what is expected behind lines that begin with `--- `.
pub struct Case<'t> {
    /// The case as it stands in the file, without its first sign.
    pub whole: &'t str,
    pub title: &'t str,
    /// The text without the line ends behind it.
    pub text: &'t str,
}

/// The cases of a data file.
pub fn cases(file: &str) -> impl Iterator<Item = Case<'_>> {
    file.split("=== ").skip(1).map(|whole| {
        let (title, rest) = whole.split_once('\n').expect("a title");
        let text = rest.split("\n--- ").next().unwrap_or_default().trim_end_matches('\n');
        Case { whole, title, text }
    })
}

/// Whether expectations of data files are to be rewritten (`CPZ_BLESS=1`).
pub fn blessing() -> bool {
    std::env::var_os("CPZ_BLESS").is_some()
}

/// Whether a case of a data file is selected: with `CPZ_CASE=WORDS` only those with these words in their title.
pub fn selected(title: &str) -> bool {
    std::env::var("CPZ_CASE").map_or(true, |words| title.contains(&words))
}
