//! Files of other programs, and the puzzles that they become.
//!
//! `tests/fixtures/import/NAME` is imported; `NAME.cpz` beside it holds the puzzles, and behind them a comment line for
//! each notice. `CPZ_BLESS=1` writes the expectations.

use std::fs;
use std::path::{Path, PathBuf};

use cpz::exchange::import::{Format, ImportOptions, detect, import, reader_of};
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
    let name = path.file_name().expect("a name").to_string_lossy();
    imported_bytes(&name, &fs::read(path).expect("a fixture"))
}

/// The same for a file with this name and content.
fn imported_bytes(name: &str, bytes: &[u8]) -> String {
    let head = String::from_utf8_lossy(bytes).into_owned();
    let format = detect(name, &head).unwrap_or_else(|| panic!("{name}: not recognised"));
    let reader = reader_of(format, &head, &ImportOptions::default());
    let (mut text, mut told) = (format!("// {}\n", format.name()), String::new());
    let mut sink = |part: cpz::exchange::import::Imported| {
        text.push_str(if part.text.is_empty() { "" } else { "\n" });
        text.push_str(&part.text);
        let (tally, puzzles) = (&part.tally, parse(part.text.as_str()).puzzles().count());
        assert_eq!((tally.puzzles, tally.questions.values().sum()), (puzzles, puzzles), "{name}");
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
fn rows_of_a_spreadsheet_have_semicolons_or_tabs() {
    for name in ["puzzles.csv", "rows.csv"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import").join(name);
        let rows = fs::read_to_string(&path).expect("a fixture");
        for separator in [";", "\t"] {
            let text = rows.replace(',', separator);
            assert_eq!(imported_bytes(name, text.as_bytes()), imported(&path), "{separator:?}\n{text}");
        }
    }
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

#[test]
fn formats_are_known_by_what_a_file_begins_with() {
    const FEN: &str = "8/8/8/8/8/2K5/R7/k7 w - - 0 1";
    let row = |moves: &str| format!("id,{FEN},{moves},1,2,3,4,mate,url\n");
    let cases: Vec<(&str, String, Option<Format>)> = vec![
        ("x", String::new(), None),
        ("x.pgn", " \n \n".into(), None),
        ("x", row("a1b1 a2b2"), Some(Format::Lichess)),
        ("x", format!("no\n{}", row("a1b1")), Some(Format::Lichess)),
        ("x", row("Kb1 Rb2"), Some(Format::Fen)),
        ("x", row("a"), Some(Format::Fen)),
        ("x", row("easy"), Some(Format::Fen)),
        ("x", format!("id,{FEN},a1b1,1,2,3\n"), Some(Format::Fen)),
        ("x", "id,no position,a1b1,1,2,3,4,mate,url\n".into(), None),
        ("x", "PuzzleId,FEN,Moves\n".into(), Some(Format::Lichess)),
        ("x", "PuzzleId,FEN,Rating\n".into(), None),
        ("x", "- algebraic: {white: [Ka1]}\n".into(), Some(Format::Olv)),
        ("x", "[{\"a\": 1, \"algebraic\" : {\"white\": []}}]".into(), Some(Format::Olv)),
        ("x", "{\"game\": \"chess\", \"algebraic\": \"yes\"}".into(), Some(Format::Json)),
        ("x", "begin\npieces white ka1\n".into(), Some(Format::Popeye)),
        ("x", "begin\nforsyth 8\n".into(), Some(Format::Popeye)),
        // Text of a board that has the beginning of such a word.
        ("x", "Begin with the knight.\n\nR .\n. N\n".into(), Some(Format::Solitaire)),
        ("x", "Be careful with the pieces.\n\nR .\n. N\n".into(), Some(Format::Solitaire)),
        ("x", "[{\"board\": 1}]".into(), Some(Format::Json)),
        ("x", "{\"boards\": 1}".into(), None),
        ("x.jsonl", "{}".into(), Some(Format::Json)),
        ("x", "[Event \"a\"]\n[GameType \"25\"]\n".into(), Some(Format::Pdn)),
        ("x", "[FEN \"W:Wa1:Bb2\"]\n".into(), Some(Format::Pdn)),
        ("x", "[ FEN \"B:Wa1:Bb2\"]\n".into(), Some(Format::Pdn)),
        ("x", format!("[FEN \"{FEN}\"]\n"), Some(Format::Pgn)),
        ("x", "1. e4\n[ Site \"a\"]\n".into(), Some(Format::Pgn)),
        ("x", "[Event a]\n".into(), None),
        ("x", "[Eventful \"a\"]\n".into(), None),
        ("x", format!("{FEN}\n"), Some(Format::Fen)),
        ("x", "\n; A list.\n\n8/8/8/8/8/2K5/R7/k7\n".into(), Some(Format::Fen)),
        ("x", "8/8/8/8/8/2K5/R7/k7 of words\n".into(), None),
        ("x", "8/8/8/8/8/2K5/R7/k7 w - - bm Rb2;\n".into(), Some(Format::Epd)),
        ("x", "8/8/8/8/8/2K5/R7/k7 w - - best Rb2;\n".into(), Some(Format::Fen)),
        ("x.EPD", format!("{FEN}\n"), Some(Format::Epd)),
        ("x.epd", "what\n".into(), Some(Format::Epd)),
        ("x.olv", "what\n".into(), Some(Format::Olv)),
        ("x.inp", "what\n".into(), Some(Format::Popeye)),
        ("x.pdn", "what\n".into(), Some(Format::Pdn)),
        ("x.fen", "what\n".into(), Some(Format::Fen)),
        ("x.pgn", "what\n".into(), Some(Format::Pgn)),
        ("x.txt", "what\n".into(), None),
        ("x.txt", "R .\n. N\n".into(), Some(Format::Solitaire)),
        ("x.txt", ". . . .\n. B . .\nR P .\n. . . N\n".into(), Some(Format::Solitaire)),
    ];
    for (name, head, format) in cases {
        assert_eq!(detect(name, &head), format, "{name} {head:?}");
    }
}

/// Imports a text of PGN.
fn from_pgn(text: &str, mates: bool) -> String {
    let options = ImportOptions { mates, ..ImportOptions::default() };
    let reader = reader_of(Format::Pgn, text, &options);
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
