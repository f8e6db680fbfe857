//! What fuzzers have kept, and what they once found, run again.

#[path = "../fuzz/checks.rs"]
mod checks;

use std::fs;
use std::path::Path;

fn replay(name: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("a corpus").map(|f| f.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let data = fs::read(&file).expect("bytes");
        if std::panic::catch_unwind(|| check(&data)).is_err() {
            panic!("{}", file.display());
        }
    }
}

#[test]
fn texts() {
    replay("text", checks::text);
}

#[test]
fn formatted() {
    replay("format", checks::format);
}

#[test]
fn edited() {
    replay("edits", checks::edits);
}
