//! Data flows one way: each room may use only those above it.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the first to the last.
const ROOMS: [&str; 9] =
    ["diagnostic", "syntax", "board", "games", "analysis", "ide", "workspace", "server", "cli"];

/// What only some rooms may use: a crate, or a macro that prints.
const KEPT: [(&str, &[&str]); 9] = [
    ("logos::", &["syntax"]),
    ("clap::", &["cli"]),
    ("annotate_snippets::", &["cli"]),
    ("tower_lsp::", &["server"]),
    ("tokio::", &["server"]),
    ("std::fs", &["workspace", "server", "cli"]),
    ("println!", &[]),
    ("eprintln!", &[]),
    ("std::time", &["workspace", "server", "cli"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn imports_point_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut read = 0;
    for (i, room) in ROOMS.iter().enumerate() {
        for path in sources(&src.join(room)) {
            read += 1;
            let text = fs::read_to_string(&path).expect("a source");
            // Tests of a room may look where they like.
            let code = text.split("#[cfg(test)]").next().unwrap_or("");
            for later in &ROOMS[i + 1..] {
                if code.contains(&format!("crate::{later}")) {
                    wrong.push(format!("{} uses {later}", path.display()));
                }
            }
            for (what, rooms) in KEPT {
                if code.contains(what) && !rooms.contains(room) {
                    wrong.push(format!("{} uses {what}", path.display()));
                }
            }
        }
    }
    assert!(read > 25, "only {read} sources were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
