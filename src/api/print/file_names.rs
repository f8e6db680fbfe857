//! Names of files that are valid, and different, on every platform.

use rustc_hash::FxHashSet;

/// The longest name in bytes, without what makes it unique.
const MAX_BYTES: usize = 100;

/// Gives each puzzle of a collection a name for its file.
pub struct FileNames {
    /// How many digits a number has.
    digits: usize,
    /// The names given so far, in lower case: some file systems do not tell the cases apart.
    taken: FxHashSet<String>,
}

impl FileNames {
    /// Names for `count` puzzles.
    pub fn new(count: usize) -> FileNames {
        FileNames { digits: count.to_string().len(), taken: FxHashSet::default() }
    }

    /// The name for the puzzle with an `id`, or with a number from 1; without an extension. No two are the same.
    pub fn next(&mut self, id: Option<&str>, number: usize) -> String {
        let digits = self.digits;
        let name =
            id.map(safe).filter(|name| !name.is_empty()).unwrap_or_else(|| format!("{number:0digits$}"));
        let mut unique = name.clone();
        let mut nth = 2;
        while !self.taken.insert(unique.to_lowercase()) {
            unique = format!("{name}-{nth}");
            nth += 1;
        }
        unique
    }
}

/// A text as the name of a file: letters, digits, `-`, `_` and dots inside; empty if it has neither letter nor digit.
fn safe(text: &str) -> String {
    let allowed = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '.') { c } else { '-' };
    let mut name = String::new();
    for c in text.trim().chars().map(allowed) {
        // `..` leads out of a folder, and several signs in a row say no more than one.
        let repeats = matches!(c, '-' | '.') && name.ends_with(['-', '.']);
        if !repeats && name.len() + c.len_utf8() <= MAX_BYTES {
            name.push(c);
        }
    }
    let name = name.trim_matches(['-', '.', '_']).to_string();
    let stem = name.split('.').next().unwrap_or_default();
    if is_reserved(stem) { format!("_{name}") } else { name }
}

/// Whether Windows keeps a name for a device.
fn is_reserved(stem: &str) -> bool {
    let stem = stem.to_ascii_lowercase();
    let is_numbered = |device: &str| {
        stem.strip_prefix(device).is_some_and(|rest| {
            let mut rest = rest.chars();
            rest.next().is_some_and(|c| c.is_ascii_digit() || "¹²³".contains(c)) && rest.next().is_none()
        })
    };
    ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&stem.as_str())
        || is_numbered("com")
        || is_numbered("lpt")
}
