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
            // A carriage return alone ends a line, too.
            let ends = |found: &(usize, &u8)| match *found.1 {
                b'\n' => true,
                b'\r' => bytes.get(found.0 + 1) != Some(&b'\n'),
                _ => false,
            };
            let lines = bytes[..notice.offset].iter().enumerate().filter(ends).count();
            assert_eq!(lines + 1, notice.line, "{name}: {}", notice.reason);
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

/// Imports a text of PGN.
fn from_pgn(text: &str, mates: bool) -> String {
    let options = ImportOptions { mates, ..ImportOptions::default() };
    let reader = reader_of(cpz::exchange::import::Format::Pgn, text, &options);
    let mut puzzles = String::new();
    let mut sink = |part: cpz::exchange::import::Imported| {
        puzzles.push_str(&part.text);
        Ok(())
    };
    import(&*reader, &mut text.as_bytes(), &mut sink).expect("no error in a slice");
    puzzles
}

#[test]
fn line_of_pgn_that_ends_in_mate_asks_for_it_only_with_the_option() {
    let game = "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# 1-0\n";
    assert!(from_pgn(game, false).contains("  line => 1. Ra8#\n"), "{}", from_pgn(game, false));
    assert!(from_pgn(game, true).contains("  mate in 1 => Ra8#\n"), "{}", from_pgn(game, true));
    // What is stated needs no option, and a line that does not mate stays one.
    let stated = game.replace("[FEN", "[Stipulation \"#2\"]\n[FEN");
    assert!(from_pgn(&stated, false).contains("  mate in 2 => Ra8#\n"), "{}", from_pgn(&stated, false));
    let open = game.replace("Ra8#", "Ra7");
    assert_eq!(from_pgn(&open, true), from_pgn(&open, false));
}

#[test]
fn study_of_pgn_keeps_its_variations() {
    let study = "[White \"Author\"]\n[Black \"White to play and win\"]\n[Result \"1-0\"]\n\
                 [FEN \"8/8/8/7p/8/8/P7/K6k w - - 0 1\"]\n\n1. a4 (1. a3? h4 (1... Kg1)) h4 2. a5 1-0\n";
    let puzzle = from_pgn(study, false);
    assert!(puzzle.contains("  win => \"1. a4 (1. a3? h4 (1... Kg1)) 1... h4 2. a5\"\n"), "{puzzle}");
    assert!(!puzzle.contains("note"), "{puzzle}");
}

#[test]
fn lines_may_end_as_in_any_system() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import");
    for name in [
        "games.pgn",
        "positions.epd",
        "problems.olv",
        "deutsch.inp",
        "puzzles.csv",
        "studies.pdn",
        "boards.txt",
    ] {
        let unix = fs::read_to_string(path.join(name)).expect("a fixture");
        let dir = tempfile::tempdir().expect("a temporary folder");
        for end in ["\r", "\r\n"] {
            let other = dir.path().join(name);
            fs::write(&other, unix.replace('\n', end)).expect("written");
            assert_eq!(imported(&other), imported(&path.join(name)), "{name} {end:?}");
        }
    }
}
