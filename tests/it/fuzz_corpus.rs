//! Runs the checks of `fuzz/checks` on the examples and on the stored corpora, old failures included.

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
fn corpus_for_parsing_passes() {
    replay("text", checks::text);
}

#[test]
fn corpus_for_formatting_passes() {
    replay("format", checks::format);
}

#[test]
fn corpus_for_edits_passes() {
    replay("edits", checks::edits);
}

#[test]
fn corpus_for_boards_passes() {
    replay("boards", checks::boards);
}

#[test]
fn corpus_for_the_solver_passes() {
    replay("solver", checks::solver);
}

#[test]
fn corpus_for_editor_features_passes() {
    replay("features", checks::features);
}

#[test]
fn corpus_for_fixes_passes() {
    replay("fixes", checks::fixes);
}

#[test]
fn corpus_for_protocol_bytes_passes() {
    replay("bytes", checks::bytes);
}

#[test]
fn corpus_for_server_sessions_passes() {
    replay("session", checks::session);
}

#[test]
fn corpus_for_twins_passes() {
    replay("twins", checks::twins);
}

#[test]
fn corpus_for_importers_passes() {
    replay("importers", checks::importers);
}

#[test]
fn corpus_for_exports_passes() {
    replay("exports", checks::exports);
}

#[test]
fn corpus_for_the_embedded_server_passes() {
    replay("embedded", checks::embedded);
}
