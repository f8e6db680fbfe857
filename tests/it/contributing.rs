//! The paths that CONTRIBUTING.md and ARCHITECTURE.md name in their lists and tables exist.
//!
//! A path is a word in backticks that contains a slash, or ends in an extension of a source file; it is
//! relative to the repository or to `src`. `{a,b}` stands for each of several names, `*` for any text of one
//! name. Words with placeholders (`NAME`, `…`, `<…>`), addresses, and what builds leave in `target` are skipped;
//! of a command only its first word is looked at.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const EXTENSIONS: [&str; 8] = [".rs", ".md", ".toml", ".json", ".txt", ".js", ".py", ".yml"];

/// The words in backticks in lists and tables; a list item goes on until a line that is not indented.
fn quoted(text: &str) -> Vec<String> {
    let mut items = String::new();
    let mut in_list = false;
    for line in text.lines() {
        let bare = line.trim_start();
        let numbered = bare.split_once(". ").is_some_and(|(n, _)| n.parse::<u32>().is_ok());
        in_list =
            bare.starts_with("- ") || bare.starts_with('|') || numbered || in_list && line.starts_with(' ');
        if in_list {
            items.push_str(bare);
            items.push(' ');
        } else {
            items.push('\n');
        }
    }
    items.lines().flat_map(|item| item.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// The paths that a quoted word names, with `{a,b}` expanded; none where it names no path.
fn paths(quoted: &str) -> Vec<String> {
    let word = quoted.split_whitespace().next().unwrap_or("").trim_end_matches('/');
    let is_path = word.contains('/') || EXTENSIONS.iter().any(|end| word.ends_with(end));
    let placeholder = |part: &str| {
        let stem = part.split('.').next().unwrap_or("");
        let capitals =
            !stem.is_empty() && stem.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c == '-');
        capitals && (stem == "NAME" || !part.ends_with(".md"))
    };
    let skipped = ["…", "<", "://", "::", "=", "$"].iter().any(|mark| word.contains(mark))
        || word.starts_with(['-', '/', '~', '@'])
        || word.starts_with("target/")
        || word.starts_with("textDocument/")
        || word.starts_with("workspace/")
        || word.split('/').any(placeholder)
        // The configuration of the user, and names such as `application/json`.
        || word == "cpz.toml";
    if !is_path || skipped {
        return Vec::new();
    }
    match (word.split_once('{'), word.split_once('}')) {
        (Some((before, _)), Some((inside, after))) => {
            let names = inside.rsplit('{').next().unwrap_or("").split(',');
            names.map(|name| format!("{before}{}{after}", name.trim())).collect()
        }
        _ => vec![word.to_owned()],
    }
}

/// Whether a path exists below a folder; `*` matches any part of one name.
fn exists(folder: &Path, path: &str) -> bool {
    let (first, rest) = path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let go_on = |found: &Path| rest.map_or(found.exists(), |rest| exists(found, rest));
    let Some((start, end)) = first.split_once('*') else { return go_on(&folder.join(first)) };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|e| e.file_name().to_str().is_some_and(|n| n.starts_with(start) && n.ends_with(end)))
        .any(|e| go_on(&e.path()))
}

#[test]
fn paths_in_contributing_and_architecture_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut missing, mut seen) = (Vec::new(), 0);
    for page in ["CONTRIBUTING.md", "ARCHITECTURE.md"] {
        let text = fs::read_to_string(root.join(page)).expect("a page");
        for path in quoted(&text).iter().flat_map(|word| paths(word)) {
            seen += 1;
            if !exists(root, &path) && !exists(&root.join("src"), &path) {
                missing.push(format!("{page}: {path}"));
            }
        }
    }
    assert!(seen > 20, "only {seen} paths are found");
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn placeholders_and_braces_in_paths_are_understood() {
    assert_eq!(paths("src/games/{chess,draughts}.rs"), ["src/games/chess.rs", "src/games/draughts.rs"]);
    assert_eq!(paths("tests/editors/run neovim"), ["tests/editors/run"]);
    assert_eq!(paths("README.md"), ["README.md"]);
    for none in ["cargo test", "src/games/NAME.rs", "docs/codes/….md", "cpz.toml", "Code::ALL", "target/x/y"]
    {
        assert_eq!(paths(none), [""; 0], "{none}");
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sources that contain one of these words, below the repository.
fn sources_with(words: &[&str]) -> BTreeSet<String> {
    let mut folders = vec![root().join("src")];
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                if words.iter().any(|word| text.contains(word)) {
                    let path = path.strip_prefix(root()).expect("below the repository");
                    found.insert(path.to_string_lossy().replace('\\', "/"));
                }
            }
        }
    }
    found
}

#[test]
fn recipes_name_what_a_game_and_a_verb_touch() {
    let page = fs::read_to_string(root().join("CONTRIBUTING.md")).expect("the page");
    for (recipe, words) in
        [("Add a game", &["Chess3d"][..]), ("Add a verb", &["Verb::Capture", "Answer::Capture"])]
    {
        let section = page.split("\n## ").find(|s| s.starts_with(recipe)).expect("the recipe");
        let named: BTreeSet<String> = quoted(section).iter().flat_map(|word| paths(word)).collect();
        let touched = sources_with(words);
        assert!(touched.len() > 5, "{touched:?}");
        let missing: Vec<_> = touched.difference(&named).collect();
        assert!(missing.is_empty(), "{recipe}: the recipe does not name {missing:?}");
    }
}
