//! The manual agrees with the program: this checks every puzzle on its pages, runs every command and follows
//! every link; the pages of the diagnostic codes come from the table of codes.
//!
//! A fence of a page says what becomes of what it holds, in words parted by commas:
//! - `cpz`: a text in which nothing is found, or exactly what stands behind `finds=`, codes joined by `+`;
//! - `toml`: a `cpz.toml` without mistakes, unless it says `ignore`;
//! - `file=NAME` with one of these: it is put into the page's own folder;
//! - `console`: commands behind `$ `, run there one after the other, each followed by what it prints on standard
//!   output and then on standard error; a line `…` stands for any lines;
//! - `json`: JSON. All else is shown only.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{command_names, folder, run, run_with};
use cpz::analysis::code_docs::TABLE;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A block of a page.
struct Fence {
    /// The line that it begins on, from 1.
    line: usize,
    words: Vec<String>,
    text: String,
}

impl Fence {
    fn is(&self, word: &str) -> bool {
        self.words[0] == word
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.words.iter().find_map(|w| w.strip_prefix(key)?.strip_prefix('='))
    }
}

fn fences(page: &str) -> Vec<Fence> {
    let mut all: Vec<Fence> = Vec::new();
    let mut open = false;
    for (n, line) in page.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if open => open = false,
            Some(words) => {
                open = true;
                let words = words.split(',').map(String::from).collect();
                all.push(Fence { line: n + 1, words, text: String::new() });
            }
            None if open => {
                let text = &mut all.last_mut().expect("a fence").text;
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "a fence is never closed");
    all
}

/// All pages of the manual, from its folder, and the README.
fn pages() -> Vec<(PathBuf, String)> {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).expect("a summary");
    let named = links(&summary).into_iter().map(|l| PathBuf::from("docs").join(l));
    let all = named.chain([PathBuf::from("README.md")]);
    all.map(|p| {
        (p.clone(), fs::read_to_string(root().join(&p)).unwrap_or_else(|_| panic!("{}", p.display())))
    })
    .collect()
}

#[test]
fn fences_in_the_manual_have_the_stated_findings() {
    let mut puzzles = 0;
    for (path, text) in pages() {
        for fence in fences(&text) {
            let place = format!("{}:{}\n{}", path.display(), fence.line, fence.text);
            match fence.words[0].as_str() {
                "cpz" => {
                    let w = folder(&[("page.cpz", &fence.text)]);
                    let document =
                        crate::harness::run(w.path(), &["check", "--hints", "--format", "json"]).json();
                    let found = document["files"][0]["diagnostics"].as_array().expect("findings").clone();
                    let mut codes: Vec<&str> = found.iter().filter_map(|f| f["code"].as_str()).collect();
                    let mut wanted: Vec<&str> =
                        fence.value("finds").map_or(vec![], |w| w.split('+').collect());
                    codes.sort_unstable();
                    wanted.sort_unstable();
                    assert_eq!(codes, wanted, "{place}{found:?}");
                    puzzles += document["summary"]["puzzles"].as_u64().expect("a number");
                }
                "toml" if !fence.words.iter().any(|w| w == "ignore") => {
                    let w = folder(&[("a.cpz", ""), ("cpz.toml", &fence.text)]);
                    assert_eq!(run(w.path(), &["check", "--format", "human"]).code, Some(0), "{place}");
                }
                "json" => drop(
                    serde_json::from_str::<serde_json::Value>(&fence.text)
                        .unwrap_or_else(|e| panic!("{e} {place}")),
                ),
                _ => {}
            }
        }
    }
    assert!(puzzles > 100, "{puzzles} puzzles");
}

/// Whether lines are those that are wanted, of which `…` stands for any.
fn fits(wanted: &[&str], lines: &[&str]) -> bool {
    match wanted.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|n| fits(rest, &lines[n..])),
        Some((first, rest)) => lines.first() == Some(first) && fits(rest, &lines[1..]),
    }
}

/// The words of a command, where quotes hold some together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

/// Runs a command: what it prints, and its exit code.
fn execute(dir: &Path, command: &str, last: i32) -> (String, i32) {
    let mut words = words(command);
    let mut redirected = |mark: &str| {
        let at = words.iter().position(|w| w == mark)?;
        words.remove(at);
        Some(words.remove(at))
    };
    let (input, output) = (redirected("<"), redirected(">"));
    match words[0].as_str() {
        "echo" if command == "echo $?" => (format!("{last}\n"), 0),
        "cat" => (words[1..].iter().map(|f| fs::read_to_string(dir.join(f)).expect("a file")).collect(), 0),
        "cpz" => {
            let input = input.map_or(vec![], |f| fs::read(dir.join(f)).expect("a file"));
            let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            let done = run_with(dir, &args, &input);
            let code = done.code.expect("an exit code");
            match output {
                Some(file) => {
                    fs::write(dir.join(file), &done.stdout).expect("written");
                    (done.stderr, code)
                }
                None => (done.stdout + &done.stderr, code),
            }
        }
        _ => panic!("{command} is nothing that a test can run"),
    }
}

#[test]
fn commands_in_the_manual_print_what_it_shows() {
    let mut commands = 0;
    for (path, text) in pages() {
        let w = folder(&[]);
        let mut last = 0;
        for fence in fences(&text) {
            if let Some(name) = fence.value("file") {
                fs::write(w.path().join(name), &fence.text).expect("written");
            }
            if !fence.is("console") {
                continue;
            }
            let lines: Vec<&str> = fence.text.lines().collect();
            assert!(lines[0].starts_with("$ "), "{}:{}", path.display(), fence.line);
            let mut at = 0;
            while at < lines.len() {
                let command = lines[at].strip_prefix("$ ").expect("a command");
                let end = lines[at + 1..]
                    .iter()
                    .position(|l| l.starts_with("$ "))
                    .map_or(lines.len(), |n| at + 1 + n);
                let (printed, code) = execute(w.path(), command, last);
                last = code;
                let printed: Vec<&str> = printed.lines().collect();
                let place = format!("{}:{}", path.display(), fence.line + at + 1);
                assert!(fits(&lines[at + 1..end], &printed), "{place}\n$ {command}\n{}", printed.join("\n"));
                (at, commands) = (end, commands + 1);
            }
        }
    }
    assert!(commands > 40, "{commands} commands");
}

/// The part of a page below a heading of the second level.
fn section<'a>(page: &'a str, heading: &str) -> Option<&'a str> {
    let (_, behind) = page.split_once(&format!("\n## {heading}\n"))?;
    Some(behind.split("\n## ").next().unwrap_or(behind))
}

#[test]
fn every_option_is_in_the_section_of_its_command_or_on_a_page_that_it_links_to() {
    let page = |name: &str| fs::read_to_string(root().join("docs").join(name)).expect(name);
    let command_line = page("command-line.md");
    let mut missing = Vec::new();
    for command in command_names() {
        let mut text = match section(&command_line, &format!("cpz {command}")) {
            Some(text) => text.to_string(),
            None => page(&format!("{command}.md")),
        };
        for link in links(&text).iter().filter(|link| !link.starts_with('#')) {
            text.push_str(&page(link.split('#').next().expect("a page")));
        }
        for line in run(root(), &[&command, "--help"]).exits(0).stdout.lines() {
            let words = line.split([' ', ',']).filter(|word| !word.is_empty());
            let words: Vec<&str> = words.take_while(|word| word.starts_with('-') && word.len() > 1).collect();
            let is_general = ["--help", "--version", "--color"].iter().any(|word| words.contains(word));
            if !words.is_empty()
                && !is_general
                && !words.iter().any(|word| text.contains(&format!("`{word}")))
            {
                missing.push(format!("{command} {}", words.join(" ")));
            }
        }
    }
    assert!(missing.is_empty(), "the manual has no word about {missing:#?}");
}

// ---- links

/// What the links of a page lead to, but for those to other machines and to the workflows on GitHub.
fn links(page: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let mut rest = line;
        while let Some((_, behind)) = rest.split_once("](").filter(|_| !fenced) {
            let (target, more) = behind.split_once(')').expect("a link ends");
            if !target.contains("://") && !target.starts_with("../../actions/") {
                all.push(target.to_string());
            }
            rest = more;
        }
    }
    all
}

/// The anchors of a page, as mdBook and code hosts make them of headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut fenced = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let Some(heading) = line.strip_prefix('#').filter(|_| !fenced) else { continue };
        let heading = heading.trim_start_matches('#').trim().replace('`', "").to_lowercase();
        let id = |c: char| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        };
        let id: String = heading.chars().filter_map(id).collect();
        let numbered = (1..).map(|n| format!("{id}-{n}"));
        let free = std::iter::once(id.clone()).chain(numbered).find(|id| !all.contains(id));
        all.extend(free);
    }
    all
}

#[test]
fn links_in_the_manual_resolve() {
    let others = [
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "SECURITY.md",
        "CODE_OF_CONDUCT.md",
        "CHANGELOG.md",
        "packages/README.md",
    ];
    let others = others.map(|p| (PathBuf::from(p), fs::read_to_string(root().join(p)).expect(p)));
    for (path, text) in pages().into_iter().chain(others) {
        let in_book = path.starts_with("docs");
        for link in links(&text) {
            let place = format!("{}: {link}", path.display());
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = root().join(path.parent().expect("a folder"));
            let target = if file.is_empty() { root().join(&path) } else { folder.join(file) };
            assert!(target.exists(), "{place}");
            if !anchor.is_empty() {
                let page = fs::read_to_string(&target).expect("a page");
                assert!(anchors(&page).contains(anchor), "{place}: {:?}", anchors(&page));
            }
            if in_book {
                let target = target.canonicalize().expect("a file");
                assert!(
                    target.starts_with(root().join("docs").canonicalize().expect("a folder")),
                    "{place} leads out of the book"
                );
            }
        }
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let named: BTreeSet<PathBuf> = pages().into_iter().map(|(p, _)| p).collect();
    for folder in ["docs", "docs/codes"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let name = PathBuf::from(folder).join(entry.expect("an entry").file_name());
            let is_page = name.extension().is_some_and(|e| e == "md") && !name.ends_with("SUMMARY.md");
            assert!(!is_page || named.contains(&name), "{}", name.display());
        }
    }
}

// ---- the pages of the codes

/// With `CPZ_BLESS` set the pages are written.
fn is_page(name: &str, text: &str) {
    let path = root().join("docs/codes").join(name);
    if std::env::var_os("CPZ_BLESS").is_some() {
        fs::write(&path, text).expect("written");
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), text, "{name} (CPZ_BLESS=1 writes it)");
}

#[test]
fn code_pages_equal_explain() {
    let mut list = String::from(
        "# Diagnostics\n\nEach finding has a code, which says what kind of finding it is, and a severity, which \
         [`cpz.toml`](../configuration.md) may\nchange. [`allow`](../language.md#allow) silences a code on a puzzle or in a \
         file, and `cpz explain CODE` prints the page\nof a code.\n\n| code | severity | what it is |\n|---|---|---|\n",
    );
    for entry in TABLE {
        let (name, severity) = (entry.code.name(), entry.severity.name());
        let said = run(root(), &["explain", name]).exits(0).stdout;
        assert!(
            said.contains(entry.text) && said.starts_with(&format!("{name}: {} ({severity})", entry.title)),
            "{said}"
        );
        is_page(&format!("{name}.md"), &format!("# {name}\n\n{said}"));
        list.push_str(&format!("| [`{name}`]({name}.md) | {severity} | {} |\n", entry.title));
    }
    is_page("index.md", &list);
}

#[test]
fn code_examples_have_exactly_their_finding() {
    for entry in TABLE {
        let name = entry.code.name();
        let found = |text: &str| -> Vec<String> {
            let w = folder(&[("a.cpz", &format!("{text}\n"))]);
            let document = run(w.path(), &["check", "--hints", "--format", "json"]).json();
            let list = document["files"][0]["diagnostics"].as_array().expect("findings").clone();
            list.iter().map(|f| f["code"].as_str().expect("a code").to_string()).collect()
        };
        let wrong = found(entry.wrong);
        assert!(!wrong.is_empty() && wrong.iter().all(|c| c == name), "{name}: {wrong:?}");
        assert_eq!(found(entry.right), Vec::<String>::new(), "{name}");
        let w = folder(&[("a.cpz", &format!("{}\n", entry.right))]);
        run(w.path(), &["fmt", "--check"]).exits(0);
    }
}

// ---- the examples

#[test]
fn examples_are_clean_and_mistakes_are_reported() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run =
        crate::harness::run(root, &["check", "--format", "json", "--hints", "examples/collection"]).exits(0);
    for file in run.json()["files"].as_array().expect("files") {
        // That a name or a board occurs elsewhere too is worth a hint, and no mistake.
        let is_mistake = |found: &&serde_json::Value| {
            let code = found["code"].as_str().unwrap_or_default();
            !(found["severity"] == "hint" && code.starts_with("duplicate-"))
        };
        let findings = file["diagnostics"].as_array().expect("findings");
        let mistakes: Vec<_> = findings.iter().filter(is_mistake).collect();
        assert!(mistakes.is_empty(), "{}: {mistakes:?}", file["path"]);
    }
    let run = crate::harness::run(root, &["check", "--format", "json", "examples/mistakes"]).exits(1);
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
    crate::harness::run(root, &["fmt", "--check", "examples"]).exits(0);
}
