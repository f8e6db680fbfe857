//! What fuzzers have kept, and what they once found, run again.

#[path = "../fuzz/checks.rs"]
mod checks;
mod common;

use std::fs;
use std::path::{Path, PathBuf};

fn replay(name: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let kept = fs::read_dir(folder).into_iter().flatten().map(|f| f.expect("a file").path());
    let mut all = examples();
    all.extend(kept.map(|path| (path.clone(), fs::read(path).expect("bytes"))));
    for (path, data) in all {
        if std::panic::catch_unwind(|| check(&data)).is_err() {
            panic!("{}", path.display());
        }
    }
}

fn examples() -> Vec<(PathBuf, Vec<u8>)> {
    common::examples::examples().into_iter().map(|(path, text)| (path, text.into_bytes())).collect()
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
