//! Files of other programs, and the puzzles that they become.
//!
//! `tests/fixtures/import/NAME` is imported; `NAME.cpz` beside it holds the puzzles, and behind them a comment line for
//! each notice. `CPZ_BLESS=1` writes the expectations.

use std::fs;
use std::path::{Path, PathBuf};

use cpz::exchange::import::{ImportOptions, detect, import, reader_of};
use cpz::ide::format;
use cpz::syntax::parse;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import");
    let entries = fs::read_dir(folder).expect("the fixtures");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e != "cpz"));
    files.sort();
    files
}

/// The puzzles of a file, and a comment for each notice.
fn imported(path: &Path) -> String {
    let bytes = fs::read(path).expect("a fixture");
    let head = String::from_utf8_lossy(&bytes).into_owned();
    let name = path.file_name().expect("a name").to_string_lossy();
    let format = detect(&name, &head).unwrap_or_else(|| panic!("{name}: not recognised"));
    let reader = reader_of(format, &head, &ImportOptions::default());
    let (mut text, mut told) = (format!("// {}\n", format.name()), String::new());
    let mut sink = |part: cpz::exchange::import::Imported| {
        text.push_str(if part.text.is_empty() { "" } else { "\n" });
        text.push_str(&part.text);
        for notice in &part.notices {
            let what = if notice.imported { "imported, but" } else { "not imported:" };
            told.push_str(&format!("// line {}: {what} {}\n", notice.line, notice.reason));
        }
        Ok(())
    };
    import(&*reader, &mut &bytes[..], &mut sink).expect("no error in a slice");
    if !told.is_empty() {
        text.push('\n');
    }
    text + &told
}

#[test]
fn files_of_other_programs_become_puzzles() {
    let mut wrong = Vec::new();
    for path in fixtures() {
        let found = imported(&path);
        let expected = PathBuf::from(format!("{}.cpz", path.display()));
        if std::env::var_os("CPZ_BLESS").is_some() {
            fs::write(&expected, &found).expect("written");
        }
        if fs::read_to_string(&expected).ok().as_deref() != Some(&found) {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn imported_puzzles_are_formatted_and_have_no_syntax_errors() {
    for path in fixtures() {
        let text = imported(&path);
        let tree = parse(text.as_str());
        assert_eq!(format(&tree).as_deref(), Some(text.as_str()), "{}", path.display());
        assert!(tree.errors().is_empty(), "{}: {:?}", path.display(), tree.errors());
    }
}
