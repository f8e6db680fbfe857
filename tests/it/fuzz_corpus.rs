//! What fuzzers have kept, and what they once found, run again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::checks;

fn replay(name: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let kept: Vec<PathBuf> =
        fs::read_dir(folder).expect("a corpus").map(|f| f.expect("a file").path()).collect();
    assert!(!kept.is_empty(), "{name}");
    let mut all = examples();
    all.extend(kept.into_iter().map(|path| (path.clone(), fs::read(path).expect("bytes"))));
    for (path, data) in all {
        if std::panic::catch_unwind(|| check(&data)).is_err() {
            panic!("{}", path.display());
        }
    }
}

fn examples() -> Vec<(PathBuf, Vec<u8>)> {
    crate::harness::examples::examples().into_iter().map(|(path, text)| (path, text.into_bytes())).collect()
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

#[test]
fn boards() {
    replay("boards", checks::boards);
}

#[test]
fn solved() {
    replay("solver", checks::solver);
}

#[test]
fn asked_at_every_place() {
    replay("features", checks::features);
}

#[test]
fn mended() {
    replay("fixes", checks::fixes);
}

#[test]
fn heard_by_the_server() {
    replay("bytes", checks::bytes);
}

#[test]
fn edited_in_the_server() {
    replay("session", checks::session);
}
