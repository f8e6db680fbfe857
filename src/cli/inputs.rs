//! Which files are meant, and what is in them.

use std::io::Read;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use rayon::prelude::*;

use super::complain;
use crate::syntax::MAX_TEXT;

/// The name of standard input in reports.
pub const STDIN: &str = "<stdin>";

/// A text to work on.
pub struct Input {
    /// The path as given, or below a folder as given.
    pub path: String,
    /// The file; nothing for standard input.
    pub file: Option<PathBuf>,
    /// Its text.
    pub text: String,
}

/// The inputs, sorted by path.
pub struct Inputs {
    /// Those that could be read.
    pub texts: Vec<Input>,
    /// Whether some could not, which standard error has been told.
    pub failed: bool,
}

/// Finds and reads what the paths name: files as they are, folders as ripgrep walks them, `-` for
/// standard input, and the current folder for none.
pub fn read(paths: &[String]) -> Inputs {
    let (mut files, mut failed) = (Vec::new(), false);
    let here = [".".to_string()];
    for path in if paths.is_empty() { &here } else { paths } {
        if path == "-" {
            files.push((STDIN.to_string(), None));
        } else if Path::new(path).is_dir() {
            let before = files.len();
            failed |= walk(path, paths.is_empty(), &mut files);
            if files.len() == before && !failed {
                complain(path, "no .cpz files here");
            }
        } else {
            files.push((path.clone(), Some(PathBuf::from(path))));
        }
    }
    files.sort();
    // One file under two names is one file, or it would be a duplicate of itself: the first name counts.
    let mut seen = std::collections::HashSet::new();
    files.retain(|(path, file)| match file {
        Some(file) => seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())),
        None => seen.insert(PathBuf::from(path)),
    });
    let texts: Vec<Result<Input, ()>> = files
        .into_par_iter()
        .map(|(path, file)| match load(file.as_deref()) {
            Ok(text) => Ok(Input { path, file, text }),
            Err(why) => {
                complain(&path, &why);
                Err(())
            }
        })
        .collect();
    failed |= texts.iter().any(Result::is_err);
    Inputs { texts: texts.into_iter().flatten().collect(), failed }
}

/// Adds the `.cpz` files below a folder; whether something could not be looked into.
fn walk(folder: &str, bare: bool, files: &mut Vec<(String, Option<PathBuf>)>) -> bool {
    let mut failed = false;
    for entry in WalkBuilder::new(folder).build() {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                let is_file = entry.file_type().is_some_and(|t| t.is_file())
                    || entry.path_is_symlink() && path.is_file();
                if is_file && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("cpz")) {
                    // Without a path nobody has written the dot.
                    let shown = if bare { path.strip_prefix("./").unwrap_or(path) } else { path };
                    files.push((shown.to_string_lossy().into_owned(), Some(path.to_path_buf())));
                }
            }
            Err(error) => {
                complain(folder, &error.to_string());
                failed = true;
            }
        }
    }
    failed
}

fn load(file: Option<&Path>) -> Result<String, String> {
    let mut bytes = Vec::new();
    match file {
        Some(path) => {
            let file = std::fs::File::open(path).map_err(reason)?;
            let length = file.metadata().map_or(0, |m| m.len());
            if length > MAX_TEXT as u64 {
                return Err("longer than 1 GiB; split the collection".into());
            }
            bytes.reserve_exact(length as usize);
            file.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(reason)?;
        }
        None => {
            std::io::stdin().lock().take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes).map_err(reason)?;
        }
    }
    if bytes.len() > MAX_TEXT {
        return Err("longer than 1 GiB; split the collection".into());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1;
        format!("not UTF-8: byte {at}, on line {line}, begins no character")
    })
}

fn reason(error: std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}
