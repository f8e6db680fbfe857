//! The examples of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of `examples`, each with its text, in order.
pub fn examples() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in ["collection", "mistakes"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(folder);
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "cpz") {
                let text = fs::read_to_string(&path).expect("a text");
                found.push((path, text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 10);
    found
}
