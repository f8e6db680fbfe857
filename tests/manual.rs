//! Every puzzle that the manual and the README show is checked, and nothing is found in it.

mod common;

use std::fs;
use std::path::Path;

/// The puzzles of a page: blocks fenced as `cpz`, and indented ones.
fn puzzles(page: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.starts_with("```") {
            fenced = line == "```cpz";
            continue;
        }
        match line.strip_prefix("    ") {
            Some(code) if !fenced => out.push_str(code),
            _ if fenced => out.push_str(line),
            _ => {}
        }
        out.push('\n');
    }
    out
}

#[test]
fn what_the_pages_show_is_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (page, least) in [("README.md", 4), ("docs/draughts.md", 4)] {
        let text = puzzles(&fs::read_to_string(root.join(page)).expect("a page"));
        let folder = common::folder(&[("page.cpz", &text)]);
        let run = common::run(folder.path(), &["check", "--format", "json", "page.cpz"]).exits(0);
        let document = run.json();
        assert!(document["summary"]["puzzles"].as_u64().is_some_and(|n| n >= least), "{page}: {document}");
        assert_eq!(document["files"][0]["diagnostics"], serde_json::json!([]), "{page}:\n{text}");
    }
}

#[test]
fn the_examples_are_right_and_the_mistakes_are_wrong() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = common::run(root, &["check", "--format", "json", "--hints", "examples/collection"]).exits(0);
    for file in run.json()["files"].as_array().expect("files") {
        assert_eq!(file["diagnostics"], serde_json::json!([]), "{}", file["path"]);
    }
    let run = common::run(root, &["check", "--format", "json", "examples/mistakes"]).exits(1);
    let document = run.json();
    let mut codes: Vec<&str> = Vec::new();
    for file in document["files"].as_array().expect("files") {
        let found = file["diagnostics"].as_array().expect("findings");
        assert!(!found.is_empty(), "{} shows no mistake", file["path"]);
        codes.extend(found.iter().filter_map(|f| f["code"].as_str()));
    }
    codes.sort_unstable();
    codes.dedup();
    // All that a short file can show: a missing board, a second one and a wrong verb are in the fixtures.
    assert!(codes.len() >= 17, "{codes:?}");
}

#[test]
fn the_examples_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    common::run(root, &["fmt", "--check", "examples"]).exits(0);
}
