//! Many puzzles in one run of the binary, and random numbers that repeat.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Finding, findings, run_with};
pub use cpz_reference::Rng;

/// Runs `cpz VERB --format json -`; the exit code and the document.
pub fn cpz_json(verb: &str, stdin: &str) -> (i32, Value) {
    json_with(&[verb, "--format", "json", "-"], stdin)
}

fn json_with(arguments: &[&str], stdin: &str) -> (i32, Value) {
    // Away from the repository and its configuration.
    let run = run_with(&std::env::temp_dir(), arguments, stdin.as_bytes());
    (run.code.expect("an exit code"), run.json())
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
        self.answers(&["solve", "--format", "json", "-"])
    }

    /// The same with the play of chess problems.
    pub fn solve_with_trees(&self) -> Vec<Vec<Value>> {
        self.answers(&["solve", "--tree", "--format", "json", "-"])
    }

    fn answers(&self, arguments: &[&str]) -> Vec<Vec<Value>> {
        let (code, document) = json_with(arguments, &self.puzzles.concat());
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
        let mut all = vec![Vec::new(); self.len()];
        for finding in findings(&document) {
            let puzzle =
                finding.puzzle.as_str().and_then(|name| name.strip_prefix('p')?.parse::<usize>().ok());
            all[puzzle.unwrap_or_else(|| panic!("outside of every puzzle: {finding:?}"))].push(finding);
        }
        let errors = all.iter().flatten().any(|finding| finding.severity == "error");
        assert_eq!(code, i32::from(errors), "the exit code says whether there are errors");
        all
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
