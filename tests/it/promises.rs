//! Each promise of SECURITY.md names tests that exist.
//!
//! A promise is a row of a table, whose second cell names tests: a file in backticks and a colon, then the names in
//! backticks. In Rust a test is a function with the attribute or in `proptest!`, in `tests/faults` the name of a fault,
//! in a shell script a function, and elsewhere a title.

use std::fs;
use std::path::Path;

/// The second cells of the rows of a page, each with the number of its line, without the heads of tables.
fn rows(page: &str) -> Vec<(usize, &str)> {
    let mut all = Vec::new();
    for (number, line) in (1..).zip(page.lines()) {
        let Some(cells) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else { continue };
        if cells != "promise | tests" {
            all.push((number, cells.rsplit_once(" | ").expect("two cells").1));
        }
    }
    all
}

/// The tests that a cell names, each with its file; an error where it is written in another way.
fn tests(cell: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut all = Vec::new();
    for part in cell.split("; ") {
        let (file, names) =
            part.split_once("`: ").ok_or_else(|| format!("`{part}` has no file and names"))?;
        let file = file.strip_prefix('`').ok_or_else(|| format!("{file} is no file in backticks"))?;
        for name in names.split("`, ") {
            let name = name.strip_prefix('`').ok_or_else(|| format!("{name} is not in backticks"))?;
            all.push((file, name.strip_suffix('`').unwrap_or(name)));
        }
    }
    Ok(all)
}

/// Whether a file has a test with this name.
fn has_test(file: &str, text: &str, name: &str) -> bool {
    if file.ends_with(".rs") {
        // The attribute is on a line above, with at most other attributes and comments between.
        let Some((before, _)) = text.split_once(&format!("fn {name}(")) else { return false };
        let above = before.rsplit_once('\n').map_or("", |(above, _)| above).lines().rev().map(str::trim);
        return above
            .take_while(|line| line.starts_with('#') || line.starts_with("//"))
            .any(|line| line == "#[test]");
    }
    if file.starts_with("tests/faults/") {
        return text.contains(&format!("@fault(\"{name}\""));
    }
    if text.starts_with("#!") {
        return text.lines().any(|line| line == format!("{name}() {{"));
    }
    ['\'', '"'].into_iter().any(|quote| {
        // A title, or the part of a title behind a value.
        text.contains(&format!("{quote}{name}{quote}"))
            || text.contains(&format!(": {name}{quote}"))
            || text.contains(&format!("}} {name}{quote}"))
    })
}

#[test]
fn promises_name_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("SECURITY.md")).expect("the page");
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (line, cell) in rows(&page) {
        let named = tests(cell).unwrap_or_else(|why| panic!("SECURITY.md:{line}: {why}"));
        for (file, name) in named {
            seen += 1;
            match fs::read_to_string(root.join(file)) {
                Ok(text) if has_test(file, &text, name) => {}
                Ok(_) => wrong.push(format!("SECURITY.md:{line}: {file} has no test `{name}`")),
                Err(why) => wrong.push(format!("SECURITY.md:{line}: {file}: {why}")),
            }
        }
    }
    assert!(rows(&page).len() > 20 && seen > 60, "only {seen} tests are found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn tests_are_found_by_what_makes_them_tests() {
    let rust =
        "#[test]\n#[cfg(unix)]\nfn one() {}\n\nfn two() {}\n\n#[test]\nfn three() {\n    fn four() {}\n}\n";
    let found = ["one", "two", "three", "four"].map(|name| has_test("tests/it/a.rs", rust, name));
    assert_eq!(found, [true, false, true, false]);
    let python = "@fault(\"a-b\", \"A title\")\ndef a_b(bench): ...\n";
    assert!(has_test("tests/faults/a.py", python, "a-b") && !has_test("tests/faults/a.py", python, "a_b"));
    assert!(has_test(".ci/run", "#!/bin/bash\nlicences() {\n", "licences"));
    assert!(
        has_test("a.mjs", "check('it works', 1)", "it works")
            && !has_test("a.mjs", "// it works", "it works")
    );
    assert!(has_test("a.py", "check(f\"{what}: it works\")", "it works"));
    assert_eq!(
        tests("`a.rs`: `b`, `c d`; `e`: `f, g`"),
        Ok(vec![("a.rs", "b"), ("a.rs", "c d"), ("e", "f, g")])
    );
    assert!(tests("`tests/it/trust.rs`").is_err() && tests("nothing").is_err());
}
